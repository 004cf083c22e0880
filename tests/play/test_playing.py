"""Matches that are played, looked back at and gone on with: what their scenes show and offer."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.tetromino.board import Placement
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import TetrominoSolver
from arcade.engines.verdict import DuelVerdict, Proof, Value
from arcade.play.jobs import Threads
from arcade.play.keymap import DEFAULT_KEYS
from arcade.play.match import HUMAN, Mark, Match, new_match
from arcade.play.scene import EndScene, QuestionScene, VerdictScene, scene_of
from arcade.play.session import Session
from arcade.play.state import LOOKING_BACK, State
from arcade.services import Services
from arcade.store.record import Coach, MatchRecord
from arcade.widgets.glyphs import UNICODE
from tests.narrow import duel, expect, present
from tests.oracle import BruteForce
from tests.play.finished import finished_match, rows_of
from tests.play.front import Front, front_of, open_host

pytestmark = pytest.mark.usefixtures("instant")


def test_verdict_values_and_marks_follow_the_moves() -> None:
    front = front_of("chocobar:3x4", services=open_host())
    scene = front.session.scene
    assert expect(VerdictScene, scene.verdict).text == "You win in 4 moves"
    assert not scene.board.values
    front.session.do("values")
    assert [str(each.move) for each in front.session.scene.board.values if each.best] == ["(2,3)"]
    front.play("1,3")
    scene = front.session.scene
    assert scene.shown == 2
    assert scene.moves[0].mark is Mark.BLUNDER
    assert scene.moves[1].mark is not None
    assert expect(VerdictScene, scene.verdict).text.startswith("Second wins")


def test_finished_match_shows_result_and_offers_review() -> None:
    front = front_of("chocobar:2x2").play("1,2")
    ended = expect(EndScene, front.session.scene.verdict)
    assert ended.result == "You lose: you have nothing left but the poison."
    assert ended.turning == "You gave the win away with move 1: (2,2) was right."
    assert ended.why.startswith("You gave the win away with (1,2) instead of (2,2), move 1: ")
    front.session.do("pause")
    assert "The game is over here" in front.said[-1]
    assert "review" in dict(ended.offers)
    front.session.do("review")
    assert not front.session.match.plies
    assert "Find a better move" in expect(QuestionScene, front.session.scene.verdict).task


def test_earlier_position_gets_verdict_when_visited() -> None:
    match = new_match(parse_game_id("chocobar:3x4"), (HUMAN, HUMAN))
    for move in ("2,2", "1,4", "3,1"):
        match.play(match.game.parse_move(move, match.position))
    front = Front(match, open_host())
    front.session.start()
    front.settle()
    assert all(ply.mark is not None for ply in match.plies)
    front.session.go_to(0)
    front.settle()
    assert "First wins in" in expect(VerdictScene, front.session.scene.verdict).text


def test_undo_and_redo_cross_engine_moves() -> None:
    front = front_of("chocobar:3x4")
    session = front.session
    session.do("undo")
    assert session.match.plies == []
    front.play("1,4", "1,3")
    played = [move.text for move in session.scene.moves]
    assert len(played) >= 3
    while session.match.plies:
        session.do("undo")
        front.settle()
        assert session.match.player_to_move == HUMAN
    while session.match.undone:
        session.do("forward")
        front.settle()
    assert [text for _, text in session.scene.played] == played


def test_mistake_is_found_after_resigning() -> None:
    front = front_of("chocobar:3x4").play("1,4")
    assert len(front.session.match.plies) == 2
    front.session.do("resign")
    front.settle()
    front.session.do("review")
    assert front.session.match.plies == []
    assert len(front.session.match.undone) == 2


def test_pending_hint_is_shown_in_status() -> None:
    front = front_of("chocobar:3x4", HUMAN, HUMAN)
    front.session.do("hint")
    assert (front.session.scene.status, front.session.scene.offers) == ("Looking for a hint.", ())
    front.settle()
    assert front.session.state.hint is not None
    assert front.session.scene.status == ""


@pytest.mark.parametrize("seed", [0, 7])
def test_seed_gives_same_match_in_shell_and_session(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    seats = "fallible:3,random"
    words = ["--seats", seats, "--seed", str(seed), "--headless", "--json"]
    assert run(["watch", "chocobar:5x6", *words]) == 0
    printed = json.loads(capsys.readouterr().out)["matches"][0]["moves"]
    front = Front(new_match(parse_game_id("chocobar:5x6"), seats.split(","), seed=seed), judging=False)
    front.session.open()
    front.session.start()
    front.session.do("pause")
    front.settle()
    assert [move.text for move in front.session.scene.moves] == printed


def test_hint_in_watched_match_pauses_the_engines() -> None:
    front = front_of("chocobar:3x4", "perfect", "perfect")
    session = front.session
    session.do("hint")
    front.settle()
    assert session.state.hint is not None
    assert session.scene.paused
    session.do("hint")
    assert session.scene.board.hinted is not None
    session.do("forward")
    front.settle()
    assert session.scene.shown == 1
    assert session.state.hint is None
    # While the engines play they wait for it.
    session.do("pause")
    assert not session.scene.paused
    session.do("hint")
    front.settle()
    assert session.state.hint is not None
    assert session.scene.paused
    assert session.scene.shown == 1


def test_finished_match_gives_hints_for_earlier_positions() -> None:
    match = new_match(parse_game_id("chocobar:2x2"), (HUMAN, "perfect"))
    for move in ("2,2", "2,1", "1,2"):
        match.play(match.game.parse_move(move, match.position))
    front = Front(match)
    session = front.session
    session.open()
    session.start()
    front.settle()
    assert session.scene.over
    session.do("hint")
    assert session.state.hint is None
    assert "earlier" in front.said[-1]
    for plies in (2, 1):
        session.do("back")
        front.settle()
        assert session.scene.shown == plies
        session.do("hint")
        session.do("hint")
        front.settle()
        assert session.scene.board.hinted is not None
        session.do("put_away")
        assert session.scene.hint is None


def test_hint_is_refused_while_opponent_thinks() -> None:
    front = front_of("chocobar:3x4")
    session = front.session
    session.play(session.match.game.parse_move("2,2"))
    assert session.match.player_to_move == "perfect"
    session.do("hint")
    assert front.said == ["It is not your turn."]
    assert session.state.hint_step == 0


@pytest.mark.parametrize(
    ("winners", "matches_left", "progress"),
    [
        ([], 0, "move 0"),
        ([], 2, "match 1 of 3, 0:0   move 0"),
        ([0, 1, 0], 1, "match 4 of 5, 2:1   move 0"),
        ([None], 0, "match 2 of 2, 0:0   move 0"),
    ],
)
def test_series_title_shows_the_score(winners: list[int | None], matches_left: int, progress: str) -> None:
    match = new_match(parse_game_id("chocobar:3x4"), ("perfect", "random"))
    match.winners, match.matches_left = winners, matches_left
    assert scene_of(match, State(keys=DEFAULT_KEYS, paused=True)).progress == f"{progress}, paused"


# A finished match.


def opened_again(services: Services) -> Front:
    """The last match of the store, opened from a list."""
    row = services.recent_matches()[0]
    front = Front(Match.from_record(row.record, services.machines), services, saved=(row.id, row.revision))
    front.session.open()
    front.session.start()
    return front.settle()


def done(front: Front, steps: str) -> None:
    """Do actions and play moves, each when the one before is done."""
    session = front.session
    for step in steps.split():
        if "," in step:
            session.play(session.match.game.parse_move(step, session.branch))
        elif step == "coach":
            coaches = list(Coach)
            following = coaches[(coaches.index(session.host.settings.coach) + 1) % len(coaches)]
            session.host.settings = replace(session.host.settings, coach=following)
            session.apply_coach_setting()
        else:
            session.do(step)
        front.settle()


LOOKED_BACK = (
    *("back", "review", "restart", "seats", "resign", "back forward", "back values", "back seats"),
    *("restart forward forward", "restart forward", "back hint hint hint forward"),
    "restart 1,3 undo 1,3 hint put_away put_away",
    "review 2,3 coach",
)


@pytest.mark.parametrize("resigned", [False, True])
def test_looking_back_leaves_finished_match_unchanged(
    resigned: bool, services: Services, data_folder: Path
) -> None:
    match = finished_match(resigned)
    services.save_match(match, None)
    before, tally = rows_of(data_folder), services.win_loss_counts()
    for steps in LOOKED_BACK:
        front = opened_again(services)
        assert front.session.match.record() == match.record()
        done(front, steps)
        front.session.go_to(1)
        front.settle()
        front.session.do("put_away")
        front.settle()
        front.session.stop()
        assert services.win_loss_counts() == tally, steps
        assert rows_of(data_folder) == before, steps


@pytest.mark.parametrize("resigned", [False, True])
@pytest.mark.parametrize("steps", ["restart forward pause", "undo", "restart 1,4 pause"])
def test_continuing_finished_match_creates_new_match(
    steps: str, resigned: bool, services: Services, data_folder: Path
) -> None:
    services.save_match(finished_match(resigned), None)
    (before,), tally = rows_of(data_folder), services.win_loss_counts()
    front = opened_again(services)
    done(front, steps)
    assert front.session.match.plies
    assert not front.session.match.finished
    assert any("new match" in text for text in front.said)
    assert services.win_loss_counts() == tally
    kept, new = rows_of(data_folder)
    assert kept == before
    assert MatchRecord.from_json(str(new[3])) == front.session.match.record()


def test_review_offers_actions_on_engine_turns() -> None:
    match = new_match(parse_game_id("tetromino:4x4,LO-IS"), (HUMAN, "random"))
    for _ in range(2):
        match.play(match.position.moves()[0])
    match.resign(0)
    front = Front(match)
    front.session.start()
    front.settle()
    front.session.do("back")
    assert front.session.match.player_to_move == "random"
    assert front.session.scene.offers == LOOKING_BACK


# Values that take time.


class Slicing(TetrominoSolver):
    """Finds values first, half of the moves in the first slice of time, and the rest when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.oracle = BruteForce()
        self.asked = 0
        self.go_on = threading.Event()

    def _judge(self, position: Tetrominoes, control: Control, full: bool) -> DuelVerdict:
        found = duel(self.oracle.judge(position, control))
        return found if full else replace(found, proof=Proof.BOUND, remoteness=None)

    def _judge_moves(
        self, position: Tetrominoes, control: Control, full: bool, within: int | None = None
    ) -> list[tuple[Placement, DuelVerdict]]:
        found = [(each.move, duel(each.verdict)) for each in self.oracle.judge_moves(position, control)]
        if full:
            while not (control.stopped or self.go_on.is_set()):
                time.sleep(0.002)
            return found
        self.asked += 1
        if self.asked == 1:
            while not control.stopped:
                time.sleep(0.002)
        known = len(found) if self.asked > 1 else len(found) // 2
        values = [replace(verdict, proof=Proof.BOUND, remoteness=None) for _, verdict in found[:known]]
        unknown = [DuelVerdict()] * (len(found) - known)
        return [(move, value) for (move, _), value in zip(found, values + unknown, strict=True)]


