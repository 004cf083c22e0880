import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.players import Player
from arcade.engines.registry import AnyGame, parse_game_id
from arcade.engines.seats import make_player
from arcade.engines.verdict import Proof, ScoreVerdict, Value
from arcade.play.match import Mark, Match, new_match
from arcade.play.sentences import result_sentence, seat_name
from arcade.store.record import MatchRecord
from tests.narrow import present
from tests.oracle import BruteForce
from tests.refusals import refused


def match_of(text: str = "chocobar:3x4", seats: tuple[str, ...] = ("human", "perfect")) -> Match:
    return new_match(parse_game_id(text), seats)


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match.play(match.game.parse_move(move, match.position))
    return match


def test_finished_match_has_result_and_refuses_moves() -> None:
    match = play(match_of("chocobar:2x2"), "2,2", "1,2")
    assert match.result is None
    play(match, "2,1")
    assert present(match.result).winner == 0
    assert result_sentence(match) == "First wins: Second has nothing left but the poison."
    with pytest.raises(ValueError, match="over"):
        play(match, "1,1")


def restart(match: Match) -> None:
    """Go back to the first position."""
    while match.undo():
        pass


@given(st.lists(st.sampled_from(["play", "undo", "redo", "restart"]), max_size=40), st.randoms())
def test_undo_and_redo_lead_through_the_same_positions(steps: list[str], rng: Any) -> None:
    """A plain list of positions with a cursor is the model."""
    match = match_of()
    line, at = [match.position], 0
    for step in steps:
        if step == "play" and not match.result:
            move = rng.choice(match.position.moves())
            match = match.continued()
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
            restart(match)
            at = 0
        assert match.position == line[at]
        assert len(match.plies) == at
        assert len(match.undone) == len(line) - 1 - at
        assert [match.before(number) for number in range(at)] == line[:at]
        again = Match.from_record(MatchRecord.from_json(match.record().to_json()))
        # A finished match is saved as it ended, whatever is looked at.
        assert again.position == (line[-1] if match.finished else match.position)
        assert again.record() == match.record()


def finished(resigned: bool) -> Match:
    """A match that the first seat wins, by the poison or because the second resigns."""
    match = play(match_of("chocobar:2x3"), "2,3")
    if resigned:
        match.resign(1)
        return match
    return play(match, "1,3", "2,2", "1,2", "2,1")


LOOKS: dict[str, Callable[[Match], object]] = {
    "undo": Match.undo,
    "redo": Match.redo,
    "restart": restart,
    "hint": Match.count_hint,
    "play": lambda match: match.play(match.first.moves()[0]),
    "sit": lambda match: match.set_player(0, "perfect"),
    "resign": lambda match: match.resign(0),
    "play on": lambda match: play_on(match.continued()),
    "take back": lambda match: play_on(match.taken_back() or match),
}


def play_on(match: Match) -> None:
    if not match.finished:
        match.count_hint()
        match.set_player(0, "perfect")
        match.play(match.position.moves()[-1])


@given(st.lists(st.sampled_from(sorted(LOOKS)), max_size=30), st.booleans())
def test_finished_match_never_changes(steps: list[str], resigned: bool) -> None:
    match = finished(resigned)
    before = match.record()
    assert before.result is Value.WIN
    for step in steps:
        if step in ("play", "sit", "resign"):
            with pytest.raises(ValueError, match="over"):
                LOOKS[step](match)
        else:
            LOOKS[step](match)
        assert match.finished
        assert match.record() == before
        assert (match.result is None) == bool(match.undone)
    assert Match.from_record(before).record() == before


@pytest.mark.parametrize("resigned", [False, True])
def test_continuing_finished_match_starts_new_one(resigned: bool) -> None:
    match = finished(resigned)
    match.taught = True
    match.count_hint()
    match.undo()
    new = match.continued()
    assert not new.finished
    assert new.continued() is new
    assert new.position == match.position
    assert (len(new.plies), new.undone, new.taught) == (len(match.plies), [], bool(match.plies))
    restart(match)
    # Nothing of it has been played: it is like any new match.
    assert match.continued().taught is False
    assert match.continued().plies == []


