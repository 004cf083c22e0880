"""The map of Honshu. Each terrain has a colour and a texture."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from typing import Any, ClassVar

from rich.color import Color
from textual.binding import Binding, BindingType

from arcade.engines.honshu.rules import RULES, HonshuPosition, Move, Score, shape, start_corner
from arcade.engines.honshu.tiles import Tile
from arcade.engines.verdict import MoveVerdict
from arcade.play.scene import BoardScene, Cell
from arcade.widgets.board import (
    MISSED,
    CellLines,
    EndFrame,
    GridBoard,
    PieceBoard,
    ink,
    joined,
    mixed,
    worded,
)
from arcade.widgets.glyphs import ASCII, Glyphs


@dataclass(frozen=True, slots=True)
class Terrain:
    ground: str
    ink: str
    shade: str
    texture: Sequence[str]
    """Pattern of even lines and pattern of odd lines, repeated over the cell."""
    plain: Sequence[str]
    word: str

    def sign(self, glyphs: Glyphs) -> str:
        return (self.plain if glyphs is ASCII else self.texture)[0].strip()


TERRAINS = {
    "V": Terrain("#b4503a", "#fff3ec", "#e8a48e", ("▟▙ ", " ▟▙"), ("/\\ ", " /\\"), "village"),
    "F": Terrain("#2f6b3c", "#f0f8e8", "#6aa86c", ("▴ ", " ▴"), ("^ ", " ^"), "forest"),
    "L": Terrain("#2b62a3", "#eef5ff", "#79a8e0", ("~ ", " ~"), ("~ ", " ~"), "lake"),
    "R": Terrain("#9a9fa8", "#16181d", "#5f646e", ("▫  ", " ▫ "), ("o  ", " o "), "resource"),
    "U": Terrain("#51496a", "#f4f0fb", "#8d83ac", ("▙", "▙"), ("#", "#"), "factory"),
    "P": Terrain("#d3bf82", "#3d3312", "#9c8650", (" ∙  ", "   ∙"), (" .  ", "   ."), "plain"),
}

WALL = "▐"
CORNERS = {(0, 0): "▘", (0, -1): "▝", (-1, 0): "▖", (-1, -1): "▗"}
"""Corners of an outline by line and column: 0 is the first and -1 the last."""


@dataclass(frozen=True, slots=True)
class TerrainStyle:
    letter: str
    ground: Color
    ink: Color
    shade: Color
    line: Color
    bold: bool = False
    sign: str = ""
    text: str = ""
    corners: tuple[Cell, ...] = ()
    right: bool = False
    below: bool = False


@lru_cache(maxsize=256)
def texture(letter: str, width: int, height: int, plain: bool) -> tuple[str, ...]:
    terrain = TERRAINS[letter]
    motifs = terrain.plain if plain else terrain.texture
    if height == 1:
        # A single column must show the sign.
        return ((motifs[0].strip() * width)[:width],)
    return tuple((motifs[line % 2] * width)[:width] for line in range(height))


@lru_cache(maxsize=4096)
def draw_face(face: TerrainStyle, width: int, height: int, glyphs: Glyphs) -> CellLines:
    plain = glyphs is ASCII
    if face.sign:
        lines = [f"{face.sign:^2}" * width] * height if height > 1 else [" " + face.sign * width]
    else:
        lines = list(texture(face.letter, width, height, plain))
    lines = [line[:width] for line in lines]
    text = (face.text or (TERRAINS[face.letter].sign(glyphs) if face.sign else ""))[:width]
    middle, at = (height - 1) // 2, 0 if height == 1 else (width - len(text)) // 2
    room = len(text) if height == 1 or not text else len(text) + 2
    start = at if height == 1 else max(0, at - 1)
    drawn = []
    for number, line in enumerate(lines):
        style = partial(ink, ground=face.ground, underline=number == height - 1 and face.below and height > 1)
        marks = [(mark, style(face.shade)) for mark in line]
        if number == middle:
            marks[start : start + room] = [(" ", style(face.ink))] * min(room, width - start)
            marks[at : at + len(text)] = [(mark, style(face.ink, bold=face.bold)) for mark in text]
        if height > 1 and face.right:
            marks[-1] = ("|" if plain else WALL, style(face.line))
        for corner in face.corners if height > 1 else ():
            if number == corner[0] % height:
                marks[corner[1]] = ("+" if plain else CORNERS[corner], style(face.line, bold=True))
        drawn.append(joined(marks))
    return drawn


DARK, PALE = Color.parse("#14151a"), Color.parse("#ffffff")
CLASH, CLASH_INK = Color.parse("#4a1512"), Color.parse("#ffc9c0")
HINT, BEST = Color.parse("#c9a0e8"), Color.parse("#45a855")


@lru_cache(maxsize=32)
def laid_face(letter: str) -> TerrainStyle:
    terrain = TERRAINS[letter]
    ground, shade = Color.parse(terrain.ground), Color.parse(terrain.shade)
    return TerrainStyle(letter, ground, Color.parse(terrain.ink), shade, mixed(ground, DARK, 0.75))


@lru_cache(maxsize=32)
def resting_face(letter: str) -> TerrainStyle:
    laid = laid_face(letter)
    ground = mixed(laid.ground, DARK, 0.35)
    shade, line = mixed(laid.shade, DARK, 0.45), mixed(laid.line, DARK, 0.35)
    return replace(laid, ground=ground, ink=mixed(laid.ink, ground, 0.2), shade=shade, line=line)


@lru_cache(maxsize=32)
def held_face(letter: str) -> TerrainStyle:
    laid = laid_face(letter)
    ground = mixed(laid.ground, PALE, 0.42)
    return replace(laid, ground=ground, ink=DARK, shade=mixed(ground, DARK, 0.4), line=DARK, bold=True)


@lru_cache(maxsize=128)
def marked_face(letter: str, ground: Color, sign: str) -> TerrainStyle:
    return TerrainStyle(letter, ground, DARK, mixed(ground, DARK, 0.55), DARK, True, sign)


def signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def changes(change: Score) -> str:
    """Describe a change of the score, for example "+6: village +2, forests +4"."""
    reasons = [f"{RULES[rule].lower()} {signed(n)}" for rule, n in change.by_rule().items() if n]
    return f"{signed(change.total)}: {', '.join(reasons)}" if reasons else "0"


@lru_cache(maxsize=8)
def begun(position: HonshuPosition) -> HonshuPosition:
    for tile in position.hand[:7]:
        moves = [move for move in position.moves() if move.tile == tile.id]
        if moves:
            gains = {move: position.score_change(move).total for move in moves[:: max(1, len(moves) // 12)]}
            position = position.play(max(gains, key=gains.__getitem__))
    return position


class HonshuMap(PieceBoard[HonshuPosition]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,right_square_bracket", "next_tile(1)", "Next tile", show=False, key_display="] Tab"),
        Binding(
            "shift+tab,left_square_bracket", "next_tile(-1)", "Previous tile", show=False, key_display="["
        ),
        *(
            Binding(
                digit,
                f"numbered_tile('{digit}')",
                "Take the next tile whose number starts with this digit",
                show=False,
                key_display="0-9",
            )
            for digit in "0123456789"
        ),
    ]

    HOW = "Use the arrow keys and\nEnter, or click.\nRotate with the wheel."

    SHOWS_POINTED = True

    CELL_SIZES = ((8, 4), (6, 3), (4, 2), (3, 2), (3, 1), (2, 1))

    def __init__(self, view: BoardScene, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self._held = 0
        self.rotation = 0
        """Clockwise quarter turns of the tile in hand."""
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
        position = super().position
        # The start tile alone would not identify the game.
        return begun(position) if self.small and not position.laid else position

    @property
    def shape(self) -> tuple[int, int]:
        return self.position.size, self.position.size

    @property
    def index(self) -> int:
        return min(self._held, max(0, len(self.position.hand) - 1))

    @property
    def tile(self) -> Tile | None:
        hand = self.position.hand
        return hand[self.index] if hand else None

    def move_at(self, cell: Cell) -> Move | None:
        if not (self.view.playable or self.view.own) or self.tile is None:
            return None
        return Move(self.tile.id, self.rotation, *self.validate_cursor(cell))

    def validate_cursor(self, cell: Cell) -> Cell:
        rows, columns = shape(self.rotation)
        size = self.position.size
        return max(0, min(cell[0], size - rows)), max(0, min(cell[1], size - columns))

    def aimed(self, cell: Cell) -> Cell:
        rows, columns = shape(self.rotation)
        return cell[0] - (rows - 1) // 2, cell[1] - (columns - 1) // 2

    def chosen(self, cell: Cell) -> None:
        move = self.move_at(cell)
        error = self.position.placement_error(move) if move is not None else None
        if error is not None and self.view.playable:
            self.app.notify("The tile does not fit here. Move it or rotate it.", severity="warning")
        else:
            self.post_message(self.Play(self, move))

    def describe(self, move: Any) -> str:
        error = self.position.placement_error(move)
        return f"{self.glyphs.threw} {error}" if error else changes(self.position.score_change(move))

    def prompt(self) -> str:
        return "Choose a tile, rotate it, and place it on the map."

    def end_frames(self) -> list[EndFrame]:
        position, said = self.position, ""
        frames = []
        for rule, points in position.score.by_rule().items():
            if points:
                said = f"{said} + {rule} {points}" if said else f"{RULES[rule]} {points}"
                frames.append(EndFrame(frozenset(self._cells_of(position.scoring[rule])), said))
        return [*frames, EndFrame(words=f"{said} = {position.score.total}")]

    def take(self, index: int) -> None:
        self._held = index
        self._find_place()
        self.point()

    def preview_move(self, move: Any) -> None:
        self._held = [tile.id for tile in self.position.hand].index(move.tile)
        self.rotation = move.rotation
        self.set_reactive(GridBoard.cursor, (move.row, move.column))
        self.point()

    def _find_place(self) -> None:
        position, tile, cursor = self.position, self.tile, self.cursor
        if tile is None:
            return

        def distance(cell: Cell) -> int:
            return abs(cell[0] - cursor[0]) + abs(cell[1] - cursor[1])

        for quarters in range(4):
            rotation = (self.rotation + quarters) % 4
            rows, columns = shape(rotation)
            cells = product(range(position.size - rows + 1), range(position.size - columns + 1))
            for cell in sorted(cells, key=distance):
                if position.placement_error(Move(tile.id, rotation, *cell)) is None:
                    self.rotation = rotation
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
        following = next((index for index in order if str(hand[index].id).startswith(digit)), None)
        if following is None:
            self.app.notify(f"You have no tile whose number starts with {digit}.", severity="warning")
        else:
            self.take(following)

    def action_rotate(self, quarters: int) -> None:
        self.rotation = (self.rotation + quarters) % 4
        self.set_reactive(GridBoard.cursor, self.validate_cursor(self.cursor))
        self.point()

    def take_in(self, view: BoardScene) -> None:
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
        empty = ink(mixed(self.colour("panel"), self.colour("faint"), 0.5), self.colour("surface"))
        self._empty = worded(self.glyphs.dot, empty, *self._cell)
        terrains, layers = position.map.terrains.items(), enumerate(position.map.layers)
        self._terrain = {cell: letter for letter, mask in terrains for cell in self._cells_of(mask)}
        self._owner = {cell: owner for owner, mask in layers for cell in self._cells_of(mask)}
        self._marked = {}
        last = self.view.last
        if isinstance(last, Move) and position.laid and position.laid[-1] == last:
            self._mark(last, {cell: laid_face(self._terrain[cell]) for cell in self._area(last)}, -1)
        self._put_over()
        self._mark_best()
        if isinstance(self.view.hinted, Move):
            missed = self.view.missed
            ground, sign = (Color.parse(MISSED), self.glyphs.only) if missed else (HINT, self.glyphs.turn)
            self._mark(self.view.hinted, self._faces(self.view.hinted, ground, sign), -2)
        held = self.move_at(self.cursor) if self.cursor_shown else None
        if held is not None:
            self._mark(held, self._held_faces(held), -3)

    def _put_over(self) -> None:
        """Darken the player's own map, and draw this map's tiles over it with outlines."""
        own = self.view.under
        if not isinstance(own, HonshuPosition):
            return
        for letter, mask in own.map.terrains.items():
            self._marked |= dict.fromkeys(self._cells_of(mask), resting_face(letter))
        for owner, mask in enumerate(own.map.layers):
            self._owner |= dict.fromkeys(self._cells_of(mask), owner)
        for owner, move in enumerate(self.position.laid, len(own.map.layers)):
            faces = {cell: laid_face(letter) for cell, letter in self._letters(move).items()}
            outlined = {cell: replace(face, line=Color.parse(MISSED)) for cell, face in faces.items()}
            self._mark(move, outlined, owner)

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
        letters = self._letters(move)
        if self.position.placement_error(move) is None:
            sign = "+" if self._cell[1] == 1 else ""
            return {cell: replace(held_face(letter), sign=sign) for cell, letter in letters.items()}
        faces = {}
        for cell, letter in letters.items():
            ground = mixed(laid_face(letter).ground, CLASH, 0.7)
            faces[cell] = TerrainStyle(letter, ground, *3 * (CLASH_INK,), False, self.glyphs.threw)
        return faces

    def _mark_best(self) -> None:
        best: list[MoveVerdict[Any]] = [known for known in self.view.values if known.best]
        tile = self.tile
        best.sort(key=lambda known: tile is None or known.move.tile != tile.id)
        taken: set[Cell] = set()
        for number, known in enumerate(best):
            faces = self._faces(known.move, BEST, self.glyphs.only)
            if taken & faces.keys():
                continue
            taken |= faces.keys()
            corner = (known.move.row, known.move.column)
            faces[corner] = replace(faces[corner], text=self.value_text(known))
            self._mark(known.move, faces, -10 - number)

    def _mark(self, move: Move, faces: dict[Cell, TerrainStyle], owner: int) -> None:
        rows, columns = shape(move.rotation)
        for (row, column), face in faces.items():
            lines = {move.row: [0], move.row + rows - 1: [-1]}.get(row, [])
            sides = {move.column: [0], move.column + columns - 1: [-1]}.get(column, [])
            self._marked[row, column] = replace(face, corners=tuple(product(lines, sides)))
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
        face = replace(face, right=right != owner, below=below != owner)
        return draw_face(face, width, height, self.glyphs)
