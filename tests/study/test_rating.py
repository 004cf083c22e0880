import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.study.tournament import ELO_SCALE, Standing, ranked, rate, stretch_to_separate

Points = list[list[float]]


def likelihood(points: Points, ratings: list[float]) -> float:
    """The logarithm of how likely the points are, with a tie of each player against somebody of rating 0."""

    def share(difference: float) -> float:
        return 1 / (1 + 10 ** (-difference / 400))

    total = sum(math.log(share(each)) + math.log(share(-each)) for each in ratings) / 2
    for one, other in combinations(range(len(ratings)), 2):
        difference = ratings[one] - ratings[other]
        total += points[one][other] * math.log(share(difference))
        total += points[other][one] * math.log(share(-difference))
    return total


@st.composite
def tables(draw: st.DrawFn) -> Points:
    size = draw(st.integers(2, 5))
    halves = st.integers(0, 40).map(lambda each: each / 2)
    return [[0.0 if i == j else draw(halves) for j in range(size)] for i in range(size)]


def best_shift(points: Points, values: list[float]) -> float:
    """By how much all ratings have to move, for the player of rating 0 to stand at 0."""
    low, high = -5000.0, 5000.0
    while high - low > 1e-7:
        one, other = low + (high - low) / 3, high - (high - low) / 3
        sides = [likelihood(points, [each + shift for each in values]) for shift in (one, other)]
        low, high = (one, high) if sides[0] < sides[1] else (low, other)
    return low


@settings(max_examples=20, deadline=None)
@given(tables())
def test_ratings_maximise_likelihood_and_intervals_match_curvature(points: Points) -> None:
    found = rate(points)
    assert abs(sum(each.value for each in found)) < 1e-6
    shift = best_shift(points, [each.value for each in found])
    values = [each.value + shift for each in found]
    top = likelihood(points, values)
    size = len(values)

    def moved(*by: tuple[int, float]) -> float:
        changed = list(values)
        for at, more in by:
            changed[at] += more
        return likelihood(points, changed)

    assert all(moved((at, by)) <= top + 1e-9 for at in range(size) for by in (-3.0, 3.0))
    # The second derivatives by differences, and from them the errors of what is above the average.
    step = 4.0
    curvature = np.array(
        [
            [
                moved((i, step), (j, step))
                - moved((i, step), (j, -step))
                - moved((i, -step), (j, step))
                + moved((i, -step), (j, -step))
                for j in range(size)
            ]
            for i in range(size)
        ]
    ) / (4 * step * step)
    covariance = np.linalg.inv(-curvature)
    for at, each in enumerate(found):
        weights = np.full(size, -1 / size)
        weights[at] += 1
        error = math.sqrt(weights @ covariance @ weights)
        assert each.high - each.value == pytest.approx(1.96 * error, rel=0.01)
        assert each.value - each.low == pytest.approx(each.high - each.value)


def test_unbeaten_and_inactive_players_have_finite_ratings() -> None:
    size = 6
    ratings = rate([[50.0 * (i < j) for j in range(size)] for i in range(size)])
    values = [each.value for each in ratings]
    assert values == sorted(values, reverse=True)
    assert all(math.isfinite(each.low) and math.isfinite(each.high) for each in ratings)
    alone = rate([[0, 8, 0], [2, 0, 0], [0, 0, 0]])[2]
    assert alone.value == pytest.approx(0, abs=1e-6)
    assert alone.high > 400
    assert rate([]) == []


def test_rating_intervals_have_promised_coverage() -> None:
    rng = np.random.default_rng(1)
    strengths = np.array([-1.2, -0.4, 0.0, 0.6, 1.0])
    inside = 0
    for _ in range(200):
        points = np.zeros((5, 5))
        for one, other in combinations(range(5), 2):
            won = rng.binomial(20, 1 / (1 + np.exp(strengths[other] - strengths[one])))
            points[one, other], points[other, one] = won, 20 - won
        truth = ELO_SCALE * (strengths - strengths.mean())
        inside += sum(
            each.low <= true <= each.high for each, true in zip(rate(points.tolist()), truth, strict=True)
        )
    assert 0.93 <= inside / 1000 <= 0.97


def standing(name: str, rating: float, reach: float) -> Standing:
    return Standing(name, 0, 1, rating, rating - reach, rating + reach)


def test_players_with_overlapping_intervals_share_ranks() -> None:
    rows = ranked(standing(*each) for each in (("b", 60, 50), ("a", 400, 90), ("c", 0, 40), ("d", -70, 20)))
    assert [(row.player, row.rank) for row in rows] == [("a", "1"), ("b", "2-3"), ("c", "2-3"), ("d", "4")]
    wide = ranked([standing("a", 100, 20), standing("b", 50, 100), standing("c", 0, 20)])
    assert [row.rank for row in wide] == ["1-2", "1-3", "2-3"]


def test_more_matches_separate_players_unless_their_ratings_are_equal() -> None:
    assert stretch_to_separate(ranked([standing("a", 100, 20), standing("b", 0, 30)])) == 1
    # Nine times as many give intervals of a third of the width, which touch.
    assert stretch_to_separate(ranked([standing("a", 100, 160), standing("b", 0, 140)])) == pytest.approx(9)
    separate = ranked([standing("a", 100, 160 / 3.01), standing("b", 0, 140 / 3.01)])
    assert [row.rank for row in separate] == ["1", "2"]
    assert stretch_to_separate(ranked([standing("a", 5, 9), standing("b", 5, 9)])) == math.inf