def test_old_record_with_moves_after_resignation_is_read() -> None:
    match = play(match_of(), "1,4", "2,2")
    match.undo()
    match.resign(1)
    assert match.undone == []
    old = replace(match.record(), moves=("(1,4)", "(2,2)"), marks=("", ""))
    assert Match.from_record(old).record() == match.record()


def test_old_match_with_undone_last_move_resumes() -> None:
    ended = finished(False).record()
    match = Match.from_record(replace(ended, played=4, result=None))
    assert not match.finished
    assert match.redo()
    assert match.record() == ended


def test_moves_are_marked_when_values_become_known() -> None:
    solver = BruteForce()
    # On 3x4 only (2,3) wins; after (1,4), a 3x3 bar, only (2,2) does.
    match = play(match_of(), "1,4", "2,2", "1,3")
    assert [ply.mark for ply in match.plies] == [None] * 3
    for number in range(3):
        position = match.before(number)
        match.learn(position, solver.moves(position, Control()))
    assert [ply.mark for ply in match.plies] == [Mark.BLUNDER, Mark.ONLY, Mark.GOOD]
    assert match.plies[1].verdict is not None
    assert match.plies[1].verdict.value is Value.WIN
    match.undo()
    match.redo()
    assert match.plies[2].mark is Mark.GOOD
    assert Match.from_record(match.record()).plies[1].mark is Mark.ONLY


def test_later_proof_marks_race_moves() -> None:
    match = new_match(parse_game_id("honshu:6x3#7"), ["human"])
    for _ in range(2):
        match.play(match.position.moves()[0])
    first, second, third = match.history()
    match.record_verdict(second, ScoreVerdict(Proof.BOUND, best=9, bound=20))
    match.record_verdict(first, ScoreVerdict(Proof.BOUND, best=12, bound=22))
    assert [ply.mark for ply in match.plies] == [None, None]
    match.record_verdict(second, ScoreVerdict(Proof.EXACT, best=11, bound=11))
    match.record_verdict(third, ScoreVerdict(Proof.BOUND, best=11, bound=11))
    assert [ply.mark for ply in match.plies] == [Mark.INACCURACY, Mark.GOOD]
    assert match.plies[0].lost == 1
    assert match.best_of(first) == 12
    match.undo()
    match.redo()
    assert [ply.mark for ply in match.plies] == [Mark.INACCURACY, Mark.GOOD]
    assert match.record().lost == (1, 0)
    again = Match.from_record(match.record())
    assert [ply.lost for ply in again.plies] == [1, 0]
    again.record_verdict(first, ScoreVerdict(Proof.BOUND, best=12, bound=22))
    assert [ply.mark for ply in again.plies] == [Mark.INACCURACY, Mark.GOOD]
    # A higher score is found after all: whether the move keeps it is open again.
    again.record_verdict(third, ScoreVerdict(Proof.BOUND, best=11, bound=30))
    again.record_verdict(second, ScoreVerdict(Proof.BOUND, best=13, bound=30))
    assert [ply.mark for ply in again.plies] == [Mark.INACCURACY, None]


@given(st.integers(0, 2**30), st.integers(1, 2))
@settings(max_examples=25, deadline=None)
def test_race_review_is_consistent_in_any_search_order(seed: int, seats: int) -> None:
    """Whatever a search says, in whatever order, and also when the match is opened again."""
    rng = random.Random(seed)
    match = new_match(parse_game_id("honshu:6x3#7"), ["human"] * seats)
    while not match.finished:
        match.play(rng.choice(match.position.moves()))
    assert match.ending is not None
    positions = [position for _, position in match.steps()]
    for position in rng.sample(positions, len(positions)):
        best = rng.randrange(30)
        match.record_verdict(position, ScoreVerdict(Proof.BOUND, best=best, bound=best + 5))
    again = Match.from_record(MatchRecord.from_json(match.record().to_json()))
    for each in (match, again):
        known = each.best_of(each.first)
        assert known == match.best_of(match.first)
        for seat, score in enumerate(match.ending.scores):
            plies = [ply for ply in each.line if ply.seat == seat]
            assert sum(ply.lost for ply in plies) == (known or 0) - score
            assert all(ply.mark is not None and ply.mark.bad == (ply.lost > 0) for ply in plies)
            course = [each.best_of(position) or 0 for position in each.history(seat)]
            assert course == sorted(course, reverse=True)


