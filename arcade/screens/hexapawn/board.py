"""The boards of Hexapawn.

White's pawns have hollow heads, Black's solid ones, to tell them apart without colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType

from arcade.engines.files import package_table
from arcade.engines.hexapawn.rules import PawnMove, PawnPosition, column_name, square_name
from arcade.engines.verdict import Value, only_move
from arcade.play.scene import BoardScene, Cell
from arcade.widgets.board import MISSED, MISTAKE, CellLines, EndFrame, GridBoard, blinking, ink, joined
from arcade.widgets.glyphs import ASCII

Art = Sequence[str]

_QUARTERS = {"▟": (" #", "##"), "▙": ("# ", "##"), "▜": ("##", " #"), "▛": ("##", "# ")}


def _doubled(art: Art) -> Art:
    return tuple(
        "".join(_QUARTERS.get(each, (2 * each, 2 * each))[half] for each in line)
        for line in art
        for half in (0, 1)
    )


_ARTS = {
    (pawn, kind == "plain"): [_doubled(arts[0]), *arts]
    for pawn, kinds in package_table(__package__, "pawns.toml").items()
    for kind, arts in kinds.items()
}


class Ground(Enum):
    """Colours of light and dark squares. White and black pawns stand out on these medium tones."""

    PLAIN = ("#74839d", "#5f6e87")
    LAST = ("#7d84ab", "#6a7099")
    SELECTED = ("#2c8087", "#2c8087")
    TARGET = ("#45a39c", "#3b938d")
    HINTED = ("#a2761c", "#a2761c")
    MISSED = (MISSED, MISSED)
    MISTAKE = (MISTAKE, MISTAKE)


class Tag(Enum):
    BEST_WIN = ("#10240f", "#8fdc86")
    BEST_LOSS = ("#2b0a06", "#f2a69b")
    WIN = ("#e9f8e4", "#27662f")
    LOSS = ("#fde8e4", "#8a2c25")
    UNKNOWN = ("#e8e4dc", "#333a4a")
    HINT = ("#231703", "#f0bf63")
    MISSED = ("#10240f", MISSED)
    MISTAKE = ("#2b0a06", MISTAKE)


TARGETS = {
    "large": ("▗▟▙▖", "▝▜▛▘"),
    "middle": ("▗▖", "▝▘"),
    "small": ("∘",),
}

PLAIN_TARGETS = {
    "large": ("/--\\", "\\--/"),
    "middle": ("/\\", "\\/"),
    "small": ("o",),
}

_PAWNS = {"P": "#fdf6e7", "p": "#14110f"}
_CURSOR = "#ffdc7d"
_TARGET = "#fff1c9"


@dataclass(frozen=True, slots=True)
class Square:
    pawn: str
    """"P" for White's pawn, "p" for Black's, or "." for none."""
    dark: bool
    ground: Ground = Ground.PLAIN
    cursor: bool = False
    target: bool = False
    tag: Tag | None = None
    texts: tuple[str, ...] = ()
    """Texts for the tag, the longest first. The last text has one character."""
    plain: bool = False


Canvas = list[list[tuple[str, Style]]]


@lru_cache(maxsize=8192)
def draw_square(square: Square, width: int, height: int) -> CellLines:
    ground = square.ground.value[square.dark]
    canvas: Canvas = [[(" ", ink(None, ground))] * width for _ in range(height)]
    room = width - 1 if square.pawn != "." and height == 1 and width > 1 else width
    text = next((text for text in square.texts if len(text) <= room), "")
    if square.cursor:
        _draw_cursor(canvas, ink(_CURSOR, ground, bold=True), square.plain)
    if square.pawn != ".":
        _draw_pawn(canvas, square, ground, text)
    if square.target and not text:
        _draw_target(canvas, square, ink(_TARGET, ground, bold=True))
    if square.tag is not None:
        _draw_tag(canvas, square, text)
    return [joined(line) for line in canvas]


def _write(canvas: Canvas, line: int, column: int, text: str, style: Style) -> None:
    for offset, character in enumerate(text):
        canvas[line][column + offset] = (character, style)


def _draw_cursor(canvas: Canvas, style: Style, plain: bool) -> None:
    width, height = len(canvas[0]), len(canvas)
    if height == 1:
        if width > 2:
            _write(canvas, 0, 0, "[", style)
            _write(canvas, 0, width - 1, "]", style)
        else:
            canvas[0] = [(character, style + Style(reverse=True)) for character, _ in canvas[0]]
        return
    corners = "++++" if plain else "▛▜▙▟"
    for place, corner in enumerate(corners):
        line, column = divmod(place, 2)
        _write(canvas, line * (height - 1), column * (width - 1), corner, style)


def _draw_pawn(canvas: Canvas, square: Square, ground: str, text: str) -> None:
    width, height = len(canvas[0]), len(canvas)
    lines = height - 2 if height > 4 else height - 1 if height == 4 or (text and height > 1) else height
    columns = width - len(text) if text and height == 1 else width - 2 if width > 3 else width
    arts = _ARTS[square.pawn, square.plain]
    art = next((art for art in arts if len(art) <= lines and len(art[0]) <= columns), None)
    if art is None:
        return
    reverse = bool(canvas[0][0][1].reverse)
    colour = _PAWNS[square.pawn]
    drawn = ink(ground, colour) if reverse else ink(colour, ground, bold=square.plain)
    top = (height - len(art) + 1) // 2
    left = 0 if text and height == 1 else (width - len(art[0])) // 2
    for number, line in enumerate(art):
        for column, character in enumerate(line, left):
            if character == "#":
                canvas[top + number][column] = (" ", ink(None, colour))
            elif character != " ":
                canvas[top + number][column] = (character, drawn)


def _draw_target(canvas: Canvas, square: Square, style: Style) -> None:
    width, height = len(canvas[0]), len(canvas)
    middle = (height - 1) // 2
    if square.pawn != ".":
        cross = "x" if square.plain else "✗"
        for column in (1, width - 2) if width > 5 else (width - 1,):
            _write(canvas, middle, column, cross, style)
        return
    size = "large" if height > 2 and width > 5 else "middle" if height > 1 and width > 3 else "small"
    art = (PLAIN_TARGETS if square.plain else TARGETS)[size]
    for line, text in enumerate(art, middle):
        _write(canvas, line, (width - len(text)) // 2, text, style)


def _draw_tag(canvas: Canvas, square: Square, text: str) -> None:
    width, height = len(canvas[0]), len(canvas)
    assert square.tag is not None
    colour, ground = square.tag.value
    style = ink(colour, ground, bold=square.tag not in (Tag.WIN, Tag.LOSS, Tag.UNKNOWN))
    if square.pawn != "." and height == 1:
        _write(canvas, 0, width - len(text), text, style)
        return
    padded = f" {text} " if len(text) + 2 <= width - 2 else text
    line = (height - 1) // 2 if square.pawn == "." else 0
    _write(canvas, line, (width - len(padded)) // 2, padded, style)


class PawnGrid(GridBoard[PawnPosition]):
    CELL_SIZES = ((12, 6), (10, 5), (8, 4), (6, 3), (5, 2), (4, 2), (3, 1), (2, 1), (1, 1))
    RIM_BELOW = True

    def __init__(self, view: BoardScene, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self._rows = self.position.rows
        self.set_reactive(GridBoard.cursor, (self._rows - 1, 0))

    @property
    def shape(self) -> tuple[int, int]:
        return self.position.rows, self.position.columns

    def row_label(self, row: int) -> str:
        return str(self.position.rows - row)

    def column_label(self, column: int) -> str:
        return column_name(column)[-self._cell[0] :]

    def square_of(self, cell: Cell) -> tuple[int, int]:
        """Convert between a screen cell and a game square (rows counted from the bottom)."""
        return self.position.rows - 1 - cell[0], cell[1]

    def update(self) -> None:
        self.follow_rows()
        super().update()

    def follow_rows(self) -> None:
        down = self.position.rows - self._rows
        self._rows += down
        self.set_reactive(GridBoard.cursor, (max(self.cursor[0] + down, 0), self.cursor[1]))

    def square(self, cell: Cell) -> Square:
        row, column = self.square_of(cell)
        return Square(
            self.position.square(row, column),
            dark=(row + column) % 2 == 0,
            cursor=cell == self.cursor and self.cursor_shown,
            plain=self.glyphs is ASCII,
        )

    def draw(self, row: int, column: int, width: int, height: int) -> CellLines:
        return draw_square(self.square((row, column)), width, height)


class PawnBoard(PawnGrid):
    """The board of a match. Choosing a square that only one pawn can reach selects that pawn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "release", "Deselect", show=False, tooltip="Deselect the pawn"),
    ]

    HOW = "Click a pawn, then where\nit goes. Or use the arrow\nkeys and Enter."

    def __init__(self, view: BoardScene, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self.selected: Cell | None = None
        self._dragged: Cell | None = None
        self._known: PawnPosition | None = None
        self._moves: dict[Cell, dict[Cell, PawnMove]] = {}
        self._only: PawnMove | None = None
        self._marked: dict[Cell, Ground] = {}
        self._learn()

    def _learn(self) -> None:
        if self.position != self._known:
            self._known, self.selected = self.position, None
            self._moves = {}
            for move in self.position.moves():
                origin, to = self._ends(move, self.position.turn)
                self._moves.setdefault(origin, {})[to] = move
            if self.position == self.view.first:
                self._touched = None
        if self.view.playable and self._touched is None and self._moves and self.cursor not in self._moves:
            row, column = self.cursor
            near = min(self._moves, key=lambda cell: abs(cell[0] - row) + abs(cell[1] - column))
            self.set_reactive(GridBoard.cursor, near)
        self._only = only_move(self.view.values)
        self._marked = {}
        if isinstance(self.view.last, PawnMove):
            ground = Ground.MISTAKE if self.view.mistake else Ground.LAST
            self._marked |= dict.fromkeys(self._ends(self.view.last, 1 - self.position.turn), ground)
        if isinstance(self.view.hinted, PawnMove):
            ground = Ground.MISSED if self.view.missed else Ground.HINTED
            self._marked |= dict.fromkeys(self._ends(self.view.hinted, self.position.turn), ground)
        if self.selected is not None:
            self._marked[self.selected] = Ground.SELECTED

    def _ends(self, move: PawnMove, side: int) -> tuple[Cell, Cell]:
        row = move.to_row + (1 if side else -1)
        return self.square_of((row, move.column)), self.square_of((move.to_row, move.to_column))

    def _called(self, cell: Cell) -> str:
        return square_name(*self.square_of(cell))

    def update(self) -> None:
        self.follow_rows()
        self._learn()
        super().update()

    def square(self, cell: Cell) -> Square:
        targets = self._moves.get(self.selected, {}) if self.selected is not None else {}
        tag, texts = self._tag(cell, targets)
        ground = Ground.TARGET if cell in targets else self._marked.get(cell, Ground.PLAIN)
        plain = super().square(cell)
        return replace(plain, ground=ground, target=cell in targets, tag=tag, texts=texts)

    def _tag(self, cell: Cell, targets: dict[Cell, PawnMove]) -> tuple[Tag | None, tuple[str, ...]]:
        if self.selected is not None:
            moves = [targets[cell]] if cell in targets else []
        else:
            moves = list(self._moves.get(cell, {}).values())
        values = [self.view.verdicts[move] for move in moves if move in self.view.verdicts]
        if not values:
            view, turn = self.view, self.position.turn
            if isinstance(view.hinted, PawnMove) and cell == self._ends(view.hinted, turn)[1]:
                return (Tag.MISSED, (self.glyphs.only,)) if view.missed else (Tag.HINT, (self.glyphs.turn,))
            if (
                view.mistake
                and isinstance(view.last, PawnMove)
                and cell == self._ends(view.last, 1 - turn)[1]
            ):
                return Tag.MISTAKE, (self.glyphs.threw,)
            return None, ()
        top = max(values, key=lambda known: known.verdict.preference)
        sign = self.glyphs.value(top.verdict.value)
        full = self.value_text(top)
        texts: tuple[str, ...] = (full, sign)
        if self._only in moves:
            texts = (full + self.glyphs.only, sign + self.glyphs.only, full, sign)
        if top.verdict.value is None:
            return Tag.UNKNOWN, texts
        if top.verdict.value is Value.WIN:
            return Tag.BEST_WIN if top.best else Tag.WIN, texts
        return Tag.BEST_LOSS if top.best else Tag.LOSS, texts

    def move_at(self, cell: Cell) -> PawnMove | None:
        if self.selected is not None:
            return self._moves.get(self.selected, {}).get(cell)
        there = [moves[cell] for moves in self._moves.values() if cell in moves]
        there = there or list(self._moves.get(cell, {}).values())
        return there[0] if len(there) == 1 else None

    def preview_move(self, move: Any) -> None:
        origin, self.cursor = self._ends(move, self.position.turn)
        if self.move_at(self.cursor) != move:
            self.select(origin)

    def chosen(self, cell: Cell) -> None:
        move = self._moves.get(self.selected, {}).get(cell) if self.selected is not None else None
        if move is not None:
            self.post_message(self.Play(self, move))
            return
        came_from = [origin for origin, moves in self._moves.items() if cell in moves]
        if cell == self.selected:
            self.select(None)
        elif cell in self._moves:
            self.select(cell)
        elif len(came_from) == 1:
            self.select(came_from[0])
        else:
            self.select(None)
            self.app.notify(self._refusal(cell, len(came_from)), severity="warning")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragged = self.cell_at(event.x, event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        left = event.button and self.cell_at(event.x, event.y) != self._dragged
        if left and self._dragged in self._moves and self._dragged != self.selected:
            self.select(self._dragged)

    def select(self, cell: Cell | None) -> None:
        self.selected = cell
        self.update()
        self.post_message(self.Pointed(self, self.move_at(self.cursor)))

    def _refusal(self, cell: Cell, pawns: int) -> str:
        board, name = self.position, self._called(cell)
        side, other = ("Black", "White") if board.turn else ("White", "Black")
        stands = board.square(*self.square_of(cell))
        if not self._moves:
            return "This game is over."
        if pawns > 1:
            return f"{pawns} pawns can go to {name}. Choose one of them first."
        if stands == ".":
            return f"No pawn of {side} can go to {name}."
        if stands == ("P" if board.turn else "p"):
            return f"The pawn on {name} belongs to {other}. {side} is to move."
        if any(self._ends(step, board.turn)[0] == cell for step in board.steps()):
            return f"{side} must capture, and the pawn on {name} cannot."
        return f"The pawn on {name} is blocked."

    def end_frames(self) -> list[EndFrame]:
        board, last = self.position, self.view.last
        if not isinstance(last, PawnMove):
            return []
        way = self._ends(last, 1 - board.turn)
        stuck = [] if board.reached() is not None else list(map(self.square_of, board.pawns(board.turn)))
        return blinking(stuck) if stuck else [EndFrame(frozenset(way[:1])), *blinking(way[1:])]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.selected is not None if action == "release" else True

    def action_release(self) -> None:
        self.select(None)

    def prompt(self) -> str:
        if self.selected is not None:
            return f"Pawn {self._called(self.selected)}: choose a square; Escape cancels."
        moves = self._moves.get(self.cursor, {}).values()
        if moves:
            return f"Pawn {self._called(self.cursor)}: {' or '.join(map(str, moves))}"
        return "Your move: choose a pawn."

    def describe(self, move: Any) -> str:
        board = self.position
        words = [f"takes the pawn on {square_name(move.to_row, move.to_column)}"] if move.captures else []
        after = board.moved(move)
        outcome = after.outcome()
        if outcome is not None:
            words.append("reaches the last row" if after.reached() is not None else "blocks everything")
            words.append("and wins" if outcome.winner == board.turn else "and loses")
        if move == self._only:
            words.append("only move")
        return ", ".join(words).replace(", and", " and")
