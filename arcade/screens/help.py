"""Help: the rules of the game on the screen, and every key that works there."""

from __future__ import annotations

from typing import ClassVar, Self

from rich.table import Table
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Markdown, Static

from arcade.screens.base import Dialog

GENERAL = """\
# The arcade

Choose a game with the arrow keys and Enter, or click it. In every game

* the **arrow keys**, **hjkl** or **WASD** move the cursor and **Enter** or **Space** plays;
* the mouse points and clicks;
* **i** gives a hint, in three steps: where to look, which move, and why;
* **v** shows the value of every move on the board;
* **u** takes back a move, **r** replays it;
* **q** leaves the screen, **Ctrl+Q** the program. The match is saved.

Signs: {win} wins, {loss} loses, {tie} ties; the number says how many plies are left.
A move marked {only} was the only good one, {threw} threw the game away.
"""


UNNAMED = ("screen.copy_text", "command_palette")
"""Actions with Textual's own keys in addition to ours."""


class HelpScreen(Dialog[None]):
    """The rules and active keys of a screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,question_mark,enter", "close", "Close", key_display="q"),
        Binding("down,j,s", "scroll(3)", "Down", show=False),
        Binding("up,k,w", "scroll(-3)", "Up", show=False),
    ]

    def __init__(self, rules: str, keys: list[tuple[str, str]]) -> None:
        super().__init__()
        self.rules = rules
        self.keys = keys

    @classmethod
    def for_screen(cls, screen: Screen[None], rules: str = "") -> Self:
        """Help made from the currently active bindings of a screen."""
        keys: dict[str, list[str]] = {}
        for active in screen.active_bindings.values():
            binding = active.binding
            if active.enabled and binding.description and binding.action not in UNNAMED:
                words = binding.tooltip or binding.description
                keys.setdefault(words, []).append(screen.app.get_key_display(binding))
        rows = [(" ".join(dict.fromkeys(shown)), words) for words, shown in keys.items()]
        return cls(rules, rows)

    def compose(self) -> ComposeResult:
        """Rules above, keys below."""
        glyphs = self.glyphs
        general = GENERAL.format(
            win=glyphs.win, loss=glyphs.loss, tie=glyphs.tie, only=glyphs.only, threw=glyphs.threw
        )
        table = Table.grid(padding=(0, 2))
        for shown, words in self.keys:
            table.add_row(f"[bold]{shown}[/]", words)
        with Vertical(classes="dialog -large"), VerticalScroll(id="help"):
            yield Markdown(self.rules or general)
            yield Static("Keys that work here now", classes="heading")
            yield Static(table)
            if self.rules:
                yield Markdown(general)

    def action_scroll(self, lines: int) -> None:
        """Scroll the text."""
        self.query_one("#help").scroll_relative(y=lines, animate=False)
