"""Ratings of players from the points that they made against each other, with intervals.

The model is Bradley and Terry's (Biometrika 39, 1952) on Elo's scale: a player whose rating is d points
higher than another's makes 1 / (1 + 10^(-d/400)) of the points between them. A tie counts as half a win and
half a loss. This treats it as more uncertain than it is, so with many ties the intervals are too wide rather
than too narrow.

The ratings are those of greatest likelihood, with one addition that keeps them finite when somebody wins
everything: each player has also tied one match with somebody of rating 0 whom nobody else sees. The log
likelihood is concave, so Newton's method finds its only maximum. Ratings count from the average of the field,
and intervals are 1.96 standard errors to each side, from the inverse of the observed information.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SCALE = 400 / math.log(10)
"""Elo points in a unit of the logistic function."""
NORMAL = 1.96
"""Standard errors on each side of a 95 % interval."""
UNSEEN = 0.5
"""Points that each player made against the player of rating 0, out of twice as many."""
LONGEST_STEP = 1.0
"""The largest change of a strength in one step of Newton's method; larger ones could overshoot forever."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo points, counted from the average of the field, with its 95 % interval."""

    value: float
    low: float
    high: float


def rate(points: Sequence[Sequence[float]]) -> list[Rating]:
    """Rate players.

    Args:
        points: a square table; in row i and column j, what player i made against player j: 1 for a win, half
            for a tie. The diagonal does not count.

    Returns:
        The ratings in the order of the rows.
    """
    made = np.array(points, float).reshape(len(points), len(points))
    np.fill_diagonal(made, 0.0)
    met = made + made.T
    strengths = np.zeros(len(made))
    while True:
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        alone = 1 / (1 + np.exp(-strengths))
        slope = (made - met * expected).sum(1) + UNSEEN - 2 * UNSEEN * alone
        weights = met * expected * expected.T
        information = np.diag(weights.sum(1) + 2 * UNSEEN * alone * (1 - alone)) - weights
        step = np.linalg.solve(information, slope)
        longest = np.abs(step).max(initial=0.0)
        if longest < 1e-9:
            break
        strengths += step * min(1.0, LONGEST_STEP / longest)
    centre = np.eye(len(made)) - 1 / max(len(made), 1)
    covariance = centre @ np.linalg.inv(information) @ centre
    values = SCALE * (centre @ strengths)
    reach = NORMAL * SCALE * np.sqrt(np.diag(covariance))
    return [
        Rating(float(value), float(value - each), float(value + each))
        for value, each in zip(values, reach, strict=True)
    ]
