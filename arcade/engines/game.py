"""A game: what it must say of itself, and what it may; and the methods of its documents."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import starmap
from typing import Any, Generic, NamedTuple, cast

from arcade.engines import parameters as notation
from arcade.engines.control import Control
from arcade.engines.field_texts import read_fields
from arcade.engines.files import InputError, package_table, package_text
from arcade.engines.move_lists import play_words
from arcade.engines.parameters import Parameter, Parameters, ParameterValue, Preset
from arcade.engines.players import FALLIBLE, PERFECT, RANDOM, SEES, MethodPlayer, PlayerKind, common_kinds
from arcade.engines.position import M, P, Symmetry
from arcade.engines.reasons import BY_RULES, Reasons, Rule
from arcade.engines.retrograde import RetrogradeSolver
from arcade.engines.solver import Solver
from arcade.engines.verdict import Hint, MoveVerdict, Value, Verdict, keeps_value, likeliest


@dataclass(frozen=True, slots=True)
class Work:
    """What a method has found on one board."""

    answer: str
    """The result in a few words; methods that do the same work give the same one. Empty if it gave up."""
    positions: int | None = None
    """How many positions, boxes or layouts it has looked at; None where it does not count."""
    gave_up: str = ""
    """Why it gave up, in a few words."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Further figures by name, as numbers, texts and mappings of these."""


@dataclass(frozen=True, slots=True)
class SolvingMethod:
    """A way to solve the boards of a game. Its words come from documents.toml."""

    run: Callable[[Any, Control], Work]
    """Solves a first position; obeys the control, after which it gives up."""
    choose: Callable[[Any, Control], Any] | None = None
    """Its move in a position, also when stopped by the control; None if it cannot sit at a match."""
    warm: Callable[[], object] = lambda: None
    """Loads what the method needs, such as kernels; its time does not count."""
    usual: bool = True
    """Whether it runs too when nobody has named methods."""
    name: str = ""
    """The same for ever: scripts and players are called by it."""
    summary: str = ""
    """One short sentence that says whose it is and how it works."""
    remembers: str = ""
    """What it keeps while it works, in a few words, such as "every position in a map"; empty for nothing."""
    counts: str = ""
    """What its `Work.positions` counts, such as "calls of the recursion"."""
    source: str = ""
    """Where its document describes it, such as "section 2.2"."""
    title: str = ""
    """What it is called as a player, such as "In order, as the report's program has it"."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a move is a mistake."""

    says: str = ""
    """In sentences."""
    rule: str = ""
    """The rule of play that explains it; empty for none."""
    points: int = 0
    """What it costs in a race."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a document has found out with its methods."""

    text: str
    """The document's figures, in a sentence or two."""
    ranking: tuple[str, ...] = ()
    """Names of methods as the document ranks them, the one with the least first; empty for no ranking."""
    by: str = "seconds"
    """What they are ranked by: "seconds", "positions", "bytes", or the number that begins the "answer"."""


class Compared(NamedTuple):
    """What a game offers to compare."""

    methods: Sequence[SolvingMethod] = ()
    boards: Sequence[str] = ()
    """Boards to compare them on, as parameters of game IDs, the smallest first."""
    findings: Sequence[Finding] = ()


HISTORY = "History:"
"""How the summary of a player begins that a document describes."""

HISTORIC_SECONDS = 20.0

OUT_OF_TIME = "out of time"


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


