"""Players made from any solver: perfect, fallible at a level, random."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from arcade.engines.control import Control
from arcade.engines.game import Game, InputError, M, P, Parameter, Parameters
from arcade.engines.verdict import MoveVerdict, Value, keeps_value


class Player(ABC, Generic[P, M]):
    """Somebody who chooses moves."""

    @abstractmethod
    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        """A legal move of a position that is not over, also when stopped by the control; None to resign.

        The same position and state of `rng` give the same move unless a deadline cuts in.
        """


class RandomPlayer(Player[P, M]):
    """Plays any legal move, all alike."""

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        """A legal move drawn evenly."""
        return rng.choice(position.moves())


class PerfectPlayer(Player[P, M]):
    """Plays a best move: hurries when winning, delays when losing, and among equal moves sets a trap."""

    def __init__(self, game: Game[P, M]) -> None:
        self.game = game

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        """A best move; among equals one after which the fewest replies keep the other side's value."""
        return self.trap(position, self.game.solver.analyse(position, control), rng, control)

    def trap(self, position: P, analysis: list[MoveVerdict[M]], rng: random.Random, control: Control) -> M:
        """Choose among the best moves of an analysis of `position`."""
        best = [each for each in analysis if each.best] or analysis
        winning = best[0].verdict.value is Value.WIN
        if len(best) == 1 or winning:
            return rng.choice(best).move
        fewest: list[M] = []
        least = None
        for each in best:
            after = position.play(each.move)
            holding = len(keeps_value(self.game.solver.analyse(after, control))) or 1
            if least is None or holding < least:
                fewest, least = [], holding
            if holding == least:
                fewest.append(each.move)
            if control.stopped:
                break
        return rng.choice(fewest)


class FalliblePlayer(PerfectPlayer[P, M]):
    """Plays perfectly most of the time: at level 1 in one turn of ten, at level 9 in nine."""

    def __init__(self, game: Game[P, M], level: int) -> None:
        super().__init__(game)
        self.level = level

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        """A best move with a chance of level/10, else any other legal move."""
        analysis = self.game.solver.analyse(position, control)
        others = [each.move for each in analysis if not each.best]
        if others and rng.random() * 10 >= self.level:
            return rng.choice(others)
        return self.trap(position, analysis, rng, control)


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """A kind of engine that can sit down at a game."""

    name: str
    """The word in seat notations such as "fallible:7"."""
    title: str
    summary: str
    make: Callable[[Game[Any, Any], int], Player[Any, Any]]
    """From the game and the argument after the colon."""
    argument: Parameter | None = None
    """What the number after the colon means: limits and default; None when there is none."""


PERFECT = PlayerKind("perfect", "Perfect", "never errs", lambda game, _: PerfectPlayer(game))
LEVEL = Parameter("level", "Level", 5, 1, 9, help="times in ten that it finds a best move")
FALLIBLE = PlayerKind("fallible", "Fallible", "errs now and then", FalliblePlayer, LEVEL)
RANDOM = PlayerKind("random", "Random", "plays anything legal", lambda _game, _: RandomPlayer())
COMMON_KINDS = (PERFECT, FALLIBLE, RANDOM)


def parse_player(game: Game[Any, Any], text: str) -> tuple[PlayerKind, int]:
    """The kind and argument of a seat notation like "perfect" or "fallible:7".

    Raises:
        InputError: no such player at this game, or the number is out of its limits.
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
    """Players whom a game does not know by itself, such as machines that a person has trained and kept.

    Whoever has a place to keep them makes one and hands it to the matches; a guest's seat notation is its
    name, which is never that of a kind of player of the game.
    """

    def names(self, game: Game[Any, Any], seat: int) -> Sequence[str]:
        """Who can take a seat of a game, at some of its parameters at least."""

    def check(self, name: str, game: Game[Any, Any], parameters: Parameters, seat: int) -> None:
        """Refuse a guest that is not there or cannot play.

        Raises:
            InputError: nobody has that name, or he plays another game, another board or another seat.
        """

    def invite(self, name: str, game: Game[Any, Any], parameters: Parameters, seat: int) -> Player[Any, Any]:
        """The guest as a player, as he plays now.

        Raises:
            InputError: see `check`.
        """


def is_guest(game: Game[Any, Any], text: str) -> bool:
    """Whether a seat notation names nobody whom the game knows."""
    name = text.strip().partition(":")[0]
    return all(kind.name != name for kind in game.player_kinds)
