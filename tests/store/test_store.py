import errno
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from arcade.engines.files import InputError, data_folder
from arcade.engines.menace.archive import to_json
from arcade.engines.menace.machine import Machine
from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import Value
from arcade.play.exchange import export_matches, import_matches
from arcade.play.machines import Machines
from arcade.play.match import Match, new_match
from arcade.store.file import APPLICATION_ID, FILE_NAME, VERSION, create
from arcade.store.queries import FACTS, Ending, Filter, MatchSummary
from arcade.store.record import Coach, MatchRecord
from arcade.store.store import SQL, PuzzleResult, Store, StoreError, StoreLockedError, open_store
from tests.narrow import present
from tests.refusals import failing, refused
from tests.shell import python
from tests.store.records import record


def test_environment_variable_sets_data_folder(data_folder: Path, tmp_path: Path) -> None:
    with open_store() as store:
        assert store.path == data_folder / FILE_NAME
    with open_store(tmp_path / "other") as store:
        assert store.path == tmp_path / "other" / FILE_NAME


def test_data_folder_defaults_to_platform_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARCADE_DATA")
    assert data_folder().name == "solver-arcade"


def test_match_is_saved_and_continued() -> None:
    with open_store() as store:
        saved = store.save_match(record(1))
        assert store.save_match(record(2), *saved) == (saved[0], saved[1] + 1)
    with open_store() as store:
        (found,) = store.matches()
        assert found.id == saved[0]
        assert found.record == record(2)
        store.save_match(record(3, resigned=True), found.id, found.revision)
        assert store.matches()[0].record == record(3, resigned=True)
        assert store.win_loss_counts() == {"chocobar": {"win": 0, "loss": 1, "tie": 0}}


def test_finished_match_is_never_overwritten(store: Store) -> None:
    saved = store.save_match(record(2))
    assert not store.has_finished(*saved)
    ended = store.save_match(record(3, resigned=True), *saved)
    assert ended[0] == saved[0]
    assert store.has_finished(*ended)
    assert not store.has_finished(*saved)
    assert store.path is not None
    before = raw_rows(store.path)
    assert store.save_match(record(3), *ended)[0] != ended[0]
    assert before.items() <= raw_rows(store.path).items()


def test_concurrent_saves_of_match_keep_both_versions() -> None:
    with open_store() as one, open_store() as two:
        saved = one.save_match(record(1))
        mine = one.save_match(record(2), *saved)
        theirs = two.save_match(record(3), *saved)
        assert mine[0] == saved[0]
        assert theirs[0] != saved[0]
        assert sorted(len(each.record.moves) for each in one.matches()) == [2, 3]


def test_only_one_arcade_claims_a_store() -> None:
    with open_store() as one, open_store() as two:
        assert one.claim()
        assert not two.claim()
    with open_store() as three:
        assert three.claim()


def test_settings_and_machines_are_saved() -> None:
    with open_store() as store:
        store.set("theme", "nord")
        store.set("theme", "arcade-light")
        store.save_machine("alice", "{}")
        store.save_machine("alice", '{"games": 1}')
        store.save_machine("Bob", "{}")
    with open_store() as store:
        assert store.words("settings") == {"theme": "arcade-light"}
        assert store.machine_names() == ["Bob", "alice"]
        assert store.machines()["alice"] == '{"games": 1}'
        store.delete_machine("alice")
        refused(r"Unknown machine 'alice'.*Bob", store.delete_machine, "alice")


