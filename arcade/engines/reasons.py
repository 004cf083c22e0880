"""Rules of play: short sentences about a position, each compared with the truth, and reasons made of them.

A rule without an exception is *proved* on the boards on which it was counted, and may be given as a reason;
one with exceptions is a *rule of thumb*. `python -m tools.reasons` counts them again.

The *reason distance* of a position is found like its remoteness, except that play ends where a proved rule
applies: in how many plies the winner can force a position that a rule explains, whatever the loser does. At a
tie both sides hurry to one, as they do to the end.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from arcade.engines.control import Control
from arcade.engines.files import package_text
from arcade.engines.parsing import read_json
from arcade.engines.players import Player, PlayerKind, Players
from arcade.engines.position import M, P, Position, Symmetries
from arcade.engines.solver import Solver
from arcade.engines.verdict import Squares, Value, Verdict
from arcade.engines.wording import capitalize, quantity, spelled_quantity

S = TypeVar("S")

MAX_REMEMBERED = 200_000
"""Reasons forget what they know of positions when it is more than this."""

MAX_EXPLANATION_PLIES = 9
"""A reason that is further away, in plies, is not told to a person: nobody keeps so much in mind."""

NO_REASON = "There is no short explanation here. The solver has checked every reply."
OUT_OF_TIME = "The search for a short explanation ran out of time."

MAX_SECONDS = 2.0
"""The longest time to look for a reason that a person waits for."""


@dataclass(frozen=True, slots=True)
class RuleMatch:
    says: str
    """The rule in the words of this position, as a whole sentence; players have the names of their sides.

    A move for the player to move is theirs: "Second plays (2,1), which ...", at the start of the sentence.
    """
    squares: Squares = ()
    """The squares it speaks of."""
    shape: str = ""
    """The rule's shape in the words of this position; empty where its own words fit."""


@dataclass(frozen=True, slots=True)
class BoardCount:
    board: str
    """The board's parameters as in a game ID, or what bounds the positions, e.g. "within 8x10"."""
    positions: int
    """How many were compared: all that there are, or a random sample."""
    holds: int
    """On how many of them the rule says something true."""
    exceptions: int
    """On how many it says something false."""


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
    match: Callable[[P], RuleMatch | None]
    """What it says of a position; None where it does not apply, or the game is over."""
    teaches: bool = True
    """Whether it names a move or a shape that one can aim at, not only a fact."""
    proof: str = ""
    """A proof in words, if there is one; it then holds on every board."""
    counts: tuple[BoardCount, ...] = field(default=(), compare=False)

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
            return f"no exception in {quantity(self.holds, 'position')}"
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
def evidence(package: str) -> dict[str, tuple[BoardCount, ...]]:
    """The counts of a game's rules by their IDs, as `tools.reasons` has written them."""
    return read_json(package_text(package, "evidence.json"), dict[str, tuple[BoardCount, ...]])


@cache
def stored_lines(package: str) -> dict[str, str]:
    """Lines to the reasons of a game's first positions, as `tools.reasons` has written them.

    For the text of a position the moves with spaces between them. These take long to find.
    """
    return read_json(package_text(package, "first_reasons.json"), dict[str, str])


class RuleSet(Generic[P, S]):
    """A game's rules in the order of their declarations, with the counts in its package's evidence.json.

    `extract_features` returns what the rules look at in a position, or None if none of them applies.
    """

    def __init__(self, package: str, extract_features: Callable[[P], S | None]) -> None:
        self._counts = evidence(package)
        # All rules look at a position in turn.
        self._extract_features: Callable[[P], S | None] = lru_cache(maxsize=4)(extract_features)
        self._rules: list[Rule[P]] = []

    def __iter__(self) -> Iterator[Rule[P]]:
        return iter(self._rules)

    def rule(
        self, id: str, *, value: Value, says: str, shape: str, teaches: bool = True, proof: str = ""
    ) -> Callable[[Callable[[S], RuleMatch | None]], Callable[[S], RuleMatch | None]]:
        """Declare a rule above its predicate; `Rule` describes the arguments."""

        def declare(predicate: Callable[[S], RuleMatch | None]) -> Callable[[S], RuleMatch | None]:
            def match(position: P) -> RuleMatch | None:
                features = self._extract_features(position)
                return None if features is None else predicate(features)

            counts = self._counts.get(id, ())
            self._rules.append(Rule(id, says, shape, value, match, teaches, proof, counts))
            return predicate

        return declare


