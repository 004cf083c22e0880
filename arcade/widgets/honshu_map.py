"""Honshu's map; each terrain has a colour, a letter and a texture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar

from rich.color import Color
from rich.segment import Segment
from textual.binding import Binding, BindingType

from arcade.engines.honshu.rules import RULES, HonshuPosition, Move, Score, shape, start_corner
from arcade.engines.honshu.tiles import Tile
from arcade.engines.verdict import MoveVerdict
from arcade.widgets.board import BoardView, Cell, CellLines, GridBoard, PieceBoard, ink, mixed
from arcade.widgets.glyphs import ASCII, Glyphs


@dataclass(frozen=True, slots=True)
class Terrain:
    """One terrain's colours and texture."""

    ground: str
    letter: str
    """The colour of its letter."""
    shade: str
    """The colour of its texture, and of the edges between its tiles."""
    texture: tuple[str, str]
    """A motif for the even lines and one for the odd ones, repeated over the cell."""
    plain: tuple[str, str]
    """The same in ASCII."""


TERRAINS = {
    "P": Terrain("#d3bf82", "#3d3312", "#9c8650", (" ∙  ", "   ∙"), (" .  ", "   .")),
    "F": Terrain("#2f6b3c", "#f0f8e8", "#6aa86c", ("▴ ", " ▴"), ("^ ", " ^")),
    "L": Terrain("#2b62a3", "#eef5ff", "#79a8e0", ("~ ", " ~"), ("~ ", " ~")),
    "V": Terrain("#b4503a", "#fff3ec", "#e8a48e", ("▟▙ ", " ▟▙"), ("/\\ ", " /\\")),
    "R": Terrain("#9a9fa8", "#16181d", "#5f646e", ("▫  ", " ▫ "), ("o  ", " o ")),
    "U": Terrain("#51496a", "#f4f0fb", "#8d83ac", ("▙", "▙"), ("#", "#")),
}
"""The terrains by letter, in colours that work on dark and light backgrounds."""

WALL = "▐"
TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT = 1, 2, 4, 8
CORNERS = {TOP_LEFT: "▘", TOP_RIGHT: "▝", BOTTOM_LEFT: "▖", BOTTOM_RIGHT: "▗"}
"""Corners of an outline; a set of them is a sum of these numbers."""


@dataclass(frozen=True, slots=True)
class TerrainStyle:
    """Everything that a cell with a terrain shows."""

    letter: str
    """The letter of its terrain."""
    ground: Color
    ink: Color
    """The colour of the letter."""
    shade: Color
    """The colour of the texture."""
    line: Color
    """The colour of corners and edges."""
    bold: bool = False
    sign: str = ""
    """Replaces the texture."""
    text: str = ""
    """Replaces the letter."""
    corners: int = 0
    right: bool = False
    """Whether there is an edge on the right."""
    below: bool = False
    """Whether there is an edge below."""


@lru_cache(maxsize=256)
def texture(letter: str, width: int, height: int, plain: bool) -> tuple[str, ...]:
    """The lines of a cell of that many columns and lines, filled with the motif of a terrain."""
    terrain = TERRAINS[letter]
    motifs = terrain.plain if plain else terrain.texture
    if height == 1:
        # Start with the motif's first character, so that even a single column beside the letter shows it.
        return (" " + (motifs[0].strip() * width)[: width - 1],)
    return tuple((motifs[line % 2] * width)[:width] for line in range(height))


@lru_cache(maxsize=4096)
def draw_face(face: TerrainStyle, width: int, height: int, glyphs: Glyphs) -> CellLines:
    """A cell of the given size.

    The letter is in the middle with the texture around it; in one-line cells it is on the left.
    """
    plain = glyphs is ASCII
    if face.sign:
        lines = [f"{face.sign:^2}" * width] * height if height > 1 else [" " + face.sign * width]
    else:
        lines = list(texture(face.letter, width, height, plain))
    lines = [line[:width] for line in lines]
    text = (face.text or face.letter)[:width]
    middle, at = (height - 1) // 2, 0 if height == 1 else (width - len(text)) // 2
    room = len(text) if height == 1 else len(text) + 2
    start = at if height == 1 else max(0, at - 1)
    drawn = []
    for number, line in enumerate(lines):
        marks: list[tuple[str, Color, bool]] = [(each, face.shade, False) for each in line]
        if number == middle:
            marks[start : start + room] = [(" ", face.ink, False)] * min(room, width - start)
            marks[at : at + len(text)] = [(each, face.ink, face.bold) for each in text]
        if height > 1:
            _put_edges(marks, face, number, height, plain)
        drawn.append(_segments(marks, face, number == height - 1 and face.below and height > 1))
    return drawn


