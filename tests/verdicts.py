"""Verdicts by their own type, for the type checker and for tests that must not meet the other kind."""

from __future__ import annotations

from arcade.engines.verdict import DuelVerdict, ScoreVerdict, Verdict


def duel(verdict: Verdict | None) -> DuelVerdict:
    assert isinstance(verdict, DuelVerdict)
    return verdict


def score(verdict: Verdict | None) -> ScoreVerdict:
    assert isinstance(verdict, ScoreVerdict)
    return verdict
