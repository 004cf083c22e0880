"""Who plays: seat notations, and guests, which are players that a game does not define."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from arcade.engines.errors import InputError
from arcade.engines.game import Game
from arcade.engines.parameters import Parameters
from arcade.engines.players import Player, PlayerKind
from arcade.engines.position import M, P


def parse_player(game: Game[Any, Any], text: str) -> tuple[PlayerKind, int]:
    """The kind and argument of a seat notation like "perfect" or "fallible:7".

    Raises:
        InputError: the game has no such player, or the number is out of its limits.
    """
    name, colon, number = text.strip().partition(":")
    kind = next((each for each in game.player_kinds if each.name == name), None)
    if kind is None:
        names = ", ".join(each.name for each in game.player_kinds)
        raise InputError(f"{game.title} has no player {name!r}; its players are {names}.")
    if kind.argument is None:
        if colon:
            raise InputError(f"The player {name} takes no number, but {text!r} gives one.")
        return kind, 0
    if not colon:
        return kind, int(kind.argument.default)
    low, high = kind.argument.low, kind.argument.high
    if not number.isdecimal() or len(number) > 9 or not low <= int(number) <= high:
        raise InputError(
            f"The {kind.argument.title.lower()} in {text!r} must be a whole number from {low} to {high}."
        )
    return kind, int(number)


def make_player(game: Game[P, M], text: str) -> Player[P, M]:
    """The player that a seat notation like "fallible:7" names.

    Raises:
        InputError: see `parse_player`.
    """
    kind, argument = parse_player(game, text)
    return kind.make(game, argument)


class Guests(Protocol):
    """Players that a game does not define, such as machines that a person has trained.

    The owner of a collection of players makes one and passes it to the matches. A guest's seat notation is
    its name, which never equals the name of one of the game's player kinds.
    """

    def names(self, game: Game[Any, Any], seat: int) -> Sequence[str]:
        """The guests that can play a game, for at least some of its parameters."""

    def check(self, name: str, game: Game[Any, Any], parameters: Parameters, seat: int) -> None:
        """Check that a guest exists and can play.

        Raises:
            InputError: there is no such guest, or it plays another game, another board or another seat.
        """

    def invite(self, name: str, game: Game[Any, Any], parameters: Parameters, seat: int) -> Player[Any, Any]:
        """The guest as a player, in its present state.

        Raises:
            InputError: see `check`.
        """


def is_guest(game: Game[Any, Any], text: str) -> bool:
    """Whether a seat notation names a guest and none of the game's own players."""
    name = text.strip().partition(":")[0]
    return all(kind.name != name for kind in game.player_kinds)
