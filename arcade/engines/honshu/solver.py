"""The solver of Honshu: annealing for the best score, exhaustive search for the bound, taking turns."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from arcade.engines.control import BEST, BOUND, Control
from arcade.engines.game import Kind, Solver
from arcade.engines.honshu import annealer, encode, prover
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.honshu.tiles import Tile
from arcade.engines.verdict import MoveVerdict, Proof, Verdict

HOT, COLD = 1.0, 0.3
"""First and last temperature of an annealing run, in points."""
FIRST_RUN, LONGEST_RUN = 1 << 19, 1 << 22
"""Layouts tried in the first run and in the longest: one run of the first length, one twice as long, two four
times as long, and the longest from then on. Longer runs are worth no more than more runs."""
SLICE = 1 << 16
"""Layouts tried between two looks at the clock."""
VERDICT_SECONDS, ANALYSIS_SECONDS = 2.0, 1.0
"""How long a verdict and an analysis take that were given no deadline."""
SMALL_HAND = 6
"""Up to so many tiles exhaustive search has half of the time of the first annealing run, then nine tenths;
with more tiles a tenth."""

_LOGS = np.log((np.random.default_rng(0).permutation(4096) + 0.5) / 4096)
_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Solution:
    """The best that a search found."""

    best: int
    """Final score that `moves` reach."""
    bound: int
    """No play from the position scores more."""
    moves: tuple[Move, ...]
    layouts: int
    """Layouts tried by annealing and nodes visited by the proof."""
    seconds: float
    runs: int = 0
    """Annealing runs begun so far; a later search of the position goes on with the next."""

    @property
    def proof(self) -> Proof:
        """EXACT when best and bound meet, else BOUND."""
        return Proof.EXACT if self.best == self.bound else Proof.BOUND


class _Annealing:
    """Annealing runs from one position, a slice at a time; the same seed tries the same layouts."""

    def __init__(self, position: HonshuPosition, seed: int, run: int) -> None:
        self.position = position
        self.seed = seed
        self.run = run
        self.t = encode.table(position)
        self.start = encode.state(position)
        hand = len(position.hand)
        self.best_placed = np.full((hand, 3), annealer.UNLAID, np.int64)
        self.best = np.full(1, annealer.NONE, np.int64)
        self.slices: Iterator[tuple[int, float, float]] = iter(())
        self.tried = 0

    def begin(self) -> None:
        """Begin the next run with tiles laid at random; a run of a hand that fits tries to lay all of it."""
        rng = np.random.default_rng([self.seed, self.run])
        self.random = rng.integers(1, 2**63, 1, np.uint64)
        for _ in range(20):
            self.s = self.start.copy()
            self.placed = np.full_like(self.best_placed, annealer.UNLAID)
            points = int(annealer.complete(self.s, self.t, self.placed, self.random, False))
            if points > self.best[0]:
                self.best[0] = points
                self.best_placed[:] = self.placed
            if self.s[annealer.LAID] == len(self.placed):
                break
        else:
            self._make_room()
        self.slices = _slices(min(FIRST_RUN << min(self.run, 16).bit_length(), LONGEST_RUN))
        self.run += 1

    def _make_room(self) -> None:
        """Move the tiles that are laid to ranks of the layout: what completes it needs those above."""
        base, hand = int(self.t[annealer.BASE]), len(self.placed)
        order = sorted((int(rank), tile) for tile, rank in enumerate(self.placed[:, 0]) if rank >= 0)
        laid = self.s[annealer.LAID]
        self.s = self.start.copy()
        for place, (_, tile) in enumerate(order):
            rank = base + place * (63 - hand - base) // len(order)
            self.placed[tile, 0] = rank
            _, rotation, corner = (int(number) for number in self.placed[tile])
            annealer.lay(self.s, self.t, tile, rank, rotation, corner)
        self.s[annealer.LAID] = laid
        for terrain in range(1, 7):
            self.s[annealer.CHANGED + terrain] = 1

    def go_on(self, control: Control) -> None:
        """Try the layouts of one slice."""
        tries, hot, cold = next(self.slices, (0, 0.0, 0.0))
        if not tries:
            self.begin()
            tries, hot, cold = next(self.slices)
        self.tried += annealer.anneal(
            self.s,
            self.t,
            self.placed,
            self.best_placed,
            self.best,
            self.random,
            _LOGS,
            tries,
            hot,
            cold,
            control.cells,
        )

    def layout(self) -> tuple[Move, ...]:
        """The best layout so far."""
        return tuple(encode.moves(self.position, self.best_placed))


def _slices(tries: int) -> Iterator[tuple[int, float, float]]:
    """The slices of a run: layouts, first and last temperature."""
    count = -(-tries // SLICE)
    for index in range(count):
        hot, cold = (HOT * (COLD / HOT) ** (step / count) for step in (index, index + 1))
        yield SLICE, hot, cold


class _Proving:
    """Lowers the bound of a position by one, again and again, as each higher score is proved impossible."""

    def __init__(self, position: HonshuPosition) -> None:
        self.position = position
        self.search = encode.proof(position)
        self.bound = int(prover.bound(self.search.s, self.search.t, self.search.rest, len(position.hand)))
        self.pace = 2000
        self.found: tuple[Move, ...] = ()

    def go_on(self, control: Control, seconds: float) -> None:
        """Search for about so many seconds; afterwards `bound` may be lower, or `found` scores `bound`."""
        started = time.perf_counter()
        before = control.nodes
        outcome = self.search.go_on(self.bound - 1, self.pace, control.cells)
        taken = max(time.perf_counter() - started, 1e-6)
        if outcome == prover.FOUND:
            self.found = tuple(encode.found(self.position, self.search))
        elif outcome == prover.PROVED:
            self.bound -= 1
            self.search = encode.proof(self.position)
        else:
            visited = max(1, control.nodes - before)
            self.pace = max(500, min(int(visited * seconds / taken), 4 * self.pace))


class HonshuSolver(Solver[HonshuPosition, Move]):
    """Anneals layouts for the best score and proves bounds; what it finds out it keeps.

    Two threads may use it at once: searches share nothing but the table of what was found, whose lock is
    held for an instant only.
    """

    kind = Kind.RACE

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, Solution] = OrderedDict()
        self._lock = threading.Lock()

    def solve(
        self,
        position: HonshuPosition,
        control: Control,
        *,
        seed: int = 0,
        seconds: float | None = None,
        layouts: int | None = None,
        run: int = 0,
        known: Solution | None = None,
    ) -> Solution:
        """Search until something ends it: the control, `seconds`, `layouts`, or the proof that it is done.

        The same seed and the same number of layouts find the same score by the same moves, unless the
        proof is quicker; without any end given it searches until the control stops it. At least one layout
        is tried.

        Args:
            position: any position, also one that is over.
            control: watched; its BEST and BOUND are written.
            seed: of the random numbers.
            seconds: time from now.
            layouts: layouts that annealing may try, rounded up to slices of 65,536.
            run: the annealing run to begin with.
            known: what an earlier search found.
        """
        started = time.perf_counter()
        before = control.nodes
        score = position.score.total
        if position.outcome() is not None:
            return Solution(score, score, (), 0, 0.0)
        annealing, proving = _Annealing(position, seed, run), _Proving(position)
        annealing.begin()
        best, line = int(annealing.best[0]), annealing.layout()
        bound = proving.bound
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
            if layouts is not None and annealing.tried >= layouts:
                break
            share = 0.1 if not small else 0.5 if annealing.run == run + 1 else 0.9
            if spent[1] <= share * (spent[0] + spent[1]):
                proving.go_on(control, 0.01)
                bound = proving.bound
                if proving.found:
                    best, line = bound, proving.found
                spent[1] += time.perf_counter() - now
            else:
                annealing.go_on(control)
                if annealing.best[0] > best:
                    best, line = int(annealing.best[0]), annealing.layout()
                spent[0] += time.perf_counter() - now
        nodes = control.nodes - before
        return Solution(best, bound, line, nodes, time.perf_counter() - started, annealing.run)

    def verdict(self, position: HonshuPosition, control: Control) -> Verdict:
        """The best score found and the proven bound; without a deadline after two seconds of search."""
        return self._verdict(position, self.search(position, control, VERDICT_SECONDS))

    def analyse(self, position: HonshuPosition, control: Control) -> list[MoveVerdict[Move]]:
        """Every legal move with the best score known through it, None where none is, and its bound.

        Best are the moves of the best layout found that can be made first. Takes the control's time, or a
        second. With one or two tiles left all moves are searched and their verdicts exact.
        """
        if position.outcome() is not None:
            return []
        solution = self.search(position, control, ANALYSIS_SECONDS)
        layout = list(solution.moves)
        first = {layout[index] for index in encode.first_moves(position, layout)}
        best, bound = self._rate(position, control)
        listed = []
        for index, move in enumerate(position.moves()):
            least, most = int(best[index]), min(int(bound[index]), solution.bound)
            if move in first:
                least = max(least, solution.best)
            verdict = Verdict(
                Proof.EXACT if least == most else Proof.BOUND,
                best=least if least > annealer.NONE else None,
                bound=most,
                score=position.score.total + position.score_change(move).total if move in first else None,
            )
            listed.append(MoveVerdict(move, verdict, move in first or least == solution.best))
        return listed

    def _rate(self, position: HonshuPosition, control: Control) -> tuple[encode.Ints, encode.Ints]:
        """For each legal move the best score if it is exhausted, or `NONE`, and the bound of what follows."""
        index = {tile.id: place for place, tile in reversed(list(enumerate(position.hand)))}
        width = position.size + 2
        listed = np.array(
            [
                (index[move.tile], move.rotation, (move.row + 1) * width + move.column + 1)
                for move in position.moves()
            ],
            np.int64,
        )
        rates = np.empty((len(listed), 2), np.int64)
        each = encode.proof(position)
        prover.rate(each.s, each.t, each.rest, listed, rates, control.cells)
        return rates[:, 0], rates[:, 1]

    def line(self, position: HonshuPosition, control: Control) -> list[Move]:
        """The moves that reach the best score known, to the end of the match."""
        return list(self.search(position, control, ANALYSIS_SECONDS, enough=True).moves)

    def progress(self, control: Control) -> str:
        """The best score and the bound so far."""
        best, bound = int(control.cells[BEST]), int(control.cells[BOUND])
        found = f"best {best}, bound {bound}, " if bound else ""
        return f"{found}{control.nodes:,} layouts"

    def simple_bound(self, position: HonshuPosition) -> int:
        """A score that no play from a position exceeds, found without any search."""
        return position.score.total if position.outcome() is not None else _Proving(position).bound

    def reason(self, position: HonshuPosition, move: Move, verdict: Verdict) -> str:
        """What the best layout scores, and what the move does at once."""
        change = position.score_change(move).total
        at_once = f"At once it changes the score by {change:+d}"
        if verdict.best is None:
            return f"{at_once}; no more is known."
        if verdict.best == verdict.bound:
            return f"{at_once}; it leads to {verdict.best}, which is proved to be the most."
        found = f"the best map found with it scores {verdict.best}"
        return f"{at_once}; {found}, and none with it can score above {verdict.bound}."

    def warm(self) -> None:
        """Compile, or load, the kernels."""
        size, tiles = 5, (Tile(1, "PPFVVP"), Tile(2, "PVRUPP"), Tile(3, "PFLPPP"))
        position = HonshuPosition(size, Tile(0, "PPPVVP"), tiles)
        with Control() as control:
            self.solve(position, control, layouts=1)
            self._rate(position, control)

    def best_known(self, position: HonshuPosition) -> Solution | None:
        """What is known of a position without any search."""
        with self._lock:
            return self._known.get(_key(position))

    def search(
        self,
        position: HonshuPosition,
        control: Control,
        seconds: float,
        *,
        enough: bool = False,
        seed: int | None = None,
    ) -> Solution:
        """Search on from what is known; with `enough` only when nothing is; with a seed from nothing."""
        known = None if seed is not None else self.best_known(position)
        if known is not None and (enough or known.best == known.bound):
            control.cells[BEST], control.cells[BOUND] = known.best, known.bound
            return replace(known, layouts=0, seconds=0.0)
        remaining = control.remaining
        # The answer has to be put together too, and other work may keep the core.
        limit = seconds if remaining is None else max(0.0, remaining - 0.02 - 0.05 * remaining)
        run = 0 if known is None else known.runs
        solution = self.solve(position, control, seed=seed or 0, seconds=limit, run=run, known=known)
        self._keep(position, solution)
        return solution

    def _keep(self, position: HonshuPosition, solution: Solution) -> None:
        """Remember a solution of a position, of those after its first moves, and of those along its line."""
        entries: list[tuple[Hashable, Solution]] = [(_key(position), solution)]
        layout = list(solution.moves)
        for index in encode.first_moves(position, layout):
            rest = layout[:index] + layout[index + 1 :]
            after = position.play(layout[index])
            entries.append((_key(after), replace(solution, moves=tuple(rest), runs=0)))
        for index, move in enumerate(layout):
            position = position.play(move)
            entries.append((_key(position), replace(solution, moves=tuple(layout[index + 1 :]), runs=0)))
        with self._lock:
            for key, each in entries:
                old = self._known.pop(key, None)
                if old is not None:
                    better = each if each.best > old.best else old
                    each = replace(better, bound=min(each.bound, old.bound), runs=max(each.runs, old.runs))
                self._known[key] = each
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)

    def _verdict(self, position: HonshuPosition, solution: Solution) -> Verdict:
        return Verdict(
            solution.proof,
            best=solution.best,
            bound=solution.bound,
            score=position.score.total,
            nodes=solution.layouts,
            seconds=solution.seconds,
        )


def _key(position: HonshuPosition) -> Hashable:
    """Equal for positions with the same map and hand, however they were reached."""
    return (
        position.size,
        position.variants,
        tuple(sorted((tile.id, tile.terrains) for tile in position.hand)),
        tuple(position.map.terrains.items()),
        frozenset(position.map.layers),
    )
