"""Hints and explanations of mistakes."""

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, final

from arcade.engines.control import Control
from arcade.engines.players import GUESS_PLIES
from arcade.engines.position import M, P, Symmetries
from arcade.engines.reasons import OUT_OF_TIME, Explanation, Reasons, Rule, RuleMatch, rule_title
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
"""Time limit of each of the first two attempts at a proven hint: for all moves, then for the best line."""
SEARCH_SECONDS = 1.5
"""Minimum time for the last attempt at a proven hint, and for the estimate if that attempt fails."""
REASON_SECONDS = 0.5
"""Time limit for finding a reason in a position that is not quick to solve."""
LINE_SECONDS = 0.3
"""Seconds that a hint waits for its line. If a longer line is found later, it updates the hint."""
AT_LEAST_A_TIE = "It keeps at least a tie. Whether another move wins is not proved."
MAX_COMPARED = 12


def _share(part: float, control: Control) -> float:
    return SEARCH_SECONDS if control.remaining is None else max(SEARCH_SECONDS, part * control.remaining)


@dataclass(frozen=True, slots=True)
class MistakeExplanation:
    says: str = ""
    rule: str = ""
    """ID of the rule that explains the mistake, or ""."""
    points: int = 0
    """Points lost in a race."""
    squares: Squares = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of the solver in seconds, with None for no limit."""

    verdict: float | None = None
    """Limit for the verdicts of a position and its moves."""
    review: float | None = 5.0
    hint: float | None = 10.0


class Explanations(Generic[P, M]):
    """The hints and explanations of a game. Override individual methods, such as `words_of`."""

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
        return ()

    def load_lines(self) -> Mapping[str, str]:
        """Return stored lines that lead to reasons, by position text; see `reasons.stored_lines`."""
        return {}

    @final
    @property
    def has_rules(self) -> bool:
        """True if the game has rules of thumb. Checking does not load them."""
        return type(self).load_rules is not Explanations.load_rules

    @cached_property
    def rules(self) -> Sequence[Rule[P]]:
        return tuple(self.load_rules())

    @cached_property
    def reasons(self) -> Reasons[P, M]:
        shown = [rule for rule in self.rules if rule.shown]
        return Reasons(shown, self._solver, self._symmetries, self._sides, self.load_lines())

    @cached_property
    def all_reasons(self) -> Reasons[P, M]:
        return Reasons(self.rules, self._solver, self._symmetries, self._sides, self.load_lines())

    @final
    def why(self, position: P, control: Control) -> Explanation[P, M] | None:
        """Explain a position's value, or return None if no reason is found.

        If the rule for this value teaches nothing, explain a move instead, provided that its reason is short.
        In a tied position, a rule with exceptions may explain a move that is proved to keep the tie.
        """
        why = self.reasons.why(position, control)
        if why is None:
            return None
        if why.verdict.value is Value.TIE:
            return self._why_tie(position, why, control)
        if why.line or why.rule is None or why.rule.teaches:
            return why
        by_move = self.reasons.explain(position, control, moved=True)
        return by_move if by_move is not None and by_move.short else why

    def _why_tie(self, position: P, why: Explanation[P, M], control: Control) -> Explanation[P, M]:
        analysis = self.solver.moves(position, control)
        found = self._rule_here(position, Value.TIE, analysis)
        if found is None:
            played = [each for each in analysis if why.line and each.move == why.line[0]]
            return replace(why, note=self._tie_reason(position, played[0], analysis)) if played else why
        rule, match, judged = found
        keeps = self._tie_reason(position, judged, analysis)
        says = f"{why.mover} plays {judged.move}. {match.what_for} {keeps}"
        told = replace(match, says=says, moves=(str(judged.move),), can_play="")
        return replace(why, line=(), position=position, value=Value.TIE, rule=rule, match=told)

    @final
    def shown_rule(self, rule: str) -> Rule[P] | None:
        """Return the rule with an ID, or None if the ID is empty or the rule is hidden."""
        return next((each for each in self.reasons.rules if each.id == rule), None) if rule else None

    def words_of(self, move: M) -> str:
        """Return a move in words. The default is its notation."""
        return str(move)

    def squares_of(self, position: P, move: M) -> Squares:
        """Return the squares that a move names, leaves or covers."""
        return ()

    def hint_region(self, position: P, move: M) -> HintRegion:
        only = len(position.moves()) == 1
        return HintRegion("You have only one move." if only else "Compare what each legal move leads to.")

    def hint(self, position: P, control: Control) -> Hint[M] | None:
        last = deque(self.hints(position, control), maxlen=1)
        return last[0] if last else None

    def hints(self, position: P, control: Control) -> Iterator[Hint[M]]:
        """Yield a hint, and yield it again whenever more of its line is known.

        The hint's move is proved best if a few seconds are enough for that, and otherwise estimated. If the
        game is over or the control is cancelled, there is no hint.
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
        hint = self._reason_here(position, best, analysis, control)
        if hint is None:
            with control.within(None if self.solver.is_quick(position) else REASON_SECONDS):
                hint = self._reason_after(position, best, analysis, control)
        for rest in self._lines(position.after(hint.line), control):
            yield replace(hint, line=(*hint.line, *rest))

    def _rule_here(
        self, position: P, value: Value, analysis: Sequence[MoveVerdict[M]]
    ) -> tuple[Rule[P], RuleMatch, MoveVerdict[M]] | None:
        """Return a rule that helps to find a move with this value, its match, and the best such move."""
        for rule in self.reasons.rules:
            # At a tie a rule may have exceptions: the verdict proves the move that it helps to find.
            helps = rule.teaches and rule.value is value and (rule.proved or value is Value.TIE)
            match = rule.match(position) if helps else None
            if match is None or (value is Value.TIE and not match.moves):
                continue
            named = (each for each in analysis if not match.moves or str(each.move) in match.moves)
            keeping = [each for each in named if each.verdict.value is value]
            if keeping:
                return rule, match, max(keeping, key=lambda each: each.best)
        return None

    def _reason_here(
        self, position: P, best: MoveVerdict[M], analysis: Sequence[MoveVerdict[M]], control: Control
    ) -> Hint[M] | None:
        """Return a hint based on a rule that applies to this position, or None if no rule applies."""
        value = best.verdict.value
        found = None if value is None else self._rule_here(position, value, (best, *analysis))
        if found is None:
            return None
        rule, match, best = found
        says = match.what_for or f"Before this move, {match.says}"
        if value is Value.LOSS:
            says = match.sentence
        elif value is Value.TIE:
            says = f"{says} {self._tie_reason(position, best, analysis)}"
        line = self._with_answer(position, (best.move,), 0 if value is Value.LOSS else 1, match, control)
        return self._hint(position, best, says, rule.motto, line)

    def _with_answer(
        self, position: P, line: tuple[M, ...], start: int, match: RuleMatch, control: Control
    ) -> tuple[M, ...]:
        """Append the rule's answer, if any, to the move at index `start`.

        If the line does not have that move, append it first.
        """
        if not match.answers:
            return line
        if len(line) == start:
            with control.within(LINE_SECONDS):
                line = (*line, *self.solver.line(position.after(line), control)[:1])
        answer = dict(match.answers).get(str(line[start])) if len(line) > start else None
        return (*line, *(move for move in position.after(line).moves() if str(move) == answer))

    def _with_named(self, why: Explanation[P, M], line: tuple[M, ...], control: Control) -> tuple[M, ...]:
        """Append a move named by the rule that applies at the end of a line, preferably the best move."""
        if len(line) > why.distance:
            return line
        with control.within(LINE_SECONDS):
            best = self.solver.line(why.position, control)[:1]
        named = [move for move in why.position.moves() if str(move) in why.match.moves]
        return (*line, *(best if best and best[0] in named else named[:1]))

    def _hint(
        self, position: P, judged: MoveVerdict[M], why: str, motto: str = "", line: Sequence[M] = ()
    ) -> Hint[M]:
        note, value = "", judged.verdict.value
        if value is Value.LOSS:
            note = self.solver.reason(position, judged.move, judged.verdict)
        line = tuple(line) or (judged.move,)
        return Hint(
            self.hint_region(position, judged.move),
            judged.move,
            note,
            why,
            line,
            judged.verdict,
            motto=motto,
            rule_title=rule_title(value, self._sides[1 - position.turn]),
            follows_reason=len(line) > 1,
        )

    def _tie_reason(self, position: P, judged: MoveVerdict[M], analysis: Sequence[MoveVerdict[M]]) -> str:
        losing = sum(each.verdict.value is Value.LOSS for each in analysis)
        if 0 < losing == len(analysis) - 1:
            return "Every other move loses."
        return self.solver.reason(position, judged.move, judged.verdict)

    def _reason_after(
        self, position: P, best: MoveVerdict[M], analysis: Sequence[MoveVerdict[M]], control: Control
    ) -> Hint[M]:
        """Return a hint whose line ends where a rule applies, or a hint with the solver's reason."""
        why = self.reasons.explain(position, control, moved=True)
        if why is not None and why.lost and why.line[0] not in [each.move for each in analysis if each.best]:
            after = self.reasons.explain(position.play(best.move), control)
            why = None
            if after is not None:
                line, sides = (best.move, *after.line), (after.other, after.mover)
                why = replace(after, line=line, distance=len(line), mover=sides[0], other=sides[1])
        value = best.verdict.value
        fact = None if value is None else self.reasons.first_match(position, value)
        if why is not None and why.rule is not None and (why.short or fact is None):
            move = why.line[0]
            judged = MoveVerdict(move, self.solver.verdict(position.play(move), control).before_move())
            when = f"later in the line, after {why.line[-1]}"
            says = why.after_move(when, named=True)
            if why.value is Value.TIE:
                says = f"{says} {self._tie_reason(position, judged, analysis)}"
            line = self._with_answer(position, why.line, why.distance, why.match, control)
            line = self._with_named(why, line, control)
            hint = self._hint(position, judged, says, why.rule.motto, line)
            there, squares = why.match.sentence, why.match.squares
            return replace(
                hint,
                reason=why.distance,
                there=there,
                squares=squares,
                later_rule=None if why.short else why.rule_line,
                follows_reason=True,
            )
        if fact is not None:
            says = "The solver found this move. The rule below says only that some move wins."
            return self._hint(position, best, says, fact[0].motto)
        said = self.solver.reason(position, best.move, best.verdict) if best.best else AT_LEAST_A_TIE
        if value is Value.LOSS:
            said = "The solver checked every move."
        if why is None and best.verdict.remoteness and self.reasons.proved:
            said = f"{said} {OUT_OF_TIME}"
        return self._hint(position, best, said)

    def _best_proved(
        self, position: P, control: Control
    ) -> tuple[MoveVerdict[M] | None, Sequence[MoveVerdict[M]]]:
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
        """Return a hint without proof: a search's best move among those not proved to lose.

        `analysis` holds the known verdicts. `started` is the value of `control.seconds` when work on the hint
        began.
        """
        started = control.seconds if started is None else started
        moves = value_keeping_moves(analysis) if analysis else position.moves()
        with control.within(_share(0.2, control)):
            found = self.solver.estimates(position, moves, GUESS_PLIES, random.Random(0), control)
        move, rule, there = self._by_rule_of_thumb(position, found.best[:MAX_COMPARED])
        because = found.because(move)
        why = f", because {because}" if because else ""
        if rule is not None:
            why = f" by a rule {'with ' * rule.proved}{rule.strength}"
        seconds = round(control.seconds - started)
        looked = f"After {quantity(seconds, 'second')} of search" if seconds else "At a first glance"
        equal = len(found.best) - 1
        looks = "it looks best" if rule or not equal else f"it and {quantity(equal, 'other move')} look best"
        says = f"{looked}, {looks}{why}."
        if rule is not None:
            says += f" {there}"
        lost = sum(judged.verdict.value is Value.LOSS for judged in analysis)
        if lost:
            says += f" Proved: {quantity(lost, 'other move')} {'loses' if lost == 1 else 'lose'}."
        known = next((judged.verdict for judged in analysis if judged.move == move), DuelVerdict())
        verdict = replace(known, proof=Proof.ESTIMATE)
        motto, note = rule.motto if rule else "", "This is not proved."
        return Hint(self.hint_region(position, move), move, note, says, (move,), verdict, motto=motto)

    def _by_rule_of_thumb(self, position: P, moves: Sequence[M]) -> tuple[M, Rule[P] | None, str]:
        """Return a move after which the opponent loses by a rule, the rule, and its sentence.

        If there is none, return the first move, None and "".
        """
        for rule in sorted(self.reasons.rules, key=lambda rule: not rule.proved):
            if rule.value is Value.LOSS:
                for move in moves:
                    after = position.play(move)
                    match = None if after.outcome() is not None else rule.match(after)
                    if match is not None:
                        return move, rule, match.sentence
        return moves[0], None, ""

    def explain_mistake(self, position: P, move: M, control: Control) -> MistakeExplanation:
        """Explain why a move is a mistake. The explanation is empty if the game has no proven rules."""
        if not self.reasons.proved:
            return MistakeExplanation()
        after = position.play(move)
        why = self.reasons.explain(after, control)
        if why is None:
            return MistakeExplanation(OUT_OF_TIME)
        rule, says = why.rule.id if why.rule else "", why.reply()
        for reply in why.line[:1]:
            says = says.replace(str(reply), self.words_of(reply), 1)
        return MistakeExplanation(says, rule, squares=self.spoken_of(after, why))

    @final
    def spoken_of(self, position: P, why: Explanation[P, M]) -> Squares:
        """Return the squares of the first move, then those of the rule unless more moves come before it."""
        if not why.line:
            return why.match.squares
        left = why.match.squares if len(why.line) == 1 else ()
        return (*self.squares_of(position, why.line[0]), *left)

    def verdict_details(self, position: P, verdict: Verdict) -> dict[str, Any]:
        """Return additional data for `arcade verdict --json`."""
        return {}

    def score_argument(self, position: P) -> dict[str, int]:
        """Return an upper bound of the score that follows from the rules alone.

        The key "limit" has the bound, and the others have the numbers behind it. By default, there is none.
        """
        return {}

    def chat_drawing(self, position: P) -> str:
        """Return a drawing of the board in coloured squares, or "" if the game has none."""
        return ""
