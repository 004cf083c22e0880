"""What every solver has from `Solver`, and the order in which `solve_in_steps` answers."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.registry import parse_game_id
from arcade.engines.solver import Analysis, Goal, Solver
from arcade.engines.verdict import DuelVerdict, Proof, Value
from tests.oracle import BruteForce, Slow

START = parse_game_id("chocobar:2x3").start()


def kinds(analyses: list[Analysis[Any, Any]]) -> list[str]:
    return ["all" if each.complete else "some" if each.moves else "verdict" for each in analyses]


def test_position_verdict_precedes_move_verdicts(control: Control) -> None:
    found = list(BruteForce().solve(START, control))
    assert kinds(found) == ["verdict", "all"]
    assert found[0].verdict == found[1].verdict == BruteForce().verdict(START, control)
    assert [each.move for each in found[1].moves or ()] == START.moves()


@pytest.mark.parametrize(
    ("goal", "expected"),
    [(Goal.VERDICT, ["verdict"]), (Goal.MOVES, ["all"]), (Goal.MOVE_VALUES, ["all"])],
)
def test_goal_omits_unneeded_results(goal: Goal, expected: list[str], control: Control) -> None:
    assert kinds(list(BruteForce().solve(START, control, goal))) == expected


def test_line_grows_to_the_end_by_best_moves(control: Control) -> None:
    solver = BruteForce()
    found = [analysis.line for analysis in solver.solve(START, control, Goal.LINE)]
    plies = solver.verdict(START, control).remoteness or 0
    assert [len(line) for line in found] == list(range(1, plies + 1))
    assert all(longer[:-1] == line for line, longer in itertools.pairwise(found))
    assert solver.line(START, control) == list(found[-1])
    assert solver.best_move(START, control) == found[0][0]
    end = START.after(found[-1])
    assert end.outcome() is not None
    assert solver.line(end, control) == solver.moves(end, control) == []
    assert solver.best_move(end, control) is None


class Gradual(Solver[Any, Any]):
    """Knows the value first, and is then asked for nothing more by who wants no more."""

    left_off = False

    def solve(
        self, position: Position[Any], control: Control, goal: Goal = Goal.ALL
    ) -> Iterator[Analysis[Any, Any]]:
        self.left_off = True
        yield Analysis(position, DuelVerdict())
        yield Analysis(position, DuelVerdict(Proof.BOUND, Value.WIN, at_most=9))
        self.left_off = False
        yield Analysis(position, DuelVerdict(Proof.EXACT, Value.WIN, 5))


def test_value_request_stops_when_the_value_is_known(control: Control) -> None:
    solver = Gradual()
    assert solver.value(START, control) == DuelVerdict(Proof.BOUND, Value.WIN, at_most=9)
    assert solver.left_off
    assert solver.verdict(START, control) == DuelVerdict(Proof.EXACT, Value.WIN, 5)


def test_solver_without_time_for_moves_returns_only_the_verdict() -> None:
    with Control(0.02) as control:
        assert kinds(list(Slow().solve(START, control))) == ["verdict"]


def test_cancelled_solver_returns_unknown_verdicts(control: Control) -> None:
    control.cancel()
    solver = BruteForce()
    assert kinds(list(solver.solve(START, control))) == ["verdict"]
    assert solver.verdict(START, control) == DuelVerdict()
    assert {each.verdict for each in solver.moves(START, control)} == {DuelVerdict()}
    assert (solver.line(START, control), solver.best_move(START, control)) == ([], None)


def test_cancelled_solver_returns_best_known_moves(control: Control) -> None:
    solver, known = BruteForce(), BruteForce().moves(START, control)
    solver.moves(START, control)
    control.cancel()
    assert solver.moves(START, control) == known
    assert solver.best_move(START, control) == next(each.move for each in known if each.best)
