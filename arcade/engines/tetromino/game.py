"""The game of Tetromino."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from arcade.engines.control import Control
from arcade.engines.encoding import Encoding
from arcade.engines.explanations import Explanations
from arcade.engines.files import InputError, package_text
from arcade.engines.game import Game
from arcade.engines.parameters import Parameter, Parameters, ParameterSet, ParameterValue, Preset
from arcade.engines.players import Player, PlayerKind, Players
from arcade.engines.position import Symmetries
from arcade.engines.reasons import Rule, stored_lines
from arcade.engines.reference_methods import Comparison
from arcade.engines.teaching import PathStep, Practice, Teaching
from arcade.engines.tetromino import SUMMARY, TITLE
from arcade.engines.tetromino.board import (
    FULL_HAND,
    MAX_CELLS,
    ORIENTATIONS,
    PIECES,
    Placement,
    cell_name,
    hands_text,
    image_of,
    parse_hand,
    parse_hands,
    pieces_in,
)
from arcade.engines.tetromino.reasons import RULES
from arcade.engines.tetromino.rules import SIDES, Tetrominoes, parse_ranks, places_left
from arcade.engines.verdict import (
    HintRegion,
    MoveVerdict,
    Squares,
    Value,
    best_guess_moves,
    value_keeping_moves,
)

if TYPE_CHECKING:
    from arcade.engines.tetromino.solver import TetrominoSolver

MAX_TRAPS = 4
"""Maximum number of best moves whose replies a player checks. The empty board has hundreds of best moves."""


class Greedy(Player[Tetrominoes, Placement]):
    def choose(self, position: Tetrominoes, rng: random.Random, control: Control) -> Placement:
        left = places_left(position)
        moves = [(left(move), move) for move in position.moves()]
        least = min(count for count, _ in moves)
        return rng.choice([move for count, move in moves if count == least])


GREEDY = PlayerKind("greedy", "Greedy", "Leaves you the fewest spots to play.", lambda *_: Greedy())


_PLACEMENT = re.compile(r"([ILOST])([1-9]?)(?:@?([A-Z])([1-9][0-9]?))?")
_LOOKS_LIKE = "a piece, its orientation and the cell of its pivot, like T2@c5"


def hands_of(checked: Parameters) -> tuple[int, int]:
    return parse_hand(str(checked["first"])), parse_hand(str(checked["second"]))


class TetrominoParameters(ParameterSet[Tetrominoes]):
    def check(self, parameters: Parameters) -> dict[str, ParameterValue]:
        checked = super().check(parameters)
        cells = int(checked["width"]) * int(checked["height"])
        if cells > MAX_CELLS:
            size = f"{checked['width']}x{checked['height']}"
            raise InputError(f"A board of {size} has {cells} cells. The limit is {MAX_CELLS}.")
        for hand in ("first", "second"):
            checked[hand] = pieces_in(parse_hand(str(checked[hand])))
        return checked

    def parse(self, text: str) -> dict[str, ParameterValue]:
        size, comma, hands = text.partition(",")
        parameters = ParameterSet(self.known[:2]).parse(size)
        if comma:
            first, second = parse_hands(hands)
            parameters |= {"first": pieces_in(first), "second": pieces_in(second)}
        return self.check(parameters)

    def text(self, parameters: Parameters) -> str:
        checked = self.check(parameters)
        size = f"{checked['width']}x{checked['height']}"
        hands = hands_of(checked)
        return size if hands == (FULL_HAND, FULL_HAND) else f"{size},{hands_text(hands)}"

    def of(self, position: Tetrominoes) -> dict[str, ParameterValue]:
        return self.check({"width": position.width, "height": position.height})


class TetrominoSymmetries(Symmetries[Tetrominoes, Placement]):
    def quick_canonical(self, position: Tetrominoes) -> Tetrominoes:
        # Only coverable cells matter.
        grid, (mine, theirs) = position.board, position.hands[:: -1 if position.turn else 1]
        every = (1 << grid.cells) - 1
        live = grid.canonical(grid.live(every & ~position.occupied, mine | theirs))
        return Tetrominoes(position.width, position.height, every & ~live, (mine, theirs))

    def images(self, position: Tetrominoes) -> tuple[Tetrominoes, ...]:
        exchanged = replace(position, hands=position.hands[::-1], turn=1 - position.turn)
        images = dict.fromkeys(
            replace(seen, occupied=image_of(seen.occupied, symmetry), laid=())
            for seen in (position, exchanged)
            for symmetry in position.board.symmetries
        )
        return tuple(image for image in images if image != position)


class TetrominoEncoding(Encoding[Tetrominoes, Placement]):
    def all_moves(self, start: Tetrominoes) -> list[Placement]:
        return list(dict.fromkeys([*start.placements(0), *start.placements(1)]))

    def features(self, position: Tetrominoes, start: Tetrominoes) -> list[int]:
        cells = [position.occupied >> at & 1 for at in range(position.width * position.height)]
        hands = [hand >> piece & 1 for hand in position.hands for piece in range(len(PIECES))]
        return [*cells, *hands, position.turn]


class TetrominoExplanations(Explanations[Tetrominoes, Placement]):
    def load_rules(self) -> Sequence[Rule[Tetrominoes]]:
        return RULES

    def load_lines(self) -> Mapping[str, str]:
        return stored_lines(__package__)

    def words_of(self, move: Placement) -> str:
        """Describe a placement by its piece and the cell of its pivot."""
        return f"{move.piece} at {cell_name(move.file, move.rank)}"

    def squares_of(self, position: Tetrominoes, move: Placement) -> Squares:
        return tuple((position.height - 1 - rank, file) for file, rank in move.cells)

    def hint_region(self, position: Tetrominoes, move: Placement) -> HintRegion:
        choices = {each.piece for each in position.moves()}
        if len(choices) > 1:
            return HintRegion(f"Use the {move.piece}.")
        middle = (position.height + 1) // 2
        least, most = min(rank for _, rank in move.cells), max(rank for _, rank in move.cells)
        if least >= middle:
            part, ranks = "upper half", range(middle, position.height)
        elif most < middle:
            part, ranks = "lower half", range(middle)
        else:
            part, ranks = "middle", range(least, most + 1)
        squares = ((position.height - 1 - rank, file) for rank in ranks for file in range(position.width))
        return HintRegion(f"Look in the {part} of the board.", tuple(squares))


class TetrominoPlayers(Players[Tetrominoes, Placement]):
    lookahead = (2, 4, 5, 6)
    seconds = 10.0

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        return (*super().kinds, GREEDY)

    def trap(
        self,
        position: Tetrominoes,
        analysis: list[MoveVerdict[Placement]],
        rng: random.Random,
        control: Control,
    ) -> Placement:
        """Choose from a few random best moves, and minimise the share of replies that keep the value."""
        best = best_guess_moves(analysis)
        if best[0].verdict.value is None:
            return self.guess(position, [each.move for each in best], rng, control)
        drawn = [each.move for each in rng.sample(best, min(len(best), MAX_TRAPS))]
        if len(drawn) == 1 or best[0].verdict.value is Value.WIN:
            return drawn[0]
        chosen, least = drawn[0], 2.0
        for move in drawn:
            replies = self.solver.move_values(position.play(move), control)
            if control.stopped:
                break
            holding = len(value_keeping_moves(replies)) / max(1, len(replies))
            if holding < least:
                chosen, least = move, holding
        return chosen

    def heuristic_moves(self, position: Tetrominoes, moves: Sequence[Placement]) -> list[Placement]:
        return sorted(moves, key=places_left(position))[: max(1, len(moves) // 4)]


class Tetromino(Game[Tetrominoes, Placement]):
    name = "tetromino"
    title = TITLE
    summary = SUMMARY
    sides = SIDES
    parameters = TetrominoParameters(
        known=(
            Parameter("width", "Width", 5, 3, 21, help="at most 64 cells in all"),
            Parameter("height", "Height", 8, 3, 21, help="at most 64 cells in all"),
            Parameter("first", "First holds", "ILOST", help="any of I, L, O, S, T"),
            Parameter("second", "Second holds", "ILOST", help="any of I, L, O, S, T"),
        ),
        presets=(
            Preset("Standard, 5 wide and 8 high", "5x8"),
            Preset("Long, 4 by 10", "4x10"),
            Preset("Square, 6 by 6", "6x6"),
            Preset("Wide, 6 by 7", "6x7"),
            Preset("Large, 6 by 8", "6x8"),
        ),
    )
    teaching = Teaching(
        rules=package_text(__package__, "rules.md"),
        goal="Place your five pieces. If you can't place one, you lose.",
        picture="""\
