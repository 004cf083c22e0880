"""The match screen of Honshu."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import accumulate
from typing import Any, ClassVar

from textual import on
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from arcade.engines.honshu.game import GAME
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.honshu.upper_bound import HOW, MIN_HAND, available, proofs_folder
from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.play.jobs import Job
from arcade.play.keymap import default_key
from arcade.play.match import Match
from arcade.play.scene import Scene
from arcade.play.sentences import distinct_names
from arcade.screens.honshu.best_map import BestMapScreen
from arcade.screens.honshu.board import HonshuMap
from arcade.screens.honshu.panels import Hand, HandBox, HandWithLegend, Legend, ScoreTable
from arcade.screens.match import MatchScreen
from arcade.study.daily import ALONE, PAR_SECONDS, chat_text, day_of, strip
from arcade.widgets.keys import Shortcuts, match_shortcut, shortcut_line
from arcade.widgets.tables import RaceTable

BOUND_SECONDS = 3600.0

BEST_SECONDS = 5.0


class HonshuScreen(MatchScreen):
    # The table of scores names the players. On a low screen a hint or the coach replaces the table and the
    # moves.
    CSS = """
    HonshuScreen #seats { display: none; }
    HonshuScreen #status { height: 2; text-wrap: wrap; }
    HonshuScreen.-low #verdict { min-height: 3; max-height: 3; }
    HonshuScreen.-low.-hinting #verdict, HonshuScreen.-narrow.-low #verdict { min-height: 1; }
    HonshuScreen.-low #legend { margin-bottom: 0; }
    HonshuScreen.-slim.-hinting #legend, HonshuScreen.-ended #legend { display: none; }
    HonshuScreen.-low.-ended #verdict { max-height: 12; }
    HonshuScreen.-low.-faulted #verdict { max-height: 8; }
    HonshuScreen.-low #under-hand, HonshuScreen.-tall #side-hand { display: none; }
    HonshuScreen.-narrow #under-hand { display: none; }
    HonshuScreen.-narrow #side-hand { display: block; }
    HonshuScreen .-empty { display: none; }
    HonshuScreen #under-hand { padding: 0 1; }
    HonshuScreen.-low.-hinting #side-hand { margin-bottom: 0; }
    HonshuScreen.-low.-hinting #hint-scroll { max-height: 11; }
    HonshuScreen.-low.-hinting #scores, HonshuScreen.-low.-hinting #moves { display: none; }
    HonshuScreen.-narrow.-low #scores { display: none; }
    HonshuScreen.-narrow.-low.-ended #scores { display: block; }
    HonshuScreen.-narrow #hint-scroll { max-height: 100%; }
    HonshuScreen.-low.-faulted #scores, HonshuScreen.-low.-faulted #moves { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            default_key("best_map"),
            "best_map",
            "Best map",
            show=False,
            tooltip="The best map found, beside yours",
            id="best_map",
        ),
    ]

    BOARD = HonshuMap
    HAND = HandWithLegend
    ASKED: ClassVar[Mapping[str, str]] = {**MatchScreen.ASKED, "best map": "The search for the best map"}

    def under_boards(self) -> Iterable[Widget]:
        yield HandBox(id="under-hand")

    def extra_panels(self) -> Iterable[Widget]:
        yield Legend(id="legend")
        yield ScoreTable(id="scores", classes="panel")
        yield Shortcuts(id="week", classes="panel")
        yield HandBox(id="side-hand", classes="panel")

    _proved: Match | None = None

    def on_scene(self, scene: Scene) -> None:
        super().on_scene(scene)
        if self.alive and scene.over:
            # The day's best score is stored after the review.
            self.show_week()
        if self.alive and self.match is not self._proved:
            self._proved = self.match
            self.call_off("best map", "another match has begun")
            self._prove()

    def _prove(self) -> None:
        for group in ("par", "bound"):
            self.jobs.drop(group)
        first = self.match.first
        assert isinstance(first, HonshuPosition)
        if tuple(self.match.seats) == ALONE:
            self.jobs.start("par", partial(self._find_par, first), PAR_SECONDS)
        if not self.services.settings.bounds or len(first.hand) < MIN_HAND or not available():
            return
        folder = proofs_folder()

        def work(job: Job) -> None:
            if job.ready(GAME):
                for _ in GAME.solver.prove(first, folder, job.control):
                    job.tell(self.session.publish)

        self.jobs.start("bound", work, BOUND_SECONDS)

    def commands(self) -> Iterable[SystemCommand]:
        yield from super().commands()
        if available():
            turned = "off" if self.services.settings.bounds else "on"
            words = f"Turn {turned} the proof of the highest possible score"
            yield SystemCommand(f"Upper bound {turned}", words, partial(self.turn_bound, turned))

    def turn_bound(self, turned: str) -> None:
        self.arcade.change("bounds", turned)
        if self._proved is not None:
            self._prove()

    def _find_par(self, first: HonshuPosition, job: Job) -> None:
        if job.ready(GAME):
            job.tell(self._par_found, first, GAME.solver.verdict(first, job.control))

    def _par_found(self, first: HonshuPosition, verdict: ScoreVerdict) -> None:
        self.jobs.drop("par")
        if first == self.match.first:
            self.match.record_verdict(first, verdict)
            self.session.publish()
            self.show_title()

    @property
    def heading(self) -> str:
        day = day_of(self.match)
        name = super().heading if day is None else f"Honshu: the map of {day:%A}, {day.day} {day:%B}"
        best = self.match.best_of(self.match.first) if tuple(self.match.seats) == ALONE else None
        return f"{name}, par {best}" if best else name

    def result_text(self) -> str:
        day = day_of(self.match)
        if day is None or not self.match.finished:
            return super().result_text()
        return chat_text(self.match, day, self.services.week(GAME, day))

    def show_week(self) -> None:
        day, panel = day_of(self.match), self.query_one("#week", Shortcuts)
        panel.display = day is not None and self.scene.over
        if day is not None and panel.display:
            copy = shortcut_line(match_shortcut(self.keys, "copy", "copy"))
            week = f"   Your week, in %\n{strip(self.services.week(GAME, day))}"
            panel.update(copy + Content.styled(week, "$faint"))

    def help_rules(self) -> str:
        rules = super().help_rules()
        return rules if available() else f"{rules}\n\n# The highest score\n\n{HOW}."

    @property
    def map(self) -> HonshuMap:
        board = self.board
        assert isinstance(board, HonshuMap)
        return board

    def _lines_under(self) -> int:
        """Return the maximum lines that a hand under the maps can have without shrinking the maps."""
        table = self.table
        assert isinstance(table, RaceTable)
        hand = self.query_one("#under-hand").query_one(Hand)
        area = self.query_one("#left").size
        width = max(1, area.width - 2)
        heights = [hand.height_with(cell, width) for cell in Hand.CELL_SIZES]
        plans = [table.plan(Size(area.width, area.height - 3 - height)) for height in heights]
        return next(lines for lines, plan in zip(heights, plans, strict=True) if plan.cell == plans[-1].cell)

    @on(RaceTable.LayoutChanged)
    def show_extra(self) -> None:
        board = self.map
        for box, lines in (("#side-hand", None), ("#under-hand", self._lines_under())):
            self.query_one(box, HandBox).show(board, lines, self.scene.over)
        pointed = board.move_at(board.cursor) if board.cursor_shown else None
        self.query_one(ScoreTable).show(self.scene, board.position, pointed)
        self.show_week()

    def status(self) -> str:
        """Return the status. It omits the changes of the score, which the table of scores shows."""
        pointed = self.map.pointed
        if pointed is None or self.map.position.placement_error(pointed) or self.scene.status:
            return super().status()
        if not self.query_one(ScoreTable).display:
            return super().status()
        return "  ".join(self._value_words(self.map.view, pointed))

    async def action_on_board(self, action: str) -> None:
        await self.map.run_action(action)

    def refusal(self, action: str) -> str | None:
        if action == "best_map" and not self.scene.over:
            return "You can see the best map after the match."
        return super().refusal(action)

    def action_best_map(self) -> None:
        match, seat = self.match.copied(), self.scene.main

        def find(job: Job) -> None:
            if job.ready(GAME):
                line = match.best_line(job.control)
                job.tell(self.when_on_top, partial(self._show_best_map, match.history(seat), seat, line))

        if self.promise("best map", f"Looking for the best map, for up to {BEST_SECONDS:.0f} seconds."):
            self.jobs.start("best map", find, BEST_SECONDS)

    def _show_best_map(self, made: list[Any], seat: int, line: list[Any]) -> None:
        if "best map" not in self.jobs.controls:
            # Another match began while other screens covered this one.
            return
        self.jobs.drop("best map")
        match = self.match
        first = match.first
        assert isinstance(first, HonshuPosition)
        best = list(accumulate(line, lambda position, move: position.play(move), initial=first))
        points = match.points(best[-1]) or 0
        if points > (match.best_of(match.first) or 0):
            # The proof of the bound found this map after the analysis.
            match.record_verdict(match.first, ScoreVerdict(Proof.BOUND, best=points))
            self.session.publish()
            self.show_title()
        self.open(BestMapScreen(made, best, distinct_names(match)[seat]))
