"""The board and the match screen of Chocobar."""

from collections.abc import Sequence
from typing import Any, cast

from rich.segment import Segment
from rich.style import Style

from arcade.engines.chocobar.rules import Bar, Bite
from arcade.engines.wording import quantity
from arcade.play.scene import BoardScene, Cell
from arcade.screens.match import MatchScreen
from arcade.widgets.board import MISSED, MISTAKE, CellLines, EndFrame, GridBoard, blinking, ink, worded
from arcade.widgets.glyphs import ASCII

SEAM = "_"

# Tones of a square, from its bright upper edge to a thin shade.
LEFT = ("#86542e", "#7a4a27", "#6c4021")
BITTEN = ("#c9a27e", "#b58b66", "#a27a57")
POISON = ("#6f8a3d", "#587030", "#475b26")
POINTED = "#a9d34f"
HINTED = "#e3a857"
GROOVE = "#46290f"
CREAM = "#fff3df"
DARK = "#1a0e05"

SIGNS = {
    "best win": (DARK, "#45a855"),
    "win": (CREAM, "#2f7d3b"),
    "best loss": (DARK, "#f2a69b"),
}

CROSSES = (
    (
        "▜█▙▖    ▗▟█▛",
        " ▝▜█▙▖▗▟█▛▘ ",
        "   ▝▜██▛▘   ",
        "   ▗▟██▙▖   ",
        " ▗▟█▛▘▝▜█▙▖ ",
        "▟█▛▘    ▝▜█▙",
    ),
    ("▝▚▞▘", "▗▞▚▖"),
    ("▚▞", "▞▚"),
)
SQUARE_EATEN = "This square has been eaten. Choose another."
SQUARE_POISON = "This square is the poison. Choose another."

PLAIN_CROSSES = (("\\  /", "/  \\"), ("\\/", "/\\"))


def _bracketed(text: str, width: int) -> str:
    return f"[{text[: max(width - 2, 0)].center(width - 2)}]"


def _face(width: int, height: int) -> int:
    return width - 1 if height > 1 else width


def _edged(text: str, style: Style, width: int, height: int, line: int) -> list[Segment]:
    face = _face(width, height)
    groove = [Segment(" " * (width - face), ink(None, GROOVE))] if face < width else []
    if line + 1 == height > 1 and not text:
        return [Segment(SEAM * face, ink(GROOVE, style.bgcolor)), *groove]
    return [Segment(text.center(face)[:face], style), *groove]


def _shaded(tones: tuple[str, str, str], height: int, odd: int = 1) -> list[str]:
    light, body, shade = tones
    if height == 1:
        # Too small for edges: neighbouring squares differ in shade instead.
        return [light if odd else body]
    return [light, *[body] * (height - 2), shade]


