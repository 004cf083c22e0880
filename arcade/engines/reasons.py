"""Rules of thumb, and verdicts explained by these rules.

`tools.reasons` compares the rules with the solver. A rule without exceptions on the counted boards is
*proved*. The *reason distance* of a position is the number of plies until the game is over or a proved rule
applies. The winner hurries and the loser delays; in a tied position, both sides hurry.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Generic, Self, TypeVar

from arcade.engines.control import Control
from arcade.engines.files import package_text
from arcade.engines.parsing import read_json
from arcade.engines.players import Player, PlayerKind, Players
from arcade.engines.position import M, P, Symmetries
from arcade.engines.solver import Solver
from arcade.engines.verdict import Squares, Value, Verdict
from arcade.engines.wording import capitalize, join_words, quantity, spelled_quantity

S = TypeVar("S")

MAX_REMEMBERED = 200_000

OUT_OF_TIME = "The search for a reason ran out of time."

MAX_NAMED_PLIES = 4
"""Maximum length in plies of a line whose moves a sentence names. Otherwise, it gives only the length."""

MAX_LISTED_PLIES = 9
"""Maximum length in plies of a line that leads to a rule, for the rule to be named as the reason."""

MAX_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class RuleMatch:
    says: str
    """The reason for this position in words.

    It can be placed after "Then", so it starts in lower case unless its first word is the name of a side.
    """
    squares: Squares = ()
    moves: tuple[str, ...] = ()
    """The moves that the reason names, in notation."""
    what_for: str = ""
    """A sentence about the effect of the named move, such as "That wins the race.", or ""."""
    can_play: str = ""
    """`says` with "can play" instead of "plays", for a side that may choose another move; otherwise empty."""
    answers: tuple[tuple[str, str], ...] = ()
    """Pairs of a move and the answer to it, in notation. If the side to move loses, it makes these moves.
    Otherwise its opponent makes them, after the first of `moves`."""

    @classmethod
    def by_move(cls, mover: str, does: str, squares: Squares, *moves: str) -> Self:
        """Return a match for moves that share the effect `does`, such as "leaves two equal arms"."""
        played = f"{join_words(moves, 'or')}{', which' if len(moves) == 1 else '. Each'} {does}."
        return cls(f"{mover} plays {played}", squares, moves, f"That {does}.", f"{mover} can play {played}")

    @property
    def sentence(self) -> str:
        return capitalize(self.says)


@dataclass(frozen=True, slots=True)
class BoardCount:
    board: str
    """A board such as "6x4", or a range of boards such as "within 8x10"."""
    positions: int
    """Number of positions checked, which are all of the board or a random sample."""
    holds: int
    exceptions: int


@dataclass(frozen=True)
class Rule(Generic[P]):
    id: str
    """ID in words joined by hyphens. It never changes, because saved data contain it."""
    name: str
    """Name in one to four words."""
    headline: str
    """Advice to the winner in up to twelve words."""
    says: str
    """The exact condition and its consequence."""
    value: Value
    """Value that the rule claims for the player to move."""
    match: Callable[[P], RuleMatch | None]
    """A function that returns the match, or None if the rule does not apply or the game is over."""
    teaches: bool = True
    """False if the rule states a fact that does not help to find a move."""
    shown: bool = True
    """If False, only `arcade why --all` uses the rule."""
    proof: str = ""
    """A proof that is valid on every board, or "" if there is none."""
    premise: str = ""
    """Definitions and conditions that the rules of a `RuleSet` share, or ""."""
    counts: tuple[BoardCount, ...] = field(default=(), compare=False)

    @property
    def motto(self) -> str:
        return f"{self.name}. {self.headline}"

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
        """True if the rule is proved, helps to find a move, and has a proof or holds on three boards."""
        boards = sum(count.holds > 0 for count in self.counts)
        return self.proved and self.teaches and (bool(self.proof) or boards >= 3)

    @property
    def strength(self) -> str:
        """The reliability of the rule in words."""
        if not self.counts:
            return "not counted yet"
        if self.proved:
            return f"no exceptions in {quantity(self.holds, 'position')}"
        share = round(100 * self.holds / (self.holds + self.exceptions)) if self.holds else 0
        return f"right in {min(share, 99)}% of positions"

    def json(self) -> dict[str, Any]:
        """Return the rule's data for `arcade rules --json`."""
        return {
            "id": self.id,
            "name": self.name,
            "headline": self.headline,
            "premise": self.premise,
            "says": self.says,
            "value": self.value.value,
            "proved": self.proved,
            "proof": self.proof,
            "boards": [count.board for count in self.counts],
            "holds": self.holds,
            "exceptions": self.exceptions,
        }