@dataclass(frozen=True, slots=True)
class Explanation(Generic[P, M]):
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
    match: RuleMatch
    """The rule in the words of that position."""

    @property
    def says(self) -> str:
        return self.sentence()

    def reply(self, mover: str, other: str) -> str:
        """The reason as a sentence about the mistake before it, which `mover`, a name, can answer."""
        if self.line:
            return self.sentence(mover, other, "can answer")
        says, plays = self.match.says, f"{mover} plays "
        return f"{mover} can answer {says.removeprefix(plays)}" if says.startswith(plays) else says

    def sentence(self, mover: str = "you", other: str = "they", plays: str = "can play") -> str:
        """The reason as a sentence; `mover` is "you" or a name, `other` is "you", "they" or a name.

        `plays` is what a named mover does with the first move.
        """
        if not self.line:
            return self.match.says
        won = (self.value is Value.LOSS) == bool(len(self.line) % 2)
        count = (len(self.line) + (won or self.value is Value.TIE)) // 2
        within = "" if count < 2 else f"within {spelled_quantity(count, 'move')}, "
        if self.value is Value.TIE:
            end = f"it is a tie. On this line: {self.match.says.rstrip('.')}"
        else:
            # The player to move has what the rule speaks of; the opponent has left it.
            verb = "win" if self.rule is None else "leave" if self.value is Value.LOSS else "have"
            shape = f" {self.match.shape or self.rule.shape}" if self.rule else ""
            end = f"{_does(mover if won else other, verb)}{shape}"
            if len(self.line) > 1 or not won:
                # After other replies another rule may apply.
                end += ", or something as good"
        if not won and self.value is not Value.TIE:
            return capitalize(f"whatever {_does(mover, 'play')}, {within}{end}.")
        if len(self.line) > 1:
            end = f"{within}whatever {_does(other, 'play')}, {end}"
        elif mover != "you" and self.value is not Value.TIE:
            return f"{mover} {plays} {self.line[0]} and {verb}{shape}."
        return capitalize(f"{'play' if mover == 'you' else f'{mover} {plays}'} {self.line[0]}: {end}.")


def _does(who: str, verb: str) -> str:
    if who in ("you", "they"):
        return f"{who} {verb}"
    return f"{who} {'has' if verb == 'have' else verb + 's'}"


class _StoppedError(Exception):
    pass


class _Node(Generic[P]):
    """What is known of a position and of those that are like it by symmetry."""

    __slots__ = ("afters", "decisive", "least", "most", "position", "value")

    def __init__(self, position: P, value: Value) -> None:
        self.position = position
        self.value = value
        self.least = 0
        """The reason distance is at least this."""
        self.most: int | None = None
        """The reason distance is at most this, if any is known."""
        self.afters: tuple[_Node[P], ...] | None = None
        """The positions to look at after it; None until all of them were looked at."""
        self.decisive: _Node[P] | None = None
        """Which of them gave the last answer, and is likely to give the next."""


