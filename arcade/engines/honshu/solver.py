"""Find the best score by replica exchange, and the upper bound by exhaustive search."""

import itertools
import random
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from arcade.engines.control import BEST, BOUND, Control, Kernels
from arcade.engines.estimates import Estimates
from arcade.engines.files import InputError
from arcade.engines.honshu import exhaustive, kernel
from arcade.engines.honshu.exhaustive import (
    cell_of,
    first_moves,
    layout,
    moves_found,
    proof_search,
    state,
)
from arcade.engines.honshu.formula import max_score
from arcade.engines.honshu.kernel import Ints
from arcade.engines.honshu.rules import HonshuPosition, Move, parse_move
from arcade.engines.honshu.tiles import Tile
from arcade.engines.honshu.upper_bound import (
    Limit,
    UpperBoundProof,
    deal,
    facts,
    kept_file,
    key,
    proofs_folder,
)
from arcade.engines.solver import Analysis, Goal, Solver, V, solve_in_steps
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict, Verdict
from arcade.engines.workers import LocalPool, WorkerPool

THREADS = 2
"""Number of parallel runs of replica exchange, fixed so that a seed always gives the same result."""
ROUNDS = 10
"""Rounds of replica exchange between two checks of the time. They take about 10 ms."""
FIRST_LAYOUTS = 1 << 20
VERDICT_SECONDS, ANALYSIS_SECONDS = 2.0, 1.0
LAYOUT_SECONDS = 5.0
SMALL_HAND = 6
"""Maximum number of tiles in a small hand.

For a small hand, exhaustive search gets at least half of the time. For a larger hand, it gets a tenth.
"""

_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Solution:
    best: int
    bound: int
    moves: tuple[Move, ...]
    layouts: int
    """Number of layouts tried, plus nodes of the exhaustive search."""
    seconds: float
    runs: int = 0

    @property
    def proof(self) -> Proof:
        return Proof.EXACT if self.best == self.bound else Proof.BOUND


class _Replicas:
    def __init__(self, position: HonshuPosition, seed: int, run: int, control: Control) -> None:
        self.position = position
        self.s = state(position, kernel.LEVELS)
        self.random = np.random.default_rng([seed, run]).integers(1, 2**63, 1, np.uint64)
        self.tried = 0
        # The first layout is always made, even if stopped.
        kernel.exchange(self.s, self.random, 0, Control().cells, control=control)

    @property
    def best(self) -> int:
        return int(self.s[kernel.BEST])

    def resume(self, control: Control) -> None:
        self.tried += kernel.exchange(self.s, self.random, ROUNDS, control.cells, control=control)

    def layout(self) -> tuple[Move, ...]:
        return tuple(layout(self.position, self.s))


class _Runs:
    def __init__(self, position: HonshuPosition, seed: int, run: int, control: Control) -> None:
        self.runs = [_Replicas(position, seed, run + number, control) for number in range(THREADS)]
        self.helpers = ThreadPoolExecutor(THREADS - 1, "exchange")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.helpers.shutdown()

    def resume(self, control: Control) -> None:
        before, nodes = self.tried, control.nodes
        others = [self.helpers.submit(run.resume, control) for run in self.runs[1:]]
        self.runs[0].resume(control)
        for other in others:
            other.result()
        control.nodes = nodes + self.tried - before

    @property
    def tried(self) -> int:
        return sum(run.tried for run in self.runs)

    @property
    def best(self) -> int:
        return max(run.best for run in self.runs)

    def layout(self) -> tuple[Move, ...]:
        return max(self.runs, key=lambda run: run.best).layout()


class _Proving:
    def __init__(self, position: HonshuPosition, control: Control) -> None:
        self.position = position
        self.search = proof_search(position)
        s, rest = self.search.s, int(self.search.rest[0])
        self.bound = int(kernel.bound(s, kernel.REPLICAS_START, rest, len(position.hand), control=control))
        self.pace = 2000
        self.found: tuple[Move, ...] = ()

    def resume(self, control: Control, seconds: float) -> None:
        """Search for about `seconds`. This may lower `bound`, or set `found` to a layout that reaches it."""
        started = time.perf_counter()
        before = control.nodes
        outcome = kernel.search(self.search, self.bound - 1, self.pace, control.cells, control=control)
        taken = max(time.perf_counter() - started, 1e-6)
        if outcome == kernel.FOUND:
            self.found = tuple(moves_found(self.position, self.search))
        elif outcome == kernel.PROVED:
            self.bound -= 1
            self.search = proof_search(self.position)
        else:
            visited = max(1, control.nodes - before)
            self.pace = max(500, min(int(visited * seconds / taken), 4 * self.pace))