@cache
def evidence(package: str) -> dict[str, tuple[BoardCount, ...]]:
    """Return the counts that `tools.reasons` has stored in the package of a game, by rule ID."""
    return read_json(package_text(package, "evidence.json"), dict[str, tuple[BoardCount, ...]])


@cache
def stored_lines(package: str) -> dict[str, str]:
    """Return lines that lead from early positions to reasons, by position text, from `tools.reasons`."""
    return read_json(package_text(package, "first_reasons.json"), dict[str, str])


class RuleSet(Generic[P, S]):
    """The rules of a game, with the counts in its package's evidence.json.

    `extract_features` returns the features of a position that the rules use, or None if no rule can apply.
    """

    def __init__(self, package: str, extract_features: Callable[[P], S | None], premise: str = "") -> None:
        self._counts = evidence(package)
        self._premise = premise
        self._extract_features: Callable[[P], S | None] = lru_cache(maxsize=4)(extract_features)
        self._rules: list[Rule[P]] = []

    def __iter__(self) -> Iterator[Rule[P]]:
        return iter(self._rules)

    def rule(
        self,
        id: str,
        *,
        name: str,
        headline: str,
        value: Value,
        says: str,
        teaches: bool = True,
        shown: bool = True,
        proof: str = "",
    ) -> Callable[[Callable[[S], RuleMatch | None]], Callable[[S], RuleMatch | None]]:
        """Return a decorator that adds a rule with these fields of `Rule` and the decorated predicate."""

        def declare(predicate: Callable[[S], RuleMatch | None]) -> Callable[[S], RuleMatch | None]:
            def match(position: P) -> RuleMatch | None:
                features = self._extract_features(position)
                return None if features is None else predicate(features)

            counts = self._counts.get(id, ())
            rule = Rule(id, name, headline, says, value, match, teaches, shown, proof, self._premise, counts)
            self._rules.append(rule)
            return predicate

        return declare


def rule_title(value: Value | None, opponent: str) -> str:
    """Return the label of a rule. Rules advise the winner, who is the opponent in a lost position."""
    return f"Rule for {opponent}" if value is Value.LOSS else "Rule"


