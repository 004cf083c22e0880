"""The board of a game that brings none of its own: the position as text and its moves as a list."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.widgets.board import Board


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
        """Show the position and its moves, with their verdicts when they are on show."""
        verdicts = {each.move: each for each in self.view.values}
        options = []
        for move in self.view.position.moves():
            label = str(move)
            if move in verdicts:
                label += f"  {self.glyphs.verdict(verdicts[move].verdict)}"
            if move == self.view.hinted:
                label += f"  {self.glyphs.turn} hint"
            options.append(Option(label, disabled=not self.view.playable))
        self.query_one(Static).update(self.view.position.text())
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options(options)

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """A move was chosen."""
        event.stop()
        self.post_message(self.Play(self, self.view.position.moves()[event.option_index]))

    @on(OptionList.OptionHighlighted)
    def highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """A move is pointed at."""
        event.stop()
        self.post_message(self.Pointed(self, self.view.position.moves()[event.option_index]))
