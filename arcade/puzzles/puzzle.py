"""What a puzzle is: positions with exactly one good move each, and how hard it is to see the first."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import Kind
from arcade.engines.players import likely
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID
from arcade.engines.verdict import MoveVerdict, Value, Verdict

GRADES = range(1, 6)
"""From easy to hard."""

Analysis = Sequence[MoveVerdict[Any]]


@dataclass(frozen=True)
class PuzzleStep:
    """One move to find."""

    position: Position[Any]
    analysis: Analysis
    """Every legal move with its exact verdict."""
    move: Any
    """The only one that keeps the value; in a race, the only one that reaches the highest score."""
    reply: Any = None
    """The best answer to it; None in a race, and after the last move to find."""

    def verdict(self, move: Any) -> Verdict:
        """The verdict of a legal move."""
        return next(each.verdict for each in self.analysis if each.move == move)


@dataclass(frozen=True)
class Puzzle:
    """A position with one move to find, and perhaps more moves after it."""

    id: GameID
    """Its exact position."""
    grade: int
    """One of `GRADES`."""
    sees: int
    """The least N from which on `sees:N` finds the first move for certain: in plies, in a race in tiles."""
    tempting: int
    """Wrong first moves that Beginner might play; in a race, those that score as much at once."""
    steps: tuple[PuzzleStep, ...]

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.id.game

    @property
    def start(self) -> Position[Any]:
        """The position in which the first move is to be found."""
        return self.steps[0].position

    @property
    def value(self) -> Value | None:
        """What the first move keeps, a win or a tie; None in a race."""
        return self.steps[0].verdict(self.steps[0].move).value

    @property
    def task(self) -> str:
        """What is asked, as a sentence."""
        who, step = self.game.sides[self.start.turn], self.steps[0]
        if self.value is Value.WIN:
            return f"{who} to move: find the only move that wins."
        if self.value is Value.TIE:
            return f"{who} to move: find the only move that does not lose."
        best = getattr(step.verdict(step.move), "best", None)
        return f"Find the only placement that can still reach {best} points."

    def json(self) -> dict[str, Any]:
        """The puzzle as `arcade puzzle --json` prints it."""
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


def least_sight(
    game: AnyGame, position: Position[Any], analysis: Analysis, move: Any, control: Control
) -> int:
    """The least N from which on `sees:N` finds the only good move of a position for certain.

    Args:
        game: the game.
        position: the position.
        analysis: the exact verdicts of all its moves.
        move: the only one that is good.
        control: stops the search in a race; the result is then meaningless.
    """
    if game.kind is Kind.RACE:
        tiles = 1
        while not control.stopped:
            seen = game.solver.seen(position, tiles, control)
            if [each.move for each in seen if each.best] == [move]:
                break
            tiles += 1
        return tiles
    # What such a player knows changes only at these numbers.
    lengths = sorted({1, *(each.verdict.remoteness or 1 for each in analysis)}, reverse=True)
    least = lengths[0]
    for plies in lengths:
        if list(likely(game, position, analysis, plies)) != [move]:
            break
        least = plies
    return least


def tempting_moves(
    game: AnyGame, position: Position[Any], analysis: Analysis, move: Any, control: Control
) -> int:
    """How many wrong moves Beginner might play; in a race, how many score at once as much as the right."""
    if game.kind is Kind.RACE:
        now = {each.move: each.verdict.preference for each in game.solver.seen(position, 1, control)}
        return sum(score >= now[move] for score in now.values()) - 1
    return sum(each != move for each in likely(game, position, analysis, game.sights[0]))


def difficulty(sees: int, tempting: int, moves: int) -> int:
    """About how much there is to look at: how far, how much that tempts, and how many moves in all."""
    return sees * (1 + tempting) * moves


def grade_of(game: AnyGame, hard: int) -> int:
    """The grade for a difficulty."""
    return 1 + bisect_right(game.puzzle_steps, hard)
