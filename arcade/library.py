"""The solvers as a library: load a position, get its verdict, let players play.

`import arcade` provides everything here and imports neither Textual nor numba; a solver with kernels imports
numba on first use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.position import Position
from arcade.engines.reasons import Why
from arcade.engines.registry import AnyGame, game_of, get_game, installed_games, parse_game_id
from arcade.engines.verdict import Hint, MoveVerdict, Verdict
from arcade.match.files import load as load_match
from arcade.match.files import write
from arcade.match.match import HUMAN, Match, MoveLine
from arcade.session.alone import play_out

SECONDS = 10.0
"""Default time limit of a question in seconds."""

AnyPosition = Position[Any]
V = TypeVar("V", bound=Verdict)


def games() -> list[AnyGame]:
    """All installed games."""
    return installed_games()


def game(name: str) -> AnyGame:
    """The game with a name, e.g. "hexapawn".

    Raises:
        InputError: there is no such game.
    """
    return get_game(name)


def players(game_id: str) -> list[str]:
    """The players of a game in the notation of `play`, e.g. "perfect" and "fallible:5".

    Raises:
        InputError: the game ID is bad.
    """
    kinds = parse_game_id(game_id).game.player_kinds
    return [kind.name if kind.argument is None else f"{kind.name}:{kind.argument.default}" for kind in kinds]


def load(game_id: str, moves: str = "") -> AnyPosition:
    """The position that a game ID names, perhaps after some moves.

    Args:
        game_id: e.g. "chocobar:8x10", "hexapawn:.p.p/pP../..PP:w" or "honshu:9x12#7".
        moves: moves in the game's notation, separated by spaces.

    Raises:
        InputError: which part is bad and what was expected.
    """
    parsed = parse_game_id(game_id)
    position = parsed.start()
    for move in parsed.game.parse_moves(moves, position):
        position = position.play(move)
    return position


def verdict(position: AnyPosition, *, seconds: float | None = SECONDS) -> Verdict:
    """The verdict of a position for the player to move.

    Args:
        position: a position of any installed game; the game may be over.
        seconds: time limit, after which the result says what has been proved; None for no limit.
    """
    with Control(seconds) as control:
        return _named(position, game_of(position).solver.verdict(position, control))


def moves(position: AnyPosition, *, seconds: float | None = SECONDS) -> list[MoveVerdict[Any]]:
    """Every legal move with its verdict for the player to move, in the order of `position.moves()`.

    Args:
        position: a position of any installed game.
        seconds: as for `verdict`.
    """
    with Control(seconds) as control:
        analysis = game_of(position).solver.analyse(position, control)
    return [replace(move, verdict=_named(position, move.verdict)) for move in analysis]


def line(position: AnyPosition, *, seconds: float | None = SECONDS) -> MoveLine:
    """Best play by both sides to the end; shorter if time runs out first."""
    with Control(seconds) as control:
        return MoveLine(game_of(position).solver.line(position, control))


def hint(position: AnyPosition, *, seconds: float | None = SECONDS) -> Hint[Any] | None:
    """Help in three steps; None when the game is over or nothing is known in time."""
    with Control(seconds) as control:
        return game_of(position).hint(position, control)


def why(position: AnyPosition, *, seconds: float | None = SECONDS) -> Why[Any, Any] | None:
    """Why a position has its value, by the game's rules of play.

    Args:
        position: a position of a duel.
        seconds: as for `verdict`.

    Returns:
        None when no value or no reason is known in time, and for a game without rules of play.
    """
    game = game_of(position)
    with Control(seconds) as control:
        return game.reasons.why(position, control) if game.rules_of_play() else None


def play(
    game_id: str, *seats: str, games: int = 1, seed: int = 0, seconds: float | None = None
) -> Iterator[Match]:
    """Play matches between players; yields each match when it is over.

    Args:
        game_id: the game, parameters and first position.
        seats: the players, e.g. "perfect" and "random"; see `players`.
        games: the number of matches; each has the next seed.
        seed: random seed of the first match, as in `arcade watch --seed`.
        seconds: time limit for one move; None for the game's own limit.

    Raises:
        InputError: the game ID is bad, or there is no such player.
    """
    start = parse_game_id(game_id)
    if HUMAN in seats:
        raise InputError("Only engines can play here, not persons.")
    if not seats:
        needed = "1 or 2 players" if start.game.kind is Kind.RACE else "2 players"
        raise InputError(f"Name the players: {start.game.title} needs {needed}.")
    for number in range(games):
        yield play_out(Match(start, seats, seed=seed + number), seconds)


def read_match(text: str) -> Match:
    """Read the text of a match file and replay it, checking every move.

    Args:
        text: the content of a `.match` file with one match; docs/match-files.md explains the format.

    Raises:
        InputError: the line that is wrong, or the number of the move that cannot be played.
    """
    from arcade.matchbox.machines import Machines
    from arcade.store.store import Store

    return load_match(text, Machines(Store.in_memory))


def write_match(match: Match) -> str:
    """A match as the text of a match file, which `read_match` reads back."""
    return write(match.record())


def _named(position: AnyPosition, verdict: V) -> V:
    """The verdict with the players' names."""
    sides = game_of(position).sides
    return replace(verdict, sides=(sides[position.turn], sides[1 - position.turn]))
