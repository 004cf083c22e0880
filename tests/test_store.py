from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.game import InputError
from arcade.engines.registry import parse_game_id
from arcade.match import Match
from arcade.store import APPLICATION_ID, FILE_NAME, VERSION, Store, StoreError, data_folder, open_store


def record(plies: int = 1, resigned: bool = False) -> dict[str, object]:
    match = Match(parse_game_id("chocobar:8x10"))
    for _ in range(plies):
        match.play(match.position.moves()[-1])
    if resigned:
        match.resign(0)
    return match.record()


def test_the_environment_names_the_folder(data_folder: Path, tmp_path: Path) -> None:
    with open_store() as store:
        assert store.path == data_folder / FILE_NAME
    with open_store(tmp_path / "other") as store:
        assert store.path == tmp_path / "other" / FILE_NAME


def test_without_the_environment_the_platform_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARCADE_DATA")
    assert data_folder().name == "solver-arcade"


def test_a_match_is_kept_and_continued() -> None:
    with open_store() as store:
        saved = store.save_match(record(1))
        assert store.save_match(record(2), *saved) == (saved[0], saved[1] + 1)
    with open_store() as store:
        found = store.last_unfinished()
        assert found is not None
        assert found.id == saved[0]
        assert found.record == record(2)
        assert len(store.matches()) == 1
        store.save_match(record(3, resigned=True), found.id, found.revision)
        assert store.last_unfinished() is None
        assert store.tally() == {"chocobar": {"win": 0, "loss": 1, "tie": 0}}


def test_two_arcades_on_one_match_lose_neither() -> None:
    with open_store() as one, open_store() as two:
        saved = one.save_match(record(1))
        mine = one.save_match(record(2), *saved)
        theirs = two.save_match(record(3), *saved)
        assert mine[0] == saved[0]
        assert theirs[0] != saved[0]
        assert sorted(len(each.record["moves"]) for each in one.matches()) == [2, 3]


def test_only_one_arcade_claims_a_store() -> None:
    with open_store() as one, open_store() as two:
        assert one.claim()
        assert not two.claim()
    with open_store() as three:
        assert three.claim()


def test_settings_and_machines_are_kept() -> None:
    with open_store() as store:
        store.set("theme", "nord")
        store.set("theme", "arcade-light")
        store.save_machine("alice", "{}")
        store.save_machine("alice", '{"games": 1}')
        store.save_machine("Bob", "{}")
    with open_store() as store:
        assert store.settings() == {"theme": "arcade-light"}
        assert store.machine_names() == ["Bob", "alice"]
        assert store.load_machine("alice") == '{"games": 1}'
        store.delete_machine("alice")
        for refused in (store.load_machine, store.delete_machine):
            with pytest.raises(InputError, match=r"no machine 'alice'.*Bob"):
                refused("alice")


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
def test_a_bad_file_is_refused_and_left_as_it_was(kind: str, tmp_path: Path) -> None:
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


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot be opened.*\.$"):
        open_store(tmp_path / "file" / "folder")


def test_a_row_that_is_no_json_is_passed_over() -> None:
    with open_store() as store:
        store.save_match(record(1))
        assert store.path is not None
        with sqlite3.connect(store.path) as connection:
            connection.execute(
                "INSERT INTO matches (revision, game, record, updated) VALUES (1, 'chocobar', '{', 9e9)"
            )
        assert len(store.matches()) == 1


def test_the_store_in_memory_forgets() -> None:
    with Store.in_memory() as store:
        store.save_match(record(1))
        assert len(store.matches()) == 1
        assert store.path is None


def test_what_was_committed_survives_kill_9(data_folder: Path) -> None:
    program = """
        from arcade.store import open_store
        from tests.test_store import record
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
        assert len(saved.record["moves"]) >= told
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
def test_on_a_full_disk_each_write_is_one_sentence_and_nothing_is_lost(
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


def test_what_is_done_together_is_kept_together() -> None:
    with open_store() as one, open_store() as two:
        with suppress(KeyboardInterrupt), one.together():
            one.set("theme", "nord")
            one.save_machine("Bob", "{}")
            raise KeyboardInterrupt
        assert (two.settings(), two.machine_names()) == ({}, [])
        with one.together():
            one.set("theme", "nord")
            with one.together():
                one.save_machine("Bob", "{}")
            assert (two.settings(), two.machine_names()) == ({}, [])
        assert (two.settings(), two.machine_names()) == ({"theme": "nord"}, ["Bob"])


def test_a_machine_is_not_written_over_what_another_arcade_wrote() -> None:
    with open_store() as one, open_store() as two:
        one.replace_machine("Bob", None, "{}")
        one.replace_machine("Bob", "{}", '{"games": 1}')
        with pytest.raises(InputError, match=r"Another arcade has changed the machine Bob"):
            two.replace_machine("Bob", "{}", '{"games": 2}')
        with pytest.raises(InputError, match=r"There is a machine Bob already"):
            two.replace_machine("Bob", None, '{"games": 2}')
        assert two.load_machine("Bob") == '{"games": 1}'
        one.delete_machine("Bob")
        with pytest.raises(InputError, match=r"Another arcade has changed the machine Bob"):
            two.replace_machine("Bob", '{"games": 1}', '{"games": 2}')


def test_many_arcades_write_at_once_and_nothing_is_lost() -> None:
    with open_store() as store:
        store.save_machine("Bob", "0")
    processes = [
        subprocess.Popen([sys.executable, "-c", textwrap.dedent(MANY), str(number)], env=dict(os.environ))
        for number in range(3)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    with open_store() as store:
        assert store.load_machine("Bob") == "90"
        assert len(store.settings()) == 3
        matches = store.matches(1000)
        assert sorted(len(each.record["moves"]) for each in matches) == [30, 30, 30]


MANY = """
    import sys
    from arcade.store import open_store
    from tests.test_store import record
    with open_store() as store:
        saved = (None, 0)
        for plies in range(1, 31):
            saved = store.save_match(record(plies), *saved)
            store.set(sys.argv[1], str(plies))
            with store.together():
                store.save_machine("Bob", str(int(store.load_machine("Bob")) + 1))
"""


def test_a_read_only_folder_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(tmp_path) as store:
        store.save_match(record(1))
    real = sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        found: sqlite3.Connection = real(*arguments, **options)
        found.execute("PRAGMA query_only = ON")
        return found

    monkeypatch.setattr(sqlite3, "connect", connect)
    with open_store(tmp_path) as store:
        assert len(store.matches()) == 1
        with pytest.raises(
            StoreError, match=r"could not be written: attempt to write a readonly database\.$"
        ):
            store.save_match(record(2))


def test_where_no_claim_can_be_made_nobody_has_made_one() -> None:
    with open_store() as store:
        assert store.path is not None
        store.path.with_suffix(".lock").mkdir()
        assert store.claim()
