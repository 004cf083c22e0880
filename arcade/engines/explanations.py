"""Hints and explanations of mistakes, from a game's solver and its rules of thumb."""

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, final

from arcade.engines.control import Control
from arcade.engines.players import GUESS_PLIES
from arcade.engines.position import M, P, Symmetries
from arcade.engines.reasons import Explanation, Reasons, Rule
from arcade.engines.solver import Goal, Solver
from arcade.engines.verdict import (
    DuelVerdict,
    Hint,
    HintRegion,
    MoveVerdict,
    Proof,
    Squares,
    Value,
    Verdict,
    value_keeping_moves,
)
from arcade.engines.wording import quantity

PROOF_SECONDS = 1.0
"""The longest time of a hint's first two attempts to prove a move: by all moves, and by the best line."""
SEARCH_SECONDS = 1.5
"""The least time for its last attempt, and then for an estimate; more where the caller leaves more."""
REASON_SECONDS = 0.5
"""The longest time to look for a hint's reason in a position whose moves take long to prove."""
LINE_SECONDS = 0.3
"""A hint waits so long for its line; what is found later follows."""
AT_LEAST_A_TIE = "It keeps at least a tie. Whether another move wins is not proved."
MAX_COMPARED = 12
"""Most moves that are compared by rules of thumb because they look equally good."""


def _share(part: float, control: Control) -> float:
    """Seconds for a part of the work that is left."""
    return SEARCH_SECONDS if control.remaining is None else max(SEARCH_SECONDS, part * control.remaining)


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

    def load_lines(self) -> Mapping[str, str]:
        """Lines to the reasons of first positions, see `reasons.stored_lines`."""
        return {}

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
        return Reasons(self.load_rules(), self._solver, self._symmetries, self.load_lines())

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
        """The last of `hints`; None when the game is over, or when cancelled before there is one."""
        last = deque(self.hints(position, control), maxlen=1)
        return last[0] if last else None

    def hints(self, position: P, control: Control) -> Iterator[Hint[M]]:
        """Help with a position: a hint, and the same one again when more of its line is known.

        The move is proved if that is possible in a few seconds; else the hint says that it is an estimate.
        Nothing when the game is over, or when cancelled before there is a hint.
        """
        if position.outcome() is not None:
            return
        started = control.seconds
        best, analysis = self._best_proved(position, control)
        if control.cancelled:
            return
        if best is None:
            yield self.estimated_hint(position, control, analysis, started)
            return
        with control.within(None if self.solver.is_quick(position) else REASON_SECONDS):
            why, unexplained = self.reasons.explain_or_say_why(position, control, moved=True)
        if why is not None and why.rule is not None:
            move = why.line[0]
            verdict = self.solver.verdict(position.play(move), control).before_move()
            region, there = self.hint_region(position, move), why.match
            hint = Hint(region, move, why.says, why.line, verdict, why.distance, there.says, there.squares)
        else:
            said = self.solver.reason(position, best.move, best.verdict) if best.best else AT_LEAST_A_TIE
            if why is None and best.verdict.remoteness and self.has_rules:
                said = f"{said} {unexplained}"
            hint = Hint(self.hint_region(position, best.move), best.move, said, (best.move,), best.verdict)
        for rest in self._lines(position.after(hint.line), control):
            yield replace(hint, line=(*hint.line, *rest))

    def _best_proved(
        self, position: P, control: Control
    ) -> tuple[MoveVerdict[M] | None, Sequence[MoveVerdict[M]]]:
        """A move that is proved to be best, if one is found in time, and what is known of all moves."""
        solver = self.solver

        def judged(seconds: float) -> tuple[MoveVerdict[M] | None, Sequence[MoveVerdict[M]]]:
            with control.within(seconds):
                analysis = solver.moves(position, control)
            sure = (each for each in analysis if each.best or each.verdict.value is Value.TIE)
            return max(sure, key=lambda each: each.verdict.preference, default=None), analysis

        best, analysis = judged(PROOF_SECONDS)
        if best is not None or control.stopped:
            return best, analysis
        with control.within(PROOF_SECONDS):
            can_solve = solver.can_solve(position, control)
            line = solver.solve(position, control, Goal.LINE) if can_solve else ()
            move = next((found.line[0] for found in line if found.line), None)
            if move is not None:
                return MoveVerdict(move, solver.verdict(position, control), True), analysis
        return judged(_share(0.6 if can_solve else 0.15, control))

    def _lines(self, position: P, control: Control) -> Iterator[Sequence[M]]:
        """Best play as far as it is known soon, then whenever more of it is known."""
        line: Sequence[M] = ()
        with control.within(LINE_SECONDS):
            line = self.solver.line(position, control)
        yield line
        if position.after(line).outcome() is None:
            for found in self.solver.solve(position, control, Goal.LINE):
                if len(found.line) > len(line):
                    line = found.line
                    yield line

    def estimated_hint(
        self,
        position: P,
        control: Control,
        analysis: Sequence[MoveVerdict[M]] = (),
        started: float | None = None,
    ) -> Hint[M]:
        """A hint that is not proved: the best move of a search, of those that are not lost.

        `analysis` is what is known of the moves, `started` when the search began, by the control's seconds.
        """
        started = control.seconds if started is None else started
        moves = value_keeping_moves(analysis) if analysis else position.moves()
        with control.within(_share(0.2, control)):
            found = self.solver.estimates(position, moves, GUESS_PLIES, random.Random(0), control)
        move, thumb = self._by_rule_of_thumb(position, found.best[:MAX_COMPARED])
        because = thumb or found.because(move)
        seconds = round(control.seconds - started)
        looked = f"after {quantity(seconds, 'second')} of search" if seconds else "at a first glance"
        equal = len(found.best) - 1
        others = "" if thumb or not equal else f" and {quantity(equal, 'other move')}"
        looks = "look" if others else "looks"
        says = f"Not proved: {looked} {move}{others} {looks} best{because and f', because {because}'}."
        lost = sum(judged.verdict.value is Value.LOSS for judged in analysis)
        if lost:
            says += f" Proved: {quantity(lost, 'other move')} {'loses' if lost == 1 else 'lose'}."
        known = next((judged.verdict for judged in analysis if judged.move == move), DuelVerdict())
        verdict = replace(known, proof=Proof.ESTIMATE)
        return Hint(self.hint_region(position, move), move, says, (move,), verdict)

    def _by_rule_of_thumb(self, position: P, moves: Sequence[M]) -> tuple[M, str]:
        """Of moves that look equally good the one that a rule of thumb likes most, and a clause on why.

        The clause is empty if no rule speaks for it.
        """
        for rule in sorted(self.rules, key=lambda rule: not rule.proved):
            if rule.value is Value.LOSS:
                for move in moves:
                    after = position.play(move)
                    match = None if after.outcome() is not None else rule.match(after)
                    if match is not None:
                        return move, f"you leave {match.shape or rule.shape} ({rule.strength})"
        return moves[0], ""

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
