"""Prove upper bounds of scores with a SAT solver in worker processes.

The SAT solver CaDiCaL blocks Python's threads and signals, so it can be stopped at once only if it has its
own process.
"""

import hashlib
import json
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError, data_folder, package_text, read_text, write_text
from arcade.engines.honshu.formula import UNLAID, Formula, cases, max_score
from arcade.engines.honshu.rules import HonshuPosition, Move, parse_move, parse_position
from arcade.engines.parsing import read_json
from arcade.engines.workers import WorkerPool

SOLVER = "CaDiCaL 1.9.5"

OPTIONS = {"stabilize": 0, "walk": 0, "chrono": 0}
"""CaDiCaL's options, tuned on unsatisfiable formulas."""

HOW = "Proving the highest score requires another solver: pip install 'solver-arcade[prove]'"


def available() -> bool:
    return find_spec("pysat") is not None


Reply = tuple[tuple[Move, ...] | None, float, int]
"""A layout (None if the formula has none), the processor time in seconds, and the number of conflicts."""


def solve(formula: Formula) -> tuple[list[Move] | None, int]:
    from pysat.solvers import Cadical195  # loads the SAT solver

    with Cadical195() as solver:
        solver.configure(OPTIONS)
        for clause in formula.clauses:
            solver.add_clause(clause)
        while solver.solve():
            moves = formula.moves(solver.get_model())
            if formula.position.after(moves).score.total >= max_score(formula.position) - formula.loss:
                return moves, solver.accum_stats()["conflicts"]
            solver.add_clause(formula.forbid(moves))
        return None, solver.accum_stats()["conflicts"]


def answerer(_: None) -> Callable[[list[Any]], list[Any]]:

    def answer(question: list[Any]) -> list[Any]:
        text, loss, case = question
        before = time.thread_time()
        moves, conflicts = solve(Formula(parse_position(text), loss, case))
        notations = None if moves is None else [str(move) for move in moves]
        return [notations, round(time.thread_time() - before, 3), conflicts]

    return answer


def ask(
    position: HonshuPosition, loss: int, asked: Sequence[int], control: Control, pool: WorkerPool
) -> Generator[tuple[int, Reply]]:
    """Yield each case in `asked` with the reply. Raises InputError if python-sat is missing or fails."""
    if not available():
        raise InputError(f"{HOW}.")
    questions = [(case, [position.text(), loss, case]) for case in asked]
    try:
        with closing(
            pool.work("arcade.engines.honshu.upper_bound:answerer", None, questions, control)
        ) as told:
            for case, (moves, seconds, conflicts) in told:
                yield case, (None if moves is None else tuple(map(parse_move, moves)), seconds, conflicts)
    except RuntimeError as error:
        raise InputError(f"{error} The process may have run out of memory.") from None


MIN_HAND = 6

QUICK, SLOW = 2.0, 20.0
"""Limits in processor seconds. A refutation faster than `QUICK` doubles the step size.

A refutation slower than `SLOW` resets the step size to 1.
"""

FACTS = "facts.json"


def deal(position: HonshuPosition) -> HonshuPosition:
    return HonshuPosition(position.size, position.start, position.tiles, position.variants)


def key(position: HonshuPosition) -> str:
    tiles = tuple(sorted(position.tiles, key=lambda tile: (tile.id, tile.terrains)))
    return HonshuPosition(position.size, position.start, tiles, position.variants, position.laid).text()


@dataclass(frozen=True, slots=True, order=True)
class Limit:
    bound: int
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class Fact:
    game: str
    name: str
    bound: int
    best: int
    moves: tuple[str, ...]
    solver: str
    date: str
    seconds: float

    @property
    def limit(self) -> Limit:
        # Name the game by its tiles, because the player's copy of the file may have any name.
        command = f"arcade honshu prove {self.game} --recompute"
        return Limit(self.bound, "stored result", f"{command} proves it again")


@cache
def facts() -> dict[str, Fact]:
    text = package_text(__package__, f"data/{FACTS}")
    return {fact.game: fact for fact in read_json(text, dict[str, list[Fact]])["facts"]}


