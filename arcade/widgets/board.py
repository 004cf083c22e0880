"""The base classes of boards."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product
from operator import itemgetter
from typing import Any, ClassVar, Generic, cast

from rich.color import Color, blend_rgb
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.position import P, Position
from arcade.engines.verdict import MoveVerdict
from arcade.engines.wording import capitalize
from arcade.play.keymap import default_key
from arcade.play.scene import BoardScene, Cell
from arcade.widgets import read_table
from arcade.widgets.drawn import Drawn
from arcade.widgets.keys import keys_of

MARKED = 0.35
"""Share of the accent colour, from 0 to 1, in the background of a cell that a sentence mentions."""

UNDERLINED = Style(underline=True)

MISSED, MISTAKE = "#5fdd8a", "#d9483b"
"""Colours of a missed move and a mistake in a replay. Signs on these colours are dark."""

CellLines = Sequence[Sequence[Segment]]


@lru_cache(maxsize=4096)
def ink(
    colour: str | Color | None = None,
    ground: str | Color | None = None,
    bold: bool = False,
    underline: bool = False,
) -> Style:
    """Return a style from a cache, because making a style takes longer than drawing with it."""
    return Style(color=colour, bgcolor=ground, bold=bold, underline=underline)


@lru_cache(maxsize=256)
def mixed(one: Color, other: Color, share: float) -> Color:
    """Mix two colours. `share` is the share of the second colour, from 0 to 1."""
    return Color.from_triplet(blend_rgb(one.get_truecolor(), other.get_truecolor(), share))


COLOURS = read_table("colours.toml")


def bead_colour(slot: int, dark: bool) -> Color:
    return Color.parse(COLOURS["beads"]["dark" if dark else "light"][slot])


def joined(cells: Iterable[tuple[str, Style]]) -> list[Segment]:
    runs = groupby(cells, key=itemgetter(1))
    return [Segment("".join(text for text, _ in run), style) for style, run in runs]


def worded(text: str, style: Style, width: int, height: int) -> CellLines:
    middle = (height - 1) // 2
    return [[Segment(text.center(width) if line == middle else " " * width, style)] for line in range(height)]


@dataclass(frozen=True)
class EndFrame:
    squares: frozenset[Cell] = frozenset()
    words: str = ""


def blinking(squares: Iterable[Cell]) -> list[EndFrame]:
    lit = EndFrame(frozenset(squares))
    return [lit, EndFrame(), lit]


class BoardMessage(Message):
    def __init__(self, board: Board, move: Any) -> None:
        super().__init__()
        self.board = board
        self.move = move
        self.position = board.view.position


class Board(Drawn):
    HOW: ClassVar[str] = "Use the arrow keys and\nEnter, or click."
    """Instructions for making a move, in lines of up to 25 columns. Names in braces are replaced by keys."""

    SHOWS_POINTED: ClassVar[bool] = False
    """True if the board shows the move pointed at, so that its description need not name the move."""

    class Play(BoardMessage):
        """Message: play a move. The move is None if the cell has no move."""

    class Pointed(BoardMessage):
        """Message: the player points at a move. The move is None if the cell has no move."""

    def __init__(self, view: BoardScene, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(id=id)
        self.view = view
        self.small = small
        self.can_focus = self.can_focus and not small
        self._pointed: Board.Pointed | None = None

    @property
    def how(self) -> str:
        return self.HOW.format(**keys_of(self.app).all_named)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        self._pointed = message

    @property
    def pointed(self) -> Any:
        last = self._pointed
        return last.move if last is not None and last.position == self.view.position else None

    @property
    def pointing(self) -> bool:
        """True if Enter plays or tries out a move."""
        return False

    def show(self, view: BoardScene) -> None:
        hinted = self.view.hinted
        self.take_in(view)
        if view.playable and not view.missed and view.hinted not in (None, hinted):
            self.preview_move(view.hinted)

    def take_in(self, view: BoardScene) -> None:
        if view != self.view:
            self.view = view
            self.update()

    def update(self) -> None:
        self.refresh()

    def redraw(self) -> None:
        self.update()

    def fit(self, size: Size) -> tuple[int, int] | None:
        """Return the columns and lines of a cell that fits the area; None if the area is too small."""
        return (1, 1) if size.width >= self.least_size().width else None

    def least_size(self) -> Size:
        return Size(20, 8)

    def size_in(self, area: Size) -> Size:
        """Return the size of a picture in an area. If the area is too small, return the minimum size."""
        return area

    def value_text(self, known: MoveVerdict[Any]) -> str:
        """Return the sign of a move's value. Add the length for best moves, or if all lengths are shown."""
        verdict = known.verdict
        if verdict.value is None or known.best or self.view.lengths:
            return self.glyphs.verdict(verdict)
        return self.glyphs.value(verdict.value)

    def describe(self, move: Any) -> str:
        return ""

    def pointed_words(self, move: Any, name: str, *values: str) -> str:
        told = "  ".join(filter(None, [*values, self.describe(move)]))
        return capitalize(told) if self.SHOWS_POINTED else "  ".join(filter(None, [name, told]))

    def prompt(self) -> str:
        return "Your move."

    def preview_move(self, move: Any) -> None:
        """Point at a move, as a player does before playing it."""

    def end_frames(self) -> Sequence[EndFrame]:
        """Return the highlights that follow the last move of a match."""
        return ()


