"""The depth-first search for forced wins, against retrograde analysis and brute force."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.position import Outcome, Position
from arcade.engines.registry import parse_game_id
from arcade.engines.retrograde import work_back
from arcade.engines.verdict import Value
from arcade.engines.win_search import WinSearch
from tests.engines.test_players import random_positions
from tests.engines.test_retrograde import Short
from tests.oracle import BruteForce

MANY = 1_000_000


def search(start: Position[Any], most: int = MANY) -> WinSearch[Any, Any]:
    return WinSearch[Any, Any](start, lambda position: position, most)


def found(start: Position[Any], plies: int, most: int = MANY) -> dict[Any, tuple[Value | None, int | None]]:
    verdicts = search(start, most).moves(plies, Control())
    return {move: (verdict.value, verdict.remoteness) for move, verdict in verdicts.items()}


def forced(
    start: Position[Any], plies: int, oracle: BruteForce
) -> dict[Any, tuple[Value | None, int | None]]:
    """The wins and losses within a number of plies, by brute force."""
    moves = oracle.moves(start, Control())
    return {
        each.move: (each.verdict.value, each.verdict.remoteness)
        for each in moves
        if each.verdict.value is not Value.TIE and (each.verdict.remoteness or 0) <= plies
    }


@pytest.mark.parametrize("text", ["menace", "hexapawn:3x4", "hexapawn:3x4,misere", "chocobar:3x4"])
def test_search_finds_exactly_the_wins_and_losses_within_its_depth(text: str) -> None:
    oracle, proved = BruteForce(), 0
    for position in random_positions(parse_game_id(text).start(), 15):
        for plies in (1, 2, 3, 5, 8):
            truth = forced(position, plies, oracle)
            assert found(position, plies) == truth, position.text()
            proved += len(truth)
    assert proved


@pytest.mark.parametrize("most", [1, 5, 20, 80, 300])
def test_search_with_few_positions_proves_only_true_verdicts(most: int) -> None:
    oracle = BruteForce()
    for position in random_positions(parse_game_id("hexapawn:3x4").start(), 15):
        assert found(position, 20, most).items() <= forced(position, 20, oracle).items()


@dataclass(frozen=True)
class Walk(Position[int]):
    """A walk along the arrows of a graph, which may have cycles. A vertex without arrows ends it."""

    arrows: tuple[tuple[int, ...], ...]
    at: int
    turn: int = 0

    def moves(self) -> tuple[int, ...]:
        return self.arrows[self.at]

    def play(self, move: int) -> "Walk":
        return Walk(self.arrows, move, 1 - self.turn)

    def outcome(self) -> Outcome | None:
        # Vertices 0, 3, 6, ... are won by the player to move, 1, 4, ... are ties, and 2, 5, ... are lost.
        winners = (self.turn, None, 1 - self.turn)
        return None if self.moves() else Outcome(winners[self.at % 3], "Over")


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 13), max_size=3, unique=True).map(tuple), min_size=14, max_size=14),
    st.integers(0, 13),
)
def test_search_matches_retrograde_analysis_on_graphs_with_cycles(
    arrows: list[tuple[int, ...]], start: int
) -> None:
    solved = work_back(arrows, lambda at: (Value.WIN, Value.TIE, Value.LOSS)[at % 3])
    assert solved is not None
    truth = {
        move: (solved[move][0].reversed, plies + 1)
        for move in arrows[start]
        if solved[move][0] is not Value.TIE and (plies := solved[move][1]) is not None
    }
    assert found(Walk(tuple(arrows), start), 99) == truth


def test_cancelled_search_proves_nothing() -> None:
    with Control() as control:
        control.cancel()
        assert search(parse_game_id("hexapawn:8x8").start()).moves(99, control) == {}


def test_search_stops_soon_after_its_limit() -> None:
    control = Short()
    control.most = 500
    search(parse_game_id("hexapawn:8x8").start()).moves(99, control)
    assert 500 <= control.nodes < 500 + 32
