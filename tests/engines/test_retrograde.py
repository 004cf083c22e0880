"""The general solver, against plain recursion, against counts of others, and where a game is too large."""

import random
from array import array
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arcade.engines import retrograde
from arcade.engines.control import Control
from arcade.engines.position import Outcome, Position
from arcade.engines.retrograde import (
    AdjacencyLists,
    PartialSolve,
    RetrogradeSolver,
    least_positions,
    short_keys,
    work_back,
)
from arcade.engines.verdict import Proof, Value
from benchmarks.games.four import GAME as FOUR
from benchmarks.games.four import Grid
from tests.oracle import BruteForce

SMALL = FOUR.new({"columns": 4, "rows": 4})
LARGE = FOUR.new({"columns": 7, "rows": 6})


@pytest.fixture(autouse=True)
def won_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its plain rules ask each position several times whether it is won."""
    monkeypatch.setattr(Grid, "won", cache(Grid.won))


def near(seed: int) -> Any:
    """A position some moves from the end of a game on the small board."""
    rng, positions = random.Random(seed), [SMALL]
    while moves := positions[-1].moves():
        positions.append(positions[-1].play(rng.choice(moves)))
    return positions[-9]


def same(one: Any, other: Any) -> bool:
    return (one.value, one.remoteness) == (other.value, other.remoteness)


@pytest.mark.slow
def test_four_in_a_row_matches_published_count_and_tie(control: Control) -> None:
    """See tromp.github.io/c4/c4.html: 161,029 positions on 4 columns of 4 cells."""
    verdict = RetrogradeSolver[Any, Any]().verdict(SMALL, control)
    assert verdict.nodes == 161_029
    assert (verdict.value, verdict.proof) == (Value.TIE, Proof.EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_solver_matches_brute_force(seed: int, control: Control) -> None:
    position, oracle = near(seed), BruteForce()
    solver = RetrogradeSolver[Any, Any]()
    for each, known in zip(solver.moves(position, control), oracle.moves(position, control), strict=True):
        assert same(each.verdict, known.verdict)
        assert each.best == known.best


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_limited_exploration_reports_only_true_values(
    seed: int, control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever number of positions it may look at: what it says then is the truth, and more with more."""
    position, known = near(seed), []
    truth = [each.verdict for each in BruteForce().moves(position, control)]
    for most in (1, 10, 30, 100, 300, 1_000, 100_000):
        monkeypatch.setattr(retrograde, "MAX_SEARCHED", most)
        monkeypatch.setattr(retrograde, "PROBE_SIZE", most)
        monkeypatch.setattr(retrograde, "MAX_SOLVED", most)
        verdicts = [each.verdict for each in RetrogradeSolver[Any, Any]().moves(position, control)]
        for said, true in zip(verdicts, truth, strict=True):
            assert same(said, true) or said.value is None
        known.append(sum(said.value is not None for said in verdicts))
    assert known == sorted(known)
    assert known[0] < known[-1] == len(position.moves())


