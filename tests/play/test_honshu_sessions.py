"""A race in a session: what is judged, marked and kept of it, without a screen."""

import threading

import pytest

from arcade.engines.control import BEST, BOUND, Control
from arcade.engines.explanations import Limits
from arcade.engines.honshu.game import HonshuExplanations
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.matches import reopened
from arcade.play.host import Host
from arcade.play.jobs import Threads
from arcade.play.match import HUMAN, Mark, new_match
from arcade.play.scene import EndScene, RaceVerdictScene
from arcade.play.sentences import best_sentence
from arcade.play.session import Session
from arcade.services import Services
from tests.narrow import expect, present, score
from tests.play.front import open_host
from tests.play.here import Here
from tests.screens.honshu_fake import InstantRace
from tests.waiting import wait_for

SMALL = "honshu:6x3#7"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())


def started(text: str, *seats: str, host: Host | None = None) -> tuple[Session, Here]:
    here = Here()
    session = Session(new_match(parse_game_id(text), seats), host or open_host(), here)
    session.start()
    here.settle()
    return session, here


def test_played_score_above_the_search_becomes_best_known() -> None:
    session, here = started(SMALL, HUMAN, "random")
    match = session.match
    while not match.finished:
        session.play(match.position.moves()[0])
        here.settle()
    highest = present(match.best_of(match.first))
    assert highest >= max(present(present(match.result).scores))
    points = match.record().points
    for found in (highest - 1, highest + 1):
        match.record_verdict(match.first, ScoreVerdict(Proof.BOUND, best=found, bound=highest + 9))
        session.publish()
        best = max(found, highest)
        known = "No better map is known" if points == best else f"The best known map scores {best}"
        assert expect(EndScene, session.scene.verdict).result.endswith(f". {known}.")
        verdict = match.verdict_of(match.first)
        assert best_sentence(match, verdict).startswith(f"Best known {best}, upper bound {highest + 9}.")


class Waiting(InstantRace):
    """Searches until it is cancelled, also when its time is up: the machine may be slow."""

    def __init__(self) -> None:
        self.asked: list[HonshuPosition] = []
        self.controls: list[Control] = []
        self.go = threading.Event()

    def judge(self, position: HonshuPosition, control: Control) -> ScoreVerdict:
        control.cells[BEST], control.cells[BOUND] = 17, 34
        self.controls.append(control)
        self.asked.append(position)
        while not control.cancelled and not self.go.wait(0.005):
            pass
        return super().judge(position, control)


def test_search_shows_progress_and_survives_opponent_move(monkeypatch: pytest.MonkeyPatch) -> None:
    solver, threads = Waiting(), Threads()
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", solver)
    session = Session(new_match(parse_game_id(SMALL), (HUMAN, "random")), open_host(), threads)

    def shown() -> str:
        session.publish()
        return expect(RaceVerdictScene, session.scene.verdict).text

    session.start()
    wait_for(lambda: solver.asked)
    assert "best 17, upper bound 34" in shown()
    solver.controls[-1].cells[BEST] = 25
    assert "best 25, upper bound 34" in shown()
    session.play(session.match.position.moves()[0])
    threads.settle(lambda: len(session.match.plies) == 2, 30)
    wait_for(lambda: len(solver.asked) == 2)
    # The first search was stopped, as its map has changed; the second is of the person's new map, and the
    # engine's ply did not end it.
    assert solver.controls[0].cancelled
    assert solver.asked[1] == session.match.position_of(0)
    assert not solver.controls[1].stopped
    solver.go.set()
    threads.settle(lambda: not session.busy, 30)
    assert "bound 34" not in shown()


class TooSlow(InstantRace):
    def judge(self, position: HonshuPosition, control: Control) -> ScoreVerdict:
        wait_for(lambda: control.stopped)
        return super().judge(position, control)


def test_verdict_search_stops_at_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", TooSlow())
    monkeypatch.setattr(HonshuExplanations, "limits", Limits(verdict=0.05, review=None, hint=None))
    session, _ = started(SMALL, HUMAN, "random")
    assert not session.busy
    assert "best" in expect(RaceVerdictScene, session.scene.verdict).text


@pytest.mark.parametrize(
    ("text", "lost", "mark"),
    [(SMALL, 9, Mark.BLUNDER), ("honshu:9x12#1", 4, Mark.INACCURACY), ("honshu:9x12#1", 20, Mark.BLUNDER)],
)
def test_placements_with_certain_loss_are_marked(
    text: str, lost: int, mark: Mark, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loss is a mistake if it is large for the points that can still be made."""
    monkeypatch.setattr("tests.screens.honshu_fake.LOST", lost)
    session, here = started(text, HUMAN)
    analysis = present(session.match.analysis(session.match.position))
    best = max(score(each.verdict).best or 0 for each in analysis)
    to_make = best - expect(HonshuPosition, session.match.position).score.total
    assert to_make <= 16 if text == SMALL else 16 < to_make <= 80
    session.play(next(each.move for each in analysis if (score(each.verdict).bound or 0) < best))
    here.settle()
    assert (session.match.plies[0].mark, session.match.plies[0].lost) == (mark, lost)
    assert (session.scene.moves[0].mark, session.scene.moves[0].lost) == (mark, lost)


def test_race_resumes_after_restart() -> None:
    services = Services(warm=False)
    session, here = started(SMALL, HUMAN, "random", host=services)
    session.play(session.match.position.moves()[0])
    here.settle(lambda: len(session.match.plies) == 2)
    session.stop()
    services.close()
    services = Services(warm=False)
    match = reopened(services, present(services.last_in_play()))
    services.close()
    assert len(match.plies) == 2
    for seat in range(2):
        assert match.position_of(seat) == session.match.position_of(seat)


def test_solo_race_has_one_board_and_ends_with_score() -> None:
    session, here = started("honshu:5x1#1", HUMAN)
    assert "other_board" in session.scene.refusals
    session.play(session.match.position.moves()[0])
    here.settle()
    points = expect(HonshuPosition, session.match.position).score.total
    assert f"The map scores {points}" in expect(EndScene, session.scene.verdict).result
