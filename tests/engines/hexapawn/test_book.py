import random
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arcade.engines.control import Control
from arcade.engines.hexapawn import table as tables
from arcade.engines.hexapawn.book import ENTRY, Entries, book, fill, packed, unpacked
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.search import ScoreSearch
from arcade.engines.hexapawn.solver import HexapawnSolver, prove_book
from arcade.engines.hexapawn.table import HIGHEST, MIN_BITS, HexapawnTable, empty_words
from arcade.engines.registry import parse_game_id
from arcade.engines.solver import stored
from arcade.engines.verdict import Proof
from arcade.proof.verify import verify
from tests.engines.hexapawn.positions import truth
from tests.refusals import refused
from tools.books import dearest

ROWS, COLUMNS = 4, 4
START = PawnPosition.full(ROWS, COLUMNS)
BOOKS = sorted(file.name for file in (Path(tables.__file__).parent / "books").glob("[0-9]*x*"))


@pytest.fixture(scope="module")
def entries() -> Entries:
    """All that a search of the full board has stored."""
    table = HexapawnTable(empty_words())
    search = ScoreSearch(START, table)
    with Control() as control:
        search.resume(1_000_000, control)
    assert search.proved
    return dearest(table.words, table.bucket_bits, 0, 100_000)


def score(own: int, opp: int) -> int:
    wins, plies = truth(PawnPosition(ROWS, COLUMNS, own, opp))
    return HIGHEST - plies // 2 if wins else plies // 2


def test_search_table_bounds_are_correct(entries: Entries) -> None:
    assert len(entries) > 100
    assert len({(own, opp) for own, opp, *_ in entries.tolist()}) == len(entries)
    for own, opp, low, high in entries.tolist():
        assert low <= score(own, opp) <= high
    assert ((entries["low"] > 0) | (entries["high"] < HIGHEST)).all()


def test_book_selects_the_entries_that_cost_most_search() -> None:
    bits = MIN_BITS + 3
    table = HexapawnTable(empty_words(bits), bits)
    search = ScoreSearch(PawnPosition.full(5, 5), table)
    with Control() as control:
        search.resume(1_000_000, control)
    # Three bits have room for an effort of 7: 64 positions and more.
    sets = [set(dearest(table.words, bits, least, 1_000_000).tolist()) for least in range(1, 9)]
    assert all(few < many for many, few in pairwise(sets))
    assert not sets[7]
    assert any(entry[:2] == (31, 31 << 20) for entry in sets[6])
    few = dearest(table.words, bits, 0, 20)
    assert len(few) == 20
    assert set(few.tolist()) < sets[6]


def test_book_round_trips_and_damage_is_refused(entries: Entries) -> None:
    data, rng = packed(entries), random.Random(3)
    assert sorted(unpacked(data).tolist()) == sorted(entries.tolist())
    for at in [0, 31, 32, len(data) - 1, *rng.sample(range(len(data)), 20)]:
        refused("book is damaged", unpacked, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        refused("book is damaged", unpacked, data[:at])


def test_book_is_used_only_for_its_own_board(
    entries: Entries, monkeypatch: pytest.MonkeyPatch, control: Control
) -> None:
    monkeypatch.setattr(tables, "book", lambda board: entries if board == START.size else None)
    found = HexapawnSolver(facts=True).verdict(START, control)
    assert (found.proof, found.remoteness) == (Proof.EXACT, 11)
    assert found.nodes <= 4
    # Nobody else's: another variant, another size, or a solver that may use nothing stored.
    assert HexapawnSolver(facts=True).verdict(PawnPosition.full(4, 4, misere=True), control).remoteness == 13
    assert HexapawnSolver(facts=True).verdict(PawnPosition.full(4, 5), control).remoteness == 14
    assert HexapawnSolver().verdict(START, control).nodes > 100


def test_book_entries_without_room_are_dropped() -> None:
    many = np.zeros(300_000, ENTRY)
    rng = np.random.default_rng(1)
    many["own"], many["opp"] = rng.integers(1, 1 << 40, (2, len(many)))
    words = empty_words()
    places = fill(words, MIN_BITS, many)
    assert 200_000 < (places >= 0).sum() < 262_144
    assert len(np.unique(places[places >= 0])) == (places >= 0).sum() == (words[1::2] != 0).sum()


def planted(entries: Entries, at: int, name: str) -> Entries:
    """The same with one limit that is one too narrow."""
    wrong = entries.copy()
    true = score(int(entries["own"][at]), int(entries["opp"][at]))
    wrong[name][at] = true + 1 if name == "low" else true - 1
    return wrong


def test_verification_finds_every_wrong_book_entry(entries: Entries, control: Control) -> None:
    assert prove_book(entries, ROWS, COLUMNS, control) == (len(entries), "")
    rng = random.Random(4)
    for _ in range(30):
        at, name = rng.randrange(len(entries)), rng.choice(("low", "high"))
        if score(int(entries["own"][at]), int(entries["opp"][at])) != (HIGHEST if name == "low" else 0):
            _, wrong = prove_book(planted(entries, at, name), ROWS, COLUMNS, control)
            assert wrong.endswith("A search contradicts it.")
    control.cancel()
    assert prove_book(entries, ROWS, COLUMNS, control) == (0, "")


@pytest.mark.slow
def test_verification_detects_errors_in_the_book(entries: Entries, monkeypatch: pytest.MonkeyPatch) -> None:
    def verified(read: Any, size: str = "4x4") -> tuple[bool | None, str]:
        monkeypatch.setattr("arcade.engines.hexapawn.solver.book", read)
        found = verify(parse_game_id(f"hexapawn:{size}"), Control(), seconds=20)
        return found.agrees, found.finding

    agrees, finding = verified(lambda _: entries)
    assert agrees
    assert finding.endswith(f"{len(entries):,} of the book's {len(entries):,} positions were verified.")
    agrees, finding = verified(lambda _: planted(entries, len(entries) // 2, "low"))
    assert agrees is False
    assert "The book is wrong about" in finding
    agrees, finding = verified(lambda _: unpacked(b"damaged"), "3x4")
    assert agrees is False
    assert finding.endswith("Reinstall the arcade to restore it.")


@pytest.mark.parametrize("board", BOOKS)
def test_stored_book_is_small_and_matches_its_fact(board: str) -> None:
    found = book(board)
    assert found is not None
    assert len(files("arcade.engines.hexapawn").joinpath("books", board).read_bytes()) <= 2_000_000
    rows, columns = map(int, board.split("x"))
    row, fact = (1 << columns) - 1, stored("hexapawn").boards[board]
    own_first = found[(found["own"] == row) & (found["opp"] == row << (rows - 1) * columns)]
    assert fact.remoteness is not None
    exact = HIGHEST - fact.remoteness // 2 if fact.value == "win" else fact.remoteness // 2
    assert [entry.tolist()[2:] for entry in own_first] in ([], [(exact, exact)])
