"""The match screen of races: a board a seat, side by side where there is room, and the scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from arcade.engines.control import BEST, BOUND
from arcade.engines.game import Position
from arcade.engines.verdict import Proof, Verdict
from arcade.match import HUMAN, Match
from arcade.screens.match import MatchScreen
from arcade.widgets.board import Board, BoardView
from arcade.widgets.key_words import KeyWord
from arcade.widgets.panels import seat_name
from arcade.widgets.race_panels import Caption, RaceVerdict, ScoreGraph

if TYPE_CHECKING:
    from arcade.app import SavedAs

CAPTION = 1
"""Lines above a board."""
NAMED = 24
"""Columns from which on a caption names the side too."""
ROOMY = 8
"""Columns times lines of cells that are large enough to share the room with the other board."""


class Boards(Horizontal):
    """The boards, whose widths the screen decides."""

    class Resized(Message):
        """There is another area to divide."""

    def on_resize(self) -> None:
        """Another size has room for other boards."""
        self.post_message(self.Resized())


def board_around(widget: Widget) -> Board | None:
    """The board that a widget is, or is part of."""
    return next((each for each in widget.ancestors_with_self if isinstance(each, Board)), None)


@dataclass(frozen=True, slots=True)
class Plan:
    """How an area is divided among the boards."""

    cell: tuple[int, int] | None
    """The cells of the main board; None when it does not fit."""
    widths: tuple[int, ...]
    """Columns of each seat's board, 0 for one that is hidden."""
    alike: bool
    """Whether all boards are shown and none is more than another."""