def _put_edges(
    marks: list[tuple[str, Color, bool]], face: TerrainStyle, number: int, height: int, plain: bool
) -> None:
    if face.right:
        marks[-1] = ("|" if plain else WALL, face.line, False)
    for corner, mark in CORNERS.items():
        top, left = corner in (TOP_LEFT, TOP_RIGHT), corner in (TOP_LEFT, BOTTOM_LEFT)
        if face.corners & corner and number == (0 if top else height - 1):
            marks[0 if left else -1] = ("+" if plain else mark, face.line, True)


def _segments(
    marks: Sequence[tuple[str, Color, bool]], face: TerrainStyle, underlined: bool
) -> list[Segment]:
    segments: list[Segment] = []
    run = ""
    for index, (mark, colour, bold) in enumerate(marks):
        run += mark
        if index + 1 == len(marks) or marks[index + 1][1:] != (colour, bold):
            segments.append(Segment(run, ink(colour, face.ground, bold, underlined)))
            run = ""
    return segments


DARK, PALE = Color.parse("#14151a"), Color.parse("#ffffff")
CLASH, CLASH_INK = Color.parse("#4a1512"), Color.parse("#ffc9c0")
HINT, BEST = Color.parse("#c9a0e8"), Color.parse("#45a855")


@lru_cache(maxsize=32)
def laid_face(letter: str) -> TerrainStyle:
    """A cell of a tile on the map."""
    terrain = TERRAINS[letter]
    ground, shade = Color.parse(terrain.ground), Color.parse(terrain.shade)
    return TerrainStyle(letter, ground, Color.parse(terrain.letter), shade, mixed(ground, DARK, 0.75))


@lru_cache(maxsize=32)
def resting_face(letter: str) -> TerrainStyle:
    """A cell of a tile of the hand that is not chosen: darker than any chosen one."""
    laid = laid_face(letter)
    ground = mixed(laid.ground, DARK, 0.35)
    shade, line = mixed(laid.shade, DARK, 0.45), mixed(laid.line, DARK, 0.35)
    return replace(laid, ground=ground, ink=mixed(laid.ink, ground, 0.2), shade=shade, line=line)


@lru_cache(maxsize=32)
def held_face(letter: str) -> TerrainStyle:
    """A cell of the chosen tile where it fits: brighter than the map."""
    laid = laid_face(letter)
    ground = mixed(laid.ground, PALE, 0.42)
    return replace(laid, ground=ground, ink=DARK, shade=mixed(ground, DARK, 0.4), line=DARK, bold=True)


@lru_cache(maxsize=128)
def marked_face(letter: str, ground: Color, sign: str) -> TerrainStyle:
    """A cell of a placement that is marked by a colour and a sign."""
    return TerrainStyle(letter, ground, DARK, mixed(ground, DARK, 0.55), DARK, True, sign)


def signed(points: int) -> str:
    """Points won or lost, e.g. "+4"."""
    return f"{points:+d}" if points else "0"


def changes(change: Score) -> str:
    """A change of the score with its reasons, e.g. "+6: village +2, forests +4"."""
    reasons = [
        f"{RULES[rule].lower()} {signed(points)}" for rule, points in change.by_rule().items() if points
    ]
    return f"{signed(change.total)}: {', '.join(reasons)}" if reasons else "0"


