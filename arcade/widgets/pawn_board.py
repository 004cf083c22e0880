"""Hexapawn's board: choose a pawn, then its target square."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from arcade.engines.hexapawn.rules import PawnMove, PawnPosition, column_name, square_name
from arcade.engines.verdict import MoveVerdict, Value, only_move
from arcade.widgets.board import BoardView, Cell, CellLines, GridBoard
from arcade.widgets.glyphs import ASCII
from arcade.widgets.pawns import Ground, Square, Tag, draw_square


class PawnGrid(GridBoard):
    """Squares with pawns, White's side below, with letters below and numbers on the left."""

    CELL_SIZES: ClassVar[tuple[tuple[int, int], ...]] = (
        *((16, 8), (14, 7), (12, 6), (10, 5), (8, 4), (6, 3)),
        *((5, 2), (4, 2), (3, 1), (2, 1), (1, 1)),
    )
    RIM_BELOW = True

    def __init__(self, view: BoardView, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self._rows = self.pawns.rows
        self.set_reactive(GridBoard.cursor, (self._rows - 1, 0))

    @property
    def pawns(self) -> PawnPosition:
        """The position."""
        assert isinstance(self.view.position, PawnPosition)
        return self.view.position

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        return self.pawns.rows, self.pawns.columns

    def row_label(self, row: int) -> str:
        """The number of a row, 1 at the bottom."""
        return str(self.pawns.rows - row)

    def column_label(self, column: int) -> str:
        """The letter of a column, shortened to fit the cells."""
        return column_name(column)[-self._cell[0] :]

    def square_of(self, cell: Cell) -> tuple[int, int]:
        """Convert between cells and the game's squares, whose rows count from the bottom; its own inverse."""
        return self.pawns.rows - 1 - cell[0], cell[1]

    def update(self) -> None:
        """Draw what has changed; on another board the cursor stays as many rows above the lowest."""
        down = self.pawns.rows - self._rows
        self._rows += down
        self.set_reactive(GridBoard.cursor, (max(self.cursor[0] + down, 0), self.cursor[1]))
        super().update()

    def square(self, cell: Cell) -> Square:
        """What a cell shows."""
        row, column = self.square_of(cell)
        return Square(
            self.pawns.square(row, column),
            dark=(row + column) % 2 == 0,
            cursor=cell == self.cursor and self.cursor_shown,
            plain=self.glyphs is ASCII,
        )

    def draw(self, row: int, column: int, width: int, height: int) -> CellLines:
        """A square."""
        return draw_square(self.square((row, column)), width, height)


class PawnBoard(PawnGrid):
    """The board that Hexapawn is played on.

    Choosing a pawn shows its moves, and choosing a target square plays. If only one pawn can go to a square,
    you
    can choose the square first: this selects the pawn, and choosing the square again plays.
    """

    HOW = "arrows, Enter; or click\na pawn, then its square"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "release", "Let go", show=False, tooltip="Unselect the pawn"),
    ]

    def __init__(self, view: BoardView, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self.selected: Cell | None = None
        self._known: PawnPosition | None = None
        self._moves: dict[Cell, dict[Cell, PawnMove]] = {}
        """For each pawn that can move, its moves by target cell."""
        self._values: dict[PawnMove, MoveVerdict[Any]] = {}
        self._only: PawnMove | None = None
        self._marked: dict[Cell, Ground] = {}
        self._learn()

    def _learn(self) -> None:
        """Compute what depends on the view once, not at every key."""
        if self.pawns != self._known:
            self._known, self.selected = self.pawns, None
            self._moves = {}
            for move in self.pawns.moves():
                origin, to = self._ends(move, self.pawns.turn)
                self._moves.setdefault(origin, {})[to] = move
        self._values = {each.move: each for each in self.view.values}
        self._only = only_move(self.view.values)
        self._marked = {}
        if isinstance(self.view.last, PawnMove):
            self._marked.update(dict.fromkeys(self._ends(self.view.last, 1 - self.pawns.turn), Ground.LAST))
        if isinstance(self.view.hinted, PawnMove):
            ends = self._ends(self.view.hinted, self.pawns.turn)
            self._marked.update(dict.fromkeys(ends, Ground.HINTED))
        if self.selected is not None:
            self._marked[self.selected] = Ground.SELECTED

    def _ends(self, move: PawnMove, side: int) -> tuple[Cell, Cell]:
        """The origin and target cell of a side's move."""
        row = move.to_row + (1 if side else -1)
        return self.square_of((row, move.column)), self.square_of((move.to_row, move.to_column))

    def _called(self, cell: Cell) -> str:
        return square_name(*self.square_of(cell))

    def update(self) -> None:
        """Draw what has changed."""
        self._learn()
        super().update()

    # Drawing.

    def square(self, cell: Cell) -> Square:
        """What a cell shows."""
        plain = super().square(cell)
        targets = self._moves.get(self.selected, {}) if self.selected is not None else {}
        tag, texts = self._tag(cell, targets)
        return Square(
            plain.pawn,
            plain.dark,
            Ground.TARGET if cell in targets else self._marked.get(cell, Ground.PLAIN),
            plain.cursor,
            cell in targets,
            tag,
            texts,
            plain.plain,
        )

    def _tag(self, cell: Cell, targets: dict[Cell, PawnMove]) -> tuple[Tag | None, tuple[str, ...]]:
        """The value of the selected pawn's move to a cell, or the best value of the pawn on it."""
        if self.selected is not None:
            moves = [targets[cell]] if cell in targets else []
        else:
            moves = list(self._moves.get(cell, {}).values())
        values = [self._values[move] for move in moves if move in self._values]
        if not values:
            hinted = self.view.hinted
            if isinstance(hinted, PawnMove) and cell == self._ends(hinted, self.pawns.turn)[1]:
                return Tag.HINT, (self.glyphs.turn,)
            return None, ()
        top = max(values, key=lambda each: each.verdict.preference)
        sign = self.glyphs.value(top.verdict.value)
        full = self.glyphs.verdict(top.verdict)
        texts: tuple[str, ...] = (full, sign)
        if self._only in moves:
            texts = (full + self.glyphs.only, sign + self.glyphs.only, full, sign)
        if top.verdict.value is None:
            return Tag.UNKNOWN, texts
        if top.verdict.value is Value.WIN:
            return Tag.BEST_WIN if top.best else Tag.WIN, texts
        return Tag.BEST_LOSS if top.best else Tag.LOSS, texts

    # A person's hands.

    def move_at(self, cell: Cell) -> PawnMove | None:
        """The selected pawn's move to a cell; without a selection the only move to it, or of its pawn."""
        if self.selected is not None:
            return self._moves.get(self.selected, {}).get(cell)
        there = [moves[cell] for moves in self._moves.values() if cell in moves]
        there = there or list(self._moves.get(cell, {}).values())
        return there[0] if len(there) == 1 else None

    def chosen(self, cell: Cell) -> None:
        """Play the selected pawn's move to a cell, or select or unselect the pawn on it."""
        move = self._moves.get(self.selected, {}).get(cell) if self.selected is not None else None
        if move is not None:
            self.post_message(self.Play(self, move))
            return
        came_from = [origin for origin, moves in self._moves.items() if cell in moves]
        if cell == self.selected:
            self.select(None)
        elif cell in self._moves:
            self.select(cell)
        elif self.selected is None and len(came_from) == 1:
            self.select(came_from[0])
        else:
            self.select(None)
            self.app.notify(self._refusal(cell, len(came_from)))

    def select(self, cell: Cell | None) -> None:
        """Select the pawn on a cell, or none."""
        self.selected = cell
        self.update()
        self.post_message(self.Pointed(self, self.move_at(self.cursor)))

    def _refusal(self, cell: Cell, pawns: int) -> str:
        """Why a cell cannot be chosen."""
        board, name = self.pawns, self._called(cell)
        side, other = ("Black", "White") if board.turn else ("White", "Black")
        stands = board.square(*self.square_of(cell))
        if not self._moves:
            return "This game is over."
        if pawns > 1:
            return f"{pawns} pawns can go to {name}: choose one of them first."
        if stands == ".":
            return f"No pawn of {side} can go to {name}."
        if stands == ("P" if board.turn else "p"):
            return f"The pawn on {name} is {other}'s, and {side} is to move."
        if any(self._ends(step, board.turn)[0] == cell for step in board.steps()):
            return f"{side} must capture, and the pawn on {name} cannot."
        return f"The pawn on {name} is blocked."

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The board uses Escape only while a pawn is selected."""
        return self.selected is not None if action == "release" else True

    def action_release(self) -> None:
        """Unselect the pawn."""
        self.select(None)

    # Words.

    def advice(self) -> str:
        """What to do with the pawn that is selected or under the cursor."""
        if self.selected is not None:
            return f"Pawn {self._called(self.selected)}: choose a square; Escape cancels."
        moves = self._moves.get(self.cursor, {}).values()
        if moves:
            return f"Pawn {self._called(self.cursor)}: {' or '.join(map(str, moves))}"
        return "Your move: choose a pawn."

    def describe(self, move: Any) -> str:
        """The effect of a move, and whether it is the only good one."""
        board = self.pawns
        words = [f"takes the pawn on {square_name(move.to_row, move.to_column)}"] if move.captures else []
        after = board.after(move)
        outcome = after.outcome()
        if outcome is not None:
            words.append("reaches the last row" if after.reached() is not None else "blocks everything")
            words.append("and wins" if outcome.winner == board.turn else "and loses")
        if move == self._only:
            words.append("only move")
        return ", ".join(words).replace(", and", " and")
