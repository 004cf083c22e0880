from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Self

import pytest

from arcade.engines.chocobar.solver import ChocobarSolver
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.menace.machine import Machine, Options
from arcade.engines.players import RandomPlayer
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.seats import make_player
from arcade.engines.solver import Goal
from arcade.engines.verdict import DuelVerdict, Value
from arcade.play.headless import play_to_end
from arcade.play.host import Host
from arcade.play.jobs import Jobs, Threads
from arcade.play.keymap import DEFAULT_KEYS
from arcade.play.match import HUMAN, Duel, Mark, Match, new_match
from arcade.play.mistakes import is_nearly_lost, mistakes, own_mistakes
from arcade.play.offers import end_offers
from arcade.play.scene import CoachScene, EndScene, Scene
from arcade.play.sentences import accuracy_sentence, best_sentence, help_sentence
from arcade.play.session import Session
from arcade.play.state import OVER, SPEEDS, State, told_mistake, what_next
from arcade.services import Services
from arcade.store.record import Coach
from tests.narrow import expect, present
from tests.play.front import Front, front_of
from tests.play.here import Here
from tests.refusals import failing
from tests.screens.honshu_fake import InstantRace

PERFECT = "perfect"


@pytest.fixture
def services(services: Services) -> Services:
    services.settings = replace(services.settings, calm=True)
    return services


@pytest.mark.parametrize("runner", [Here, Threads])
def test_human_plays_engine_to_the_end(runner: Any) -> None:
    front = front_of("chocobar:2x2", runner=runner())
    verdict = present(front.session.verdict)
    assert (verdict.value, verdict.remoteness) == (Value.WIN, 3)
    front.play("2,2")
    match = front.session.match
    assert len(match.plies) == 2, "the engine has answered"
    front.play("1,2" if str(match.moves[1]) == "(2,1)" else "2,1")
    assert match.winner == "First"
    assert [ply.mark for ply in match.plies] == [Mark.ONLY, Mark.GOOD, Mark.GOOD]
    shown = [scene.shown for scene in front.scenes]
    assert sorted(shown) == shown, "every move is shown, one after the other"
    assert set(shown) == {0, 1, 2, 3}
    assert isinstance(front.session.scene.verdict, EndScene)


def test_solver_effort_notice_appears_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChocobarSolver, "effort", lambda self, position: "It takes long.")
    front = front_of("chocobar:2x3", HUMAN, HUMAN)
    assert front.said == ["It takes long."]
    assert front.play("2,3").said == ["It takes long."]


def test_illegal_move_is_refused_with_message() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play("2,2")
    front.session.play(front.session.match.moves[0])
    assert len(front.session.match.plies) == 1
    assert "(2,2)" in front.said[-1]


def test_engines_play_each_other_when_unpaused() -> None:
    front = front_of("chocobar:3x4", "perfect", "random")
    assert not front.session.match.plies
    front.session.do("pause")
    front.settle()
    assert front.session.match.winner == "First"


def test_seed_gives_same_match_in_threads() -> None:
    start = parse_game_id("chocobar:5x6")
    seats = ("fallible:3", "random")
    expected = play_to_end(new_match(start, seats, seed=7)).moves
    threads = Threads()
    front = Front(new_match(start, seats, seed=7), runner=threads)
    front.session.state = replace(front.session.state, speed=len(SPEEDS) - 1)
    front.session.do("pause")
    threads.settle(lambda: front.session.match.ending is not None, 30)
    assert front.session.match.moves == expected
    assert play_to_end(new_match(start, seats, seed=8)).moves != expected


def test_play_out_continues_match_and_raises_errors() -> None:
    match = new_match(parse_game_id("chocobar:3x4"), ("perfect", "random"))
    match.play(match.position.moves()[-1])
    assert play_to_end(match) is match
    assert match.ending is not None

    class Gone:
        def names(self, *_: Any) -> list[str]:
            return []

        def check(self, name: str, *_: Any) -> str:
            return name

        def invite(self, *_: Any) -> Any:
            raise InputError("Bob has gone.")

    with pytest.raises(InputError, match="Bob has gone"):
        play_to_end(new_match(parse_game_id("menace"), ("Bob", "random"), Gone()))


def test_hint_has_three_steps_and_a_line() -> None:
    front = front_of("chocobar:2x3", HUMAN, "random")
    session = front.session
    session.do("hint")
    assert session.state.hint is None
    assert session.state.hint_step == 1
    front.settle()
    assert session.state.hint is not None
    assert session.match.hints == [1, 0]
    session.do("hint")
    session.do("hint")
    session.do("hint")
    assert session.state.hint_step == 3
    for _ in range(20):
        session.do("forward")
    assert session.state.walked == len(session.state.hint.line)
    assert session.scene.board.position.outcome() is not None
    assert session.scene.move_refusal is not None
    session.do("hint")
    assert "put_away" not in session.scene.refusals
    session.do("put_away")
    assert session.state.walked == 0
    assert "put_away" not in session.scene.refusals
    session.do("put_away")
    assert "put_away" in session.scene.refusals
    assert session.match.plies == []


