"""MENACE as a game of the arcade: names, notation, and where its solver and players are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from arcade.engines.game import Game, InputError, Parameters, ParameterValue, Preset, check_parameters
from arcade.engines.menace.rules import CELL_OF, CELLS, MARKS, SYMMETRIES, Cell, TicTacToe, image

if TYPE_CHECKING:
    from arcade.engines.menace.solver import TicTacToeSolver
    from arcade.engines.players import PlayerKind


class Menace(Game[TicTacToe, Cell]):
    """Tic-tac-toe, and the machine of matchboxes that learns it."""

    name = "menace"
    title = "MENACE"
    summary = "Teach matchboxes to play tic-tac-toe."
    rules = """
X and O take turns; X begins. A turn puts a mark on an empty cell of the board of three by three.
Three marks of one kind in a row, a column or a diagonal win. A full board without such a line is a tie.

MENACE, the *Matchbox Educable Noughts and Crosses Engine*, was built by Donald Michie in 1961 from
matchboxes and glass beads. For each position in which it is to move it has a box; positions that are
turned or mirrored forms of one another share one. A box holds beads, and a bead's colour stands for a
cell. To move, the machine draws a bead at random and plays where it says.

After the game the boxes that were opened are rewarded: for a win each gets three more beads of the
colour that was drawn, for a tie one more; after a loss the bead that was drawn is kept out. Good moves
become likely, bad ones die out. A box that has become empty resigns.
"""
    sides = ("X", "O")
    presets = (Preset("The empty board", ""),)
    guest_seats = ("MENACE", "human")

    def split_id(self, rest: str) -> tuple[str, str | None, int | None]:
        """A position alone follows the name, as in "menace:X.O......"; there are no parameters.

        Raises:
            InputError: a seed that is no whole number.
        """
        if "#" in rest:
            return Game.split_id(self, rest)
        text = rest.removeprefix(":")
        return "", text or None, None

    def parse_parameters(self, text: str) -> dict[str, ParameterValue]:
        """Nothing can be chosen, so the text is empty.

        Raises:
            InputError: the text is not empty.
        """
        if text.strip():
            raise InputError(f"{self.title} has no parameters, so {text!r} means nothing here.")
        return {}

    def parameters_text(self, parameters: Parameters) -> str:
        """Always empty."""
        return ""

    def new(self, parameters: Parameters, seed: int = 0) -> TicTacToe:
        """The empty board, X to move.

        Raises:
            InputError: a parameter is given.
        """
        check_parameters(self, parameters)
        return TicTacToe(0, 0)

    def parse_position(self, text: str, parameters: Parameters | None = None) -> TicTacToe:
        """Read nine characters from the top left, X, O and . for an empty cell.

        Small letters, - and _ for empty cells, and a / after each row are understood too.

        Raises:
            InputError: a strange character, another number of cells, or marks that no match leads to.
        """
        marks = text.strip().upper().replace("/", "").replace("-", ".").replace("_", ".")
        for number, mark in enumerate(marks, 1):
            if mark not in MARKS:
                raise InputError(
                    f"Character {number} of the board {text!r} is {mark!r}; each must be X, O or . for empty."
                )
        if len(marks) != CELLS:
            raise InputError(f"The board {text!r} has {len(marks)} cells; it must have 9, like X.O......")
        xs, os = marks.count("X"), marks.count("O")
        if xs not in (os, os + 1):
            raise InputError(
                f"The board {text!r} has {xs} X and {os} O; as X begins, "
                "it must have as many X as O, or one more."
            )
        board = sum(MARKS.index(mark) << 2 * cell for cell, mark in enumerate(marks))
        found = TicTacToe(board, xs - os)
        if TicTacToe(board, 1 - found.turn).line() is not None:
            raise InputError(f"On the board {text!r} a mark was made after the other side's line had won.")
        return found

    def parse_move(self, text: str, position: TicTacToe | None = None) -> Cell:
        """Read a cell like "b2": columns a to c, rows 1 to 3 from the bottom; capitals are understood.

        Raises:
            InputError: the text is no cell.
        """
        cell = CELL_OF.get(text.strip().lower())
        if cell is None:
            raise InputError(f"The move {text!r} is no cell; cells are a1 to c3, like b2 for the centre.")
        return cell

    def make_solver(self) -> TicTacToeSolver:
        """A plain search, which answers at once."""
        from arcade.engines.menace.solver import TicTacToeSolver

        return TicTacToeSolver()

    @cached_property
    def player_kinds(self) -> tuple[PlayerKind, ...]:
        """The common ones, and machines of matchboxes."""
        from arcade.engines.menace.players import MATCHBOXES
        from arcade.engines.players import COMMON_KINDS

        return (*COMMON_KINDS, MATCHBOXES)

    def symmetric(self, position: TicTacToe) -> Sequence[TicTacToe]:
        """The board turned and mirrored, at most seven others."""
        boards = dict.fromkeys(image(position.board, cells) for _, cells in SYMMETRIES)
        return [TicTacToe(board, position.turn) for board in boards if board != position.board]

    def where(self, position: TicTacToe, move: Cell) -> str:
        """The kind of cell: centre, corner or edge."""
        if move.index == 4:
            return "Look at the centre."
        return "Look at the corners." if move.index % 2 == 0 else "Look at the edges."
