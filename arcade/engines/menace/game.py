"""The game of tic-tac-toe. Retrograde analysis solves all of its 5,478 positions together."""

from collections.abc import Sequence
from functools import cached_property
from itertools import starmap

from arcade.engines.control import Kernels
from arcade.engines.encoding import Encoding
from arcade.engines.explanations import Explanations
from arcade.engines.files import InputError, package_text
from arcade.engines.game import Game
from arcade.engines.menace import SUMMARY, TITLE
from arcade.engines.menace.players import MATCHBOXES
from arcade.engines.menace.reasons import CENTRE, CORNERS, RULES, SIDES
from arcade.engines.menace.reference_methods import COMPARISON
from arcade.engines.menace.rules import CELL_OF, CELLS, MARKS, SYMMETRIES, Cell, TicTacToe, image, mark_at
from arcade.engines.parameters import Parameters, ParameterSet, Preset
from arcade.engines.players import PlayerKind, Players
from arcade.engines.position import Symmetries, Symmetry
from arcade.engines.reasons import Rule
from arcade.engines.retrograde import RetrogradeSolver
from arcade.engines.teaching import Challenge, PathStep, Practice, Teaching
from arcade.engines.verdict import HintRegion, Squares
from arcade.engines.wording import quantity


class TicTacToeSolver(RetrogradeSolver[TicTacToe, Cell]):
    def warm(self, kernels: Kernels | None = None) -> None:
        from arcade.engines.menace.training import warm  # loads NumPy

        warm(kernels)


def symmetry(name: str, cells: tuple[int, ...]) -> Symmetry[TicTacToe, Cell]:
    return Symmetry(
        name,
        lambda position: TicTacToe(image(position.board, cells), position.turn),
        lambda _, move: Cell(cells[move.index]),
    )


class TicTacToeSymmetries(Symmetries[TicTacToe, Cell]):
    def quick_canonical(self, position: TicTacToe) -> TicTacToe:
        return TicTacToe(min(image(position.board, cells) for _, cells in SYMMETRIES), position.turn)

    def transforms(self, position: TicTacToe) -> list[Symmetry[TicTacToe, Cell]]:
        return list(starmap(symmetry, SYMMETRIES[1:]))


class TicTacToeEncoding(Encoding[TicTacToe, Cell]):
    def features(self, position: TicTacToe, start: TicTacToe) -> list[int]:
        return [*(mark_at(position.board, cell) for cell in range(CELLS)), position.turn]

    def move_index(self, position: TicTacToe, move: Cell) -> int:
        return move.index


class TicTacToeExplanations(Explanations[TicTacToe, Cell]):
    def load_rules(self) -> Sequence[Rule[TicTacToe]]:
        return RULES

    def squares_of(self, position: TicTacToe, move: Cell) -> Squares:
        return (divmod(move.index, 3),)

    def hint_region(self, position: TicTacToe, move: Cell) -> HintRegion:
        parts = {"centre": (CENTRE,), "corners": CORNERS, "sides": SIDES}
        part = next(part for part, cells in parts.items() if move.index in cells)
        says = "Look at the middle cells of the sides." if part == "sides" else f"Look at the {part}."
        return HintRegion(says, tuple(divmod(cell, 3) for cell in parts[part]))


class MenacePlayers(Players[TicTacToe, Cell]):
    lookahead = (1, 2, 4, 5)
    machine_seats = ("MENACE", "human")

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        return (*super().kinds, MATCHBOXES)


class Menace(Game[TicTacToe, Cell]):
    name = "menace"
    title = TITLE
    summary = SUMMARY
    sides = ("X", "O")
    parameters = ParameterSet(presets=(Preset("The empty board", ""),))
    teaching = Teaching(
        rules=package_text(__package__, "rules.md"),
        goal="Get three of your marks in a row, before the other side does.",
        story=(
            "MENACE is a wall of matchboxes: one for each board that it can meet.",
            "A bead's colour stands for a cell. "
            "MENACE picks one blindly, so a colour with many beads comes often.",
            "A win adds beads of the picked colours, a loss takes them away. So it learns from you.",
        ),
        lessons="lessons.toml",
    )
    practice = Practice(
        path=(
            PathStep("", 0, "beginner"),
            PathStep("", 0, "casual"),
            PathStep("", 0, "club"),
            PathStep("", 0, "expert"),
            PathStep("", 0, "perfect"),
        ),
        grade_thresholds=(18, 32, 48, 64),
        challenge=Challenge("MENACE", 0, 10),
    )
    symmetries = TicTacToeSymmetries()
    encoding = TicTacToeEncoding()
    reference_methods = COMPARISON

    def start(self, parameters: Parameters, seed: int) -> TicTacToe:
        return TicTacToe(0, 0)

    def parse_position(self, text: str, parameters: Parameters | None = None) -> TicTacToe:
        """Read nine characters like `X.O......`. Raises InputError if the text is invalid.

        Small letters, - or _ for an empty cell, and a / after each row are allowed.
        """
        marks = text.strip().upper().replace("/", "").replace("-", ".").replace("_", ".")
        for number, mark in enumerate(marks, 1):
            if mark not in MARKS:
                raise InputError(f"Cell {number} of {text!r}: expected X, O or '.', found {mark!r}.")
        if len(marks) != CELLS:
            raise InputError(
                f"Expected 9 cells, as in X.O......, but found {quantity(len(marks), 'cell')} in {text!r}."
            )
        xs, os = marks.count("X"), marks.count("O")
        if xs not in (os, os + 1):
            raise InputError(
                "X moves first, so a board has as many Xs as Os, or one X more. "
                f"The board {text!r} has {xs} X and {os} O."
            )
        board = sum(MARKS.index(mark) << 2 * cell for cell, mark in enumerate(marks))
        found = TicTacToe(board, xs - os)
        if TicTacToe(board, 1 - found.turn).line() is not None:
            raise InputError(f"The board {text!r} is impossible: play continued after one side had won.")
        return found

    def parse_move(self, text: str, position: TicTacToe | None = None) -> Cell:
        cell = CELL_OF.get(text.strip().lower())
        if cell is None:
            raise InputError(f"Expected a cell from a1 to c3, found {text!r}. The centre is b2.")
        return cell

    @cached_property
    def solver(self) -> TicTacToeSolver:
        return TicTacToeSolver()

    @cached_property
    def explanations(self) -> Explanations[TicTacToe, Cell]:
        return TicTacToeExplanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def players(self) -> Players[TicTacToe, Cell]:
        return MenacePlayers(lambda: self.solver)


GAME = Menace()
