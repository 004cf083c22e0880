"""What every game provides: positions, moves, outcomes, parameters and notation."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from arcade.engines.verdict import Hint, MoveVerdict, Proof, Value, Verdict, mark_best

if TYPE_CHECKING:
    from arcade.engines.control import Control
    from arcade.engines.players import PlayerKind

ParameterValue = int | bool | str
Parameters = Mapping[str, ParameterValue]


class InputError(ValueError):
    """Bad input from a person: one sentence that names the place and what was expected."""


class Termination(StrEnum):
    """Why a game is over."""

    POISON = "only the poison is left"
    GOAL = "the goal was reached"
    NO_MOVE = "no legal move is left"
    LINE = "a line was made"
    FULL = "the board is full"
    ALL_LAID = "everything is laid"
    EMPTY_BOX = "the box of this position is empty"
    RESIGNED = "a player resigned"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winner: int | None
    """0 for the first player, 1 for the second, None for a tie or a game without opponents."""
    termination: Termination
    score: int | None = None
    """The final score of a game that is played for one."""


M = TypeVar("M", bound=Hashable)


class Position(ABC, Generic[M]):
    """A position: immutable, hashable and comparable; subclasses are frozen dataclasses."""

    turn: int
    """Who moves: 0 for the first player, 1 for the second; always 0 in a race."""

    @abstractmethod
    def moves(self) -> Sequence[M]:
        """Every legal move, always in the same order; empty when the game is over."""

    @abstractmethod
    def play(self, move: M) -> Self:
        """The position after `move`.

        Raises:
            ValueError: the move is not legal; the message is a sentence.
        """

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def text(self) -> str:
        """The position in full as one line without blanks, which the game's `parse_position` reads back."""

    def ending(self) -> Verdict | None:
        """The exact verdict of a position in which a duel is over, else None."""
        outcome = self.outcome()
        if outcome is None:
            return None
        if outcome.winner is None:
            value = Value.TIE
        else:
            value = Value.WIN if outcome.winner == self.turn else Value.LOSS
        return Verdict(Proof.EXACT, value, 0, reason=outcome.termination.value)


P = TypeVar("P", bound="Position[Any]")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that a person can choose when starting a game."""

    name: str
    """The key in a `Parameters` mapping."""
    title: str
    default: ParameterValue
    """Its type says what kind of parameter this is: bool, int or str."""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    """For a str: what may be chosen; empty for free text."""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice of parameters."""

    title: str
    parameters: str
    """As in a game ID."""


class Kind(StrEnum):
    """How the seats of a match meet."""

    DUEL = "duel"
    """One position, two players in turn."""
    RACE = "race"
    """Each seat plays the same start on its own; the higher score wins."""


class Solver(ABC, Generic[P, M]):
    """Says the truth about positions of one game.

    When its control stops it, by cancel or deadline, a solver returns what it has proved so far: verdicts
    with proof BOUND or UNKNOWN, never an exception and never a guess.
    """

    kind: Kind = Kind.DUEL
    resumes: bool = False
    """Whether a search that was stopped goes on where it was when the same is asked again."""
    compiled: bool = True
    """Whether it has kernels to wait for where they have not been compiled yet."""

    @abstractmethod
    def verdict(self, position: P, control: Control) -> Verdict:
        """The verdict of a position, which may be over."""

    def analyse(self, position: P, control: Control) -> list[MoveVerdict[M]]:
        """Every legal move with its verdict, in the order of `position.moves()`."""
        return mark_best((move, self.after(position, move, control)) for move in position.moves())

    def value(self, position: P, control: Control) -> Verdict | None:
        """As `verdict` when only the value is wanted; None where `verdict` is as quick.

        A solver that has this has `values` too.
        """
        return None

    def values(self, position: P, control: Control) -> list[MoveVerdict[M]] | None:
        """As `analyse` when only the values are wanted; None where `analyse` is as quick."""
        return None

    def after(self, position: P, move: M, control: Control) -> Verdict:
        """The verdict of one move as its mover sees it."""
        verdict = self.verdict(position.play(move), control)
        return verdict if self.kind is Kind.RACE else verdict.before_move()

    def line(self, position: P, control: Control) -> list[M]:
        """Best play by both sides from here to the end; shorter when stopped before the end is proved."""
        line: list[M] = []
        while not control.stopped:
            best = next((each.move for each in self.analyse(position, control) if each.best), None)
            if best is None:
                break
            line.append(best)
            position = position.play(best)
        return line

    def reason(self, position: P, move: M, verdict: Verdict) -> str:
        """Why a move has its verdict, as a sentence; a game says more where it knows more."""
        plies = verdict.remoteness
        if verdict.value is None or plies is None:
            return "This is the best that is known so far."
        ends = "ends the game at once" if plies == 1 else f"ends the game in {plies} plies"
        if verdict.value is Value.WIN:
            return f"It {ends}, whatever the other side does."
        if verdict.value is Value.TIE:
            return "It keeps the tie; nothing here wins."
        return f"Every move loses; this one holds out longest, {plies} plies."

    def effort(self, position: P) -> str:
        """What solving a position costs, as a sentence, where a person should know before it starts."""
        return ""

    def progress(self, control: Control) -> str:
        """What running work has found so far, in a few words, from its control's counters."""
        return f"{control.nodes:,} positions"

    @abstractmethod
    def warm(self) -> None:
        """Compile, or load, every kernel that this solver's methods use."""


