"""Tic-tac-toe as a game of the arcade; with 5,478 positions, retrograde analysis solves it at once."""

from functools import cached_property
from itertools import starmap

from arcade.engines.files import InputError
from arcade.engines.game import Game
from arcade.engines.menace.players import MATCHBOXES
from arcade.engines.menace.rules import CELL_OF, CELLS, MARKS, SYMMETRIES, Cell, TicTacToe, image, mark_at
from arcade.engines.parameters import Parameters
from arcade.engines.players import PlayerKind
from arcade.engines.position import Symmetry
from arcade.engines.retrograde import RetrogradeSolver
from arcade.engines.wording import amount


class TicTacToeSolver(RetrogradeSolver[TicTacToe, Cell]):
    def warm(self) -> None:
        from arcade.engines.menace.training import warm

        warm()


def symmetry(name: str, cells: tuple[int, ...]) -> Symmetry[TicTacToe, Cell]:
    return Symmetry(
        name,
        lambda position: TicTacToe(image(position.board, cells), position.turn),
        lambda _, move: Cell(cells[move.index]),
    )


class Menace(Game[TicTacToe, Cell], table="game.toml"):
    name = "menace"
    sides = ("X", "O")
    guest_seats = ("MENACE", "human")

    def start(self, parameters: Parameters, seed: int) -> TicTacToe:
        return TicTacToe(0, 0)

    def parse_position(self, text: str, parameters: Parameters | None = None) -> TicTacToe:
        """Read nine characters like `X.O......`; also small letters, - and _, and a / after each row."""
        marks = text.strip().upper().replace("/", "").replace("-", ".").replace("_", ".")
        for number, mark in enumerate(marks, 1):
            if mark not in MARKS:
                raise InputError(f"Cell {number} of {text!r} is {mark!r}; it must be X, O or '.'.")
        if len(marks) != CELLS:
            raise InputError(
                f"The board {text!r} has {amount(len(marks), 'cell')}; it must have 9, like X.O......"
            )
        xs, os = marks.count("X"), marks.count("O")
        if xs not in (os, os + 1):
            raise InputError(
                f"The board {text!r} has {xs} X and {os} O; as X begins, "
                "it must have as many X as O, or one more."
            )
        board = sum(MARKS.index(mark) << 2 * cell for cell, mark in enumerate(marks))
        found = TicTacToe(board, xs - os)
        if TicTacToe(board, 1 - found.turn).line() is not None:
            raise InputError(f"On the board {text!r} play continued after a side had won.")
        return found

    def parse_move(self, text: str, position: TicTacToe | None = None) -> Cell:
        cell = CELL_OF.get(text.strip().lower())
        if cell is None:
            raise InputError(f"The move {text!r} is not a cell; cells are a1 to c3, and b2 is the centre.")
        return cell

    def make_solver(self) -> TicTacToeSolver:
        return TicTacToeSolver()

    @cached_property
    def player_kinds(self) -> tuple[PlayerKind, ...]:
        return (*self.duel_kinds(), MATCHBOXES, *self.historic())

    def representative(self, position: TicTacToe) -> TicTacToe:
        return TicTacToe(min(image(position.board, cells) for _, cells in SYMMETRIES), position.turn)

    def symmetries(self, position: TicTacToe) -> list[Symmetry[TicTacToe, Cell]]:
        return list(starmap(symmetry, SYMMETRIES[1:]))

    def features(self, position: TicTacToe, start: TicTacToe) -> list[int]:
        return [*(mark_at(position.board, cell) for cell in range(CELLS)), position.turn]

    def move_index(self, position: TicTacToe, move: Cell) -> int:
        return move.index

    def where(self, position: TicTacToe, move: Cell) -> str:
        if move.index == 4:
            return "Look at the centre."
        return "Look at the corners." if move.index % 2 == 0 else "Look at the edges."
