"""The base classes of games: names, parameters, notation, solver and optional parts."""

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
    """A game. One instance serves all matches.

    A game must define its names and `start`. The other defaults suit a small duel; docs/adding-a-game.md
    describes the parts.
    """

    name: str
    """Name in game IDs, for example "chocobar"."""
    title: str
    """For example "Chocobar"."""
    summary: str
    """One sentence for the menu."""
    sides: tuple[str, str] = ("First", "Second")
    """Names of the first and the second player."""
    parameters: ParameterSet[P] = ParameterSet()
    teaching: Teaching = Teaching()
    """Rules and lessons for newcomers."""
    practice: Practice = Practice()
    """Boards of the path, of puzzles and of the daily puzzle."""
    symmetries: Symmetries[P, M] = Symmetries()
    encoding: Encoding[P, M] = Encoding()
    """Positions and moves as numbers, for machine learning."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not isinstance(cls.parameters, ParameterSet):
            given = type(cls.parameters).__name__
            raise TypeError(f"the parameters of {cls.__name__} must be a ParameterSet, not a {given}")

    def new(self, parameters: Parameters, seed: int = 0) -> P:
        """Return the first position of a match. Raise InputError for a parameter outside its limits.

        `seed` matters only if the first position is random.
        """
        return self.start(self.parameters.check(parameters), seed)

    @abstractmethod
    def start(self, parameters: Parameters, seed: int) -> P:
        """Return the first position for complete, checked parameters."""

    def parse_position(self, text: str, parameters: Parameters | None = None) -> P:
        """Read what `Position.text` wrote, exactly. The default reads the default text.

        With `parameters`, a game may accept a text that omits them, but never one that contradicts them.
        Raises InputError, which names the bad part and what was expected.
        """
        example = self.new({})
        # The rules may fail in any way on an impossible position.
        with suppress(Exception):
            position: P = read_fields(text, type(example))
            if position.turn in (0, 1) and bool(position.moves()) == (position.outcome() is None):
                return position
        raise InputError(f"The position {text!r} of {self.title} must be written like {example.text()}.")

    def parse_move(self, text: str, position: P | None = None) -> M:
        """Read what `str(move)` wrote. Games also accept common informal notations.

        The default searches the legal moves of `position`. A game may use `position` to complete
        abbreviations, and leaves the check of legality to `play`. Raises InputError, which shows an example
        move.
        """
        moves = [] if position is None else position.moves()
        for move in moves:
            if str(move) == text.strip():
                return move
        example = f"; a move here is {moves[0]}" if moves else ""
        raise InputError(f"The move {text!r} cannot be played here{example}.")

    @cached_property
    def solver(self) -> Solver[P, M]:
        """The solver, shared by this process, with everything that it has found so far.

        The default is retrograde analysis. Making the solver may import numba; importing a game must not.
        """
        return RetrogradeSolver()

    @cached_property
    def players(self) -> Players[P, M]:
        """The engines made for this game. `seats.player_kinds` lists all that can play it."""
        return Players(lambda: self.solver)

    @cached_property
    def explanations(self) -> Explanations[P, M]:
        """Rules of thumb, hints and explanations of mistakes."""
        return Explanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def reference_methods(self) -> Comparison:
        """Other ways to solve the game, from its original report."""
        return Comparison()


class RacePlayers(Players[P, M]):
    """A race has no levels, since looking ahead does not reveal a final score."""

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        return (PERFECT, FALLIBLE, RANDOM)


class RaceGame(Game[P, M]):
    """A game that each seat plays alone for points, from the same start."""

    @cached_property
    def players(self) -> Players[P, M]:
        return RacePlayers(lambda: self.solver)

    def points(self, position: P) -> int:
        """Return the current score. The default is 0 until the game is over."""
        outcome = position.outcome()
        return 0 if outcome is None else outcome.score or 0