class Game(ABC, Generic[P, M]):
    """A game: its names, rules, parameters, notation, solver and players. One instance serves all."""

    name: str
    """The word in game IDs, e.g. "chocobar"."""
    title: str
    summary: str
    """One sentence for the menu."""
    rules: str
    """The rules in Markdown, as for somebody who has never seen the game."""
    sides: tuple[str, str] = ("First", "Second")
    """What the two players are called."""
    kind: Kind = Kind.DUEL
    listed: bool = True
    """Whether the menu has a card for it; a game that needs a file of its own is opened by its ID."""
    chance: bool = False
    """Whether `new` depends on its seed."""
    parameters: tuple[Parameter, ...] = ()
    presets: tuple[Preset, ...] = ()
    files: tuple[Parameter, ...] = ()
    """The names of files that a match can be opened from, the first one needed; empty where none can."""
    guest_seats: tuple[str, str] | None = None
    """Who sits where in a new match where guests may come; None for a person against `best_player`."""

    @abstractmethod
    def parse_parameters(self, text: str) -> dict[str, ParameterValue]:
        """The parameters that a game ID's second part names; every parameter is in the result.

        An empty text means the defaults.

        Raises:
            InputError: which part is bad and what was expected.
        """

    @abstractmethod
    def parameters_text(self, parameters: Parameters) -> str:
        """The text that `parse_parameters` reads back."""

    @abstractmethod
    def new(self, parameters: Parameters, seed: int = 0) -> P:
        """The first position of a game.

        Raises:
            InputError: a parameter is out of its limits.
        """

    @abstractmethod
    def parse_position(self, text: str, parameters: Parameters | None = None) -> P:
        """The exact inverse of `Position.text`.

        With `parameters`, what they say may be left out of the text, and must not be contradicted.

        Raises:
            InputError: which part is bad and what was expected.
        """

    @abstractmethod
    def parse_move(self, text: str, position: P | None = None) -> M:
        """The inverse of `str(move)`; reads the usual looser ways of typing a move too.

        With `position`, a notation that is short for one of its legal moves is understood; legality
        itself is left to `play`.

        Raises:
            InputError: the text is no move of this game, and what one looks like.
        """

    @abstractmethod
    def make_solver(self) -> Solver[P, M]:
        """A new solver. Importing this game must not import numba; this method may."""

    @cached_property
    def solver(self) -> Solver[P, M]:
        """The solver of this process: what it has found out serves everybody who asks."""
        return self.make_solver()

    @cached_property
    def player_kinds(self) -> tuple[PlayerKind, ...]:
        """The engines that can sit down at this game; games add their own to the common ones."""
        from arcade.engines.players import COMMON_KINDS

        return COMMON_KINDS

    def read_files(self, names: Mapping[str, str], parameters: Parameters) -> P:
        """The first position of a match from files.

        Args:
            names: names of files by those of `files`; empty where none is given.
            parameters: what a person chose; what the files say counts more.

        Raises:
            InputError: this game reads no files, or which one is bad and why.
        """
        raise InputError(f"{self.title} is not played from files.")

    def use_tiles(self, file: str) -> None:
        """From now on IDs that name a game file mean the tiles of this file.

        Raises:
            InputError: this game has no files of tiles, or the file is bad and why.
        """
        raise InputError(f"{self.title} has no files of tiles.")

    def points(self, position: P) -> int | None:
        """The score on the board, in a game that is played for one; None in a duel."""
        outcome = position.outcome()
        return outcome.score if outcome else None

    @property
    def best_player(self) -> str:
        """The name of the engine that plays best, the first of `player_kinds`."""
        return self.player_kinds[0].name

    def symmetric(self, position: P) -> Sequence[P]:
        """The positions that are this one seen otherwise, itself left out; they share its verdict."""
        return ()

    def parameters_of(self, position: P) -> dict[str, ParameterValue]:
        """The parameters of a game in which a position that was given alone can stand."""
        return self.parse_parameters("")

    def where(self, position: P, move: M) -> str:
        """Where to look for `move`, as a sentence that does not give it away."""
        return f"One of the {len(position.moves())} legal moves does it."

    def verdict_json(self, position: P, verdict: Verdict) -> dict[str, Any]:
        """The keys of `arcade verdict --json` after `game`; a game may add its own."""
        return verdict.json()

    def split_id(self, rest: str) -> tuple[str, str | None, int | None]:
        """Parameters, position text and seed of a game ID from what follows the game's name and colon.

        Raises:
            InputError: the seed is no whole number.
        """
        # A position may be written with # signs of its own, so the colon before it counts first.
        parameters, colon, position = rest.partition(":")
        if colon:
            return parameters, position, None
        parameters, sign, seed = rest.partition("#")
        try:
            return parameters, None, int(seed) if sign else None
        except ValueError:
            raise InputError(f"The seed {seed!r} after # must be a whole number.") from None

    def parse_moves(self, text: str, position: P) -> list[M]:
        """Read moves separated by blanks as played from `position`, e.g. of the option --moves.

        Raises:
            InputError: which move is bad, by number and text, and why.
        """
        moves: list[M] = []
        for number, word in enumerate(text.split(), 1):
            try:
                move = self.parse_move(word, position)
                position = position.play(move)
            except ValueError as error:
                raise InputError(f"Move {number}, {word!r}: {error}") from None
            moves.append(move)
        return moves


