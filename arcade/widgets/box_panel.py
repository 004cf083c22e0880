"""The open box beside a board: its beads, the one that was picked, and what perfect play says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.color import Color
from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from arcade.engines.menace.rules import Cell, TicTacToe
from arcade.engines.registry import get_game
from arcade.engines.verdict import MoveVerdict, Value
from arcade.engines.wording import amount
from arcade.matchbox import box as beads
from arcade.matchbox.box import Opening
from arcade.matchbox.machine import AnyMachine, Change, Draw
from arcade.widgets.beads import bar, bead_colour, blend, dots, perfect_mark
from arcade.widgets.board import Drawn, ink
from arcade.widgets.glyphs import ASCII, UNICODE, Glyphs
from arcade.widgets.tic_tac_toe_board import mark_lines, paint

GRID_LINES = 11
"""Lines of the panel for a tic-tac-toe board: two of words and three for each row."""

_COLOURS = {Value.WIN: "win", Value.LOSS: "loss", Value.TIE: "tie", None: "faint"}


@dataclass(frozen=True)
class OpenBox:
    """An open box before or after a draw."""

    machine: AnyMachine
    position: Any
    """The board as played."""
    opening: Opening[Any, Any] | None
    """The box; None if the machine has none."""
    word: int
    """The beads at that time."""
    draw: Draw[Any, Any] | None = None
    """The bead that was picked; None before."""

    @classmethod
    def now(cls, machine: AnyMachine, position: Any) -> OpenBox:
        opening = machine.boxes.open(position)
        word = machine.beads[opening.box.index] if opening else 0
        return cls(machine, position, opening, word)

    @classmethod
    def drawn(cls, machine: AnyMachine, draw: Draw[Any, Any]) -> OpenBox:
        return cls(machine, draw.position, draw.opening, draw.word, draw)


@dataclass(frozen=True)
class Taught:
    """A machine's lesson, as far as it has been shown."""

    machine: AnyMachine
    changes: Sequence[Change[Any, Any]]
    shown: int
    """The number of boxes that show their change."""


