"""A finished match with its marks, and what the store holds of it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from arcade.engines.control import Control
from arcade.engines.registry import parse_game_id
from arcade.play.headless import look_back
from arcade.play.match import HUMAN, Match, new_match
from arcade.store.file import FILE_NAME
from tests.oracle import BruteForce


def finished_match(resigned: bool) -> Match:
    """A match that a person has won although the first move threw it away, with its marks."""
    match = new_match(parse_game_id("chocobar:3x4"), (HUMAN, "perfect"))
    for text in ("1,4", "2,2", "2,1", *(() if resigned else ("1,3", "1,2"))):
        match.learn(match.position, BruteForce().moves(match.position, Control()))
        match.play(match.game.parse_move(text, match.position))
    if resigned:
        match.resign(1)
    look_back(match, Control())
    return match


def rows_of(data_folder: Path) -> list[tuple[object, ...]]:
    """All that the store holds of each match."""
    with closing(sqlite3.connect(data_folder / FILE_NAME)) as connection:
        return connection.execute(
            "SELECT id, revision, game, record, result, updated, person FROM matches ORDER BY id"
        ).fetchall()
