"""The list of the latest matches."""

from __future__ import annotations

import time
from collections.abc import Iterable

from textual import events
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from arcade.listing import Listed, players, what, when
from arcade.store import Saved


class RecentMatches(OptionList):
    """The latest matches, on one line each if there is room, else on two."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.border_title = "Last matches"
        self.border_subtitle = "[@click=screen.history]m all matches[/]"
        self._saved: tuple[Listed, ...] = ()

    def show(self, saved: Iterable[Saved]) -> None:
        """Show these matches."""
        self._saved = tuple(Listed.of(each.id, each.record, each.updated) for each in saved)
        self._write()

    def on_resize(self, event: events.Resize) -> None:
        """The width decides between one and two lines for each match."""
        self._write()

    def _write(self) -> None:
        chosen = self.highlighted
        self.clear_options()
        if not self._saved:
            self.add_option(
                Option("None yet: choose a game with the arrows and Enter, or click it.", disabled=True)
            )
            return
        room = self.scrollable_content_region.width - 2
        now = time.time()
        lines = [(what(each), f"{players(each)}, {when(each, now)}") for each in self._saved]
        broad = all(len(left) + len(right) + 2 <= room for left, right in lines)
        for each, (left, right) in zip(self._saved, lines, strict=True):
            between = " " * (room - len(left) - len(right)) if broad else "\n "
            prompt = Content.assemble(left, between, (right, "dim"))
            self.add_option(Option(prompt, id=str(each.id)))
        # Without it Enter would choose nothing before an arrow was pressed.
        self.highlighted = min(chosen or 0, len(lines) - 1)
