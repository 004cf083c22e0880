"""The default board: the position as text and its moves as a list."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.position import Position
from arcade.widgets.board import Board


class MoveOption(Option):
    """A row of the list: a move of a position."""

    def __init__(self, words: str, position: Position[Any], move: Any, playable: bool) -> None:
        super().__init__(words, disabled=not playable)
        self.position = position
        self.move = move


class ListBoard(Board):
    """Choose a move from the list of all legal ones."""

    DEFAULT_CSS = """
    ListBoard { width: 1fr; height: 1fr; layout: vertical; padding: 1 2; }
    ListBoard OptionList { height: 1fr; }
    ListBoard Static { height: auto; margin-bottom: 1; }
    """

    def compose(self) -> ComposeResult:
        """The position above its moves."""
        yield Static(markup=False)
        yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Show the first position."""
        self.update()

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> ListBoard:
        """Give the focus to the list."""
        self.query_one(OptionList).focus(scroll_visible)
        return self

    def update(self) -> None:
        """Show the position and its moves, with verdicts if the overlay is on."""
        verdicts = {each.move: each for each in self.view.values}
        position = self.view.position
        options = []
        for move in position.moves():
            words = str(move)
            if move in verdicts:
                words += f"  {self.glyphs.verdict(verdicts[move].verdict)}"
            if move == self.view.hinted:
                words += f"  {self.glyphs.turn} hint"
            options.append(MoveOption(words, position, move, self.view.playable))
        self.query_one(Static).update(position.text())
        listed = self.query_one(OptionList)
        before = listed.highlighted_option
        at = listed.highlighted if before is not None and self._is_current(before) else None
        listed.clear_options()
        listed.add_options(options)
        listed.highlighted = at

    def _is_current(self, option: Option) -> bool:
        """Whether a row belongs to the shown position; messages about rows may arrive late."""
        return isinstance(option, MoveOption) and option.position == self.view.position

    @on(OptionList.OptionSelected)
    @on(OptionList.OptionHighlighted)
    def pointed(self, event: OptionList.OptionMessage) -> None:
        """A move is pointed at or chosen."""
        event.stop()
        option = event.option
        if isinstance(option, MoveOption) and self._is_current(option):
            chosen = isinstance(event, OptionList.OptionSelected)
            self.post_message((self.Play if chosen else self.Pointed)(self, option.move))
