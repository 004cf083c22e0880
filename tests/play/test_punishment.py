"""The replay of a mistake, of its answer and of what was missed."""

from collections.abc import Callable
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.headless import look_back, play_to_end
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.offers import end_offers
from arcade.play.punishment import punishment, shown_mistake
from arcade.play.scene import BoardScene
from arcade.play.state import STILL_SHOWN
from tests.narrow import expect, present
from tests.play.front import Front
from tests.play.here import Here
from tests.screens.honshu_fake import InstantRace

LOST_BAR = ("2,2", "4,1", "1,2", "2,1")


class Slow(Here):
    """A runner that keeps what is for later until it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[float, Callable[[], None]]] = []

    def later(self, seconds: float, action: Callable[[], None]) -> Callable[[], None]:
        entry = seconds, action
        self.waiting.append(entry)
        return lambda: self.waiting.remove(entry)

    def tick(self) -> float:
        """Let the next thing happen; returns after how many seconds."""
        seconds, action = self.waiting.pop(0)
        action()
        return seconds


def lost_bar(*seats: str) -> Front:
    """A match in which the player gave the win away with the first and the third move, after its end."""
    match = new_match(parse_game_id("chocobar:4x5"), seats or (HUMAN, "club"), seed=1)
    for text in LOST_BAR:
        match.play(match.game.parse_move(text, match.position))
    front = Front(match, runner=Slow())
    front.session.judge()
    return front.settle()


def watched(front: Front) -> tuple[list[BoardScene], float]:
    """What the board shows until the replay is over, and how many seconds that takes."""
    shown, seconds = [], 0.0
    while (still := front.session.scene.still) is not None:
        shown.append(still)
        seconds += expect(Slow, front.runner).tick()
    return shown, seconds


def test_punishment_shows_mistake_answer_and_missed_move() -> None:
    front = lost_bar()
    before = front.session.scene
    assert ("punishment", "what you missed") in end_offers(front.session.match, front.session.state)
    shown, seconds = watched(front.do("punishment"))
    assert seconds == 10
    first, mistake, answer, missed = shown
    assert (str(mistake.last), mistake.mistake, str(answer.last), answer.mistake) == (
        *("(1,2)", True),
        *("(2,1)", False),
    )
    assert mistake.position == first.position.play(mistake.last)
    assert answer.position == front.session.match.position
    assert (missed.position, str(missed.hinted), missed.missed) == (first.position, "(1,4)", True)
    assert not any(each.playable or each.own for each in shown)
    assert front.session.scene == before, "the match stands where it stood"


@pytest.mark.parametrize("name", ["punishment", "put_away"])
def test_punishment_can_be_stopped(name: str) -> None:
    front = lost_bar().do("punishment")
    runner = expect(Slow, front.runner)
    runner.tick()
    scene = front.session.scene
    assert scene.move_refusal == STILL_SHOWN
    assert scene.offers == (("punishment", "stop"),)
    front.do(name)
    assert front.session.scene.still is None
    assert not runner.waiting


def test_punishment_shows_the_mistake_under_review() -> None:
    front = lost_bar().do("review").do("review")
    assert front.session.state.question == 0
    shown, _ = watched(front.do("punishment"))
    assert str(shown[1].last) == "(2,2)"
    assert front.session.state.question == 0, "the question is still open"
    match = front.session.match
    assert [shown_mistake(match), shown_mistake(match, 2)] == [0, 2]
    front.session.go_to(4)
    assert shown_mistake(match) == 2


def test_punishment_is_refused_without_a_mistake() -> None:
    match = new_match(parse_game_id("chocobar:4x5"), (HUMAN, "club"), seed=1)
    front = Front(match).do("punishment")
    assert front.said == [
        "When the match is over, press t to replay your mistake, the reply and the missed move."
    ]
    match.resign(0)
    assert front.do("punishment").said[-1] == "No mistakes found."


@pytest.mark.parametrize("start", ["hexapawn:4x4", "tetromino:4x4", "menace", "graph"])
def test_punishment_shows_the_mistake_in_every_duel(start: str) -> None:
    match = play_to_end(new_match(parse_game_id(start), ("random", "random"), seed=2))
    with Control(60) as control:
        look_back(match, control)
        number = present(shown_mistake(match))
        stills = punishment(match, number, control)
    ply, before = list(match.steps())[number]
    assert stills[0].position == before
    assert (stills[1].last, stills[1].mistake) == (ply.move, True)
    assert stills[-1].missed in match.better_moves(before)


def test_best_map_is_laid_over_the_map_that_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    race: Any = InstantRace()
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", race)
    match: Match = play_to_end(new_match(parse_game_id("honshu:6x3#5"), ("random",), seed=1))
    with Control(60) as control:
        best = match.best_line(control)
        stills = punishment(match, 0, control)
    own = match.last_position()
    assert (match.points(match.first.after(best)) or 0) > (match.points(own) or 0)
    assert stills[0].position == own
    assert [still.last for still in stills[1:-1]] == best
    assert all(still.under == own for still in stills[1:-1])
    assert stills[-1].position == match.first.after(best)
    assert sum(still.seconds for still in stills) == pytest.approx(10)
