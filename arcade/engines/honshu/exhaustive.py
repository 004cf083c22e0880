"""Which placements of a small Honshu position reach the highest score, proved by searching every layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from arcade.engines.control import Control
from arcade.engines.honshu import annealer, encode, prover
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.honshu.tiles import Tile
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict, mark_best

SLICE = 1 << 20
"""Nodes between two looks at the control."""


def best_first(position: HonshuPosition, control: Control) -> tuple[int, frozenset[Move]] | None:
    """The highest final score, and every placement that can come first on the way to it.

    The search goes on behind each layout that it finds. It leaves out what only repeats a layout: another
    order of placements that do not overlap, a tile that equals another, and the half turn of a tile that is
    its own half turn; `_alike` puts them back.

    Returns:
        None when stopped by the control.
    """
    search, most = encode.proof(position), int(annealer.NONE)
    first: set[Move] = set()
    while not control.stopped:
        outcome = search.go_on(most - 1, SLICE, control.cells)
        if outcome == prover.PROVED:
            return most, frozenset(first)
        if outcome == prover.FOUND:
            score = int(annealer.score(search.s, search.t, annealer.NONE))
            if score > most:
                most = score
                first.clear()
            layout = encode.found(position, search)
            first.update(_alike(position, (layout[index] for index in encode.first_moves(position, layout))))
    return None


def _alike(position: HonshuPosition, moves: Iterable[Move]) -> Iterator[Move]:
    """Placements with the same effect as these, themselves included."""
    for move in moves:
        shown = position.tile_of[move.tile].terrains
        turns = (0, 2) if shown == shown[::-1] else (0,)
        for tile in {each.id for each in position.hand if each.terrains == shown}:
            for turn in turns:
                yield replace(move, tile=tile, rotation=(move.rotation + turn) % 4)


def values(position: HonshuPosition, control: Control) -> list[MoveVerdict[Move]]:
    """Every placement: the best ones with the highest final score, each other one proved to reach less.

    Args:
        position: a position that is not over.
        control: stops the search; then nothing is known.
    """
    return _judged(position, best_first(position, control))


def look_ahead(position: HonshuPosition, tiles: int, control: Control) -> list[MoveVerdict[Move]]:
    """As `values`, for somebody who only counts the score after so many more tiles.

    Args:
        position: a position that is not over.
        tiles: how many, at least 1; for one the score of every placement is exact.
        control: stops the search; then nothing is known.
    """
    if tiles == 1:
        scores = [
            (move, position.score.total + position.score_change(move).total) for move in position.moves()
        ]
        return mark_best((move, ScoreVerdict(Proof.EXACT, best=each, bound=each)) for move, each in scores)
    most, first = int(annealer.NONE), frozenset[Move]()
    for hand in combinations(position.hand, min(tiles, len(position.hand))):
        found = best_first(_holding(position, hand), control)
        if found is None:
            return _judged(position, None)
        if found[0] >= most:
            first = found[1] | (first if found[0] == most else frozenset())
            most = found[0]
    return _judged(position, (most, first))


def _judged(position: HonshuPosition, found: tuple[int, frozenset[Move]] | None) -> list[MoveVerdict[Move]]:
    if found is None:
        return [MoveVerdict(move, ScoreVerdict()) for move in position.moves()]
    best = ScoreVerdict(Proof.EXACT, best=found[0], bound=found[0])
    less = ScoreVerdict(Proof.BOUND, bound=found[0] - 1)
    return [
        MoveVerdict(move, best if move in found[1] else less, move in found[1]) for move in position.moves()
    ]


def _holding(position: HonshuPosition, hand: Sequence[Tile]) -> HonshuPosition:
    """A position with only some tiles of its hand."""
    laid = [position.tile_of[move.tile] for move in position.laid]
    return replace(position, tiles=(*laid, *hand))
