"""The solvers as a library: load a position, get its verdict, let players play.

`import arcade` provides everything here and imports neither Textual nor numba; a solver with kernels imports
numba on first use.
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
"""Default time limit of a question in seconds."""

AnyPosition = Position[Any]
V = TypeVar("V", bound=Verdict)

games = installed_games
game = get_game


def players(game_id: str) -> list[str]:
    """The players of a game as `play` takes them, e.g. "perfect" and "fallible:5"; raises InputError."""
    kinds = player_kinds(parse_game_id(game_id).game)
    return [kind.name if kind.argument is None else f"{kind.name}:{kind.argument.default}" for kind in kinds]


def load(game_id: str, moves: str = "") -> AnyPosition:
    """The position that a game ID names, e.g. "chocobar:8x10" or "hexapawn:.p.p/pP../..PP:w", after `moves`.

    The moves are in the game's notation, separated by spaces. Raises InputError, which names the bad part.
    """
    parsed = parse_game_id(game_id)
    position = parsed.start()
    return position.after(parse_moves(parsed.game, moves, position))


def verdict(position: AnyPosition, *, seconds: float | None = SECONDS) -> Verdict:
    """The verdict for the player to move; after `seconds`, if not None, what has been proved by then."""
    with Control(seconds) as control:
        return _named(position, game_of(position).solver.verdict(position, control))


def moves(position: AnyPosition, *, seconds: float | None = SECONDS) -> list[MoveVerdict[Any]]:
    """Every legal move with its verdict for the player to move, in the order of `position.moves()`."""
    with Control(seconds) as control:
        analysis = game_of(position).solver.moves(position, control)
    return [replace(move, verdict=_named(position, move.verdict)) for move in analysis]


def line(position: AnyPosition, *, seconds: float | None = SECONDS) -> MoveList:
    """Best play by both sides to the end; shorter if time runs out first."""
    with Control(seconds) as control:
        return MoveList(game_of(position).solver.line(position, control))


def hint(position: AnyPosition, *, seconds: float | None = SECONDS) -> Hint[Any] | None:
    """Help in three steps; None when the game is over or nothing is known in time."""
    with Control(seconds) as control:
        return game_of(position).explanations.hint(position, control)


def why(position: AnyPosition, *, seconds: float | None = SECONDS) -> Explanation[Any, Any] | None:
    """Why a duel's position has its value, by rules of play; None where no reason is known in time."""
    game = game_of(position)
    with Control(seconds) as control:
        return game.explanations.reasons.why(position, control) if game.explanations.rules else None


def play_matches(
    game_id: str, *seats: str, games: int = 1, seed: int = 0, seconds: float | None = None
) -> Iterator[Match]:
    """Play matches between `players` such as "perfect" and "random"; yields each when it is over.

    Each has the next seed, as in `arcade watch --seed`; `seconds` limits a move, None: the game's own limit.
    The first match raises InputError for a bad game ID, or where there is no such player.
    """
    start = parse_game_id(game_id)
    if HUMAN in seats:
        raise InputError("Only engines can play here, not people.")
    if not seats:
        needed = "2 players" if min_players(start.game) == 2 else "1 or 2 players"
        raise InputError(f"Name the players: {start.game.title} needs {needed}.")
    for number in range(games):
        yield play_to_end(new_match(start, seats, seed=seed + number), seconds)


def read_match(text: str) -> Match:
    """Replay a match file's text, see docs/match-files.md; raises InputError, naming the line or move."""
    return load_match(text, Machines(Store.in_memory))


def write_match(match: Match) -> str:
    """A match as the text of a match file, which `read_match` reads back."""
    return write(match.record())


def _named(position: AnyPosition, verdict: V) -> V:
    sides = game_of(position).sides
    return replace(verdict, sides=(sides[position.turn], sides[1 - position.turn]))
