"""Where a person stands on the ladder: by likelihood over matches, and by which matches."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.registry import AnyGame, get_game, parse_game_id
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value
from arcade.play.headless import play_to_end
from arcade.play.machines import Machines
from arcade.play.match import HUMAN, new_match
from arcade.play.path import LADDER
from arcade.play.session import Session
from arcade.services import Services
from arcade.store.queries import Filter
from arcade.store.record import Coach, MatchRecord
from arcade.store.store import Store
from arcade.study.review import catch_up, chances, choices, level, level_of, read_chances, write_chances
from arcade.study.statistics import level_sentence
from tests.narrow import present
from tests.play.here import Here
from tests.refusals import refused

GAME = get_game("menace")

steps = st.dictionaries(st.integers(1, 12), st.floats(-50, 0), max_size=5).map(
    lambda found: dict(sorted({0: -7.0, **found}.items()))
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_chances_survive_round_trip(known: dict[int, float]) -> None:
    assert read_chances(write_chances(known)) == pytest.approx(known, abs=0.001)


@pytest.mark.parametrize("text", ["", "0", "1:-2.0", "0:x", "0:-1 0:-2 1", "3:-1 0:-2", "0:1.0", "0:nan"])
def test_damaged_chances_are_refused(text: str) -> None:
    refused("damaged", read_chances, text)


def told(who: str, number: int) -> MatchRecord:
    """A match of a person who plays like an engine, in turn on both sides."""
    seats = ("club", who) if number % 2 else (who, "club")
    record = play_to_end(new_match(parse_game_id("menace"), seats, seed=number)).record()
    return replace(
        record, seats=tuple(HUMAN if each == who else each for each in record.seats), coach=Coach.QUIET
    )


def caught_up(store: Store, game: AnyGame = GAME, ready: bool = True, cancelled: bool = False) -> int:
    with Control() as control:
        if cancelled:
            control.cancel()
        return catch_up(store, game, Machines(lambda: store), control, lambda: ready)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "name"), [("depth:1", "beginner"), ("depth:3", "club"), ("depth:9", "perfect")]
)
def test_player_of_known_strength_gets_matching_level(who: str, name: str) -> None:
    with Store.in_memory() as store:
        assert level(store, GAME) is None
        for number in range(24):
            store.save_match(told(who, number))
        assert caught_up(store) == 24
        assert caught_up(store) == 0
        found = level(store, GAME)
    assert found is not None
    assert abs(LADDER.index(name) - found.rung) <= 1
    # Some matches went where others had been before.
    assert 6 < found.matches < 24
    assert not found.provisional
    matches = f"based on {found.matches} recent matches without help."
    assert level_sentence(found) == f"Your level: {found.name.capitalize()}, {matches}"


FAR, NEAR = {0: -9.0, 50: -1.0}, {0: -1.0, 3: -9.0}


def test_level_moves_at_most_one_step_per_match() -> None:
    known = [(float(number), FAR if number < 6 else NEAR) for number in range(16)]
    found = level_of(known, (2, 4, 6, 8))
    assert found is not None
    rungs = [rung for _, rung in found.course]
    assert len(rungs) == 16
    assert all(abs(after - before) <= 1 for before, after in pairwise(rungs))
    assert max(rungs) > 3
    assert rungs[-1] < 0.5


def test_single_lucky_win_gives_low_provisional_level() -> None:
    """One move out of sixty that keeps the win, found by guessing, on a bar where all others lose."""
    lost = [MoveVerdict(number, DuelVerdict(Proof.EXACT, Value.LOSS, 20)) for number in range(59)]
    only = MoveVerdict(59, DuelVerdict(Proof.EXACT, Value.WIN, 21))
    found = level_of([(1.0, chances([([*lost, only], 59)]))], (2, 4, 6, 8))
    assert found is not None
    assert found.name in ("beginner", "casual")
    assert found.provisional
    assert "(provisional, between Beginner and Perfect)" in level_sentence(found)


def test_level_is_none_without_matches() -> None:
    assert level_of([], (2, 4, 6, 8)) is None


def test_aided_and_damaged_matches_do_not_affect_level() -> None:
    with Store.in_memory() as store:
        store.save_match(replace(told("depth:3", 0), takebacks=1))
        harmed, _ = store.save_match(told("depth:3", 1))
        store._connection.execute("UPDATE matches SET record = '{' WHERE id = ?", (harmed,))
        assert store.unjudged("menace", 9) == [harmed]
        caught_up(store)
        assert store.unjudged("menace", 9) == []
        assert level(store, GAME) is None


def test_replaying_the_same_moves_does_not_affect_level() -> None:
    with Store.in_memory() as store:
        for _ in range(2):
            store.save_match(told("depth:3", 0))
        store.save_match(told("depth:3", 1))
        caught_up(store)
        assert len(store.level_data("menace", 9)) == 2
        assert not store.unjudged("menace", 9)


def test_interrupted_catch_up_leaves_match_unjudged() -> None:
    with Store.in_memory() as store:
        store.save_match(told("depth:3", 0))
        assert caught_up(store, ready=False) == 0
        assert caught_up(store, cancelled=True) == 0
        assert len(store.unjudged("menace", 9)) == 1


def test_review_saves_data_for_the_level() -> None:
    services = Services(warm=False)
    services.settings = replace(services.settings, coach=Coach.QUIET, calm=True)
    here = Here()
    session = Session(new_match(parse_game_id("menace"), (HUMAN, "beginner"), seed=3), services, here, print)
    while not session.match.finished:
        session.play(session.match.position.moves()[0])
        here.settle()
    assert services.store.unjudged("menace", 9) == []
    ((kept, _),) = services.store.level_data("menace", 9)
    assert read_chances(kept) == pytest.approx(chances(choices(session.match, 0)), abs=0.001)
    services.close()


def test_missing_scores_of_old_records_are_restored() -> None:
    match = new_match(parse_game_id("honshu:7x6#1"), (HUMAN,))
    while match.result is None:
        match.play(match.position.moves()[0])
    record = match.record()
    with Store.in_memory() as store:
        store.save_match(replace(record, scores=()))
        caught_up(store, match.game)
        (line,) = store.listed(Filter())
        assert present(line).points == record.scores[0] > 0
