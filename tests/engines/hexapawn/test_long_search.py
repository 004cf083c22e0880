"""A search that goes on another day, with a table in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from arcade.engines.control import Control
from arcade.engines.errors import InputError
from arcade.engines.hexapawn.long_search import LongSearch
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.table_file import HEAD
from arcade.engines.verdict import Value

BOARD = PawnPosition.full(5, 6)
MIB = 4


def searched(file: Path, most: int) -> tuple[LongSearch, int]:
    """A search of about `most` positions, and how many it visited."""

    class Busy(Control):
        @property
        def stopped(self) -> bool:
            return self.nodes > most

    search = LongSearch(BOARD, MIB, str(file))
    with Busy() as control:
        search.run(control)
        return search, control.nodes


def test_a_search_goes_on_where_it_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Two threads visit now more, now fewer positions.
    monkeypatch.setattr("arcade.engines.hexapawn.search.solver_threads", lambda: 1)
    alone, visited = searched(tmp_path / "whole", 10**9)
    assert (alone.verdict().value, alone.verdict().remoteness) == (Value.LOSS, 22)
    file = tmp_path / "table"
    # Killed: nothing is saved at the end, and what the process held is gone.
    assert searched(file, visited // 2)[0].verdict().remoteness is None
    found, after = searched(file, 10**9)
    assert found.verdict().limits() == alone.verdict().limits()
    assert after < 0.8 * visited
    found.save()
    again, nothing = searched(file, 10**9)
    assert nothing == 0
    assert again.verdict().remoteness == 22
    assert again.verdict().nodes == after


def test_half_a_head_is_not_believed(tmp_path: Path) -> None:
    file = tmp_path / "table"
    search, _ = searched(file, 10_000)
    search.save()
    search.save()
    for at in (0, HEAD // 2):
        whole = file.read_bytes()
        file.write_bytes(whole[: at + 30] + bytes(60) + whole[at + 90 :])
        LongSearch(BOARD, MIB, str(file))
        file.write_bytes(whole)


@pytest.mark.parametrize("damage", ["other", "short", "text", "empty folder", "folder"])
def test_a_file_that_cannot_serve_is_refused_by_name(damage: str, tmp_path: Path) -> None:
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
    else:
        file = tmp_path / "none" / "table"
    with pytest.raises(InputError, match="table"):
        LongSearch(BOARD, MIB, str(file))
