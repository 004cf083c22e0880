"""Facts that were proved once and are stored, each game's in its file `facts.json`.

`python -m tools.facts` proves them again and writes the files; nobody edits them.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from arcade.engines.verdict import DuelVerdict, Proof, Value


@cache
def stored(game: str) -> dict[str, Any]:
    """Everything in the file of a game."""
    file = files(f"arcade.engines.{game}").joinpath("facts.json")
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def board_fact(game: str, board: str) -> DuelVerdict | None:
    """The verdict of the first position on a board, if it was proved before.

    Args:
        game: its name.
        board: its parameters as in a game ID, e.g. "6x7".
    """
    fact = stored(game)["boards"].get(board)
    if fact is None:
        return None
    exact = fact["remoteness"] is not None
    return DuelVerdict(
        Proof(fact["proof"]),
        Value(fact["value"]),
        fact["remoteness"],
        None if exact else fact["at_least"],
        None if exact else fact["at_most"],
        source=f"proved before; again by: {fact['command']}",
    )
