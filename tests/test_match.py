from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.game import InputError, Termination
from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import Proof, Value, Verdict
from arcade.match import Mark, Match
from tests.oracle import BruteForce


def match_of(text: str = "chocobar:3x4", seats: tuple[str, ...] = ("human", "perfect")) -> Match:
    return Match(parse_game_id(text), seats)


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match.play(match.game.parse_move(move, match.position))
    return match


def test_a_match_is_played_to_its_end() -> None:
    match = play(match_of("chocobar:2x2"), "2,2", "1,2")
    assert match.result is None
    play(match, "2,1")
    result = match.result
    assert result is not None
    assert result.winner == 0
    assert result.termination is Termination.POISON
    assert match.describe_result() == "First wins: only the poison is left."
    with pytest.raises(ValueError, match="over"):
        play(match, "1,1")


@given(st.lists(st.sampled_from(["play", "undo", "redo", "restart"]), max_size=40), st.randoms())
def test_undo_and_redo_lead_through_the_same_positions(steps: list[str], rng: Any) -> None:
    """A plain list of positions with a cursor is the model."""
    match = match_of()
    line, at = [match.position], 0
    for step in steps:
        if step == "play" and not match.result:
            move = rng.choice(match.position.moves())
            match.play(move)
            line[at + 1 :] = [line[at].play(move)]
            at += 1
        elif step == "undo":
            assert match.undo() == (at > 0)
            at = max(at - 1, 0)
        elif step == "redo":
            assert match.redo() == (at < len(line) - 1)
            at = min(at + 1, len(line) - 1)
        elif step == "restart":
            match.restart()
            at = 0
        assert match.position == line[at]
        assert len(match.plies) == at
        assert len(match.undone) == len(line) - 1 - at
        assert [match.before(number) for number in range(at)] == line[:at]
        again = Match.from_record(json.loads(json.dumps(match.record())))
        assert again.position == match.position
        assert again.record() == match.record()


def test_moves_are_marked_as_soon_as_the_values_are_known() -> None:
    solver = BruteForce()
    # On 3x4 only (2,3) wins; after (1,4), a 3x3 bar, only (2,2) does.
    match = play(match_of(), "1,4", "2,2", "1,3")
    assert [ply.mark for ply in match.plies] == [None] * 3
    with Control() as control:
        for number in range(3):
            position = match.before(number)
            match.learn(position, solver.analyse(position, control))
    assert [ply.mark for ply in match.plies] == [Mark.THREW, Mark.ONLY, Mark.KEPT]
    assert match.plies[1].verdict is not None
    assert match.plies[1].verdict.value is Value.WIN
    match.undo()
    match.redo()
    assert match.plies[2].mark is Mark.KEPT
    assert Match.from_record(match.record()).plies[1].mark is Mark.ONLY


def test_what_is_proved_later_marks_a_move_of_a_race() -> None:
    match = Match(parse_game_id("honshu:6x3#7"), ["human"])
    for _ in range(2):
        match.play(match.position.moves()[0])
    first, second, third = match.history()
    match.prove(second, Verdict(Proof.BOUND, best=9, bound=20))
    match.prove(first, Verdict(Proof.BOUND, best=12, bound=22))
    assert [ply.mark for ply in match.plies] == [None, None]
    match.prove(second, Verdict(Proof.EXACT, best=11, bound=11))
    match.prove(third, Verdict(Proof.BOUND, best=11, bound=11))
    assert [ply.mark for ply in match.plies] == [Mark.THREW, Mark.KEPT]
    assert match.best_of(first) == 12
    match.undo()
    match.redo()
    assert [ply.mark for ply in match.plies] == [Mark.THREW, Mark.KEPT]
    again = Match.from_record(match.record())
    again.prove(first, Verdict(Proof.BOUND, best=12, bound=22))
    assert [ply.mark for ply in again.plies] == [Mark.THREW, Mark.KEPT]
    # A higher score is found after all: whether the move keeps it is open again.
    again.prove(third, Verdict(Proof.BOUND, best=11, bound=30))
    again.prove(second, Verdict(Proof.BOUND, best=13, bound=30))
    assert [ply.mark for ply in again.plies] == [Mark.THREW, None]


def test_resigning_can_be_taken_back() -> None:
    match = play(match_of(), "1,4")
    match.resign(1)
    assert match.describe_result() == "First wins: Second resigned."
    assert not match.redo()
    with pytest.raises(ValueError, match="over"):
        match.resign(0)
    assert match.undo()
    assert match.result is None
    assert len(match.plies) == 1


def test_seats_change_in_mid_game() -> None:
    match = play(match_of(), "1,4")
    assert match.to_move == "perfect"
    match.sit(1, "fallible")
    assert match.seats == ["human", "fallible:5"]
    match.sit(1, "human")
    assert match.to_move == "human"
    assert not match.watched
    with pytest.raises(InputError, match="nobody"):
        match.sit(0, "nobody")


def test_the_same_seed_and_plies_draw_the_same() -> None:
    first, second = match_of(), match_of()
    assert first.rng().random() == second.rng().random()
    play(first, "1,4")
    assert first.rng().random() != second.rng().random()


@pytest.mark.parametrize(
    "harm",
    [
        {"start": "chocobar:0x0"},
        {"start": "nothing"},
        {"start": 7},
        {"seats": ["human"]},
        {"seats": ["human", "wizard"]},
        {"moves": ["(9,9)"], "marks": [""]},
        {"moves": ["(1,4)"], "marks": []},
        {"marks": ["brilliant"]},
        {"moves": None},
        {"hints": "x"},
        {"played": "many"},
    ],
)
def test_a_damaged_record_is_refused_with_a_sentence(harm: dict[str, Any]) -> None:
    record = play(match_of(), "1,4").record() | harm
    with pytest.raises(InputError, match=r"^[A-Z].*\.$"):
        Match.from_record(record)