class Reasons(Generic[P, M]):
    """Finds and remembers reasons of a game's positions; threads share only true entries."""

    def __init__(
        self,
        rules: Sequence[Rule[P]],
        solver: Callable[[], Solver[P, M]],
        symmetries: Symmetries[P, M],
        lines: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`lines` are known ones, see `stored_lines`."""
        self.rules = tuple(rules)
        self._solver = solver
        self._symmetries = symmetries
        self._proved = [rule for rule in self.rules if rule.proved]
        self._lines = lines
        self._nodes: dict[P, _Node[P]] = {}

    def first_match(self, position: P, value: Value) -> tuple[Rule[P], RuleMatch] | None:
        """The first proved rule that says something of a position of this value.

        One that says something else is wrong there, on a board where it was not counted.
        """
        for rule in self._proved:
            match = rule.match(position) if rule.value is value else None
            if match is not None:
                return rule, match
        return None

    def why(
        self,
        position: P,
        control: Control,
        most: int | None = None,
        *,
        moved: bool = False,
    ) -> Explanation[P, M] | None:
        """The reason of a position's value; None if none is near, or not known in time.

        `most` is the largest distance to look for, in plies; with `moved` the reason must come after a move.
        """
        verdict = self._solver().verdict(position, control)
        if verdict.value is None or (moved and position.outcome() is not None):
            return None
        try:
            line = self._stored_line(position) or self._find_line(
                position, verdict.value, control, most, moved
            )
        except _StoppedError:
            return None
        if line is None or (most is not None and len(line) > most):
            return None
        at, value = position.after(line), verdict.value
        if len(line) % 2:
            value = value.reversed
        rule, match = self.first_match(at, value) or (None, RuleMatch(_over(at)))
        return Explanation(verdict, len(line), tuple(line), at, value, rule, match)

    def explain(self, position: P, control: Control, *, moved: bool = False) -> Explanation[P, M] | None:
        """The reason as a person is told it; None if none is near, or none is found in time."""
        return self.explain_or_say_why(position, control, moved=moved)[0]

    def explain_or_say_why(
        self, position: P, control: Control, *, moved: bool = False
    ) -> tuple[Explanation[P, M] | None, str]:
        """The reason as a sentence for the player; if there is none, a sentence that says so."""
        if not self._proved:
            return None, NO_REASON
        with control.within(MAX_SECONDS):
            why = self.why(position, control, MAX_EXPLANATION_PLIES, moved=moved)
            return why, "" if why is not None else OUT_OF_TIME if control.stopped else NO_REASON

    def _stored_line(self, position: P) -> list[M]:
        """A line that is known before any search; empty for none."""
        at, line = position, list[M]()
        for notation in self._lines.get(position.text(), "").split():
            line.append(next(move for move in at.moves() if str(move) == notation))
            at = at.play(line[-1])
        return line

    def _find_line(
        self, position: P, value: Value, control: Control, most: int | None, moved: bool
    ) -> list[M] | None:
        distance = self._distance(position, value, control, most, moved)
        if distance is None:
            return None
        line = list[M]()
        for left in range(distance, 0, -1):
            line.append(self._step(position, value, left, control))
            position, value = position.play(line[-1]), value.reversed
        return line

    def _distance(
        self, position: P, value: Value, control: Control, most: int | None, moved: bool
    ) -> int | None:
        if len(self._nodes) > MAX_REMEMBERED:
            self._nodes = {}
        node = self._node(position, value)
        near = self._near_after_move if moved else self._near
        plies = int(moved)
        while most is None or plies <= most:
            if near(node, plies, control):
                return plies
            plies += 1
        return None

    def _node(self, position: P, value: Value) -> _Node[P]:
        key: P = self._symmetries.quick_canonical(position)
        node = self._nodes.get(key)
        return node if node is not None else self._nodes.setdefault(key, _Node(position, value))

    def _near(self, node: _Node[P], plies: int, control: Control) -> bool:
        """Whether a position is at most so far from a reason."""
        if plies < node.least:
            return False
        if node.most is not None and node.most <= plies:
            return True
        if control.stopped:
            raise _StoppedError
        if not node.least:
            position = node.position
            if position.outcome() is not None or self.first_match(position, node.value) is not None:
                node.most = 0
                return True
        near = plies > 0 and self._near_after_move(node, plies, control)
        if near:
            node.most = plies
        else:
            node.least = plies + 1
        return near

    def _near_after_move(self, node: _Node[P], plies: int, control: Control) -> bool:
        """Whether a player's best move leads at most so far from a reason, this move counted."""
        enough = node.value is not Value.LOSS
        # At a loss one move that is too far decides, otherwise one that is near.
        if node.decisive is not None and self._near(node.decisive, plies - 1, control) is enough:
            return enough
        for after in self._afters(node, control):
            if self._near(after, plies - 1, control) is enough:
                node.decisive = after
                return enough
        return not enough

    def _afters(self, node: _Node[P], control: Control) -> Iterator[_Node[P]]:
        """The positions to look at after one, each once; those of moves are made when they are needed."""
        if node.afters is not None:
            yield from node.afters
            return
        position, value = node.position, node.value.reversed
        found: dict[_Node[P], None] = {}
        for move in self._moves(position, node.value, control):
            after = self._node(position.play(move), value)
            if after not in found:
                found[after] = None
                yield after
        node.afters = tuple(found)

    def _moves(self, position: P, value: Value, control: Control) -> Iterator[M]:
        """The moves to look at: all that a loser has, or those that keep the value."""
        if value is Value.LOSS:
            yield from position.moves()
            return
        yield from self._solver().keeping_moves(position, value, control)
        if control.stopped:
            raise _StoppedError

    def _step(self, position: P, value: Value, left: int, control: Control) -> M:
        """The next move of a line that is `left` plies from its reason."""
        near: list[M] = []
        for move in self._moves(position, value, control):
            after = self._node(position.play(move), value.reversed)
            if self._near(after, left - 1, control) and (
                value is not Value.LOSS or left == 1 or not self._near(after, left - 2, control)
            ):
                near.append(move)
                if left > 1:
                    break
        # Of several rules a person is told the one that stands first.
        return min(near, key=lambda move: self._order(position.play(move), value.reversed))

    def _order(self, position: P, value: Value) -> int:
        matching = None if position.outcome() is not None else self.first_match(position, value)
        return self._proved.index(matching[0]) if matching else -1


def _over(position: Position[Any]) -> str:
    outcome = position.outcome()
    assert outcome is not None
    return f"{outcome.reason}."


class RulesPlayer(Player[P, M]):
    """Plays by a game's rules alone, the proved ones first, and else sees one ply ahead."""

    def __init__(self, rules: Sequence[Rule[P]], players: Players[P, M]) -> None:
        self._rules = sorted(rules, key=lambda rule: not rule.proved)
        self._players = players

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        ranked: dict[int, list[M]] = {}
        for move in position.moves():
            ranked.setdefault(self._rank(position.play(move)), []).append(move)
        return rng.choice(list(self._players.heuristic_moves(position, ranked[max(ranked)])))

    def _rank(self, after: P) -> int:
        """How good it looks to leave a position: larger is better, 0 where no rule speaks."""
        ending = after.ending()
        if ending is not None:
            return {Value.LOSS: 100, Value.TIE: 0, Value.WIN: -100}[ending.value or Value.TIE]
        for number, rule in enumerate(self._rules):
            if rule.match(after) is not None:
                sure = 50 - number
                return {Value.LOSS: sure, Value.TIE: 0, Value.WIN: -sure}[rule.value]
        return 0


BY_RULES = PlayerKind(
    "rules",
    "By the rules",
    "Knows the rules of play, nothing else.",
    lambda game, _: RulesPlayer(game.explanations.rules, game.players),
)
"""The player who knows a game's rules of play and nothing else."""