def test_resignation_can_be_undone() -> None:
    match = play(match_of(), "1,4")
    match.resign(1)
    assert result_sentence(match) == "First wins: Second resigned."
    assert not match.redo()
    with pytest.raises(ValueError, match="over"):
        match.resign(0)
    back = present(match.taken_back())
    assert back.result is None
    assert len(back.plies) == 1
    assert match.finished


def test_seats_can_change_during_match() -> None:
    match = play(match_of(), "1,4")
    assert match.player_to_move == "perfect"
    match.set_player(1, "fallible")
    assert match.seats == ["human", "fallible:5"]
    match.set_player(1, "human")
    assert match.player_to_move == "human"
    assert not match.watched
    refused("nobody", match.set_player, 0, "nobody")


def test_random_numbers_depend_only_on_seed_and_plies() -> None:
    first, second = match_of(), match_of()
    assert first.rng().random() == second.rng().random()
    play(first, "1,4")
    assert first.rng().random() != second.rng().random()


def test_explicit_seed_overrides_seed_of_start() -> None:
    start = parse_game_id("honshu:#3")
    assert new_match(start).seed == 3
    assert new_match(start, seed=5).seed == 5
    assert new_match(start, seed=5).first == new_match(start).first


def test_player_is_created_once_per_match(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(game: AnyGame, who: str) -> Player[Any, Any]:
        made.append(who)
        return make_player(game, who)

    monkeypatch.setattr("arcade.play.match.make_player", make)
    match = new_match(parse_game_id("chocobar:2x3"), ["random", "perfect"])
    first = match.player()
    assert match.player() is first
    play(match, "1,3")
    assert match.player() is not first
    match.undo()
    assert match.player() is first
    assert made == ["random", "perfect"]


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
def test_damaged_record_is_refused_with_message(harm: dict[str, Any]) -> None:
    record = json.loads(play(match_of(), "1,4").record().to_json()) | harm
    with pytest.raises(InputError, match=r"^[A-Z].*\.$"):
        Match.from_record(MatchRecord.from_json(json.dumps(record)))


def test_result_addresses_only_human_as_you() -> None:
    match = new_match(parse_game_id("chocobar:2x2"), ["human", "perfect"])
    for word in ("(1,2)", "(2,1)"):
        match.play(match.game.parse_move(word, match.position))
    assert result_sentence(match, to_person=True) == "You lose: you have nothing left but the poison."
    assert result_sentence(match) == "Second wins: First has nothing left but the poison."


def test_race_steps_follow_the_board_of_each_player() -> None:
    match = new_match(parse_game_id("honshu:6x3#7"), ["human", "human"])
    while not match.finished:
        match.play(match.position.moves()[0])
    match.undo()
    steps = list(match.steps())
    for seat in range(2):
        seen = [position for ply, position in steps if ply.seat == seat]
        assert seen == match.history(seat)[: len(seen)]
    assert match.value_before(0) is None


def test_old_player_name_seats_the_renamed_player() -> None:
    match = new_match(parse_game_id("chocobar:3x4"), ("sees:3", "human"))
    assert match.seats == ["depth:3", "human"]


def test_old_player_name_does_not_count_as_a_change_of_player() -> None:
    record = replace(
        new_match(parse_game_id("chocobar:3x4"), ("depth:3", "human")).record(), seats=("sees:3", "human")
    )
    match = Match.from_record(record)
    assert match.record() == record
    assert seat_name(match, 0) == "Depth 3"
    match.play(match.player().choose(match.position, match.rng(), Control()))
    match.set_player(0, "depth:3")
    assert not match.handed_over
    match.set_player(0, "depth:4")
    assert match.seats[0] == "depth:4"
    assert match.handed_over