@lru_cache(maxsize=4)
def begun(position: HonshuPosition) -> HonshuPosition:
    """A position with some tiles placed, each where it scores most of a few places."""
    for tile in position.hand[:7]:
        moves = [move for move in position.moves() if move.tile == tile.id]
        if moves:
            gains = {move: position.score_change(move).total for move in moves[:: max(1, len(moves) // 12)]}
            position = position.play(max(gains, key=gains.__getitem__))
    return position


class HonshuMap(PieceBoard):
    """A seat's map; the tile in hand is shown over it, its top left cell under the cursor."""

    HOW = "Tab a tile, e rotates,\narrows, Enter; or click\nand wheel"

    CELL_SIZES: ClassVar[tuple[tuple[int, int], ...]] = ((8, 4), (6, 3), (4, 2), (3, 2), (3, 1), (2, 1))

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,right_square_bracket", "next_tile(1)", "Next tile", show=False, key_display="] Tab"),
        Binding("shift+tab,left_square_bracket", "next_tile(-1)", "Tile before", show=False, key_display="["),
        *(
            Binding(
                digit,
                f"numbered_tile('{digit}')",
                "Tile by number",
                show=False,
                key_display="0-9",
                tooltip="Take the next tile whose number begins with that digit",
            )
            for digit in "0123456789"
        ),
    ]

    def __init__(self, view: BoardView, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self._held = 0
        self._rotation = 0
        # What `draw` looks up, by row and column.
        self._marked: dict[Cell, TerrainStyle] = {}
        self._owner: dict[Cell, int] = {}
        self._terrain: dict[Cell, str] = {}
        self._empty: CellLines = []
        middle = start_corner(self.position.size)
        self.set_reactive(GridBoard.cursor, (middle, middle + 1))
        if not small:
            self._find_place()

    @property
    def position(self) -> HonshuPosition:
        position = self.view.position
        assert isinstance(position, HonshuPosition)
        # A small picture of the start tile alone would not tell which game this is.
        return begun(position) if self.small and not position.laid else position

    @property
    def shape(self) -> tuple[int, int]:
        return self.position.size, self.position.size

    # The tile in hand.

    @property
    def index(self) -> int:
        """Which tile of the hand is held, counted from 0."""
        return min(self._held, max(0, len(self.position.hand) - 1))

    @property
    def tile(self) -> Tile | None:
        hand = self.position.hand
        return hand[self.index] if hand else None

    @property
    def rotation(self) -> int:
        """Quarter turns clockwise of the tile that is held."""
        return self._rotation

    def move_at(self, cell: Cell) -> Move | None:
        if not (self.view.playable or self.view.own) or self.tile is None:
            return None
        return Move(self.tile.id, self._rotation, *self.validate_cursor(cell))

    def validate_cursor(self, cell: Cell) -> Cell:
        rows, columns = shape(self._rotation)
        size = self.position.size
        return max(0, min(cell[0], size - rows)), max(0, min(cell[1], size - columns))

    def aimed(self, cell: Cell) -> Cell:
        rows, columns = shape(self._rotation)
        return cell[0] - (rows - 1) // 2, cell[1] - (columns - 1) // 2

    def chosen(self, cell: Cell) -> None:
        move = self.move_at(cell)
        error = self.position.placement_error(move) if move is not None else None
        if error is not None and self.view.playable:
            self.app.notify(error, severity="warning")
        else:
            self.post_message(self.Play(self, move))

    def describe(self, move: Any) -> str:
        error = self.position.placement_error(move)
        return f"{self.glyphs.threw} {error}" if error else changes(self.position.score_change(move))

    def advice(self) -> str:
        return "Take a tile, turn it, place it on the map."

    def take(self, index: int) -> None:
        self._held = index
        self._find_place()
        self.point()

    def _find_place(self) -> None:
        """Bring the tile in hand to the nearest place where it fits, turned if it must be."""
        position, tile, cursor = self.position, self.tile, self.cursor
        if tile is None:
            return

        def distance(cell: Cell) -> int:
            return abs(cell[0] - cursor[0]) + abs(cell[1] - cursor[1])

        for quarters in range(4):
            rotation = (self._rotation + quarters) % 4
            rows, columns = shape(rotation)
            cells = product(range(position.size - rows + 1), range(position.size - columns + 1))
            for cell in sorted(cells, key=distance):
                if position.placement_error(Move(tile.id, rotation, *cell)) is None:
                    self._rotation = rotation
                    self.set_reactive(GridBoard.cursor, cell)
                    return

    def action_next_tile(self, by: int) -> None:
        if self.position.hand:
            self.take((self.index + by) % len(self.position.hand))

    def action_numbered_tile(self, digit: str) -> None:
        hand = self.position.hand
        if not hand:
            return
        order = [(self.index + step) % len(hand) for step in range(1, len(hand) + 1)]
        found = next((index for index in order if str(hand[index].id).startswith(digit)), None)
        if found is None:
            self.app.notify(f"No tile of the hand has a number that begins with {digit}.")
        else:
            self.take(found)

    def action_rotate(self, quarters: int) -> None:
        self._rotation = (self._rotation + quarters) % 4
        self.set_reactive(GridBoard.cursor, self.validate_cursor(self.cursor))
        self.point()

    def right_clicked(self) -> None:
        self.action_rotate(1)

    # Drawing.

    def show(self, view: BoardView) -> None:
        if view == self.view:
            return
        tile, moved = self.tile, view.position != self.position
        self.view = view
        hand = self.position.hand
        if tile in hand and tile != self.tile:
            self._held = hand.index(tile)
        if moved:
            self.set_reactive(GridBoard.cursor, self.validate_cursor(self.cursor))
            if view.playable or view.own:
                self._find_place()
            self.tell()
        else:
            self.update()

    def look_up(self) -> None:
        position = self.position
        self._empty = self._draw_empty(*self._cell)
        self._terrain = {}
        self._owner = {}
        for letter, mask in position.map.terrains.items():
            self._terrain |= dict.fromkeys(self._cells_of(mask), letter)
        for owner, mask in enumerate(position.map.layers):
            self._owner |= dict.fromkeys(self._cells_of(mask), owner)
        self._marked = {}
        last = self.view.last
        if isinstance(last, Move) and position.laid and position.laid[-1] == last:
            self._mark(last, {cell: laid_face(self._terrain[cell]) for cell in self._area(last)}, -1)
        self._mark_best()
        if isinstance(self.view.hinted, Move):
            self._mark(self.view.hinted, self._faces(self.view.hinted, HINT, self.glyphs.turn), -2)
        held = self.move_at(self.cursor) if self.cursor_shown else None
        if held is not None:
            self._mark(held, self._held_faces(held), -3)

    def _cells_of(self, mask: int) -> Iterable[Cell]:
        while mask:
            row, column = divmod((mask & -mask).bit_length() - 1, self.position.stride)
            yield row, column
            mask &= mask - 1

    @staticmethod
    def _area(move: Move) -> list[Cell]:
        rows, columns = shape(move.rotation)
        return [(move.row + row, move.column + column) for row in range(rows) for column in range(columns)]

    def _letters(self, move: Move) -> dict[Cell, str]:
        turned = self.position.tile_of[move.tile].rotated(move.rotation)
        return dict(zip(self._area(move), "".join(turned), strict=True))

    def _faces(self, move: Move, ground: Color, sign: str) -> dict[Cell, TerrainStyle]:
        return {cell: marked_face(letter, ground, sign) for cell, letter in self._letters(move).items()}

    def _held_faces(self, move: Move) -> dict[Cell, TerrainStyle]:
        """The tile in hand: bright where it fits, crossed out where it does not."""
        letters = self._letters(move)
        if self.position.placement_error(move) is None:
            sign = "+" if self._cell[1] == 1 else ""
            return {cell: replace(held_face(letter), sign=sign) for cell, letter in letters.items()}
        faces = {}
        for cell, letter in letters.items():
            ground = mixed(laid_face(letter).ground, CLASH, 0.7)
            faces[cell] = TerrainStyle(
                letter, ground, CLASH_INK, CLASH_INK, CLASH_INK, False, self.glyphs.threw
            )
        return faces

    def _mark_best(self) -> None:
        """Mark the best placements found, those of the tile in hand first, as far as they do not overlap."""
        best: list[MoveVerdict[Any]] = [each for each in self.view.values if each.best]
        tile = self.tile
        best.sort(key=lambda each: tile is None or each.move.tile != tile.id)
        taken: set[Cell] = set()
        for number, each in enumerate(best):
            faces = self._faces(each.move, BEST, self.glyphs.only)
            if taken & faces.keys():
                continue
            taken |= faces.keys()
            corner = (each.move.row, each.move.column)
            faces[corner] = replace(faces[corner], text=self.glyphs.verdict(each.verdict))
            self._mark(each.move, faces, -10 - number)

    def _mark(self, move: Move, faces: dict[Cell, TerrainStyle], owner: int) -> None:
        """Outline a placement and show its cells by these faces."""
        rows, columns = shape(move.rotation)
        for (row, column), face in faces.items():
            top, bottom = row == move.row, row == move.row + rows - 1
            left, right = column == move.column, column == move.column + columns - 1
            corners = (
                TOP_LEFT * (top and left)
                + TOP_RIGHT * (top and right)
                + BOTTOM_LEFT * (bottom and left)
                + BOTTOM_RIGHT * (bottom and right)
            )
            self._marked[row, column] = replace(face, corners=corners)
            self._owner[row, column] = owner

    def draw(self, row: int, column: int, width: int, height: int) -> CellLines:
        cell = (row, column)
        face = self._marked.get(cell)
        if face is None and cell not in self._terrain:
            return self._empty
        if face is None:
            face = laid_face(self._terrain[cell])
        owner = self._owner[cell]
        right, below = self._owner.get((row, column + 1), owner), self._owner.get((row + 1, column), owner)
        return draw_face(
            replace(face, right=right != owner, below=below != owner), width, height, self.glyphs
        )

    def _draw_empty(self, width: int, height: int) -> CellLines:
        style = ink(mixed(self.colour("panel"), self.colour("faint"), 0.5), self.colour("surface"))
        lines = [[Segment(" " * width, style)] for _ in range(height)]
        lines[(height - 1) // 2] = [Segment(self.glyphs.dot.center(width), style)]
        return lines