@dataclass(frozen=True, slots=True)
class Explanation(Generic[P, M]):
    verdict: Verdict
    distance: int
    """Reason distance in plies."""
    line: tuple[M, ...]
    """The line to the position with the reason. The winner hurries and the loser delays."""
    position: P
    value: Value
    """The claimed value after the line, for the player to move there."""
    rule: Rule[P] | None
    """The rule that applies after the line, or None if the game is then over."""
    match: RuleMatch

    mover: str
    """The name of the player to move in the explained position."""
    other: str
    note: str = ""
    """A sentence about the value of the first move, or ""."""

    @property
    def lost(self) -> bool:
        return self.value is not Value.TIE and (self.value is Value.WIN) == bool(len(self.line) % 2)

    @property
    def rule_line(self) -> str:
        """The rule as shown below the reason, or "" if no rule is named."""
        if self.rule is None or not self.named:
            return ""
        later = "" if self.short else " (applies later)"
        return f"{rule_title(self.verdict.value, self.other)}{later}: {self.rule.motto}"

    @property
    def short(self) -> bool:
        """True if the sentence names every move of the line."""
        return len(self._told) <= MAX_NAMED_PLIES

    @property
    def named(self) -> bool:
        """True if the rule applies early enough to be named as the reason."""
        return len(self._told) <= MAX_LISTED_PLIES

    @property
    def _told(self) -> Sequence[M]:
        """The moves that lead to the rule, without the move that the sentence names first."""
        return self.line if self.lost else self.line[1:]

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, when: str = "") -> str:
        """Return the move and the reason. On a long line, `when` is the phrase for when the rule applies."""
        if not self.line and self.rule is None:
            return f"The game is over: {self.match.says}"
        if self.lost:
            return f"Every move loses. {self.after_move(when)}"
        if not self.line:
            return self.match.sentence
        return " ".join(
            filter(None, [f"{self.mover} plays {self.line[0]}.", self.after_move(when), self.note])
        )

    def example(self) -> str:
        """Return the move and the reason, with every move of a long line."""
        moves = " ".join(map(str, self.line))
        return self.sentence(f"later, for example after {moves}")

    def reply(self) -> str:
        """Return the sentence for a position after a mistake, with "can reply with" instead of "plays"."""
        return self.sentence().replace(f"{self.mover} plays ", f"{self.mover} can reply with ", 1)

    def after_move(self, when: str = "", *, named: bool = False) -> str:
        """Describe the line after its first move. If all moves lose, include it unless it is `named`."""
        if self.lost:
            return self._tell(self.mover, "plays", self.other, when, named)
        if len(self.line) == 1:
            return f"Then {self._says}"
        told = self._tell(self.other, "answers with", self.mover, when)
        return told if self.verdict.value is Value.TIE else f"Every answer loses. {told}"

    def _tell(self, first: str, plays: str, second: str, when: str, named: bool = False) -> str:
        """Describe a line that the side `first` begins, then the reason. Omit its first move if `named`."""
        line = self._told
        if not line:
            return capitalize(self._says)
        if not self.short:
            moves = spelled_quantity(len(line), "more move")
            if self.rule is None:
                return f"For example, after {moves}, {self._says}"
            searched = "No rule of thumb explains this position: the solver proved it by search."
            if not self.named:
                return searched
            when = when or f"later, for example after {moves}"
            return f"{searched} The rule “{self.rule.name}” applies {when}."
        told: list[str] = []
        for at, move in enumerate(line):
            if named and at == 0:
                continue
            if named and at == 1:
                told.append(f"{second} answers with {move}")
            elif at % 2:
                told[-1] += f", {second} plays {move}"
            else:
                told.append(
                    f"If {first} plays {move} next" if told else f"For example, if {first} {plays} {move}"
                )
        joined = ". ".join(told)
        if not joined:
            return f"Then {self._says}"
        return f"{joined}, {self._says}" if len(line) % 2 else f"{joined}. Then {self._says}"

    @property
    def _says(self) -> str:
        """The reason after a line. It says "can play", because the side to move may choose another move."""
        return self.match.can_play or self.match.says


class _StoppedError(Exception):
    pass


class _Node(Generic[P]):
    __slots__ = ("afters", "decisive", "least", "most", "position", "value")

    def __init__(self, position: P, value: Value) -> None:
        self.position = position
        self.value = value
        self.least = 0
        self.most: int | None = None
        self.afters: tuple[_Node[P], ...] | None = None
        """The nodes after each move, or None until all of them exist."""
        self.decisive: _Node[P] | None = None
        """The child that decided the latest search of this node. The next search tries it first."""


