"""Values by the type that they must have, for the type checker and for tests that must meet no other."""

from typing import TypeVar

from arcade.engines.verdict import DuelVerdict, ScoreVerdict, Verdict

Kind = TypeVar("Kind")


def expect(kind: type[Kind], value: object) -> Kind:
    assert isinstance(value, kind)
    return value


def present(value: Kind | None) -> Kind:
    assert value is not None
    return value


def duel(verdict: Verdict | None) -> DuelVerdict:
    return expect(DuelVerdict, verdict)


def score(verdict: Verdict | None) -> ScoreVerdict:
    return expect(ScoreVerdict, verdict)
