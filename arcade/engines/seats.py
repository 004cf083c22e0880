"""List the players of a game, and parse notations such as "fallible:7"."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, Protocol

from arcade.engines.files import InputError
from arcade.engines.game import Game
from arcade.engines.parameters import Parameters
from arcade.engines.players import DEPTH, Player, PlayerKind
from arcade.engines.position import M, P
from arcade.engines.reasons import BY_RULES
from arcade.engines.reference_methods import historical_players


@cache
def player_kinds(game: Game[Any, Any]) -> tuple[PlayerKind, ...]:
    """Return the kinds of computer players, starting with the opponent in a new user's first match."""
    kinds = list(game.players.kinds)
    if game.explanations.has_rules:
        kinds.insert(kinds.index(DEPTH) + 1, BY_RULES)
    for historical in historical_players(game.reference_methods.methods):
        if not any(kind.named(historical.name) for kind in kinds):
            kinds.append(historical)
    return tuple(kinds)


def parse_player(game: Game[Any, Any], text: str) -> tuple[PlayerKind, int]:
    """Return the kind of player and the number in a notation such as "fallible:7".

    Raises InputError if the player is unknown or the number is invalid.
    """
    name, colon, number = text.strip().partition(":")
    kind = next((kind for kind in player_kinds(game) if kind.named(name)), None)
    if kind is None:
        raise unknown_player(game, name)
    if kind.argument is None:
        if colon:
            raise InputError(f"The player {name} takes no number. Write {name}, not {text!r}.")
        return kind, 0
    if not colon:
        return kind, int(kind.argument.default)
    low, high = kind.argument.low, kind.argument.high
    if not number.isdecimal() or len(number) > 9 or not low <= int(number) <= high:
        what = kind.argument.title.lower()
        raise InputError(f"The {what} in {text!r} must be a whole number from {low} to {high}.")
    return kind, int(number)


def unknown_player(game: Game[Any, Any], name: str, guests: Sequence[str] = ()) -> InputError:
    """Return the error for an unknown player. It also suggests the external players in `guests`."""
    names = [*(kind.name for kind in player_kinds(game)), *guests]
    lower = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), lower, 1)
    meant = f" Did you mean {lower[near[0]]}?" if near else ""
    return InputError(f"Unknown player {name!r} of {game.title}.{meant} Choose from {', '.join(names)}.")


def full_notation(game: Game[Any, Any], text: str) -> str:
    """Return a complete notation, for example "fallible:5" for "fallible".

    Raises InputError if the notation is invalid.
    """
    kind, argument = parse_player(game, text)
    return kind.name if kind.argument is None else f"{kind.name}:{argument}"


def make_player(game: Game[P, M], text: str) -> Player[P, M]:
    kind, argument = parse_player(game, text)
    return kind.make(game, argument)


def current_notation(game: Game[Any, Any], text: str) -> str:
    """Return the current form of an old notation, for example "depth:3" for "sees:3".

    Names of external players are returned unchanged.
    """
    return text if is_guest(game, text) else full_notation(game, text)


class Guests(Protocol):
    def names(self, game: Game[Any, Any], seat: int) -> Sequence[str]: ...

    def check(self, name: str, game: Game[Any, Any], parameters: Parameters, seat: int) -> str:
        """Return an external player's name in its original spelling.

        Case matters only if two names differ in nothing else. Raises InputError unless the player can play
        this game on this board from this seat.
        """

    def invite(
        self, name: str, game: Game[Any, Any], parameters: Parameters, seat: int
    ) -> Player[Any, Any]: ...


def is_guest(game: Game[Any, Any], text: str) -> bool:
    name = text.strip().partition(":")[0]
    return not any(kind.named(name) for kind in player_kinds(game))
