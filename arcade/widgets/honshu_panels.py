"""Honshu's hand, whose tiles a click takes and a second click turns, and its table of scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rich.segment import Segment
from textual import events, on
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Static

from arcade.engines.honshu.rules import RULES, HonshuPosition, Move, Score, scored_rules
from arcade.engines.honshu.tiles import COLUMNS, ROWS
from arcade.engines.wording import amount
from arcade.match.match import Match
from arcade.widgets.board import Drawn, ink
from arcade.widgets.glyphs import Glyphs
from arcade.widgets.honshu_map import TERRAINS, HonshuMap, draw_face, held_face, resting_face, signed
from arcade.words.telling import names_apart, seat_name


class Hand(Drawn):
    """The tiles in rows, each under its number, as large as the lines allow that the screen grants.

    A tile keeps its place when others are laid.
    """

    CELL_SIZES = ((6, 3), (4, 2), (2, 1), (1, 1))
    """Columns and lines of a cell of a tile, the largest first."""

    DEFAULT_CSS = "Hand { width: 1fr; height: auto; }"

    _board: HonshuMap | None = None

    def __init__(self, lines: int = 9, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = lines
        self._cell = self.CELL_SIZES[-1]

    def show(self, board: HonshuMap, lines: int | None = None) -> None:
        self._board = board
        self._lines = lines or self._lines
        before = self._cell, self.size.height
        if self._height(self.size.width) != before[1] or self._cell != before[0]:
            self.refresh(layout=True)
        else:
            self.refresh()

    @property
    def count(self) -> int:
        """How many tiles there is room for: as many as were dealt, so that the height stays."""
        return len(self._board.position.tiles) if self._board else 0

    # Where things are.

    @staticmethod
    def _slot(cell: tuple[int, int]) -> tuple[int, int]:
        """Columns and lines of a tile with the gap beside it and the number above it."""
        return COLUMNS * cell[0] + (1 if cell[0] < 4 else 2), ROWS * cell[1] + 1

    def _per_row(self, cell: tuple[int, int], width: int) -> int:
        """Tiles in a row: as few as the rows that they take allow, so that none stands alone below."""
        most = max(1, (width + 1) // self._slot(cell)[0])
        rows = max(1, -(-self.count // most))
        return max(1, -(-self.count // rows))

    def height_with(self, cell: tuple[int, int], width: int) -> int:
        """The lines that the hand takes with cells of that size."""
        rows = -(-self.count // self._per_row(cell, width))
        return rows * self._slot(cell)[1]

    def _height(self, width: int) -> int:
        fitting = (cell for cell in self.CELL_SIZES if self.height_with(cell, width) <= self._lines)
        self._cell = next(fitting, self.CELL_SIZES[-1])
        return self.height_with(self._cell, width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._height(width)

    def index_at(self, x: int, y: int) -> int | None:
        """The index in the hand of the tile at a place; None where there is none."""
        width, height = self._slot(self._cell)
        per_row = self._per_row(self._cell, self.size.width)
        column = x // width
        return self._held(y // height * per_row + column) if column < per_row else None

    def _held(self, slot: int) -> int | None:
        """The index in the hand of the tile that was dealt in this place; None once it is laid."""
        held = self._board.position.held if self._board else ()
        return sum(held[:slot]) if 0 <= slot < len(held) and held[slot] else None

    # Drawing.

    def render_line(self, y: int) -> Strip:
        segments: list[Segment] = []
        if self._board is not None:
            width, height = self._slot(self._cell)
            per_row = self._per_row(self._cell, self.size.width)
            row, line = divmod(y, height)
            for slot in range(row * per_row, (row + 1) * per_row):
                index = self._held(slot)
                drawn = 0 if index is None else COLUMNS * self._cell[0]
                if index is not None:
                    segments.extend(self._tile(self._board, index, line))
                segments.append(Segment(" " * (width - drawn), self.rich_style))
        return self.filled(segments)

    def _tile(self, board: HonshuMap, index: int, line: int) -> list[Segment]:
        tile = board.position.hand[index]
        held = index == board.index
        columns, lines = self._cell
        if line == 0:
            label = f"{board.glyphs.turn if held else ''}{tile.id}"
            # In the narrowest slots the number matters more than the pointer.
            label = label if len(label) <= COLUMNS * columns else f"{tile.id}"
            colour = board.colour("primary" if held else "faint")
            return [
                Segment(
                    label.ljust(COLUMNS * columns)[: COLUMNS * columns],
                    ink(colour, self.rich_style.bgcolor, held, held),
                )
            ]
        row, part = divmod(line - 1, lines)
        segments: list[Segment] = []
        for letter in tile.rotated(0)[row]:
            face = held_face(letter) if held else resting_face(letter)
            segments.extend(draw_face(face, columns, lines, board.glyphs)[part])
        return segments

    # A person's hands.

    def on_click(self, event: events.Click) -> None:
        index = self.index_at(event.x, event.y)
        if self._board is not None and index is not None:
            if event.button == 3 or index == self._board.index:
                self._board.action_rotate(1)
            else:
                self._board.take(index)

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def turn(self, event: events.MouseEvent) -> None:
        event.stop()
        if self._board is not None:
            self._board.action_rotate(1)


Part = tuple[str, str]

CHIPS = {"village": "V", "forests": "F", "lakes": "L", "factories": "U", "plains": "P", "squares": "V"}
"""The terrain whose colours a rule's title has."""
SHORT = {
    "village": ("Vil", "Vill"),
    "forests": ("For", "Forst"),
    "lakes": ("Lak", "Lake"),
    "factories": ("Fac", "Fact"),
    "plains": ("Pla", "Plain"),
    "squares": ("Squ", "Squar"),
}
"""The titles of the rules in three columns and in five."""