def damaged_copies(folder: Path) -> dict[str, bytes]:
    with open_store(folder) as store:
        for plies in range(1, 40):
            store.save_match(record(plies))
    good = (folder / FILE_NAME).read_bytes()
    newer = bytearray(good)
    newer[60:64] = (VERSION + 1).to_bytes(4, "big")
    foreign = bytearray(good)
    foreign[68:72] = (APPLICATION_ID + 1).to_bytes(4, "big")
    torn = bytearray(good)
    torn[4096 : len(torn)] = b"\xa5" * (len(torn) - 4096)
    return {
        "text": b"These are no matches.\n" * 20,
        "short": b"SQLite format 3\0",
        "newer": bytes(newer),
        "foreign": bytes(foreign),
        "torn": bytes(torn),
        "cut": good[: len(good) // 2],
    }


@pytest.mark.parametrize("kind", ["text", "short", "newer", "foreign", "torn", "cut"])
def test_invalid_file_is_refused_and_unchanged(kind: str, tmp_path: Path) -> None:
    bad = damaged_copies(tmp_path / "good")[kind]
    folder = tmp_path / "bad"
    folder.mkdir()
    file = folder / FILE_NAME
    file.write_bytes(bad)
    with pytest.raises(StoreError) as caught:
        open_store(folder)
    message = str(caught.value)
    assert str(file) in message
    assert message.endswith(".")
    assert "\n" not in message
    assert file.read_bytes() == bad
    assert [each.name for each in folder.iterdir()] == [FILE_NAME]


def test_damage_in_large_file_is_reported_on_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file is not read as a whole when it is opened."""
    with open_store(tmp_path) as store:
        for plies in range(1, 40):
            store.save_match(record(plies))
        (last,) = store._connection.execute("SELECT max(rootpage) FROM sqlite_schema").fetchone()
    good = (tmp_path / FILE_NAME).read_bytes()
    (tmp_path / FILE_NAME).write_bytes(good[: last * 4096] + b"\xa5" * (len(good) - last * 4096))
    with pytest.raises(StoreError, match="is damaged"):
        open_store(tmp_path)
    monkeypatch.setattr("arcade.store.file.MAX_CHECKED_BYTES", 0)
    with open_store(tmp_path) as store, pytest.raises(StoreError, match=r"could not be read: .*malformed\.$"):
        store.matches(100)


def test_folder_creation_failure_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"Cannot open the data file.*\.$"):
        open_store(tmp_path / "file" / "folder")


def deep(depth: int) -> str:
    return '{"moves": ' + "[" * depth + "]" * depth + "}"


WRONG_VALUES = {
    "no JSON": "record = '{'",
    "no object": "record = '[]'",
    "too deep": f"record = '{deep(100_000)}'",
    "a blob": "record = x'7b7d'",
    "no UTF-8": "record = CAST(x'7bff7d' AS TEXT)",
    "no moves": 'record = replace(record, \'"moves": [\', \'"moves": null, "other": [\')',
    "seats": 'record = replace(record, \'"seats": [\', \'"seats": "human", "other": [\')',
    "resigned": "record = replace(record, '\"resigned\": null', '\"resigned\": 7')",
    "resigned missing": "record = replace(record, 'resigned', 'other')",
    "played": "record = replace(record, '\"played\": ', '\"played\": -1000000000')",
    "unknown result": "result = 'banana'",
    "another result": "result = 'loss'",
    "result no text": "result = 7",
    "another game": "game = 'hexapawn'",
    "game no text": "game = x'ff'",
    "far future": "updated = 1e300",
    "infinite": "updated = 9e999",
    "past": "updated = -1",
    "no time": "updated = 'soon'",
    "time as bytes": "updated = x'00'",
    "revision": "revision = 9223372036854775807",
    "revision no number": "revision = 'two'",
}
"""What has gone wrong in a row of a file that SQLite finds no fault with."""


def wrong_values(folder: Path) -> dict[int, tuple[Any, ...]]:
    """A store with a row for each of the wrong values, newer than its one good match; and the rows by id."""
    with open_store(folder) as store:
        good, _ = store.save_match(record(1))
        path = store.path
    assert path is not None
    with closing(sqlite3.connect(path)) as connection, connection:
        for wrong in WRONG_VALUES.values():
            row = connection.execute(
                "INSERT INTO matches (revision, game, record, result, person, updated)"
                " SELECT 1, game, record, result, person, updated + 1 FROM matches WHERE id = ?",
                (good,),
            )
            connection.execute(f"UPDATE matches SET {wrong} WHERE id = ?", (row.lastrowid,))
    return raw_rows(path)


def raw_rows(path: Path) -> dict[int, tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        return {row[0]: row for row in connection.execute("SELECT * FROM matches")}


@pytest.mark.parametrize("kind", WRONG_VALUES)
def test_wrong_value_hides_no_other_match(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.store.test_store.WRONG_VALUES", {kind: WRONG_VALUES[kind]})
    rows = wrong_values(data_folder())
    assert len(rows) == 2
    with open_store() as store:
        found = store.matches()
        assert [each.record for each in found] == [record(1)]
        assert found.unreadable == 1
        store.win_loss_counts()
        store.save_match(record(2))
        assert store.path is not None
        assert rows.items() <= raw_rows(store.path).items()


@pytest.mark.parametrize(
    ("declared", "otherwise", "wrong"),
    [
        ("result TEXT", "result BLOB", "result = 7"),
        ("record TEXT NOT NULL", "record TEXT", "record = NULL"),
    ],
)
def test_value_invalid_for_column_hides_no_other_match(declared: str, otherwise: str, wrong: str) -> None:
    """Only wrong bytes make such a value; SQLite's own check finds it."""
    with open_store() as store:
        good, _ = store.save_match(record(1))
        bad, _ = store.save_match(record(2))
    path = data_folder() / FILE_NAME
    schema = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'matches'"
    for statement, values in (
        (schema, (declared, otherwise)),
        (f"UPDATE matches SET {wrong} WHERE id = {bad}", ()),
        (schema, (otherwise, declared)),
    ):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute(statement, values)
    with open_store() as store:
        found = store.matches()
        assert [each.id for each in found] == [good]
        assert found.unreadable == 1


def test_damaged_matches_do_not_count_towards_the_list_limit() -> None:
    wrong_values(data_folder())
    with open_store() as store:
        found = store.matches(20)
        assert len(found) == 1
        assert found.unreadable == len(WRONG_VALUES) > 20


def test_damaged_match_still_counts_in_the_results(store: Store) -> None:
    for resigned in (False, True):
        store.save_match(record(3, resigned))
    store._connection.execute("UPDATE matches SET record = '{' WHERE result = 'loss'")
    assert store.win_loss_counts() == {"chocobar": {"win": 0, "loss": 1, "tie": 0}}
    found = store.matches()
    assert len(found) == found.unreadable == 1


def test_damaged_settings_and_machines_are_skipped_or_reported(store: Store) -> None:
    store.set("theme", "nord")
    store.save_machine("Bob", "{}")
    store._connection.execute("INSERT INTO settings VALUES ('ascii', x'00'), ('marks', 'o' || char(27))")
    store._connection.execute("INSERT INTO settings VALUES (CAST(x'ff' AS TEXT), 'on')")
    store._connection.execute("INSERT INTO machines VALUES ('MENACE', x'ff7b', 0), (x'41', '{}', 0)")
    store._connection.execute("INSERT INTO machines VALUES ('HER', 7, 0), ('Al' || char(27), '{}', 0)")
    assert store.words("settings") == {"theme": "nord"}
    assert store.machine_names() == ["Bob", "HER", "MENACE"]
    machines = machines_of(store)
    machines.listed()
    for name in ("HER", "MENACE"):
        refused(r"^Th.* machine.*\.$", machines.load, name)


def machines_of(store: Store) -> Machines:
    return Machines(lambda: store)


@cache
def content_of(data: bytes) -> list[int]:
    return [at for at, byte in enumerate(data) if byte]


def flipped(data: bytes, rng: random.Random) -> bytes:
    """A file with one to eight wrong bytes, more of them where there is content."""
    harmed = bytearray(data)
    content = content_of(data)
    for _ in range(rng.choice([1, 1, 1, 2, 8])):
        at = rng.choice(content) if rng.random() < 0.7 else rng.randrange(len(data))
        harmed[at] = rng.choice([rng.randrange(256), harmed[at] ^ (1 << rng.randrange(8)), 0, 255])
    return bytes(harmed)


def many_matches(folder: Path) -> bytes:
    rng = random.Random(1)
    with open_store(folder) as store:
        for number in range(30):
            game = ("chocobar:3x4", "hexapawn:3x3", "tetromino:4x4", "menace")[number % 4]
            match = new_match(parse_game_id(game), ("human", "random"))
            while match.result is None and len(match.plies) < number:
                match.play(rng.choice(match.position.moves()))
            store.save_match(match.record())
        store.set("theme", "nord")
        store.set("in_play", "3")
        store.save_machine("Bob", "{}")
        store.save_machine("MENACE", to_json(Machine("MENACE")))
    return (folder / FILE_NAME).read_bytes()


def test_flipped_bytes_are_reported_or_skipped_without_a_crash(tmp_path: Path) -> None:
    """Each either makes one sentence, or hides no more than what it hit."""
    data = many_matches(tmp_path / "good")
    refused, passed = [], 0
    for number in range(60):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / FILE_NAME).write_bytes(flipped(data, random.Random(number)))
        try:
            with open_store(folder) as store:
                store.words("settings")
                store.win_loss_counts()
                machines_of(store).listed()
                found = store.matches(100)
                for saved in found:
                    with suppress(InputError):
                        Match.from_record(saved.record)
                passed += found.unreadable
        except StoreError as error:
            refused.append(str(error))
    assert len(refused) > 10
    assert all(each.isprintable() for each in refused)
    assert passed > 10


