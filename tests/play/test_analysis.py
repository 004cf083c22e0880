import time
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, Verdict
from arcade.play.analysis import Judgement, inquire
from tests.oracle import BruteForce

START = parse_game_id("chocobar:2x3").start()


class Slow(BruteForce):
    """Knows a position only when it has been asked often enough; until then its time runs out."""

    def __init__(self, asked: int, resumes: bool) -> None:
        super().__init__()
        self.left = asked
        self.resumes = resumes

    def _work(self, control: Control) -> None:
        if self.left:
            self.left -= 1
            while not control.stopped:
                time.sleep(0.001)

    def verdict(self, position: Position[Any], control: Control) -> Verdict:
        self._work(control)
        return DuelVerdict(Proof.UNKNOWN) if control.stopped else super().verdict(position, control)

    def analyse(self, position: Position[Any], control: Control) -> list[MoveVerdict[Any]]:
        self._work(control)
        return super().analyse(position, control)


class Valuing(BruteForce):
    """Has values before it has the rest."""

    def value(self, position: Position[Any], control: Control) -> Verdict:
        return DuelVerdict(Proof.EXACT, Value.WIN)

    def values(self, position: Position[Any], control: Control) -> list[MoveVerdict[Any]]:
        return [MoveVerdict(position.moves()[0], DuelVerdict(Proof.EXACT, Value.LOSS))]


def kinds(found: list[Judgement]) -> list[str]:
    return [
        "effort" if each.effort else "verdict" if each.verdict else "all" if each.complete else "some"
        for each in found
    ]


def test_the_verdict_comes_before_those_of_the_moves() -> None:
    with Control() as control:
        found = list(inquire(BruteForce(), START, control))
    assert kinds(found) == ["verdict", "all"]
    assert found[0].verdict == BruteForce().verdict(START, control)
    assert [each.move for each in found[1].moves or []] == START.moves()


def test_what_it_costs_is_said_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BruteForce, "effort", lambda self, position: "It takes long.")
    assert kinds(list(inquire(BruteForce(), START, Control()))) == ["effort", "verdict", "all"]


def test_quick_values_come_before_remoteness() -> None:
    with Control() as control:
        found = list(inquire(Valuing(), START, control))
    assert kinds(found) == ["verdict", "some", "verdict", "all"]
    assert found[0].verdict == DuelVerdict(Proof.EXACT, Value.WIN)
    assert found[2].verdict == BruteForce().verdict(START, control)


def test_a_search_that_resumes_is_asked_again_until_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.play.analysis.FIRST_SLICE", 0.01)
    with Control() as control:
        found = list(inquire(Slow(3, resumes=True), START, control))
    # Verdict and moves in turn; what is known is not asked again.
    assert kinds(found) == ["verdict", "some", "verdict", "all"]
    assert found[0].verdict == DuelVerdict(Proof.UNKNOWN)
    assert found[2].verdict == BruteForce().verdict(START, control)


def test_the_deadline_ends_a_search_that_does_not_resume() -> None:
    with Control(0.02) as control:
        assert kinds(list(inquire(Slow(1, resumes=False), START, control))) == ["verdict"]


def test_the_deadline_ends_a_search_that_resumes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.play.analysis.FIRST_SLICE", 0.01)
    with Control(0.05) as control:
        found = list(inquire(Slow(1_000_000, resumes=True), START, control))
        assert control.stopped
    assert set(kinds(found)) == {"verdict", "some"}


def test_the_deadline_ends_the_search_for_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are reported while more are looked for, which takes none of the time away."""

    class Endless(Valuing):
        def values(self, position: Position[Any], control: Control) -> list[MoveVerdict[Any]]:
            while not control.stopped:
                time.sleep(0.001)
            return super().values(position, control)

        def verdict(self, position: Position[Any], control: Control) -> Verdict:
            assert control.stopped
            return DuelVerdict(Proof.BOUND, Value.WIN)

    monkeypatch.setattr("arcade.play.analysis.VALUES_SECONDS", 0.01)
    with Control(0.05) as control:
        found = list(inquire(Endless(), START, control))
    assert kinds(found)[0] == "verdict"
    assert kinds(found)[-1] == "verdict"
    assert set(kinds(found)[1:-1]) == {"some"}


@pytest.mark.parametrize("solver", [Slow(9, resumes=True), Valuing(), BruteForce()])
def test_cancelled_work_ends_at_once(solver: BruteForce) -> None:
    with Control() as control:
        control.cancel()
        found = list(inquire(solver, START, control))
    assert not any(each.complete for each in found)