class GridBoard(Board, ScrollView, Generic[P], can_focus=True, inherit_bindings=False):
    """A board of cells. Subclasses define the shape, draw the cells and handle the choice of a cell.

    If the board is too large for its space, it scrolls to the cursor and to each new move.
    """

    DEFAULT_CSS = """
    GridBoard { width: 1fr; height: 1fr; background: $background; }
    GridBoard { overflow: auto auto; scrollbar-size-horizontal: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k,w", "go(-1, 0)", "Up", show=False),
        Binding("down,j,s", "go(1, 0)", "Down", show=False),
        Binding("left,h,a", "go(0, -1)", "Left", show=False),
        Binding("right,l,d", "go(0, 1)", "Right", show=False),
        Binding("enter,space", "choose", "Play", show=False),
    ]

    CELL_SIZES: ClassVar[tuple[tuple[int, int], ...]] = ((10, 5), (8, 4), (6, 3), (4, 2), (3, 1))
    """Columns and lines of a cell, largest first. Cells grow further if there is room."""

    DOUBLE_CLICKS: ClassVar[bool] = False
    """True if a double click counts as two clicks. In a match, the second click might play a move."""

    RIM_BELOW: ClassVar[bool] = False
    """True if the columns are labelled below the board."""

    REACH: ClassVar[int] = 1
    """Number of cells around the cursor that stay visible."""

    cursor: reactive[Cell] = reactive((0, 0), repaint=False)

    def __init__(self, view: BoardScene, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self._cells: dict[Cell, CellLines] = {}
        self._cell = (0, 0)
        self._origin = Offset(0, 0)
        self._drawn_shape = (0, 0)
        self._drawn_size = Size(0, 0)
        self._touched: tuple[Position[Any], bool] | None = None
        self._followed: Cell | None = None
        self._last_seen: Any = view.last

    @property
    def position(self) -> P:
        return cast(P, self.view.position)

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""

    @abstractmethod
    def draw(self, row: int, column: int, width: int, height: int) -> CellLines:
        """Draw a cell with the given width in columns and height in lines."""

    def chosen(self, cell: Cell) -> None:
        """Handle the choice of a cell."""

    def move_at(self, cell: Cell) -> Any:
        """Return the move played by choosing a cell, if any."""
        return None

    def row_label(self, row: int) -> str:
        return str(row + 1)

    def column_label(self, column: int) -> str:
        return str(column + 1)

    @property
    def _rim(self) -> int:
        return 0 if self.small else max(len(self.row_label(row)) for row in range(self.shape[0])) + 1

    @property
    def _rim_line(self) -> int:
        return 0 if self.small else 1

    def fit(self, size: Size) -> tuple[int, int] | None:
        rows, columns = self.shape
        across, down = size.width - self._rim, size.height - self._rim_line
        lines = min(across // columns // 2, down // rows)
        if lines > self.CELL_SIZES[0][1]:
            return 2 * lines, lines
        fitting = (each for each in self.CELL_SIZES if columns * each[0] <= across and rows * each[1] <= down)
        return next(fitting, None)

    def least_size(self) -> Size:
        return self._size_of(self.CELL_SIZES[-1])

    def size_in(self, area: Size) -> Size:
        return self._size_of(self.fit(area) or self.CELL_SIZES[-1])

    def _size_of(self, cell: tuple[int, int]) -> Size:
        rows, columns = self.shape
        return Size(columns * cell[0] + self._rim, rows * cell[1] + self._rim_line)

    def cell_at(self, x: int, y: int) -> Cell | None:
        width, height = self._cell
        if self.small or not width:
            return None
        x, y = Offset(x, y) + self.scroll_offset - self._origin
        column, row = x // width, y // height
        rows, columns = self.shape
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def region_of(self, cell: Cell) -> Region:
        width, height = self._cell
        place = Offset(cell[1] * width, cell[0] * height) + self._origin - self.scroll_offset
        return Region(*place, width, height)

    def update(self) -> None:
        if not self.size:
            return
        rows, columns = self.shape
        self.set_reactive(GridBoard.cursor, (min(self.cursor[0], rows - 1), min(self.cursor[1], columns - 1)))
        cell = self._choose_cell()
        if cell != self._cell or self.shape != self._drawn_shape:
            self.redraw()
            return
        drawn = self._draw_all()
        lines = []
        for row in range(rows):
            changed = [column for column in range(columns) if drawn[row, column] != self._cells[row, column]]
            if changed:
                # Many small regions cost the compositor more than the cells between them.
                lines.append(self.region_of((row, changed[0])).union(self.region_of((row, changed[-1]))))
        self._cells = drawn
        if lines:
            self.refresh(*lines)
        self._follow(lines)

    def _lay_out(self) -> None:
        rows, columns = self.shape
        self._drawn_shape, self._drawn_size = self.shape, self.size
        width, height = self._cell = self._choose_cell()
        self._origin = Offset(
            self._rim + max(0, self.size.width - columns * width - self._rim) // 2,
            (0 if self.RIM_BELOW else self._rim_line)
            + max(0, self.size.height - rows * height - self._rim_line) // 2,
        )
        self._cells = self._draw_all()
        scrolls = self.fit(self.size) is None and not self.small
        self.virtual_size = self._size_of(self._cell) if scrolls else Size(0, 0)
        self._followed = None
        self.call_after_refresh(self._follow)

    def _follow(self, changed: Sequence[Region] = ()) -> None:
        moved, self._last_seen = self.view.last != self._last_seen, self.view.last
        if moved and changed:
            region = Region.from_union(changed)
        elif self.cursor != self._followed:
            region = self.region_of(self.cursor)
        else:
            return
        self._followed = self.cursor
        if self.max_scroll_x or self.max_scroll_y:
            width, height = self._cell
            region = region.translate(self.scroll_offset).grow((self.REACH * height, self.REACH * width) * 2)
            self.scroll_to_region(region, animate=False)

    def look_up(self) -> None:
        """Prepare the data that `draw` needs."""

    def _draw_all(self) -> dict[Cell, CellLines]:
        self.look_up()
        rows, columns = self.shape
        drawn = {cell: self.draw(*cell, *self._cell) for cell in product(range(rows), range(columns))}
        return drawn | {cell: self._marked_cell(drawn[cell]) for cell in self.view.squares if cell in drawn}

    def _marked_cell(self, lines: CellLines) -> CellLines:
        accent = self.colour("warning")
        marked = [
            [
                Segment(text, style and style + Style(bgcolor=mixed(style.bgcolor or accent, accent, MARKED)))
                for text, style, _ in line
            ]
            for line in lines
        ]
        first = marked[0][0]
        if len(marked) > 1 or (first.text[:1] == " " and self._cell[0] > 2):
            marked[0][0] = Segment(self.glyphs.played + first.text[1:], first.style)
        else:
            marked[0] = [Segment(each.text, each.style and each.style + UNDERLINED) for each in marked[0]]
        return marked

    def redraw(self) -> None:
        self._lay_out()
        self.refresh()

    def _choose_cell(self) -> tuple[int, int]:
        least = self.CELL_SIZES[-1]
        across = (self.size.width - self._rim) // self.shape[1]
        low = (cell for cell in self.CELL_SIZES if cell[1] == least[1] and cell[0] <= across)
        return self.fit(self.size) or next(low, least)

    def on_resize(self) -> None:
        if self.size != self._drawn_size:
            self.redraw()

    def render_lines(self, crop: Region) -> list[Strip]:
        # A new size is painted before its message arrives.
        if self.size != self._drawn_size:
            self._lay_out()
        return super().render_lines(crop)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.update()

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        y += self.scroll_offset.y
        rows, columns = self.shape
        cell_width, cell_height = self._cell
        left, top = self._origin
        rim = ink(self.colour("faint"), base.bgcolor)
        if y == (top + rows * cell_height if self.RIM_BELOW else top - 1) and not self.small:
            labels = "".join(self.column_label(column).center(cell_width) for column in range(columns))
            return self._in_sight([Segment(" " * left, base), Segment(labels, rim)])
        if top <= y < top + rows * cell_height:
            row, line = divmod(y - top, cell_height)
            label = self.row_label(row) + " " if line == (cell_height - 1) // 2 and not self.small else ""
            strip = [Segment(label.rjust(left), rim)]
            for column in range(columns):
                strip.extend(self._cells[row, column][line])
            return self._in_sight(strip)
        return self.filled()

    def _in_sight(self, segments: Iterable[Segment]) -> Strip:
        left = self.scroll_offset.x
        return Strip(segments).crop_extend(left, left + self.size.width, self.rich_style)

    @property
    def cursor_moved(self) -> bool:
        return self._touched == (self.view.position, self.view.review)

    @property
    def pointing(self) -> bool:
        """True if the player can use the board; after the end, only once the cursor has moved."""
        view = self.view
        return (view.playable or view.own) and (self.cursor_moved or not view.review)

    @property
    def cursor_shown(self) -> bool:
        return self.has_focus and self.pointing

    def touch(self) -> None:
        self._touched = self.view.position, self.view.review

    def watch_cursor(self) -> None:
        self.touch()
        self.update()
        self.post_message(self.Pointed(self, self.move_at(self.cursor)))

    def aimed(self, cell: Cell) -> Cell:
        return cell

    def action_go(self, down: int, right: int) -> None:
        rows, columns = self.shape
        row, column = self.cursor
        self.cursor = (min(max(row + down, 0), rows - 1), min(max(column + right, 0), columns - 1))

    def action_choose(self) -> None:
        if self.view.playable and not self.pointing:
            self.touch()
            self.update()
        else:
            self.chosen(self.cursor)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.cursor = self.aimed(cell)

    def on_click(self, event: events.Click) -> None:
        if event.chain > 1 and not self.DOUBLE_CLICKS:
            return
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.cursor = self.aimed(cell)
            self.chosen(self.cursor)


class MoveOption(Option):
    def __init__(self, words: str, position: Position[Any], move: Any, playable: bool) -> None:
        super().__init__(words, disabled=not playable)
        self.position = position
        self.move = move


class ListBoard(Board):
    DEFAULT_CSS = """
    ListBoard { width: 1fr; height: 1fr; layout: vertical; padding: 1 2; }
    ListBoard OptionList { height: 1fr; }
    ListBoard Static { height: auto; margin-bottom: 1; }
    """

    def compose(self) -> ComposeResult:
        yield Static(markup=False)
        yield OptionList(markup=False)

    def on_mount(self) -> None:
        self.update()

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> ListBoard:
        self.query_one(OptionList).focus(scroll_visible)
        return self

    def update(self) -> None:
        verdicts, position = self.view.verdicts, self.view.position
        options = []
        for move in position.moves():
            words = str(move)
            if move in verdicts:
                words += f"  {self.value_text(verdicts[move])}"
            if move == self.view.hinted:
                words += f"  {self.glyphs.turn} {'better' if self.view.missed else 'hint'}"
            options.append(MoveOption(words, position, move, self.view.playable))
        self.query_one(Static).update(str(position))
        listed = self.query_one(OptionList)
        before = listed.highlighted_option
        at = listed.highlighted if before is not None and self._is_current(before) else None
        listed.set_options(options)
        listed.highlighted = at

    def preview_move(self, move: Any) -> None:
        self.query_one(OptionList).highlighted = list(self.view.position.moves()).index(move)

    def _is_current(self, option: Option) -> bool:
        """Return True if a row belongs to the position on view. Messages about rows may arrive late."""
        return isinstance(option, MoveOption) and option.position == self.view.position

    @on(OptionList.OptionSelected)
    @on(OptionList.OptionHighlighted)
    def row_chosen(self, event: OptionList.OptionMessage) -> None:
        event.stop()
        option = event.option
        if isinstance(option, MoveOption) and self._is_current(option):
            chosen = isinstance(event, OptionList.OptionSelected)
            self.post_message((self.Play if chosen else self.Pointed)(self, option.move))


class PieceBoard(GridBoard[P]):
    """A board for placing a piece. Keys, the mouse wheel and clickable words rotate the piece.

    If the pointer is over a scroll bar, the mouse wheel scrolls instead.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            default_key("rotate"),
            "rotate(1)",
            "Rotate",
            show=False,
            tooltip="Rotate the piece (also: mouse wheel)",
            id="rotate",
        ),
        Binding(
            default_key("rotate_back"),
            "rotate(-1)",
            "Rotate back",
            show=False,
            tooltip="Rotate the other way",
            id="rotate_back",
        ),
    ]

    REACH = 2

    @abstractmethod
    def action_rotate(self, quarters: int) -> None:
        """Rotate the piece clockwise by quarter turns."""

    def point(self) -> None:
        self.touch()
        self.tell()

    def tell(self) -> None:
        self.update()
        self.post_message(self.Pointed(self, self.move_at(self.cursor) if self.pointing else None))

    def on_focus(self) -> None:
        self.tell()

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def wheel(self, event: events.MouseEvent) -> None:
        if self.small:
            return
        event.stop()
        by = 1 if isinstance(event, events.MouseScrollDown) else -1
        if not isinstance(event.widget, ScrollBar):
            self.action_rotate(by)
        elif event.widget.vertical:
            self.scroll_relative(y=by * self._cell[1], animate=False)
        else:
            self.scroll_relative(x=by * self._cell[0], animate=False)