def test_undo_and_redo_stop_at_human_turns() -> None:
    front = front_of("chocobar:3x4").play("3,4")
    session = front.session
    moves = list(session.match.moves)
    assert len(moves) == 2
    session.do("undo")
    front.settle()
    assert session.match.plies == []
    session.do("redo")
    front.settle()
    assert [ply.move for ply in session.match.plies] == moves
    session.do("restart")
    session.do("undo")
    assert front.said[-1] == "You have no move to take back."
    session.do("redo")
    session.do("redo")
    assert front.said[-1] == "Nothing to redo."


def test_undo_cancels_the_engine_move() -> None:
    front = front_of("chocobar:3x4", HUMAN, "perfect")
    session = front.session
    session.play(session.match.game.parse_move("3,4", session.match.position))
    session.do("undo")
    front.settle()
    assert session.match.plies == []


def test_stepping_pauses_the_engines() -> None:
    front = front_of("chocobar:3x4", "perfect", "random")
    session = front.session
    for plies in (1, 2):
        session.do("forward")
        front.settle()
        assert len(session.match.plies) == plies
        assert session.state.paused
    session.do("back")
    assert len(session.match.plies) == 1
    session.do("forward")
    assert len(session.match.plies) == 2


def test_review_asks_for_a_better_move() -> None:
    front = front_of("chocobar:2x3", HUMAN, HUMAN).play("1,2", "2,1")
    session = front.session
    session.do("review")
    assert not session.match.plies
    assert session.state.question == 0
    assert not session.scene.revealed
    front.play("2,1")
    assert not session.state.tried
    assert front.said[-1].startswith("(2,1) was Second's answer. If you play it first,")
    front.play("2,3")
    assert session.state.question is None
    assert front.said[-1].startswith("Yes, (2,3) is better. After (1,2): ")
    assert list(map(str, session.state.tried)) == ["(2,3)"]
    assert list(map(str, session.match.moves)) == ["(1,2)", "(2,1)"]


def test_each_mistake_is_reviewed_once_costliest_first() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play("3,2", "2,4", "1,3", "3,1", "1,2", "2,1")
    session = front.session
    wrong = mistakes(session.match)
    assert len(wrong) > 1
    session.match.line[wrong[-1]].lost = 5
    seen = []
    for _ in wrong:
        session.do("review")
        seen.append(present(session.state.question))
    assert seen == [wrong[-1], *wrong[:-1]]
    # The way on is in sight after an answer, too, given or asked for.
    session.do("put_away")
    front.settle()
    assert dict(session.scene.offers)["review"] == "next mistake"
    session.play(session.branch.moves()[0])
    assert session.state.tried
    assert dict(session.scene.offers)["review"] == "next mistake"
    session.do("review")
    assert front.said[-1] == "That was the last mistake."
    assert session.state.question is None
    assert not session.match.undone
    session.do("review")
    assert session.state.question == wrong[-1]


def test_duel_review_starts_at_turning_point() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play("3,2", "2,4", "1,3", "3,1", "1,2", "2,1")
    turned = present(front.session.match.decisive_mistake())
    assert turned != mistakes(front.session.match)[0]
    front.session.do("review")
    assert front.session.state.question == turned


@pytest.mark.parametrize("calm", [False, True])
def test_engines_start_next_match_unless_calm(calm: bool) -> None:
    services = Host()
    services.settings = replace(services.settings, calm=calm)
    front = front_of("chocobar:3x4", HUMAN, HUMAN, services=services)
    front.session.begin(new_match(parse_game_id("chocobar:3x4"), ("perfect", "random"), seed=1))
    front.settle()
    assert front.session.match.finished != calm


def test_series_continues_automatically_and_counts_wins() -> None:
    front = Front(new_match(parse_game_id("chocobar:3x4"), ("perfect", "random"), seed=1))
    front.session.match.matches_left = 2
    first = front.session.match
    front.session.do("pause")
    front.settle()
    last = front.session.match
    assert len({scene.match_number for scene in front.scenes if scene.over}) == 3
    assert (last.matches_left, last.winners, last.seed) == (0, [0, 0, 0], first.seed + 2)


def test_reviewing_a_match_ends_the_series() -> None:
    front = Front(new_match(parse_game_id("chocobar:3x4"), ("perfect", "random"), seed=1))
    first = front.session.match
    first.matches_left = 1
    front.session.do("pause")
    front.runner.settle(lambda: first.finished)
    front.session.do("back")
    front.settle()
    assert front.session.match is first


