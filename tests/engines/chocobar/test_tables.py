import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from arcade.engines.chocobar import kernel
from arcade.engines.chocobar.rules import bars_in, transpose
from arcade.engines.chocobar.table import (
    BarTable,
    RemotenessTable,
    ValueTable,
    boxes_to_solve,
    expected_seconds,
    keeps_remoteness,
    memory_bytes,
    rank_of,
    rank_terms,
)
from arcade.engines.control import NODES, STOP, Control
from arcade.engines.verdict import Value
from tests.engines.chocobar.brute import all_bars, random_bar, remoteness
from tests.narrow import present

unrank = kernel.unrank.interpreted()

KINDS = [RemotenessTable, ValueTable]


def solved(table: BarTable) -> BarTable:
    table.solve(Control())
    assert table.done
    return table


def test_ranks_enumerate_all_bars_in_order() -> None:
    lengths, terms = np.zeros(4, np.int64), rank_terms(4, 5)
    found = []
    for rank in range(bars_in(4, 5)):
        unrank(rank, terms, lengths)
        rows = tuple(int(each) for each in lengths)
        assert rank_of(rows, 4) == rank
        found.append(rows)
    assert found == sorted(found)
    assert {tuple(each for each in rows if each) for rows in found[1:]} == set(all_bars(4, 5))


def test_bites_lower_the_rank() -> None:
    ranks = {rows: rank_of(rows, 5) for rows in all_bars(5, 4)}
    for rows, rank in ranks.items():
        for i in range(len(rows)):
            for length in range(rows[i]):
                left = tuple(x for x in (*rows[:i], *(min(x, length) for x in rows[i:])) if x)
                assert not left or ranks[left] < rank


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(2, 2), (2, 7), (3, 5), (5, 3), (5, 5), (6, 4), (4, 7)])
def test_tables_match_brute_force(kind: type[BarTable], size: tuple[int, int]) -> None:
    table = solved(kind(*size))
    for rows in all_bars(*size):
        truth = remoteness(rows)
        entry = present(table.look_up(rows))
        value, plies = entry
        assert value is (Value.WIN if truth % 2 else Value.LOSS)
        assert plies == (truth if table.remoteness else None)


def test_single_row_bars_are_solved() -> None:
    table = solved(RemotenessTable(1, 6))
    assert table.look_up((1,)) == (Value.LOSS, 0)
    assert table.look_up((6,)) == (Value.WIN, 1)
    assert table.look_up((1, 1, 1)) == (Value.WIN, 1)