def scores_of(match: Match) -> list[Score]:
    positions = [match.position_of(seat) for seat in range(len(match.seats))]
    return [each.score for each in positions if isinstance(each, HonshuPosition)]


class ScoreTable(Static):
    """A line a seat with the points by rule, and a line for what the tile in hand would change.

    When the match is over the table stands upright and says at each rule who is ahead.
    """

    _lines = 0
    _again: Callable[[], None] | None = None
    """Shows the same again, in the width that the table has now."""

    def on_resize(self) -> None:
        if self._again is not None:
            self._again()

    def show(self, match: Match, board: HonshuPosition, pointed: Move | None, glyphs: Glyphs) -> None:
        """Show the scores; on the board a placement may be tried out, `pointed`."""
        self._again = partial(self.show, match, board, pointed, glyphs)
        first = match.first
        assert isinstance(first, HonshuPosition)
        rules = scored_rules(first.variants)
        width = self.content_size.width or 30
        rows = (
            self._upright(match, rules)
            if match.result
            else self._table(match, rules, board, pointed, glyphs, width)
        )
        # Most changes are of numbers alone.
        same = self._lines == len(rows)
        self._lines = len(rows)
        self.update(Content("\n").join([Content.assemble(*row) for row in rows]), layout=not same)

    def _table(
        self,
        match: Match,
        rules: Sequence[str],
        board: HonshuPosition,
        pointed: Move | None,
        glyphs: Glyphs,
        width: int,
    ) -> list[list[Part]]:
        room = max(4, min(6, (width - 11) // (len(rules) + 1)))
        label = width - room * (len(rules) + 1)
        head: list[Part] = [(" " * label, "")]
        for rule in rules:
            terrain = TERRAINS[CHIPS[rule]]
            title = SHORT[rule][room >= 6][: room - 1]
            head += [(" ", ""), (title.rjust(room - 1), f"bold {terrain.letter} on {terrain.ground}")]
        head.append(("Sum".rjust(room), "bold"))
        rows = [head]
        names = [seat_name(match, seat) for seat in range(len(match.seats))]
        if len(names) > 1 and max(map(len, names)) + 9 < label:
            names = [f"{side:<6}{name}" for side, name in zip(match.game.sides, names, strict=True)]
        else:
            names = names_apart(match)
        for seat, score in enumerate(scores_of(match)):
            moving = match.turn == seat
            pointer = glyphs.turn if moving else " "
            name = f"{pointer} {names[seat]}"
            hints = match.hints[seat]
            used = f", {amount(hints, 'hint')}" if hints else ""
            if len(name + used) < label:
                name += used
            style = "bold" if moving else "$faint"
            rows.append(
                [
                    (name[: label - 1].ljust(label), "bold $primary" if moving else "$faint"),
                    *((str(score.by_rule()[rule]).rjust(room), style) for rule in rules),
                    (str(score.total).rjust(room), "bold"),
                ]
            )
        rows.append(self._change(rules, board, pointed, label, room))
        return rows

    @staticmethod
    def _change(
        rules: Sequence[str], board: HonshuPosition, pointed: Move | None, label: int, room: int
    ) -> list[Part]:
        if pointed is None:
            return [("", "")]
        # With many rules there are few columns for words.
        name = f"  tile {pointed.tile}"
        if len(name) > label:
            name = f"  {pointed.tile}"
        row: list[Part] = [(name.ljust(label), "$secondary")]
        if board.placement_error(pointed) is not None:
            return [*row, (" does not fit", "$loss")]
        change = board.score_change(pointed)
        points = change.by_rule()
        for each in (*(points[rule] for rule in rules), change.total):
            row.append((signed(each).rjust(room), "$win" if each > 0 else "$loss" if each else "$faint"))
        return row

    @staticmethod
    def _upright(match: Match, rules: Sequence[str]) -> list[list[Part]]:
        """The comparison after the last tile, rule by rule."""
        scores = scores_of(match)
        sides = match.game.sides if len(scores) > 1 else ("Map",)
        rows: list[list[Part]] = [[(" " * 10, ""), *((side.rjust(6), "bold") for side in sides)]]
        lines = [(RULES[rule], [score.by_rule()[rule] for score in scores]) for rule in rules]
        lines.append(("Total", [score.total for score in scores]))
        for title, points in lines:
            last = "bold" if title == "Total" else ""
            row: list[Part] = [
                (title.ljust(10), last or "$faint"),
                *((f"{each:>6}", last) for each in points),
            ]
            if len(points) > 1:
                ahead = points[0] - points[1]
                words = f" {match.game.sides[ahead < 0]} +{abs(ahead)}" if ahead else " level"
                row.append((words, f"{last} $secondary" if ahead else f"{last} $faint"))
            rows.append(row)
        rows.append([("b", "bold $primary"), (" shows the best map", "$faint")])
        return rows
