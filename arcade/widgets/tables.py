"""Panels of a race: captions of the boards, limits of the score, and scores by ply."""

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.engines.wording import capital
from arcade.match.match import Match
from arcade.session.sentences import names_apart, seat_name
from arcade.session.session import Session
from arcade.widgets.board import Board, BoardView
from arcade.widgets.glyphs import glyphs_of
from arcade.widgets.keys import Shortcut, Shortcuts, shortcut
from arcade.widgets.panels import PlyGraph, Row, VerdictPanel

COLOURS = ("primary", "secondary")


def score_bar(verdict: ScoreVerdict, width: int) -> Content:
    """A bar from 0 to the bound that marks the current score, the best found and the bound."""
    best, bound = verdict.best or 0, verdict.bound or verdict.best or 0
    score = min(verdict.score or 0, best)
    if not bound or width < 12:
        return Content("")
    ends = [round(points * width / bound) for points in (score, best)]
    # Each number has room for itself.
    first = min(max(ends[0], len(str(score)) + 1), width - 8)
    last = width if best == bound else min(ends[1], width - len(str(bound)) - 1)
    second = max(last, first + len(str(best)) + 1)
    parts = [
        (f"{score} ".rjust(first), "$background on $primary"),
        (f"{best} ".rjust(second - first), "bold $background on $win"),
    ]
    if best != bound:
        parts.append((f"{bound}".rjust(width - second), "$foreground on $panel"))
    return Content.assemble(*parts)


class RaceVerdict(VerdictPanel):
    def show(self, session: Session, source: bool) -> None:
        verdict, working, match = session.so_far or session.verdict, session.working(), session.match
        if not isinstance(verdict, ScoreVerdict) or verdict.best is None:
            self.update(Content.styled(working or "Looking at the map.", "italic $secondary"))
            return
        exact = verdict.best == verdict.bound
        limits = f"best possible {verdict.best}" if exact else f"best {verdict.best}, bound {verdict.bound}"
        alone = len(match.seats) == 1
        sentence = capital(limits) if alone else f"{match.game.sides[session.mover]}: {limits}"
        if working:
            last = (working, "italic $secondary")
        elif verdict.proof is Proof.EXACT or exact:
            last = (f"{capital(verdict.reason) or 'Proved'}: no map scores more.", "$faint")
        else:
            more = (verdict.bound or 0) - verdict.best
            by = f"At most {more} more: {verdict.reason}." if verdict.reason else ""
            last = (by or f"Up to {more} more may be possible.", "$faint")
        width = self.content_size.width or 30
        lines = [Content.styled(sentence, "bold"), score_bar(verdict, width), Content.styled(*last)]
        self.update(Content("\n").join(lines))


