"""Computer players that work with any solver."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from arcade.engines.control import Control
from arcade.engines.parameters import Parameter
from arcade.engines.position import M, P
from arcade.engines.solver import Solver
from arcade.engines.verdict import (
    DuelVerdict,
    MoveVerdict,
    Value,
    Verdict,
    best_guess_moves,
    value_keeping_moves,
)
from arcade.engines.wording import capitalize
from arcade.engines.wording import moves as count_moves

GUESS_SECONDS = 2.0
"""Time limit of `Players.guess`. The lookahead of `DepthLimitedPlayer` uses it if no other limit applies."""
SOLVING_SECONDS = 3.0
"""Time limit of the Perfect player's proofs in a position too large to solve, if no other limit applies."""
GUESS_PLIES = 10
"""Depth in plies of the Perfect player's guess if no move is proved best."""
SOLVING_SHARE = {True: 0.9, False: 0.6}
"""Share of the Perfect player's time that is for proofs. The rest is for a guess.

The key is True if the position can be solved.
"""
LOOKAHEAD_SHARE = 0.7
"""Share of a depth-limited player's time that is for proofs if the position is too large to solve."""


class Player(ABC, Generic[P, M]):
    """A computer player."""

    @abstractmethod
    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        """Return a legal move (even if the search is stopped), or None to resign. The game must not be over.

        The position and the state of `rng` determine the move, unless a deadline cuts the search short.
        """


class RandomPlayer(Player[P, M]):
    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        return rng.choice(position.moves())


class PerfectPlayer(Player[P, M]):
    """A player that chooses a proven best move with few good replies, or guesses if none is proved best."""

    def __init__(self, players: Players[P, M]) -> None:
        self.players = players

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        return self.players.trap(position, self.analysis(position, control), rng, control)

    def analysis(self, position: P, control: Control) -> list[MoveVerdict[M]]:
        """Return the moves with the verdicts that can be proved in the time reserved for proofs."""
        solver = self.players.solver
        can_solve = solver.can_solve(position, control)
        if control.remaining is not None:
            limit: float | None = SOLVING_SHARE[can_solve] * control.remaining
        else:
            limit = None if can_solve else SOLVING_SECONDS
        with control.within(limit):
            return solver.moves(position, control)


def limited_to_depth(verdict: Verdict, plies: int) -> Verdict:
    """Return the verdict that a search `plies` deep can find, which is unknown if the game ends later."""
    near = verdict.remoteness is not None and verdict.remoteness <= plies
    return verdict if near else DuelVerdict()


def best_within_depth(analysis: Iterable[MoveVerdict[M]], plies: int) -> list[M]:
    seen = [(judged.move, limited_to_depth(judged.verdict, plies).preference) for judged in analysis]
    top = max(preference for _, preference in seen)
    return [move for move, preference in seen if preference == top]


def told_apart(analysis: Iterable[MoveVerdict[M]], best: Sequence[M], plies: int) -> bool:
    """Return whether `best` is a single move, or several moves that are known to be equally good."""
    one = next(judged.verdict for judged in analysis if judged.move == best[0])
    return len(best) == 1 or limited_to_depth(one, plies).known


class DepthLimitedPlayer(Player[P, M]):
    """A player that plays perfectly if the game ends within `plies`, counting its own move.

    If all moves lose, it delays the end. Among moves that look equal at this depth, it chooses by
    `Players.heuristic_moves` or by estimates.
    """

    def __init__(self, players: Players[P, M], plies: int) -> None:
        self.players = players
        self.plies = plies

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        solver = self.players.solver
        if solver.can_solve(position, control):
            analysis = solver.look_ahead(position, self.plies, control)
            return rng.choice(self.players.likely_moves(position, analysis, self.plies))
        seconds = GUESS_SECONDS if control.remaining is None else control.remaining
        with control.within(LOOKAHEAD_SHARE * seconds):
            analysis = solver.look_ahead(position, self.plies, control)
        moves = best_within_depth(analysis, self.plies)
        if told_apart(analysis, moves, self.plies):
            return rng.choice(moves)
        return self.players.guess(position, moves, rng, control, self.plies)


class FalliblePlayer(PerfectPlayer[P, M]):
    """A player that makes a best move in `level` turns out of ten, and otherwise a worse move."""

    def __init__(self, players: Players[P, M], level: int) -> None:
        super().__init__(players)
        self.level = level

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        analysis = self.analysis(position, control)
        others = [judged.move for judged in analysis if not judged.best]
        if others and rng.random() * 10 >= self.level:
            return rng.choice(others)
        return self.players.trap(position, analysis, rng, control)


class MethodPlayer(Player[P, M]):
    def __init__(self, move: Callable[[P, Control], M]) -> None:
        self._move = move

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        return self._move(position, control)


@dataclass(frozen=True, slots=True)
class PlayerKind:
    name: str
    """Name, for example "fallible" in the notation "fallible:7"."""
    title: str
    summary: str
    """Summary in one sentence of up to 40 characters."""
    make: Callable[[Any, int], Player[Any, Any]]
    """A function that makes a player from the game and the number after the colon."""
    argument: Parameter | None = None
    """Description of the number after the colon, or None if the notation has no number."""
    seconds: float | None = None
    """Time limit of a move in seconds. If None, `Players.seconds` applies."""
    also: tuple[str, ...] = ()
    """Older names, which are still accepted but never written."""

    def named(self, name: str) -> bool:
        return name in (self.name, *self.also)


