"""The board, the hands and the match screen of Tetromino."""

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache, partial
from itertools import chain
from typing import Any, ClassVar, cast

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from arcade.engines.tetromino.board import (
    ORIENTATIONS,
    PIECES,
    Placement,
    cell_name,
    cells_of,
    lying,
    pieces_in,
    rotated,
    turned_over,
)
from arcade.engines.tetromino.rules import SIDES, Tetrominoes
from arcade.engines.verdict import MoveVerdict, Value
from arcade.engines.wording import quantity
from arcade.play.keymap import default_key
from arcade.play.scene import BoardScene, Cell, Scene
from arcade.screens.match import MatchScreen
from arcade.widgets.board import MISSED, MISTAKE, CellLines, EndFrame, GridBoard, PieceBoard, ink, mixed
from arcade.widgets.glyphs import ASCII, value_colour
from arcade.widgets.keys import keys_of, shortcut

GROUNDS = (
    {"I": "#e0a04a", "L": "#cb8539", "O": "#ebbd6e", "S": "#bf7d40", "T": "#d99a63"},
    {"I": "#62aec2", "L": "#4f98b3", "O": "#8acbd8", "S": "#5a8fb4", "T": "#78aed4"},
)
IN_HAND = ("#ffd897", "#b4e8f4")
HINT = "#c9a0e8"
DARK = "#14151a"

SAMPLE = "LTSOTI"

WALL, FLOOR = "\N{RIGHT HALF BLOCK}", "_"
FREE, COVERED, OVER, HINTED = -1, -2, -3, -4
"""Owners of cells without a laid piece. A wall is drawn between cells of different owners."""


def letter(piece: str, player: int) -> str:
    return piece.lower() if player else piece


@lru_cache(maxsize=4)
def begun(position: Tetrominoes) -> Tetrominoes:
    for piece in SAMPLE:
        move = next((legal for legal in position.moves() if legal.piece == piece), None)
        if move is not None:
            position = position.play(move)
    return position


@dataclass(frozen=True, slots=True)
class PieceStyle:
    ground: Color
    colour: Color
    texts: tuple[str, ...] = ()
    bold: bool = False
    hatch: str = ""


