"""The squares of moves and of regions, as boards mark them."""

import random
from itertools import product
from typing import Any

import pytest

from arcade.engines.chocobar.rules import Bar
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.position import Position
from arcade.engines.registry import parse_game_id

BOARDS = ["chocobar:4x5", "hexapawn:5x4", "tetromino:5x4", "menace", "honshu:6x5#4"]


def drawn(position: Position[Any]) -> dict[tuple[int, int], object]:
    """What a reader of the position's text sees on each square of the board, from the top left."""
    if isinstance(position, HonshuPosition):
        cells = product(range(position.size), range(position.size))
        return {cell: (position.terrain_at(*cell), position.layer_at(*cell)) for cell in cells}
    text = position.text().partition(":")[0]
    if isinstance(position, Bar):
        rows = [("#" * length).ljust(9) for length in (*position.rows, *[0] * (9 - len(position.rows)))]
    elif "/" in text:
        rows = text.split("/")
    else:
        rows = [text[start : start + 3] for start in range(0, 9, 3)]
    return {(y, x): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}


def matches(board: str) -> list[tuple[Position[Any], Any]]:
    """The positions and moves of some random matches."""
    rng, found = random.Random(3), []
    for _ in range(4):
        position = parse_game_id(board).start()
        while moves := position.moves():
            move = rng.choice(list(moves))
            found.append((position, move))
            position = position.play(move)
    return found


@pytest.mark.parametrize("board", BOARDS)
def test_marked_squares_of_a_move_are_those_it_changes(board: str) -> None:
    game = parse_game_id(board).game
    for position, move in matches(board):
        before, after = drawn(position), drawn(position.play(move))
        changed = {cell for cell in before if before[cell] != after[cell]}
        squares = set(game.explanations.squares_of(position, move))
        if game.name == "chocobar":
            assert squares == {min(changed)}, "the corner that was bitten"
        else:
            assert squares == changed


@pytest.mark.parametrize("board", BOARDS)
def test_region_of_a_hint_contains_the_move(board: str) -> None:
    explanations, marked = parse_game_id(board).game.explanations, 0
    for position, move in matches(board):
        region = set(explanations.hint_region(position, move).squares)
        assert region <= drawn(position).keys()
        if region:
            assert region & set(explanations.squares_of(position, move))
            marked += 1
    assert marked
