"""Matches are ordered by when the data file received them: clocks and dates of imports may be wrong."""

import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.matches import usual_match
from arcade.play.exchange import export_matches, import_matches
from arcade.play.machines import Machines
from arcade.play.match import new_match
from arcade.services import LOSSES_BEFORE_HELP, Services
from arcade.store.file import APPLICATION_ID, FILE_NAME, _run, _steps
from arcade.store.queries import Filter, MatchSummary
from arcade.store.record import HUMAN, MatchRecord
from arcade.store.settings import AppState
from arcade.store.store import KEPT_DELETIONS, PuzzleResult, Store, open_store
from arcade.studies import SEARCHED, mistakes_of, puzzle_round
from arcade.study.puzzles import PRACTICE, PuzzleChoice
from arcade.study.review import REMEMBERED, chances_text, level
from arcade.study.statistics import REVIEWED, missed, statistics

YEARS = 5 * 365 * 86_400.0
HEXAPAWN = get_game("hexapawn")


def lost(opponent: str = "casual", start: str = "hexapawn:3x3", seat: int = 0) -> MatchRecord:
    """A match that a person gave up, or the opponent if `seat` is 1."""
    match = new_match(parse_game_id(start), (HUMAN, opponent))
    match.resign(seat)
    return match.record()


def watched(start: str = "hexapawn:5x5") -> MatchRecord:
    return replace(lost(start=start), seats=("club", "club"))


