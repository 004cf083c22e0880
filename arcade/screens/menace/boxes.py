"""The boxes of a machine: the open box, and the wall of all boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rich.color import Color
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from arcade.engines.menace import box as beads
from arcade.engines.menace.box import Box
from arcade.engines.menace.machine import AnyMachine
from arcade.engines.menace.open_box import LearningSummary, OpenBox
from arcade.engines.menace.rules import MARKS, Cell, TicTacToe, mark_at
from arcade.engines.registry import get_game
from arcade.engines.verdict import MoveVerdict
from arcade.engines.wording import quantity
from arcade.screens.menace.board import mark_lines, paint
from arcade.widgets.board import bead_colour, ink, mixed
from arcade.widgets.drawn import Drawn
from arcade.widgets.glyphs import ASCII, bar, dots, error_glyph, error_percent, perfect_mark, value_colour


def error_ground(error: float | None, good: Color, bad: Color, base: Color) -> Color:
    return base if error is None else mixed(mixed(good, bad, min(error * 1.5, 1.0)), base, 0.55)


def bead_ground(share: float, bright: Color, base: Color) -> Color:
    return mixed(base, bright, 0.15 + 0.6 * share) if share > 0 else base


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")

LINES = 3
"""Minimum lines of a cell: for the move with its number of beads, for the beads, and for the value."""

BEAD = {False: ("▟##▙", "▜##▛"), True: ("(oo)", "(oo)")}
HOLE = {False: ("▛  ▜", "▙  ▟"), True: ("(  )", "(  )")}
SMALL_HOLE = {False: "∘", True: "."}


class BoxPanel(Drawn):
    DEFAULT_CSS = """
    BoxPanel { height: auto; width: 1fr; }
    """

    shown: OpenBox | LearningSummary | None = None
    large = False
    _width = 0
    _cell_lines = LINES
    _lines: Sequence[list[Segment]] = ()

    def show(self, what: OpenBox | LearningSummary | None) -> None:
        self.display = what is not None
        if what != self.shown:
            self.shown = what
            self.redraw()

    def redraw(self) -> None:
        before = len(self._lines)
        self._lines = self._make() if self._width else []
        self.refresh(layout=len(self._lines) != before or not self._width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        lines = max(LINES, min(width // 9, container.height // (6 if self.large else 10)))
        if (width, lines) != (self._width, self._cell_lines):
            self._width, self._cell_lines = width, lines
            self._lines = self._make()
        return len(self._lines)

    def render_line(self, y: int) -> Strip:
        return self.filled(self._lines[y] if y < len(self._lines) else ())

    def _text(self, text: str, name: str = "foreground", bold: bool = False) -> Segment:
        return Segment(text, ink(self.colour(name), self.rich_style.bgcolor, bold))

    def _pair(self, left: str, right: str, name: str, bold: bool = False) -> list[Segment]:
        gap = self._width - len(left) - len(right)
        line = [self._text(left, name, bold)]
        return [*line, self._text(" " * gap + right, "faint")] if gap > 0 else line

    def _make(self) -> list[list[Segment]]:
        if self.shown is None:
            return []
        if isinstance(self.shown, LearningSummary):
            return self._lesson(self.shown)
        box = self.shown
        verdicts = {known.move: known for known in box.machine.boxes.graph.analyse(box.position)}
        if isinstance(box.position, TicTacToe):
            return [*self._head(box), *self._grid(box, box.position, verdicts)]
        return [*self._head(box), *self._rows(box, verdicts)]

    def _head(self, box: OpenBox) -> list[list[Segment]]:
        if box.opening is None:
            side = get_game(box.machine.options.game).sides[box.machine.options.seat]
            return [
                self._pair(f"{side} has no box here:", "", "primary", True),
                self._pair("it picks any legal move.", "", "faint"),
            ]
        own = box.opening.box
        total = beads.total(box.word)
        count = quantity(total, "bead") if total else "empty"
        which = ORDINALS[own.stage - 1] if own.stage <= len(ORDINALS) else f"{own.stage}th"
        lies = f"Box {own.index + 1}"
        if not total:
            lies += ": an empty box resigns."
        elif box.position != own.position:
            lies += f", {box.opening.symmetry.name}"
        head = f"{box.machine.name}'s {which} move"
        return [self._pair(head, count, "primary", True), self._pair(lies, "", "faint")]

    def _bead(self, box: OpenBox, move: Any) -> tuple[int, int, bool]:
        assert box.opening is not None
        slot = box.opening.slots[move]
        return slot, beads.count(box.word, slot), box.opening.moves.get(slot) == move

    def _grid(
        self, box: OpenBox, board: TicTacToe, verdicts: Mapping[Any, MoveVerdict[Any]]
    ) -> list[list[Segment]]:
        width = (self._width - 2) // 3
        panel, gap = self.colour("panel"), Segment(" ", ink(None, self.rich_style.bgcolor))
        most = max(beads.unpack(box.word)) or 1
        rows: list[list[Segment]] = []
        for row in range(3):
            cells = []
            for column in range(3):
                at = 3 * row + column
                mark = mark_at(board.board, at)
                ground = panel if (row + column) % 2 == 0 else mixed(panel, self.colour("surface"), 0.5)
                if mark:
                    texts = mark_lines(mark, width, self._cell_lines, self.glyphs is ASCII)
                    colour = self.colour("primary" if mark == 1 else "secondary")
                    cells.append([paint(text, colour, ground) for text in texts])
                else:
                    cells.append(self._cell(box, Cell(at), verdicts[Cell(at)], width, most, ground))
            rows += [[*left, gap, *middle, gap, *right] for left, middle, right in zip(*cells, strict=True)]
        return rows

    def _cell(
        self, box: OpenBox, move: Any, known: MoveVerdict[Any], width: int, most: int, ground: Color
    ) -> list[list[Segment]]:
        drawn = box.draw is not None and box.draw.move == move
        if drawn or box.hand == move:
            ground = self.colour("panel-lighten-2" if self.dark else "panel-darken-2")
        faint, colour = self.colour("faint"), self.colour(value_colour(known.verdict.value))
        mark = perfect_mark(known, self.glyphs) if box.truth else ""
        last = [
            Segment(mark.ljust(width - 6)[: width - 6], ink(colour, ground, known.best)),
            Segment("picked" if drawn else "      ", ink(self.colour("foreground"), ground, True)),
        ]
        empty = [Segment(" " * width, ink(None, ground))]
        between = self._cell_lines - 2
        if box.opening is None:
            chance = f"1 in {len(box.position.moves())}"
            return [[Segment(chance.rjust(width), ink(faint, ground))], *[empty] * between, last]
        slot, count, own = self._bead(box, move)
        bead = bead_colour(slot, self.dark)
        if not own:
            same = f"same as {box.opening.moves[slot]}"
            if len(same) > width:
                same = f"as {box.opening.moves[slot]}"
            return [[Segment(same.center(width), ink(faint, ground))], *[empty] * between, last]
        number = f" {count:>2}".ljust(width - len(str(move)))
        first = [
            Segment(f"{move}", ink(bead, ground, True)),
            Segment(number, ink(self.colour("foreground"), ground, count > 0)),
        ]
        drawing = [
            paint(row.ljust(width), bead, ground) for row in self._beads(count, drawn, most, width, between)
        ]
        return [first, *drawing, last]

    def _beads(self, count: int, out: bool, most: int, width: int, lines: int) -> list[str]:
        """Draw beads in full size if they all fit, otherwise as dots or a bar.

        If `out` is set, the drawn bead is shown as a hole.
        """
        across = (width + 1) // len(BEAD[False][0] + " ")
        if most > across * (lines // 2):
            amount = self._amount(count, out, most, width)
            return [amount] * lines if most > width else [amount, *[""] * (lines - 1)]
        left, drawn = count, []
        for half in range(lines):
            row = [BEAD[self.glyphs is ASCII][half % 2]] * min(left, across)
            if out and 0 < left <= across:
                row[-1] = HOLE[self.glyphs is ASCII][half % 2]
            drawn.append(" ".join(row))
            left -= min(left, across) * (half % 2)
        return drawn

    def _amount(self, count: int, out: bool, most: int, width: int) -> str:
        if most > width:
            return bar(count / most, width, self.glyphs)
        out = out and count > 0
        return dots(count - out, self.glyphs) + SMALL_HOLE[self.glyphs is ASCII] * out

    def _rows(self, box: OpenBox, verdicts: Mapping[Any, MoveVerdict[Any]]) -> list[list[Segment]]:
        base = self.rich_style.bgcolor
        most = max(beads.unpack(box.word)) or 1
        rows = []
        moves = list(verdicts)
        longest = max((len(str(move)) for move in moves), default=0)
        for move in moves:
            known = verdicts[move]
            drawn = box.draw is not None and box.draw.move == move
            sign = self.glyphs.turn if drawn or box.hand == move else " "
            colour = self.colour(value_colour(known.verdict.value))
            mark = perfect_mark(known, self.glyphs) if box.truth else ""
            if box.opening is None:
                share = f"1 in {len(moves)}"
                rows.append([self._text(f"{sign}  {move!s:<{longest}}  {share}  "), self._text(mark)])
                continue
            slot, count, own = self._bead(box, move)
            bead = bead_colour(slot, self.dark)
            width = max(self._width - longest - 18, 3)
            if own:
                number, drawing = f"{count:>9} ", self._amount(count, drawn, most, width)
            else:
                number, drawing = f"as {box.opening.moves[slot]}".rjust(9) + " ", ""
            rows.append(
                [
                    Segment(sign, ink(self.colour("primary"), base, True)),
                    Segment(dots(1, self.glyphs), ink(bead, base, True)),
                    self._text(f" {move!s:<{longest}}", bold=drawn),
                    self._text(number),
                    Segment(drawing.ljust(width), ink(bead, base)),
                    Segment(mark.rjust(5), ink(colour, base, known.best)),
                ]
            )
        return rows

    def _lesson(self, taught: LearningSummary) -> list[list[Segment]]:
        base = self.rich_style.bgcolor
        lines = [[self._text(taught.sentence(), "primary", True)]]
        if taught.challenge:
            lines.append(self._pair(taught.challenge, "", "foreground"))
        most = max((max(change.before, change.after) for change in taught.changes), default=1) or 1
        for number, change in enumerate(taught.changes):
            draw = change.draw
            assert draw.opening is not None
            box, bead = draw.opening.box, bead_colour(draw.slot, self.dark)
            gained, moving = change.change >= 0, number <= taught.shown
            words, counts = f"Box {box.index + 1:<3} ", f"{change.before} → {change.after}"
            width = max(self._width - len(words) - len(str(draw.move)) - 10, 4)
            kept, most_here = sorted((change.before, change.after))
            if most < width:
                beads_kept = dots(kept, self.glyphs)
                moved = dots(most_here, self.glyphs)[kept:] if gained else SMALL_HOLE[self.glyphs is ASCII]
                moved = moved if gained else moved * (most_here - kept)
            else:
                beads_kept = bar(kept / most, width - 1, self.glyphs)
                moved = bar(most_here / most, width - 1, self.glyphs)[len(beads_kept) :]
            sign = ("+" if gained else "-") if moved and moving else ""
            if not moving:
                # Beads to add are not there yet; beads to remove still are.
                moved = "" if gained else dots(len(moved), self.glyphs)
            colour = self.colour("win" if gained else "loss") if moving else bead
            drawing = beads_kept + sign + moved
            line = [
                self._text(words, "faint"),
                Segment(f"{draw.move!s} ", ink(bead, base, True)),
                Segment(beads_kept, ink(bead, base)),
                Segment(sign + moved, ink(colour, base, moving)),
                self._text(" " * max(width - len(drawing), 0)),
                self._text((counts if moving else f"{change.before}").rjust(9), bold=moving),
            ]
            lines.append(line)
        return lines


AnyBox = Box[Any, Any]

CELL = 4


class BoxWall(Drawn, ScrollView, can_focus=True):
    DEFAULT_CSS = """
    BoxWall { height: 1fr; overflow-x: hidden; overflow-y: auto; background: $background; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k,w", "go_row(-1)", "Up", show=False),
        Binding("down,j,s", "go_row(1)", "Down", show=False),
        Binding("left,h,a", "go(-1)", "Left", show=False),
        Binding("right,l,d", "go(1)", "Right", show=False),
        Binding("pageup", "go_page(-1)", "Page up", show=False),
        Binding("pagedown", "go_page(1)", "Page down", show=False),
        Binding("home", "go_end(-1)", "First box", show=False),
        Binding("end", "go_end(1)", "Last box", show=False),
        Binding("enter,space", "open", "Open", key_display="Enter", tooltip="Open the box"),
    ]

    class Moved(Message):
        pass

    class Opened(Message):
        pass

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.machine: AnyMachine | None = None
        self.boxes: Sequence[AnyBox] = ()
        self.cursor = 0
        self._in_play: int | None = None
        self._lines: list[tuple[str, Sequence[int], int]] = []
        """For each line of the wall: its heading, the boxes of its row, and its number within the row."""
        self._top_of: dict[int, int] = {}
        self._drawn: dict[int, list[list[Segment]]] = {}
        self._longest = 0

    @property
    def chosen(self) -> AnyBox | None:
        return self.boxes[self.cursor] if self.cursor < len(self.boxes) else None

    def show(
        self, machine: AnyMachine, boxes: Sequence[AnyBox], chosen: int | None, in_play: int | None
    ) -> None:
        self.machine, self.boxes, self._in_play = machine, boxes, in_play
        self._longest = max(
            (len(str(move)) for box in machine.boxes.boxes for move in box.moves.values()), default=0
        )
        self.cursor = next((at for at, box in enumerate(boxes) if box.index == chosen), 0)
        self.redraw()

    def _sizes(self) -> tuple[int, int]:
        assert self.machine is not None
        if self._is_grid:
            return 3 * CELL + 1, 5
        boards = [self._board(box) for box in self.boxes] or [[""]]
        moves = max((len(box.moves) for box in self.boxes), default=0)
        columns = max(len(line) for board in boards for line in board) + self._longest + 9
        return max(columns, 15), max(len(boards[0]), moves) + 2

    @property
    def _is_grid(self) -> bool:
        assert self.machine is not None
        return isinstance(self.machine.boxes.boxes[0].position, TicTacToe)

    @staticmethod
    def _board(box: AnyBox) -> list[str]:
        text: str = box.position.text()
        return text.partition(":")[0].split("/")

    def redraw(self) -> None:
        self._drawn.clear()
        self._lines, self._top_of = [], {}
        if self.machine is None or not self.size.width:
            return
        width, height = self._sizes()
        across = max((self.size.width - 1) // width, 1)
        stages: dict[int, list[int]] = {}
        for at, box in enumerate(self.boxes):
            stages.setdefault(box.stage, []).append(at)
        for stage, places in stages.items():
            self._lines.append((f"Stage {stage}: {quantity(len(places), 'box', 'boxes')}", (), 0))
            for start in range(0, len(places), across):
                row = places[start : start + across]
                self._top_of |= dict.fromkeys(row, len(self._lines))
                self._lines.extend(("", row, line) for line in range(height))
        self.virtual_size = Size(self.size.width, len(self._lines))
        self._look_at_cursor()
        self.refresh()

    def on_resize(self) -> None:
        self.redraw()

    def _look_at_cursor(self) -> None:
        top = self._top_of.get(self.cursor)
        if top is None:
            return
        bottom = top + self._sizes()[1] - 1
        if self._lines[top - 1][0]:
            top -= 1
        # Forced, because the scrollbar for new boxes does not exist yet.
        if top < self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)
        elif bottom > self.scroll_offset.y + self.size.height:
            self.scroll_to(y=bottom - self.size.height, animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        at = y + self.scroll_offset.y
        if at >= len(self._lines):
            text = "No box matches the filter." if not self._lines and y == 1 and self.machine else ""
            return self.filled([Segment(f" {text}", base)])
        heading, row, line = self._lines[at]
        if heading:
            return self.filled([Segment(f" {heading}", ink(self.colour("primary"), base.bgcolor, True))])
        segments = [Segment(" ", base)]
        for place in row:
            tile = self._drawn.get(place)
            if tile is None:
                tile = self._drawn[place] = self._draw(place)
            segments.extend(tile[line])
        return self.filled(segments)

    def _draw(self, place: int) -> list[list[Segment]]:
        machine, box = self.machine, self.boxes[place]
        assert machine is not None
        base = self.rich_style.bgcolor
        word = machine.beads[box.index]
        error = machine.boxes.error(box, word)
        width, height = self._sizes()
        chosen = place == self.cursor
        glyphs = self.glyphs
        number = f"{box.index + 1}".rjust(len(str(len(machine.boxes.boxes))))
        pointer = glyphs.turn if chosen else glyphs.played if box.index == self._in_play else " "
        shade = error_ground(error, self.colour("win"), self.colour("loss"), self.colour("background"))
        sign = f" {error_glyph(error, glyphs)}{error_percent(error)} "
        body = width - 1
        named = ink(self.colour("faint"), base)
        if chosen:
            named = ink(self.colour("background"), self.colour("primary"), True)
        head = [
            Segment(f"{pointer}{number}".ljust(body - len(sign)), named),
            Segment(sign, ink(self.colour("foreground"), shade, True)),
        ]
        keeping = machine.boxes.graph.keeping(box.position)
        if self._is_grid:
            lines = self._grid(box, word, keeping)
        else:
            lines = self._listed(box, word, keeping, body, height - 2)
        gap = Segment(" ", ink(None, base))
        return [*([*line, gap] for line in (head, *lines)), [Segment(" " * width, ink(None, base))]]

    def _grid(self, box: AnyBox, word: int, keeping: set[Any]) -> list[list[Segment]]:
        position = box.position
        assert isinstance(position, TicTacToe)
        total = beads.total(word) or 1
        panel, dark = self.colour("panel"), self.dark
        lines = []
        for row in range(3):
            line = []
            for column in range(3):
                at = 3 * row + column
                mark = mark_at(position.board, at)
                if mark:
                    colour = self.colour("primary" if mark == 1 else "secondary")
                    line.append(Segment(f"  {MARKS[mark]} ", ink(colour, panel, True)))
                elif at not in box.moves:
                    line.append(Segment(f"  {self.glyphs.dot} ", ink(self.colour("faint"), panel)))
                else:
                    count = beads.count(word, at)
                    sign = " " if box.moves[at] in keeping or not count else self.glyphs.threw
                    ground = bead_ground(count / total, bead_colour(at, dark), panel)
                    front = self.colour("foreground" if count else "faint")
                    line.append(Segment(f"{count:>3}", ink(front, ground, count > 0)))
                    line.append(Segment(sign, ink(self.colour("foreground"), ground, True)))
            lines.append(line)
        return lines

    def _listed(
        self, box: AnyBox, word: int, keeping: set[Any], width: int, height: int
    ) -> list[list[Segment]]:
        board = self._board(box)
        total = beads.total(word) or 1
        panel, dark = self.colour("panel"), self.dark
        moves = list(box.moves.items())
        wide = max(len(line) for line in board)
        lines = []
        for at in range(height):
            text = board[at] if at < len(board) else ""
            line = [Segment(f"{text:<{wide}} ", ink(self.colour("foreground"), panel, True))]
            left = width - wide - 1
            if at < len(moves):
                slot, move = moves[at]
                count = beads.count(word, slot)
                sign = " " if move in keeping or not count else self.glyphs.threw
                ground = bead_ground(count / total, bead_colour(slot, dark), panel)
                words = f"{move!s:<{self._longest}} {count:>3}{sign}"
                line.append(Segment(dots(1, self.glyphs), ink(bead_colour(slot, dark), panel, True)))
                line.append(Segment(words.rjust(left - 1), ink(self.colour("foreground"), ground)))
            else:
                line.append(Segment(" " * left, ink(None, panel)))
            lines.append(line)
        return lines

    def choose(self, place: int) -> None:
        if not self.boxes:
            return
        old, self.cursor = self.cursor, min(max(place, 0), len(self.boxes) - 1)
        for changed in (old, self.cursor):
            self._drawn.pop(changed, None)
        self.refresh()
        self._look_at_cursor()
        self.post_message(self.Moved())

    def action_go(self, by: int) -> None:
        self.choose(self.cursor + by)

    def action_go_row(self, by: int) -> None:
        if self.cursor not in self._top_of:
            return
        tops = list(dict.fromkeys(self._top_of.values()))
        top = self._top_of[self.cursor]
        at = tops.index(top) + by
        if 0 <= at < len(tops):
            boxes = self._lines[tops[at]][1]
            self.choose(boxes[min(self._lines[top][1].index(self.cursor), len(boxes) - 1)])

    def action_go_page(self, by: int) -> None:
        if self.machine is not None:
            for _ in range(max(self.size.height // self._sizes()[1], 1)):
                self.action_go_row(by)

    def action_go_end(self, by: int) -> None:
        self.choose(0 if by < 0 else len(self.boxes) - 1)

    def action_open(self) -> None:
        if self.chosen is not None:
            self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        if self.machine is None or at >= len(self._lines):
            return
        boxes = self._lines[at][1]
        column = (event.x - 1) // self._sizes()[0]
        if event.x < 1 or column >= len(boxes):
            return
        if boxes[column] == self.cursor:
            self.action_open()
        else:
            self.choose(boxes[column])
