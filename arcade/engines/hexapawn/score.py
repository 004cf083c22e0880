"""The scores that the search counts in, and what they say in plies.

A score is 0 to 255, higher is better for the mover; `kernel` tells how it is made. These are the same
facts for Python.
"""

from __future__ import annotations

from arcade.engines.verdict import Proof, Value, Verdict

LOWEST, HIGHEST = 0, 255
WON = 128
"""The lowest score of a position that the mover wins."""


def plies_of(score: int, misere: bool) -> int:
    """The plies to the end that a score stands for."""
    return 2 * (HIGHEST - score) + 1 - misere if score >= WON else 2 * score + misere


def score_before(score: int, misere: bool) -> int:
    """The mover's score by a move from the other side's score after it."""
    return HIGHEST + (score >= WON) - misere - score


def score_after(score: int, misere: bool) -> int:
    """The other side's score after a move that gives the mover this score: the inverse of `score_before`."""
    return HIGHEST + (score < WON) - misere - score


def verdict_of(low: int, high: int, misere: bool, room: int) -> Verdict:
    """What it means that a position's score is proved to be `low` to `high`.

    Args:
        low: lowest possible score.
        high: highest possible score.
        misere: whether the game is misère.
        room: no game from the position lasts more plies.

    Returns:
        EXACT if the limits meet. UNKNOWN if nothing is proved. Else BOUND: `value` if it is proved who
        wins; `at_least` and, with a value, `at_most` plies to the end in best play.
    """
    if low == high:
        return Verdict(Proof.EXACT, Value.WIN if low >= WON else Value.LOSS, plies_of(low, misere))
    if (low, high) == (LOWEST, HIGHEST):
        return Verdict()
    if low >= WON:
        return Verdict(
            Proof.BOUND,
            Value.WIN,
            at_least=plies_of(high, misere),
            at_most=min(plies_of(low, misere), room),
        )
    if high < WON:
        return Verdict(
            Proof.BOUND,
            Value.LOSS,
            at_least=plies_of(low, misere),
            at_most=min(plies_of(high, misere), room),
        )
    return Verdict(Proof.BOUND, at_least=min(plies_of(low, misere), plies_of(high, misere)))
