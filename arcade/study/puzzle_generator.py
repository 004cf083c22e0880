"""A generator of puzzles: positions with exactly one good move, graded by difficulty."""

import random
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID
from arcade.engines.seats import Guests
from arcade.engines.verdict import (
    MoveVerdict,
    Proof,
    ScoreVerdict,
    Squares,
    Value,
    Verdict,
    mark_best,
    value_keeping_moves,
)
from arcade.engines.wording import quantity
from arcade.play.match import HUMAN, Mark, Match
from arcade.store.record import MatchRecord

GRADES = range(1, 6)


@dataclass(frozen=True)
class PuzzleStep:
    position: Position[Any]
    analysis: Sequence[MoveVerdict[Any]]
    move: Any
    """The only move that keeps the value, or in a race the highest score."""
    reply: Any = None
    """The opponent's reply; None in a race and after the last move."""

    def verdict(self, move: Any) -> Verdict:
        return next(each.verdict for each in self.analysis if each.move == move)

    @property
    def best(self) -> int | None:
        verdict = self.verdict(self.move)
        return verdict.best if isinstance(verdict, ScoreVerdict) else None


@dataclass(frozen=True)
class Puzzle:
    id: GameID
    grade: int
    sees: int
    """Number of plies (in a race, moves) to look ahead to be sure of the first move."""
    tempting: int
    """Number of wrong moves that Beginner might play; in a race, that at once score as much as the best."""
    steps: tuple[PuzzleStep, ...]
    reason: str = ""
    squares: Squares = ()

    @property
    def game(self) -> AnyGame:
        return self.id.game

    @property
    def title(self) -> str:
        return f"{self.game.title}, grade {self.grade} of 5"

    @property
    def start(self) -> Position[Any]:
        return self.steps[0].position

    @property
    def value(self) -> Value | None:
        return self.steps[0].verdict(self.steps[0].move).value

    @property
    def task(self) -> str:
        who, step = self.game.sides[self.start.turn], self.steps[0]
        if self.value is Value.WIN:
            return f"You are {who}. Find the only move that wins."
        if self.value is Value.TIE:
            return f"You are {who}. Find the only move that does not lose."
        return f"Find the only move that can still reach {quantity(step.best or 0, 'point')}."

    def json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "id": str(self.id),
            "grade": self.grade,
            "sees": self.sees,
            "moves": [str(step.move) for step in self.steps],
            "replies": [str(step.reply) for step in self.steps if step.reply is not None],
            "tempting": self.tempting,
            "task": self.task,
        }


def least_sight(game: AnyGame, step: PuzzleStep, control: Control) -> int:
    if step.best is not None:
        ahead = 1
        while not control.stopped:
            seen = game.solver.look_ahead(step.position, ahead, control)
            if [move.move for move in seen if move.best] == [step.move]:
                break
            ahead += 1
        return ahead
    lengths = sorted({1, *(move.verdict.remoteness or 1 for move in step.analysis)}, reverse=True)
    least = lengths[0]
    for plies in lengths:
        if list(game.players.likely_moves(step.position, step.analysis, plies)) != [step.move]:
            break
        least = plies
    return least


def tempting_moves(game: AnyGame, step: PuzzleStep, control: Control) -> int:
    if step.best is not None:
        seen = game.solver.look_ahead(step.position, 1, control)
        now = {each.move: each.verdict.preference for each in seen}
        return sum(score >= now[step.move] for score in now.values()) - 1
    return sum(
        move != step.move
        for move in game.players.likely_moves(step.position, step.analysis, game.players.lookahead[0])
    )


def difficulty(sees: int, tempting: int, moves: int) -> int:
    return sees * (1 + tempting) * moves


def grade_of(game: AnyGame, hard: int) -> int:
    return 1 + bisect_right(game.practice.grade_thresholds, hard)


MAX_MOVES = 4

MAX_LOOKAHEAD = 9
"""Maximum value of `Puzzle.sees` if no rule of thumb finds the first move."""

MAX_REASON_PLIES = 9
"""Maximum number of plies until a rule of thumb applies, in a puzzle beyond `MAX_LOOKAHEAD`."""

MAX_STEPS = 3

MAX_REPLIES = 8
"""Maximum number of equally good replies to try. The first that leads to another puzzle move is chosen."""

MAX_WALKS = 3000


@dataclass(frozen=True)
class Root:
    id: GameID
    position: Position[Any]