class RaceScreen(MatchScreen):
    """A race of any game: each seat plays on a board of its own for the higher score."""

    VERDICT = RaceVerdict
    GRAPH = ScoreGraph

    # A solver of a race never ends by itself soon; without a limit it takes what it thinks is sensible.
    VERDICT_SECONDS = 5.0
    HINT_SECONDS = None
    REVIEW_SECONDS = None
    CLOCK_SECONDS = 0.5

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("z", "other_board", "Map", show=False, tooltip="Look at the other seat's board"),
    ]

    def __init__(self, match: Match, saved: SavedAs | None = None) -> None:
        super().__init__(match, saved)
        self.looking: int | None = None
        """The seat whose board a person has asked to see; None for what serves best."""
        self._judging: Position[Any] | None = None
        # Whatever is measured before the first layout.
        self._plan = Plan(None, (), False)

    def compose_boards(self) -> Iterable[Widget]:
        """A board for each of two seats, also when a match has one only, as the next may have two."""
        with Boards(id="boards"):
            for seat in range(2):
                with Vertical(classes="seat", id=f"seat-{seat}"):
                    yield Caption(id=f"caption-{seat}")
                    yield self.BOARD(self.view(min(seat, len(self.match.seats) - 1)), id=f"board-{seat}")

    # Which board is looked at.

    @property
    def main_seat(self) -> int:
        """The seat whose board is the main one: the person's, else that of the last move."""
        match = self.match
        if self.looking is not None and self.looking < len(match.seats):
            return self.looking
        if match.to_move == HUMAN:
            return match.turn
        if HUMAN in match.seats:
            return match.seats.index(HUMAN)
        return match.plies[-1].seat if match.plies else match.turn

    @property
    def board(self) -> Board:
        """The main board."""
        return self.query_one(f"#board-{self.main_seat}", Board)

    @property
    def boards(self) -> list[Board]:
        """The boards of the seats."""
        return [self.query_one(f"#board-{seat}", Board) for seat in range(len(self.match.seats))]

    @property
    def judged(self) -> Position[Any]:
        """The position of the main board; when engines race, of the one whose turn it is."""
        match = self.match
        return match.position if match.watched else match.position_of(self.main_seat)

    def view(self, seat: int) -> BoardView:
        """What the board of a seat shows; a person may try moves out while others think."""
        match = self.match
        own = match.seats[seat] == HUMAN and match.result is None and not self.walked
        return replace(super().view(seat), own=own)

    def plan(self, area: Size) -> Plan:
        """Divide an area: both boards alike where that costs little, else the other one only small or not."""
        boards, main = self.boards, self.main_seat
        room = Size(area.width, area.height - CAPTION)
        alone = boards[main].fit(room)
        if len(boards) == 1:
            return Plan(alone, (area.width,), False)
        half = Size(area.width // 2, room.height)
        cells = [board.fit(half) for board in boards]
        cell = cells[main]
        large = cell is not None and (cell == alone or cell[0] * cell[1] >= ROOMY)
        if all(cells) and self.looking is None and (large or self.match.watched):
            return Plan(cell, (half.width, area.width - half.width), True)
        widths = [0, 0]
        widths[main] = area.width
        inset = Size(boards[1 - main].least_size().width, room.height)
        if alone and boards[1 - main].fit(inset):
            rest = Size(area.width - inset.width, room.height)
            if boards[main].fit(rest) == alone:
                widths[main], widths[1 - main] = rest.width, inset.width
        return Plan(alone, tuple(widths), False)

    def divide(self) -> None:
        """Give the boards their widths."""
        if not self.is_mounted:
            return
        plan = self._plan = self.plan(self.query_one(Boards).size)
        for seat in range(2):
            width = plan.widths[seat] if seat < len(plan.widths) else 0
            place = self.query_one(f"#seat-{seat}")
            place.display = width > 0
            place.styles.width = width
        if self.focused is None or board_around(self.focused) not in (None, self.board):
            self.board.focus()
        self.show_captions()

    def on_boards_resized(self) -> None:
        """There is another area to divide."""
        self.divide()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """A click on the small board makes it the main one; of two alike the main one keeps the focus."""
        board = board_around(event.widget)
        # The focus may have gone on since; were old news followed, two of them would take turns for ever.
        if board is None or board is self.board or event.widget is not self.focused:
            return
        if self._plan.alike:
            self.board.focus()
        else:
            self.look_at(self.boards.index(board))

    def action_other_board(self) -> None:
        """Look at the other board, or at both again."""
        if len(self.match.seats) == 1:
            self.notify("This match has one board only.")
            return
        if self.looking is not None:
            self.look_at(None if self.looking else 1)
        elif self._plan.alike:
            self.look_at(0)
        else:
            self.look_at(1 - self.main_seat)

    def look_at(self, seat: int | None) -> None:
        """Make a seat's board the main one; None for what serves best."""
        self.looking = seat
        self._pointed = None
        self.show()
        if not self.match.result:
            self.start_verdict()

    # What is on show.

    def show(self) -> None:
        """Bring everything on the screen up to date."""
        super().show()
        if self.is_mounted:
            self.divide()

    def show_captions(self) -> None:
        """Bring the lines above the boards up to date."""
        match = self.match
        for seat in range(len(match.seats)):
            # On the way along a hint's line, the score of the map that is on show.
            points = match.game.points(self.view(seat).position)
            moving = match.result is None and match.turn == seat
            pointer = self.arcade.glyphs.turn if moving else " "
            wide = seat < len(self._plan.widths) and self._plan.widths[seat] >= NAMED
            side = f"{match.game.sides[seat]}  " if len(match.seats) > 1 and wide else ""
            words = f"{pointer} {side}{seat_name(match, seat)}  {points}"
            inviting = len(match.seats) > 1 and seat == self.main_seat and not self._plan.alike
            link = [self._to_board(1 - seat)] if inviting else []
            self.query_one(f"#caption-{seat}", Caption).show(words, moving, *link)

    def _to_board(self, seat: int) -> KeyWord:
        return KeyWord("z", f"to {self.match.game.sides[seat]}", "other_board")

    def show_verdict(self) -> None:
        """Bring the verdict up to date, with what running work has found so far."""
        match, panel = self.match, self.query_one(RaceVerdict)
        seat = match.turn if match.watched else self.main_seat
        panel.subject = match.game.sides[seat] if len(match.seats) > 1 else ""
        panel.start = self.verdicts.get(match.first)
        working = "" if match.result else self._working()
        panel.show(match, self._so_far() or self.verdicts.get(self.judged), working, self.arcade.glyphs)

    def _working(self) -> str:
        """How long something has been worked on; what it has found the bar shows."""
        words = super()._working()
        if not words.startswith("thinking"):
            return words
        control = self.controls.get("verdict") or next(iter(self.controls.values()))
        return f"thinking {control.seconds:.0f} s, {control.nodes:,} tried"

    def _so_far(self) -> Verdict | None:
        """What the running search has found and proved: in a race BEST and BOUND are scores."""
        control = self.controls.get("verdict")
        if control is None or self._judging != self.judged or not control.cells[BOUND]:
            return None
        points = self.match.game.points(self.judged)
        best, bound = int(control.cells[BEST]), int(control.cells[BOUND])
        return Verdict(Proof.EXACT if best == bound else Proof.BOUND, best=best, bound=bound, score=points)

    def ways(self) -> tuple[KeyWord, ...]:
        """Away from the board that a person is to move on there is the way back."""
        if self.persons_turn and self.main_seat != self.match.turn:
            return (self._to_board(self.match.turn),)
        return super().ways()

    def status(self) -> str:
        """What to do next, or what the placement that is pointed at would do."""
        if self._pointed is not None and self.board.view.own and self.match.to_move != HUMAN:
            return self.status_of(self._pointed)
        return super().status()

    # Work in threads.

    @property
    def wanted_work(self) -> str:
        """The verdict's, while it is of a board that nobody has laid anything on."""
        return "verdict" if self._judging is not None and self._judging == self.judged else ""

    def start_verdict(self) -> None:
        """Find out what the main board's position is worth, unless that is being done."""
        if "verdict" in self.controls and self.wanted_work:
            return
        self._judging = self.judged
        super().start_verdict()

    def start_review(self) -> None:
        """Find out what earlier moves were worth."""
        self._judging = None
        super().start_review()

    def begin(self, match: Match) -> None:
        """Play another match of the same game on this screen."""
        self.looking = None
        super().begin(match)

    def play(self, move: Any) -> None:
        """Play a move; a person comes back to the board that it is played on."""
        if not self.match.watched:
            self.looking = None
        super().play(move)
