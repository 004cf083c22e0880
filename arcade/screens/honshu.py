"""Honshu's screen: the maps, the hand of tiles, and the scores by rule."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.widget import Widget

from arcade.engines.honshu import GAME
from arcade.engines.honshu.ceiling import LEAST_HAND
from arcade.engines.honshu.refuter import HOW, available
from arcade.engines.honshu.rules import HonshuPosition
from arcade.screens.best_map import BestMapScreen
from arcade.screens.match import MatchScreen
from arcade.session.events import Event
from arcade.session.jobs import Job, Jobs
from arcade.session.telling import names_apart
from arcade.store_file import data_folder
from arcade.widgets.honshu_hand import Hand
from arcade.widgets.honshu_map import HonshuMap
from arcade.widgets.honshu_scores import ScoreTable
from arcade.widgets.key_words import KeyWord, KeyWords
from arcade.widgets.tables import RaceTable, Table

CEILING_SECONDS = 3600.0
"""How long ceilings are proved during a match."""

BEST_SECONDS = 5.0
"""How long the best map is looked for when it is asked for."""

SIDE_LINES = 8
"""Lines that the tiles of the hand may take beside the map."""


class HandBox(Vertical):
    """The hand under a line of words to click."""

    DEFAULT_CSS = """
    HandBox { height: auto; }
    """

    _shown: object = None

    def compose(self) -> Iterable[Widget]:
        """Words and tiles."""
        yield KeyWords()
        yield Hand()

    def show(self, board: HonshuMap, lines: int = SIDE_LINES, over: bool = False) -> None:
        """Show the hand of a board in at most so many lines; no empty hand when the match is over."""
        drawn_as = (board.glyphs, self.app.theme)
        showing = (board, board.view, board.index, lines, over, drawn_as)
        if showing == self._shown:
            return
        self._shown = showing
        count = len(board.position.hand)
        self.set_class(over and not count, "-empty")
        ways = (
            KeyWord("e", "turn", "on_board('rotate(1)')"),
            KeyWord("]", "next", "on_board('next_tile(1)')"),
        )
        tiles = f"{count} tile{'s' * (count != 1)}"
        self.query_one(KeyWords).show(*(ways if board.view.own or board.view.playable else ()), title=tiles)
        self.query_one(Hand).show(board, lines)


class HonshuScreen(MatchScreen):
    """A match of Honshu."""

    BOARD = HonshuMap
    HAND = HandBox

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "best_map", "Best map", show=False, tooltip="The best map found, beside yours"),
    ]

    # The table of scores shows the seats. On a low screen a hint replaces it and the moves.
    CSS: ClassVar[str] = """
    HonshuScreen #seats { display: none; }
    HonshuScreen #status { height: 2; }
    HonshuScreen.-low #verdict { min-height: 3; max-height: 3; }
    HonshuScreen.-crowded #verdict { min-height: 1; }
    HonshuScreen.-low.-ended #verdict { max-height: 11; }
    HonshuScreen.-low #under-hand, HonshuScreen.-tall #side-hand { display: none; }
    HonshuScreen .-empty { display: none; }
    HonshuScreen #under-hand { padding: 0 1; }
    HonshuScreen.-low.-hinting #side-hand { margin-bottom: 0; }
    HonshuScreen.-low.-hinting #scores, HonshuScreen.-low.-hinting #moves { display: none; }
    """

    def under_boards(self) -> Iterable[Widget]:
        """The hand, where there are many lines."""
        yield HandBox(id="under-hand")

    def extra_panels(self) -> Iterable[Widget]:
        """The scores, and the hand where lines are few."""
        yield ScoreTable(id="scores", classes="panel")
        yield HandBox(id="side-hand", classes="panel")

    _proved: HonshuPosition | None = None
    """The deal whose ceiling is being proved."""

    @cached_property
    def proofs(self) -> Jobs:
        """The proof of the ceiling, which goes on from move to move."""
        return Jobs(self, lambda error: self.notify(str(error), severity="warning"), self.services.warmer)

    def on_session(self, event: Event) -> None:
        """Show what has happened; prove the ceiling of a new deal."""
        super().on_session(event)
        first = self.match.first
        if self.is_mounted and isinstance(first, HonshuPosition) and first != self._proved:
            self._proved = first
            self._prove(first)

    def _prove(self, first: HonshuPosition) -> None:
        self.proofs.stop()
        if not self.services.settings.ceilings or len(first.hand) < LEAST_HAND or not available():
            return
        folder = data_folder() / "proofs"

        def work(job: Job) -> None:
            if job.ready(GAME):
                for _ in GAME.solver.prove(first, folder, job.control):
                    job.tell(self.show_verdict)

        self.proofs.start("ceiling", work, CEILING_SECONDS)

    def help_rules(self) -> str:
        """The rules, and what the proof of the ceiling needs where it is missing."""
        rules = super().help_rules()
        return rules if available() else f"{rules}\n\n# The highest score\n\n{HOW}."

    def on_unmount(self) -> None:
        """Stop the proof."""
        self.proofs.stop()

    _under = SIDE_LINES
    """Lines for the tiles under the maps."""

    @property
    def map(self) -> HonshuMap:
        """The main map."""
        board = self.board
        assert isinstance(board, HonshuMap)
        return board

    def on_table_divided(self, message: Table.Divided) -> None:
        """The maps have changed size, so the hand may too."""
        self.show_extra()

    def _lines_under(self) -> int:
        """Most lines for the tiles under the maps that do not shrink the maps."""
        table = self.table
        assert isinstance(table, RaceTable)
        hand = self.query_one("#under-hand").query_one(Hand)
        area = self.query_one("#left").size
        width = max(1, area.width - 2)
        heights = [hand.height_with(cell, width) for cell in Hand.CELL_SIZES]
        plans = [table.plan(Size(area.width, area.height - 3 - height)) for height in heights]
        return next(
            height for height, plan in zip(heights, plans, strict=True) if plan.cell == plans[-1].cell
        )

    def show_extra(self) -> None:
        """Update the hand and the scores."""
        self._under = self._lines_under()
        self.show_hands()
        self.show_scores()

    def show_hands(self) -> None:
        """Update the hand wherever it is shown."""
        for box, lines in (("#side-hand", SIDE_LINES), ("#under-hand", self._under)):
            self.query_one(box, HandBox).show(self.map, lines, self.match.result is not None)

    def show_scores(self) -> None:
        """Update the scores."""
        board = self.map
        pointed = board.move_at(board.cursor) if board.cursor_shown else None
        self.query_one(ScoreTable).show(self.match, board.position, pointed, self.glyphs)

    def pointed(self) -> None:
        """Another placement is previewed."""
        self.show_hands()
        self.show_scores()

    async def action_on_board(self, action: str) -> None:
        """Do something on the map that a word beside it offers."""
        await self.map.run_action(action)

    def action_best_map(self) -> None:
        """When the match is over, look for the best map and show it beside the main one."""
        if self.match.result is None:
            self.notify("The best map is shown when the match is over.")
            return
        first = self.match.first
        assert isinstance(first, HonshuPosition)

        def find(job: Job) -> None:
            if job.ready(GAME):
                job.tell(self._show_best_map, GAME.solver.line(first, job.control))

        self.session.jobs.start("best map", find, BEST_SECONDS)

    def _show_best_map(self, line: list[Any]) -> None:
        self.session.jobs.drop("best map")
        match = self.match
        found = [match.first]
        for move in line:
            found.append(found[-1].play(move))
        made = [match.history(seat) for seat in range(len(match.seats))]
        best = max([*made, found], key=lambda path: match.game.points(path[-1]) or 0)
        seat = self.session.main_seat
        paths = [[each for each in path if isinstance(each, HonshuPosition)] for path in (made[seat], best)]
        self.open(BestMapScreen(paths[0], paths[1], names_apart(match)[seat]))