def test_move_values_appear_gradually_before_their_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Slicing()
    monkeypatch.setitem(get_game("tetromino").__dict__, "solver", solver)
    monkeypatch.setattr("arcade.engines.tetromino.solver.VALUES_SECONDS", 0.05)
    # Some first moves win, some tie, some lose.
    match, threads = new_match(parse_game_id("tetromino:4x5,LO-OT"), (HUMAN, HUMAN)), Threads()
    front = Front(match, open_host(), threads)
    session, o_wins = front.session, match.game.parse_move("O1@b2")
    session.open()
    session.do("values")
    session.start()

    def settled(enough: Callable[[Session], object]) -> None:
        threads.settle(lambda: bool(session.scene.board.values and enough(session)), 30)

    settled(lambda session: session.scene.board.values[-1].verdict.value)
    seen = [sum(each.verdict.value is not None for each in scene.board.values) for scene in front.scenes]
    # On a busy machine the second slice may be too short, too, and all values come once more.
    assert list(dict.fromkeys(seen)) == [0, 40, 80]
    known = duel(session.scene.board.verdicts[o_wins].verdict)
    assert (known.value, known.remoteness) == (Value.WIN, None)
    assert UNICODE.verdict(known) == UNICODE.win
    assert "First wins" in expect(VerdictScene, session.scene.verdict).text
    # A move made at once gets its mark from the value alone.
    session.play(match.game.parse_move("O1@c1"))
    assert session.scene.moves[0].mark is not None
    solver.go_on.set()
    session.do("undo")
    settled(lambda session: all(duel(each.verdict).remoteness for each in session.scene.board.values))
    assert UNICODE.verdict(present(session.scene.board.verdicts[o_wins]).verdict) == f"{UNICODE.win}2"
    session.stop()
