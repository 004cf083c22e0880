"""The scores of the search, and their meaning in plies.

A score is 0 to 255; higher is better for the mover. `kernel` explains it; these are the same rules for
Python.
"""

from __future__ import annotations

from arcade.engines.verdict import DuelVerdict, Proof, Value

LOWEST, HIGHEST = 0, 255
WON = 128
"""The lowest winning score."""


def plies_of(score: int, misere: bool) -> int:
    """The plies to the end for a score."""
    return 2 * (HIGHEST - score) + 1 - misere if score >= WON else 2 * score + misere


def score_before(score: int, misere: bool) -> int:
    """The mover's score for a move, from the other side's score after it."""
    return HIGHEST + (score >= WON) - misere - score


def score_after(score: int, misere: bool) -> int:
    """The inverse of `score_before`: the other side's score after a move that gives the mover this score."""
    return HIGHEST + (score < WON) - misere - score


def verdict_of(low: int, high: int, misere: bool, room: int) -> DuelVerdict:
    """The verdict of a position whose score is proved to be `low` to `high`.

    Args:
        low: lowest possible score.
        high: highest possible score.
        misere: whether the game is misère.
        room: most plies of a game from the position.

    Returns:
        EXACT if the limits are equal, UNKNOWN if nothing is proved. Else BOUND: `value` if the winner is
        proved; `at_least` and, with a value, `at_most` plies to the end under best play.
    """
    if low == high:
        return DuelVerdict(Proof.EXACT, Value.WIN if low >= WON else Value.LOSS, plies_of(low, misere))
    if (low, high) == (LOWEST, HIGHEST):
        return DuelVerdict()
    if low >= WON:
        return DuelVerdict(
            Proof.BOUND,
            Value.WIN,
            at_least=plies_of(high, misere),
            at_most=min(plies_of(low, misere), room),
        )
    if high < WON:
        return DuelVerdict(
            Proof.BOUND,
            Value.LOSS,
            at_least=plies_of(low, misere),
            at_most=min(plies_of(high, misere), room),
        )
    return DuelVerdict(Proof.BOUND, at_least=min(plies_of(low, misere), plies_of(high, misere)))


def limits_of(verdict: DuelVerdict) -> tuple[int, int]:
    """The lowest and highest score of a verdict of the plain game: the inverse of `verdict_of`."""
    least, most = (verdict.limits()[each] for each in ("at_least", "at_most"))
    if verdict.value is Value.WIN:
        return HIGHEST - (most - 1) // 2, HIGHEST - (least - 1) // 2
    return least // 2, most // 2