def ids(store: Store) -> list[int]:
    return [each.id for each in store.matches(-1)]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What is added to the time of day."""
    added, real = [0.0], time.time
    monkeypatch.setattr("time.time", lambda: real() + added[0])
    return added


def test_wrong_clock_does_not_change_match_order(services: Services, clock: list[float]) -> None:
    store = services.store
    clock[0] = YEARS
    won, _ = store.save_match(lost(start="hexapawn:4x4", seat=1))
    clock[0] = 0.0
    others = [store.save_match(lost())[0] for _ in range(LOSSES_BEFORE_HELP)]
    assert ids(store) == [line.id for line in store.listed(Filter()) if line] == [*reversed(others), won]
    assert str(usual_match(services, HEXAPAWN).start) == "hexapawn:3x3"
    assert services.to_learn(new_match(parse_game_id("hexapawn:3x3"), (HUMAN, "casual"))) is not None
    streaks = {each.game: each.every.streak for each in statistics(store)}
    assert (streaks["hexapawn"].now, streaks["hexapawn"].longest) == (0, 1)


def test_imported_dates_do_not_change_match_order(services: Services) -> None:
    store = services.store
    with Store.in_memory() as other:
        for when in (YEARS, 3 * YEARS, 20 * YEARS, 2 * YEARS):
            other.save_match(lost(start="hexapawn:4x4", seat=1), when=time.time() + when)
        text = export_matches(reversed(other.matches(-1)))
    store.save_match(lost(start="hexapawn:5x5", seat=1))
    import_matches(store, text, services.machines)
    for _ in range(LOSSES_BEFORE_HELP):
        last, _ = store.save_match(lost())
    assert ids(store)[0] == last
    assert str(usual_match(services, HEXAPAWN).start) == "hexapawn:3x3"
    assert services.to_learn(new_match(parse_game_id("hexapawn:3x3"), (HUMAN, "casual"))) is not None


def test_continued_match_becomes_the_latest(services: Services) -> None:
    store = services.store
    going = new_match(parse_game_id("hexapawn:4x4"), (HUMAN, "club"))
    id, revision = store.save_match(going.record())
    other, _ = store.save_match(lost())
    assert ids(store) == [other, id]
    going.resign(0)
    store.save_match(going.record(), id, revision)
    assert ids(store) == [id, other]


def test_match_in_play_is_found_behind_many_others(services: Services) -> None:
    id, _ = services.store.save_match(new_match(parse_game_id("hexapawn:4x4"), (HUMAN, "club")).record())
    done, _ = services.store.save_match(lost())
    for _ in range(30):
        services.store.save_match(watched())
    for text, found in ((str(id), id), (str(done), None), ("99", None), ("", None), ("9" * 30, None)):
        services.state = AppState(in_play=text)
        saved = services.last_in_play()
        assert (saved and saved.id) == found


def test_usual_match_ignores_watched_matches(
    services: Services,
) -> None:
    services.store.save_match(lost("club", "hexapawn:4x4"))
    for _ in range(30):
        services.store.save_match(watched())
    usual = usual_match(services, HEXAPAWN)
    assert (str(usual.start), tuple(usual.seats)) == ("hexapawn:4x4", (HUMAN, "club"))


def test_losses_in_a_row_count_across_watched_matches(services: Services) -> None:
    now = new_match(parse_game_id("hexapawn:3x3"), (HUMAN, "casual"))
    for _ in range(LOSSES_BEFORE_HELP):
        assert services.to_learn(now) is None
        services.store.save_match(lost())
        services.store.save_match(watched())
    assert services.to_learn(now) is not None


def test_mistakes_are_found_behind_many_watched_matches(services: Services) -> None:
    match = new_match(parse_game_id("hexapawn:3x3"), (HUMAN, "casual"))
    match.play(HEXAPAWN.parse_move("a2", match.position))
    match.resign(0)
    rule = HEXAPAWN.explanations.rules[0].id
    bad = replace(match.record(), marks=("threw it away",), rules=(rule,))
    with services.store.together():
        services.store.save_match(bad)
        for _ in range(max(SEARCHED, REVIEWED)):
            services.store.save_match(watched("hexapawn:3x3"))
    assert missed(services.store, HEXAPAWN).mistakes == 1
    assert len(mistakes_of(services, HEXAPAWN)) == 1


def test_known_positions_come_from_earlier_matches(services: Services) -> None:
    match = new_match(parse_game_id("hexapawn:3x3"), (HUMAN, "casual"))
    position = match.position
    match.play(HEXAPAWN.parse_move("a2", position))
    match.resign(0)
    with Control() as control:
        match.learn(position, HEXAPAWN.solver.moves(position, control))
    with services.store.together():
        # Dates say that the others were before.
        first, _ = services.store.save_match(match.record(), when=time.time() + YEARS)
        second, _ = services.store.save_match(match.record())
        for _ in range(10 * REMEMBERED):
            services.store.save_match(match.record())
    told = [chances_text(match, 0, services.store, id, services.machines) for id in (first, second)]
    assert told[0].startswith("0:")
    assert told[1] == ""


def test_level_uses_the_matches_received_last(services: Services) -> None:
    for number in range(3):
        id, _ = services.store.save_match(lost(), when=time.time() - number * YEARS)
        services.store.save_level_data(id, f"0:-{number + 1}.000")
    assert [chances for chances, _ in services.store.level_data("hexapawn", 2)] == ["0:-2.000", "0:-3.000"]
    assert level(services.store, HEXAPAWN) is not None


def test_first_score_of_a_day_is_first_received(services: Services) -> None:
    race = new_match(parse_game_id("honshu:9x12#20260101"), (HUMAN,))
    race.resign(0)
    for points, when in ((40, time.time() + YEARS), (55, time.time())):
        services.store.save_match(replace(race.record(), scores=(points,)), when=when)
    start = race.record().start
    assert services.store.scores_alone([start])[start][0] == 40


def test_undo_restores_last_deletion_despite_wrong_clock(services: Services, clock: list[float]) -> None:
    store = services.store
    first, second, third = (store.save_match(lost())[0] for _ in range(3))
    for id, added in ((first, YEARS), (second, 0.0), (third, 2 * YEARS)):
        clock[0] = added
        store.delete_matches([id])
    clock[0] = 0.0
    new, _ = store.save_match(lost())
    for brought in ([third], [second], [first]):
        assert store.restore_matches() == 1
        assert set(brought) < set(ids(store))
    assert store.restore_matches() == 0
    # They take their old places.
    assert ids(store) == [new, third, second, first]


def test_old_deleted_matches_expire_after_many_later_deletions(
    services: Services, clock: list[float]
) -> None:
    store = services.store
    made = [store.save_match(lost())[0] for _ in range(KEPT_DELETIONS + 2)]
    store.delete_matches(made[:1])
    clock[0] = YEARS
    for id in made[1:]:
        store.delete_matches([id])
    clock[0] = 0.0
    while store.restore_matches():
        pass
    assert ids(store) == list(reversed(made[1:]))


def test_tournaments_are_ordered_by_latest_play(services: Services, clock: list[float]) -> None:
    store = services.store
    for name, added, number in (("first", YEARS, 0), ("second", 0.0, 0), ("third", -YEARS, 0)):
        clock[0] = added
        store.save_tournament_match(name, number, watched())
    assert list(store.tournaments()) == ["third", "second", "first"]
    store.save_tournament_match("first", 1, watched())
    assert list(store.tournaments()) == ["first", "third", "second"]


def test_puzzles_are_stored_in_order_of_play(services: Services) -> None:
    for number, when in enumerate((3.0, 1.0, 2.0)):
        services.store.add_puzzle(PuzzleResult("hexapawn", str(number), "practice", None, 1, True, 1.0, when))
    assert [each.puzzle for each in services.puzzle_results("hexapawn")] == ["0", "1", "2"]
    played = puzzle_round(services, PuzzleChoice(HEXAPAWN, PRACTICE))
    assert list(played._known) == ["0", "1", "2"]


def test_future_save_time_is_shown_as_date() -> None:
    now = 1_780_000_000.0
    for later, form in ((0.0, "%H:%M"), (86_400.0, "%d %b"), (365 * 86_400.0, "%Y-%m-%d")):
        line = MatchSummary.of(1, lost(), now + later)
        assert line.saved_when(now) == time.strftime(form, time.localtime(now + later))


def test_damaged_number_does_not_stop_the_counter() -> None:
    for wrong in ("'x'", "x'ff'", "NULL", "9223372036854775807"):
        with open_store() as store:
            first, _ = store.save_match(lost())
            store._connection.execute(f"UPDATE matches SET received = {wrong} WHERE id = ?", (first,))
            second, third = (store.save_match(lost())[0] for _ in range(2))
            assert [id for id in ids(store) if id in (second, third)] == [third, second]


def test_version_3_store_keeps_match_order(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        _run(connection, _steps(0, 3))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 3")
        values = (lost().game, lost().to_json(), "loss")
        for id, when in ((1, 3e9), (2, 1e9), (3, 2e9)):
            connection.execute(
                "INSERT INTO matches (id, revision, game, record, result, updated) VALUES (?, 1, ?, ?, ?, ?)",
                (id, *values, when),
            )
        for id, deleted in ((4, time.time() - 1), (5, time.time())):
            connection.execute(
                "INSERT INTO trash (id, revision, game, record, result, updated, deleted)"
                " VALUES (?, 1, ?, ?, ?, 1e9, ?)",
                (id, *values, deleted),
            )
    with open_store(tmp_path) as store:
        new, _ = store.save_match(lost())
        assert ids(store) == [new, 3, 2, 1]
        store.delete_matches([new])
        assert [store.restore_matches() for _ in range(4)] == [1, 1, 1, 0]
        assert ids(store) == [new, 5, 4, 3, 2, 1]
        # Also what was deleted before is known again.
        machines = Machines(Store.in_memory)
        assert import_matches(store, export_matches([store.match(4)]), machines) == (0, 1)
