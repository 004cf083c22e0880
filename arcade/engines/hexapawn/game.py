"""The game of Hexapawn, and its players."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from arcade.engines.control import Control
from arcade.engines.encoding import Encoding
from arcade.engines.explanations import Explanations
from arcade.engines.files import InputError, looks_like_file, package_text, read_text
from arcade.engines.game import Game
from arcade.engines.hexapawn import SUMMARY, TITLE
from arcade.engines.hexapawn.alpha_beta import rank
from arcade.engines.hexapawn.course import read_course, signed
from arcade.engines.hexapawn.reasons import RULES
from arcade.engines.hexapawn.reference_methods import COMPARISON
from arcade.engines.hexapawn.rules import (
    SIDES,
    PawnMove,
    PawnPosition,
    column_name,
    parse_board,
    parse_step,
    size_flaw,
)
from arcade.engines.parameters import Parameter, Parameters, ParameterSet, ParameterValue, Preset
from arcade.engines.players import Player, PlayerKind, Players
from arcade.engines.position import Symmetries, Symmetry
from arcade.engines.reasons import Rule, stored_lines
from arcade.engines.teaching import PathStep, Practice, Teaching
from arcade.engines.verdict import HintRegion, Squares, Verdict

if TYPE_CHECKING:
    from arcade.engines.hexapawn.solver import HexapawnSolver

_BOARD = re.compile("([0-9]+[x×][0-9]+)?(?![^,:#])", re.IGNORECASE)


class HexapawnParameters(ParameterSet[PawnPosition]):
    def check(self, parameters: Parameters) -> dict[str, ParameterValue]:
        checked = super().check(parameters)
        flaw = size_flaw(int(checked["rows"]), int(checked["columns"]))
        if flaw is not None:
            raise InputError(flaw)
        return checked

    def parse(self, text: str) -> dict[str, ParameterValue]:
        return super().parse(text.replace("misère", "misere"))

    def of(self, position: PawnPosition) -> dict[str, ParameterValue]:
        return {parameter.name: getattr(position, parameter.name) for parameter in self}

    def split(self, rest: str) -> tuple[str, str | None, int | None]:
        if _BOARD.match(rest) or not looks_like_file(rest.partition(":")[0]):
            if not _BOARD.match(rest) and os.path.isfile(rest):
                raise InputError(
                    f"Hexapawn has no board {rest!r}. To open a file with that name, write ./{rest}."
                )
            return super().split(rest)
        board = read_course(read_text(rest))
        return self.text(self.of(board)), board.text(), None


class HexapawnSymmetries(Symmetries[PawnPosition, PawnMove]):
    def quick_canonical(self, position: PawnPosition) -> PawnPosition:
        seen = position.turned() if position.turn else position
        return min(seen, seen.mirrored(), key=lambda image: (image.white, image.black))

    def transforms(self, position: PawnPosition) -> list[Symmetry[PawnPosition, PawnMove]]:
        def mirrored(board: PawnPosition, move: PawnMove) -> PawnMove:
            last = board.columns - 1
            return PawnMove(last - move.column, last - move.to_column, move.to_row)

        return [Symmetry("mirrored left to right", PawnPosition.mirrored, mirrored)]

    def images(self, position: PawnPosition) -> list[PawnPosition]:
        turned = position.turned()
        images = dict.fromkeys((position.mirrored(), turned, turned.mirrored()))
        return [image for image in images if image != position]


class HexapawnEncoding(Encoding[PawnPosition, PawnMove]):
    def all_moves(self, start: PawnPosition) -> list[PawnMove]:
        return [
            PawnMove(column, to, row)
            for row in range(start.rows)
            for column in range(start.columns)
            for to in range(max(column - 1, 0), min(column + 2, start.columns))
        ]

    def features(self, position: PawnPosition, start: PawnPosition) -> list[int]:
        squares = range(position.rows * position.columns)
        return [
            *((position.white >> at & 1) + 2 * (position.black >> at & 1) for at in squares),
            position.turn,
        ]


class HexapawnExplanations(Explanations[PawnPosition, PawnMove]):
    def load_rules(self) -> Sequence[Rule[PawnPosition]]:
        return RULES

    def load_lines(self) -> Mapping[str, str]:
        return stored_lines(__package__)

    def squares_of(self, position: PawnPosition, move: PawnMove) -> Squares:
        last, back = position.rows - 1, 1 if position.turn else -1
        return ((last - move.to_row - back, move.column), (last - move.to_row, move.to_column))

    def hint_region(self, position: PawnPosition, move: PawnMove) -> HintRegion:
        if len({other.column for other in position.moves()}) > 1:
            column = tuple((row, move.column) for row in range(position.rows))
            return HintRegion(f"Look at column {column_name(move.column)}.", column)
        return super().hint_region(position, move)

    def verdict_details(self, position: PawnPosition, verdict: Verdict) -> dict[str, Any]:
        return {"signed": signed(verdict)}


class HexapawnPlayers(Players[PawnPosition, PawnMove]):
    perfect_summary = "Makes no mistakes on solved boards."
    seconds = 10.0

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        return (*super().kinds, ALPHA_BETA)


class AlphaBetaPlayer(Player[PawnPosition, PawnMove]):
    def __init__(self, depth: int) -> None:
        self.depth = depth

    def choose(self, position: PawnPosition, rng: random.Random, control: Control) -> PawnMove | None:
        moves = position.moves()
        ranks = rank(position, moves, self.depth, control)
        best = max(ranks)
        return rng.choice([move for move, points in zip(moves, ranks, strict=True) if points == best])


ALPHA_BETA = PlayerKind(
    "nimble",
    "Nimble",
    "Looks a few moves ahead.",
    lambda _, depth: AlphaBetaPlayer(depth),
    Parameter("depth", "Depth", 4, 1, 8, help="moves that it looks ahead"),
)


class Hexapawn(Game[PawnPosition, PawnMove]):
    name = "hexapawn"
    title = TITLE
    summary = SUMMARY
    sides = SIDES
    parameters = HexapawnParameters(
        known=(
            Parameter("rows", "Rows", 4, 2, 64, help="2 or more; rows times columns at most 64"),
            Parameter("columns", "Columns", 4, 1, 32, help="1 or more; rows times columns at most 64"),
            Parameter(
                "misere",
                "Misère",
                False,
                help="a side that reaches the last row or leaves the other no move loses",
            ),
            Parameter("capture", "Must capture", False, help="a side that can capture must"),
        ),
        presets=(
            Preset("Gardner's, 3 by 3", "3x3"),
            Preset("Wide, 3 by 4", "3x4"),
            Preset("Standard, 4 by 4", "4x4"),
            Preset("Large, 5 by 5", "5x5"),
            Preset("Six by six", "6x6"),
            Preset("Misère, 4 by 4", "4x4,misere"),
            Preset("Compulsory capture, 4 by 4", "4x4,capture"),
        ),
    )
    teaching = Teaching(
        rules=package_text(__package__, "rules.md"),
        goal="Get a pawn across, or block every enemy pawn.",
        picture="""\