def test_engine_resignation_does_not_end_series(monkeypatch: pytest.MonkeyPatch) -> None:
    front = Front(new_match(parse_game_id("chocobar:3x4"), ("perfect", "random"), seed=1))
    front.session.match.matches_left = 2
    monkeypatch.setattr(RandomPlayer, "choose", lambda *_: None)
    front.session.do("pause")
    front.settle()
    last = front.session.match
    assert last.resigned == 1
    assert (last.matches_left, last.winners) == (0, [0, 0, 0])


def test_human_taking_a_seat_ends_series() -> None:
    front = front_of("chocobar:2x2", "perfect", "random")
    front.session.match.matches_left = 3
    front.session.set_players([HUMAN, "random"])
    assert front.session.match.matches_left == 0


def test_continued_match_belongs_to_no_series() -> None:
    front = front_of("chocobar:2x2", HUMAN, HUMAN).play("2,2", "2,1", "1,2")
    match = front.session.match
    assert match.winners == [0]
    front.session.do("undo")
    branch = front.session.match
    assert branch is not match
    assert (branch.winners, branch.matches_left, match.winners) == ([], 0, [0])


def test_watched_mistake_gets_longer_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = []
    front = front_of("chocobar:2x2", "perfect", "random")
    match = front.session.match
    match.learn(match.first, match.game.solver.moves(match.first, Control()))
    monkeypatch.setattr(front.session._engine, "put_off", lambda seconds, action: waits.append(seconds))
    for text in ("2,2", "1,2"):
        move = match.game.parse_move(text, match.first)
        front.session._engine._take(move, 10.0, front.session._time_to_look)
    kept, threw = waits
    assert kept <= 10 < threw


def test_finished_match_continues_in_new_match(services: Services) -> None:
    front = front_of("chocobar:2x2", HUMAN, HUMAN, services=services).play("1,2", "2,1")
    session = front.session
    finished, record = session.match, session.match.record()
    row = session.saved
    session.go_to(0)
    front.settle()
    assert session.match is finished
    assert finished.record() == record
    front.play("2,2")
    assert session.match is finished
    assert finished.record() == record
    assert list(map(str, session.state.tried)) == ["(2,2)"]
    assert expect(DuelVerdict, session.verdict).value is Value.LOSS
    session.do("hint")
    front.settle()
    assert session.state.hint is not None
    session.do("put_away")
    session.do("put_away")
    assert not session.state.tried
    front.play("2,2")
    session.do("pause")
    front.settle()
    assert session.match is not finished
    assert list(map(str, session.match.moves)) == ["(2,2)"]
    assert session.saved != row
    assert "new match" in front.said[-1]
    saved = {each.id: each.record for each in services.recent_matches()}
    assert len(saved) == 2
    assert saved[present(row)[0]].result == record.result


def test_replay_shows_finished_match_from_first_move(services: Services) -> None:
    front = front_of("chocobar:3x4", "perfect", "random", services=services)
    session = front.session
    session.do("replay")
    assert "When the match is over" in front.said[-1]
    session.do("pause")
    front.settle()
    record = session.match.record()
    assert record.result is not None
    stood: list[int] = []
    session.do("replay")
    while session.state.replaying:
        stood.append(len(session.match.plies))
        front.runner.settle(lambda: len(session.match.plies) > stood[-1] or not session.state.replaying)
    assert stood == list(range(len(record.moves)))
    assert len(session.match.plies) == len(record.moves)
    # It stands still when one likes, and nothing new is played.
    session.do("replay")
    session.do("pause")
    front.settle()
    assert (len(session.match.plies), session.state.replaying) == (0, False)
    assert session.match.record() == record
    assert len(services.recent_matches()) == 1


REVIEWING = (*("undo", "redo", "restart", "review", "hint", "put_away", "pause", "forward", "back"),)


def test_reviewing_at_random_leaves_finished_match_unchanged(services: Services) -> None:
    """Opened, reviewed, explored and left twenty times: its record and its row stay the same."""
    front = front_of("chocobar:3x4", HUMAN, "perfect", services=services)
    while not front.session.match.finished:
        front.session.play(front.session.match.position.moves()[-1])
        front.settle()
    row = services.recent_matches()[0]
    rng = random.Random(14)
    tried = 0
    for _ in range(20):
        match = Match.from_record(row.record, services.machines)
        front = Front(match, services, saved=(row.id, row.revision))
        session = front.session
        session.open()
        for _ in range(rng.randrange(12)):
            if session.match is match and session.scene.move_refusal is None and rng.random() < 0.5:
                session.play(rng.choice(session.branch.moves()))
                tried += bool(session.state.tried)
            else:
                session.do(rng.choice(REVIEWING))
            front.settle()
        assert replace(match.record(), marks=row.record.marks) == row.record
    assert tried > 5
    assert {each.id: each.record for each in services.store.matches(1000)}[row.id] == row.record