class BoxPanel(Drawn):
    """The open box, or after a match the change to each box."""

    DEFAULT_CSS = "BoxPanel { height: auto; width: 1fr; }"

    class Clicked(Message):
        """The panel was clicked."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.shown: OpenBox | Taught | None = None
        self._drawn_with = UNICODE
        self._width = 0
        self._lines: list[list[Segment]] = []

    def show(self, what: OpenBox | Taught | None, glyphs: Glyphs) -> None:
        self.display = what is not None
        if what == self.shown and glyphs is self._drawn_with:
            return
        self.shown, self._drawn_with = what, glyphs
        self._fill()

    def redraw(self) -> None:
        self._fill()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked())

    def _fill(self) -> None:
        before = len(self._lines)
        self._lines = self._make() if self._width else []
        self.refresh(layout=len(self._lines) != before or not self._width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        if width != self._width:
            self._width = width
            self._lines = self._make()
        return len(self._lines)

    def render_line(self, y: int) -> Strip:
        return self.filled(self._lines[y] if y < len(self._lines) else ())

    # Content.

    def _text(self, text: str, name: str = "foreground", bold: bool = False) -> Segment:
        return Segment(text, ink(self.colour(name), self.rich_style.bgcolor, bold))

    def _pair(self, left: str, right: str, name: str, bold: bool = False) -> list[Segment]:
        """Text on both sides; the right one is dropped if there is no room."""
        gap = self._width - len(left) - len(right)
        line = [self._text(left, name, bold)]
        return [*line, self._text(" " * gap + right, "faint")] if gap > 0 else line

    def _make(self) -> list[list[Segment]]:
        if self.shown is None:
            return []
        if isinstance(self.shown, Taught):
            return self._lesson(self.shown)
        box = self.shown
        lines = self._head(box)
        verdicts = {each.move: each for each in box.machine.boxes.graph.analyse(box.position)}
        if isinstance(box.position, TicTacToe):
            lines.extend(self._grid(box, box.position, verdicts))
        else:
            lines.extend(self._rows(box, verdicts))
        return lines

    def _head(self, box: OpenBox) -> list[list[Segment]]:
        side = get_game(box.machine.options.game).sides[box.machine.options.seat]
        if box.opening is None:
            return [
                self._pair(f"{side} has no box here:", "", "primary", True),
                self._pair("it draws any legal move.", "", "faint"),
            ]
        own = box.opening.box
        total = beads.total(box.word)
        count = amount(total, "bead") if total else "empty"
        symmetry = box.opening.symmetry.name
        return [
            self._pair(
                f"{side}: box {own.index + 1} of {len(box.machine.boxes.boxes)}", count, "primary", True
            ),
            self._pair(
                f"Board {symmetry}" if total else "An empty box resigns.", f"stage {own.stage}", "faint"
            ),
        ]

    def _bead(self, box: OpenBox, move: Any) -> tuple[int, int, bool]:
        assert box.opening is not None
        slot = box.opening.slots[move]
        return slot, beads.count(box.word, slot), box.opening.moves.get(slot) == move

    def _grid(
        self, box: OpenBox, board: TicTacToe, verdicts: Mapping[Any, MoveVerdict[Any]]
    ) -> list[list[Segment]]:
        width = (self._width - 2) // 3
        base = self.rich_style.bgcolor
        most = max(beads.unpack(box.word)) or 1
        rows = []
        for row in range(3):
            cells = []
            for column in range(3):
                at = 3 * row + column
                mark = board.board >> 2 * at & 3
                ground = self._ground(row, column)
                if mark:
                    texts = mark_lines(mark, width, 3, self.glyphs is ASCII)
                    colour = self.colour("primary" if mark == 1 else "secondary")
                    cells.append([paint(text, colour, ground) for text in texts])
                else:
                    cells.append(self._cell(box, Cell(at), verdicts[Cell(at)], width, most, ground))
            for line in range(3):
                strip: list[Segment] = []
                for number, cell in enumerate(cells):
                    if number:
                        strip.append(Segment(" ", ink(None, base)))
                    strip.extend(cell[line])
                rows.append(strip)
        return rows

    def _ground(self, row: int, column: int) -> Color:
        panel = self.colour("panel")
        return panel if (row + column) % 2 == 0 else blend(panel, self.colour("surface"), 0.5)

    def _cell(
        self, box: OpenBox, move: Any, each: MoveVerdict[Any], width: int, most: int, ground: Color
    ) -> list[list[Segment]]:
        """The three lines of an empty cell: bead, number and chance; bar; perfect play's mark."""
        drawn = box.draw is not None and box.draw.move == move
        if drawn:
            ground = self.colour("panel-lighten-2" if self.dark else "panel-darken-2")
        faint, colour = self.colour("faint"), self.colour(_COLOURS[each.verdict.value])
        mark = perfect_mark(each, self.glyphs)
        last = [
            Segment(mark.ljust(width - 6)[: width - 6], ink(colour, ground, each.best)),
            Segment("picked" if drawn else "      ", ink(self.colour("foreground"), ground, True)),
        ]
        if box.opening is None:
            chance = f"{1 / len(box.position.moves()):4.0%}"
            return [
                [Segment(chance.rjust(width), ink(faint, ground))],
                [Segment(" " * width, ink(None, ground))],
                last,
            ]
        slot, count, own = self._bead(box, move)
        bead = bead_colour(slot, self.dark)
        if not own:
            return [
                [Segment(f"as {box.opening.moves[slot]}".center(width), ink(faint, ground))],
                [Segment(" " * width, ink(None, ground))],
                last,
            ]
        total = beads.total(box.word)
        percent = f"{count / total if total else 0:4.0%}"
        first = [
            Segment(f"{move}", ink(bead, ground, True)),
            Segment(f"{count:>3}", ink(self.colour("foreground"), ground, count > 0)),
            Segment(percent.rjust(width - 5), ink(self.colour("foreground") if drawn else faint, ground)),
        ]
        drawing = [Segment(self._amount(count, most, width).ljust(width), ink(bead, ground))]
        return [first, drawing, last]

    def _amount(self, count: int, most: int, width: int) -> str:
        """The beads of a colour: a dot for each where every colour of the box has few, else a bar."""
        return dots(count, self.glyphs) if most <= width else bar(count / most, width, self.glyphs)

    def _rows(self, box: OpenBox, verdicts: Mapping[Any, MoveVerdict[Any]]) -> list[list[Segment]]:
        """One line for each move, for boards that are not a grid of cells."""
        base = self.rich_style.bgcolor
        most = max(beads.unpack(box.word)) or 1
        total = beads.total(box.word)
        rows = []
        moves = list(verdicts)
        longest = max((len(str(move)) for move in moves), default=0)
        for move in moves:
            each = verdicts[move]
            drawn = box.draw is not None and box.draw.move == move
            sign = self.glyphs.turn if drawn else " "
            colour = self.colour(_COLOURS[each.verdict.value])
            mark = perfect_mark(each, self.glyphs)
            if box.opening is None:
                share = f"{1 / len(moves):4.0%}"
                rows.append([self._text(f"{sign}  {move!s:<{longest}}  {share}  "), self._text(mark)])
                continue
            slot, count, own = self._bead(box, move)
            bead = bead_colour(slot, self.dark)
            width = max(self._width - longest - 18, 3)
            if own:
                share = f"{count / total if total else 0:4.0%}"
                number, drawing = f"{count:>4} {share} ", self._amount(count, most, width)
            else:
                number, drawing = f"as {box.opening.moves[slot]}".rjust(9) + " ", ""
            rows.append(
                [
                    Segment(sign, ink(self.colour("primary"), base, True)),
                    Segment(dots(1, self.glyphs), ink(bead, base, True)),
                    self._text(f" {move!s:<{longest}}", bold=drawn),
                    self._text(number),
                    Segment(drawing.ljust(width), ink(bead, base)),
                    Segment(mark.rjust(5), ink(colour, base, each.best)),
                ]
            )
        return rows

    def _lesson(self, taught: Taught) -> list[list[Segment]]:
        """One line for each box: stage, box, bead, beads before and after, and a bar with the change."""
        machine = taught.machine
        base = self.rich_style.bgcolor
        lines = [
            self._pair(f"{machine.name} has learned", amount(machine.games, "game"), "primary", True),
            self._pair(
                f"won {machine.won:,}, tied {machine.tied:,}, lost {machine.lost:,}",
                "",
                "faint",
            ),
        ]
        if not taught.changes:
            lines.append([self._text("No box was opened, so none changes.", "faint")])
        most = max((max(each.before, each.after) for each in taught.changes), default=1) or 1
        for number, change in enumerate(taught.changes):
            draw = change.draw
            assert draw.opening is not None
            box, bead = draw.opening.box, bead_colour(draw.slot, self.dark)
            shown = number < taught.shown
            now = change.after if shown else change.before
            words = f"{box.stage} box {box.index + 1:>3} "
            width = max(self._width - len(words) - len(str(draw.move)) - 14, 4)
            kept = bar(min(change.before, now) / most, width, self.glyphs)
            both = bar(max(change.before, now) / most, width, self.glyphs)
            moved = both[len(kept) :]
            gained = change.change >= 0
            sign = ("+" if gained else "-") * len(moved)
            line = [
                self._text(words, "faint"),
                Segment(dots(1, self.glyphs), ink(bead, base, True)),
                self._text(f" {draw.move!s} ", bold=True),
                Segment(kept, ink(bead, base)),
                self._text(sign, "win" if gained else "loss", True),
                self._text(" " * max(width - len(kept) - len(moved), 0)),
                self._text(f"{now:>4}"),
                self._text(f" {change.change:+d}" if shown else "", "win" if gained else "loss", True),
            ]
            lines.append(line)
        return lines