Pawns step straight ahead
and capture diagonally.""",
        lessons="lessons.toml",
    )
    practice = Practice(
        path=(
            PathStep("3x3", 1, "beginner"),
            PathStep("4x4", 0, "casual"),
            PathStep("4x5", 1, "club"),
            PathStep("5x5", 0, "expert"),
            PathStep("4x4", 0, "perfect"),
        ),
        puzzle_boards=("4x4", "5x4", "4x5", "5x5"),
        grade_thresholds=(15, 40, 100, 200),
    )
    symmetries = HexapawnSymmetries()
    encoding = HexapawnEncoding()
    reference_methods = COMPARISON

    def start(self, parameters: Parameters, seed: int) -> PawnPosition:
        rows, columns = int(parameters["rows"]), int(parameters["columns"])
        return PawnPosition.full(rows, columns, bool(parameters["misere"]), bool(parameters["capture"]))

    def parse_position(self, text: str, parameters: Parameters | None = None) -> PawnPosition:
        """Read a position such as `.p.p/pP../..PP:w`. Variants come last, as in `...:w,misere`."""
        board = parse_board(text)
        if parameters is None:
            return board
        checked = self.parameters.check(parameters)
        wanted = f"{checked['rows']}x{checked['columns']}"
        if board.size != wanted:
            raise InputError(f"The position {text!r} must have {wanted} squares, not {board.size}.")
        misere, capture = bool(checked["misere"]), bool(checked["capture"])
        if (board.misere and not misere) or (board.capture and not capture):
            raise InputError(
                f"The position {text!r} uses {' and '.join(board.variants())}, so the parameters before it "
                f"must be {','.join([wanted, *board.variants()])}."
            )
        return replace(board, misere=misere, capture=capture)

    def parse_move(self, text: str, position: PawnPosition | None = None) -> PawnMove:
        """Read a move such as `b2`, `axb2`, `a1xb2`, `a1-b2` or `B2`.

        If `position` is given, `b2` may also be short for the only capture on b2.
        """
        step = parse_step(text, 0 if position is None else 1 - 2 * position.turn)
        if position is None or step.captures:
            return step
        legal = position.moves()
        there = [move for move in legal if (move.to_row, move.to_column) == (step.to_row, step.to_column)]
        return there[0] if len(there) == 1 and step not in legal else step

    @cached_property
    def solver(self) -> HexapawnSolver:
        from arcade.engines.hexapawn.solver import HexapawnSolver  # loads NumPy

        return HexapawnSolver(facts=True)

    @cached_property
    def explanations(self) -> Explanations[PawnPosition, PawnMove]:
        return HexapawnExplanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def players(self) -> Players[PawnPosition, PawnMove]:
        return HexapawnPlayers(lambda: self.solver)


GAME = Hexapawn()