class HonshuSolver(Solver[HonshuPosition, Move]):
    """A solver of Honshu that threads can share."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, Solution] = OrderedDict()
        self._limits: dict[str, Limit] = {}
        self._recalled: dict[Path, int] = {}
        self._lock = threading.Lock()

    def solve(
        self, position: HonshuPosition, control: Control, goal: Goal = Goal.ALL
    ) -> Iterator[Analysis[HonshuPosition, Move]]:
        if goal is Goal.LINE:
            seconds = _usually(ANALYSIS_SECONDS, control)
            yield Analysis(position, line=self.search(position, control, seconds, enough=True).moves)
        elif goal is Goal.MOVE_VALUES:
            yield Analysis(position, moves=tuple(exhaustive.values(position, control)), complete=True)
        else:
            yield from solve_in_steps(position, control, goal, self._judge, self._judge_moves)

    def find_layout(
        self,
        position: HonshuPosition,
        control: Control,
        *,
        seed: int = 0,
        seconds: float | None = None,
        layouts: int | None = None,
        known: Solution | None = None,
        bound: int | None = None,
    ) -> Solution:
        """Search for the best layout until stopped, a limit is reached or a layout is proved best.

        The limits are `seconds` and `layouts`, the number of layouts tried. Unless the proof ends first, the
        same `seed` and `layouts` always give the same moves. The control's cells BEST and BOUND report the
        progress.
        """
        started = time.perf_counter()
        before = control.nodes
        score = position.score.total
        if position.outcome() is not None:
            return Solution(score, score, (), 0, 0.0)
        proving = _Proving(position, control)
        run = 0 if known is None else known.runs
        with _Runs(position, seed, run, control) as exchange:
            best, line = exchange.best, exchange.layout()
            bound = proving.bound = proving.bound if bound is None else min(bound, proving.bound)
            if known is not None:
                bound = proving.bound = min(bound, known.bound)
                if known.best > best:
                    best, line = known.best, known.moves
            small = len(position.hand) <= SMALL_HAND
            spent = [0.0, 0.0]
            while True:
                control.cells[BEST], control.cells[BOUND] = best, bound
                now = time.perf_counter()
                if best >= bound or control.stopped or (seconds is not None and now - started >= seconds):
                    break
                if layouts is not None and exchange.tried >= layouts:
                    break
                share = 0.1 if not small else 0.5 if exchange.tried < FIRST_LAYOUTS else 0.9
                if spent[1] <= share * (spent[0] + spent[1]):
                    proving.resume(control, 0.01)
                    bound = proving.bound
                    if proving.found:
                        best, line = bound, proving.found
                    spent[1] += time.perf_counter() - now
                else:
                    exchange.resume(control)
                    if exchange.best > best:
                        best, line = exchange.best, exchange.layout()
                    spent[0] += time.perf_counter() - now
        nodes = control.nodes - before
        return Solution(best, bound, line, nodes, time.perf_counter() - started, run + THREADS)

    def _judge(self, position: HonshuPosition, control: Control) -> ScoreVerdict:
        solution = self.search(position, control, _usually(VERDICT_SECONDS, control))
        verdict = ScoreVerdict(
            solution.proof,
            best=solution.best,
            bound=solution.bound,
            score=position.score.total,
            nodes=solution.layouts,
            seconds=solution.seconds,
        )
        return self.with_known_bounds(position, verdict)

    def _judge_moves(self, position: HonshuPosition, control: Control) -> list[MoveVerdict[Move]]:
        if position.outcome() is not None:
            return []
        solution = self.search(position, control, _usually(ANALYSIS_SECONDS, control))
        first = {solution.moves[index] for index in first_moves(position, solution.moves)}
        best, bound = self._rate(position, control)
        analysis = []
        for index, move in enumerate(position.moves()):
            least, most = int(best[index]), min(int(bound[index]), solution.bound)
            if move in first:
                least = max(least, solution.best)
            verdict = ScoreVerdict(
                Proof.EXACT if least == most else Proof.BOUND,
                best=least if least > kernel.NONE else None,
                bound=most,
                score=position.score.total + position.score_change(move).total if move in first else None,
            )
            analysis.append(MoveVerdict(move, verdict, move in first or least == solution.best))
        return analysis

    def look_ahead(self, position: HonshuPosition, plies: int, control: Control) -> list[MoveVerdict[Move]]:
        return exhaustive.look_ahead(position, plies, control)

    def estimates(
        self,
        position: HonshuPosition,
        moves: Sequence[Move],
        plies: int,
        rng: random.Random,
        control: Control,
    ) -> Estimates[Move]:
        scores: dict[Move, int] = {}
        for move in moves:
            if scores and control.stopped:
                break
            scores[move] = position.score_change(move).total

        def because(move: Move) -> str:
            return f"it scores {scores[move]:+d} at once, and no other move more"

        return Estimates(scores, because)

    def _rate(self, position: HonshuPosition, control: Control) -> tuple[Ints, Ints]:
        ids = [tile.id for tile in position.hand]
        listed = np.array(
            [
                (ids.index(move.tile), move.rotation, cell_of(position, move.row, move.column))
                for move in position.moves()
            ],
            np.int64,
        )
        rates = np.empty((len(listed), 2), np.int64)
        kernel.rate(proof_search(position), listed, rates, control.cells, control=control)
        return rates[:, 0], rates[:, 1]

    def is_quick(self, position: HonshuPosition) -> bool:
        return len(position.hand) <= 3

    def progress(self, control: Control) -> str:
        best, bound = int(control.cells[BEST]), int(control.cells[BOUND])
        limits = f"best {best}, upper bound {bound}, " if bound else ""
        return f"{limits}{control.nodes:,} layouts"

    def reason(self, position: HonshuPosition, move: Move, verdict: Verdict) -> str:
        change = position.score_change(move).total
        at_once = f"It scores {change:+d} at once" if change else "The score does not change at once"
        if not isinstance(verdict, ScoreVerdict) or verdict.best is None:
            return f"{at_once}. Nothing more is known."
        if verdict.best == verdict.bound:
            return f"{at_once}. It leads to {verdict.best}, which is proved to be the highest score."
        limit = f"no map with it can score above {verdict.bound}"
        return f"{at_once}. The best map found with this move scores {verdict.best}, and {limit}."

    def warm(self, kernels: Kernels | None = None) -> None:
        size, tiles = 5, (Tile(1, "PPFVVP"), Tile(2, "PVRUPP"), Tile(3, "PFLPPP"))
        position = HonshuPosition(size, Tile(0, "PPPVVP"), tiles)
        with Control(kernels=kernels) as control:
            self.find_layout(position, control, layouts=1)
            self._rate(position, control)

    def prove(
        self,
        position: HonshuPosition,
        folder: Path,
        control: Control,
        recompute: bool = False,
        pool: WorkerPool | None = None,
    ) -> Iterator[UpperBoundProof]:
        """Lower the bound with the SAT solver. Yield the proof at the start and after each step.

        Unless `recompute` is True, resume the proof saved in `folder`.

        Raises InputError if the folder or its data cannot be used, or the SAT solver is missing or fails.
        """
        known = None if recompute else self.best_known(position)
        first = known or self.find_layout(position, control, seconds=LAYOUT_SECONDS)
        proof = UpperBoundProof(position, first.best, first.moves, first.bound)
        if not recompute:
            proof.resume(folder)
        with closing(proof.tighten(control, pool or LocalPool())) as steps:
            for step in itertools.chain((None,), steps):
                if step is not None:
                    proof.save(folder)
                    known = None if recompute else self.best_known(position)
                proof.improve(() if known is None else known.moves)
                if proof.bound < first.bound:
                    self.lower(position, proof.limit)
                self._keep(position, Solution(proof.best, proof.bound, proof.moves, 0, 0.0))
                yield proof

    def lower(self, position: HonshuPosition, limit: Limit) -> None:
        name = key(position)
        with self._lock:
            self._limits[name] = min(limit, self._limits.get(name, limit))

    def limit(self, position: HonshuPosition) -> Limit | None:
        names = {key(position), key(deal(position))}
        limits = [facts()[name].limit for name in names & facts().keys()]
        with self._lock:
            limits += [self._limits[name] for name in names if name in self._limits]
        return min(limits, default=None)

    def with_known_bounds(self, position: HonshuPosition, verdict: V) -> V:
        limit = self.limit(position)
        if not isinstance(verdict, ScoreVerdict) or verdict.bound is None or limit is None:
            return verdict
        if limit.bound > verdict.bound:
            return verdict
        proof = Proof.EXACT if limit.bound == verdict.best else Proof.BOUND
        return replace(verdict, proof=proof, bound=limit.bound, reason=limit.reason, source=limit.source)

    def best_known(self, position: HonshuPosition) -> Solution | None:
        for start in {deal(position), position}:
            self._recall(start)
        with self._lock:
            known = self._known.get(_key(position))
        fact = facts().get(key(position))
        if fact is not None and (known is None or known.best < fact.best):
            moves = tuple(parse_move(move) for move in fact.moves)
            known = Solution(fact.best, fact.bound, moves, 0, 0.0, known.runs if known else 0)
        limit = self.limit(position)
        if known is not None and limit is not None:
            known = replace(known, bound=min(known.bound, limit.bound))
        return known

    def _recall(self, start: HonshuPosition) -> None:
        path = kept_file(proofs_folder(), start)
        # Damaged data is reported when a proof is saved over it.
        with suppress(OSError, InputError):
            stamp = path.stat().st_mtime_ns
            if self._recalled.get(path) != stamp:
                proof = UpperBoundProof(start, -1, (), max_score(start))
                proof.resume(path.parent)
                self._recalled[path] = stamp
                if proof.steps:
                    self.lower(start, proof.limit)
                self._keep(start, Solution(proof.best, proof.bound, proof.moves, 0, 0.0))

    def keep(self, position: HonshuPosition, solution: Solution) -> None:
        """Save a result in memory and on disk. Raises InputError if the proof file cannot be used."""
        self._keep(position, solution)
        proof = UpperBoundProof(position, solution.best, solution.moves, solution.bound)
        proof.resume(proofs_folder())
        proof.save(proofs_folder())

    def search(
        self,
        position: HonshuPosition,
        control: Control,
        seconds: float,
        *,
        enough: bool = False,
        seed: int | None = None,
    ) -> Solution:
        """Search for the best layout, starting from the best known layout, and remember the result.

        If `enough` is True, return a known layout without a search. If a `seed` is given, start from scratch.
        """
        known = None if seed is not None else self.best_known(position)
        if known is not None and (enough or known.best == known.bound):
            control.cells[BEST], control.cells[BOUND] = known.best, known.bound
            return replace(known, layouts=0, seconds=0.0)
        if not kernel.rate.loaded:
            with control.paused():
                self.warm(control.kernels)
        remaining = control.remaining
        if remaining is not None:
            seconds = min(seconds, max(0.0, remaining - 0.02 - 0.05 * remaining))
        proved = self.limit(position)
        bound = None if proved is None else proved.bound
        solution = self.find_layout(
            position, control, seed=seed or 0, seconds=seconds, known=known, bound=bound
        )
        self._keep(position, solution)
        return solution

    def _keep(self, position: HonshuPosition, solution: Solution) -> None:
        """Store a solution for a position, and the rest of its moves for positions that they lead to.

        These are the positions after each move that can be played first, and those along the line.
        """
        entries: list[tuple[Hashable, Solution]] = [(_key(position), solution)]
        layout = solution.moves
        for index in first_moves(position, layout):
            rest = layout[:index] + layout[index + 1 :]
            entries.append((_key(position.play(layout[index])), replace(solution, moves=rest, runs=0)))
        for index, move in enumerate(layout):
            position = position.play(move)
            entries.append((_key(position), replace(solution, moves=layout[index + 1 :], runs=0)))
        with self._lock:
            for key, new in entries:
                old = self._known.pop(key, new)
                better = new if new.best > old.best else old
                self._known[key] = replace(
                    better, bound=min(new.bound, old.bound), runs=max(new.runs, old.runs)
                )
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)


def _usually(seconds: float, control: Control) -> float:
    return seconds if control.remaining is None else control.remaining


def _key(position: HonshuPosition) -> Hashable:
    return (
        position.size,
        position.variants,
        tuple(sorted((tile.id, tile.terrains) for tile in position.hand)),
        tuple(position.map.terrains.items()),
        frozenset(position.map.layers),
    )