def test_seats_can_change_and_players_can_resign_until_the_end() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN)
    session = front.session
    with pytest.raises(InputError):
        session.set_players(["wizard", HUMAN])
    session.set_players([HUMAN, "perfect"])
    front.play("3,4")
    assert len(session.match.plies) == 2
    session.do("resign")
    assert session.match.winner == "Second"
    session.set_players([HUMAN, HUMAN])
    session.do("resign")
    assert front.said[-2:] == [OVER, what_next(DEFAULT_KEYS)]
    session.go_to(2)
    session.do("pause")
    assert not session.match.finished
    assert "new match" in front.said[-1]


def test_only_humans_resign_and_only_engines_pause() -> None:
    front = front_of("chocobar:3x4", "perfect", "random")
    front.session.do("resign")
    assert "You can resign only" in front.said[-1]
    front = front_of("chocobar:3x4")
    front.session.do("pause")
    assert "It is your move" in front.said[-1]


def test_each_move_is_saved_before_it_is_shown(services: Services) -> None:
    match = new_match(parse_game_id("chocobar:3x4"), (HUMAN, HUMAN))
    stored: list[int] = []

    def told(scene: Scene) -> None:
        stored.append(len(services.store.matches()[0].record.moves))
        assert stored[-1] == scene.shown

    session = Session(match, services, Here(), told, judging=False)
    for word in ("3,4", "3,3", "3,2"):
        session.play(match.game.parse_move(word, match.position))
    assert stored == [1, 2, 3]


def test_solver_failure_does_not_end_match(monkeypatch: pytest.MonkeyPatch) -> None:
    front = Front(new_match(parse_game_id("chocobar:3x4"), (HUMAN, "random")))
    solver = front.session.match.game.solver
    monkeypatch.setattr(solver, "solve", failing(RuntimeError("out of chocolate")))
    front.session.start()
    front.settle()
    assert front.said == ["The solver failed: RuntimeError('out of chocolate')."]
    front.play("3,4")
    assert len(front.session.match.plies) == 2


def test_machine_learns_and_empty_machine_refuses_to_play(services: Services) -> None:
    services.machines.keep(Machine("Bob", Options(seat=0, rewards=(1, 1, -4))))
    match = new_match(parse_game_id("menace:XO.XO...."), ("Bob", HUMAN), services.machines, seed=1)
    front = Front(match, services)
    front.session.start()
    front.settle()
    session = front.session
    if session.match.player_to_move == HUMAN:
        front.play("b1")
    assert session.match.ending is not None
    (reward,) = session.state.rewards
    assert front.said.count(reward.sentence()) == 1
    assert services.machines.load("Bob").games == 1
    # All boxes of its first move are emptied: it refuses to begin.
    machine = services.machines.copy("Bob")
    for box in machine.boxes.first:
        machine.beads[box.index] = 0
    services.machines.keep(machine)
    front = Front(new_match(parse_game_id("menace"), ("Bob", HUMAN), services.machines), services)
    front.session.start()
    front.settle()
    assert front.session.scene.refusing == "Bob"
    assert front.session.scene.paused
    assert front.session.match.ending is None


def test_move_comment_appears_at_its_move() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play("3,4", "3,3")
    front.session.match.plies[0].comment = "too timid"
    front.session.go_to(1)
    assert front.said == ["Move 1: too timid"]
    front.session.go_to(2)
    assert len(front.said) == 1


def test_interrupted_review_resumes() -> None:
    """Whoever moves at once leaves the solver no time before the next move."""
    front = Front(new_match(parse_game_id("chocobar:2x3"), (HUMAN, HUMAN)))
    session = front.session

    def reviewing() -> bool:
        return session.verdict is not None and not session._judge.busy_with(session.judged_position)

    for word in ("1,3", "2,2", "1,2"):
        session.play(session.match.game.parse_move(word))
        # The verdict is there and the review of the moves before has begun, which the next move stops.
        front.runner.settle(reviewing)
    front.settle()
    assert [ply.mark is not None for ply in session.match.plies] == [True] * 3


def test_race_verdict_is_for_the_viewed_board() -> None:
    match = new_match(parse_game_id("honshu:6x3#7"), (HUMAN, HUMAN))
    session = Front(match, judging=False).session
    session.play(match.position.moves()[0])
    assert session.scene.main == 1
    assert session.judged_position == match.position_of(1)
    session.look_at(0)
    assert session.judged_position == match.position_of(0)
    session.play(match.position.moves()[0])
    assert session.state.looking is None


