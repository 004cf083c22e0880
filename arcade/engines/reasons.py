"""Rules of play: short sentences about a position, each compared with the truth, and reasons made of them.

A rule without an exception is *proved* on the boards on which it was counted, and may be given as a reason;
one with exceptions is a *rule of thumb*. `python -m tools.reasons` counts them again.

The *reason distance* of a position is found like its remoteness, except that play ends where a proved rule
applies: in how many plies the winner can force a position that a rule explains, whatever the loser does. At a
tie both sides hurry to one, as they do to the end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Generic

from arcade.engines.control import Control
from arcade.engines.players import Player, PlayerKind
from arcade.engines.position import M, P, Position
from arcade.engines.reader import read_json
from arcade.engines.solver import Solver
from arcade.engines.verdict import MoveVerdict, Value, Verdict
from arcade.engines.wording import capital, counted

MOST_KEPT = 500_000
"""Reasons forget what they know of positions when it is more than this."""

FAR = 8
"""From this reason distance on, in plies, it is said that no short reason is known."""


@dataclass(frozen=True, slots=True)
class Case:
    """A rule on one position."""

    says: str
    """The rule in the words of this position, as a whole sentence; players have the names of their sides."""
    squares: tuple[tuple[int, int], ...] = ()
    """The squares it speaks of: row and column, from 0 at the top left of the board as it is drawn."""


@dataclass(frozen=True, slots=True)
class Count:
    """A rule compared with the truth on one board."""

    board: str
    """The board's parameters as in a game ID, or what bounds the positions, e.g. "within 8x10"."""
    positions: int
    """How many were compared."""
    holds: int
    """On how many of them the rule says something true."""
    exceptions: int
    """On how many it says something false."""
    sampled: bool = False
    """Whether these are a random sample; else they are all positions of the board."""


@dataclass(frozen=True)
class Rule(Generic[P]):
    """A sentence about a position and what follows for the player to move."""

    id: str
    """A few words with hyphens, which stay as they are once published."""
    says: str
    """The whole rule as a sentence."""
    shape: str
    """What one leaves or has where it applies, as it stands after "you leave" or "you have"."""
    value: Value
    """What it claims for the player to move."""
    case: Callable[[P], Case | None]
    """What it says of a position; None where it does not apply, or the game is over."""
    teaches: bool = True
    """Whether it names a move or a shape that one can aim at, not only a fact."""
    proof: str = ""
    """A proof in words, if there is one; it then holds on every board."""
    counts: tuple[Count, ...] = field(default=(), compare=False)

    @property
    def holds(self) -> int:
        return sum(count.holds for count in self.counts)

    @property
    def exceptions(self) -> int:
        return sum(count.exceptions for count in self.counts)

    @property
    def proved(self) -> bool:
        return bool(self.holds) and not self.exceptions

    @property
    def general(self) -> bool:
        """Whether it teaches, and is proved in words or was met on three boards at least."""
        boards = sum(count.holds > 0 for count in self.counts)
        return self.proved and self.teaches and (bool(self.proof) or boards >= 3)

    @property
    def strength(self) -> str:
        """How far it can be trusted, in words."""
        if self.proved:
            return f"no exception in {self.holds:,} positions"
        share = round(100 * self.holds / (self.holds + self.exceptions)) if self.holds else 0
        return f"a rule of thumb, right in {min(share, 99)} of 100"

    def json(self) -> dict[str, Any]:
        """The keys of `arcade rules --json`."""
        return {
            "id": self.id,
            "says": self.says,
            "value": self.value.value,
            "proved": self.proved,
            "boards": [count.board for count in self.counts],
            "holds": self.holds,
            "exceptions": self.exceptions,
        }


@cache
def evidence(game: str) -> dict[str, tuple[Count, ...]]:
    """The counts of a game's rules by their IDs, as `tools.reasons` has written them."""
    text = files(f"arcade.engines.{game}").joinpath("evidence.json").read_text("utf-8")
    return read_json(text, dict[str, tuple[Count, ...]])


