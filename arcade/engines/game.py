"""Base classes of games."""

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
    """A game: its rules, and parts such as the solver and the players.

    One instance serves all matches. docs/adding-a-game.md describes the parts.
    """

    name: str
    """The name in game IDs, for example "chocobar"."""
    title: str
    summary: str
    sides: tuple[str, str] = ("First", "Second")
    """Names of the first and the second player."""
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

    def new(self, parameters: Parameters, seed: int = 0) -> P:
        """Return the first position. Raises InputError if the parameters are invalid.

        `seed` matters only if the start is random.
        """
        return self.start(self.parameters.check(parameters), seed)

    @abstractmethod
    def start(self, parameters: Parameters, seed: int) -> P:
        """Return the first position for parameters that are complete and checked."""

    def parse_position(self, text: str, parameters: Parameters | None = None) -> P:
        """Return the position that a text from `Position.text` describes.

        The text may omit values that `parameters` contain, but must not contradict them. Raises InputError if
        the text is invalid.
        """
        example = self.new({})
        with suppress(Exception):
            position: P = read_fields(text, type(example))
            if position.turn in (0, 1) and bool(position.moves()) == (position.outcome() is None):
                return position
        raise InputError(f"Invalid position {text!r} of {self.title}. Write it like {example.text()}.")

    def parse_move(self, text: str, position: P | None = None) -> M:
        """Return the move that a text describes, in the notation of `str(move)` or in an informal one.

        Raises InputError with an example if the text is invalid. `position` may help to complete an
        abbreviation. `play` checks whether the move is legal.
        """
        moves = [] if position is None else position.moves()
        for move in moves:
            if str(move) == text.strip():
                return move
        example = f" A legal move is {moves[0]}." if moves else ""
        raise InputError(f"The move {text!r} cannot be played here.{example}")

    @cached_property
    def solver(self) -> Solver[P, M]:
        """The solver, shared by the whole process. The default is retrograde analysis.

        Creating the solver may import numba, but importing the game's module must not.
        """
        return RetrogradeSolver()

    @cached_property
    def players(self) -> Players[P, M]:
        return Players(lambda: self.solver)

    @cached_property
    def explanations(self) -> Explanations[P, M]:
        return Explanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def reference_methods(self) -> Comparison:
        return Comparison()


class RacePlayers(Players[P, M]):
    """The players of a race. They have no levels, since looking a few plies ahead reveals no final score."""

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        return (PERFECT, FALLIBLE, RANDOM)


class RaceGame(Game[P, M]):
    """A game for points. One or two players each play on their own board."""

    @cached_property
    def players(self) -> Players[P, M]:
        return RacePlayers(lambda: self.solver)

    def points(self, position: P) -> int:
        """Return the current score. The default is 0 until the game is over."""
        outcome = position.outcome()
        return 0 if outcome is None else outcome.score or 0
