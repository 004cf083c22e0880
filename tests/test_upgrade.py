"""Everything that commit de3ca18 wrote still opens: a data file, settings with custom keys, and match files.

`tests/data/de3ca18` was written by that commit's own code, and `expected.json` says what it read there.
"""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.menace.players import MachinePlayer
from arcade.engines.registry import get_game, parse_game_id
from arcade.matches import reopened
from arcade.play.exchange import export_matches, import_matches
from arcade.play.files import read_file
from arcade.play.keymap import DEFAULT_KEYS, FORMER, KEYS, read_keys
from arcade.play.match import HUMAN, Match, new_match
from arcade.services import Services
from arcade.store.file import FILE_NAME
from arcade.store.record import Coach
from arcade.store.settings import SETTINGS_FILE, Settings
from arcade.store.store import Store
from arcade.study.statistics import statistics
from arcade.study.tournament import Tournament
from tests.shell import Shell

OLD = Path(__file__).parent / "data" / "de3ca18"
EXPECTED = json.loads((OLD / "expected.json").read_text("utf-8"))
FILES = sorted(OLD.glob("*.match"))
CUSTOM = {
    **{"hint": "t", "undo": "z", "values": "f2", "pause": "f5,p", "review": "g", "compare": "M"},
    **{"laboratory": "B", "resign": "f10", "help": "f1", "leave": "Q", "forward": "semicolon"},
    **{"back": "comma", "projector": "f11"},
}
"""The keys in `settings.toml`, as Textual calls them."""


@pytest.fixture
def upgraded(data_folder: Path) -> Iterator[Services]:
    data_folder.mkdir(exist_ok=True)
    (data_folder / FILE_NAME).write_bytes(gzip.decompress((OLD / f"{FILE_NAME}.gz").read_bytes()))
    (data_folder / SETTINGS_FILE).write_bytes((OLD / SETTINGS_FILE).read_bytes())
    opened = Services(warm=False)
    yield opened
    opened.close()


def played_on(match: Match) -> Match:
    """The match to its end, by random moves of the people and its own engines."""
    rng = random.Random(1)
    while not match.finished:
        move = rng.choice(match.position.moves())
        if match.seats[match.turn] != HUMAN:
            with Control(match.move_seconds()) as control:
                move = match.player().choose(match.position, match.rng(), control)
        match.play(move)
    return match


def test_old_match_from_the_data_file_replays(upgraded: Services) -> None:
    assert len(upgraded.store.matches(-1)) == len(EXPECTED["matches"]) == 32
    assert upgraded.store.matches(-1).unreadable == 0
    for expected in EXPECTED["matches"]:
        saved = upgraded.store.match(expected["id"])
        match = Match.from_record(saved.record, upgraded.machines)
        record = match.record()
        assert saved.updated == expected["updated"]
        for name, value in expected.items():
            if name not in ("id", "updated"):
                found: Any = getattr(record, name)
                assert (list(found) if isinstance(value, list) else found) == value, (expected["id"], name)
        assert match.finished == (expected["result"] is not None)


def test_old_unfinished_match_continues_to_its_end_and_is_saved(upgraded: Services) -> None:
    unfinished = [each["id"] for each in EXPECTED["matches"] if each["result"] is None]
    assert len(unfinished) >= 5
    for number in unfinished:
        saved = upgraded.store.match(number)
        match = played_on(reopened(upgraded, saved))
        written, _ = upgraded.save_match(match, (saved.id, saved.revision))
        assert written == (number, saved.revision + 1)
        again = upgraded.store.match(number).record
        assert again.result is not None
        assert again.moves[: len(saved.record.moves)] == saved.record.moves


def test_upgrade_keeps_the_match_in_play(upgraded: Services) -> None:
    last = upgraded.last_in_play()
    assert last is not None
    assert str(last.id) == EXPECTED["state"]["in_play"]


def test_old_matches_exported_and_imported_stay_the_same(upgraded: Services) -> None:
    text = export_matches(reversed(upgraded.store.matches(-1)))
    with Store.in_memory() as other:
        assert import_matches(other, text, upgraded.machines) == (32, 0)
        assert [each.record.digest for each in other.matches(-1)] == [
            each.record.digest for each in upgraded.store.matches(-1)
        ]


def test_old_settings_keep_their_values(upgraded: Services) -> None:
    assert upgraded.settings == Settings(
        theme="arcade-light",
        calm=True,
        ascii=True,
        marks=False,
        demonstration=False,
        bounds=False,
        coach=Coach.OPEN,
    )


