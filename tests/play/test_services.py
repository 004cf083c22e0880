import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from arcade.engines.files import data_folder
from arcade.engines.registry import get_game, parse_game_id
from arcade.matches import last_players
from arcade.play.match import HUMAN, Match, default_seats, new_match
from arcade.services import Services
from arcade.store.file import FILE_NAME
from arcade.store.queries import Filter
from arcade.store.settings import AppState, Settings
from arcade.store.store import StoreError, open_store
from tests.refusals import failing


def offered(text: str) -> tuple[str, ...]:
    """Who is offered after the next start of the program."""
    services = Services(warm=False)
    try:
        start = parse_game_id(text)
        return last_players(services, start.game, start.parameters)
    finally:
        services.close()


def play(text: str, *seats: str) -> None:
    services = Services(warm=False)
    match = new_match(parse_game_id(text), seats, services.machines)
    match.play(match.position.moves()[0])
    services.save_match(match, None)
    services.close()


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("chocobar", (HUMAN, "beginner")),
        ("hexapawn:5x5", (HUMAN, "beginner")),
        # The second player wins, so that is who a newcomer is.
        ("tetromino", ("beginner", HUMAN)),
        ("honshu", (HUMAN, "beginner")),
        ("menace", ("MENACE", HUMAN)),
    ],
)
def test_first_match_is_against_beginner_with_better_side(text: str, seats: tuple[str, ...]) -> None:
    assert offered(text) == seats


def test_new_match_defaults_to_beginner_opponent() -> None:
    assert new_match(parse_game_id("tetromino")).seats == ["beginner", HUMAN]
    assert new_match(parse_game_id("menace")).seats == [HUMAN, "beginner"]


def test_last_seats_are_offered_again_per_game() -> None:
    play("chocobar:3x4", "fallible:7", HUMAN)
    play("tetromino:4x4", HUMAN, "club")
    play("honshu:6x3#7", HUMAN)
    assert offered("chocobar") == ("fallible:7", HUMAN)
    assert offered("tetromino") == (HUMAN, "club")
    assert offered("honshu") == (HUMAN,)
    assert offered("hexapawn") == (HUMAN, "beginner")
    play("chocobar:3x4", HUMAN, "depth:3")
    assert offered("chocobar") == (HUMAN, "depth:3")


def test_engine_match_does_not_change_offered_seats() -> None:
    play("chocobar:3x4", "perfect", "random")
    assert offered("chocobar") == (HUMAN, "beginner")


def test_machine_is_offered_only_on_supported_boards() -> None:
    play("hexapawn:3x3", HUMAN, "HER")
    assert offered("hexapawn:3x3") == (HUMAN, "HER")
    assert offered("hexapawn:5x5") == (HUMAN, "beginner")


@pytest.mark.parametrize(
    "text",
    [
        "chocobar",
        "chocobar=",
        "chocobar=human",
        "chocobar=human,nobody",
        "chocobar=human,depth:0",
        "chocobar=perfect,random",
        "chocobar=human,perfect,random",
        "=human,perfect",
        "= ,",
    ],
)
def test_invalid_saved_seats_fall_back_to_defaults(text: str) -> None:
    with open_store(None) as store:
        store.set("seats", text, "state")
    assert offered("chocobar") == default_seats(get_game("chocobar"))


def test_seats_of_other_games_are_preserved() -> None:
    state = AppState(seats="chocobar=human,club hexapawn=casual,human")
    assert state.seats_with("chocobar", ["expert", HUMAN]) == "chocobar=expert,human hexapawn=casual,human"
    assert state.seats_with("menace", [HUMAN]) == f"{state.seats} menace=human"


def test_saved_match_keeps_opponent_level_name() -> None:
    match = new_match(parse_game_id("chocobar:3x4"), (HUMAN, "beginner"))
    record = match.record()
    assert list(record.seats) == [HUMAN, "beginner"]
    assert Match.from_record(record).seats == [HUMAN, "beginner"]


