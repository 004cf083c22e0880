"""The functions that `import arcade` provides. Importing them does not load Textual or numba."""

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
"""Default time limit of a query in seconds. Pass `seconds=None` to wait for the exact answer."""

AnyPosition = Position[Any]
V = TypeVar("V", bound=Verdict)

games = installed_games
game = get_game


def players(game_id: str) -> list[str]:
    """Return the names of a game's players, for example "fallible:5". Pass them to `play_matches`.

    Raises InputError if the game ID is invalid.
    """
    kinds = player_kinds(parse_game_id(game_id).game)
    return [kind.name if kind.argument is None else f"{kind.name}:{kind.argument.default}" for kind in kinds]


def load(game_id: str, moves: str = "") -> AnyPosition:
    """Return the position of a game ID after some moves.

    Args:
        game_id: for example "chocobar:8x10" or "hexapawn:.p.p/pP../..PP:w"
        moves: moves to play from there, separated by spaces

    Raises:
        InputError: the game ID is invalid or a move is illegal
    """
    parsed = parse_game_id(game_id)
    position = parsed.start()
    return position.after(parse_moves(parsed.game, moves, position))


def verdict(position: AnyPosition, *, seconds: float | None = SECONDS) -> Verdict:
    """Return the verdict for the player to move, as far as proved within `seconds` (None: no limit).

    The verdict is never a guess: its `proof` is "exact", "bound" or "unknown".
    """
    with Control(seconds) as control:
        return _named(position, game_of(position).solver.verdict(position, control))


def moves(position: AnyPosition, *, seconds: float | None = SECONDS) -> list[MoveVerdict[Any]]:
    """Return each legal move with its verdict for the player to move, as far as proved within `seconds`.

    The list is in the order of `position.moves()`, and `best` marks the best moves.
    """
    with Control(seconds) as control:
        analysis = game_of(position).solver.moves(position, control)
    return [replace(move, verdict=_named(position, move.verdict)) for move in analysis]


def line(position: AnyPosition, *, seconds: float | None = SECONDS) -> MoveList:
    """Return the moves of best play by both sides to the end, or fewer moves if `seconds` run out."""
    with Control(seconds) as control:
        return MoveList(game_of(position).solver.line(position, control))


def hint(position: AnyPosition, *, seconds: float | None = SECONDS) -> Hint[Any] | None:
    """Return a hint: where to look, which move to play, and why. Return None if the game is over.

    If no move is proved within a few seconds (at most `seconds`), `hint.verdict.proof` is "estimate".
    """
    with Control(seconds) as control:
        return game_of(position).explanations.hint(position, control)


def why(position: AnyPosition, *, seconds: float | None = SECONDS) -> Explanation[Any, Any] | None:
    """Explain the value of a duel's position by the game's rules of thumb.

    Returns None for a race, or if no explanation is found within `seconds`.
    """
    game = game_of(position)
    with Control(seconds) as control:
        return game.explanations.why(position, control) if game.explanations.rules else None


def play_matches(
    game_id: str, *seats: str, games: int = 1, seed: int = 0, seconds: float | None = None
) -> Iterator[Match]:
    """Play matches between engines, and yield each match when it has ended.

    Args:
        seats: a player for each side, for example "perfect"; see `players`
        games: the number of matches
        seed: the seed of the first match; each further match uses the next seed
        seconds: the time limit for a move (default: the player's own limit)

    Raises:
        InputError: the game ID or a player is invalid
        RuntimeError: an engine failed
    """
    start = parse_game_id(game_id)
    if HUMAN in seats:
        raise InputError("Only engines can play here, not humans.")
    if not seats:
        needed = "2 players" if min_players(start.game) == 2 else "1 or 2 players"
        raise InputError(f"{start.game.title} needs {needed}. Add them after the game ID.")
    for number in range(games):
        yield play_to_end(new_match(start, seats, seed=seed + number), seconds)


def read_match(text: str) -> Match:
    """Read a match from the text of a match file, and replay it; see docs/match-files.md.

    Raises InputError if the text is invalid or a move is illegal.
    """
    return load_match(text, Machines(Store.in_memory))


def write_match(match: Match) -> str:
    """Return a match as the text of a match file, which `read_match` can read."""
    return write(match.record())


def _named(position: AnyPosition, verdict: V) -> V:
    sides = game_of(position).sides
    return replace(verdict, sides=(sides[position.turn], sides[1 - position.turn]))