@dataclass(frozen=True, slots=True)
class Refutation:
    loss: int
    case: int
    seconds: float
    conflicts: int
    bound: int
    found: bool = False

    @property
    def words(self) -> str:
        if self.found:
            return f"a layout with loss {self.loss} exists"
        how = "with tiles left in the hand" if self.case == UNLAID else f"village case {self.case + 1}"
        return f"no layout with loss {self.loss}, {how}"

    def json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"shown": self.words}


@dataclass(frozen=True, slots=True)
class _File:
    position: str
    best: int
    moves: tuple[str, ...]
    bound: int
    stride: int
    steps: list[Refutation]


@dataclass
class UpperBoundProof:
    position: HonshuPosition
    best: int
    moves: tuple[Move, ...]
    bound: int
    steps: list[Refutation] = field(default_factory=list)
    step_size: int = 1

    @property
    def limit(self) -> Limit:
        refuted = sum(not step.found for step in self.steps)
        return Limit(self.bound, "SAT proof", f"{refuted} formulas refuted by {SOLVER}")

    @property
    def next_loss(self) -> int:
        refuted = max_score(self.position) - self.bound - 1
        return refuted + min(self.step_size, max(1, (self.bound - self.best) // 8))

    def tighten(self, control: Control, pool: WorkerPool) -> Generator[Refutation]:
        """Lower the bound until it equals the best score. Yield each step. Raises InputError, like `ask`."""
        while self.best < self.bound and not control.stopped:
            yield from self._next(control, pool)

    def _next(self, control: Control, pool: WorkerPool) -> Generator[Refutation]:
        loss = self.next_loss
        refuted = {step.case for step in self.steps if step.loss == loss and not step.found}
        left = {case for case in cases(self.position, loss) if case not in refuted}
        with closing(ask(self.position, loss, sorted(left), control, pool)) as replies:
            for case, (moves, seconds, conflicts) in replies:
                left.remove(case)
                found = moves is not None
                if moves is not None:
                    self.improve(moves)
                    self.step_size = 1
                elif not left:
                    self.bound = max_score(self.position) - loss - 1
                    taken = seconds + sum(step.seconds for step in self.steps if step.loss == loss)
                    self.step_size = (
                        2 * self.step_size if taken < QUICK else 1 if taken > SLOW else self.step_size
                    )
                self.steps.append(Refutation(loss, case, seconds, conflicts, self.bound, found))
                yield self.steps[-1]
                if found:
                    return

    def improve(self, moves: tuple[Move, ...]) -> None:
        score = self.position.after(moves).score.total
        if score > self.best:
            self.best, self.moves = score, moves

    def save(self, folder: Path) -> None:
        """Save the better layout and the tighter bound of this proof and the proof saved earlier.

        Raises InputError if the folder is not writable.
        """
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        best = UpperBoundProof(self.position, self.best, self.moves, max_score(self.position))
        with suppress(InputError):
            best.resume(folder)
        if (self.bound, -len(self.steps)) <= (best.bound, -len(best.steps)):
            best.bound, best.step_size, best.steps = self.bound, self.step_size, self.steps
        moves = tuple(map(str, best.moves))
        kept = _File(key(best.position), best.best, moves, best.bound, best.step_size, best.steps)
        steps = {"steps": [step.json() for step in best.steps]}
        write_text(kept_file(folder, self.position), json.dumps(asdict(kept) | steps, indent=1) + "\n")

    def resume(self, folder: Path) -> None:
        """Continue from the saved proof if there is one. Raises InputError if its file is damaged."""
        path = kept_file(folder, self.position)
        if not path.exists():
            return
        text = read_text(path, "proof file")
        try:
            kept = read_json(text, _File, others=True)
            moves = tuple(map(parse_move, kept.moves))
            end = self.position.after(moves)
            if kept.position != key(self.position) or not end.outcome() or kept.bound < end.score.total:
                raise ValueError
            self.improve(moves)
        except ValueError:
            raise InputError(f"The proof file {str(path)!r} is damaged. Delete it to start over.") from None
        self.steps, self.step_size = kept.steps, max(1, kept.stride)
        self.bound = min(self.bound, kept.bound)


def proofs_folder() -> Path:
    return data_folder() / "proofs"


def kept_file(folder: Path, position: HonshuPosition) -> Path:
    digest = hashlib.sha256(key(position).encode()).hexdigest()[:16]
    return folder / f"honshu-{digest}.json"
