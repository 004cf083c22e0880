"""The base classes of games: their names, parameters, notation and solver, and their optional parts."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Generic

from arcade.engines import parameters as notation
from arcade.engines.encoding import Encoding
from arcade.engines.explanations import Explanations
from arcade.engines.field_texts import read_fields
from arcade.engines.files import InputError
from arcade.engines.move_lists import play_words
from arcade.engines.parameters import Parameter, Parameters, ParameterValue, Preset
from arcade.engines.players import DEPTH, FALLIBLE, PERFECT, RANDOM, PlayerKind, Players
from arcade.engines.position import M, P, Symmetries
from arcade.engines.reasons import BY_RULES
from arcade.engines.reference_methods import Comparison, historical_players
from arcade.engines.retrograde import RetrogradeSolver
from arcade.engines.solver import Solver
from arcade.engines.teaching import Practice, Teaching


class Kind(StrEnum):
    """How the seats of a match meet."""

    DUEL = "duel"
    """One position, two players in turn."""
    RACE = "race"
    """Each seat plays the same start alone; the higher score wins."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits in seconds for solvers in a match; None for no limit."""

    move: float | None = None
    """For an engine's move; it then plays the best move found."""
    verdict: float | None = None
    """For the verdict of a position and its moves."""
    review: float | None = 5.0
    """For the moves of an earlier position."""
    hint: float | None = 10.0


@dataclass(frozen=True, slots=True)
class StartFiles(Generic[P]):
    """Files from which a match can start."""

    labels: tuple[Parameter, ...]
    """A text parameter for each file, the required one first."""
    read: Callable[[Mapping[str, str], Parameters], P]
    """The first position from the file names by label, empty for none, and further parameters.

    An InputError names the bad file and line.
    """


class Game(ABC, Generic[P, M]):
    """A game. One instance serves all.

    A game must define its names and `start`; the defaults for the rest suit a small duel. What only some
    games have comes in parts: `teaching`, `practice`, `players`, `explanations`, `symmetries`, `encoding`,
    `start_files` and `reference_methods`.
    """

    name: str
    """The name in game IDs, e.g. "chocobar"."""
    title: str
    summary: str
    """One sentence for the menu."""
    sides: tuple[str, str] = ("First", "Second")
    kind: Kind = Kind.DUEL
    listed: bool = True
    """Whether the menu shows it; a game that needs a file is opened by its ID instead."""
    chance: bool = False
    """Whether the first position depends on the seed."""
    limits: Limits = Limits()
    parameters: tuple[Parameter, ...] = ()
    presets: tuple[Preset, ...] = ()
    teaching: Teaching = Teaching()
    practice: Practice = Practice()

    # Parameters and the first position.

    def check_parameters(self, parameters: Parameters) -> dict[str, ParameterValue]:
        """Fill in defaults and check every limit; a game may add more limits. Raises InputError."""
        return notation.check(self.title, self.parameters, parameters)

    def parse_parameters(self, text: str) -> dict[str, ParameterValue]:
        """Read all parameters from the second part of a game ID, e.g. "3x4,misere"; the rest get defaults.

        An InputError says which part is bad and what was expected.
        """
        return self.check_parameters(notation.read(self.title, self.parameters, text))

    def parameters_text(self, parameters: Parameters) -> str:
        """The text that `parse_parameters` reads back."""
        return notation.write(self.parameters, parameters)

    def new(self, parameters: Parameters, seed: int = 0) -> P:
        """The first position of a game; raises InputError if a parameter is out of its limits."""
        return self.start(self.check_parameters(parameters), seed)

    @abstractmethod
    def start(self, parameters: Parameters, seed: int) -> P:
        """The first position, from complete and checked parameters."""

    def parameters_of(self, position: P) -> dict[str, ParameterValue]:
        return self.parse_parameters("")

    # Notation.

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

    def parse_moves(self, text: str, position: P) -> list[M]:
        """Read a list of moves from `position`; see `play_words`."""
        moves: list[M] = []

        def play(word: str) -> None:
            nonlocal position
            move = self.parse_move(word, position)
            position = position.play(move)
            moves.append(move)

        play_words(text, play)
        return moves

    def split_id(self, rest: str) -> tuple[str, str | None, int | None]:
        """Split what follows the game's name in a game ID into parameters, position text and seed.

        In a game without parameters the position follows the name, as in "NAME:X.O......". Raises
        InputError if the seed is not a whole number.
        """
        if not self.parameters and not rest.startswith("#"):
            return "", rest.removeprefix(":") or None, None
        # A position may contain # signs, so split at the colon first.
        parameters, colon, position = rest.partition(":")
        if colon:
            return parameters, position, None
        parameters, sign, seed = rest.partition("#")
        try:
            return parameters, None, int(seed) if sign else None
        except ValueError:
            raise InputError(f"The seed {seed!r} after # must be a whole number.") from None

    # What is true, and who plays.

    def make_solver(self) -> Solver[P, M]:
        """A new solver; the default is the retrograde solver for small games.

        Importing a game must not import numba; this method may.
        """
        return RetrogradeSolver()

    @cached_property
    def solver(self) -> Solver[P, M]:
        """The solver shared by this process, with everything it has already found."""
        return self.make_solver()

    # The optional parts.

    @cached_property
    def players(self) -> Players[P, M]:
        """The engines made for this game; `player_kinds` lists all that can play it."""
        return Players(lambda: self.solver)

    @cached_property
    def explanations(self) -> Explanations[P, M]:
        return Explanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def symmetries(self) -> Symmetries[P, M]:
        return Symmetries()

    @cached_property
    def encoding(self) -> Encoding[P, M]:
        return Encoding()

    @cached_property
    def start_files(self) -> StartFiles[P] | None:
        """Files that a match can start from instead of parameters; None by default."""
        return None

    def reference_methods(self) -> Comparison:
        """Other ways to solve the game, from its original report; without methods by default."""
        return Comparison()

    @cached_property
    def player_kinds(self) -> tuple[PlayerKind, ...]:
        """All engines that can play the game, the first opponent first."""
        kinds = list(self.players.kinds)
        if self.explanations.has_rules:
            kinds.insert(kinds.index(DEPTH) + 1, BY_RULES)
        for historical in historical_players(self.reference_methods().methods):
            if not any(kind.named(historical.name) for kind in kinds):
                kinds.append(historical)
        return tuple(kinds)

    def points(self, position: P) -> int | None:
        """The current score of a race; None in a duel."""
        return None


class RacePlayers(Players[P, M]):
    """The players of a race, without levels: no player can see the end of a score coming."""

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        return (PERFECT, FALLIBLE, RANDOM)


class RaceGame(Game[P, M]):
    """A game that each seat plays alone, from the same start, for points."""

    kind = Kind.RACE

    @cached_property
    def players(self) -> Players[P, M]:
        return RacePlayers(lambda: self.solver)

    def points(self, position: P) -> int:
        """The current score; by default 0 until the game is over."""
        outcome = position.outcome()
        return 0 if outcome is None else outcome.score or 0