def _depth_limited(game: Any, plies: int) -> Player[Any, Any]:
    return DepthLimitedPlayer(game.players, plies)


def _fallible(game: Any, level: int) -> Player[Any, Any]:
    return FalliblePlayer(game.players, level)


PERFECT = PlayerKind("perfect", "Perfect", "Makes no mistakes.", lambda game, _: PerfectPlayer(game.players))
PLIES = Parameter("plies", "Moves ahead", 4, 1, 99, help="search depth, counting the moves of both sides")
MAX_LOOKAHEAD_SECONDS = 2.0
"""Time limit of a depth-limited player's move on a board too large to search to the full depth."""
DEPTH = PlayerKind(
    "depth",
    "Depth",
    "Looks ahead as far as you choose.",
    _depth_limited,
    PLIES,
    MAX_LOOKAHEAD_SECONDS,
    also=("sees",),
)
LEVEL = Parameter("level", "Level", 5, 1, 9, help="best moves out of ten")
FALLIBLE = PlayerKind("fallible", "Fallible", "Errs now and then.", _fallible, LEVEL)
RANDOM = PlayerKind("random", "Random", "Plays any legal move.", lambda _game, _: RandomPlayer())

RUNGS = ("beginner", "casual", "club", "expert")
"""Names of the players below `PERFECT`, weakest first."""


def common_kinds(lookahead: Sequence[int], perfect: str) -> tuple[PlayerKind, ...]:
    """Return the usual kinds of players.

    `lookahead` has the search depth in plies of each of `RUNGS`. `perfect` is the summary of `PERFECT`.
    """

    def rung(name: str, plies: int) -> PlayerKind:
        summary = f"Sees a win or loss {count_moves(plies)} ahead."
        return PlayerKind(
            name,
            capitalize(name),
            summary,
            lambda game, _: DepthLimitedPlayer(game.players, plies),
            seconds=MAX_LOOKAHEAD_SECONDS,
        )

    rungs = (rung(name, plies) for name, plies in zip(RUNGS, lookahead, strict=True))
    return (*rungs, replace(PERFECT, summary=perfect), DEPTH, FALLIBLE, RANDOM)


class Players(Generic[P, M]):
    lookahead: tuple[int, int, int, int] = (2, 4, 6, 8)
    """Search depths of `RUNGS` in plies. `python -m tools.ladder` compares the levels."""
    best: str = PERFECT.name
    perfect_summary: str = PERFECT.summary
    machine_seats: tuple[str, str] | None = None
    """Default seats of a game that is mostly played against a matchbox machine, otherwise None."""
    seconds: float | None = None
    """Time limit of a move in seconds, or None for no limit. `PlayerKind.seconds` takes precedence."""

    def __init__(self, solver: Callable[[], Solver[P, M]]) -> None:
        """Create the players. `solver` may load large modules, so it is called only to choose a move."""
        self._solver = solver

    @property
    def solver(self) -> Solver[P, M]:
        return self._solver()

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        """The kinds of players, starting with the opponent in a new user's first match."""
        return common_kinds(self.lookahead, self.perfect_summary)

    def trap(self, position: P, analysis: list[MoveVerdict[M]], rng: random.Random, control: Control) -> M:
        """Choose a best move after which the fewest replies keep the value for the opponent."""
        best = best_guess_moves(analysis)
        first = best[0].verdict
        if not first.known:
            return self.guess(position, [judged.move for judged in best], rng, control)
        if len(best) == 1 or first.value is Value.WIN:
            return rng.choice(best).move
        keeping: dict[M, int] = {}
        with control.within(None if self.solver.can_solve(position, control) else GUESS_SECONDS):
            for judged in best:
                after = position.play(judged.move)
                keeping[judged.move] = len(value_keeping_moves(self.solver.moves(after, control))) or 1
                if control.stopped:
                    break
        fewest = min(keeping.values())
        return rng.choice([move for move, count in keeping.items() if count == fewest])

    def guess(
        self,
        position: P,
        moves: Sequence[M],
        rng: random.Random,
        control: Control,
        plies: int = GUESS_PLIES,
    ) -> M:
        """Choose a move by the solver's estimates."""
        if len(moves) == 1:
            return moves[0]
        with control.within(GUESS_SECONDS):
            return rng.choice(self.solver.estimates(position, moves, plies, rng, control).best)

    def heuristic_moves(self, position: P, moves: Sequence[M]) -> Sequence[M]:
        """Return the moves that look best among moves that a search cannot tell apart."""
        return moves

    def likely_moves(self, position: P, analysis: Sequence[MoveVerdict[M]], plies: int) -> Sequence[M]:
        """Return the moves from which a player who looks `plies` ahead chooses."""
        moves = best_within_depth(analysis, plies)
        return moves if told_apart(analysis, moves, plies) else self.heuristic_moves(position, moves)