def test_in_memory_store_has_no_file() -> None:
    with Store.in_memory() as store:
        store.save_match(record(1))
        assert len(store.matches()) == 1
        assert store.path is None


def test_committed_data_survives_kill_9(data_folder: Path) -> None:
    program = """
        from arcade.store.store import open_store
        from tests.store.records import record
        store, saved = open_store(), (None, 0)
        for plies in range(1, 1000):
            saved = store.save_match(record(min(plies, 70)), *saved)
            print(plies, flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert process.stdout is not None
    told = 0
    for line in process.stdout:
        told = int(line)
        if told == 20:
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    process.stdout.close()
    with open_store() as store:
        (saved,) = store.matches()
        assert len(saved.record.moves) >= told
        assert Match.from_record(saved.record).plies


class Failing:
    """A connection of SQLite's that fails at one statement, as on a full disk."""

    def __init__(self, real: sqlite3.Connection, word: str, ends: bool) -> None:
        self._real = real
        self._word = word
        self._ends = ends
        self.failing = True

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if self.failing and statement.startswith(self._word):
            if self._ends and self._real.in_transaction:
                # SQLite may take everything back by itself when the disk is full.
                self._real.execute("ROLLBACK")
            raise sqlite3.OperationalError("database or disk is full")
        return self._real.execute(statement, *values)

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def writes(store: Store, saved: tuple[int, int]) -> dict[str, Callable[[], object]]:
    return {
        "match": lambda: store.save_match(record(2), *saved, machines={"alice": "{}"}),
        "new match": lambda: store.save_match(record(2)),
        "setting": lambda: store.set("theme", "nord"),
        "machine": lambda: store.save_machine("Bob", "{}"),
        "pupil": lambda: store.replace_machine("Bob", "{}", '{"games": 1}'),
        "delete": lambda: store.delete_machine("Bob"),
    }


STATEMENTS = {
    "match": ("INSERT", "UPDATE"),
    "new match": ("INSERT",),
    "setting": ("INSERT",),
    "machine": ("INSERT",),
    "pupil": ("INSERT",),
    "delete": ("DELETE",),
}
"""What each kind of write does between BEGIN and COMMIT."""