def test_review_question_waits_for_solver_and_escape_answers_it() -> None:
    front = front_of("chocobar:2x3", HUMAN, HUMAN).play("1,2", "2,1")
    session = front.session
    session.do("review")
    known = session.match._known.analyses.pop(session.branch)
    session.play(session.match.game.parse_move("2,3", session.branch))
    assert "still analysing" in front.said[-1]
    assert session.state.question == 0
    session.match.learn(session.branch, known)
    assert "put_away" not in session.scene.refusals
    session.do("put_away")
    front.settle()
    assert session.state.question is None
    assert str(present(session.state.hint).move) == "(2,3)"
    assert session.state.hint_step == 3


def test_verdict_of_tried_move_is_not_used_for_match() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play("3,2", "1,2", "2,1")
    session = front.session
    session.go_to(0)
    session.play(session.match.game.parse_move("2,3", session.branch))
    assert session._jobs.controls
    session.do("put_away")
    front.settle()
    assert session.judged_position == session.match.first
    assert session.verdict is not None
    assert not session.busy


@pytest.mark.parametrize(
    ("moves", "turning"),
    [
        # The first player throws the win away, and gives up.
        (("3,4", "2,3"), 0),
        # Both do, and the first gives up a won match: no mistake has lost it.
        (("3,4", "1,2"), None),
    ],
)
def test_resigning_a_won_match_has_no_turning_point(moves: tuple[str, ...], turning: int | None) -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play(*moves)
    front.session.do("resign")
    front.settle().session.judge()
    front.settle()
    marks = [ply.mark for ply in front.session.match.line]
    assert marks[0] is Mark.BLUNDER
    assert (marks[1] is Mark.BLUNDER) == (turning is None)
    assert front.session.match.decisive_mistake() == turning


def coach(front: Front, name: str) -> None:
    front.session.host.settings = replace(front.session.host.settings, coach=Coach(name))
    front.session.apply_coach_setting()


def back_and_otherwise(front: Front) -> None:
    """Look back at the first move and play another one, without "undo"."""
    front.session.do("restart")
    front.play("3,3")


def peek(front: Front) -> None:
    coach(front, "open")
    coach(front, "quiet")


HELP: dict[str, tuple[Callable[[Front], object], str]] = {
    "hint": (lambda front: front.session.do("hint"), "Help: 1 hint."),
    "values": (lambda front: front.session.do("values"), "Help: move values shown."),
    "undo": (lambda front: front.session.do("undo"), "Help: 1 move taken back."),
    "back": (back_and_otherwise, "Help: 1 move taken back."),
    "peek": (peek, "Help: full coach."),
}


@pytest.mark.parametrize("way", HELP)
def test_help_is_counted_and_saved_when_requested(way: str, services: Services) -> None:
    """As if the program were killed in the next moment: what is in the store is read without an end."""
    services.settings = replace(services.settings, coach=Coach.QUIET)
    front = front_of("chocobar:3x4", services=services).play("3,4")
    assert services.store.matches()[0].record.unaided
    ask, told = HELP[way]
    ask(front)
    (saved,) = services.store.matches()
    assert not saved.record.unaided
    assert help_sentence(Match.from_record(saved.record)) == told


def test_next_match_or_quiet_coach_hides_values() -> None:
    front = front_of("chocobar:2x2")
    session = front.session
    session.do("values")
    session.begin(new_match(session.match.start, session.match.seats))
    front.settle().play("2,2")
    assert not session.state.values_shown
    assert session.match.values == 0
    session.begin(new_match(session.match.start, session.match.seats))
    session.do("values")
    session.play(session.match.game.parse_move("2,2"))
    assert session.match.values == 1
    coach(front, "quiet")
    assert not session.state.values_shown
    session.do("values")
    assert session.state.values_shown, "who asks is answered"


def test_values_stay_visible_in_watched_series() -> None:
    front = front_of("chocobar:2x2", "random", "random")
    front.session.do("values")
    front.session._again()
    assert front.session.state.values_shown


def test_continuing_from_earlier_position_counts_as_takeback() -> None:
    front = front_of("chocobar:2x3", HUMAN, HUMAN).play("2,3", "1,3", "2,2", "1,2", "2,1")
    front.session.go_to(2)
    front.session.do("pause")
    assert front.session.match.takebacks == 1


def test_moves_tried_before_continuing_count_as_takeback() -> None:
    front = front_of("chocobar:2x2", HUMAN, HUMAN).play("2,2", "2,1", "1,2")
    front.session.match.takebacks = 3
    front.session.go_to(0)
    front.play("2,2")
    assert front.session.state.tried
    front.session.do("pause")
    assert front.session.match.takebacks == 1, "those of the finished match are its own"
    front = front_of("chocobar:2x2", HUMAN, HUMAN).play("2,2", "2,1", "1,2")
    front.session.match.takebacks = 3
    front.session.go_to(0)
    front.session.do("pause")
    assert front.session.match.takebacks == 0


