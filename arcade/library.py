"""The library: load positions, ask the solvers, and let engines play.

`import arcade` provides everything here. It imports neither Textual nor numba; a solver that needs numba
imports it on first use.
"""

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
    """Return the names of a game's players for `play_matches`, for example "perfect" or "fallible:5".

    Raises InputError if there is no such game.
    """
    kinds = player_kinds(parse_game_id(game_id).game)
    return [kind.name if kind.argument is None else f"{kind.name}:{kind.argument.default}" for kind in kinds]


def load(game_id: str, moves: str = "") -> AnyPosition:
    """Return the position of a game ID after `moves`, which are in the game's notation, separated by spaces.

    Examples of game IDs are "chocobar:8x10" and "hexapawn:.p.p/pP../..PP:w". Raises InputError, whose message
    names the invalid part.
    """
    parsed = parse_game_id(game_id)
    position = parsed.start()
    return position.after(parse_moves(parsed.game, moves, position))


def verdict(position: AnyPosition, *, seconds: float | None = SECONDS) -> Verdict:
    """Return the verdict for the player to move.

    If time runs out, the verdict contains everything proved within `seconds`. None means no time limit.
    """
    with Control(seconds) as control:
        return _named(position, game_of(position).solver.verdict(position, control))


def moves(position: AnyPosition, *, seconds: float | None = SECONDS) -> list[MoveVerdict[Any]]:
    """Return every legal move with its verdict for the player to move, in the order of `position.moves()`.

    If time runs out, the verdicts contain everything proved within `seconds`.
    """
    with Control(seconds) as control:
        analysis = game_of(position).solver.moves(position, control)
    return [replace(move, verdict=_named(position, move.verdict)) for move in analysis]


def line(position: AnyPosition, *, seconds: float | None = SECONDS) -> MoveList:
    """Return best play by both sides to the end of the game. The line is shorter if time runs out first."""
    with Control(seconds) as control:
        return MoveList(game_of(position).solver.line(position, control))


def hint(position: AnyPosition, *, seconds: float | None = SECONDS) -> Hint[Any] | None:
    """Return a hint: where to look, which move, and why. None if the game is over.

    If no move is proved within `seconds`, `hint.verdict.proof` is ESTIMATE and the move is an estimate.
    """
    with Control(seconds) as control:
        return game_of(position).explanations.hint(position, control)


def why(position: AnyPosition, *, seconds: float | None = SECONDS) -> Explanation[Any, Any] | None:
    """Explain the value of a duel's position by the game's rules of thumb.

    None if the game has no rules of thumb, or if none applies or is found within `seconds`.
    """
    game = game_of(position)
    with Control(seconds) as control:
        return game.explanations.reasons.why(position, control) if game.explanations.rules else None


def play_matches(
    game_id: str, *seats: str, games: int = 1, seed: int = 0, seconds: float | None = None
) -> Iterator[Match]:
    """Play matches between engines such as "perfect" and "random", and yield each finished match.

    Each match uses the next seed, as `arcade watch --seed` does. The first match raises InputError for an
    invalid game ID or player.

    Args:
        game_id: the first position of each match
        seats: the players, one for each side; see `players`
        games: the number of matches
        seed: the seed of the first match
        seconds: the time limit for a move (default: the player's own limit)
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
    """Return the match in the text of a match file, whose moves are replayed; see docs/match-files.md.

    Raises InputError, whose message names the line or the move.
    """
    return load_match(text, Machines(Store.in_memory))


def write_match(match: Match) -> str:
    """Return a match as the text of a match file, which `read_match` can read."""
    return write(match.record())


def _named(position: AnyPosition, verdict: V) -> V:
    sides = game_of(position).sides
    return replace(verdict, sides=(sides[position.turn], sides[1 - position.turn]))