class Reasons(Generic[P, M]):
    def __init__(
        self,
        rules: Sequence[Rule[P]],
        solver: Callable[[], Solver[P, M]],
        symmetries: Symmetries[P, M],
        sides: tuple[str, str],
        lines: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Create the reasons of a game. `lines`, from `stored_lines`, save searches."""
        self.rules = tuple(rules)
        self._solver = solver
        self._symmetries = symmetries
        self._sides = sides
        self.proved = [rule for rule in self.rules if rule.proved]
        self._lines = lines
        self._nodes: dict[P, _Node[P]] = {}

    def first_match(self, position: P, value: Value) -> tuple[Rule[P], RuleMatch] | None:
        """Return the first proved rule that applies and claims `value`, and its match, or None.

        A rule that applies but claims another value is wrong here, on a board where it was not counted.
        """
        for rule in self.proved:
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
        """Return a reason for the position's value within `most` plies, or None if none is found.

        If `moved`, look for the reason only after the first move.
        """
        verdict = self._solver().verdict(position, control)
        if verdict.value is None or (moved and position.outcome() is not None):
            return None
        try:
            line = self._stored_line(position) or self._find_line(
                position, verdict.value, control, most, moved
            )
            if line is None or (most is not None and len(line) > most):
                return None
        except _StoppedError:
            return None
        at, value = position.after(line), verdict.value
        if len(line) % 2:
            value = value.reversed
        rule, match = self.first_match(at, value) or (None, RuleMatch(self._over(at)))
        sides = self._sides[position.turn], self._sides[1 - position.turn]
        return Explanation(verdict, len(line), tuple(line), at, value, rule, match, *sides)

    def explain(self, position: P, control: Control, *, moved: bool = False) -> Explanation[P, M] | None:
        """Call `why` with a limit of `MAX_SECONDS`. Return None if the game has no proved rules."""
        with control.within(MAX_SECONDS):
            return self.why(position, control, moved=moved) if self.proved else None

    def _over(self, position: P) -> str:
        outcome = position.outcome()
        assert outcome is not None
        winner = None if outcome.winner is None else self._sides[outcome.winner]
        clear = winner is None or outcome.reason.startswith(winner)
        return f"{outcome.reason}." if clear else f"{outcome.reason}, and {winner} wins."

    def _stored_line(self, position: P) -> list[M]:
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
        """Return whether best play leads to a reason after one or more plies, but within `plies`."""
        enough = node.value is not Value.LOSS
        # At a loss, one move that is too far decides; otherwise, one that is near.
        if node.decisive is not None and self._near(node.decisive, plies - 1, control) is enough:
            return enough
        for after in self._afters(node, control):
            if self._near(after, plies - 1, control) is enough:
                node.decisive = after
                return enough
        return not enough

    def _afters(self, node: _Node[P], control: Control) -> Iterator[_Node[P]]:
        """Yield the nodes after a node, without duplicates. Each move is played only when needed."""
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
        """Yield the moves that keep the value. In a lost position, these are all moves."""
        if value is Value.LOSS:
            yield from position.moves()
            return
        yield from self._solver().keeping_moves(position, value, control)
        if control.stopped:
            raise _StoppedError

    def _step(self, position: P, value: Value, left: int, control: Control) -> M:
        near: list[M] = []
        solver = self._solver()
        compares = solver.quick_lengths and solver.is_quick(position)
        for move in self._moves(position, value, control):
            after = self._node(position.play(move), value.reversed)
            if self._near(after, left - 1, control) and (
                value is not Value.LOSS or left == 1 or not self._near(after, left - 2, control)
            ):
                near.append(move)
                if left > 1 and not compares:
                    break
        if compares and (left > 1 or value is Value.LOSS):
            best = max if value is Value.LOSS else min
            return best(near, key=lambda move: solver.verdict(position.play(move), control).remoteness or 0)
        return min(near, key=lambda move: self._order(position.play(move), value.reversed))

    def _order(self, position: P, value: Value) -> int:
        matching = None if position.outcome() is not None else self.first_match(position, value)
        return self.proved.index(matching[0]) if matching else -1


class RulesPlayer(Player[P, M]):
    """A player that looks one ply ahead for a win and for rules that apply, preferring proved rules."""

    def __init__(self, rules: Sequence[Rule[P]], players: Players[P, M]) -> None:
        self._rules = sorted(rules, key=lambda rule: not rule.proved)
        self._players = players

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        ranked: dict[int, list[M]] = {}
        for move in position.moves():
            ranked.setdefault(self._rank(position.play(move)), []).append(move)
        return rng.choice(list(self._players.heuristic_moves(position, ranked[max(ranked)])))

    def _rank(self, after: P) -> int:
        """Rate a position for the player who moved to it: larger is better, 0 if no rule applies."""
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
    "Knows only the rules of thumb.",
    lambda game, _: RulesPlayer(game.explanations.rules, game.players),
)
