"""Verdicts in words."""

from __future__ import annotations

import pytest

from arcade.engines.verdict import Proof, Value, Verdict
from arcade.words import provenance


@pytest.mark.parametrize(
    ("nodes", "seconds", "work"),
    [
        (43758, 0.273, "43,758 positions in 0.27 s"),
        (1, 0.5, "1 position in 0.50 s"),
        (1, 0.0001, "1 position at once"),
        (298, 0.0049, "298 positions at once"),
    ],
)
def test_the_work_behind_a_verdict_is_told_in_plain_words(nodes: int, seconds: float, work: str) -> None:
    verdict = Verdict(Proof.EXACT, Value.WIN, 9, source="a table", nodes=nodes, seconds=seconds)
    assert provenance(verdict) == f"proved; a table; {work}"


def test_a_verdict_without_work_names_none() -> None:
    assert provenance(Verdict(Proof.EXACT, Value.WIN, 9, reason="known")) == "proved; known"
