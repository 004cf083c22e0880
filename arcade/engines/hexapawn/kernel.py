"""A resumable search for the score of one position; see docs/solvers/hexapawn.md.

The mover is the side to move, and its pawns move up. Square i, `row * columns + column`, is bit i for the
mover and bit `squares - 1 - i` for the other side. A position is stored as eight words:

    words 0-3   mover:   own, opp, own mirrored, opp mirrored
    words 4-7   other:   opp, own, opp mirrored, own mirrored      (the first four after a move)

A score is

    0 ... 127     the mover loses in 2 * score plies       (misere: 2 * score + 1)
    128 ... 255   the mover wins in 2 * (255 - score) + 1  (misere: 2 * (255 - score))

A table entry has two words. A bucket of four entries fills a cache line:

    word 0   upper 64-b bits: the rest of the mixed key | 5 bits effort | 8 bits highest | 8 bits lowest score
    word 1   opp, 0 if free

Word 0 is stored as its exclusive or with a multiple of word 1, so an entry that two threads wrote at the same
time has a wrong key (R. Hyatt and T. Mann, "A lockless transposition table implementation for parallel
search", ICGA Journal 25, 2002). The upper b bits of the mixed key are the bucket's number. Mixing is
invertible for a given opp, so the key and opp identify the position. b is at least 16. If it is below 21, the
effort has only b - 16 bits.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import leading_zeros, njit, popcount, trailing_zeros
from arcade.engines.control import NODES, STOP

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Word = Any
"""A word of 64 bits. Its type is Any, because mypy cannot type expressions that mix words and numbers."""

OWN, OPP, OWN_MIRRORED, OPP_MIRRORED = range(4)
OTHER = 4
VIEWS = 8

TARGET, LOW, HIGH, BEST, COUNT, NEXT, PUT_OFF, BEGAN = range(8)
"""Columns of a frame.

TARGET, LOW, HIGH, BEST: target, known bounds and best score.
COUNT, NEXT, PUT_OFF: number of moves, index of the next move, and number of postponed moves.
BEGAN: value of VISITED when the frame began.
"""
FRAME = 8

PLY, PHASE, VISITED, STORED = range(4)
STATE = 4
BEGIN, ENTER, CHOOSE, LEAVE = range(4)

STEP = 2
_ASIDE = (-1, 1, 0)

SHARED = 30

UNFINISHED = -1
GROWTH_BITS = 2
POLL = 1024
"""Positions between two checks of the stop cell, about 1 ms."""

MIX = np.uint64(0xD6E8FEB86659FD93)
SPREAD = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_32 = np.uint64(32)


class Geometry(NamedTuple):
    """A board's constants as plain values, which stay in registers, unlike array elements."""

    rows: int
    columns: int
    squares: int
    per_row: int
    """A factor that replaces a slow division: the row of a square is `square * per_row >> 16`."""
    misere: int
    must_capture: bool
    up: Word
    size: Word
    first_row: Word
    row_before_last: Word
    first_column: Word
    last_column: Word


def geometry(rows: int, columns: int, misere: bool, must_capture: bool) -> Geometry:
    first_row = (1 << columns) - 1
    first_column = sum(1 << row * columns for row in range(rows))
    words = (
        columns,
        rows * columns,
        first_row,
        first_row << (rows - 2) * columns,
        first_column,
        first_column << (columns - 1),
    )
    per_row = (1 << 16) // columns + 1
    return Geometry(rows, columns, rows * columns, per_row, int(misere), must_capture, *map(np.uint64, words))


class SearchMemory(NamedTuple):
    boards: Words
    """Eight words for each ply, shape (plies, VIEWS). Row 0 is the position to search."""
    frames: Numbers
    """One frame for each ply, shape (plies, FRAME). Row 0 holds the search's target and bounds."""
    moves: Numbers
    """The moves at each ply, shape (plies, maximum number of moves).

    Format: `order << 32 | highest score after the move << 24 | lowest << 16 | direction << 8 | square`.
    """
    state: Numbers
    under_way: Words
    """Keys of the positions on each thread's stack, shape (threads, SHARED)."""
    thread: int


