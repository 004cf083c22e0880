"""The base classes of games: their names, parameters, notation and solver, and their optional parts."""

from abc import ABC, abstractmethod
from contextlib import suppress
from functools import cached_property
from typing import Generic

from arcade.engines.encoding import Encoding
from arcade.engines.explanations import Explanations
from arcade.engines.field_texts import read_fields
from arcade.engines.files import InputError
from arcade.engines.parameters import Parameters, ParameterSet
from arcade.engines.players import FALLIBLE, PERFECT, RANDOM, PlayerKind, Players
from arcade.engines.position import M, P, Symmetries
from arcade.engines.reference_methods import Comparison
from arcade.engines.retrograde import RetrogradeSolver
from arcade.engines.solver import Solver
from arcade.engines.teaching import Practice, Teaching


class Game(ABC, Generic[P, M]):
    """A game. One instance serves all.

    A game must define its names and `start`; the defaults for the rest suit a small duel. What only some
    games have comes in parts: `parameters`, `teaching`, `practice`, `players`, `explanations`, `symmetries`,
    `encoding` and `reference_methods`.
    """

    name: str
    """The name in game IDs, e.g. "chocobar"."""
    title: str
    summary: str
    """One sentence for the menu."""
    sides: tuple[str, str] = ("First", "Second")
    parameters: ParameterSet[P] = ParameterSet()
    teaching: Teaching = Teaching()
    practice: Practice = Practice()
    symmetries: Symmetries[P, M] = Symmetries()
    encoding: Encoding[P, M] = Encoding()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not isinstance(cls.parameters, ParameterSet):
            given = type(cls.parameters).__name__
            raise TypeError(f"the parameters of {cls.__name__} must be a ParameterSet, not a {given}")

    # Positions and moves.

    def new(self, parameters: Parameters, seed: int = 0) -> P:
        """The first position of a game; raises InputError if a parameter is out of its limits."""
        return self.start(self.parameters.check(parameters), seed)

    @abstractmethod
    def start(self, parameters: Parameters, seed: int) -> P:
        """The first position, from complete and checked parameters."""

    def parse_position(self, text: str, parameters: Parameters | None = None) -> P:
        """The exact inverse of `Position.text`. The default reads what its default writes.

        With `parameters`, a game may accept a text that leaves them out, but never one that contradicts them.
        An InputError says which part is bad and what was expected.
        """
        example = self.new({})
        # The rules of a position that cannot be may fail in any way.
        with suppress(Exception):
            position: P = read_fields(text, type(example))
            if position.turn in (0, 1) and bool(position.moves()) == (position.outcome() is None):
                return position
        raise InputError(f"The position {text!r} of {self.title} must be written like {example.text()}.")

    def parse_move(self, text: str, position: P | None = None) -> M:
        """The inverse of `str(move)`; games also accept common informal notations.

        The default finds it among the legal moves of `position`, which it needs. A game that accepts more
        may, given a position, read an abbreviation of one of its moves, and leaves legality to `play`.
        An InputError shows what a move looks like.
        """
        moves = [] if position is None else position.moves()
        for move in moves:
            if str(move) == text.strip():
                return move
        example = f"; a move here is {moves[0]}" if moves else ""
        raise InputError(f"The move {text!r} cannot be played here{example}.")

    # What is true, and who plays.

    @cached_property
    def solver(self) -> Solver[P, M]:
        """The solver shared by this process, with everything it has already found.

        The default is the retrograde solver for small games. Importing a game must not import numba;
        this may.
        """
        return RetrogradeSolver()

    @cached_property
    def players(self) -> Players[P, M]:
        """The engines made for this game; see also `arcade.engines.seats.player_kinds`."""
        return Players(lambda: self.solver)

    @cached_property
    def explanations(self) -> Explanations[P, M]:
        return Explanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def reference_methods(self) -> Comparison:
        """Other ways to solve the game, from its original report; by default none."""
        return Comparison()


class RacePlayers(Players[P, M]):
    """The players of a race, without levels: no player can see the end of a score coming."""

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        return (PERFECT, FALLIBLE, RANDOM)


class RaceGame(Game[P, M]):
    """A game that each seat plays alone, from the same start, for points."""

    @cached_property
    def players(self) -> Players[P, M]:
        return RacePlayers(lambda: self.solver)

    def points(self, position: P) -> int:
        """The current score; by default 0 until the game is over."""
        outcome = position.outcome()
        return 0 if outcome is None else outcome.score or 0