def with_evidence(game: str, rules: Sequence[Rule[P]]) -> tuple[Rule[P], ...]:
    """A game's rules with their counts."""
    counted_before = evidence(game)
    return tuple(replace(rule, counts=counted_before.get(rule.id, ())) for rule in rules)


@dataclass(frozen=True, slots=True)
class Why(Generic[P, M]):
    """Why a position has its value."""

    verdict: Verdict
    distance: int
    """The reason distance in plies."""
    line: tuple[M, ...]
    """The winner's best way to the reason against the longest resistance; `distance` moves."""
    position: P
    """Where the line leads."""
    value: Value
    """What is claimed there for the player to move."""
    rule: Rule[P] | None
    """The rule that applies there; None where the game is over."""
    case: Case
    """The rule in the words of that position."""

    @property
    def says(self) -> str:
        return self.sentence()

    def sentence(self, you: str = "you", they: str = "they") -> str:
        """The reason as a sentence for the player to move at the line's start.

        Args:
            you: the name of that player; any but "you" takes the third person.
            they: the name of the other player, likewise.
        """
        if not self.line:
            return self.case.says
        turns = len(self.line) % 2
        # Whoever moves where the rule applies has it; the other one has left it.
        won = (self.value is Value.LOSS) == bool(turns)
        winner = you if won else they
        verb = ("leave", "leaves") if self.value is Value.LOSS else ("have", "has")
        shape = self.rule.shape if self.rule else "nothing more to do"
        does = f"{winner} {verb[winner not in ('you', 'they')]} {shape}"
        if self.rule is None:
            does = f"{winner} {('win', 'wins')[winner not in ('you', 'they')]}"
        if self.value is Value.TIE:
            does = f"it is a tie: {self.case.says[:1].lower()}{self.case.says[1:].rstrip('.')}"
        count = (len(self.line) + (1 if won else 0)) // 2
        within = (
            "" if len(self.line) == 1 else f"within {counted(count, 'move')}, whatever {they} {_do(they)}, "
        )
        if won or self.value is Value.TIE:
            return f"Play {self.line[0]}: {within}{does}."
        return capital(f"whatever {you} {_do(you)}, within {counted(count, 'move')} {does}.")


def _do(who: str) -> str:
    return "play" if who in ("you", "they") else "plays"


class _StoppedError(Exception):
    pass