####  #    ##  ##   ###
      ###  ##   ##   #""",
        lessons="lessons.toml",
    )
    practice = Practice(
        path=(
            PathStep("5x6", 1, "beginner"),
            PathStep("5x6", 1, "casual"),
            PathStep("5x7", 0, "club"),
            PathStep("5x8", 1, "expert"),
            PathStep("5x8", 1, "perfect"),
        ),
        better_side=1,
        puzzle_boards=("4x7", "5x6", "4x8", "6x6", "5x8"),
        grade_thresholds=(80, 1000, 3000, 9000),
    )
    symmetries = TetrominoSymmetries()
    encoding = TetrominoEncoding()

    def start(self, parameters: Parameters, seed: int) -> Tetrominoes:
        size = int(parameters["width"]), int(parameters["height"])
        return Tetrominoes(*size, hands=hands_of(parameters))

    def parse_position(self, text: str, parameters: Parameters | None = None) -> Tetrominoes:
        """Read `ranks:hands:turn`. The hands may hold only pieces that `parameters` allow."""
        parts = text.split(":")
        if len(parts) > 3:
            raise InputError(f"The position {text!r} must be ranks:hands:turn, like .../.##/##.:IL-LT:1.")
        width, height, occupied = parse_ranks(parts[0])
        hands = parse_hands(parts[1]) if len(parts) > 1 else None
        turn = parts[2] if len(parts) == 3 else "1"
        if turn not in ("1", "2"):
            raise InputError(f"The turn must be 1 or 2, not {turn!r}.")
        size: Parameters = {"width": width, "height": height}
        allowed = (FULL_HAND, FULL_HAND)
        if parameters is None:
            self.parameters.check(size)
        else:
            checked = self.parameters.check(parameters)
            if (width, height) != (checked["width"], checked["height"]):
                expected = f"{checked['width']}x{checked['height']}"
                raise InputError(f"The position {text!r} is {width}x{height}, but must be {expected}.")
            allowed = hands_of(checked)
        if hands is None:
            hands = allowed
        elif hands[0] & ~allowed[0] or hands[1] & ~allowed[1]:
            raise InputError(
                f"The hands {hands_text(hands)} may contain only {hands_text(allowed)}. Remove the rest."
            )
        return Tetrominoes(width, height, occupied, hands, int(turn) - 1)

    def parse_move(self, text: str, position: Tetrominoes | None = None) -> Placement:
        """Read `T2@c5` or `t2c5`. If `position` is given, also read an abbreviation like `T2`."""
        match = _PLACEMENT.fullmatch(text.strip().upper())
        if match is None:
            raise InputError(f"The move {text!r} must be {_LOOKS_LIKE}.")
        piece, orientation, file, rank = match.groups()
        many = len(ORIENTATIONS[piece])
        if orientation and int(orientation) > many:
            limits = "only orientation 1" if many == 1 else f"orientations 1 to {many}"
            raise InputError(f"The move {text!r} names orientation {orientation}, but {piece} has {limits}.")
        if file and (orientation or many == 1):
            return Placement(piece, int(orientation or 1), ord(file) - ord("A"), int(rank) - 1)
        if position is None:
            raise InputError(f"The move {text!r} must be {_LOOKS_LIKE}.")
        meant = [
            move
            for move in position.moves()
            if move.piece == piece
            and (not orientation or move.orientation == int(orientation))
            and (not file or (move.file, move.rank) == (ord(file) - ord("A"), int(rank) - 1))
        ]
        if len(meant) != 1:
            count = f"is ambiguous: it matches {len(meant)} placements" if meant else "matches no legal move"
            raise InputError(f"The move {text!r} {count}. Write {_LOOKS_LIKE}.")
        return meant[0]

    @cached_property
    def solver(self) -> TetrominoSolver:
        from arcade.engines.tetromino.solver import TetrominoSolver  # loads NumPy

        return TetrominoSolver(facts=True)

    @cached_property
    def explanations(self) -> Explanations[Tetrominoes, Placement]:
        return TetrominoExplanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def players(self) -> Players[Tetrominoes, Placement]:
        return TetrominoPlayers(lambda: self.solver)

    @cached_property
    def reference_methods(self) -> Comparison:
        from arcade.engines.tetromino.reference_methods import COMPARISON  # loads NumPy

        return COMPARISON


GAME = Tetromino()
