"""Players made from any solver: perfect, fallible at a level, limited in depth, random."""

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
"""The longest time for a guess, and without a deadline for a move where the solver cannot solve the game."""
GUESS_PLIES = 10
"""How far the strongest player looks ahead where nothing is proved."""
SOLVING_SHARE = {True: 0.9, False: 0.3}
"""The part of its time in which the strongest player proves moves, by whether they can be solved; the rest is
for a guess."""
LOOKAHEAD_SHARE = 0.15
"""The part of its time in which a player limited in depth proves what is near, where it must guess."""


def _part(share: float, control: Control) -> float:
    """A part of the time that is left, in seconds."""
    return share * (GUESS_SECONDS if control.remaining is None else control.remaining)


class Player(ABC, Generic[P, M]):
    @abstractmethod
    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        """A legal move of a position that is not over, also when stopped by the control; None to resign.

        The same position and state of `rng` give the same move unless a deadline cuts in.
        """


class RandomPlayer(Player[P, M]):
    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        return rng.choice(position.moves())


class PerfectPlayer(Player[P, M]):
    """Plays a best move: hurries when winning, delays when losing, and among equal moves sets a trap.

    Where no move is proved to be best, it keeps some of its time for a guess.
    """

    def __init__(self, players: Players[P, M]) -> None:
        self.players = players

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        return self.players.trap(position, self.analysis(position, control), rng, control)

    def analysis(self, position: P, control: Control) -> list[MoveVerdict[M]]:
        """The verdicts of the moves, found in a part of the time if it is limited."""
        solver = self.players.solver
        can_solve = solver.can_solve(position, control)
        unlimited = can_solve and control.remaining is None
        with control.within(None if unlimited else _part(SOLVING_SHARE[can_solve], control)):
            return solver.moves(position, control)


def limited_to_depth(verdict: Verdict, plies: int) -> Verdict:
    """A verdict to somebody who sees so many plies ahead: unknown if the end is further away."""
    near = verdict.remoteness is not None and verdict.remoteness <= plies
    return verdict if near else DuelVerdict()


def best_within_depth(analysis: Iterable[MoveVerdict[M]], plies: int) -> list[M]:
    """The moves that look best to somebody who sees so many plies ahead, and cannot tell them apart."""
    seen = [(judged.move, limited_to_depth(judged.verdict, plies).preference) for judged in analysis]
    top = max(preference for _, preference in seen)
    return [move for move, preference in seen if preference == top]


def told_apart(analysis: Iterable[MoveVerdict[M]], best: Sequence[M], plies: int) -> bool:
    """Whether the moves of `best_within_depth` are one, or known to be as good as each other."""
    one = next(judged.verdict for judged in analysis if judged.move == best[0])
    return len(best) == 1 or limited_to_depth(one, plies).known


class DepthLimitedPlayer(Player[P, M]):
    """Knows the truth where the end is at most `plies` away, its own move counted, and nothing else.

    It takes the soonest win that it sees, avoids the losses that it sees, and when all moves lose it takes
    the longest. Among moves that it cannot tell apart it chooses by `Players.heuristic_moves`, or where the
    solver cannot solve the game by the solver's estimates, which look as far.
    """

    def __init__(self, players: Players[P, M], plies: int) -> None:
        self.players = players
        self.plies = plies

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        solver = self.players.solver
        if solver.can_solve(position, control):
            analysis = solver.look_ahead(position, self.plies, control)
            return rng.choice(self.players.likely_moves(position, analysis, self.plies))
        with control.within(_part(LOOKAHEAD_SHARE, control)):
            analysis = solver.look_ahead(position, self.plies, control)
        moves = best_within_depth(analysis, self.plies)
        if told_apart(analysis, moves, self.plies):
            return rng.choice(moves)
        return self.players.guess(position, moves, rng, control, self.plies)


class FalliblePlayer(PerfectPlayer[P, M]):
    """Plays a best move in `level` turns out of ten, else one that is not best."""

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
    """The word in seat notations such as "fallible:7"."""
    title: str
    summary: str
    make: Callable[[Any, int], Player[Any, Any]]
    """From the game and the argument after the colon."""
    argument: Parameter | None = None
    """What the number after the colon means: limits and default; None when there is none."""
    seconds: float | None = None
    """The longest time for one move; None for that of `Players`."""
    also: tuple[str, ...] = ()
    """Other words for it, which are read and never written."""

    def named(self, name: str) -> bool:
        return name in (self.name, *self.also)


