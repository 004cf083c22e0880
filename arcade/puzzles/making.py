"""Make puzzles: random play from a seed, until a position has exactly one move that keeps the value."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.control import Control
from arcade.engines.errors import InputError
from arcade.engines.game import Kind
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID
from arcade.engines.verdict import Value, keeps_value
from arcade.puzzles.puzzle import Puzzle, PuzzleStep, difficulty, grade_of, least_sight, tempting_moves

MOST_MOVES = 4
"""Most moves to find in one puzzle."""

MOST_REPLIES = 8
"""Among equally good replies, so many are tried for one that again leaves only one good move."""

MOST_WALKS = 3000
"""Random matches after which a search for one more puzzle gives up."""


@dataclass(frozen=True)
class Root:
    """A position where random play begins."""

    id: GameID
    """The game and its parameters."""
    position: Position[Any]


class Maker:
    """Makes the puzzles of a game, no two of them alike by symmetry.

    The same seeds give the same puzzles on every machine: nothing depends on the clock.

    Args:
        game: the game.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.made: set[str] = set()
        """The canonical forms of the positions that are not made again."""

    def make(
        self, seed: object, control: Control, grade: int | None = None, roots: Sequence[Root] = ()
    ) -> Puzzle | None:
        """A new puzzle.

        Args:
            seed: anything whose text is the seed.
            control: stops the search.
            grade: 1 to 5; None for any.
            roots: where random play begins; these positions themselves come first. Without any, it begins on
                the game's own boards.

        Returns:
            None when stopped.

        Raises:
            InputError: there is no further puzzle of this kind, as far as could be found.
        """
        rng = random.Random(f"{self.game.name} {seed}")
        for _ in range(MOST_WALKS):
            for root, position in self._walk(rng, roots):
                if control.stopped:
                    return None
                found = self._look(root, position, grade, control)
                if found is not None and not control.stopped:
                    self.made.add(self.game.canonical(position))
                    return found
        kind = "" if grade is None else f" of grade {grade}"
        raise InputError(f"There are no puzzles{kind} to find in {self.game.title} beyond {len(self.made)}.")

    def _walk(self, rng: random.Random, roots: Sequence[Root]) -> Iterator[tuple[GameID, Position[Any]]]:
        """The positions of one random match, the last ones left out, where nothing is left to choose."""
        root = roots[_below(rng, len(roots))] if roots else self._start(rng)
        positions = [root.position]
        while (moves := positions[-1].moves()) and positions[-1].outcome() is None:
            positions.append(positions[-1].play(moves[_below(rng, len(moves))]))
        if not roots:
            # A game has few first positions.
            del positions[0]
            _shuffle(rng, positions)
        for position in positions:
            if position.outcome() is None:
                yield root.id, position

    def _start(self, rng: random.Random) -> Root:
        game = self.game
        boards = game.puzzle_boards or tuple(preset.parameters for preset in game.presets) or ("",)
        parameters = game.parse_parameters(boards[_below(rng, len(boards))])
        return Root(GameID(game, parameters), game.new(parameters, _below(rng, 1 << 30)))

    def _look(
        self, id: GameID, position: Position[Any], grade: int | None, control: Control
    ) -> Puzzle | None:
        """The puzzle in a position, if there is one of this grade that is new."""
        game = self.game
        first = self._only(position, control) if game.quickly_solved(position) else None
        if first is None or position.play(first.move).outcome() is not None:
            return None
        if game.canonical(position) in self.made:
            return None
        sees = least_sight(game, position, first.analysis, first.move, control)
        tempting = tempting_moves(game, position, first.analysis, first.move, control)
        found = grade_of(game, difficulty(sees, tempting, len(first.analysis)))
        if grade not in (None, found):
            return None
        exact = GameID(game, id.parameters, position.text())
        return Puzzle(exact, found, sees, tempting, tuple(self._line(first, control)))

    def _only(self, position: Position[Any], control: Control) -> PuzzleStep | None:
        """The move to find in a position; None where several are good or all are, or when stopped."""
        solver = self.game.solver
        if self.game.kind is Kind.RACE:
            analysis = solver.values(position, control) or solver.analyse(position, control)
        elif self._several(position, control):
            return None
        else:
            analysis = solver.analyse(position, control)
        keeping = keeps_value(analysis)
        only = len(keeping) == 1 < len(analysis) and not control.stopped
        return PuzzleStep(position, analysis, keeping[0]) if only else None

    def _several(self, position: Position[Any], control: Control) -> bool:
        """Whether a quick look finds two moves that win; most positions of random play have them."""
        wins = 0
        for move in position.moves():
            after = position.play(move)
            found = after.ending() or self.game.solver.value(after, control)
            if found is None:
                # Here a value takes as long as a verdict.
                return False
            wins += found.value is Value.LOSS
            if wins == 2:
                return True
        return False

    def _line(self, step: PuzzleStep, control: Control) -> Iterator[PuzzleStep]:
        """The moves to find from here, until several are good, the game is over, or there are enough."""
        for number in range(1, MOST_MOVES + 1):
            reply, following = self._go_on(step, control) if number < MOST_MOVES else (None, None)
            yield PuzzleStep(step.position, step.analysis, step.move, reply)
            if following is None:
                return
            step = following

    def _go_on(self, step: PuzzleStep, control: Control) -> tuple[Any, PuzzleStep | None]:
        """The best reply, and the next move to find; nothing where the point is made."""
        after = step.position.play(step.move)
        if after.outcome() is not None:
            return None, None
        if self.game.kind is Kind.RACE:
            return None, self._only(after, control)
        best = [each.move for each in self.game.solver.analyse(after, control) if each.best]
        for reply in best[:MOST_REPLIES]:
            following = self._only(after.play(reply), control)
            if following is not None:
                return reply, following
        return None, None


def _below(rng: random.Random, limit: int) -> int:
    """A number from 0 up to a limit; only `random` itself gives the same numbers in every Python."""
    return int(rng.random() * limit)


def _shuffle(rng: random.Random, items: list[Any]) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = _below(rng, last + 1)
        items[last], items[other] = items[other], items[last]
