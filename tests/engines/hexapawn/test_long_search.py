import errno
import os
import random
import shutil
import socket
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.search import Inquiry, LongSearch
from arcade.engines.hexapawn.table import BUCKETS, HEAD, LEAST_BITS, TableFile
from arcade.engines.verdict import Value
from tests.narrow import present
from tests.refusals import failing, refused

BOARD = PawnPosition.full(5, 6)
MIB = 4


def searched(file: Path, most: int) -> tuple[LongSearch, int]:
    class Busy(Control):
        @property
        def stopped(self) -> bool:
            return self.nodes > most

    search = LongSearch(BOARD, MIB, str(file))
    with Busy() as control:
        search.run(control)
        return search, control.nodes


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads visit now more, now fewer positions."""
    monkeypatch.setattr("arcade.engines.hexapawn.search.solver_threads", lambda: 1)


def test_a_search_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    alone, visited = searched(tmp_path / "whole", 10**9)
    assert (alone.verdict().value, alone.verdict().remoteness) == (Value.LOSS, 22)
    file = tmp_path / "table"
    # Killed: nothing is saved at the end, and what the process held is gone.
    killed, _ = searched(file, visited // 2)
    unfinished = killed.verdict()
    del killed
    assert unfinished.remoteness is None
    found, after = searched(file, 10**9)
    finished, notice = found.verdict(), found.notice()
    found.save()
    del found
    assert finished.limits() == alone.verdict().limits()
    assert after < 0.8 * visited
    assert notice == ""
    again, nothing = searched(file, 10**9)
    assert nothing == 0
    assert again.verdict().remoteness == 22
    assert again.verdict().nodes == after


def test_a_head_that_was_changed_is_not_believed(tmp_path: Path) -> None:
    file = tmp_path / "table"
    search, _ = searched(file, 10_000)
    search.save()
    search.save()
    del search
    whole = file.read_bytes()
    for at in (0, HEAD // 2):
        file.write_bytes(whole[: at + 30] + bytes(60) + whole[at + 90 :])
        LongSearch(BOARD, MIB, str(file))
    for old, new in ((b'"high": ', b'"high":1'), (b'"low": ', b'"low":1'), (b'"seconds"', b'"Seconds"')):
        assert whole.count(old) == 2
        file.write_bytes(whole.replace(old, new))
        refused("damaged", LongSearch, BOARD, MIB, str(file))


def test_changed_bits_of_the_table_empty_its_part(tmp_path: Path, control: Control) -> None:
    file, rng = tmp_path / "table", random.Random(1)
    searched(file, 30_000)
    opened = TableFile(str(file), BOARD, LEAST_BITS)
    words, part = opened.table.words, 8 * BUCKETS
    opened.check(control)
    assert opened.emptied == 0
    for flips in [1] * 40 + [2, 3, 4] * 40:
        first = int(rng.choice(np.flatnonzero(words))) & -8
        # The highest bits of a word are those that a weak sum does not carry anywhere.
        for bit in rng.sample([63, 127, 191, 255, 319, 98, *rng.sample(range(512), 8)], flips):
            words[first + bit // 64] ^= np.uint64(1 << bit % 64)
        opened.check(control)
        assert opened.emptied == 1
        assert not words[first // part * part :][:part].any()
    sums = present(opened.table.sums)
    sums[1, 7] ^= np.uint64(1)
    del words, sums, opened
    search, _ = searched(file, 0)
    assert search.notice().startswith("1 of the table's 4,096 parts did not match")


def test_a_file_that_is_cut_off_while_it_is_in_use_gets_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, go_on = tmp_path / "table", Inquiry.go_on

    def cutting(inquiry: Inquiry, budget: int, control: Control) -> None:
        if control.nodes > 9000:
            os.truncate(file, HEAD // 2)
        go_on(inquiry, budget, control)

    monkeypatch.setattr(Inquiry, "go_on", cutting)
    search = LongSearch(BOARD, MIB, str(file))
    with Control() as control, pytest.raises(InputError, match=r"table' was cut off while it was in use\."):
        search.run(control)
    assert 9000 < control.nodes < 30_000
    search.save()
    proved = search.verdict().limits()
    del search
    again, _ = searched(file, 0)
    assert again.verdict().limits() == proved


def test_only_one_search_uses_a_file(tmp_path: Path) -> None:
    first = LongSearch(BOARD, MIB, str(tmp_path / "table"))
    with pytest.raises(InputError, match=r"Another search is using the table in '.*table'\."):
        LongSearch(BOARD, MIB, str(tmp_path / "table"))
    del first
    LongSearch(BOARD, MIB, str(tmp_path / "table"))


def test_a_table_leaves_room_on_its_disk_and_nothing_behind_where_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "table"
    # No test may take real room: what asks for it fails in any case.
    monkeypatch.setattr(os, "posix_fallocate", failing(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    refused("No space left", LongSearch, BOARD, MIB, str(file))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=280 * 10**9))
    refused("would take 274,886 MB, and its disk has 280,000 MB free", LongSearch, BOARD, 1 << 18, str(file))
    assert not file.exists()
    # As on macOS.
    monkeypatch.delattr(os, "posix_fallocate")
    assert searched(file, 1000)[1] >= 1000


@pytest.mark.parametrize(
    "damage", ["other", "short", "text", "empty folder", "folder", "pipe", "socket", "device"]
)
def test_a_file_that_cannot_serve_is_refused_by_name(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "table"
    if damage == "other":
        LongSearch(PawnPosition.full(4, 4), MIB, str(file))
    elif damage == "short":
        LongSearch(BOARD, MIB, str(file))
        file.write_bytes(file.read_bytes()[:-64])
    elif damage == "text":
        file.write_text("[]")
    elif damage == "folder":
        file.mkdir()
    elif damage == "pipe" and hasattr(os, "mkfifo"):
        os.mkfifo(file)
    elif damage == "socket" and hasattr(socket, "AF_UNIX"):
        monkeypatch.chdir(tmp_path)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("table")
    elif damage == "device":
        file.symlink_to("/dev/zero")
    else:
        file = tmp_path / "none" / "table"
    with pytest.raises(InputError, match=r"'\S*table'.*\.$") as refused:
        LongSearch(BOARD, MIB, str(file))
    assert "None" not in str(refused.value)
