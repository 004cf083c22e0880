"""The records: what a person has won, tied and lost, how far they see, their scores and puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.registry import get_game, installed_games
from arcade.engines.wording import matches
from arcade.screens.base import ArcadeScreen
from arcade.screens.history import HistoryScreen
from arcade.session.jobs import Job, Jobs
from arcade.store.queries import Filter
from arcade.store.store import StoreError
from arcade.study.review import Level, catch_up
from arcade.study.statistics import GameStatistics, Section, level_sentence, sections, statistics
from arcade.widgets.keys import KeyFooter, TitleBar

COURSE = 8
"""Lines of the picture of a level's course."""
AXIS = 4
"""Columns of its numbers."""


def course(level: Level, width: int, mark: str) -> list[str]:
    """A picture of a level's course: a column for each match, the latest at the right.

    Args:
        level: the level.
        width: columns.
        mark: the character of a point.
    """
    numbers = [sight.best for _, sight in level.course][-max(width - AXIS, 1) :]
    if len(numbers) < 2:
        return []
    low, high = min(numbers), max(numbers)
    step = max(1, -(-(high - low + 1) // COURSE))
    lines = []
    for bottom in range(high - (high - low) % step, low - 1, -step):
        dots = "".join(mark if bottom <= number < bottom + step else " " for number in numbers)
        lines.append(f"{bottom:>{AXIS - 1}} {dots}".rstrip())
    return lines


def table(section: Section, room: int) -> Content:
    """A section of the records, with as many columns as there is room for."""
    lines = [(section.title, *section.heads), *section.rows]
    count = max(map(len, lines))
    padded = [(*line, *[""] * (count - len(line))) for line in lines]
    widths = [max(len(line[column]) for line in padded) for column in range(count)]
    while len(widths) > 2 and sum(widths) + 2 * len(widths) - 2 > room:
        widths.pop()
    padded = [line[: len(widths)] for line in padded]
    drawn = []
    for number, (first, *rest) in enumerate(padded):
        cells = "  ".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        drawn.append(
            Content.assemble(
                (f"{first:{widths[0]}}", "" if number else "bold"), ("  " + cells, "" if number else "$faint")
            )
        )
    return Content("\n").join(drawn)


def _in_short(found: GameStatistics) -> str:
    """A game's records in two words."""
    scores = [each.highest for each in found.every.scores.values() if each.highest is not None]
    if scores and not found.every.all.total:
        return f"{max(scores)} points"
    return f"{found.every.all.won:,} won"


class RecordsScreen(ArcadeScreen):
    """A list of games, and the records in the chosen one."""

    CSS: ClassVar[str] = """
    RecordsScreen #games { width: 17; height: 1fr; background: $surface; border: none; }
    RecordsScreen #told { width: 1fr; height: 1fr; padding: 0 1; }
    RecordsScreen #told Static { height: auto; width: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "matches", "Matches", tooltip="The matches of this game"),
        Binding("j", "app.focus_next", "Next", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.found: Sequence[GameStatistics] = ()
        self.jobs = Jobs(self, self._failed)

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Horizontal():
            yield OptionList(id="games", markup=False)
            with VerticalScroll(id="told", can_focus=True):
                yield Static(markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one("#games").focus()

    def on_screen_resume(self) -> None:
        self.show_title("reading your matches")
        self.jobs.start("records", self._read)

    def on_screen_suspend(self) -> None:
        self.jobs.stop()

    def on_unmount(self) -> None:
        self.jobs.stop()

    def _read(self, job: Job) -> None:
        services = self.services
        job.tell(self.show, statistics(services.store))
        for game in installed_games():
            job.tell(self.show_title, f"looking at your latest matches of {game.title}")

            def ready(name: str = game.name) -> bool:
                return services.warmer.wait(name, job.control)

            if catch_up(services.store, game, services.machines, job.control, ready):
                job.tell(self.show, statistics(services.store))
            if job.control.cancelled:
                return
        job.tell(self._done)

    def _done(self) -> None:
        self.jobs.drop("records")
        self.show_title()

    def _failed(self, error: BaseException) -> None:
        self.notify(str(error) if isinstance(error, StoreError) else f"{error!r}", severity="error")
        self.show_title()

    def show_title(self, busy: str = "") -> None:
        count = sum(each.every.all.total for each in self.found)
        self.query_one(TitleBar).show("Your records", f"{matches(count)} against engines", busy)

    def show(self, found: Sequence[GameStatistics]) -> None:
        self.found = [each for each in found if get_game(each.game).listed or not each.empty]
        games = self.query_one("#games", OptionList)
        at = games.highlighted
        games.clear_options()
        for each in self.found:
            games.add_option(Option(f"{each.title}\n {_in_short(each)}", id=each.game))
        if at is None:
            at = next((number for number, each in enumerate(self.found) if not each.empty), 0)
        games.highlighted = at
        self._show_game()
        self.show_title()

    @property
    def chosen(self) -> GameStatistics | None:
        at = self.query_one("#games", OptionList).highlighted
        return self.found[at] if at is not None and at < len(self.found) else None

    @on(OptionList.OptionHighlighted, "#games")
    def _show_game(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        parts = [Content.styled(chosen.title, "bold $primary")]
        room = self.query_one("#told").scrollable_content_region.width
        if chosen.level is not None:
            parts.append(Content(level_sentence(chosen.level, get_game(chosen.game))))
            drawn = course(chosen.level, room, self.glyphs.played)
            if drawn:
                parts.append(Content("\n".join(["How far you saw, by the ten matches up to each:", *drawn])))
        parts.extend(table(each, room) for each in sections(chosen))
        if chosen.empty:
            parts.append(Content("You have not finished a match of this game yet."))
        self.query_one("#told Static", Static).update(Content("\n\n").join(parts))

    def redraw(self) -> None:
        self._show_game()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._show_game)

    @on(OptionList.OptionSelected, "#games")
    def action_matches(self) -> None:
        if self.chosen is not None:
            self.open(HistoryScreen(Filter(game=self.chosen.game)))
