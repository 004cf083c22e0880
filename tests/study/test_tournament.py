from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.menace.machine import Machine
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.workers import LocalPool
from arcade.library import play_matches
from arcade.play.machines import Machines
from arcade.store.record import MatchRecord
from arcade.store.store import Store, open_store
from arcade.study.tournament import MAX_MATCHES, MAX_PLAYERS, Tournament
from tests.narrow import present
from tests.refusals import refused

GAME = "hexapawn:3x3"
FIELD = ("beginner", "random", "perfect")


def made(players: tuple[str, ...] = FIELD, rounds: int = 2, game: str = GAME, **options: Any) -> Tournament:
    return Tournament(parse_game_id(game), players, rounds, **options)


def played(tournament: Tournament, workers: int = 0) -> dict[int, MatchRecord]:
    tournament.play(Control(), LocalPool(workers))
    return tournament.records


@pytest.fixture
def machines() -> Machines:
    return Machines(open_store)


def test_all_pairs_play_both_sides_each_round() -> None:
    tournament = made(rounds=3)
    meetings = Counter(each.seats for each in tournament.schedule)
    assert set(meetings.values()) == {3}
    assert set(meetings) == {(one, other) for one in FIELD for other in FIELD if one != other}
    assert [each.number for each in tournament.schedule] == list(range(18))


def test_ladder_tournament_pairs_neighbours() -> None:
    pairs = {frozenset(each.seats) for each in made(ladder=True).schedule}
    assert pairs == {frozenset(FIELD[:2]), frozenset(FIELD[1:])}


def test_schedule_extends_with_rounds_and_depends_on_seed() -> None:
    few, many = made(rounds=2).schedule, made(rounds=5).schedule
    assert many[: len(few)] == few
    assert made(seed=1).schedule != few
    assert len({each.seed for each in many}) == len(many)


def test_each_round_has_its_own_deal_unless_given() -> None:
    deals = [each.start for each in made(("random", "greedy"), 3, "honshu:5x5").schedule]
    assert Counter(deals).most_common(1)[0][1] == 2
    named = made(("random", "greedy"), 3, "honshu:5x5#7").schedule
    assert {each.start for each in named} == {str(parse_game_id("honshu:5x5#7"))}


def test_machine_plays_only_sides_with_boxes(machines: Machines) -> None:
    tournament = made(("HER", "random", "perfect"), machines=machines)
    assert all(each.seats[1] == "HER" for each in tournament.schedule if 0 in (each.first, each.second))
    assert {each.seats for each in tournament.schedule} >= {
        ("perfect", "random"),
        ("random", "HER"),
    }
    assert all(record.result is not None for record in played(tournament).values())


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (("beginner",), {}, "at least 2 players"),
        (("random",) * 2, {}, "random is named twice"),
        (("fallible", "fallible:5"), {}, "fallible:5 is named twice"),
        (("human", "random"), {}, "accepts engines only"),
        (
            ("nobody", "random"),
            {},
            r"Unknown player 'nobody' of Hexapawn\. Choose from beginner.*(, HER)?\.$",
        ),
        (("random", "depth:100"), {}, "from 1 to 99"),
        (("HER", "Her"), {"made": "Her"}, "HER has no opponent"),
        (("MENACE", "random"), {}, "cannot take this seat"),
        (FIELD, {"rounds": MAX_MATCHES}, "The limit is 20,000"),
        (
            tuple(f"depth:{number}" for number in range(1, MAX_PLAYERS + 2)),
            {},
            "A tournament can have up to 40 players",
        ),
    ],
)
def test_invalid_tournament_is_refused(
    machines: Machines, players: tuple[str, ...], options: dict[str, Any], message: str
) -> None:
    if options.pop("made", None):
        machines.keep(Machine("Her", machines.load("HER").options))
    refused(message, made, players, machines=machines, **options)


def test_worker_count_does_not_change_the_matches() -> None:
    # More than a move ever takes: a deadline, as of two seconds under load, may give another move.
    seconds = 1000.0
    here, two = made(seconds=seconds), made(seconds=seconds)
    assert played(here) == played(two, 2)
    assert here.standings() == two.standings()
    # And the same that is played everywhere else.
    for pairing in here.schedule[:4]:
        again = next(play_matches(pairing.start, *pairing.seats, seed=pairing.seed, seconds=seconds))
        assert tuple(map(str, again.moves)) == here.records[pairing.number].moves


def test_standings_and_cross_table_add_up() -> None:
    tournament = made((*FIELD, "depth:3"), 3, "menace")
    assert [each.played for each in tournament.standings()] == [0] * 4
    played(tournament)
    standings, cross = tournament.standings(), tournament.cross()
    assert sum(each.score for each in standings) == len(tournament.schedule)
    for each in standings:
        one = tournament.players.index(each.player)
        assert each.score == sum(made or 0 for made in cross[one])
        assert each.played == 18
        assert each.low < each.rating < each.high
        for other in range(4):
            if other != one:
                assert (cross[one][other] or 0) + (cross[other][one] or 0) == 6
    # Everybody has met everybody equally often, so the order is that of the points.
    assert [each.score for each in standings] == sorted((each.score for each in standings), reverse=True)


def test_resumed_tournament_replays_no_matches(data_folder: Path) -> None:
    whole = played(made(rounds=3))
    with open_store() as store, Control() as control:
        first = made()

        def finished(number: int, record: MatchRecord) -> None:
            first.records[number] = record
            if len(first.records) == 5:
                control.cancel()

        first.play(control, store=store, finished=finished)
        assert len(first.records) == 5
        # More rounds go on from there too.
        second = made(rounds=3)
        second.restore(store)
        assert second.records == first.records
        more: dict[int, MatchRecord] = {}
        second.play(Control(), store=store, finished=more.__setitem__)
        assert second.records == first.records, "whoever is told of a match enters it"
        assert len(more) == 13
        second.records |= more
        assert second.records == whole
        # Another seed is another tournament.
        other = made(seed=1)
        other.restore(store)
        assert not other.records
        latest = present(Tournament.latest(store, get_game("hexapawn"), Machines(lambda: store)))
        assert (latest.name, latest.records) == (second.name, whole)
        assert Tournament.latest(store, get_game("menace"), Machines(lambda: store)) is None


def test_trained_machine_counts_as_new_player(machines: Machines) -> None:
    before = made(("HER", "random"), machines=machines).name
    assert made(("HER", "random"), machines=machines).name == before
    learned = machines.copy("HER")
    learned.beads[0] += 1
    machines.keep(learned)
    assert made(("HER", "random"), machines=machines).name != before


@pytest.mark.parametrize(
    "name", ["nothing", "[1]", "{}", '{"game": "hexapawn:3x3", "players": 5}', '{"game": "no"}']
)
def test_damaged_tournament_name_is_ignored(name: str, store: Store) -> None:
    store.save_tournament_match(name, 0, played(made())[0])
    made().restore(store)
    assert Tournament.latest(store, get_game("hexapawn"), Machines(lambda: store)) is None


def test_tournament_with_old_player_name_resumes(data_folder: Path) -> None:
    new = made(("beginner", "depth:2"), 1)
    old = new.name.replace("depth:2", "sees:2")
    assert old != new.name
    played(new)
    with open_store() as store:
        store.save_tournament_match(old, 0, new.records[0])
        again = made(("beginner", "sees:2"), 1)
        again.restore(store)
        assert again.records == {0: new.records[0]}
        latest = Tournament.latest(store, get_game("hexapawn"), Machines(open_store))
        assert present(latest).players == ["beginner", "depth:2"]
