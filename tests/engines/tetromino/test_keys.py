import random
from typing import Any

import numpy as np
import pytest

from arcade.engines.control import Control
from arcade.engines.tetromino import kernel
from arcade.engines.tetromino.board import image_of
from arcade.engines.tetromino.kernel import Words
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import TetrominoSolver, layout, search_node
from tests.engines.tetromino.test_solver import oracle, random_positions

KEYS = kernel._keys.interpreted()
HAND_BITS = 11
CELL_BITS = 64
SIZES = ["5x8", "6x6", "3x21", "21x3", "8x8", "3x3"]


def keys_of(cells: Words, hands: Words, bits: int) -> tuple[Words, Words]:
    found: tuple[Words, Words] = KEYS(cells, hands & 31, hands >> 5 & 31, hands >> 10, np.uint64(bits))
    return found


def read_back(slots: Words, entries: Words, bits: int) -> tuple[Words, Words]:
    """The cells and hands of keys: what was mixed, undone step by step."""
    hands = entries >> np.uint64(8) & np.uint64(2047)
    inverse = np.uint64(pow(int(kernel._MIX), -1, 1 << 64))
    mixed = (slots << np.uint64(64 - bits) | entries >> np.uint64(bits)) * inverse
    mixed = (mixed ^ mixed >> np.uint64(32)) * inverse
    return mixed ^ hands * kernel._SPREAD, hands


def flipped(count: int) -> tuple[Words, Words]:
    """All flips of up to so many of the bits of cells and hands."""
    flips = {0}
    for _ in range(count):
        flips |= {flip ^ 1 << bit for flip in flips for bit in range(CELL_BITS + HAND_BITS)}
    found = sorted(flips)
    low = np.array([each & (1 << CELL_BITS) - 1 for each in found], np.uint64)
    return low, np.array([each >> CELL_BITS for each in found], np.uint64)


@pytest.mark.parametrize("bits", [kernel.MIN_TABLE_BITS, 21, 24])
def test_table_keys_are_invertible(bits: int) -> None:
    rng = np.random.default_rng(bits)
    cells = rng.integers(0, 1 << 64, 100_000, np.uint64)
    hands = rng.integers(1, 1 << HAND_BITS, 100_000, np.uint64)
    slots, entries = keys_of(cells, hands, bits)
    assert slots.max() < 1 << bits
    assert not (entries & np.uint64(255)).any()
    back = read_back(slots, entries, bits)
    assert (back[0] == cells).all()
    assert (back[1] == hands).all()


@pytest.mark.parametrize("bits", [kernel.MIN_TABLE_BITS, 24])
def test_positions_within_six_bits_have_different_keys(bits: int) -> None:
    """All within three flips of one position, and within two of others: any two differ in twice as many."""
    rng = np.random.default_rng(bits)
    for flips, bases in ((flipped(3), 1), (flipped(2), 40)):
        for _ in range(bases):
            cells, hands = rng.integers(0, 1 << 64, dtype=np.uint64), rng.integers(0, 1 << HAND_BITS)
            slots, entries = keys_of(flips[0] ^ cells, flips[1] ^ np.uint64(hands), bits)
            order = np.lexsort((entries, slots))
            slots, entries = slots[order], entries[order]
            assert not ((slots[1:] == slots[:-1]) & (entries[1:] == entries[:-1])).any()


def free_cells(position: Tetrominoes) -> np.uint64:
    return np.uint64((1 << position.width * position.height) - 1 & ~position.occupied)


@pytest.mark.parametrize("size", SIZES)
def test_live_cells_and_hands_match_free_placements(size: str) -> None:
    live_of: Any = kernel._live.interpreted()
    for position in random_positions(size, range(5), 12, 5):
        tables = layout(position.width, position.height)
        node = search_node(position)
        hand = node.mover | node.other
        assert live_of(free_cells(position), hand, tables.lowest, tables.steps) == node.live
        within = (tables.cells & np.uint64(node.live)) == tables.cells
        free = np.unpackbits(node.free.view(np.uint8), bitorder="little")
        held = np.unpackbits(tables.of_hand[hand].view(np.uint8), bitorder="little")
        assert (free == within & held).all()
        assert len(set(tables.cells[free == 1])) == free.sum()


@pytest.mark.parametrize("size", SIZES)
def test_canonical_form_is_shared_only_by_symmetric_positions(size: str) -> None:
    canonical: Any = kernel._canonical.interpreted()
    rng = random.Random(3)
    for position in random_positions(size, range(5), 12, 6):
        tables, cells = layout(position.width, position.height), int(free_cells(position))
        images = {image_of(cells, symmetry) for symmetry in position.board.symmetries}
        assert {canonical(np.uint64(each), tables.images) for each in images} == {min(images)}
        other = cells ^ 1 << rng.randrange(position.board.cells)
        assert canonical(np.uint64(other), tables.images) == min(
            image_of(other, symmetry) for symmetry in position.board.symmetries
        )


def test_table_entries_match_their_positions(control: Control) -> None:
    width, height = 5, 5
    solver = TetrominoSolver()
    for position in random_positions("5x5", range(2, 5), 8, 9):
        solver.moves(position, control)
    table = solver._table(width, height)
    slots = table.nonzero()[0]
    bits = table.size.bit_length() - 1
    cells, hands = read_back(slots.astype(np.uint64), table[slots], bits)
    checked = 0
    for live, hand, entry in zip(cells.tolist(), hands.tolist(), table[slots].tolist(), strict=True):
        held = hand & 31, hand >> 5 & 31
        position = Tetrominoes(width, height, (1 << width * height) - 1 & ~live, held)
        node = search_node(position)
        assert (node.live, node.mover, node.other) == (live, *held)
        # Where a piece that fits nowhere has ruled a tie out before, the position does not tell.
        if node.tie == bool(hand >> 10) and live.bit_count() <= 13:
            value, plies = oracle(position)
            rank = 6 if value == "tie" else plies // 2 if value == "loss" else 12 - plies // 2
            assert entry & 15 <= rank <= entry >> 4 & 15, position.text()
            checked += 1
    assert checked > 50
