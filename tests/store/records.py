"""Matches to save, also by other processes, which import no more than this."""

from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.store.record import MatchRecord


def record(plies: int = 1, resigned: bool = False) -> MatchRecord:
    match = new_match(parse_game_id("chocobar:8x10"))
    for _ in range(plies):
        match.play(match.position.moves()[-1])
    if resigned:
        match.resign(0)
    return match.record()
