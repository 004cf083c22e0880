"""Another program has locked the saved games: nobody waits, and everything is saved in the end."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.matches import reopened
from arcade.play.exchange import import_matches
from arcade.play.machines import Machines
from arcade.play.match import HUMAN, Match, new_match
from arcade.services import Services
from arcade.store.file import FILE_NAME
from arcade.store.store import StoreError, open_store
from arcade.studies import map_of_day, puzzle_round
from arcade.study.daily import ALONE, deal_of
from arcade.study.puzzles import PRACTICE, PuzzleChoice
from tests.narrow import present
from tests.play.front import Front
from tests.refusals import failing

FAILED = "another program has locked the file. You can keep playing; the arcade keeps trying to save."
AGAIN = "Saving works again. Everything is saved now."


class Lock:
    """The write lock of the saved games, taken by another connection."""

    def __init__(self, path: Path) -> None:
        self._other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._other.execute("BEGIN IMMEDIATE")

    def release(self) -> None:
        self._other.close()


@pytest.fixture
def lock(services: Services) -> Iterator[Lock]:
    held = Lock(present(services.store.path))
    yield held
    held.release()


def saved_moves(folder: Path) -> list[list[str]]:
    with open_store(folder) as store:
        return [list(each.record.moves) for each in store.matches()]


def match_of(text: str, *seats: str, guests: Machines | None = None) -> Match:
    return new_match(parse_game_id(text), seats or (HUMAN, HUMAN), guests, seed=1)


def played(front: Front) -> list[str]:
    return [str(move) for move in front.session.match.moves]


def play_any(front: Front, count: int = 1) -> None:
    for _ in range(count):
        front.session.play(front.session.match.position.moves()[-1])
        front.settle()


@pytest.mark.timed
def test_moves_stay_fast_while_file_is_locked(services: Services, lock: Lock) -> None:
    front = Front(match_of("chocobar:8x10"), services, judging=False)
    for _ in range(5):
        begun = time.monotonic()
        play_any(front)
        assert time.monotonic() - begun < 0.15


def test_moves_made_during_lock_are_saved_after_it(services: Services, lock: Lock, data_folder: Path) -> None:
    front = Front(match_of("chocobar:8x10"), services)
    play_any(front, 3)
    assert services.unsaved
    assert saved_moves(data_folder) == []
    lock.release()
    assert services.retry()
    assert saved_moves(data_folder) == [played(front)]
    play_any(front)
    assert saved_moves(data_folder) == [played(front)], "it is still the same match"
    (kept,) = services.store.matches()
    assert services.store.words("state")["in_play"] == str(kept.id)


def test_match_saved_before_lock_stays_one_match(services: Services, data_folder: Path) -> None:
    front = Front(match_of("chocobar:8x10"), services)
    play_any(front)
    lock = Lock(data_folder / FILE_NAME)
    play_any(front, 2)
    assert [len(moves) for moves in saved_moves(data_folder)] == [1], "what was committed is there"
    lock.release()
    play_any(front)
    assert not services.unsaved
    assert saved_moves(data_folder) == [played(front)]


def test_next_match_does_not_replace_unsaved_one(services: Services, lock: Lock, data_folder: Path) -> None:
    front = Front(match_of("chocobar:8x10"), services)
    play_any(front, 2)
    first = played(front)
    front.session.begin(match_of("chocobar:3x4"))
    play_any(front)
    lock.release()
    services.retry()
    assert saved_moves(data_folder) == [played(front), first]


def test_machine_learns_once_from_match_ended_during_lock(services: Services, lock: Lock) -> None:
    front = Front(match_of("menace", "MENACE", HUMAN, guests=services.machines), services)
    rng = random.Random(1)
    front.session.start()
    front.settle()
    while not front.session.match.finished:
        front.session.play(rng.choice(front.session.match.position.moves()))
        front.settle()
    for _ in range(3):
        assert not services.retry()
        front.session.save()
    assert services.machines.load("MENACE").games == 0
    assert not front.session.match.taught
    lock.release()
    services.retry()
    assert services.machines.load("MENACE").games == 1
    front.session.save()
    services.retry()
    assert services.machines.load("MENACE").games == 1
    (reward,) = front.session.state.rewards
    assert front.said.count(reward.sentence()) == 1
    with open_store() as store:
        (kept,) = store.matches()
    assert kept.record.taught
    assert kept.record.result is not None


def test_settings_state_and_puzzles_are_saved_after_lock(services: Services, lock: Lock) -> None:
    services.change("theme", "nord")
    services.change("theme", "arcade-light")
    services.change("calm", "on")
    services.has_learned("chocobar", "poison")
    puzzles = puzzle_round(services, PuzzleChoice(get_game("menace"), PRACTICE))
    with Control() as control:
        puzzles.begin(present(puzzles.make(control)))
    services.save_puzzle(puzzles)
    lock.release()
    assert services.retry()
    with open_store() as store:
        assert store.words("settings") == {"theme": "arcade-light", "calm": "on", "animation": "off"}
        assert store.words("state") == {"learned": "chocobar:poison"}
        assert len(store.puzzles("menace")) == 1


def test_review_of_unsaved_match_is_saved_after_lock(
    services: Services, lock: Lock, data_folder: Path
) -> None:
    front = Front(match_of("chocobar:2x2", HUMAN, "perfect"), services)
    front.session.start()
    front.settle().play("2,2")
    front.play("1,2" if played(front)[1] == "(2,1)" else "2,1")
    assert front.session.match.finished
    assert services.unsaved
    lock.release()
    services.retry()
    with open_store() as store:
        (kept,) = store.matches()
        assert all(kept.record.marks)
        assert store.unjudged("chocobar", 10) == []


def test_save_failure_and_recovery_are_each_reported_once(
    services: Services, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arcade.services.PROGRESS_INTERVAL", 0)
    heard: list[str] = []
    services.listen(lambda notice: heard.append(notice.text))
    for name in ("marks", "ascii", "demonstration"):
        services.change(name, "on" if name == "ascii" else "off")
        services.retry()
    assert heard == [f"{services.store.path} could not be written: {FAILED}"]
    lock.release()
    services.retry()
    services.change("marks", "on")
    assert heard[1:] == [AGAIN]


def test_short_lock_is_not_reported(services: Services, lock: Lock) -> None:
    heard: list[str] = []
    services.listen(lambda notice: heard.append(notice.text))
    services.change("marks", "off")
    assert services.unsaved
    lock.release()
    services.retry()
    assert not services.unsaved
    assert heard == []


def test_retry_is_scheduled_automatically_one_at_a_time(services: Services, lock: Lock) -> None:
    due: list[tuple[float, Callable[[], object]]] = []
    services.listen(lambda notice: None, lambda seconds, action: due.append((seconds, action)))
    services.change("marks", "off")
    services.change("ascii", "on")
    assert len(due) == 1
    due.pop()[1]()
    assert len(due) == 1, "it is still locked"
    lock.release()
    seconds, retry = due.pop()
    retry()
    assert seconds < 1
    assert due == []
    assert not services.unsaved


def test_failed_write_does_not_block_other_writes(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.store, "save_match", failing(StoreError("The table is torn.")))
    front = Front(match_of("chocobar:3x4"), services)
    play_any(front)
    services.change("marks", "off")
    assert services.unsaved
    assert services.store.words("settings")["marks"] == "off"
    monkeypatch.undo()
    assert services.retry()
    assert len(services.store.matches()) == 1


def test_unsaved_match_reopens_with_its_last_moves(services: Services, data_folder: Path) -> None:
    front = Front(match_of("chocobar:8x10"), services)
    play_any(front)
    lock = Lock(data_folder / FILE_NAME)
    play_any(front, 2)
    (listed,) = services.recent_matches()
    assert len(listed.record.moves) == 3
    again = Front(reopened(services, listed), services, saved=(listed.id, listed.revision))
    again.session.open()
    play_any(again)
    lock.release()
    services.retry()
    play_any(again)
    assert saved_moves(data_folder) == [played(again)]


def test_unsaved_map_of_the_day_is_not_restarted(services: Services, lock: Lock) -> None:
    honshu, day = get_game("honshu"), date(2026, 11, 27)
    front = Front(new_match(deal_of(honshu, day), ALONE), services, judging=False)
    play_any(front)
    assert map_of_day(services, honshu, day)[0] is front.session.match


def test_closing_waits_until_lock_is_released(services: Services, lock: Lock, data_folder: Path) -> None:
    front = Front(match_of("chocobar:8x10"), services)
    play_any(front, 2)
    timer = threading.Timer(0.1, lock.release)
    timer.start()
    assert services.close(20) == ""
    timer.join()
    assert saved_moves(data_folder) == [played(front)]


def test_unsaved_match_is_exported_to_file_on_close(
    services: Services, lock: Lock, data_folder: Path
) -> None:
    front = Front(match_of("chocobar:8x10"), services)
    play_any(front, 2)
    sentence = services.close(0)
    (left,) = data_folder.glob("unsaved-*.match")
    assert sentence.startswith(f"{services.store.path} could not be written: another program has locked")
    assert f"Your matches are in {left}." in sentence
    assert sentence.endswith(f"arcade matches import {left}")
    lock.release()
    with open_store() as store:
        assert import_matches(store, left.read_text("utf-8"), Machines(lambda: store)) == (1, 0)
    assert saved_moves(data_folder) == [played(front)]


def test_unsaved_settings_are_reported_on_close(services: Services, lock: Lock) -> None:
    services.change("marks", "off")
    assert services.close(0).endswith("has locked the file. Your last changes are not saved.")


def test_file_locked_by_process_is_written_after_its_exit(services: Services, data_folder: Path) -> None:
    program = f"""
        import sqlite3, sys
        connection = sqlite3.connect({str(data_folder / FILE_NAME)!r}, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        print("locked", flush=True)
        sys.stdin.read()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        try:
            assert present(other.stdout).readline() == b"locked\n"
            front = Front(match_of("chocobar:8x10"), services)
            play_any(front, 2)
            assert services.unsaved
        finally:
            other.kill()
    assert services.retry()
    assert saved_moves(data_folder) == [played(front)]