class ChocobarBoard(GridBoard[Bar]):
    SHOWS_POINTED = True

    CELL_SIZES = ((12, 6), (10, 5), (8, 4), (6, 3), (5, 2), (4, 2), (3, 1), (2, 1))

    def __init__(self, view: BoardScene, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self._bitten_from: Cell | None = None
        self._begin()

    @property
    def shape(self) -> tuple[int, int]:
        first = cast(Bar, self.view.first)
        return len(first.rows), first.rows[0]

    def _left(self, row: int, column: int) -> bool:
        return row < len(self.position.rows) and column < self.position.rows[row]

    def move_at(self, cell: Cell) -> Bite | None:
        return Bite(cell[0] + 1, cell[1] + 1) if cell != (0, 0) and self._left(*cell) else None

    def preview_move(self, move: Any) -> None:
        self.cursor = move.row - 1, move.column - 1

    def chosen(self, cell: Cell) -> None:
        move = self.move_at(cell)
        if move is not None:
            self.post_message(self.Play(self, move))
        elif self.view.playable:
            self.app.notify(SQUARE_POISON if cell == (0, 0) else SQUARE_EATEN, severity="warning")

    def prompt(self) -> str:
        if self.cursor == (0, 0):
            return "Choose a square to bite (not the poison)."
        if self.cursor_moved and not self._left(*self.cursor):
            return SQUARE_EATEN
        return super().prompt()

    def describe(self, move: Any) -> str:
        after = sum(self.position.play(move).rows)
        return f"eats {quantity(sum(self.position.rows) - after, 'square')}, leaves {after}"

    def end_frames(self) -> list[EndFrame]:
        last = self.view.last
        if not isinstance(last, Bite):
            return []
        fall = range(last.row - 1, self.shape[0])
        return [*(EndFrame(frozenset({(row, last.column - 1)})) for row in fall), *blinking({(0, 0)})]

    def _begin(self) -> None:
        if self.view.playable and self.move_at(self.cursor) is None:
            rows = self.position.rows
            self.set_reactive(GridBoard.cursor, (len(rows) - 1, rows[-1] - 1))

    def take_in(self, view: BoardScene) -> None:
        moved = (view.position, view.playable) != (self.view.position, self.view.playable)
        super().take_in(view)
        if moved:
            self._begin()
            self.update()

    def update(self) -> None:
        pointed = self.view.playable and self.cursor_shown and self.move_at(self.cursor) is not None
        self._bitten_from = self.cursor if pointed else None
        super().update()

    def draw(self, row: int, column: int, width: int, height: int) -> CellLines:
        if not self._left(row, column):
            return self._crumbs(row, column, width, height)
        if (row, column) == (0, 0):
            return self._poison(width, height)
        return self._chocolate(row, column, width, height)

    def _crumbs(self, row: int, column: int, width: int, height: int) -> CellLines:
        last = self.view.last == Bite(row + 1, column + 1) and not self.small
        pointed = self.cursor_shown and self.cursor == (row, column)
        if last and self.view.mistake:
            return worded(self.glyphs.threw, ink(DARK, MISTAKE, True), width, height)
        text = self.glyphs.played if last else self.glyphs.dot
        text = _bracketed(text, width) if pointed else text
        style = ink(self.colour("primary" if last or pointed else "panel"), self.rich_style.bgcolor, pointed)
        return worded(text, style, width, height)

    def _poison(self, width: int, height: int) -> CellLines:
        grounds = _shaded(POISON, height)
        face = _face(width, height)
        signs: Sequence[Sequence[str]] = PLAIN_CROSSES if self.glyphs is ASCII else CROSSES
        if height == 1:
            signs = (("X" * min(face, 3),),)
        sign = next((drawn for drawn in signs if len(drawn[0]) <= face - 2), signs[-1])
        colour = CREAM
        if self.cursor_shown and self.cursor == (0, 0):
            colour, grounds = DARK, [POINTED] * height
            if len(sign[0]) <= face - 2:
                sign = [_bracketed(row, face) for row in sign]
            elif face == 3:
                sign = ("[X]",)
        texts = dict(enumerate(sign, (height + 1 - len(sign)) // 2))
        return [
            _edged(texts.get(line, ""), ink(colour, ground, True), width, height, line)
            for line, ground in enumerate(grounds)
        ]

    def _chocolate(self, row: int, column: int, width: int, height: int) -> CellLines:
        bite_from = self._bitten_from
        bitten = bite_from is not None and row >= bite_from[0] and column >= bite_from[1]
        hinted = self.view.hinted == Bite(row + 1, column + 1)
        value = self.view.verdicts.get(Bite(row + 1, column + 1))
        face = _face(width, height)
        text, bold = "", value is not None and value.best
        if value is not None:
            text = self.value_text(value)
            text = text if len(text) <= face else self.glyphs.value(value.verdict.value)
            text = _bracketed(text, face) if (row, column) == bite_from and len(text) + 2 <= face else text
        elif hinted:
            text, bold = self.glyphs.only if self.view.missed else self.glyphs.turn, True
        elif (row, column) == bite_from:
            text, bold = self.glyphs.turn, True
        elif bitten:
            text = self.glyphs.hatch * max(width - 3, 1)
        tones = BITTEN if bitten else LEFT
        lines = []
        for line, ground in enumerate(_shaded(tones, height, (row + column) % 2)):
            written = text if line == (height - 1) // 2 else ""
            colour = DARK if bitten else CREAM
            if hinted:
                colour, ground = DARK, MISSED if self.view.missed else HINTED
            elif value is not None and written:
                sign = f"best {value.verdict.value}" if value.best else f"{value.verdict.value}"
                colour, ground = SIGNS.get(sign, (colour, ground))
            lines.append(_edged(written, ink(colour, ground, bold), width, height, line))
        return lines


class ChocobarScreen(MatchScreen):
    BOARD = ChocobarBoard