def test_store_failure_is_reported_once_and_play_continues(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    services.listen(lambda notice: heard.append(notice.text))
    match = new_match(parse_game_id("chocobar:1x2"), (HUMAN, "beginner"), services.machines)
    match.play(match.position.moves()[-1])
    saved, _ = services.save_match(match, None)
    for name in (
        "set",
        "puzzles",
        "matches",
        "win_loss_counts",
        "save_level_data",
        "level_data",
        "save_match",
    ):
        monkeypatch.setattr(services.store, name, failing(StoreError("The store is on fire.")))
    services.has_learned("chocobar", "poison")
    assert services.learned("chocobar") == {"poison"}
    assert services.change("marks", "off")
    assert not services.settings.marks
    assert services.puzzle_results("chocobar") == []
    assert services.recent_matches() == []
    assert services.win_loss_counts() == {}
    services.reviewed(match, saved)
    assert services.save_match(match, None) == (None, [])
    assert heard == ["The store is on fire. You can keep playing; the arcade keeps trying to save."]


def test_damaged_match_is_reported_once_and_hides_no_others(services: Services) -> None:
    play("chocobar:3x4", HUMAN, "beginner")
    play("hexapawn:3x3", HUMAN, "beginner")
    with closing(sqlite3.connect(data_folder() / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE matches SET record = 'nonsense' WHERE game = 'chocobar'")
    heard: list[str] = []
    services.listen(lambda notice: heard.append(notice.text))
    for _ in range(2):
        assert [each.record.game for each in services.recent_matches()] == ["hexapawn"]
    assert heard == ["1 saved match is damaged and cannot be read. It stays in the data file."]


def test_single_match_is_reported_if_damaged(services: Services) -> None:
    play("chocobar:3x4", HUMAN, "beginner")
    with closing(sqlite3.connect(data_folder() / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE matches SET record = 'nonsense'")
    heard: list[str] = []
    services.listen(lambda notice: heard.append(notice.text))
    assert services.recent_matches() == []
    assert heard == ["1 saved match is damaged and cannot be read. It stays in the data file."]


def test_damaged_matches_are_counted_during_concurrent_reads(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The records are read by a thread while the menu counts what it could not read."""
    play("chocobar:3x4", HUMAN, "beginner")
    play("hexapawn:3x3", HUMAN, "beginner")
    with closing(sqlite3.connect(data_folder() / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE matches SET record = 'nonsense' WHERE game = 'chocobar'")
    read = services.store.matches

    def interrupted(*wanted: Any) -> Any:
        found = read(*wanted)
        with ThreadPoolExecutor(1) as records:
            assert len(records.submit(read, 20, Filter(game="hexapawn")).result()) == 1
        return found

    monkeypatch.setattr(services.store, "matches", interrupted)
    heard: list[str] = []
    services.listen(lambda notice: heard.append(notice.text))
    services.recent_matches()
    assert heard == ["1 saved match is damaged and cannot be read. It stays in the data file."]


@pytest.mark.parametrize("old", [{"animation": "off"}, {"calm": "on"}, {"animation": "off", "calm": "off"}])
def test_old_animation_and_calm_settings_are_read_and_written(old: dict[str, str]) -> None:
    with open_store() as store:
        for name, text in old.items():
            store.set(name, text)
    services = Services(warm=False)
    assert services.settings.calm
    assert not services.settings.animated
    services.change("calm", "off")
    assert services.store.words("settings") == {"animation": "on", "calm": "off"}, (
        "as an older arcade reads them"
    )
    services.close()
    services = Services(warm=False)
    assert services.settings.animated
    services.close()


def test_renamed_setting_is_read_under_its_old_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert Settings.from_texts({}).bounds
    assert not Settings.from_texts({"ceilings": "off"}).bounds
    assert Settings.from_texts({"ceilings": "off", "bounds": "on"}).bounds


@pytest.mark.parametrize("old", [{}, {"animation": "on"}, {"animation": "perhaps", "calm": "off"}])
def test_old_animation_setting_is_migrated(old: dict[str, str]) -> None:
    assert Settings.from_texts(old).animated
