"""A hint on every board: proved, or marked as an estimate; found in a job that can be stopped."""

import random
import re
import time

import pytest

from arcade.engines import explanations
from arcade.engines.control import Control
from arcade.engines.estimates import Estimates
from arcade.engines.explanations import Explanations, Limits
from arcade.engines.game import RaceGame
from arcade.engines.honshu.solver import HonshuSolver
from arcade.engines.registry import GameID, get_game, parse_game_id
from arcade.engines.retrograde import RetrogradeSolver
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value
from arcade.play.jobs import Threads
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.mistakes import told_to_person
from benchmarks.games.four import GAME as FOUR
from tests.narrow import present
from tests.play.front import Front


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PROOF_SECONDS", "SEARCH_SECONDS", "REASON_SECONDS", "LINE_SECONDS"):
        monkeypatch.setattr(explanations, name, 0.1)
    monkeypatch.setattr(explanations, "_share", lambda _, __: 0.1)


def match_on(board: str) -> Match:
    name, _, parameters = board.partition(":")
    start = GameID(FOUR, FOUR.parameters.parse(parameters)) if name == "four" else parse_game_id(board)
    return new_match(start, (HUMAN, HUMAN) if not isinstance(start.game, RaceGame) else (HUMAN,), seed=1)


def front_on(board: str) -> Front:
    front = Front(match_on(board), judging=False)
    front.session.start()
    return front.settle()


@pytest.mark.parametrize("board", ["hexapawn:8x8", "tetromino:6x10", "four:7x6"])
def test_hint_on_unsolved_board_has_three_steps_and_is_marked_unproved(board: str) -> None:
    front = front_on(board)
    session = front.session
    front.do("hint")
    hint = present(session.state.hint)
    assert hint.verdict.proof is Proof.ESTIMATE
    assert hint.verdict.value is None
    assert hint.move in session.match.position.moves()
    assert str(hint.move) not in hint.region.says.split()
    assert hint.advice() == f"Play {hint.move}. This is not proved."
    assert re.search(r" (it looks|it and \d+ other moves? look) best, because ", hint.why)
    assert present(session.scene.hint).advice.endswith(". This is not proved.")
    assert session.match.hints == [1, 0]
    front.do("hint").do("hint")
    assert present(session.scene.hint).step == 3
    assert not front.said


def test_hint_in_honshu_appears_at_once_with_its_line() -> None:
    front = front_on("honshu:9x12#3").do("hint")
    hint = present(front.session.state.hint)
    assert hint.verdict.proof in (Proof.BOUND, Proof.EXACT)
    assert hint.why.startswith(("It scores ", "The score does not change at once"))
    assert len(hint.line) == 12


def test_hint_while_kernels_are_compiling_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Control, "has_kernels", lambda *_: False)
    monkeypatch.setattr(HonshuSolver, "search", None)
    front = front_on("honshu:9x12#3").do("hint")
    hint = present(front.session.state.hint)
    assert hint.verdict.proof is Proof.ESTIMATE
    assert " it scores +" in hint.why


@pytest.mark.timed
@pytest.mark.parametrize("board", ["hexapawn:8x7", "hexapawn:7x7", "hexapawn:8x6", "hexapawn:6x8"])
def test_hint_on_board_with_book_is_proved_within_two_seconds(
    board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Explanations, "limits", Limits(hint=2.0))
    front = front_on(board).do("hint")
    hint = present(front.session.state.hint)
    assert hint.verdict.proof is Proof.EXACT
    fact = present(front.session.match.game.solver.verdict(front.session.match.position, Control(0)))
    assert (hint.verdict.value, hint.verdict.remoteness) == (fact.value, fact.remoteness)
    assert hint.line[0] == hint.move


def test_closed_hint_stays_closed_when_its_line_grows() -> None:
    session = Front(match_on("hexapawn:3x3")).session
    session.do("hint")
    runner = session._jobs._runner
    runner.settle(lambda: session.state.hint is not None)  # type: ignore[attr-defined]
    session.do("put_away")
    runner.settle()  # type: ignore[attr-defined]
    assert session.state.hint is None


def test_hint_search_stops_when_the_player_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "PROOF_SECONDS", 60.0)
    threads = Threads()
    front = Front(match_on("hexapawn:8x8"), runner=threads, judging=False)
    session = front.session
    session.do("hint")
    control = session._jobs.controls["hint"]
    started = time.monotonic()
    session.play(session.match.position.moves()[0])
    assert time.monotonic() - started < 5
    assert control.cancelled
    assert session.state.hint is None
    assert not session.state.hint_sought


