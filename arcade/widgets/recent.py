"""The list of the matches played last."""

from __future__ import annotations

import time
from collections.abc import Iterable

from textual import events
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from arcade.engines.game import InputError
from arcade.engines.registry import get_game
from arcade.match import HUMAN
from arcade.store import Saved

DAY_SECONDS = 86_400


def what(saved: Saved) -> str:
    """Game, size, and how far it came or how it ended, e.g. "Chocobar 8x10, won"."""
    record = saved.record
    size = str(record.get("start", "")).partition(":")[2].partition(":")[0]
    try:
        title = get_game(saved.game).title
    except InputError:
        title = saved.game.capitalize()
    name = f"{title} {size}".rstrip()
    if saved.result is None:
        return f"{name}, ply {record.get('played', 0)}"
    seats = record.get("seats", [])
    if seats.count(HUMAN) != 1:
        return f"{name}, {len(record.get('moves', []))} plies"
    won = saved.result == ("win" if seats[0] == HUMAN else "loss")
    return f"{name}, {'tie' if saved.result == 'tie' else 'won' if won else 'lost'}"


def against(saved: Saved, now: float) -> str:
    """Who played and when, e.g. "Fallible 7, 21:14": what tells matches of one size apart."""
    seats = [str(each) for each in saved.record.get("seats", [])]
    others = [each for each in seats if each != HUMAN] or ["two persons" if len(seats) > 1 else "alone"]
    day, today = time.localtime(saved.updated), time.localtime(now)
    recent = now - saved.updated < DAY_SECONDS and day.tm_yday == today.tm_yday
    when = time.strftime("%H:%M" if recent else "%d %b" if day.tm_year == today.tm_year else "%Y-%m-%d", day)
    who = " - ".join(f"{each[:1].upper()}{each[1:]}".replace(":", " ") for each in others)
    return f"{who}, {when}"


class RecentMatches(OptionList):
    """The matches played last: one line each where there is room, else two."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.border_title = "Last matches"
        self._saved: tuple[Saved, ...] = ()

    def show(self, saved: Iterable[Saved]) -> None:
        """Show these matches."""
        self._saved = tuple(saved)
        self._write()

    def on_resize(self, event: events.Resize) -> None:
        """Another width: one line a match, or two."""
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
        lines = [(what(each), against(each, now)) for each in self._saved]
        broad = all(len(left) + len(right) + 2 <= room for left, right in lines)
        for each, (left, right) in zip(self._saved, lines, strict=True):
            between = " " * (room - len(left) - len(right)) if broad else "\n "
            prompt = Content.assemble(left, between, (right, "dim"))
            self.add_option(Option(prompt, id=str(each.id)))
        # Without it Enter would choose nothing before an arrow was pressed.
        self.highlighted = min(chosen or 0, len(lines) - 1)
