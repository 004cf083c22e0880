from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.registry import AnyGame, get_game, parse_game_id
from arcade.match.match import HUMAN, Match
from arcade.match.record import Coach, MatchRecord
from arcade.matchbox.machines import Machines
from arcade.services import Services
from arcade.session.alone import play_out
from arcade.session.session import Session
from arcade.store.queries import Filter
from arcade.store.store import Store
from arcade.study import review as levels
from arcade.study.review import catch_up, chances, choices, level, level_of, read, sight, together, write
from arcade.study.statistics import level_sentence
from tests.narrow import present
from tests.refusals import refused
from tests.session.here import Here

GAME = get_game("menace")

steps = st.dictionaries(st.integers(1, 12), st.floats(-50, 0), max_size=5).map(
    lambda found: dict(sorted({0: -7.0, **found}.items()))
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(steps, min_size=1, max_size=4))
def test_chances_of_matches_add_up_at_every_number(known: list[dict[int, float]]) -> None:
    found = together(known)
    for plies in range(14):
        expected = sum(each[max(number for number in each if number <= plies)] for each in known)
        assert found[max(number for number in found if number <= plies)] == pytest.approx(expected)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_chances_are_read_back(known: dict[int, float]) -> None:
    assert read(write(known)) == pytest.approx(known, abs=0.001)


@pytest.mark.parametrize("text", ["", "0", "1:-2.0", "0:x", "0:-1 0:-2 1", "3:-1 0:-2", "0:1.0", "0:nan"])
def test_damaged_chances_are_refused(text: str) -> None:
    refused("damaged", read, text)


def told(who: str, number: int) -> MatchRecord:
    """A match of a person who plays like an engine, in turn on both sides."""
    seats = ("club", who) if number % 2 else (who, "club")
    record = play_out(Match(parse_game_id("menace"), seats, seed=number)).record()
    return replace(
        record, seats=tuple(HUMAN if each == who else each for each in record.seats), coach=Coach.QUIET
    )


def caught_up(store: Store, game: AnyGame = GAME, ready: bool = True, cancelled: bool = False) -> int:
    with Control() as control:
        if cancelled:
            control.cancel()
        return catch_up(store, game, Machines(lambda: store), control, lambda: ready)


@pytest.mark.parametrize(
    ("who", "sees", "equal"),
    [("sees:1", 1, "Beginner"), ("sees:3", 3, "one who sees 3 moves ahead"), ("sees:5", 5, "Expert")],
)
def test_a_player_of_known_sight_is_seen_through(who: str, sees: int, equal: str) -> None:
    with Store.in_memory() as store:
        for number in range(24):
            store.save_match(told(who, number))
        assert level(store, GAME) is None
        assert caught_up(store) == 24
        assert caught_up(store) == 0
        found = level(store, GAME)
    assert found is not None
    assert (found.sight.best, found.equal, found.matches) == (sees, who, 24)
    assert level_sentence(found, GAME).endswith(
        f" ahead, by 24 matches without help. An equal opponent is {equal}."
    )
    assert found.sight.high is not None
    assert found.sight.low <= sees <= found.sight.high
    assert len(found.course) > 12


def test_a_level_is_that_of_the_latest_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "FEWEST_MATCHES", 1)
    monkeypatch.setattr(levels, "RECENT", 3)
    near, far = {0: -1.0, 4: -9.0}, {0: -9.0, 4: -1.0, 6: -9.0}
    known = [(float(number), near if number < 20 else far) for number in range(23)]
    found = present(level_of(known))
    assert (found.sight.best, found.matches) == (4, 3)
    assert [each.best for _, each in found.course] == [0] * 22 + [0]
    monkeypatch.setattr(levels, "WINDOW", 2)
    found = present(level_of(known))
    assert [each.best for _, each in found.course][-2:] == [4, 4]
    assert level_of([]) is None
    assert level_of([(1.0, {0: -1.0})]) is None


@pytest.mark.parametrize(
    ("opponent", "won", "most"),
    [
        ("random", True, 2),
        ("fallible:3", True, 2),
        ("club", False, 2),
        ("beginner", True, 4),
        ("sees:4", True, 5),
        ("club", True, 6),
        ("expert", True, 7),
        ("perfect", True, 8),
        ("sees:44", True, 45),
    ],
)
def test_no_level_before_five_matches_and_none_far_above_who_was_beaten(
    opponent: str, won: bool, most: int
) -> None:
    game = get_game("chocobar")
    match = Match(parse_game_id("chocobar:3x4"), (HUMAN, opponent))
    match.resign(1 if won else 0)
    with Store.in_memory() as store:
        for number in range(5):
            assert level(store, game) is None
            id, _ = store.save_match(match.record(), when=float(number))
            store.judge(id, "0:-9.0 7:-1.0 45:-0.1", None)
        found = level(store, game)
    assert found is not None
    assert found.plies == found.sight.high == most
    assert found.course[-1][1].high == most
    assert f"{most}" in level_sentence(found, game) or most in game.sights


def test_matches_with_help_and_damaged_ones_tell_nothing() -> None:
    with Store.in_memory() as store:
        helped, _ = store.save_match(replace(told("sees:3", 0), takebacks=1))
        harmed, _ = store.save_match(told("sees:3", 1))
        store._connection.execute("UPDATE matches SET record = '{' WHERE id = ?", (harmed,))
        assert store.unjudged("menace", 9) == [harmed]
        caught_up(store)
        assert store.unjudged("menace", 9) == []
        assert level(store, GAME) is None
        listed = {each.id: each.sees for each in store.listed(Filter()) if each}
        assert listed == {helped: None, harmed: None}


def test_nothing_is_told_where_the_work_was_stopped() -> None:
    with Store.in_memory() as store:
        store.save_match(told("sees:3", 0))
        assert caught_up(store, ready=False) == 0
        assert caught_up(store, cancelled=True) == 0
        assert len(store.unjudged("menace", 9)) == 1


def test_a_match_that_was_looked_back_at_tells_by_itself() -> None:
    services = Services(warm=False)
    services.settings = replace(services.settings, coach=Coach.QUIET, animation=False)
    here = Here()
    session = Session(Match(parse_game_id("menace"), (HUMAN, "beginner"), seed=3), services, here, print)
    while not session.match.finished:
        session.play(session.match.position.moves()[0])
        here.settle()
    (line,) = [each for each in services.store.listed(Filter()) if each is not None]
    seen = sight(choices(session.match, 0))
    assert (line.sees, line.sees_low) == ((seen.best, seen.low) if seen else (None, None))
    assert services.store.unjudged("menace", 9) == []
    (kept,) = services.store.chances("menace", 9)
    assert read(kept.chances) == pytest.approx(chances(choices(session.match, 0)), abs=0.001)
    services.close()


def test_scores_that_old_records_lack_are_found_again() -> None:
    match = Match(parse_game_id("honshu:7x6#1"), (HUMAN,))
    while match.result is None:
        match.play(match.position.moves()[0])
    record = match.record()
    with Store.in_memory() as store:
        store.save_match(replace(record, scores=()))
        caught_up(store, match.game)
        (line,) = store.listed(Filter())
        assert present(line).points == record.scores[0] > 0