@pytest.mark.parametrize("ends", [False, True], ids=["open", "ended"])
@pytest.mark.parametrize(
    ("what", "word"),
    [(what, word) for what, words in STATEMENTS.items() for word in ("BEGIN", *words, "COMMIT")],
)
def test_write_to_full_disk_fails_without_data_loss(
    what: str, word: str, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store() as store:
        saved = store.save_match(record(1))
        store.save_machine("Bob", "{}")
        real = store._connection
        before = list(real.iterdump())
        failing = Failing(real, word, ends)
        monkeypatch.setattr(store, "_connection", failing)
        write = writes(store, saved)[what]
        with pytest.raises(StoreError) as caught:
            write()
        assert str(caught.value) == f"{store.path} could not be written: database or disk is full."
        assert not real.in_transaction
        assert list(real.iterdump()) == before
        # There is room again.
        failing.failing = False
        write()
        after = list(real.iterdump())
        assert after != before
    with open_store() as store:
        assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert list(store._connection.iterdump()) == after


def test_grouped_writes_are_atomic() -> None:
    with open_store() as one, open_store() as two:
        with suppress(KeyboardInterrupt), one.together():
            one.set("theme", "nord")
            one.save_machine("Bob", "{}")
            raise KeyboardInterrupt
        assert (two.words("settings"), two.machine_names()) == ({}, [])
        with one.together():
            one.set("theme", "nord")
            with one.together():
                one.save_machine("Bob", "{}")
            assert (two.words("settings"), two.machine_names()) == ({}, [])
        assert (two.words("settings"), two.machine_names()) == ({"theme": "nord"}, ["Bob"])


def test_machine_changed_by_another_arcade_is_not_overwritten() -> None:
    with open_store() as one, open_store() as two:
        one.replace_machine("Bob", None, "{}")
        one.replace_machine("Bob", "{}", '{"games": 1}')
        with pytest.raises(InputError, match=r"Another arcade has updated the machine Bob"):
            two.replace_machine("Bob", "{}", '{"games": 2}')
        refused(
            r"Another arcade has just created a machine Bob", two.replace_machine, "Bob", None, '{"games": 2}'
        )
        assert two.machines()["Bob"] == '{"games": 1}'
        one.delete_machine("Bob")
        with pytest.raises(InputError, match=r"Another arcade has updated the machine Bob"):
            two.replace_machine("Bob", '{"games": 1}', '{"games": 2}')


PATIENT = """
import sqlite3
connect = sqlite3.connect
sqlite3.connect = lambda *where, **how: connect(*where, **how | {"timeout": 60})
"""
"""On a busy machine it may be long until a process that has the lock goes on."""


def test_concurrent_writers_lose_no_data() -> None:
    with open_store() as store:
        store.save_machine("Bob", "0")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PATIENT + textwrap.dedent(MANY), str(number)], env=dict(os.environ)
        )
        for number in range(3)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    with open_store() as store:
        assert store.machines()["Bob"] == "90"
        assert len(store.words("settings")) == 3
        matches = store.matches(1000)
        assert sorted(len(each.record.moves) for each in matches) == [30, 30, 30]


MANY = """
    import sys
    from arcade.store.store import open_store
    from tests.store.records import record
    with open_store() as store:
        saved = (None, 0)
        for plies in range(1, 31):
            saved = store.save_match(record(plies), *saved)
            store.set(sys.argv[1], str(plies))
            with store.together():
                store.save_machine("Bob", str(int(store.machines()["Bob"]) + 1))
"""


def wait_never(seconds: float) -> bool:
    return False


