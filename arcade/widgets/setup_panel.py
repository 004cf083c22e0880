"""The options of a Hexapawn position besides its pawns, as rows with buttons and keys."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from arcade.engines.hexapawn import GAME
from arcade.engines.hexapawn.editing import check
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.registry import GameID
from arcade.widgets.glyphs import Glyphs

_WIDEST = 10
"""Length of the longest word on a button."""
_KEYS_AT = 14
"""Columns from the start of a row's button to its keys."""


def _click(action: str) -> Style:
    return Style.from_meta({"@click": f"screen.{action}"})


def _button(text: str, action: str, style: str = "$foreground on $panel-lighten-1") -> Content:
    return Content.styled(f" {text} ", style).stylize(_click(action))


def _row(name: str, *parts: Content | str, keys: str) -> Content:
    control = Content.assemble(*parts)
    space = " " * max(1, _KEYS_AT - control.cell_length)
    return Content.assemble((f"{name:<10}", "$faint"), control, space, (keys, "$faint"))


def _stepper(name: str, value: int, less: str, more: str, keys: str) -> Content:
    """A row with a number and buttons to change it."""
    return _row(name, _button("-", less), f" {value:>2}  ", _button("+", more), keys=keys)


def _switch(name: str, value: str, action: str, key: str) -> Content:
    """A row with a choice that a click or key changes."""
    return _row(name, _button(f"{value:<{_WIDEST}}", action), keys=key)


def _actions(*actions: tuple[str, str, str]) -> Content:
    """A row of actions with their keys."""
    parts = []
    for action, words, key in actions:
        parts += [_button(f"{words:<{_WIDEST}}", action), Content.styled(f" {key}  ", "$faint")]
    return Content.assemble(*parts)


class SetupPanel(Static):
    """The size, the side to move, the variants, and the actions."""

    def show(self, board: PawnPosition, start: GameID, glyphs: Glyphs) -> None:
        """Show the position's options, and whether a match can start from it."""
        good, sentence = check(board)
        captures = "compulsory" if board.capture else "free"
        lines = [
            Content(),
            _stepper("Rows", board.rows, "resize(-1, 0)", "resize(1, 0)", "- +"),
            _stepper("Columns", board.columns, "resize(0, -1)", "resize(0, 1)", ", ."),
            _switch("To move", GAME.sides[board.turn], "turn", "t"),
            _switch("Misère", "on" if board.misere else "off", "vary('misere')", "m"),
            _switch("Captures", captures, "vary('capture')", "c"),
            Content(),
            _actions(("fill", "Full board", "f"), ("clear", "Clear", "x")),
            _actions(("undo", "Undo", "u"), ("redo", "Redo", "r")),
            _actions(("type", "Type", "o"), ("copy", "Copy", "y")),
            Content(),
            Content.assemble((sentence, "bold $win" if good else "bold $error")),
        ]
        if good:
            button = _button(f"{glyphs.turn} Play from here", "play", "bold on $primary 35%")
            lines += [Content(), Content.assemble(button, ("  p", "$faint"))]
        lines += [Content(), Content.assemble((str(start), "$faint"))]
        self.update(Content("\n").join(lines))