class Reasons(Generic[P, M]):
    """Finds reasons of a game's positions, and remembers them.

    Safe for several threads: they share only dictionaries, and each only adds true entries.

    Args:
        rules: the game's rules, those that are told first first.
        solver: knows the values; asked where a rule does not.
        same: a position that has the same value and reason distance, the same one for all that are alike.
    """

    def __init__(
        self,
        rules: Sequence[Rule[P]],
        solver: Solver[P, M],
        same: Callable[[P], P] = lambda position: position,
    ) -> None:
        self.rules = tuple(rules)
        self._solver = solver
        self.same = same
        self._proved = [rule for rule in self.rules if rule.proved]
        self._least: dict[P, int] = {}
        """Distances that are at least this."""
        self._most: dict[P, int] = {}
        """Distances that are at most this."""

    def applying(self, position: P) -> tuple[Rule[P], Case] | None:
        """The first proved rule that says something of a position."""
        for rule in self._proved:
            case = rule.case(position)
            if case is not None:
                return rule, case
        return None

    def why(self, position: P, control: Control, most: int | None = None) -> Why[P, M] | None:
        """The reason of a position's value, or of who has won; None if stopped or no value is known.

        Args:
            position: any position of the game.
            control: stops the work.
            most: the largest distance to look for, in plies; None for any.
        """
        verdict = self._solver.verdict(position, control)
        if verdict.value is None:
            return None
        try:
            distance = self._distance(position, verdict.value, control, most)
            if distance is None:
                return None
            line, at, value = [], position, verdict.value
            for left in range(distance, 0, -1):
                move = self._step(at, value, left, control)
                line.append(move)
                at, value = at.play(move), value.reversed
        except _StoppedError:
            return None
        rule, case = self.applying(at) or (None, Case(_over(at)))
        return Why(verdict, distance, tuple(line), at, value, rule, case)

    def distance(self, position: P, control: Control, most: int | None = None) -> int | None:
        """The reason distance in plies; None if stopped, larger than `most`, or no value is known."""
        value = self._solver.verdict(position, control).value
        try:
            return None if value is None else self._distance(position, value, control, most)
        except _StoppedError:
            return None

    def _distance(self, position: P, value: Value, control: Control, most: int | None) -> int | None:
        if len(self._least) > MOST_KEPT:
            self._least, self._most = {}, {}
        plies = 0
        while most is None or plies <= most:
            if self._within(position, value, plies, control):
                return plies
            plies += 1
        return None

    def _within(self, position: P, value: Value, plies: int, control: Control) -> bool:
        """Whether a position of this value is at most so far from a reason."""
        key = self.same(position)
        least = self._least.get(key, 0)
        if plies < least:
            return False
        if self._most.get(key, plies + 1) <= plies:
            return True
        if control.stopped:
            raise _StoppedError
        if not least and (position.outcome() is not None or self.applying(position) is not None):
            self._most[key] = 0
            return True
        near = False
        if plies:
            moves = self._moves(position, value, control)
            afters = (position.play(move) for move in moves)
            every = all if value is Value.LOSS else any
            near = every(self._within(after, value.reversed, plies - 1, control) for after in afters)
        if near:
            self._most[key] = plies
        else:
            self._least[key] = plies + 1
        return near

    def _moves(self, position: P, value: Value, control: Control) -> Sequence[M]:
        """The moves to look at: all that a loser has, or those that keep the value."""
        moves = position.moves()
        return moves if value is Value.LOSS else self._keeping(position, value, control)

    def _keeping(self, position: P, value: Value, control: Control) -> list[M]:
        analysis: list[MoveVerdict[M]] | None = self._solver.values(position, control)
        if analysis is None:
            analysis = self._solver.analyse(position, control)
        if control.stopped:
            raise _StoppedError
        return [judged.move for judged in analysis if judged.verdict.value is value]

    def _step(self, position: P, value: Value, left: int, control: Control) -> M:
        """The next move of a line that is `left` plies from its reason."""
        for move in self._moves(position, value, control):
            after, then = position.play(move), value.reversed
            near = self._within(after, then, left - 1, control)
            if value is Value.LOSS:
                near = near and (left == 1 or not self._within(after, then, left - 2, control))
            if near:
                return move
        raise AssertionError("A position that is so far from a reason has a move that shows it.")


def _over(position: Position[Any]) -> str:
    outcome = position.outcome()
    assert outcome is not None
    return f"{outcome.reason}."


class RulesPlayer(Player[P, M]):
    """Plays by a game's rules alone, the proved ones first, and else sees one ply ahead."""

    def __init__(self, rules: Sequence[Rule[P]], glance: Callable[[P, Sequence[M]], Sequence[M]]) -> None:
        self._rules = sorted(rules, key=lambda rule: not rule.proved)
        self._glance = glance

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        ranked: dict[int, list[M]] = {}
        for move in position.moves():
            ranked.setdefault(self._rank(position.play(move)), []).append(move)
        return rng.choice(list(self._glance(position, ranked[max(ranked)])))

    def _rank(self, after: P) -> int:
        """How good it looks to leave a position: larger is better, 0 where no rule speaks."""
        ending = after.ending()
        if ending is not None:
            return {Value.LOSS: 100, Value.TIE: 0, Value.WIN: -100}[ending.value or Value.TIE]
        for number, rule in enumerate(self._rules):
            if rule.case(after) is not None:
                sure = 50 - number
                return {Value.LOSS: sure, Value.TIE: 0, Value.WIN: -sure}[rule.value]
        return 0


BY_RULES = PlayerKind(
    "rules",
    "By the rules",
    "Knows the rules of play, nothing else.",
    lambda game, _: RulesPlayer(game.reasons.rules, game.glance),
)
"""The player who knows a game's rules of play and nothing else."""