def _depth_limited(game: Any, plies: int) -> Player[Any, Any]:
    return DepthLimitedPlayer(game.players, plies)


def _fallible(game: Any, level: int) -> Player[Any, Any]:
    return FalliblePlayer(game.players, level)


PERFECT = PlayerKind("perfect", "Perfect", "Never errs.", lambda game, _: PerfectPlayer(game.players))
PLIES = Parameter("plies", "Moves ahead", 4, 1, 99, help="how far it sees, both sides' moves counted")
MAX_LOOKAHEAD_SECONDS = 2.0
"""The longest time that a player limited in depth takes, on boards so large that looking ahead takes long."""
DEPTH = PlayerKind(
    "depth",
    "Depth",
    "Sees as far as you say.",
    _depth_limited,
    PLIES,
    MAX_LOOKAHEAD_SECONDS,
    also=("sees",),
)
LEVEL = Parameter("level", "Level", 5, 1, 9, help="times in ten that it finds a best move")
FALLIBLE = PlayerKind("fallible", "Fallible", "Errs now and then.", _fallible, LEVEL)
RANDOM = PlayerKind("random", "Random", "Plays any legal move.", lambda _game, _: RandomPlayer())

RUNGS = ("beginner", "casual", "club", "expert")
"""The players of a game's ladder below `PERFECT`, the weakest first."""


def common_kinds(lookahead: Sequence[int], perfect: str) -> tuple[PlayerKind, ...]:
    """The players of every duel; `lookahead` are the plies of each of `RUNGS`, `perfect` is a summary."""

    def rung(name: str, plies: int) -> PlayerKind:
        summary = f"Sees the end {count_moves(plies)} ahead."
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
    """The engines that play a game, and how they choose among moves that look equally good to them."""

    lookahead: tuple[int, int, int, int] = (2, 4, 6, 8)
    """How many plies Beginner, Casual, Club and Expert look ahead; `python -m tools.ladder` compares them."""
    best: str = PERFECT.name
    """The strongest player."""
    perfect_summary: str = PERFECT.summary
    machine_seats: tuple[str, str] | None = None
    """The default seats of a game that is mostly played against a trained machine."""
    seconds: float | None = None
    """The longest time for one move, after which an engine plays the best one found; None for no limit."""

    def __init__(self, solver: Callable[[], Solver[P, M]]) -> None:
        """`solver` is called when a move is chosen, since making a solver may load much."""
        self._solver = solver

    @property
    def solver(self) -> Solver[P, M]:
        return self._solver()

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        """The game's players, the first opponent first."""
        return common_kinds(self.lookahead, self.perfect_summary)

    def trap(self, position: P, analysis: list[MoveVerdict[M]], rng: random.Random, control: Control) -> M:
        """Choose one of the best moves after which the fewest replies keep the value."""
        best = best_guess_moves(analysis)
        first = best[0].verdict
        if not first.known:
            return self.guess(position, [judged.move for judged in best], rng, control)
        if len(best) == 1 or first.value is Value.WIN:
            return rng.choice(best).move
        keeping: dict[M, int] = {}
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
        """Choose one of the moves that look best to the solver where nothing is proved of them."""
        if len(moves) == 1:
            return moves[0]
        with control.within(GUESS_SECONDS):
            return rng.choice(self.solver.estimates(position, moves, plies, rng, control).best)

    def heuristic_moves(self, position: P, moves: Sequence[M]) -> Sequence[M]:
        """The moves that look best to a player who cannot tell them apart by looking ahead."""
        return moves

    def likely_moves(self, position: P, analysis: Sequence[MoveVerdict[M]], plies: int) -> Sequence[M]:
        """Return the moves from which a player who looks `plies` ahead chooses."""
        moves = best_within_depth(analysis, plies)
        return moves if told_apart(analysis, moves, plies) else self.heuristic_moves(position, moves)
