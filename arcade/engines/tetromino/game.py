"""Tetromino as a game of the arcade: names, parameters, notation, and where its solver is."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from arcade.engines.game import (
    Game,
    InputError,
    Parameter,
    Parameters,
    ParameterValue,
    Preset,
    check_parameters,
    parse_size,
)
from arcade.engines.tetromino.board import LEAST_SIDE, MOST_CELLS, MOST_SIDE, Placement, image_of
from arcade.engines.tetromino.pieces import FULL_HAND, hands_text, parse_hand, parse_hands, pieces_in
from arcade.engines.tetromino.rules import Tetrominoes, parse_placement, parse_position

if TYPE_CHECKING:
    from arcade.engines.players import PlayerKind
    from arcade.engines.tetromino.solver import TetrominoSolver

_RULES = """\
Two players hold the same five pieces, one of each: **I, L, O, S and T**, every shape that four squares
make. The board is a rectangle, as a rule 5 wide and 8 high.

In turn, each lays one piece from the own hand on four free cells of the board. It may be rotated and turned
over at will, so an L may be laid as a J and an S as a Z. Once laid it stays.

**Who cannot lay a piece when it is their turn has lost**: because nothing fits any more, or because the
hand is empty while the other side still holds something. When all ten pieces lie, the game is a tie.

A move is written as the piece, its orientation and the cell of its pivot: `T2@c5` is the T, rotated once,
held by the cell c5. Files are lettered from the left, ranks numbered from the bottom.

On the standard board the second player can always win: every one of the 429 first moves loses. But
after a single slip of the second player it is the first who wins.
"""


class Tetromino(Game[Tetrominoes, Placement]):
    """The two-player game with tetrominoes on any board of up to 64 cells."""

    name = "tetromino"
    title = "Tetromino"
    summary = "Lay your five pieces; who cannot lay loses."
    rules = _RULES
    parameters = (
        Parameter("width", "Width", 5, LEAST_SIDE, MOST_SIDE, help=f"at most {MOST_CELLS} cells in all"),
        Parameter("height", "Height", 8, LEAST_SIDE, MOST_SIDE, help=f"at most {MOST_CELLS} cells in all"),
        Parameter("first", "First holds", pieces_in(FULL_HAND), help="any of I, L, O, S, T"),
        Parameter("second", "Second holds", pieces_in(FULL_HAND), help="any of I, L, O, S, T"),
    )
    presets = (
        Preset("Standard, 5 wide and 8 high", "5x8"),
        Preset("Long, 4 by 10", "4x10"),
        Preset("Square, 6 by 6", "6x6"),
        Preset("Wide, 6 by 7", "6x7"),
        Preset("Large, 6 by 8", "6x8"),
    )

    def parse_parameters(self, text: str) -> dict[str, ParameterValue]:
        """Size and hands from a text like `5x8` or `5x8,ILO-IST`.

        Raises:
            InputError: the size or the hands are bad.
        """
        if not text:
            return self._checked({})
        size, comma, hands = text.partition(",")
        width, height = parse_size(size, "size of the board")
        parameters: dict[str, ParameterValue] = {"width": width, "height": height}
        if comma:
            first, second = parse_hands(hands)
            parameters |= {"first": pieces_in(first), "second": pieces_in(second)}
        return self._checked(parameters)

    def _checked(self, parameters: Parameters) -> dict[str, ParameterValue]:
        checked = check_parameters(self, parameters)
        cells = int(checked["width"]) * int(checked["height"])
        if cells > MOST_CELLS:
            size = f"{checked['width']}x{checked['height']}"
            raise InputError(f"A board of {size} has {cells} cells; it may have at most {MOST_CELLS}.")
        for hand in ("first", "second"):
            checked[hand] = pieces_in(parse_hand(str(checked[hand])))
        return checked

    def parameters_text(self, parameters: Parameters) -> str:
        """The size, and the hands unless both are full."""
        checked = self._checked(parameters)
        size = f"{checked['width']}x{checked['height']}"
        hands = self._hands(checked)
        return size if hands == (FULL_HAND, FULL_HAND) else f"{size},{hands_text(hands)}"

    @staticmethod
    def _hands(checked: Parameters) -> tuple[int, int]:
        return parse_hand(str(checked["first"])), parse_hand(str(checked["second"]))

    def new(self, parameters: Parameters, seed: int = 0) -> Tetrominoes:
        """The empty board.

        Raises:
            InputError: a parameter is out of its limits.
        """
        checked = self._checked(parameters)
        return Tetrominoes(int(checked["width"]), int(checked["height"]), hands=self._hands(checked))

    def parse_position(self, text: str, parameters: Parameters | None = None) -> Tetrominoes:
        """Read `ranks:hands:turn`; the turn may be left out for the first player's.

        With `parameters`, their hands are meant where the text has none; where it has some they must be
        parts of them.

        Raises:
            InputError: which part is bad and what was expected.
        """
        (width, height, occupied), hands, turn = parse_position(text)
        size: Parameters = {"width": width, "height": height}
        allowed = (FULL_HAND, FULL_HAND)
        if parameters is None:
            self._checked(size)
        else:
            checked = self._checked(parameters)
            if (width, height) != (checked["width"], checked["height"]):
                expected = f"{checked['width']}x{checked['height']}"
                raise InputError(f"The position {text!r} is {width}x{height}, but must be {expected}.")
            allowed = self._hands(checked)
        if hands is None:
            hands = allowed
        elif hands[0] & ~allowed[0] or hands[1] & ~allowed[1]:
            raise InputError(
                f"The hands {hands_text(hands)} of the position must be parts of {hands_text(allowed)}."
            )
        return Tetrominoes(width, height, occupied, hands, turn or 0)

    def parse_move(self, text: str, position: Tetrominoes | None = None) -> Placement:
        """Read `T2@c5`, also `t2c5`; with a position also what is short for one legal move, like `T2`.

        Raises:
            InputError: the text names no placement.
        """
        return parse_placement(text, position)

    def make_solver(self) -> TetrominoSolver:
        """A solver with no table yet."""
        from arcade.engines.tetromino.solver import TetrominoSolver

        return TetrominoSolver()

    @cached_property
    def solver(self) -> TetrominoSolver:
        """The solver of this process, with more to offer than every solver has."""
        return self.make_solver()

    @cached_property
    def player_kinds(self) -> tuple[PlayerKind, ...]:
        """Perfect, fallible, random and greedy."""
        from arcade.engines.tetromino.players import KINDS

        return KINDS

    def symmetric(self, position: Tetrominoes) -> tuple[Tetrominoes, ...]:
        """The images under the board's symmetries, and the position with the players exchanged."""
        first, second = position.hands
        exchanged = Tetrominoes(
            position.width, position.height, position.occupied, (second, first), 1 - position.turn
        )
        images = {
            Tetrominoes(
                position.width,
                position.height,
                image_of(position.occupied, symmetry),
                position.hands,
                position.turn,
            ): None
            for symmetry in position.board.symmetries
        }
        return tuple(each for each in (*images, exchanged) if each != position)

    def parameters_of(self, position: Tetrominoes) -> dict[str, ParameterValue]:
        """The size of its board, and full hands: what is not in a hand any more may have been laid."""
        return self._checked({"width": position.width, "height": position.height})

    def where(self, position: Tetrominoes, move: Placement) -> str:
        """The piece to take, or the part of the board when there is but one piece to choose."""
        choices = {each.piece for each in position.moves()}
        if len(choices) > 1:
            return f"Take the {move.piece} in hand."
        half = "upper" if 2 * move.rank >= position.height else "lower"
        return f"Look in the {half} half of the board."