@njit(nogil=True, error_model="numpy")
def _number(word: Word) -> int:
    signed: Any = np.int64(word)
    return signed


@njit(nogil=True, error_model="numpy")
def _bit(square: int) -> Word:
    return _ONE << np.uint64(square)


@njit(nogil=True, error_model="numpy")
def _row(square: int, on: Geometry) -> int:
    return (square * on.per_row) >> 16


@njit(nogil=True, error_model="numpy")
def mixed(own: Word, opp: Word) -> Word:
    key = own ^ (opp * SPREAD)
    key = (key ^ (key >> _32)) * MIX
    key = (key ^ (key >> _32)) * MIX
    return key ^ (key >> _32)


@njit(nogil=True, error_model="numpy")
def guard(opp: Word) -> Word:
    return opp * SPREAD


@njit(nogil=True, error_model="numpy")
def most_effort(bits: int) -> int:
    return min((1 << (bits - 16)) - 1, 31)


@njit(nogil=True, error_model="numpy")
def _look_up(table: Words, own: Word, opp: Word, bits: Word) -> int:
    """Return the proven scores of a position as `highest << 8 | lowest`."""
    key = mixed(own, opp)
    at = _number(key >> (np.uint64(64) - bits)) << 3
    rest = key << bits ^ guard(opp)
    for entry in range(at, at + 8, 2):
        if table[entry + 1] == opp:
            bounds = table[entry] ^ rest
            if bounds >> bits == 0:
                return _number(bounds & np.uint64(0xFFFF))
    return 0xFF00


@njit(nogil=True, error_model="numpy")
def _keep(table: Words, own: Word, opp: Word, bits: Word, bounds: int, visited: int) -> int:
    """Store the bounds of a position. If no entry is free, replace the entry that took the least effort.

    Return 1 if a free entry was used, otherwise 0.
    """
    key = mixed(own, opp)
    at = _number(key >> (np.uint64(64) - bits)) << 3
    rest = key << bits ^ guard(opp)
    most = most_effort(_number(bits))
    effort = min(64 - leading_zeros(np.uint64(visited)), most)
    place, least = at, 99
    for entry in range(at, at + 8, 2):
        here = table[entry + 1]
        word = table[entry]
        if here == opp and (word ^ rest) >> bits == 0:
            known = _number((word ^ rest) & np.uint64(0xFFFF))
            bounds = min(bounds >> 8, known >> 8) << 8 | max(bounds & 255, known & 255)
            effort = max(effort, _number((word ^ rest) >> np.uint64(16)) & most)
            place = entry
            break
        if here == 0:
            place = entry
            break
        spent = _number((word ^ guard(here)) >> np.uint64(16)) & most
        if spent < least:
            place, least = entry, spent
    here = table[place + 1]
    table[place] = rest ^ np.uint64(bounds | effort << 16)
    table[place + 1] = opp
    return 1 if here == 0 else 0


@njit(nogil=True, error_model="numpy")
def _moves(own: Word, opp: Word, on: Geometry) -> tuple[Word, Word, Word]:
    left = own & ~on.first_column & (opp >> (on.up - _ONE))
    right = own & ~on.last_column & (opp >> (on.up + _ONE))
    step = own & ~((own | opp) >> on.up)
    if on.must_capture and (left | right) != 0:
        step = np.uint64(0)
    return left, right, step


@njit(nogil=True, error_model="numpy")
def _aside(squares: Word, on: Geometry) -> Word:
    return squares | ((squares & ~on.first_column) >> _ONE) | ((squares & ~on.last_column) << _ONE)


@njit(nogil=True, error_model="numpy")
def _below(squares: Word, on: Geometry) -> Word:
    squares = squares >> on.up
    by = on.up
    while by < on.size:
        squares |= squares >> by
        by += by
    return squares