class ScoreGraph(PlyGraph):
    HEADS = 1
    MARGIN = 13

    def rows(self, match: Match) -> list[Row]:
        width = max(self.size.width - self.MARGIN - 6, 10)
        scores = [match.game.points(match.first) or 0] * len(match.seats)
        if not match.plies:
            return []
        known = [match.best_of(match.before(at)) if self.revealed else None for at in range(len(match.plies))]
        counted = [0] * len(match.seats)
        after: list[list[int]] = []
        for ply in match.plies:
            counted[ply.seat] += 1
            scores[ply.seat] = match.game.points(match.history(ply.seat)[counted[ply.seat]]) or 0
            after.append(list(scores))
        top = max([1, *(max(scores) for scores in after), *(best for best in known if best)])
        axis = "0".ljust(width - len(str(top))) + str(top)
        rows = [[(" " * self.MARGIN, ""), (axis, "faint")]]
        for index, ply in enumerate(match.plies):
            bar = self._bar(match, ply.seat, after[index], known[index], width, top)
            rows.append([*self.labelled(match, index), *bar])
        return rows

    def _bar(self, match: Match, seat: int, scores: list[int], best: int | None, width: int, top: int) -> Row:
        cells: Row = [(" ", "")] * width
        place = [score * (width - 1) // top for score in scores]
        cells[: place[seat]] = [(self.glyphs.hatch, COLOURS[seat])] * place[seat]
        if best is not None:
            cells[best * (width - 1) // top] = (self.glyphs.other, "win")
        for other, at in enumerate(place):
            if other != seat:
                cells[at] = (match.game.sides[other][0], f"{COLOURS[other]}")
        sign = match.game.sides[seat][0] if len(place) > 1 else self.glyphs.played
        cells[place[seat]] = (sign, f"bold {COLOURS[seat]}")
        return [*cells, (f" {scores[seat]}", f"bold {COLOURS[seat]}")]


CAPTION = 1
NAMED = 24
"""Least columns for a caption that also names the side."""
ROOMY = 8
"""Cells with at least this area (columns times lines) are large enough for two equal boards."""

View = Callable[[int], BoardView]


class Table(Horizontal):
    class Divided(Message):
        """The boards have moved."""

    def __init__(self, board: type[Board], session: Session, view: View) -> None:
        super().__init__(id="boards")
        self.board_class = board
        self.session = session
        self.view = view

    def compose(self) -> ComposeResult:
        yield self.board_class(self.view(0), id="board-0")

    @property
    def board(self) -> Board:
        return self.query_one("#board-0", Board)

    @property
    def boards(self) -> list[Board]:
        return [self.board]

    def show(self) -> None:
        for seat, board in enumerate(self.boards):
            board.show(self.view(seat))


@dataclass(frozen=True, slots=True)
class Plan:
    cell: tuple[int, int] | None
    """The cell size of the main board; None if it does not fit."""
    widths: tuple[int, ...]
    alike: bool


def board_around(widget: Widget) -> Board | None:
    return next((ancestor for ancestor in widget.ancestors_with_self if isinstance(ancestor, Board)), None)


class RaceTable(Table):
    divided = Plan(None, (), False)

    def compose(self) -> ComposeResult:
        seats = len(self.session.match.seats)
        for seat in range(2):
            with Vertical(classes="seat", id=f"seat-{seat}"):
                yield Shortcuts(id=f"caption-{seat}")
                yield self.board_class(self.view(min(seat, seats - 1)), id=f"board-{seat}")

    @property
    def board(self) -> Board:
        return self.query_one(f"#board-{self.session.main_seat}", Board)

    @property
    def boards(self) -> list[Board]:
        return [self.query_one(f"#board-{seat}", Board) for seat in range(len(self.session.match.seats))]

    def on_resize(self) -> None:
        self.divide()

    def plan(self, area: Size) -> Plan:
        """Divide an area: equal boards if that costs little, else the other one small or hidden."""
        boards, main = self.boards, self.session.main_seat
        room = Size(area.width, area.height - CAPTION)
        alone = boards[main].fit(room)
        if len(boards) == 1:
            return Plan(alone, (area.width,), False)
        half = Size(area.width // 2, room.height)
        cells = [board.fit(half) for board in boards]
        cell = cells[main]
        large = cell is not None and (cell == alone or cell[0] * cell[1] >= ROOMY)
        if all(cells) and self.session.looking is None and (large or self.session.match.watched):
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
        if not self.is_mounted:
            return
        self.post_message(self.Divided())
        plan = self.divided = self.plan(self.size)
        for seat in range(2):
            width = plan.widths[seat] if seat < len(plan.widths) else 0
            place = self.query_one(f"#seat-{seat}")
            place.display = width > 0
            place.styles.width = width
        focused = self.screen.focused
        if focused is None or board_around(focused) not in (None, self.board):
            self.board.focus()
        self._show_captions()

    def show(self) -> None:
        super().show()
        self.divide()

    def _show_captions(self) -> None:
        match = self.session.match
        for seat in range(len(match.seats)):
            # While a hint's line is shown, use the score of the shown map.
            points = match.game.points(self.view(seat).position)
            moving = match.result is None and match.turn == seat
            pointer = glyphs_of(self.app).turn if moving else " "
            other = len(match.seats) > 1 and seat == self.session.main_seat and not self.divided.alike
            actions = [self.to_board(1 - seat)] if other else []
            width = self.divided.widths[seat] if seat < len(self.divided.widths) else 0
            wide = width >= NAMED + sum(len(f"   {action.key} {action.word}") for action in actions)
            named = f"{match.game.sides[seat]}  {seat_name(match, seat)}"
            name = named if len(match.seats) > 1 and wide else names_apart(match)[seat]
            head = Content.styled(f"{pointer} {name}  {points}", "bold $primary" if moving else "$faint")
            self.query_one(f"#caption-{seat}", Shortcuts).show(*actions, title=head)

    def to_board(self, seat: int) -> Shortcut:
        return shortcut("other_board", f"to {self.session.match.game.sides[seat]}")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A click on the small board makes it the main one; two equal boards keep their order."""
        board = board_around(event.widget)
        # The focus may have changed since; following outdated messages could alternate forever.
        if board is None or board is self.board or event.widget is not self.screen.focused:
            return
        if self.divided.alike:
            self.board.focus()
        else:
            self.session.look_at(self.boards.index(board))

    def look_at_other(self) -> None:
        session = self.session
        if session.looking is not None:
            session.look_at(None if session.looking else 1)
        else:
            session.look_at(0 if self.divided.alike else 1 - session.main_seat)
