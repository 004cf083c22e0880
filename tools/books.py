"""Make the book of a large Hexapawn board: `python -m tools.books SIZE [--memory MIB]`.

The tool finds the exact verdicts of moves in the first plies of matches in which one side plays perfectly.
The book has those far from the end, and the costliest table entries. The tool then verifies the book.
`--matches N` instead prints the longest analysis in matches of `perfect` against `club` with the stored book.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from arcade.engines.control import Control, cores
from arcade.engines.hexapawn import kernel
from arcade.engines.hexapawn.book import ENTRY, Entries, book, fill, packed
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.kernel import MIX, SPREAD, Words
from arcade.engines.hexapawn.rules import PawnMove, PawnPosition
from arcade.engines.hexapawn.search import SLICE, ScoreSearch
from arcade.engines.hexapawn.solver import HexapawnSolver, prove_book
from arcade.engines.hexapawn.table import HexapawnTable, large_table, limits_of
from arcade.engines.seats import make_player
from arcade.engines.verdict import DuelVerdict, MoveVerdict, mark_best

FOLDER = Path(__file__).parent.parent / "arcade" / "engines" / "hexapawn" / "books"
NEAR = 24
"""Plies to the end from which a position needs no book: a search takes up to a second."""
LEAST_EFFORT = 10
MAX_BYTES = 2_000_000
AT_ONCE = 1 << 22
UNMIX = np.uint64(pow(int(MIX), -1, 1 << 64))
GUARD = kernel.guard.interpreted()

Verdicts = dict[PawnPosition, DuelVerdict]


def unmixed(keys: Words) -> Words:
    for _ in range(2):
        keys = (keys ^ (keys >> np.uint64(32))) * UNMIX
    return keys ^ (keys >> np.uint64(32))


def dearest(words: Words, bucket_bits: int, least: int, most: int) -> Entries:
    """Return up to `most` entries that took most work, each with an effort of at least `least`.

    Effort is the binary logarithm of the positions visited, in a table of at least 128 MiB.
    """
    bits, mask = np.uint64(bucket_bits), np.uint64(kernel.most_effort.interpreted()(bucket_bits))
    found, spent = [np.zeros(0, ENTRY)], [np.zeros(0, np.uint64)]
    for first in range(0, words.size, AT_ONCE):
        opp = words[first + 1 : first + AT_ONCE : 2]
        word = words[first : first + AT_ONCE : 2] ^ GUARD(opp)
        effort = word >> np.uint64(16) & mask
        kept = np.flatnonzero((opp != 0) & (effort >= least))
        opp, word = opp[kept], word[kept]
        bucket = (kept + first // 2).astype(np.uint64) >> np.uint64(2)
        key = bucket << (np.uint64(64) - bits) | word >> bits
        entries = np.zeros(len(kept), ENTRY)
        entries["own"], entries["opp"] = unmixed(key) ^ opp * SPREAD, opp
        entries["low"], entries["high"] = word & np.uint64(255), word >> np.uint64(8) & np.uint64(255)
        found.append(entries)
        spent.append(effort[kept])
    order = np.argsort(np.concatenate(spent))[::-1][:most]
    return np.concatenate(found)[order]


def judge(
    position: PawnPosition, table: HexapawnTable, found: Verdicts, control: Control
) -> list[MoveVerdict[PawnMove]] | None:
    """Return exact verdicts and add them to `found`; None if stopped."""
    verdicts = []
    for move in position.moves():
        after = GAME.symmetries.quick_canonical(position.play(move))
        if after not in found:
            search = ScoreSearch(after, table, cores())
            with search.with_helper_threads(control):
                while not (after.ending() or search.proved or control.stopped):
                    search.resume(SLICE, control)
            if control.stopped:
                return None
            found[after] = after.ending() or search.verdict()
        verdicts.append((move, found[after].before_move()))
    return mark_best(verdicts)


def explore(start: PawnPosition, table: HexapawnTable, plies: int, control: Control) -> Verdicts:
    found: Verdicts = {}
    known: dict[PawnPosition, list[MoveVerdict[PawnMove]]] = {}
    # The perfect player has either side.
    waiting = [(start, True), (start, False)]
    for ply in range(plies):
        after: dict[tuple[PawnPosition, bool], None] = {}
        for position, perfect in waiting:
            if position not in known:
                moves = judge(position, table, found, control)
                if moves is None:
                    return found
                known[position] = moves
            for rated in known[position]:
                if (rated.best or not perfect) and (rated.verdict.remoteness or 0) > NEAR:
                    after[GAME.symmetries.quick_canonical(position.play(rated.move)), not perfect] = None
        waiting = list(after)
        print(
            f"ply {ply}: {len(found):,} judged, {control.nodes:,} positions, {control.seconds:.0f} s",
            flush=True,
        )
    return found


def entries_of(found: Verdicts, table: HexapawnTable) -> Entries:
    """Return the positions that need a book, and the costliest table entries that fit."""
    dear = [
        (position.white, position.black, *limits_of(verdict))
        for position, verdict in found.items()
        if (verdict.remoteness or 0) > NEAR
    ]
    most = MAX_BYTES // 4
    entries = np.concatenate(
        (np.array(dear, ENTRY), dearest(table.words, table.bucket_bits, LEAST_EFFORT, most))
    )
    _, first = np.unique(entries[["own", "opp"]], return_index=True)
    entries = entries[np.sort(first)]
    while len(packed(entries)) > MAX_BYTES:
        entries = entries[: len(entries) * 9 // 10]
    return entries


def make(start: PawnPosition, memory: int, again: bool, plies: int, seconds: float, checking: float) -> None:
    table = large_table(memory)
    before = book(start.size) if again else None
    if before is not None:
        fill(table.words, table.bucket_bits, before)
    with Control(seconds) as control:
        found = explore(start, table, plies, control)
    entries = entries_of(found, table)
    with Control(checking) as control:
        proved, wrong = prove_book(entries, start.rows, start.columns, control)
    if wrong:
        raise SystemExit(wrong)
    FOLDER.mkdir(exist_ok=True)
    data = packed(entries)
    (FOLDER / start.size).write_bytes(data)
    print(f"{start.size}: {len(entries):,} positions in {len(data):,} bytes, {proved:,} verified")


def play(start: PawnPosition, matches: int) -> None:
    for number in range(matches):
        solver = HexapawnSolver(facts=True)
        GAME.__dict__["solver"] = solver
        players = [make_player(GAME, name) for name in ("perfect", "club")]
        rng, position, plies, longest = random.Random(number), start, 0, (0.0, 0, 0)
        while position.outcome() is None:
            club = (plies + number) % 2
            with Control() as control:
                if not club:
                    solver.moves(position, control)
                    longest = max(longest, (control.seconds, control.nodes, plies))
                move = players[club].choose(position, rng, control)
            assert move is not None
            position, plies = position.play(move), plies + 1
        seconds, positions, ply = longest
        print(f"{number}: {plies} plies; the longest {seconds:.2f} s, {positions:,} positions, at ply {ply}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", metavar="SIZE", help="rows and columns, e.g. 7x7")
    parser.add_argument("--memory", type=int, default=1024, help="MiB of the table")
    parser.add_argument("--again", action="store_true", help="start from the stored book")
    parser.add_argument("--plies", type=int, default=7, help="plies of a match to analyse")
    parser.add_argument("--seconds", type=float, default=600, help="seconds to analyse positions")
    parser.add_argument("--checking", type=float, default=60, help="seconds to verify the book")
    parser.add_argument("--matches", type=int, default=0, help="number of matches to play instead")
    arguments = parser.parse_args()
    rows, columns = map(int, arguments.size.split("x"))
    start = PawnPosition.full(rows, columns)
    if arguments.matches:
        play(start, arguments.matches)
    else:
        made_from = arguments.memory, arguments.again
        make(start, *made_from, arguments.plies, arguments.seconds, arguments.checking)


if __name__ == "__main__":
    main()