class PuzzleGenerator:
    """A source of puzzles that do not depend on the clock. No two of its puzzles are equal by symmetry."""

    def __init__(self, game: AnyGame, rule: str = "") -> None:
        self.game = game
        self.rule = rule
        self.made: set[str] = set()

    def make(
        self, seed: object, control: Control, grade: int | None = None, roots: Sequence[Root] = ()
    ) -> Puzzle | None:
        """Make a puzzle from random moves that start at one of `roots` (default: the game's boards).

        Returns None if stopped. Raises InputError if no puzzle is found.
        """
        rng = random.Random(f"{self.game.name} {seed}")
        for _ in range(MAX_WALKS):
            for root, position in self._walk(rng, roots):
                if control.stopped:
                    return None
                puzzle = self._look(root, position, grade, control)
                if puzzle is not None and not control.stopped:
                    self.made.add(self.game.symmetries.canonical(position))
                    return puzzle
        kind = "" if grade is None else f" of grade {grade}"
        other = "other " if self.made else ""
        raise InputError(f"No {other}puzzle{kind} found in {self.game.title}.")

    def _walk(self, rng: random.Random, roots: Sequence[Root]) -> Iterator[tuple[GameID, Position[Any]]]:
        root = roots[_below(rng, len(roots))] if roots else self._start(rng)
        positions = [root.position]
        while (moves := positions[-1].moves()) and positions[-1].outcome() is None:
            positions.append(positions[-1].play(moves[_below(rng, len(moves))]))
        if not roots:
            del positions[0]
            for last in range(len(positions) - 1, 0, -1):
                other = _below(rng, last + 1)
                positions[last], positions[other] = positions[other], positions[last]
        for position in positions:
            if position.outcome() is None:
                yield root.id, position

    def _start(self, rng: random.Random) -> Root:
        game = self.game
        boards = game.practice.puzzle_boards or game.parameters.boards or ("",)
        parameters = game.parameters.parse(boards[_below(rng, len(boards))])
        return Root(GameID(game, parameters), game.new(parameters, _below(rng, 1 << 30)))

    def _look(
        self, id: GameID, position: Position[Any], grade: int | None, control: Control
    ) -> Puzzle | None:
        game = self.game
        reasons = game.explanations.reasons
        first = self._only(position, control) if game.solver.is_quick(position) else None
        if first is None or position.play(first.move).outcome() is not None:
            return None
        if game.symmetries.canonical(position) in self.made:
            return None
        if self.rule and not self._teaches(position, control):
            return None
        sees, tempting = least_sight(game, first, control), tempting_moves(game, first, control)
        if sees > MAX_LOOKAHEAD and reasons.why(position, control, MAX_REASON_PLIES, moved=True) is None:
            return None
        own = grade_of(game, difficulty(sees, tempting, len(first.analysis)))
        if grade not in (None, own):
            return None
        steps = tuple(self._line(first, control))
        why = reasons.explain(steps[-1].position, control, moved=True)
        reason = why.after_move() if why else ""
        if why and why.rule:
            reason = f"{reason} Rule: {why.rule.motto}"
        squares = game.explanations.spoken_of(steps[-1].position, why) if why else ()
        return Puzzle(id.at(position), own, sees, tempting, steps, reason, squares)

    def _teaches(self, position: Position[Any], control: Control) -> bool:
        reasons = self.game.explanations.reasons
        here = reasons.first_match(position, Value.WIN)
        if here is not None and here[0].id == self.rule:
            return True
        why = reasons.why(position, control, MAX_STEPS, moved=True)
        return why is not None and why.rule is not None and why.rule.id == self.rule

    def _only(self, position: Position[Any], control: Control) -> PuzzleStep | None:
        if isinstance(self.game, RaceGame):
            # The exact scores of the other moves would take longer.
            analysis = self.game.solver.move_values(position, control)
        else:
            analysis = self._analysis(position, control)
        keeping = value_keeping_moves(analysis)
        only = len(keeping) == 1 < len(analysis) and not control.stopped
        return PuzzleStep(position, analysis, keeping[0]) if only else None

    def _analysis(self, position: Position[Any], control: Control) -> list[MoveVerdict[Any]]:
        """Return the verdicts of the moves, or [] if there is no puzzle because all moves lose or two win."""
        solver, looked_at = self.game.solver, list[tuple[Any, Verdict]]()
        if solver.value(position, control).value is Value.LOSS:
            return []
        wins = 0
        for move in position.moves():
            after = position.play(move)
            verdict = (after.ending() or solver.value(after, control)).before_move()
            looked_at.append((move, verdict))
            wins += verdict.value is Value.WIN
            if wins == 2:
                return []
        if all(verdict.proof is Proof.EXACT for _, verdict in looked_at):
            return mark_best(looked_at)
        return solver.moves(position, control)

    def _line(self, step: PuzzleStep, control: Control) -> Iterator[PuzzleStep]:
        for number in range(1, MAX_MOVES + 1):
            reply, following = self._go_on(step, control) if number < MAX_MOVES else (None, None)
            yield PuzzleStep(step.position, step.analysis, step.move, reply)
            if following is None:
                return
            step = following

    def _go_on(self, step: PuzzleStep, control: Control) -> tuple[Any, PuzzleStep | None]:
        after = step.position.play(step.move)
        if after.outcome() is not None:
            return None, None
        if after.turn == step.position.turn:
            return None, self._only(after, control)
        best = [each.move for each in self.game.solver.moves(after, control) if each.best]
        for reply in best[:MAX_REPLIES]:
            following = self._only(after.play(reply), control)
            if following is not None:
                return reply, following
        return None, None


def _below(rng: random.Random, limit: int) -> int:
    """Return a random integer below `limit`. Unlike `randrange`, it is the same in every Python version."""
    return int(rng.random() * limit)


def mistakes(game: AnyGame, records: Iterable[MatchRecord], guests: Guests | None = None) -> list[Root]:
    roots: dict[str, Root] = {}
    for record in records:
        bad = any(mark in record.marks for mark in Mark if mark.bad)
        if record.game != game.name or record.result is None or not bad:
            continue
        with suppress(InputError):
            match = Match.from_record(record, guests)
            for ply, position in match.steps():
                if ply.mark and ply.mark.bad and ply.by == HUMAN:
                    roots.setdefault(game.symmetries.canonical(position), Root(match.start, position))
    return list(roots.values())