def test_takeback_counts_once_after_reopening_match() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play("3,4", "2,4")
    front.session.do("undo")
    assert front.session.match.takebacks == 1
    again = Front(Match.from_record(front.session.match.record())).play("3,3")
    assert again.session.match.takebacks == 1


def test_continued_match_resets_reviewed_mistakes() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play("3,2", "2,4", "1,3", "3,1", "1,2", "2,1")
    front.session.do("review")
    assert front.session.state.reviewed
    front.session.do("put_away")
    front.session.go_to(0)
    front.session.do("pause")
    assert not front.session.state.reviewed


@pytest.mark.parametrize(("seats", "own"), [((HUMAN, "random"), True), (("random", HUMAN), False)])
def test_review_is_offered_only_for_human_mistakes(seats: tuple[str, str], own: bool) -> None:
    match = new_match(parse_game_id("chocobar:3x4"), (HUMAN, HUMAN))
    for word in ("3,4", "2,3"):
        match.play(match.game.parse_move(word, match.position))
    match.resign(0)
    match.seats = list(seats)
    front = Front(match)
    front.session.start()
    front.settle()
    assert mistakes(front.session.match)
    assert bool(own_mistakes(front.session.match)) == own
    assert ("review" not in front.session.scene.refusals) == own
    assert ("review" in dict(end_offers(front.session.match, front.session.state))) == own


class Guarded(Duel):
    """Remembers what another thread than that of the tests reads of it."""

    read: ClassVar[set[str]] = set()
    here = True

    def __getattribute__(self, name: str) -> Any:
        if threading.current_thread() is not threading.main_thread() and super().__getattribute__("here"):
            Guarded.read.add(name)
        return super().__getattribute__(name)

    def copied(self) -> Self:
        copied = super().copied()
        copied.here = False
        return copied


@pytest.mark.parametrize("opponent", ["fallible:3", "Bob"])
def test_worker_threads_do_not_read_live_match(opponent: str, services: Services) -> None:
    Guarded.read.clear()
    services.machines.keep(Machine("Bob", Options(seat=1)))
    match = Guarded(parse_game_id("menace"), (HUMAN, opponent), services.machines, seed=1)
    threads = Threads()
    front = Front(match, services, threads)
    front.session.open()
    front.session.start()
    while not match.finished:
        front.session.do("hint")
        front.session.play(match.position.moves()[0])
        threads.settle(lambda: match.player_to_move in (HUMAN, None), 30)
    front.settle()
    assert Guarded.read == set()


def answered(monkeypatch: pytest.MonkeyPatch, word: str) -> Front:
    start = parse_game_id("chocobar:4x5")
    monkeypatch.setattr(RandomPlayer, "choose", lambda *_: start.game.parse_move(word))
    return Front(new_match(start, (HUMAN, "random")))


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("word", "stands"), [("1,3", False), ("1,5", True)])
def test_coach_warns_before_reply_and_withdraws_if_win_returns(
    monkeypatch: pytest.MonkeyPatch, word: str, stands: bool, known: bool
) -> None:
    monkeypatch.setattr("arcade.play.engine.ENGINE_PAUSE", 600.0)
    front = answered(monkeypatch, word)
    if known:
        front.session.start()
        front.settle()
    front.scenes.clear()
    front.play("2,2")
    coaches = [(scene.shown, expect(CoachScene, scene.verdict)) for scene in front.scenes]
    told = [(shown, bool(coach.mistake)) for shown, coach in coaches]
    assert (1, True) in told, "said before the answer"
    assert told.index((1, True)) < [shown for shown, _ in told].index(2)
    assert stands or (2, True) not in told
    coach = expect(CoachScene, front.session.scene.verdict)
    assert bool(coach.mistake) == stands
    assert bool(coach.returned_mistake) != stands


def test_coach_reports_a_mistake_after_a_right_move_in_a_hard_position() -> None:
    match = new_match(parse_game_id("chocobar:8x10"), (HUMAN, "perfect"), seed=1)
    with Control() as control:
        for word in ("5,6", "4,10", "5,5"):
            match.learn(match.position, match.game.solver.moves(match.position, control))
            match.play(match.game.parse_move(word, match.position))
        match.learn(match.position, match.game.solver.moves(match.position, control))
    assert is_nearly_lost(match, 0), "77 of the 79 moves lose"
    assert told_mistake(match, State(keys=DEFAULT_KEYS, coach=Coach.MISTAKES)) == 2