def test_estimated_hint_avoids_lost_moves_and_counts_them() -> None:
    game = get_game("hexapawn")
    position = game.parse_position(
        "p.pppppp/......../......../.p....../P......./......../.PPPPPPP/........:w"
    )
    lost = DuelVerdict(Proof.BOUND, Value.LOSS, at_least=2, at_most=90)
    analysis = [
        MoveVerdict(move, lost if move.captures else DuelVerdict(Proof.BOUND, at_least=5))
        for move in position.moves()
    ]
    with Control() as control:
        hint = game.explanations.estimated_hint(position, control, analysis)
    assert not hint.move.captures
    assert hint.verdict == DuelVerdict(Proof.ESTIMATE, at_least=5)
    assert hint.why.endswith(" Proved: 1 other move loses.")


def test_hint_with_one_proved_tie_claims_at_least_a_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_on("four:7x6")
    tie = DuelVerdict(Proof.EXACT, Value.TIE, 42)
    known = [MoveVerdict(move, tie if move == 4 else DuelVerdict()) for move in match.position.moves()]
    monkeypatch.setattr(RetrogradeSolver, "moves", lambda *_: known)
    monkeypatch.setattr(RetrogradeSolver, "line", lambda *_: [])
    with Control(0.3) as control:
        hint = present(match.game.explanations.hint(match.position, control))
    assert (hint.move, hint.verdict.value) == (4, Value.TIE)
    assert hint.why == "It keeps at least a tie. Whether another move wins is not proved."


def test_estimated_hint_without_time_still_names_a_move() -> None:
    for board in ("hexapawn:8x8", "tetromino:6x10", "four:7x6"):
        match = match_on(board)
        with Control(0) as control:
            hint = present(match.game.explanations.hint(match.position, control))
        assert hint.verdict.proof is Proof.ESTIMATE
        assert hint.move in match.position.moves()


def test_cancelled_search_gives_no_hint() -> None:
    match = match_on("hexapawn:8x8")
    with Control() as control:
        control.cancel()
        assert match.game.explanations.hint(match.position, control) is None


def test_rule_of_thumb_chooses_among_moves_that_look_equally_good(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game("hexapawn")
    position = game.parse_position("p.p/.../.P./P.P/...:w")
    moves = position.moves()
    monkeypatch.setattr(type(game.solver), "estimates", lambda *_: Estimates(dict.fromkeys(moves, 0.0), str))
    with Control() as control:
        hint = game.explanations.estimated_hint(position, control)
    after = position.play(hint.move)
    (rule, *_) = [
        rule for rule in game.explanations.rules if rule.value is Value.LOSS and rule.match(after) is not None
    ]
    assert hint.why.startswith("At a first glance, it looks best by a rule with ")
    assert f"{rule.strength}. " in hint.why
    assert hint.why.endswith(present(rule.match(after)).sentence)
    assert hint.motto == rule.motto


def test_estimates_are_the_same_for_the_same_seed() -> None:
    position = FOUR.new({"columns": 7, "rows": 6})
    with Control() as control:
        scores = [
            FOUR.solver.estimates(position, position.moves(), 3, random.Random(7), control).scores
            for _ in range(2)
        ]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("board", ["chocobar:5x6", "hexapawn:4x5", "tetromino:5x6", "menace"])
@pytest.mark.parametrize("seat", [0, 1])
def test_hint_for_single_human_says_you_with_the_right_verb(board: str, seat: int) -> None:
    start = parse_game_id(board)
    match = new_match(start, (HUMAN, "club") if seat == 0 else ("club", HUMAN))
    rng, told = random.Random(f"{board} {seat}"), 0
    with Control(30) as control:
        for _ in range(12):
            position = start.start()
            for _ in range(rng.choice((0, 2, 3, 4))):
                if position.outcome() is None:
                    position = position.play(rng.choice(position.moves()))
            hint = start.game.explanations.hint(position, control)
            if hint is not None:
                said = told_to_person(match, hint.why)
                told += "you" in said.lower()
                assert not re.search(r"\b[Yy]ou (?:then )?(?!pass\b|always\b)\w+s\b", said), said
                assert start.game.sides[seat] not in said, said
    assert told