@pytest.mark.parametrize("size", [(3, 14), (9, 9), (7, 12), (10, 11)])
def test_remoteness_and_value_tables_agree(size: tuple[int, int]) -> None:
    """They have no code in common but the ranks, and the one is checked against the data file."""
    plies, values = RemotenessTable(*size), ValueTable(*size)
    solved(plies)
    solved(values)
    lost = 0
    lengths, terms = np.zeros(plies.rows, np.int64), rank_terms(plies.rows, plies.columns)
    for rank in range(1, plies.bars, 1 + plies.bars // 4_000):
        unrank(rank, terms, lengths)
        rows = tuple(int(each) for each in lengths if each)
        one, other = plies.look_up(rows), values.look_up(rows)
        assert one is not None
        assert one[0] is present(other)[0]
        lost += one[0] is Value.LOSS
    assert lost > 10


@pytest.mark.parametrize(("kind", "side"), [(RemotenessTable, 12), (ValueTable, 12)])
def test_often_interrupted_solve_gives_the_same_table(kind: type[BarTable], side: int) -> None:
    whole, pieces = solved(kind(side, side)), kind(side, side)
    rng = random.Random(3)
    calls, nodes = 0, 0
    while not pieces.done:
        with Control(0.002 * rng.random()) as control:
            pieces.solve(control)
        calls += 1
        nodes += control.nodes
    assert calls > 3
    assert nodes == whole.bars
    for _ in range(5_000):
        rows = random_bar(rng, side, side).rows
        assert pieces.look_up(rows) == whole.look_up(rows)


@pytest.mark.parametrize(("kind", "side"), [(RemotenessTable, 10), (ValueTable, 11)])
def test_unfinished_table_has_no_wrong_entries(kind: type[BarTable], side: int) -> None:
    """And each call gets on a little, however soon it is stopped."""
    whole, table = solved(kind(side, side)), kind(side, side)
    rng = random.Random(5)
    bars = [random_bar(rng, side, side).rows for _ in range(300)]
    assert all(table.look_up(rows) is None for rows in bars)
    known = 0
    while not table.done:
        with Control() as control:
            control.cancel()
            table.solve(control)
        for rows in bars:
            entry = table.look_up(rows)
            known += entry is not None
            assert entry in (None, whole.look_up(rows))
    assert known > len(bars)


class Flags(list[int]):
    """The cells of a control whose flag is up in three looks of ten."""

    def __init__(self, seed: int) -> None:
        super().__init__([0] * 8)
        self.rng = random.Random(seed)

    def __getitem__(self, cell: Any) -> Any:
        return self.rng.random() < 0.3 if cell == STOP else super().__getitem__(cell)


class StopsNowAndThen(Control):
    def __init__(self, seed: int) -> None:
        super().__init__()
        self._cells: Any = Flags(seed)

    @property
    def cells(self) -> Any:
        return self._cells


@pytest.fixture
def all_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels as plain Python that looks at the flag all the time, as in the largest boxes it does."""
    for solve in ("solve_remoteness", "solve_values"):
        monkeypatch.setattr(kernel, solve, getattr(kernel, solve).interpreted(_POLL=0))
    monkeypatch.setattr("arcade.engines.chocobar.table.MAX_INTERPRETED", 0)


def in_pieces(kind: type[BarTable], seed: int) -> Iterator[tuple[BarTable, int]]:
    """A table of 5x6 after each stop, and how many bars were solved until then."""
    table = kind(5, 6)
    with StopsNowAndThen(seed) as control:
        while not table.done:
            table.solve(control)
            yield table, control.nodes


@pytest.mark.usefixtures("all_looks")
@pytest.mark.parametrize("kind", KINDS)
def test_unfinished_table_reports_next_bar_as_unknown(kind: type[BarTable]) -> None:
    lengths, terms = np.zeros(5, np.int64), rank_terms(5, 6)
    seen: set[int] = set()
    for table, count in (each for seed in range(5) for each in in_pieces(kind, seed)):
        if table.done:
            continue
        unrank(count, terms, lengths)
        rows = tuple(int(each) for each in lengths if each)
        # Turned it may be of lower rank, and known.
        if rows and (rows[0] > 5 or rank_of(transpose(rows), 5) >= count):
            assert table.look_up(rows) is None
            seen.add(count)
    assert len(seen) > 10


@pytest.mark.usefixtures("all_looks")
@pytest.mark.parametrize("kind", KINDS)
def test_interruption_at_any_poll_keeps_the_table_correct(kind: type[BarTable]) -> None:
    whole = solved(kind(5, 6))
    for seed in range(5):
        tables = [table for table, _ in in_pieces(kind, seed)]
        assert len(tables) > 10
        assert all(tables[-1].look_up(rows) == whole.look_up(rows) for rows in all_bars(5, 6))


def test_finished_table_is_not_solved_again() -> None:
    for kind in KINDS:
        table = solved(kind(6, 6))
        with Control() as control:
            table.solve(control)
            assert control.cells[NODES] == 0


def test_bars_outside_the_table_are_unknown() -> None:
    table = solved(RemotenessTable(3, 5))
    assert table.look_up((6,)) is None
    assert table.look_up((4, 4, 4, 4)) is None
    assert table.look_up((3, 3, 3, 3, 2)) is not None


def test_rectangles_already_covered_are_not_solved() -> None:
    assert boxes_to_solve([(8, 10), (9, 7), (10, 8), (1, 2)]) == [(8, 10)]
    assert boxes_to_solve([(3, 4), (4, 5), (6, 3)]) == [(3, 4), (4, 5), (3, 6)]
    assert boxes_to_solve([(18, 18), (17, 16), (15, 15), (17, 14), (13, 17), (14, 14)]) == [
        (18, 18),
        (15, 15),
        (14, 17),
    ]


def test_memory_and_time_estimates_are_plausible() -> None:
    assert memory_bytes(14, 14, True) == bars_in(14, 14) == 40_116_600
    assert keeps_remoteness(14, 14)
    assert keeps_remoteness(16, 16)
    assert not keeps_remoteness(17, 16)
    assert memory_bytes(18, 18, False) < 1.3e9 < 9e9 < memory_bytes(18, 18, True)
    assert memory_bytes(16, 18, False) == memory_bytes(18, 16, False)
    assert 20 < expected_seconds(18, 18, False) < 200
    table = ValueTable(12, 13)
    assert 8 * (table._dead.size + table._leaf.size) + table._lost_low.nbytes < bars_in(12, 13) / 4