@pytest.mark.parametrize("trouble", ["slow", "broken", "asleep"])
def test_engine_reply_waits_briefly_for_the_coach(monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    """The engine has answered already while the coach still looks, or fails, or finds nothing in its time."""
    monkeypatch.setattr("arcade.play.engine.ENGINE_PAUSE", 0.01 if trouble == "asleep" else 600.0)
    front = answered(monkeypatch, "1,3")
    session = front.session
    solver, first = session.match.game.solver, session.match.first
    solve, chosen = solver.solve, threading.Event()

    def look(position: Any, control: Control, goal: Goal = Goal.ALL) -> Any:
        if position == first:
            assert chosen.wait(30)
            if trouble == "broken":
                raise RuntimeError("out of chocolate")
            while trouble == "asleep" and not control.stopped:
                time.sleep(0.001)
        return solve(position, control, goal)

    monkeypatch.setattr(solver, "solve", look)
    threads = Threads()
    session = Session(session.match, Host(), threads)
    take = session._engine._take

    def choose(move: Any, wait: float, extra: Callable[[Any], float]) -> None:
        take(move, wait, extra)
        assert len(session.match.plies) == 1, "it waits"
        chosen.set()

    monkeypatch.setattr(session._engine, "_take", choose)
    session.play(session.match.game.parse_move("2,2"))
    threads.settle(lambda: len(session.match.plies) == 2, 30)
    session.stop()
    assert (session.match.plies[0].mark is Mark.BLUNDER) == (trouble == "slow")


def test_race_review_is_unchanged_after_reopening(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())
    front = Front(new_match(parse_game_id("honshu:9x6#1"), (HUMAN,), seed=1), services)
    session = front.session
    session.start()
    while not session.match.finished:
        front.settle()
        hinted = len(session.match.plies) == 4
        if hinted:
            session.do("hint")
            front.settle()
            session.do("hint")
        session.play(session.state.hint.move if session.state.hint else session.match.position.moves()[0])
    front.settle()
    match = session.match
    best = present(match.best_of(match.first))
    assert sum(ply.lost for ply in match.line) == best - present(match.ending).scores[0] > 0
    assert match.line[4].mark is Mark.HINTED
    told = accuracy_sentence(match)
    lost = best - present(match.ending).scores[0]
    assert told.endswith(f" of 5 ({lost} points lost)."), "the hint's move is the program's"
    reasons = [(ply.lost, ply.reason) for ply in match.line if ply.reason]
    assert reasons
    assert all(f"It costs {lost} at the end" in reason for lost, reason in reasons)
    turned = present(match.decisive_mistake())
    assert match.line[turned].lost == max(ply.lost for ply in match.line), "it turned where most was lost"
    assert session.saved is not None
    row = services.store.match(session.saved[0])
    again = Match.from_record(row.record)
    assert accuracy_sentence(again) == told
    assert best_sentence(again, None).startswith(f"Best known {best}")
    later = Front(again, services, saved=session.saved)
    later.session.open()
    later.session.start()
    later.settle()
    assert accuracy_sentence(again) == told
    assert best_sentence(again, None) == best_sentence(match, session.match.verdict_of(match.first))
    assert services.store.match(session.saved[0]) == row


TAKEN_OVER = {
    "a person takes the winner's seat": ((PERFECT, "random"), 0, HUMAN),
    "an engine plays for the person": ((HUMAN, "random"), 0, PERFECT),
    "the opponent gets weaker": ((HUMAN, PERFECT), 1, "random"),
    "the opponent gets stronger": ((HUMAN, "random"), 1, PERFECT),
}


@pytest.mark.parametrize("case", TAKEN_OVER)
def test_match_with_changed_seat_does_not_count(case: str, services: Services) -> None:
    services.settings = replace(services.settings, coach=Coach.QUIET)
    seats, seat, who = TAKEN_OVER[case]
    front = Front(new_match(parse_game_id("chocobar:2x2"), seats), services)
    session, match = front.session, front.session.match
    match.play(match.game.parse_move("2,2", match.position))
    changed = [*seats]
    changed[seat] = who
    session.set_players(changed)
    session.set_players([HUMAN, changed[1]])
    match.resign(1)
    session.save()
    assert help_sentence(match) == "Help: a change of players."
    assert not match.record().unaided
    assert services.win_loss_counts() == {}
    (saved,) = services.store.matches()
    assert Match.from_record(saved.record).players == match.players == (seats[0],)
    assert not session.match.continued().record().unaided, "nor does a branch"


def test_match_counts_if_opponent_changes_before_first_move() -> None:
    front = Front(new_match(parse_game_id("chocobar:2x2"), (HUMAN, "random")))
    front.session.set_players(["random", PERFECT])
    front.session.set_players([HUMAN, PERFECT])
    front.play("2,2")
    assert front.session.match.players == ()


def test_seating_two_engines_counts_as_help() -> None:
    """Engines that play each other show what every move is worth, so no move is needed to see it."""
    front = front_of("chocobar:2x2", HUMAN, HUMAN).play("2,2")
    front.session.set_players(["random", "random"])
    assert front.session.scene.revealed
    front.session.set_players([HUMAN, HUMAN])
    assert not front.session.match.record().unaided


@pytest.mark.parametrize("coach", Coach)
def test_open_coach_during_engine_turn_counts_as_help(coach: Coach, services: Services) -> None:
    services.settings = replace(services.settings, coach=Coach.QUIET)
    front = Front(new_match(parse_game_id("chocobar:2x2"), (HUMAN, "random")), services)
    front.session.play(front.session.match.position.moves()[0])
    assert front.session.match.player_to_move == "random"
    services.settings = replace(services.settings, coach=coach)
    front.session.apply_coach_setting()
    services.settings = replace(services.settings, coach=Coach.QUIET)
    front.session.apply_coach_setting()
    assert front.session.match.record().unaided == (coach is not Coach.OPEN)


@pytest.mark.parametrize("seats", [(HUMAN, "random"), ("random", "random")])
def test_failed_engine_pauses_until_resumed(seats: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    front = Front(new_match(parse_game_id("chocobar:3x4"), seats, seed=1), judging=False)
    session = front.session
    with monkeypatch.context() as broken:
        broken.setattr(RandomPlayer, "choose", failing(RuntimeError("no idea")))
        if session.match.watched:
            session.do("pause")
        else:
            session.play(session.match.game.parse_move("3,4", session.match.position))
        front.settle()
    plies = len(session.match.plies)
    assert front.said == ["The solver failed: RuntimeError('no idea')."]
    assert session.state.paused, "nobody is thinking"
    assert ("pause", "continue") in session.scene.offers
    session.do("pause")
    front.settle()
    assert len(session.match.plies) > plies, "the first press is enough"


def test_other_failed_job_does_not_pause_engine() -> None:
    front = front_of("chocobar:3x4", HUMAN, "random", judging=False)
    session = front.session
    session.play(session.match.game.parse_move("3,4", session.match.position))
    session._jobs.start("hint", failing(RuntimeError("no hint")))
    front.settle()
    assert not session.state.paused
    assert len(session.match.plies) == 2


def test_revealing_a_hidden_verdict_counts_as_help(services: Services) -> None:
    services.settings = replace(services.settings, coach=Coach.QUIET)
    front = Front(new_match(parse_game_id("chocobar:2x2"), (HUMAN, HUMAN)), services, judging=False)
    front.play("2,2")
    assert front.session.match.record().unaided
    front.session.note_reveal()
    assert help_sentence(front.session.match) == "Help: move values shown."


def test_machine_does_not_learn_moves_tried_by_human(services: Services) -> None:
    front = Front(new_match(parse_game_id("menace"), ("MENACE", HUMAN), services.machines), services)
    session = front.session
    session.match.resign(1)
    session.go_to(0)
    front.play("a1", "b1")
    session.do("pause")
    assert session.match.players == (HUMAN, HUMAN)
    while not session.match.finished:
        front.settle()
        if session.match.player_to_move == HUMAN:
            session.match.resign(1)
            session.save()
    drawn = [ply for ply in session.match.line if ply.by == "MENACE"]
    machine = services.machines.load("MENACE")
    assert [stretch.won for stretch in machine.history] == [1]
    first = machine.boxes.first[0]
    assert machine.beads[first.index] == Machine("MENACE").beads[first.index], "its first bead was not drawn"
    assert len(drawn) == 1


@pytest.mark.parametrize(
    "board", ["chocobar:8x10", "hexapawn:5x5", "honshu:7x6#1", "menace", "tetromino:4x5"]
)
def test_every_engine_moves_at_once_with_zero_seconds(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start, left = parse_game_id(board), list[float | None]()
    kind = type(make_player(start.game, start.game.players.best))
    choose = kind.choose

    def watched(player: Any, position: Any, rng: random.Random, control: Control) -> Any:
        left.append(control.remaining)
        return choose(player, position, rng, control)

    monkeypatch.setattr(kind, "choose", watched)
    seats = [start.game.players.best] * (2 if not isinstance(start.game, RaceGame) else 1)
    match = play_to_end(new_match(start, seats, seed=1), 0)
    assert match.finished
    assert match.resigned is None
    assert left == [0] * len(match.plies)


def test_zero_second_limit_differs_from_no_limit() -> None:
    left: list[float | None] = []
    jobs = Jobs(Here(), lambda _: None)
    for seconds in (None, 0):
        jobs.start("any", lambda _: None, seconds)
        left.append(jobs.controls["any"].remaining)
    jobs.stop()
    assert left == [None, 0]
