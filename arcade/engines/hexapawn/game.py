"""Hexapawn as a game of the arcade: names, parameters, notation, and where its solver and players are."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

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
from arcade.engines.hexapawn.rules import (
    Board,
    Step,
    column_name,
    parse_board,
    parse_step,
    parse_variants,
    size_flaw,
)
from arcade.engines.verdict import Proof, Value, Verdict

if TYPE_CHECKING:
    from arcade.engines.hexapawn.solver import HexapawnSolver
    from arcade.engines.players import PlayerKind

_RULES = """\
Each side has a row of pawns: White's on the lowest row, Black's on the highest. **White moves first.**

A pawn **steps one square straight forward** when that square is free, or **captures one square diagonally
forward**. There is no double step, and nobody has to capture.

**You win by bringing a pawn to the last row, or by leaving the other side without a legal move.** There are
no ties.

Moves are written as in chess: `b2` for a step to b2, `axb2` for a capture on b2 by a pawn of column a.

Two variants can be chosen. In **misère** everything that would win loses: do not reach the last row, and do
not shut the other side in. With **compulsory capture** a side that can capture must.

Martin Gardner made up the game on 3 by 3 squares in 1962, so that a machine of matchboxes could learn it.
"""


class Hexapawn(Game[Board, Step]):
    """Pawns on any board of at least two rows and at most 64 squares."""

    name = "hexapawn"
    title = "Hexapawn"
    summary = "Bring a pawn across, or leave no move."
    rules = _RULES
    sides = ("White", "Black")
    parameters = (
        Parameter("rows", "Rows", 4, 2, 64, help="2 or more; rows times columns at most 64"),
        Parameter("columns", "Columns", 4, 1, 32, help="1 or more; rows times columns at most 64"),
        Parameter(
            "misere", "Misère", False, help="who reaches the last row or shuts the other side in loses"
        ),
        Parameter("capture", "Must capture", False, help="who can capture has no other move"),
    )
    presets = (
        Preset("Gardner's, 3 by 3", "3x3"),
        Preset("Wide, 3 by 4", "3x4"),
        Preset("Standard, 4 by 4", "4x4"),
        Preset("Large, 5 by 5", "5x5"),
        Preset("Six by six", "6x6"),
        Preset("Misère, 4 by 4", "4x4,misere"),
        Preset("Compulsory capture, 4 by 4", "4x4,capture"),
    )

    @cached_property
    def player_kinds(self) -> tuple[PlayerKind, ...]:
        """The common players, made sensible on boards too large to solve, and nimble."""
        from arcade.engines.hexapawn.players import KINDS

        return KINDS

    def parse_parameters(self, text: str) -> dict[str, ParameterValue]:
        """Size and variants from a text like `4x4` or `3x4,misere,capture`.

        Raises:
            InputError: the text is no size of a board, or names an unknown variant.
        """
        if not text:
            return check_parameters(self, {})
        size, *words = text.split(",")
        rows, columns = parse_size(size, "size of the board")
        misere, capture = parse_variants(words, repr(text))
        return self._checked({"rows": rows, "columns": columns, "misere": misere, "capture": capture})

    def _checked(self, parameters: Parameters) -> dict[str, ParameterValue]:
        checked = check_parameters(self, parameters)
        flaw = size_flaw(int(checked["rows"]), int(checked["columns"]))
        if flaw is not None:
            raise InputError(flaw)
        return checked

    def parameters_text(self, parameters: Parameters) -> str:
        """The size and the variants, like `3x4,misere`."""
        variants = [name for name in ("misere", "capture") if parameters[name]]
        return ",".join([f"{parameters['rows']}x{parameters['columns']}", *variants])

    def new(self, parameters: Parameters, seed: int = 0) -> Board:
        """The full board with White to move.

        Raises:
            InputError: a parameter is out of its limits.
        """
        checked = self._checked(parameters)
        variants = bool(checked["misere"]), bool(checked["capture"])
        return Board.full(int(checked["rows"]), int(checked["columns"]), *variants)

    def parse_position(self, text: str, parameters: Parameters | None = None) -> Board:
        """Read `.p.p/pP../..PP:w`: rows from the top, the side to move, and variants as in `...:w,misere`.

        Raises:
            InputError: which part is bad, or the board contradicts the parameters' size or variants.
        """
        board = parse_board(text)
        if parameters is None:
            return board
        checked = self._checked(parameters)
        wanted = f"{checked['rows']}x{checked['columns']}"
        if board.size != wanted:
            raise InputError(f"The position {text!r} must be of {wanted} squares, not of {board.size}.")
        misere, capture = bool(checked["misere"]), bool(checked["capture"])
        if (board.misere and not misere) or (board.capture and not capture):
            raise InputError(
                f"The position {text!r} plays {' and '.join(board.variants())}, so the parameters before it "
                f"must say so too: {','.join([wanted, *board.variants()])}."
            )
        return replace(board, misere=misere, capture=capture)

    def parse_move(self, text: str, position: Board | None = None) -> Step:
        """Read `b2` and `axb2`, and looser notations such as `a1xb2`, `a1-b2` and `B2`.

        With a position, the bare square of a capture is understood when only one move goes there.

        Raises:
            InputError: the text is no move.
        """
        step = parse_step(text)
        if position is None or step.captures:
            return step
        legal = position.moves()
        there = [each for each in legal if (each.to_row, each.to_column) == (step.to_row, step.to_column)]
        return there[0] if len(there) == 1 and step not in legal else step

    def make_solver(self) -> HexapawnSolver:
        """A solver with empty tables."""
        from arcade.engines.hexapawn.solver import HexapawnSolver

        return HexapawnSolver()

    def symmetric(self, position: Board) -> tuple[Board, ...]:
        """The board mirrored, seen from the other side, and both; what is the same board is left out.

        Seen from the other side, the other side is to move: the verdict, which is the mover's, is the same.
        """
        turned = position.turned()
        others = dict.fromkeys((position.mirrored(), turned, turned.mirrored()))
        others.pop(position, None)
        return tuple(others)

    def parameters_of(self, position: Board) -> dict[str, ParameterValue]:
        """The size and variants that the board itself knows."""
        return {
            "rows": position.rows,
            "columns": position.columns,
            "misere": position.misere,
            "capture": position.capture,
        }

    def where(self, position: Board, move: Step) -> str:
        """The column of the pawn to move, or that it captures when all moves are of one column."""
        columns = {each.column for each in position.moves()}
        if len(columns) > 1:
            return f"Look at the {column_name(move.column)} column."
        return super().where(position, move)

    def verdict_json(self, position: Board, verdict: Verdict) -> dict[str, Any]:
        """The common keys, and `signed`: the course's value, see `signed`."""
        return {**verdict.json(), "signed": signed(verdict)}


def signed(verdict: Verdict) -> int | None:
    """The course's value of a position: +k when the mover wins in k plies, -k when it loses in k; else None.

    Only a game that is over has the value 0; the mover has lost it, or in misère won it.
    """
    if verdict.proof is not Proof.EXACT or verdict.remoteness is None:
        return None
    return verdict.remoteness if verdict.value is Value.WIN else -verdict.remoteness
