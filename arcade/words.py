"""Verdicts in words, the same on every screen and in the shell."""

from __future__ import annotations

from arcade.engines.verdict import Proof, Value, Verdict


def plies(count: int) -> str:
    """A number of plies, e.g. "1 ply"."""
    return "1 ply" if count == 1 else f"{count} plies"


def games(count: int) -> str:
    """A number of games, e.g. "1,000 games"."""
    return "1 game" if count == 1 else f"{count:,} games"


def verdict_sentence(verdict: Verdict, mover: str, other: str) -> str:
    """What a verdict says, without its reason.

    Args:
        verdict: for the player to move.
        mover: what that player is called; "You" is understood as the second person.
        other: what the other one is called.
    """
    if verdict.best is not None or verdict.score is not None:
        return _score_sentence(verdict)
    if verdict.value is None:
        if verdict.at_least:
            return f"Nobody can force an end in less than {plies(verdict.at_least)}"
        return "Not known yet"
    if verdict.remoteness == 0:
        if verdict.value is Value.TIE:
            return "A tie"
        return f"{mover if verdict.value is Value.WIN else other} {_verb('won', 'won', mover)}"
    length = _length(verdict)
    if verdict.value is Value.TIE:
        return f"A tie{length}"
    if verdict.value is Value.WIN:
        return f"{mover} {_verb('win', 'wins', mover)}{length}"
    return f"{mover} {_verb('lose', 'loses', mover)}{length}"


def _verb(second: str, third: str, subject: str) -> str:
    return second if subject == "You" else third


def _length(verdict: Verdict) -> str:
    if verdict.remoteness is not None:
        return f" in {plies(verdict.remoteness)}"
    if verdict.value is Value.WIN and verdict.at_most is not None:
        return f", in at most {plies(verdict.at_most)}"
    if verdict.value is Value.LOSS and verdict.at_least:
        return f", but not before {plies(verdict.at_least)}"
    return ""


def _score_sentence(verdict: Verdict) -> str:
    now = "" if verdict.score is None else f"{verdict.score} now"
    if verdict.best is None:
        return now.capitalize() or "Not known yet"
    if verdict.proof is Proof.EXACT:
        best = f"best possible {verdict.best}"
    elif verdict.bound is None:
        best = f"best found {verdict.best}"
    else:
        best = f"best found {verdict.best}, bound {verdict.bound}"
    return ", ".join(filter(None, [now, best])).capitalize()


def provenance(verdict: Verdict) -> str:
    """How far a verdict is proved, why, and where it comes from."""
    proof = {
        Proof.EXACT: "proved",
        Proof.BOUND: "proved bound",
        Proof.ESTIMATE: "an estimate",
        Proof.UNKNOWN: "not proved",
    }[verdict.proof]
    work = ""
    if verdict.nodes:
        took = f"in {verdict.seconds:.2f} s" if verdict.seconds >= 0.005 else "at once"
        work = f"{verdict.nodes:,} position{'s' * (verdict.nodes != 1)} {took}"
    return "; ".join(filter(None, [proof, verdict.reason, verdict.source, work]))