@njit(nogil=True, error_model="numpy")
def _above(squares: Word, on: Geometry) -> Word:
    """Return all squares above the given ones, in the same columns, including those beyond the last row."""
    squares = squares << on.up
    by = on.up
    while by < on.size:
        squares |= squares << by
        by += by
    return squares


@njit(nogil=True, error_model="numpy")
def _bounds(own: Word, opp: Word, left: Word, right: Word, step: Word, on: Geometry) -> int:
    """Return bounds of the score without search, as `high << 8 | low`.

    The proofs for the standard rules:

    * To get a pawn across, a side needs as many moves as its foremost pawn has rows ahead. To leave the enemy
      no move takes at least one ply per pawn that can step, because a ply stops at most one of them.
    * If two enemy pawns can step to the last row, they cannot both be stopped. A single such pawn cannot be
      stopped if it cannot be captured.
    * Nothing can block or capture a pawn with no pawn ahead of it in its own and the neighbouring columns.
    """
    if on.misere != 0:
        if (opp & on.first_row) != 0 or (step | left | right) == 0:
            return 0xFFFF
        return 0x0000 if opp == 0 else 0xFE00
    if (step | left | right) == 0:
        return 0x0000
    if ((step | left | right) & on.row_before_last) != 0 or opp == 0:
        return 0xFFFF
    if on.must_capture:
        return 0xFF01
    occupied = own | opp
    enemy_steps = opp & ~(occupied << on.up)
    need = on.rows - 1 - _row(63 - leading_zeros(own), on)
    enemy_need = _row(trailing_zeros(opp), on)
    if enemy_need == 1:
        threats = enemy_steps & (on.first_row << on.up)
        captured = (left << (on.up - _ONE)) | (right << (on.up + _ONE))
        if (threats & (threats - _ONE)) != 0 or (threats & ~captured) != 0:
            return 0x0101
    high = 255 - min(need - 1, popcount(enemy_steps) >> 1)
    low = min(enemy_need, (popcount(step) + 1) >> 1)
    runners = own & ~_aside(_below(occupied, on), on)
    if runners != 0:
        run = on.rows - 1 - _row(63 - leading_zeros(runners), on)
        low = max(low, 256 - run if enemy_need >= run else enemy_need)
    runners = opp & ~_aside(_above(occupied, on), on)
    if runners != 0:
        run = _row(trailing_zeros(runners), on)
        high = min(high, run if need > run else 256 - need)
    return high << 8 | low


@njit(nogil=True, error_model="numpy")
def _as_mover(score: int, misere: int) -> int:
    return 256 - misere - score if score >= 128 else 255 - misere - score


@njit(nogil=True, error_model="numpy")
def _reply_target(target: int, misere: int) -> int:
    """Return the lowest score of the replying side that keeps the mover's score below `target`."""
    return (256 if target >= 128 else 257) - misere - target


@njit(nogil=True, error_model="numpy")
def _canonical(boards: Words, ply: int) -> tuple[Word, Word]:
    own, opp = boards[ply, OWN], boards[ply, OPP]
    own_mirrored, opp_mirrored = boards[ply, OWN_MIRRORED], boards[ply, OPP_MIRRORED]
    if own_mirrored < own or (own_mirrored == own and opp_mirrored < opp):
        return own_mirrored, opp_mirrored
    return own, opp


