"""The library, which `import arcade` provides without Textual and numba."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.move_lists import parse_moves
from arcade.engines.position import Position
from arcade.engines.reasons import Explanation
from arcade.engines.registry import game_of, get_game, installed_games, parse_game_id
from arcade.engines.seats import player_kinds
from arcade.engines.verdict import Hint, MoveVerdict, Verdict
from arcade.play.files import load as load_match
from arcade.play.files import write
from arcade.play.headless import play_to_end
from arcade.play.machines import Machines
from arcade.play.match import HUMAN, Match, MoveList, min_players, new_match
from arcade.store.store import Store

SECONDS = 10.0
"""Default time limit of a query."""

AnyPosition = Position[Any]
V = TypeVar("V", bound=Verdict)

games = installed_games
game = get_game


def players(game_id: str) -> list[str]:
    """The players for `play_matches`, for example "fallible:5". Raise InputError."""
    kinds = player_kinds(parse_game_id(game_id).game)
    return [kind.name if kind.argument is None else f"{kind.name}:{kind.argument.default}" for kind in kinds]


def load(game_id: str, moves: str = "") -> AnyPosition:
    """Return the position of a game ID after `moves`, separated by spaces. Raise InputError.

    For example "chocobar:8x10" or "hexapawn:.p.p/pP../..PP:w".
    """
    parsed = parse_game_id(game_id)
    position = parsed.start()
    return position.after(parse_moves(parsed.game, moves, position))


def verdict(position: AnyPosition, *, seconds: float | None = SECONDS) -> Verdict:
    """Return the proved verdict for the player to move, within `seconds` (None: no limit)."""
    with Control(seconds) as control:
        return _named(position, game_of(position).solver.verdict(position, control))


def moves(position: AnyPosition, *, seconds: float | None = SECONDS) -> list[MoveVerdict[Any]]:
    """Return every legal move with its verdict, as proved within `seconds`."""
    with Control(seconds) as control:
        analysis = game_of(position).solver.moves(position, control)
    return [replace(move, verdict=_named(position, move.verdict)) for move in analysis]


def line(position: AnyPosition, *, seconds: float | None = SECONDS) -> MoveList:
    """Return best play to the end of the game; shorter if time runs out."""
    with Control(seconds) as control:
        return MoveList(game_of(position).solver.line(position, control))


def hint(position: AnyPosition, *, seconds: float | None = SECONDS) -> Hint[Any] | None:
    """Return where to look, which move, and why; None if the game is over.

    If nothing is proved within `seconds`, `hint.verdict.proof` is ESTIMATE.
    """
    with Control(seconds) as control:
        return game_of(position).explanations.hint(position, control)


def why(position: AnyPosition, *, seconds: float | None = SECONDS) -> Explanation[Any, Any] | None:
    """Explain a duel's value by rules of thumb; None if none is found within `seconds`."""
    game = game_of(position)
    with Control(seconds) as control:
        return game.explanations.reasons.why(position, control) if game.explanations.rules else None


def play_matches(
    game_id: str, *seats: str, games: int = 1, seed: int = 0, seconds: float | None = None
) -> Iterator[Match]:
    """Play matches between engines, and yield each. Raise InputError.

    Args:
        players: one for each side; see `players`
        games: the number of matches
        seed: of the first match; each match uses the next, as `arcade watch --seed` does
        seconds: for a move (default: the player's own limit)
    """
    start = parse_game_id(game_id)
    if HUMAN in seats:
        raise InputError("Only engines can play here, not humans.")
    if not seats:
        needed = "2 players" if min_players(start.game) == 2 else "1 or 2 players"
        raise InputError(f"Name the players: {start.game.title} needs {needed}.")
    for number in range(games):
        yield play_to_end(new_match(start, seats, seed=seed + number), seconds)


def read_match(text: str) -> Match:
    """Read and replay a match file; see docs/match-files.md. Raise InputError."""
    return load_match(text, Machines(Store.in_memory))


def write_match(match: Match) -> str:
    """Write a match file for `read_match`."""
    return write(match.record())


def _named(position: AnyPosition, verdict: V) -> V:
    sides = game_of(position).sides
    return replace(verdict, sides=(sides[position.turn], sides[1 - position.turn]))