@pytest.fixture(params=["link", "pipe"])
def no_shared_memory(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    """Takes the shared memory of the write-ahead log from a store, as a network drive does."""

    def spoil(folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        shared = folder / f"{FILE_NAME}-shm"
        if request.param == "link":
            shared.symlink_to("/nowhere/at/all")
        else:
            os.mkfifo(shared)

    return spoil


def test_store_without_shared_memory_uses_rollback_journal(
    tmp_path: Path, no_shared_memory: Callable[[Path], None]
) -> None:
    no_shared_memory(tmp_path)
    with open_store(tmp_path) as one, open_store(tmp_path) as two:
        assert one._connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        one.save_match(record(1))
        two.save_match(record(2))
        assert [len(one.matches()), len(two.matches())] == [2, 2]
    (tmp_path / f"{FILE_NAME}-shm").unlink()
    with open_store(tmp_path) as store:
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert len(store.matches()) == 2


def test_write_ahead_log_without_shared_memory_keeps_matches(
    tmp_path: Path, no_shared_memory: Callable[[Path], None]
) -> None:
    """The arcade was killed, and its folder copied to a network drive."""
    copied = tmp_path / "copied"
    no_shared_memory(copied)
    with open_store(tmp_path) as store:
        for plies in (1, 2, 3):
            store.save_match(record(plies))
        for name in (FILE_NAME, f"{FILE_NAME}-wal"):
            shutil.copy(tmp_path / name, copied)
    with open_store(copied) as store:
        assert len(store.matches()) == 3
        store.save_match(record(4))
        assert len(store.matches()) == 4


@contextmanager
def locked(path: Path, how: str = "IMMEDIATE") -> Iterator[None]:
    """Another connection has locked the file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"BEGIN {how}")
        yield


def test_locked_new_file_is_reported_as_locked(tmp_path: Path) -> None:
    with locked(tmp_path / FILE_NAME, "EXCLUSIVE"), pytest.raises(StoreLockedError) as caught:
        open_store(tmp_path, wait_never)
    assert str(caught.value).startswith("Cannot open the data file ")
    assert str(caught.value).endswith(": another program has locked the file.")
    with open_store(tmp_path, wait_never) as store:
        assert store.matches() == []


def test_locked_file_with_rollback_journal_is_reported_as_locked(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        store._connection.execute("PRAGMA journal_mode = DELETE")
    with locked(tmp_path / FILE_NAME, "EXCLUSIVE"), pytest.raises(StoreLockedError, match="another program"):
        open_store(tmp_path, wait_never)


def test_folder_without_file_locks_is_reported_as_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To SQLite it looks as if another program had the lock."""
    monkeypatch.setattr("fcntl.lockf", failing(OSError(errno.ENOLCK, "No locks available")))
    with locked(tmp_path / FILE_NAME, "EXCLUSIVE"), pytest.raises(StoreError) as caught:
        open_store(tmp_path, lambda seconds: True)
    assert not isinstance(caught.value, StoreLockedError)
    assert "its file system cannot lock files" in str(caught.value)
    assert "--data" in str(caught.value)


def test_caller_decides_how_long_to_wait_for_lock(store: Store) -> None:
    waited: list[float] = []

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        return len(waited) < 3

    path = present(store.path)
    with open_store(path.parent, wait) as patient, locked(path):
        assert patient.matches() == []
        with pytest.raises(StoreLockedError, match=r"could not be written: another program has locked"):
            patient.save_match(record(1))
    assert len(waited) == 3
    assert waited == sorted(waited)


def test_write_succeeds_when_lock_is_released(store: Store) -> None:
    path = present(store.path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        def wait(seconds: float) -> bool:
            if other.in_transaction:
                other.execute("ROLLBACK")
            return True

        with open_store(path.parent, wait) as patient:
            patient.save_match(record(1))
    assert len(store.matches()) == 1


@pytest.mark.skipif(not hasattr(signal, "SIGTSTP"), reason="there is no Ctrl+Z")
def test_ctrl_z_stops_program_only_after_the_transaction(data_folder: Path) -> None:
    program = """
        import os, signal
        from arcade.store.store import open_store
        with open_store() as store:
            with store.together():
                store.set("theme", "nord")
                os.kill(os.getpid(), signal.SIGTSTP)
                print("still here", flush=True)
    """
    # In a process group of its own, because Ctrl+Z is for the whole group.
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True, process_group=0
    )
    try:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        with open_store(data_folder, wait_never) as store:
            assert store.words("settings") == {"theme": "nord"}
            store.set("theme", "arcade-light")
        process.send_signal(signal.SIGCONT)
        assert process.communicate()[0] == "still here\n"
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()


def test_read_only_folder_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(tmp_path) as store:
        store.save_match(record(1))
    real = sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        found: sqlite3.Connection = real(*arguments, **options)
        if arguments[0] != ":memory:":
            found.execute("PRAGMA query_only = ON")
        return found

    monkeypatch.setattr(sqlite3, "connect", connect)
    with open_store(tmp_path) as store:
        assert len(store.matches()) == 1
        with pytest.raises(
            StoreError, match=r"could not be written: attempt to write a readonly database\.$"
        ):
            store.save_match(record(2))


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
def test_removed_folder_is_reported(store: Store) -> None:
    store.save_match(record(1))
    shutil.rmtree(present(store.path).parent)
    with pytest.raises(StoreError, match=r"arcade\.sqlite was removed\. Start the arcade again"):
        store.save_match(record(2))


def test_claim_succeeds_if_lock_file_is_unusable(store: Store) -> None:
    present(store.path).with_suffix(".lock").mkdir()
    assert store.claim()


def open_killed(program: str, folder: Path, limits: range) -> list[int]:
    """Run a program on a store in a folder for each limit; a write beyond so many bytes of a file kills it.

    Returns:
        How each run ended: 0, or the number of the signal.
    """
    starter = f"""
        import os, resource, signal, sys
        from pathlib import Path
        from arcade.store.store import open_store
        for limit in map(int, sys.argv[2:]):
            child = os.fork()
            if not child:
                try:
                    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                    with open_store(Path(sys.argv[1]) / str(limit)) as store:
                        {program}
                    os._exit(0)
                finally:
                    os._exit(1)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    run = python("-c", textwrap.dedent(starter), str(folder), *map(str, limits))
    assert run.stderr == ""
    return [-int(line) for line in run.stdout.split()]


needs_limits = pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs limits of file sizes")


@pytest.mark.slow
@needs_limits
def test_kill_during_creation_leaves_usable_store(tmp_path: Path) -> None:
    limits = range(0, 98_304, 2048)
    ends = open_killed("store.set('theme', 'nord')", tmp_path, limits)
    assert ends.count(signal.SIGXFSZ) > 20
    assert ends[-1] == 0
    hot = 0
    for limit in limits:
        folder = tmp_path / str(limit)
        hot += (folder / f"{FILE_NAME}-journal").exists() and (folder / FILE_NAME).stat().st_size > 0
        with open_store(folder) as store:
            saved = store.save_match(record(1))
        with open_store(folder) as store:
            assert [each.id for each in store.matches()] == [saved[0]]
    # Some pages of the new file without the rest, which used to be refused forever.
    assert hot > 20


@needs_limits
def test_store_survives_kill_while_journal_is_written(tmp_path: Path) -> None:
    """The file looks whole, but SQLite will take it back."""
    open_killed("pass", tmp_path, range(8192, 8193))
    (tmp_path / "whole").mkdir()
    whole = tmp_path / "whole" / FILE_NAME
    with closing(sqlite3.connect(whole, isolation_level=None)) as connection:
        create(connection)
    journal = (tmp_path / "8192" / f"{FILE_NAME}-journal").read_bytes()
    whole.with_name(f"{FILE_NAME}-journal").write_bytes(journal)
    with open_store(whole.parent) as store:
        store.set("theme", "nord")
    with open_store(whole.parent) as store:
        assert store.words("settings") == {"theme": "nord"}


COLUMNS = f"revision, game, record, result, {', '.join(FACTS)}"
"""What a copied match has in common with the one it is copied from."""

OLD = {each: Path(__file__).parents[1] / "data" / "store" / f"version-{each}.sqlite" for each in (1, 2, 3)}
"""Stores as older arcades wrote them. The first was made by the last arcade that wrote version 1, with two
damaged rows and one of the first arcade; the second is the same changed to version 2, with some more, and the
third the second with matches from positions that were set up, and a deleted one."""

OLD_IDS = {1: [7, 6, 5, 4, 3, 2, 1], 2: [16, 15, 14, 13, 12, 11, 10, 7, 6, 5, 4, 3, 2, 1]}
"""The matches in the order in which they were received, whatever their dates."""
OLD_IDS[3] = [20, 19, 18, 17, *OLD_IDS[2]]

OLD_WINS = {1: (2, 0, 0), 2: (2, 2, 0), 3: (2, 3, 1)}
"""At Chocobar, Hexapawn and MENACE, without those from positions that were set up."""


def old_store(folder: Path, version: int = 1) -> Path:
    folder.mkdir(parents=True)
    shutil.copy(OLD[version], folder / FILE_NAME)
    return folder


def is_migrated(store: Store, version: int = 1) -> bool:
    """Whether everything of the old store is there, and its columns are those of its records."""
    wins = {name: counts["win"] for name, counts in store.win_loss_counts().items()}
    listed = store.listed(Filter())
    for each in listed:
        assert each is not None
        record = store.match(each.id).record
        assert (each.game, each.size, each.seats) == (record.game, record.size, record.seats)
        assert (each.person, each.result, each.plies) == (record.person, record.result, record.played)
        assert each.unaided == record.unaided
    found = store.matches()
    return (
        [each.id for each in found] == [each.id for each in listed if each] == OLD_IDS[version]
        and found.unreadable == 2
        and (store.words("settings")["theme"], store.words("state")["in_play"]) == ("nord", "6")
        and machines_of(store).load("MENACE").games == 1
        and (wins["chocobar"], wins["hexapawn"], wins["menace"]) == OLD_WINS[version]
    )


@pytest.mark.parametrize("version", OLD)
def test_old_store_is_migrated_once_with_backup(version: int, data_folder: Path) -> None:
    old = old_store(data_folder, version) / FILE_NAME
    # What a copy leaves that was cut off.
    old.with_name(f"{FILE_NAME}.version-{version}.part").write_text("half a copy")
    before = raw_rows(old)
    for _ in range(2):
        with open_store() as store:
            assert is_migrated(store, version)
            for each in store.matches():
                match = Match.from_record(each.record, machines_of(store))
                assert match.finished == (each.record.result is not None)
    # The size of a board was wrong in version 3, so only what is no column of its own is as before.
    columns = 6 if version == 3 else len(before[1])
    after = raw_rows(old)
    assert {id: row[:columns] for id, row in after.items()} == {i: row[:columns] for i, row in before.items()}
    copy = old.with_name(f"{FILE_NAME}.version-{version}")
    assert raw_rows(copy) == before
    assert sorted(each.name for each in data_folder.iterdir()) == [old.name, copy.name]
    # Whoever goes back to it finds the same.
    shutil.copy(copy, old)
    with open_store() as store:
        assert is_migrated(store, version)


def test_migrated_store_has_schema_of_new_one(tmp_path: Path) -> None:
    schemas = []
    for version in OLD:
        old_store(tmp_path / str(version), version)
    for name in ("new", *map(str, OLD)):
        with open_store(tmp_path / name) as store:
            schemas.append(set(store._connection.execute("SELECT type, name, sql FROM sqlite_schema")))
    assert all(schema == schemas[0] for schema in schemas)


@pytest.mark.slow
@needs_limits
@pytest.mark.parametrize("version", OLD)
def test_kill_during_migration_loses_no_data(version: int, tmp_path: Path) -> None:
    limits = range(0, 143_360, 8192)
    for limit in limits:
        old_store(tmp_path / str(limit), version)
    ends = open_killed("pass", tmp_path, limits)
    assert ends.count(signal.SIGXFSZ) > 8
    assert ends[-1] == 0
    for limit in limits:
        with open_store(tmp_path / str(limit)) as store:
            assert is_migrated(store, version)
        assert raw_rows(tmp_path / str(limit) / f"{FILE_NAME}.version-{version}") == raw_rows(OLD[version])


def test_failed_migration_leaves_store_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = old_store(tmp_path / "data") / FILE_NAME
    old.with_name(f"{FILE_NAME}.version-1").mkdir()
    before = raw_rows(old)
    with pytest.raises(StoreError, match=r"Cannot open the data file .*\.$"):
        open_store(old.parent)
    assert raw_rows(old) == before


@pytest.mark.parametrize("kind", ["none", "old"])
def test_store_can_be_opened_by_many_arcades_at_once(kind: str, data_folder: Path) -> None:
    """All of them want to make it, or to change the old one."""
    if kind == "old":
        old_store(data_folder)
    program = """
        import sys
        from arcade.store.store import open_store
        sys.stdin.read()
        with open_store() as store:
            store.set(sys.argv[1], "on")
    """
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PATIENT + textwrap.dedent(program), str(number)], stdin=subprocess.PIPE
        )
        for number in range(4)
    ]
    for process in processes:
        present(process.stdin).close()
    assert [process.wait() for process in processes] == [0] * 4
    with open_store() as store:
        assert kind == "none" or is_migrated(store)
        assert set("0123") <= store.words("settings").keys()


def test_menu_reads_few_records_of_large_store() -> None:
    with open_store() as store:
        store.save_match(record(3, resigned=True))
        store._connection.execute(
            "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION SELECT number + 1 FROM numbers LIMIT 999)"
            f" INSERT INTO matches ({COLUMNS}, updated) SELECT {COLUMNS}, updated FROM matches, numbers"
        )
        with patch("arcade.store.store.MatchRecord.from_json", wraps=MatchRecord.from_json) as read:
            assert store.win_loss_counts() == {"chocobar": {"win": 0, "loss": 1000, "tie": 0}}
            assert read.call_count == 0
            assert len(store.matches()) == read.call_count == 20
        plans = [row[-1] for row in store._connection.execute(f"EXPLAIN QUERY PLAN {SQL['win_loss_counts']}")]
        assert any("COVERING INDEX" in plan for plan in plans)


def test_store_with_50000_matches_opens_quickly(tmp_path: Path) -> None:
    def seconds(folder: Path) -> float:
        started = time.perf_counter()
        with open_store(folder) as store:
            store.matches()
            store.win_loss_counts()
            return time.perf_counter() - started

    with open_store(tmp_path / "large") as store, store.together():
        store.save_match(record(40, resigned=True))
        store._connection.execute(
            "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION SELECT number + 1 FROM numbers LIMIT 49999)"
            f" INSERT INTO matches ({COLUMNS}, updated)"
            f" SELECT {COLUMNS}, updated + number FROM matches, numbers"
        )
    open_store(tmp_path / "empty").close()
    # The machine may be busy at a time, but not at each.
    large = empty = float("inf")
    for _ in range(100):
        large, empty = min(large, seconds(tmp_path / "large")), min(empty, seconds(tmp_path / "empty"))
        if large < empty + 0.05:
            break
    assert large < empty + 0.05


def played(seats: tuple[str, ...], start: str = "chocobar:3x4", helped: bool = False) -> MatchRecord:
    """A match that the second seat wins, or a race that was given up at once."""
    match = new_match(parse_game_id(start), seats)
    if helped:
        match.takebacks += 1
    match.resign(0)
    return match.record()


def ids(store: Store, choice: Filter) -> set[int]:
    found = [each.id for each in store.listed(choice) if each is not None]
    assert len(found) == store.count(choice)
    return set(found)


def test_matches_are_listed_by_filter(store: Store) -> None:
    lost, _ = store.save_match(played(("human", "club")))
    won, _ = store.save_match(played(("depth:3", "human"), helped=True))
    watched, _ = store.save_match(played(("perfect", "club"), "hexapawn:3x3"))
    alone, _ = store.save_match(played(("human",), "honshu:9x12#7"))
    going, _ = store.save_match(record(2))
    everything = {lost, won, watched, alone, going}
    for choice, expected in (
        (Filter(), everything),
        (Filter(game="chocobar"), {lost, won, going}),
        (Filter(ended=Ending.WON), {won}),
        (Filter(ended=Ending.LOST), {lost}),
        (Filter(ended=Ending.TIED), set()),
        (Filter(ended=Ending.DONE), everything - {going}),
        (Filter(ended=Ending.OPEN), {going}),
        (Filter(unaided=True), {lost, alone, going}),
        (Filter(text="CLUB"), {lost, watched}),
        (Filter(text="club 3x3"), {watched}),
        (Filter(text="club %"), set()),
        (Filter(game="chocobar", ended=Ending.WON, unaided=True), set()),
    ):
        assert ids(store, choice) == expected, choice
    pages = [each for at in range(0, 6, 2) for each in store.listed(Filter(), 2, at)]
    assert pages == store.listed(Filter())
    line = next(each for each in pages if each is not None and each.id == won)
    assert (line.seen, line.seats[0], line.unaided) == ("win", "depth:3", False)


def test_deleted_matches_are_restored_unchanged() -> None:
    with open_store() as one, open_store() as two:
        first, second, third = (one.save_match(record(plies)) for plies in (1, 2, 3))
        assert one.path is not None
        before = raw_rows(one.path)
        one.delete_matches([first[0]])
        refused(r"Unknown match 99\.", one.delete_matches, [second[0], third[0], 99])
        assert len(one.matches()) == 2
        one.delete_matches([second[0], third[0]])
        assert one.matches() == []
        refused(f"Unknown match {third[0]}", one.match, third[0])
        # Whoever still has a deleted match on the screen never writes over another one.
        new = two.save_match(record(4))
        assert new[0] > third[0]
        assert two.save_match(record(5), *third)[0] not in (first[0], second[0], third[0], new[0])
        assert one.restore_matches() == 2
        assert one.restore_matches() == 1
        assert one.restore_matches() == 0
        assert before.items() <= raw_rows(one.path).items()
        assert len(one.matches()) == 5


def test_score_is_compared_with_best_known_for_its_start() -> None:
    race = replace(played(("human",), "honshu:9x12#7"), scores=(40,))
    with open_store() as store:
        store.save_match(race)
        store.save_match(replace(race, scores=(55,)))

        def scores() -> set[tuple[int | None, int | None]]:
            return {(each.points, each.best) for each in store.listed(Filter()) if each is not None}

        assert scores() == {(40, None), (55, None)}
        store.save_best_score(race.start, 50)
        assert scores() == {(40, 55), (55, 55)}
        store.save_best_score(race.start, 60)
        store.save_best_score(race.start, 58)
        store.save_best_score("honshu:9x12#8", 99)
        store.save_match(replace(race, scores=(61,)))
        assert scores() == {(40, 61), (55, 61), (61, 61)}


def test_level_data_of_a_match_is_saved() -> None:
    with open_store() as store:
        saved = [store.save_match(played(("human", "club")))[0] for _ in range(3)]
        store.save_match(played(("human", "club"), helped=True))
        assert store.unjudged("chocobar", 2) == [saved[2], saved[1]]
        store.save_level_data(saved[0], "0:-1.5 4:-0.5")
        store.save_level_data(saved[2], "")
        assert store.unjudged("chocobar", 3) == [saved[1]]
        assert [chances for chances, _ in store.level_data("chocobar", 3)] == ["0:-1.5 4:-0.5"]
        assert not store.level_data("hexapawn", 3)
        assert not store.unjudged("hexapawn", 3)


def test_puzzles_and_tournaments_are_saved() -> None:
    daily = PuzzleResult("chocobar", "chocobar:3x4", "daily", "2026-01-02", 3, True, 7.5, 1.0)
    rush = replace(daily, mode="rush", day=None, solved=False)
    with open_store() as store:
        for each in (daily, rush, replace(daily, game="hexapawn", day="2026-01-03")):
            store.add_puzzle(each)
        store._connection.execute("UPDATE puzzles SET grade = 'x' WHERE game = 'hexapawn'")
        for number in (2, 1, 2):
            store.save_tournament_match("cup", number, record(number))
        store.save_tournament_match("league", 0, record(3))
        store._connection.execute("INSERT INTO bouts VALUES ('league', 1, '{', NULL, 0)")
    with open_store() as store:
        assert store.puzzles() == [daily, rush]
        assert store.puzzles(mode="daily") == store.puzzles("chocobar", day="2026-01-02") == [daily]
        assert store.puzzles("hexapawn") == []
        assert list(store.tournament_matches("cup").items()) == [(1, record(1)), (2, record(2))]
        assert len(store.tournament_matches("league")) == 1
        assert store.tournaments() == {"cup": 2, "league": 2}
        store._connection.execute("DELETE FROM bouts WHERE tournament = 'cup'")
        assert (store.tournaments(), store.tournament_matches("cup")) == ({"league": 2}, {})


@pytest.mark.parametrize(
    "wrong",
    [
        "game = x'ff'",
        "size = x'00'",
        "seats = 'a' || char(27)",
        "plies = 'x'",
        "result = 'banana'",
        "person = 7",
        "points = 'x'",
        "updated = -1",
    ],
)
def test_damaged_list_row_hides_no_others(wrong: str, store: Store) -> None:
    saved = [store.save_match(record(1))[0] for _ in range(2)]
    store._connection.execute(f"UPDATE matches SET {wrong} WHERE id = ?", (saved[0],))
    lines = store.listed(Filter())
    assert {each.id if isinstance(each, MatchSummary) else None for each in lines} == {None, saved[1]}


def test_migration_removes_stars_and_levels_from_set_up_positions(tmp_path: Path) -> None:
    old_store(tmp_path / "old", 3)
    with open_store(tmp_path / "old") as store:
        beaten = store.beaten("hexapawn", "perfect")
        assert ("4x4", "perfect") in beaten
        assert [store.match(id).record.counts for id in (17, 18, 19, 20)] == [False, False, True, True]
        store.delete_matches([20])
        assert store.beaten("hexapawn", "perfect") == beaten - {("4x4", "perfect")}
        assert store.level_data("hexapawn", 10) == []
        assert {match.size for match in store.finished() if match.game == "menace"} == {""}
        assert present(store.listed(Filter(id=18))[0]).headline == "MENACE, won"
        assert store.restore_matches() == 1
        assert store.beaten("hexapawn", "perfect") == beaten
        assert store.restore_matches() == 1, "what an older arcade deleted"
        assert store.beaten("hexapawn", "perfect") == beaten | {("5x5", "club")}


def test_uncounted_matches_are_not_in_records(store: Store) -> None:
    won = replace(record(3, resigned=True), seats=("human", "perfect"), coach=Coach.QUIET, hints=(0, 0))
    won = replace(won, resigned=1, result=Value.WIN)
    assert won.unaided
    set_up = replace(won, start="chocobar:3x4:3.3.2")
    changed = replace(won, players=("human", "perfect", "human"))
    for each in (set_up, changed):
        id, _ = store.save_match(each)
        store.save_level_data(id, "0:-0.1")
    assert (store.win_loss_counts(), store.finished(), store.beaten("chocobar", "perfect")) == ({}, [], set())
    assert (store.level_data("chocobar", 9), store.unjudged("chocobar", 9)) == ([], [])
    assert store.count(Filter(counts=True)) == 0
    assert len(store.listed(Filter())) == 2, "the history has them all the same"
    store.save_match(won)
    assert (
        store.win_loss_counts()["chocobar"]["win"]
        == len(store.finished())
        == len(store.beaten("chocobar", "perfect"))
        == 1
    )


def test_reimport_skips_unfinished_match_without_marks(store: Store) -> None:
    going = replace(record(3), marks=("threw it away", "", "only move"), coach=Coach.QUIET)
    store.save_match(going, when=1000.5)
    text = export_matches(store.matches())
    assert "?" not in text
    assert import_matches(store, text, machines_of(store)) == (0, 1)