@njit(nogil=True, error_model="numpy", inline="always")
def _expand(memory: SearchMemory, ply: int, on: Geometry) -> None:
    boards, frames, moves, misere = memory.boards, memory.frames, memory.moves, on.misere
    top = on.squares - 1
    target = frames[ply, TARGET]
    reply_target = _reply_target(target, misere)
    best = -1
    count = 0
    movable = _moves(boards[ply, OWN], boards[ply, OPP], on)
    for direction in range(3):
        origins = movable[direction]
        while origins != 0 and best < target:
            square = trailing_zeros(origins)
            origins &= origins - _ONE
            to = square + on.columns + _ASIDE[direction]
            own = boards[ply, OTHER + OWN] & ~_bit(top - to)
            opp = boards[ply, OTHER + OPP] ^ _bit(top - square) ^ _bit(top - to)
            left, right, step = _moves(own, opp, on)
            known = _bounds(own, opp, left, right, step, on)
            if (known & 255) >= reply_target:
                best = max(best, _as_mover(known & 255, misere))
            elif (known >> 8) < reply_target:
                best = max(best, _as_mover(known >> 8, misere))
            else:
                order = 512 - _row(to, on) - 2 * (popcount(left) + popcount(right))
                if direction != STEP:
                    order += 1024
                place = count
                while place > 0 and moves[ply, place - 1] >> 32 < order:
                    moves[ply, place] = moves[ply, place - 1]
                    place -= 1
                moves[ply, place] = order << 32 | known << 16 | direction << 8 | square
                count += 1
    frames[ply, BEST] = best
    frames[ply, COUNT] = count
    frames[ply, NEXT] = 0
    frames[ply, PUT_OFF] = 0


@njit(nogil=True, error_model="numpy", inline="always")
def _descend(memory: SearchMemory, ply: int, on: Geometry) -> None:
    boards, frames, moves = memory.boards, memory.frames, memory.moves
    packed = moves[ply, frames[ply, NEXT]]
    frames[ply, NEXT] += 1
    square = packed & 255
    to = square + on.columns + _ASIDE[(packed >> 8) & 255]
    top = on.squares - 1
    last = on.columns - 1
    square_mirrored = last + 2 * on.columns * _row(square, on) - square
    to_mirrored = last + 2 * on.columns * _row(to, on) - to
    after = ply + 1
    boards[after, OWN] = boards[ply, OTHER + OWN] & ~_bit(top - to)
    boards[after, OPP] = boards[ply, OTHER + OPP] ^ _bit(top - square) ^ _bit(top - to)
    boards[after, OWN_MIRRORED] = boards[ply, OTHER + OWN_MIRRORED] & ~_bit(top - to_mirrored)
    boards[after, OPP_MIRRORED] = (
        boards[ply, OTHER + OPP_MIRRORED] ^ _bit(top - square_mirrored) ^ _bit(top - to_mirrored)
    )
    boards[after, OTHER + OWN] = boards[ply, OWN] ^ _bit(square) ^ _bit(to)
    boards[after, OTHER + OPP] = boards[ply, OPP] & ~_bit(to)
    boards[after, OTHER + OWN_MIRRORED] = (
        boards[ply, OWN_MIRRORED] ^ _bit(square_mirrored) ^ _bit(to_mirrored)
    )
    boards[after, OTHER + OPP_MIRRORED] = boards[ply, OPP_MIRRORED] & ~_bit(to_mirrored)
    frames[after, TARGET] = _reply_target(frames[ply, TARGET], on.misere)
    frames[after, LOW] = (packed >> 16) & 255
    frames[after, HIGH] = (packed >> 24) & 255


@njit(nogil=True, error_model="numpy", inline="always")
def _put_off(memory: SearchMemory, ply: int, key: Word) -> bool:
    """Postpone the move to this position and return True if another thread is searching the position.

    Otherwise, announce the position to the other threads and return False. The first move is never postponed,
    because it may be enough to reach the target. Two positions with equal keys cost time but cause no error.
    """
    frames, moves, under_way = memory.frames, memory.moves, memory.under_way
    if ply > 0:
        before = ply - 1
        made, count = frames[before, NEXT] - 1, frames[before, COUNT]
        if 0 < made < count - frames[before, PUT_OFF]:
            for other in range(under_way.shape[0]):
                if other != memory.thread and under_way[other, ply] == key:
                    packed = moves[before, made]
                    for place in range(made, count - 1):
                        moves[before, place] = moves[before, place + 1]
                    moves[before, count - 1] = packed
                    frames[before, NEXT] = made
                    frames[before, PUT_OFF] += 1
                    return True
    under_way[memory.thread, ply] = key
    return False