def test_old_custom_keys_keep_their_meaning(upgraded: Services, data_folder: Path) -> None:
    keys, wrong = read_keys(data_folder)
    assert keys == upgraded.keys
    for name, key in CUSTOM.items():
        if name in KEYS:
            assert keys.table[name] == key
    assert not wrong
    assert CUSTOM.keys() - KEYS.keys() <= FORMER
    assert keys.table["export"] == DEFAULT_KEYS.table["export"]


def test_upgrade_keeps_records_and_stars(upgraded: Services) -> None:
    for name, stars in EXPECTED["stars"].items():
        assert upgraded.stars(get_game(name)) == stars
    tally = {name: dict(results) for name, results in EXPECTED["tally"].items()}
    # A win from a position that was set up counts no more.
    tally["hexapawn"]["win"] -= 1
    assert upgraded.win_loss_counts() == tally
    for name in ("played", "seats", "learned", "bests"):
        assert getattr(upgraded.state, name) == EXPECTED["state"][name]
    assert upgraded.best_of("hexapawn", "streak") == 3
    points = [each.points for each in upgraded.store.finished() if each.game == "honshu"]
    assert points == EXPECTED["scores"]["honshu"]
    assert {each.game for each in statistics(upgraded.store)} >= set(EXPECTED["tally"])


def test_upgrade_keeps_puzzle_results_including_rush_mode(upgraded: Services) -> None:
    found = [
        [each.game, each.puzzle, each.mode, each.day, each.grade, each.solved]
        for each in upgraded.puzzle_results()
    ]
    assert found == EXPECTED["puzzles"]
    assert sum(each.mode == "rush" for each in upgraded.puzzle_results()) == 8
    for each in upgraded.puzzle_results():
        assert parse_game_id(each.puzzle).start().outcome() is None


@pytest.mark.parametrize("name", EXPECTED["machines"])
def test_old_machine_keeps_what_it_learned_and_plays(upgraded: Services, name: str) -> None:
    machine = upgraded.machines.load(name)
    for fact, value in EXPECTED["machines"][name].items():
        found = getattr(machine, fact)
        assert (list(found) if isinstance(value, list) else found) == value
    seats = [HUMAN, HUMAN]
    seats[machine.options.seat] = name
    start = parse_game_id(machine.options.game_id)
    match = new_match(start, seats, upgraded.machines, 1)
    assert isinstance(
        upgraded.machines.invite(name, start.game, start.parameters, machine.options.seat), MachinePlayer
    )
    assert played_on(match).moves
    upgraded.save_match(match, None)
    assert upgraded.machines.load(name).games == machine.games + 1


def test_old_tournament_keeps_its_results_and_continues(upgraded: Services) -> None:
    found = {
        name: {
            str(number): record.result for number, record in upgraded.store.tournament_matches(name).items()
        }
        for name in upgraded.store.tournaments()
    }
    assert found == EXPECTED["tournaments"]
    start = parse_game_id("hexapawn:3x3")
    whole = Tournament(start, ["random", "casual", "perfect"], 1, 1, machines=upgraded.machines)
    whole.restore(upgraded.store)
    assert whole.finished
    half = Tournament(start, ["beginner", "club"], 2, 1, machines=upgraded.machines)
    half.restore(upgraded.store)
    assert half.progress == "2 of 4 matches"
    with Control() as control:
        half.play(control, store=upgraded.store)
    assert half.finished


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_old_match_file_opens_and_continues(upgraded: Services, file: Path) -> None:
    name, how = file.stem.split("-")
    match = read_file(str(file), upgraded.machines)
    record = match.record()
    expected = [each for each in EXPECTED["matches"] if each["start"] == record.start]
    assert (record.game, match.finished) == (name, how == "finished")
    assert any(
        (each["seats"], each["moves"]) == (list(record.seats), list(record.moves)) for each in expected
    )
    assert played_on(match).finished


def test_old_data_folder_serves_every_command_that_reads_it(upgraded: Services, shell: Shell) -> None:
    assert len(shell.json("matches", "list", "--limit", "40")) == 32
    for number in (1, 12, 22, 27):
        assert shell("matches", "show", str(number))[0]
    assert shell("stats", "--plain")[0]
    assert 'hint = "t"' in shell("keys")[0]
    assert "pupil" in shell("menace", "list")[0]
