"""Estimates: they see what is near, stop when told, and claim no more than they know."""

import random
from dataclasses import dataclass, replace

import pytest

from arcade.engines.control import Control
from arcade.engines.estimates import playouts
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.solver import HexapawnSolver
from arcade.engines.position import Outcome, Position
from arcade.engines.registry import get_game
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import TetrominoSolver, move_classes
from arcade.engines.verdict import Value
from benchmarks.games.four import GAME as FOUR

MENACE = get_game("menace")


@pytest.mark.parametrize(
    ("board", "best"),
    [("XX.OO....", {"a1", "a2", "a3", "c3", "c1"}), ("XX..O....", {"c3"})],
)
def test_playouts_find_wins_and_threats(board: str, best: set[str], control: Control) -> None:
    position = MENACE.parse_position(board)
    found = playouts(position, position.moves(), 2_000, random.Random(1), control)
    (move,) = found.best
    assert str(move) in best
    assert "wins " in found.because(move)


def test_cancelled_playouts_stop_at_once_and_prefer_no_move(control: Control) -> None:
    position = FOUR.new({"columns": 7, "rows": 6})
    control.cancel()
    found = playouts(position, position.moves(), 10_000, random.Random(1), control)
    assert found.best == position.moves()
    assert found.because(1) == ""
    assert control.nodes == 0


def test_playouts_rate_only_the_given_moves(control: Control) -> None:
    position = FOUR.new({"columns": 4, "rows": 4})
    found = playouts(position, [2, 3], 50, random.Random(1), control)
    assert set(found.scores) == {2, 3}
    assert sum(found.scores.values()) == 50


@dataclass(frozen=True)
class Climb(Position[int]):
    """A race: each of three moves adds to the score."""

    score: int = 0
    left: int = 3
    turn: int = 0

    def moves(self) -> list[int]:
        return [10, 40, 20] if self.left else []

    def play(self, move: int) -> "Climb":
        return replace(self, score=self.score + move, left=self.left - 1)

    def outcome(self) -> Outcome | None:
        return None if self.left else Outcome(None, "done", score=self.score)


def test_playouts_find_the_highest_score_of_a_race(control: Control) -> None:
    found = playouts(Climb(), Climb().moves(), 600, random.Random(1), control)
    assert found.best == [40]
    assert " points on average " in found.because(40)


@dataclass(frozen=True)
class Endless(Position[int]):
    turn: int = 0

    def moves(self) -> list[int]:
        return [1, 2]

    def play(self, move: int) -> "Endless":
        return Endless(1 - self.turn)

    def outcome(self) -> Outcome | None:
        return None


def test_endless_matches_count_as_ties(control: Control) -> None:
    found = playouts(Endless(), [1, 2], 4, random.Random(1), control)
    assert found.because(1) == "it wins 50 of 100 games in which both sides play on at random"


def test_tetromino_estimates_see_a_win_at_once(control: Control) -> None:
    solver, rng, seen = TetrominoSolver(), random.Random(3), 0
    while seen < 5:
        position = Tetrominoes(4, 5)
        while position.outcome() is None:
            moves = position.moves()
            wins = [move for move in moves if position.play(move).outcome() is not None]
            wins = [move for move in wins if position.play(move).ending().value is Value.LOSS]  # type: ignore[union-attr]
            if wins:
                found = solver.estimates(position, moves, 2, rng, control)
                assert set(found.best) == set(wins)
                seen += 1
            position = position.play(rng.choice(moves))


def test_tetromino_estimates_of_equivalent_moves_are_equal(control: Control) -> None:
    position = Tetrominoes(6, 10)
    found = TetrominoSolver().estimates(position, position.moves(), 2, random.Random(1), control)
    for moves in move_classes(position):
        assert len({found.scores[move] for move in moves}) == 1
    assert "you keep " in found.because(found.best[0])


def test_solvers_report_which_boards_they_can_solve(control: Control) -> None:
    hexapawn, tetromino = HexapawnSolver(facts=True), TetrominoSolver()
    boards = {(5, 5): True, (6, 6): True, (7, 7): True, (8, 7): True, (8, 8): False, (7, 6): False}
    for (rows, columns), solved in boards.items():
        assert hexapawn.can_solve(PawnPosition.full(rows, columns), control) is solved
    assert not hexapawn.can_solve(PawnPosition.full(7, 7, misere=True), control)
    assert tetromino.can_solve(Tetrominoes(6, 8), control)
    assert not tetromino.can_solve(Tetrominoes(6, 10), control)
    assert tetromino.can_solve(Tetrominoes(6, 10, hands=(7, 7)), control)
    assert type(MENACE)().solver.can_solve(MENACE.new({}), control)
    assert not type(FOUR)().solver.can_solve(FOUR.new({"columns": 7, "rows": 6}), control)