@njit(nogil=True, cache=True, error_model="numpy")
def search(
    memory: SearchMemory,
    table: Words,
    bucket_bits: int,
    on: Geometry,
    cells: Numbers,
    budget: int,
) -> int:
    """Search until the target is decided, the search is stopped, or `budget` more positions are visited.

    Return a bound of the score, or UNFINISHED if the target is undecided. A bound of at least the target is a
    lower bound, and a bound below the target is an upper bound. The table has `8 << bucket_bits` words.
    """
    boards, frames, state = memory.boards, memory.frames, memory.state
    bits = np.uint64(bucket_bits)
    ply, phase, visited = state[PLY], state[PHASE], state[VISITED]
    before = visited
    score = UNFINISHED

    if phase == BEGIN:
        own, opp = boards[0, OWN], boards[0, OPP]
        left, right, step = _moves(own, opp, on)
        known = _bounds(own, opp, left, right, step, on)
        frames[0, LOW] = max(frames[0, LOW], known & 255)
        frames[0, HIGH] = min(frames[0, HIGH], known >> 8)
        phase = ENTER

    while True:
        target = frames[ply, TARGET]
        if phase == ENTER:
            if visited - before >= budget or ((visited - before) % POLL == 0 and cells[STOP] != 0):
                score = UNFINISHED
                break
            visited += 1
            own, opp = _canonical(boards, ply)
            known = _look_up(table, own, opp, bits)
            low = max(frames[ply, LOW], known & 255)
            high = min(frames[ply, HIGH], known >> 8)
            frames[ply, LOW], frames[ply, HIGH] = low, high
            if low >= target or high < target:
                score = low if low >= target else high
                phase = LEAVE
            elif ply < SHARED and _put_off(memory, ply, mixed(own, opp)):
                visited -= 1
                ply -= 1
                phase = CHOOSE
            else:
                frames[ply, BEGAN] = visited
                _expand(memory, ply, on)
                phase = CHOOSE
        elif phase == LEAVE:
            if ply == 0:
                break
            ply -= 1
            frames[ply, BEST] = max(frames[ply, BEST], _as_mover(score, on.misere))
            phase = CHOOSE
        elif frames[ply, BEST] >= target or frames[ply, NEXT] == frames[ply, COUNT]:
            if frames[ply, BEST] >= target:
                score = max(frames[ply, LOW], frames[ply, BEST])
                frames[ply, LOW] = score
            else:
                score = min(frames[ply, HIGH], frames[ply, BEST])
                frames[ply, HIGH] = score
            own, opp = _canonical(boards, ply)
            bounds = frames[ply, HIGH] << 8 | frames[ply, LOW]
            state[STORED] += _keep(table, own, opp, bits, bounds, visited - frames[ply, BEGAN] + 1)
            phase = LEAVE
        else:
            _descend(memory, ply, on)
            ply += 1
            phase = ENTER
    state[PLY], state[PHASE], state[VISITED] = ply, phase, visited
    cells[NODES] += visited - before
    return score


@njit(nogil=True, cache=True, error_model="numpy")
def copy_buckets(old: Words, new: Words, bucket_bits: int, first: int, end: int) -> None:
    """Copy the buckets from `first` to `end - 1` into a larger table, which may be uninitialised.

    Each old bucket splits into new buckets of its own, so no new bucket can overflow.
    """
    bits = np.uint64(bucket_bits)
    more = np.uint64(bucket_bits + GROWTH_BITS)
    for bucket in range(first, end):
        new_first = bucket << (3 + GROWTH_BITS)
        for word in range(new_first, new_first + (8 << GROWTH_BITS)):
            new[word] = 0
        for entry in range(bucket << 3, (bucket + 1) << 3, 2):
            opp = old[entry + 1]
            if opp != 0:
                word = old[entry] ^ guard(opp)
                key = np.uint64(bucket) << (np.uint64(64) - bits) | word >> bits
                place = _number(key >> (np.uint64(64) - more)) << 3
                while new[place + 1] != 0:
                    place += 2
                new[place] = (key << more | (word & ((_ONE << bits) - _ONE))) ^ guard(opp)
                new[place + 1] = opp