def make_hint(game: Game[P, M], position: P, control: Control) -> Hint[M] | None:
    """The hint ladder for a position; None when the game is over or nothing is known in time."""
    best = next((each for each in game.solver.analyse(position, control) if each.best), None)
    if best is None:
        return None
    rest = game.solver.line(position.play(best.move), control)
    why = game.solver.reason(position, best.move, best.verdict)
    return Hint(game.where(position, best.move), best.move, why, (best.move, *rest), best.verdict)


def timed(verdict: Callable[[], Verdict]) -> Verdict:
    """Run a function that returns a verdict and put the seconds it took into the verdict."""
    started = time.perf_counter()
    found = verdict()
    return replace(found, seconds=time.perf_counter() - started)


def check_parameters(game: Game[Any, Any], parameters: Parameters) -> dict[str, ParameterValue]:
    """Fill in defaults and check every limit.

    Raises:
        InputError: a parameter is unknown, of the wrong type or out of its limits.
    """
    known = {each.name: each for each in game.parameters}
    for name in parameters:
        if name not in known:
            raise InputError(f"{game.title} has no parameter {name!r}; it has {_listed(known)}.")
    checked: dict[str, ParameterValue] = {}
    for name, each in known.items():
        value = parameters.get(name, each.default)
        if type(value) is not type(each.default):
            raise InputError(f"{each.title} must be of type {type(each.default).__name__}, not {value!r}.")
        if type(value) is int and not each.low <= value <= each.high:
            raise InputError(f"{each.title} must be {each.low} to {each.high}, not {value}.")
        if each.choices and value not in each.choices:
            raise InputError(f"{each.title} must be one of {_listed(each.choices)}, not {value!r}.")
        checked[name] = value
    return checked


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


def parse_size(text: str, what: str = "size") -> tuple[int, int]:
    """Read "8x10" as (8, 10).

    Raises:
        InputError: the text is not two whole numbers with an x between them.
    """
    first, cross, second = text.lower().replace("×", "x").partition("x")
    if not (cross and first.isdecimal() and second.isdecimal()):
        raise InputError(f"The {what} {text!r} must be two whole numbers with an x between them, like 8x10.")
    if max(len(first), len(second)) > 9:
        raise InputError(f"The {what} {text!r} is too large.")
    return int(first), int(second)