def test_too_large_game_is_reported_and_searched_ahead(
    control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4,531,985,219,092 positions, as Tromp has counted; the sample's limit stays below."""
    monkeypatch.setattr(retrograde, "PROBE_SIZE", 2_000)
    monkeypatch.setattr(retrograde, "MAX_SEARCHED", 2_000)
    solver = RetrogradeSolver[Any, Any]()
    verdict = solver.verdict(LARGE, control)
    assert verdict.value is None
    assert "more than 2,500,000 positions can follow" in verdict.reason
    assert verdict.nodes <= retrograde.PROBE_SIZE + 1 + retrograde.MAX_SEARCHED
    assert 2_500_000 < least_positions(LARGE, control) < 4_531_985_219_092
    assert [each.move for each in solver.moves(LARGE, control)] == LARGE.moves()
    position = LARGE
    for move in (1, 2, 1, 2, 1):
        position = position.play(move)
    seen = {each.move: each.verdict for each in solver.look_ahead(position, 2, control)}
    assert [move for move, each in seen.items() if each.value is Value.LOSS] == [2, 3, 4, 5, 6, 7]
    assert seen[1].value is None


def test_sampled_lower_bound_does_not_exceed_the_count(control: Control) -> None:
    assert 0 < least_positions(SMALL, control) < 161_029


class Short(Control):
    """Stops after so many positions."""

    most = 0

    @property
    def stopped(self) -> bool:
        return self.nodes >= self.most


def test_stopped_search_resumes_where_it_stopped(control: Control, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrograde, "PROBE_SIZE", 2_000)
    monkeypatch.setattr(retrograde, "SAMPLED", 400)
    position = SMALL.after([1, 1, 2])
    whole = RetrogradeSolver[Any, Any]().verdict(position, control)
    assert whole.nodes > 10_000
    solver, looked_at = RetrogradeSolver[Any, Any](), 0
    for part in (0.4, 0.4, 0.1, 2):
        short = Short()
        short.most = int(part * whole.nodes)
        verdict = solver.verdict(position, short)
        looked_at += short.nodes
        assert (verdict.value is None) == (part < 1)
    assert verdict.value is whole.value
    # The sample of random matches counts no positions.
    assert whole.nodes <= looked_at < whole.nodes + 4 * 256


def test_cancelled_search_returns_no_value() -> None:
    solver, position = RetrogradeSolver[Any, Any](), near(1)
    with Control() as control:
        control.cancel()
        assert solver.verdict(position, control).value is None
        assert all(each.verdict.value is None for each in solver.look_ahead(position, 9, control))
    with Control() as control:
        assert same(solver.verdict(position, control), BruteForce().verdict(position, control))


@pytest.mark.parametrize("ending", [None, Value.TIE, Value.LOSS])
def test_cancel_stops_solving_for_any_ending(ending: Value | None) -> None:
    """A path of moves to one end, which nobody has looked at if its value is None."""
    partial = PartialSolve[Any, Any](LARGE)
    partial._children = AdjacencyLists([[at + 1] for at in range(4_000)] + [[]])
    partial._codes = bytearray(4_000) + bytes([retrograde._CODES[ending]])
    with Control() as control:
        control.cancel()
        assert not partial.solve(control)
    assert partial.solve()


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.integers(0, 19), max_size=4), min_size=20, max_size=20))
def test_reversed_edges_match_the_original_edges(rows: list[list[int]]) -> None:
    reversed_rows = AdjacencyLists(rows).reversed_edges()
    edges = sorted((target, source) for source, row in enumerate(rows) for target in row)
    assert edges == sorted((source, target) for source in range(20) for target in reversed_rows[source])
    assert AdjacencyLists(rows)[3] == array("i", rows[3])


def test_cycle_is_a_tie_unless_leaving_it_wins() -> None:
    """0 and 1 lead to each other; 1 may also go to 2, where who moves has lost."""

    def lost(_: int) -> Value:
        return Value.LOSS

    assert work_back([[1], [0]], lost) == [(Value.TIE, None)] * 2
    assert work_back([[1], [0, 2], []], lost) == [(Value.LOSS, 2), (Value.WIN, 1), (Value.LOSS, 0)]


class Colour(Enum):
    RED = 1


@dataclass(frozen=True)
class Fields(Position[int]):
    one: Any
    two: Any = 0
    turn: int = 0

    def moves(self) -> list[int]:
        return []

    def play(self, move: int) -> "Fields":
        raise ValueError("No.")

    def outcome(self) -> Outcome | None:
        return Outcome(None, "Over")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(Colour) | st.binary(),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=5,
)


# A busy machine makes values slowly.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(values, values, values, values)
def test_keys_are_equal_only_for_equal_positions(one: Any, two: Any, three: Any, four: Any) -> None:
    first, second = Fields(one, two), Fields(three, four)
    key = short_keys(first)
    assert (key(first) == key(second)) <= (first == second)
    # An equal text that is another object.
    again = Fields("".join(one) if isinstance(one, str) else one, two)
    assert key(first) == key(again)