class Game(ABC, Generic[P, M]):
    """A game: its names, rules, parameters, notation, solver and players. One instance serves all.

    A game must define its names, its positions and `start`; the defaults for the rest suit a small game. With
    `table`, a TOML file beside its module has its words, boards and presets, rules.md its rules; reasons.py
    and documents.py, if they are there, have its rules of play and the methods of its documents.
    """

    name: str
    """The name in game IDs, e.g. "chocobar"."""
    title: str
    summary: str
    """One sentence for the menu."""
    goal: str = ""
    """How the game is won, as one sentence for somebody who sees it for the first time."""
    picture: str = ""
    """A tiny picture of that in plain characters, of at most 4 lines of 30 columns."""
    story: tuple[str, ...] = ()
    """What a newcomer is told before the first move, a thought each, of at most 120 plain characters."""
    lessons: str = ""
    """The file with the game's lessons in the package of its class; empty for none."""
    rules: str
    """The rules in Markdown, for a newcomer."""
    sides: tuple[str, str] = ("First", "Second")
    kind: Kind = Kind.DUEL
    listed: bool = True
    """Whether the menu shows it; a game that needs a file is opened by its ID instead."""
    chance: bool = False
    """Whether the first position depends on the seed."""
    limits: Limits = Limits()
    parameters: tuple[Parameter, ...] = ()
    presets: tuple[Preset, ...] = ()
    sights: tuple[int, int, int, int] = (2, 4, 6, 8)
    """How many plies Beginner, Casual, Club and Expert see; `tools.ladder` measures the steps."""
    best_player: str = PERFECT.name
    perfect: str = PERFECT.summary
    """What is said of the player who never errs."""
    path: tuple[tuple[str, int], ...] = ()
    """The boards of the path up the ladder, one for each player from Beginner to Perfect: parameters as text,
    and the side that a person takes, 0 or 1, which can win or tie there; empty for a game without a path."""
    puzzle_boards: tuple[str, ...] = ()
    """Parameters of the boards from which puzzles are made, as text; empty for those of the presets."""
    puzzle_steps: tuple[int, int, int, int] = (20, 60, 150, 400)
    """The difficulties at which the grades 2 to 5 of puzzles begin; `tools.puzzles` measures them."""
    day_board: str = ""
    """The parameters, as text, of a race's deal that is everybody's on a day instead of a puzzle."""
    better_side: int = 0
    """Who wins the game as it is first offered, 0 or 1, if both play well; 0 too when nobody does."""
    guest_seats: tuple[str, str] | None = None
    """The default seats of a game that is mostly played against guests, such as trained machines."""
    files: tuple[Parameter, ...] = ()
    """The labels of the files from which a match can start, the first of which is required."""

    _package = ""

    def __init_subclass__(cls, table: str = "") -> None:
        super().__init_subclass__()
        if table:
            cls._package = cls.__module__.rpartition(".")[0]
            told = package_table(cls._package, table)
            cls.rules = package_text(cls._package, "rules.md")
            cls.presets = tuple(starmap(Preset, told.pop("presets").items()))
            for name, value in told.items():
                setattr(cls, name, _in_tuples(value))

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

    def read_files(self, names: Mapping[str, str], parameters: Parameters) -> P:
        """The first position of a match from `files`; an InputError says which file is bad and why.

        File names are by label, empty where none is given. The files override the parameters.
        """
        raise InputError(f"{self.title} does not use files.")

    def load(self, game_file: str, tiles_file: str | None = None) -> P:
        """The first position of the game in a file; an InputError names the file, and its bad line.

        `game_file` is the part of an ID after the game's name; without a file of tiles those published count.
        """
        raise InputError(f"{self.title} does not use files of tiles.")

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

        In a game without parameters the position follows the name, as in "menace:X.O......". Raises
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

    def rules_of_play(self) -> Sequence[Rule[P]]:
        """Its rules of play with their evidence, in the order in which they are told."""
        return self._module("reasons").RULES if self._has("reasons") else ()

    def compared(self) -> Compared:
        """How its documents solve it in other ways than the arcade; without methods if they do not."""
        return self._module("documents").methods() if self._has("documents") else Compared()

    def _has(self, module: str) -> bool:
        return bool(self._package) and find_spec(f"{self._package}.{module}") is not None

    def _module(self, name: str) -> Any:
        return import_module(f"{self._package}.{name}")

    @cached_property
    def reasons(self) -> Reasons[P, M]:
        return Reasons(self.rules_of_play(), self)

    @cached_property
    def player_kinds(self) -> tuple[PlayerKind, ...]:
        """The engines that can sit down at this game, the first opponent first; games add their own."""
        return (*self.duel_kinds(), *self.historic())

    def duel_kinds(self) -> tuple[PlayerKind, ...]:
        """The players of every duel, and the one that knows its rules of play if it has any."""
        kinds = common_kinds(self.sights, self.perfect)
        # Without loading the rules.
        if type(self).rules_of_play is Game.rules_of_play and not self._has("reasons"):
            return kinds
        after = kinds.index(SEES) + 1
        return (*kinds[:after], BY_RULES, *kinds[after:])

    def historic(self) -> tuple[PlayerKind, ...]:
        """The methods of its documents that can sit at a match; they have no use for chance."""

        def kind(method: SolvingMethod, choose: Callable[[Any, Control], Any]) -> PlayerKind:
            return PlayerKind(
                method.name,
                method.title,
                f"{HISTORY} its document's own method.",
                lambda _game, _: MethodPlayer(choose),
                seconds=HISTORIC_SECONDS,
            )

        return tuple(kind(each, each.choose) for each in self.compared().methods if each.choose is not None)

    def trap(self, position: P, analysis: list[MoveVerdict[M]], rng: random.Random, control: Control) -> M:
        """One of the best moves, after which the fewest replies keep the value."""
        best = likeliest(analysis)
        first = best[0].verdict
        if len(best) == 1 or first.value is Value.WIN or not first.known:
            return rng.choice(best).move
        keeping: dict[M, int] = {}
        for judged in best:
            after = position.play(judged.move)
            keeping[judged.move] = len(keeps_value(self.solver.analyse(after, control))) or 1
            if control.stopped:
                break
        fewest = min(keeping.values())
        return rng.choice([move for move, count in keeping.items() if count == fewest])

    def glance(self, position: P, moves: Sequence[M]) -> Sequence[M]:
        """The moves that look best at a glance to somebody who cannot tell them apart by reading ahead."""
        return moves

    def points(self, position: P) -> int | None:
        """The current score in a game played for points; None in a duel."""
        return None

    def representative(self, position: P) -> P:
        """One position for all that share its value and the rules of play that apply; quick to find."""
        return position

    def limit(self, position: P) -> dict[str, int]:
        """By the rules of a race alone: the "limit" of its score, and the numbers of the argument for it."""
        return {}

    def symmetries(self, position: P) -> Sequence[Symmetry[P, M]]:
        """The ways to turn or mirror boards like this one, without the identity."""
        return ()

    def symmetric(self, position: P) -> Sequence[P]:
        """All other positions that are the same by symmetry."""
        images = dict.fromkeys(symmetry.position(position) for symmetry in self.symmetries(position))
        return [image for image in images if image != position]

    def canonical(self, position: P) -> str:
        """A text that is the same for all positions that are alike by symmetry, and only for them."""
        return min(image.text() for image in (position, *self.symmetric(position)))

    def quickly_solved(self, position: P) -> bool:
        """Whether all moves of a position are proved within a moment, as making puzzles needs."""
        return True

    def all_moves(self, start: P) -> Sequence[M]:
        """Every move that can become legal in a match from `start`, in a fixed order.

        The default gives those of `start`, which suits games where no new moves appear.
        """
        return start.moves()

    def features(self, position: P, start: P) -> Sequence[int]:
        """A position as whole numbers from 0, the same count for each position of a match from `start`.

        For learning programs. The default takes the numbers in the fields and the characters of texts, so
        tuples and texts must keep their lengths; a game with other fields makes its own.
        """
        return list(_numbers(tuple(getattr(position, field.name) for field in fields(cast(Any, position)))))

    def move_index(self, position: P, move: M) -> int:
        """A small number for a move; by default its index among the legal moves."""
        return list(position.moves()).index(move)

    def where(self, position: P, move: M) -> str:
        """A sentence that says where to look for `move` without giving it away."""
        return "Compare what each legal move leads to."

    def hint(self, position: P, control: Control) -> Hint[M] | None:
        """Help with a position; None when the game is over or nothing is known in time."""
        best = next((judged for judged in self.solver.analyse(position, control) if judged.best), None)
        if best is None:
            return None
        why, unexplained = self.reasons.explained(position, control, moved=True)
        if why is not None and why.rule is not None:
            move = why.line[0]
            verdict = self.solver.after(position, move, control)
            line = (*why.line, *self.solver.line(why.position, control))
            where, there = self.where(position, move), why.case
            return Hint(where, move, why.says, line, verdict, why.distance, there.says, there.squares)
        rest = self.solver.line(position.play(best.move), control)
        said = self.solver.reason(position, best.move, best.verdict)
        if why is None and best.verdict.remoteness and self.rules_of_play():
            said = f"{said} {unexplained}"
        return Hint(self.where(position, best.move), best.move, said, (best.move, *rest), best.verdict)

    def fault(self, position: P, move: M, control: Control) -> Fault:
        """Why a move is a mistake; empty where the game has no rules of play."""
        if not self.rules_of_play():
            return Fault()
        mover, other = self.sides[position.turn], self.sides[1 - position.turn]
        why, unexplained = self.reasons.explained(position.play(move), control)
        if why is None:
            return Fault(unexplained)
        return Fault(why.sentence(other, mover), why.rule.id if why.rule else "")

    def chat_drawing(self, position: P) -> str:
        """The end of a match in coloured squares to paste into a chat; empty where the game has none."""
        return ""

    def facts(self, position: P, verdict: Verdict) -> dict[str, Any]:
        """Extra keys of this game for `arcade verdict --json`."""
        return {}


class RaceGame(Game[P, M]):
    """A game that each seat plays alone, from the same start, for points."""

    kind = Kind.RACE

    @cached_property
    def player_kinds(self) -> tuple[PlayerKind, ...]:
        """Without a ladder by default: a score has no end that a player could see."""
        return (PERFECT, FALLIBLE, RANDOM)

    def points(self, position: P) -> int:
        """The current score; by default 0 until the game is over."""
        outcome = position.outcome()
        return 0 if outcome is None else outcome.score or 0


def _in_tuples(value: Any) -> Any:
    """What a game's table has in lists: a table in one is a parameter."""
    if isinstance(value, dict):
        return Parameter(**value)
    return tuple(map(_in_tuples, value)) if isinstance(value, list) else value


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, str):
        yield from map(ord, value)
    else:
        yield int(value)
