"""How the positions and moves of a game look through its symmetries, so that boxes can be shared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from arcade.engines.game import Game, M, P
from arcade.engines.menace.rules import SYMMETRIES, Cell, TicTacToe, image


class Symmetry(ABC, Generic[P, M]):
    """A way to see a position otherwise that keeps whose turn it is and how the game goes on.

    For every legal move: `position(p.play(move)) == position(p).play(move_in(p, move))`.
    """

    name: str
    """What is done to the board, e.g. "turned right"."""

    @abstractmethod
    def position(self, position: P) -> P:
        """The position as it is seen."""

    @abstractmethod
    def move(self, position: P, move: M) -> M:
        """A move of `position`, as it is seen."""


class Identity(Symmetry[P, M]):
    """The position as it is."""

    name = "as it is"

    def position(self, position: P) -> P:
        """The same."""
        return position

    def move(self, position: P, move: M) -> M:
        """The same."""
        return move


class SquareSymmetry(Symmetry[TicTacToe, Cell]):
    """One of the eight symmetries of the tic-tac-toe board."""

    def __init__(self, name: str, cells: tuple[int, ...]) -> None:
        self.name = name
        self.cells = cells

    def position(self, position: TicTacToe) -> TicTacToe:
        """The board turned or mirrored."""
        return TicTacToe(image(position.board, self.cells), position.turn)

    def move(self, position: TicTacToe, move: Cell) -> Cell:
        """The cell that the move's cell goes to."""
        return Cell(self.cells[move.index])


class FileMirror(Symmetry[P, M]):
    """Left and right exchanged, in a game written as chess is.

    The position's text begins with ranks separated by / and ended by : or the end of the text; a move
    names files by the letters from a on, and has no other small letters.
    """

    name = "mirrored left to right"

    def __init__(self, game: Game[P, M]) -> None:
        self.game = game

    def position(self, position: P) -> P:
        """The position whose ranks read the other way."""
        ranks, colon, rest = position.text().partition(":")
        mirrored = "/".join(rank[::-1] for rank in ranks.split("/"))
        return self.game.parse_position(mirrored + colon + rest)

    def move(self, position: P, move: M) -> M:
        """The move whose files are counted from the other side."""
        width = len(position.text().partition(":")[0].partition("/")[0])
        files = "abcdefghijklmnopqrstuvwxyz"[:width]
        return self.game.parse_move(str(move).translate(str.maketrans(files, files[::-1])))


@dataclass(frozen=True)
class Geometry(Generic[P, M]):
    """What the matchboxes must know of a game besides its rules."""

    symmetries: Sequence[Symmetry[P, M]]
    """All of them, the identity first; together they form a group."""
    slot: Callable[[P, M], int]
    """The number of the slot that holds a move's beads, for a box's own position."""


def geometry(game: Game[Any, Any]) -> Geometry[Any, Any]:
    """The symmetries and bead slots of a game.

    Tic-tac-toe has eight symmetries and a slot for each cell, Hexapawn its mirror. Another game may be
    learned too, without sharing boxes. A move's slot is its place among the position's moves.
    """
    if game.name == "menace":
        return Geometry(
            [SquareSymmetry(name, cells) for name, cells in SYMMETRIES], lambda _, move: move.index
        )
    mirrors: list[Symmetry[Any, Any]] = [FileMirror(game)] if game.name == "hexapawn" else []
    return Geometry([Identity(), *mirrors], lambda position, move: list(position.moves()).index(move))
