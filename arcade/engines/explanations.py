"""Hints and explanations of mistakes, from a game's solver and its rules of thumb."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, final

from arcade.engines.control import Control
from arcade.engines.position import M, P, Symmetries
from arcade.engines.reasons import Explanation, Reasons, Rule
from arcade.engines.solver import Solver
from arcade.engines.verdict import Hint, HintRegion, Squares, Verdict


@dataclass(frozen=True, slots=True)
class MistakeExplanation:
    says: str = ""
    """In sentences; empty if the game has no rules of thumb."""
    rule: str = ""
    """The ID of the rule of thumb that explains it; empty for none."""
    points: int = 0
    """What the mistake costs in a race."""
    squares: Squares = ()
    """The squares that it speaks of, besides those of the mistake."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits in seconds for what the solver says in a match; None for no limit."""

    verdict: float | None = None
    """For the verdict of a position and its moves."""
    review: float | None = 5.0
    """For the moves of an earlier position."""
    hint: float | None = 10.0


class Explanations(Generic[P, M]):
    """What a game says about its positions and moves."""

    limits = Limits()

    def __init__(
        self, solver: Callable[[], Solver[P, M]], symmetries: Symmetries[P, M], sides: tuple[str, str]
    ) -> None:
        self._solver = solver
        self._symmetries = symmetries
        self._sides = sides

    @property
    def solver(self) -> Solver[P, M]:
        return self._solver()

    def load_rules(self) -> Sequence[Rule[P]]:
        """The rules of thumb with their evidence, in the order in which they are shown."""
        return ()

    @final
    @property
    def has_rules(self) -> bool:
        """Whether there are rules of thumb; does not load them."""
        return type(self).load_rules is not Explanations.load_rules

    @final
    @property
    def rules(self) -> Sequence[Rule[P]]:
        return self.reasons.rules

    @cached_property
    def reasons(self) -> Reasons[P, M]:
        return Reasons(self.load_rules(), self._solver, self._symmetries)

    def words_of(self, move: M) -> str:
        """A move as a person on a screen reads it; by default its notation."""
        return str(move)

    def squares_of(self, position: P, move: M) -> Squares:
        """The squares that a move names, leaves or covers; empty if the game's board has none."""
        return ()

    def hint_region(self, position: P, move: M) -> HintRegion:
        """Where to look for `move`, without giving it away."""
        return HintRegion("Compare what each legal move leads to.")

    def hint(self, position: P, control: Control) -> Hint[M] | None:
        """Help with a position; None when the game is over or nothing is known in time."""
        best = next((judged for judged in self.solver.moves(position, control) if judged.best), None)
        if best is None:
            return None
        why, unexplained = self.reasons.explain_or_say_why(position, control, moved=True)
        if why is not None and why.rule is not None:
            move = why.line[0]
            verdict = self.solver.verdict(position.play(move), control).before_move()
            line = (*why.line, *self.solver.line(why.position, control))
            region, there = self.hint_region(position, move), why.match
            return Hint(region, move, why.says, line, verdict, why.distance, there.says, there.squares)
        rest = self.solver.line(position.play(best.move), control)
        said = self.solver.reason(position, best.move, best.verdict)
        if why is None and best.verdict.remoteness and self.has_rules:
            said = f"{said} {unexplained}"
        return Hint(self.hint_region(position, best.move), best.move, said, (best.move, *rest), best.verdict)

    def explain_mistake(self, position: P, move: M, control: Control) -> MistakeExplanation:
        """Why a move is a mistake; empty if the game has no rules of thumb."""
        if not self.has_rules:
            return MistakeExplanation()
        mover, other = self._sides[position.turn], self._sides[1 - position.turn]
        after = position.play(move)
        why, unexplained = self.reasons.explain_or_say_why(after, control)
        if why is None:
            return MistakeExplanation(unexplained)
        rule = why.rule.id if why.rule else ""
        return MistakeExplanation(why.reply(other, mover), rule, squares=self.spoken_of(after, why))

    @final
    def spoken_of(self, position: P, why: Explanation[P, M]) -> Squares:
        """The squares that an explanation of a position speaks of: its first move and what that leaves."""
        if not why.line:
            return why.match.squares
        left = why.match.squares if len(why.line) == 1 else ()
        return (*self.squares_of(position, why.line[0]), *left)

    def verdict_details(self, position: P, verdict: Verdict) -> dict[str, Any]:
        """Additional keys for the JSON output of `arcade verdict`."""
        return {}

    def score_argument(self, position: P) -> dict[str, int]:
        """An upper bound of a race's score by the rules alone, without a search.

        Returns the bound as "limit" with the numbers of the argument for it; empty if there is none.
        """
        return {}

    def chat_drawing(self, position: P) -> str:
        """The board in coloured squares to paste into a chat; empty for none."""
        return ""