class TetrominoBoard(PieceBoard[Tetrominoes]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "take('I')", "I", show=False, tooltip="Take that piece in hand"),
        Binding("2", "take('L')", "L", show=False, tooltip="Take that piece in hand"),
        Binding("3", "take('O')", "O", show=False, tooltip="Take that piece in hand"),
        Binding("4", "take('S')", "S", show=False, tooltip="Take that piece in hand"),
        Binding("5", "take('T')", "T", show=False, tooltip="Take that piece in hand"),
        Binding("tab", "take_next", "Next piece", show=False, tooltip="Take the next piece in hand"),
        Binding(
            default_key("flip"),
            "turn_over",
            "Flip",
            show=False,
            tooltip="Flip the piece (also: right click)",
            id="flip",
        ),
        Binding(
            default_key("dead_cells"),
            "dead_cells",
            "Dead cells",
            show=False,
            tooltip="Hatch cells that no piece can reach",
            id="dead_cells",
        ),
    ]

    HOW = "Use arrows and Enter, or\nclick. The wheel rotates."

    SHOWS_POINTED = True

    CELL_SIZES = ((10, 5), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1))

    dead_shown: reactive[bool] = reactive(False, repaint=False)

    def __init__(self, view: BoardScene, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self._taken = ""
        self.orientations = {piece: lying(piece, 1) for piece in PIECES}
        rows, columns = self.shape
        self.set_reactive(GridBoard.cursor, (rows // 2, columns // 2))
        self._begin_where_it_fits()
        self._laid: dict[int, int] = {}
        self._belongs: dict[int, int] = {}
        self._over: Placement | None = None
        self._fits = False
        self._under: set[int] = set()
        self._marks: dict[int, MoveVerdict[Any]] = {}
        self._dead: set[int] = set()

    @property
    def position(self) -> Tetrominoes:
        position = super().position
        # An empty board would not identify the game.
        return begun(position) if self.small and not position.occupied else position

    @property
    def _on_its_side(self) -> bool:
        return self.small and self.position.height > self.position.width

    @property
    def shape(self) -> tuple[int, int]:
        sides = self.position.height, self.position.width
        return (sides[1], sides[0]) if self._on_its_side else sides

    def row_label(self, row: int) -> str:
        return str(self.position.height - row)

    def column_label(self, column: int) -> str:
        return cell_name(column, 0)[0]

    def _number(self, row: int, column: int) -> int:
        if self._on_its_side:
            return self._cell_number(row, column)
        return self._cell_number(column, self.position.height - 1 - row)

    def _cell_number(self, file: int, rank: int) -> int:
        return rank * self.position.width + file

    @property
    def piece(self) -> str:
        hand = pieces_in(self.position.hands[self.position.turn])
        return self._taken if self._taken and self._taken in hand else hand[:1]

    @property
    def orientation(self) -> int:
        return self.orientations.get(self.piece, 1)

    def move_at(self, cell: Cell) -> Placement | None:
        """Return the placement of the selected piece that is nearest to a cell. It may be illegal."""
        if not self.view.playable or not self.piece:
            return None
        steps = ORIENTATIONS[self.piece][self.orientation - 1]
        xs, ys = [x for x, _ in steps], [y for _, y in steps]
        file = max(-min(xs), min(cell[1], self.position.width - 1 - max(xs)))
        rank = max(-min(ys), min(self.position.height - 1 - cell[0], self.position.height - 1 - max(ys)))
        return Placement(self.piece, self.orientation, file, rank)

    def _begin_where_it_fits(self) -> None:
        over, moves = self.move_at(self.cursor), self.position.moves()
        if over is None or self.position.fits(over) or not moves:
            return

        def distance(move: Placement) -> tuple[bool, bool, int]:
            turned = move.orientation != self.orientations[move.piece]
            return move.piece != over.piece, turned, abs(move.file - over.file) + abs(move.rank - over.rank)

        self._take(min(moves, key=distance))

    def _take(self, move: Placement) -> None:
        self._taken, self.orientations[move.piece] = move.piece, move.orientation
        self.set_reactive(GridBoard.cursor, (self.position.height - 1 - move.rank, move.file))

    def preview_move(self, move: Any) -> None:
        self._take(move)
        self.point()

    def chosen(self, cell: Cell) -> None:
        move = self.move_at(cell)
        if move is not None and not self.position.fits(move):
            self.app.notify("The piece does not fit here. Move it or rotate it.", severity="warning")
        else:
            self.post_message(self.Play(self, move))

    def replies(self, move: Placement) -> int:
        position = self.position
        mask = position.board.placements[move]
        theirs = position.placements(1 - position.turn)
        return sum(not mask & position.board.placements[reply] for reply in theirs)

    def describe(self, move: Any) -> str:
        if not self.position.fits(move):
            covered = self.position.covered_cell(move)
            return f"does not fit: {f'{covered} is covered' if covered else 'it sticks out of the board'}"
        left = self.replies(move)
        if left:
            return f"leaves {quantity(left, 'reply', 'replies')}"
        return "leaves no reply" if any(self.position.play(move).hands) else "places the last piece"

    def end_frames(self) -> list[EndFrame]:
        last, height = self.view.last, self.position.height
        if not isinstance(last, Placement):
            return []
        cells = [(height - 1 - y, x) for x, y in last.cells]
        return [EndFrame(frozenset(cells[:count])) for count in range(1, len(cells) + 1)]

    def action_take(self, piece: str) -> None:
        if piece in pieces_in(self.position.hands[self.position.turn]):
            if piece != self.piece:
                self.orientations[piece] = lying(piece, self.orientations[piece])
            self._taken = piece
            self.point()
        elif self.piece:
            self.app.notify(f"The {piece} is not in this hand. Choose another piece.", severity="warning")

    def action_take_next(self) -> None:
        hand = pieces_in(self.position.hands[self.position.turn])
        if hand:
            self.action_take(hand[(hand.index(self.piece) + 1) % len(hand)])

    def action_rotate(self, quarters: int) -> None:
        if self.piece:
            self.orientations[self.piece] = rotated(self.piece, self.orientation, quarters)
            self.point()

    def action_turn_over(self) -> None:
        if self.piece:
            self.orientations[self.piece] = turned_over(self.piece, self.orientation)
            self.point()

    def action_dead_cells(self) -> None:
        self.dead_shown = not self.dead_shown
        self.point()

    def action_go(self, down: int, right: int) -> None:
        over = self.move_at(self.cursor)
        if over is not None:
            self.set_reactive(GridBoard.cursor, (self.position.height - 1 - over.rank, over.file))
        super().action_go(down, right)

    def take_in(self, view: BoardScene) -> None:
        position, before = cast(Tetrominoes, view.position), self.position
        moved = (position, position.laid, view.playable) != (before, before.laid, self.view.playable)
        self.view = view
        if moved:
            self._begin_where_it_fits()
            self.tell()
        else:
            self.update()

    def look_up(self) -> None:
        position, view = self.position, self.view
        masks = position.board.placements
        self._laid = position.pieces_at()
        self._belongs = dict.fromkeys(cells_of(position.occupied), COVERED) | self._laid
        if isinstance(view.hinted, Placement):
            self._belongs |= dict.fromkeys(cells_of(masks[view.hinted]), HINTED)
        self._over = self.move_at(self.cursor) if self.cursor_shown else None
        self._fits = self._over is not None and position.fits(self._over)
        self._under = set()
        if self._over is not None:
            # A piece longer than the board is wide sticks out.
            inside = [(x, y) for x, y in self._over.cells if x < position.width and y < position.height]
            self._under = {self._cell_number(x, y) for x, y in inside}
            self._belongs |= {n: OVER for n in self._under if not position.occupied >> n & 1}
        pivots = {
            self._cell_number(known.move.file, known.move.rank): known
            for known in view.values
            if (known.move.piece, known.move.orientation) == (self.piece, self.orientation)
        }
        self._marks = {at: known for at, known in pivots.items() if known.verdict.value is not None}
        self._dead = set(cells_of(position.dead_cells())) if self.dead_shown else set()

    def _wall(self, one: int, other: int) -> bool:
        return self._belongs.get(one, FREE) != self._belongs.get(other, FREE)

    def draw(self, row: int, column: int, width: int, height: int) -> CellLines:
        number = self._number(row, column)
        rows, columns = self.shape
        right = column + 1 < columns and self._wall(number, self._number(row, column + 1))
        below = row + 1 < rows and self._wall(number, self._number(row + 1, column))
        face = self._face(number, height == 1)
        inner = width - 1 if width > 2 else width
        text = next((text for text in face.texts if len(text) <= inner), "")
        plain = self.glyphs is ASCII
        wall = mixed(face.ground, face.colour, 0.6) if plain else self.colour("background")
        edge = ("|" if plain else WALL) if right else " "
        lines = []
        for line in range(height):
            floor = FLOOR if below and height > 1 and line == height - 1 else " "
            middle = line == (height - 1) // 2
            if face.hatch or middle:
                written = (text if middle else "").center(inner, face.hatch or " ")
                segments = [Segment(written, ink(face.colour, face.ground, face.bold))]
            else:
                segments = [Segment(floor * inner, ink(wall, face.ground))]
            if inner < width:
                segments.append(Segment(edge if right else floor, ink(wall, face.ground)))
            lines.append(segments)
        return lines

    def _face(self, number: int, lettered: bool) -> PieceStyle:
        belongs, known = self._belongs.get(number, FREE), self._marks.get(number)
        dark, board = Color.parse(DARK), self.colour("panel")
        if number in self._under:
            return self._face_over(number)
        if belongs == HINTED:
            sign = self.glyphs.only if self.view.missed else self.glyphs.turn
            texts = self._texts(known) if known else (sign,)
            return PieceStyle(Color.parse(MISSED if self.view.missed else HINT), dark, texts, True)
        if belongs >= 0:
            return self._face_laid(number, belongs, lettered)
        if belongs == COVERED:
            return PieceStyle(mixed(board, self.colour("faint"), 0.45), self.colour("foreground"), ("#",))
        if known is not None:
            colour, texts = self.colour(value_colour(known.verdict.value)), self._texts(known)
            if not known.best:
                return PieceStyle(board, colour, texts)
            if known.verdict.value is Value.LOSS:
                return PieceStyle(mixed(board, colour, 0.3), self.colour("foreground"), texts, True)
            return PieceStyle(colour, self.colour("background"), texts, True)
        if number in self._dead:
            return PieceStyle(board, self.colour("faint"), hatch=self.glyphs.hatch)
        return PieceStyle(board, mixed(board, self.colour("faint"), 0.6), (self.glyphs.dot,))

    def _face_over(self, number: int) -> PieceStyle:
        assert self._over is not None
        turn, known = self.position.turn, self._marks.get(number)
        pivot = self._cell_number(self._over.file, self._over.rank)
        if self._fits:
            sign = letter(self._over.piece, turn)
            texts = self._texts(known) if known and number == pivot else (f" {sign} ", sign)
            board, hand = self.colour("panel"), Color.parse(IN_HAND[turn])
            return PieceStyle(mixed(board, hand, 0.2), hand, texts, True, self.glyphs.hatch)
        if number in self._laid:
            return replace(self._face_laid(number, self._laid[number], False), texts=(self.glyphs.threw,))
        ground = mixed(self.colour("panel"), self.colour("loss"), 0.4)
        return PieceStyle(ground, self.colour("foreground"), (self.glyphs.threw,), True)

    def _face_laid(self, number: int, index: int, lettered: bool) -> PieceStyle:
        laid = self.position.laid[index]
        player = self.position.player_of(index)
        sign, latest = letter(laid.piece, player), laid == self.view.last
        if latest and self.view.mistake:
            return PieceStyle(Color.parse(MISTAKE), Color.parse(DARK), (self.glyphs.threw,), True)
        texts: tuple[str, ...] = ()
        if number == self._cell_number(laid.file, laid.rank):
            texts = (f"[{sign}]", sign) if latest else (sign,)
        elif lettered:
            texts = (sign,)
        return PieceStyle(Color.parse(GROUNDS[player][laid.piece]), Color.parse(DARK), texts, latest)

    def _texts(self, known: MoveVerdict[Any]) -> tuple[str, ...]:
        return self.value_text(known), self.glyphs.value(known.verdict.value)


SLOTS = {"I": 8, "L": 6, "O": 4, "S": 6, "T": 6}
"""Width of each piece in columns, two per cell."""
WORDS = (("rotate", "rotate", "rotate(1)"), ("flip", "flip", "turn_over"))


class Part(Enum):
    NAME = "name"
    UPPER = "upper half of the pieces"
    LOWER = "lower half of the pieces"
    KEYS = "keys"
    WORDS = "words"


def layout(own: int) -> tuple[tuple[Part, int], ...]:
    lines: list[tuple[Part, int]] = []
    for player in range(2):
        lines += [(part, player) for part in (Part.NAME, Part.UPPER, Part.LOWER)]
        if player == own:
            lines.append((Part.KEYS, player))
    return (*lines, (Part.WORDS, own))


def drawn(piece: str, orientation: int) -> set[tuple[int, int]]:
    """Return the (column, line) cells of a piece, turned to fit into two lines."""
    steps = ORIENTATIONS[piece][lying(piece, orientation) - 1]
    left, top = min(x for x, _ in steps), max(y for _, y in steps)
    return {(x - left, top - y) for x, y in steps}


class HandsPanel(Widget):
    DEFAULT_CSS = """
    HandsPanel { width: 1fr; height: 8; margin-bottom: 1; }
    """

    _board: TetrominoBoard | None = None
    _names: tuple[str, ...] = ("", "")
    _base = Style.null()
    _over = False

    own = 0
    """The player whose keys are shown below the pieces: the only human, otherwise the player to move."""

    def show(self, board: TetrominoBoard, scene: Scene | None = None) -> None:
        if scene is None:
            own = board.view.first.turn
            names = tuple("You" if seat == own else "The other side" for seat in range(2))
        else:
            people = [seat for seat, player in enumerate(scene.players) if player.human]
            own = people[0] if len(people) == 1 else board.position.turn
            names = tuple(f"{player.name}{player.notes}" for player in scene.players)
        self._board, self.own, self._names = board, own, names
        self._over = scene is not None and scene.over
        self.refresh()

    @property
    def _gap(self) -> int:
        return max(1, (self.size.width - sum(SLOTS.values())) // (len(SLOTS) - 1))

    def _line(self, y: int) -> list[tuple[list[Segment], str]]:
        # Computed once per line, because it is slower than drawing.
        self._base = self.rich_style
        lines = layout(self.own)
        if self._board is None or y >= len(lines):
            return []
        part, player = lines[y]
        if part is Part.NAME:
            return [(self._owner(self._board, player), "")]
        if part is Part.WORDS:
            return [] if self._over else self._words(self._board)
        draw = self._keys if part is Part.KEYS else partial(self._hand, line=int(part is Part.LOWER))
        return [
            (draw(self._board, player, piece), self._action(self._board, player, piece)) for piece in SLOTS
        ]

    def render_line(self, y: int) -> Strip:
        segments = chain.from_iterable(segments for segments, _ in self._line(y))
        return Strip(segments).adjust_cell_length(self.size.width, self._base)

    def _blank(self, width: int) -> Segment:
        return Segment(" " * width, self._base)

    def _segment(self, text: str, colour: str, bold: bool = False) -> Segment:
        return Segment(text, ink(self.app.theme_variables[colour], self._base.bgcolor, bold))

    def _owner(self, board: TetrominoBoard, player: int) -> list[Segment]:
        moving = player == board.position.turn and not self._over
        sign = board.glyphs.turn if moving else " "
        return [
            self._segment(f"{sign} {SIDES[player]:<8}", "primary" if moving else "faint", moving),
            self._segment(self._names[player], "foreground", moving),
        ]

    @staticmethod
    def _action(board: TetrominoBoard, player: int, piece: str) -> str:
        if player != board.position.turn or piece not in pieces_in(board.position.hands[player]):
            return ""
        return "turn_over" if piece == board.piece else f"take('{piece}')"

    def _hand(self, board: TetrominoBoard, player: int, piece: str, line: int) -> list[Segment]:
        taken = player == board.position.turn and piece == board.piece
        cells = drawn(piece, board.orientations[piece] if player == self.own else 1)
        ground = Color.parse(IN_HAND[player] if taken else GROUNDS[player][piece])
        segments: list[Segment] = []
        for column in range(SLOTS[piece] // 2):
            if (column, line) not in cells:
                segments.append(self._blank(2))
            elif piece in pieces_in(board.position.hands[player]):
                segments.append(Segment("[]", ink(DARK, ground, taken)))
            else:
                back = Color.parse(self.app.theme_variables["surface"])
                dim = ink(mixed(back, ground, 0.5), mixed(back, ground, 0.15))
                segments.append(Segment(board.glyphs.dot.ljust(2), dim))
        return [*segments, self._blank(self._gap)]

    def _keys(self, board: TetrominoBoard, player: int, piece: str) -> list[Segment]:
        room = SLOTS[piece] + self._gap
        if piece not in pieces_in(board.position.hands[player]):
            return [self._blank(room)]
        moving = player == board.position.turn
        values = (known for known in board.view.values if moving and known.move.piece == piece)
        judged = [known for known in values if known.verdict.value is not None]
        best = max(judged, key=lambda known: known.verdict.preference, default=None)
        value = best.verdict.value if best else None
        taken = moving and piece == board.piece
        sign = board.glyphs.turn if taken else " "
        mark = board.value_text(best) if best else ""
        if best and len(mark) > room - 4:
            mark = board.glyphs.value(value)
        return [
            self._segment(f"{sign}{PIECES.index(piece) + 1} ", "primary", taken),
            self._segment(piece, "foreground", taken),
            self._segment(mark.ljust(room - 4), value_colour(value)),
        ]

    def _words(self, board: TetrominoBoard) -> list[tuple[list[Segment], str]]:
        parts: list[tuple[list[Segment], str]] = []
        keys = keys_of(self.app)
        for key, word, action in (shortcut(keys, *words) for words in WORDS):
            on = action == "dead_cells" and board.dead_shown
            name = self._segment(f" {word}" if key else word, "foreground" if on else "faint", on)
            parts += [([self._segment(key, "primary", True), name], action), ([self._blank(2)], "")]
        return parts

    def action_at(self, x: int, y: int) -> str:
        end = 0
        for segments, action in self._line(y):
            end += sum(segment.cell_length for segment in segments)
            if x < end:
                return action
        return ""

    def on_click(self, event: events.Click) -> None:
        self._ask(self.action_at(event.x, event.y))

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def wheel(self, event: events.MouseEvent) -> None:
        event.stop()
        self._ask("rotate(1)" if isinstance(event, events.MouseScrollDown) else "rotate(-1)")

    def _ask(self, action: str) -> None:
        if action and self._board is not None:
            self.call_later(self._board.run_action, action)


class TetrominoScreen(MatchScreen):
    # The hands name the players. On a narrow screen they need the width; on a low one a hint replaces the
    # moves.
    CSS = """
    TetrominoScreen #seats { display: none; }
    TetrominoScreen #status { height: 2; }
    TetrominoScreen.-slim #side, TetrominoScreen.-normal #side { width: 36; }
    TetrominoScreen.-narrow #status { height: 1; }
    TetrominoScreen.-narrow #hands { margin: 0; }
    TetrominoScreen.-low.-hinting #hint-scroll { height: 1fr; max-height: 100%; margin: 0; }
    TetrominoScreen.-narrow.-low.-hinting #hint-scroll { height: auto; }
    TetrominoScreen.-low.-hinting #moves, TetrominoScreen.-low.-hinting #graph { display: none; }
    """

    BOARD = TetrominoBoard
    HAND = HandsPanel
