"""Comparison of a game's solving methods.

Each run has its own process, so its memory can be measured and the run can be stopped at once.
"""

import gc
import json
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError, ProcessError
from arcade.engines.reference_methods import OUT_OF_TIME, Comparison, ReportedFinding, SolvingMethod
from arcade.engines.registry import AnyGame, parse_game_id, parse_id_for
from arcade.engines.wording import join_words
from arcade.engines.worker_process import WorkerProcess, worker_main

GRACE_SECONDS = 30.0
"""Additional seconds in which a process can load, compile and stop."""
FASTEST = 1e-5
"""Time in seconds at which the chart's bars start."""
DECADE = 5
"""Number of chart columns for a factor of ten."""


@dataclass(frozen=True, slots=True)
class MethodRun:
    board: str
    method: str
    answer: str = ""
    seconds: float | None = None
    positions: int | None = None
    bytes: int | None = None
    """Peak growth of the process's memory; None if unknown."""
    gave_up: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


def methods_of(game: AnyGame) -> Comparison:
    found = game.reference_methods
    if not found.methods:
        raise InputError(f"{game.title} has no methods to compare with its solver.")
    return found


def chosen(game: AnyGame, names: Sequence[str]) -> list[SolvingMethod]:
    methods = methods_of(game).methods
    known = [method.name for method in methods]
    for name in names:
        if name not in known:
            raise InputError(f"Unknown method {name!r} for {game.title}. Choose from {', '.join(known)}.")
    return [method for method in methods if (method.name in names if names else method.usual)]


def described(method: SolvingMethod) -> str:
    counts = f"; counts {method.counts}" if method.counts else ""
    source = f" ({method.source})" if method.source else ""
    return f"{method.summary} Remembers {method.remembers or 'nothing'}{counts}{source}."


def boards_of(game: AnyGame, names: Iterable[str]) -> list[str]:
    boards = [parse_id_for(name or game.name, game.name) for name in names]
    for board in boards:
        parse_game_id(board)
    return boards


def compare(
    game: AnyGame,
    boards: Sequence[str],
    seconds: float,
    control: Control,
    told: Callable[[str, str], None] = lambda *_: None,
    names: Sequence[str] = (),
) -> Iterator[MethodRun]:
    """Run methods on boards, which must be ordered from small to large.

    A method that gives up on a board is not tried on larger boards. `seconds` limits each run.
    Raises RuntimeError if a method fails.
    """
    given_up: set[str] = set()
    methods = chosen(game, names)
    for board in boards:
        for method in methods:
            if control.stopped:
                return
            if method.name not in given_up:
                trial = _tried(board, method.name, seconds, control, partial(told, board, method.name))
                if trial is None:
                    return
                if trial.gave_up:
                    given_up.add(method.name)
                yield trial


def _tried(
    board: str, method: str, seconds: float, control: Control, told: Callable[[], None]
) -> MethodRun | None:
    ends = time.monotonic() + seconds + GRACE_SECONDS
    with WorkerProcess("arcade.study.comparison") as worker:
        worker.send([board, method, seconds])
        while not control.stopped:
            told()
            line = worker.line()
            if line:
                return MethodRun(board, method, **json.loads(line))
            if line is not None and worker.code < 0:
                return MethodRun(board, method, gave_up="out of memory")
            if line is not None:
                raise ProcessError(f"The method {method} failed on {board}.")
            if time.monotonic() > ends:
                return MethodRun(board, method, gave_up=OUT_OF_TIME)
    return None


def _memory(line: str) -> int | None:
    with suppress(OSError):
        report = Path("/proc/self/status").read_text("ascii").splitlines()
        return next(1024 * int(text.split()[1]) for text in report if text.startswith(line))
    return None


def _forget_peak() -> None:
    """Reset the peak of the process's memory; see `man proc_pid_clear_refs`."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")


def _answer(question: list[Any]) -> dict[str, Any]:
    board, name, seconds = question
    start = parse_game_id(board)
    method = next(method for method in methods_of(start.game).methods if method.name == name)
    position = start.start()
    method.warm()
    with Control(seconds) as control:
        gc.collect()
        _forget_peak()
        before, began = _memory("VmRSS"), time.perf_counter()
        work = method.solve(position, control)
        took, after = time.perf_counter() - began, _memory("VmHWM")
    return {
        **asdict(work),
        "seconds": None if work.gave_up else round(took, 6),
        "bytes": None if before is None or after is None else max(after - before, 0),
    }


MAX_NAME_LENGTH = 40
HEADS = ("board", "method", "seconds", "positions", "MiB", "answer")
NUMBERS = range(2, 5)


def cells(trial: MethodRun) -> tuple[str, ...]:
    return (
        size_of(trial.board),
        trial.method,
        "gave up" if trial.seconds is None else f"{trial.seconds:.6f}",
        "-" if trial.positions is None else f"{trial.positions:,}",
        "-" if trial.bytes is None else f"{trial.bytes / 2**20:.1f}",
        trial.gave_up or trial.answer,
    )


def table_lines(trials: Sequence[MethodRun]) -> list[str]:
    rows = [HEADS, *map(cells, trials)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if column in NUMBERS else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def detail_lines(trials: Sequence[MethodRun]) -> list[str]:
    lines = []
    for trial in trials:
        if trial.details:
            lines += ["", f"{size_of(trial.board)}, {trial.method}", *_nested(trial.details)]
    return lines


def _nested(details: Mapping[str, Any], indent: str = "  ") -> Iterator[str]:
    for name, value in details.items():
        if isinstance(value, Mapping) and any(isinstance(one, Mapping) for one in value.values()):
            yield f"{indent}{name}:"
            yield from _nested(value, f"{indent}  ")
        else:
            yield f"{indent}{name}: {_figure(value)}"


def _figure(value: object) -> str:
    match value:
        case None:
            return "not made"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case list():
            return ", ".join(value) or "none"
        case Mapping():
            return ", ".join(f"{key} {one}" for key, one in value.items())
        case _:
            return str(value)


def report_lines(game: AnyGame, trials: Sequence[MethodRun]) -> list[str]:
    told = [*table_lines(trials), *detail_lines(trials), "", *chart(trials)]
    found = found_lines(game, trials)
    return [*told, "", FOUND, *found] if found else told


FOUND = "Results of the original report"
_MEANT = {"seconds": "time", "positions": "what they count", "bytes": "memory", "answer": "the answers"}
NO_TIME = 0.001
"""Seconds below which times count as equal."""


def found_lines(game: AnyGame, trials: Sequence[MethodRun]) -> list[str]:
    return [f"{finding.text}{_here(finding, trials)}" for finding in methods_of(game).findings]


def _here(finding: ReportedFinding, trials: Sequence[MethodRun]) -> str:
    same: list[str] = []
    others: list[str] = []
    for board in dict.fromkeys(trial.board for trial in trials):
        tried = {trial.method: _measured(trial, finding.by) for trial in trials if trial.board == board}
        figures = [tried.get(name) for name in finding.ranking]
        known = [figure for figure in figures if figure is not None]
        if not finding.ranking or len(known) < len(figures) or known.count(math.inf) > 1:
            continue
        (same if known == sorted(known) else others).append(size_of(board))
    agreed = [f"the same order on {join_words(same)}"] if same else []
    differed = [f"a different order on {join_words(others)}"] if others else []
    if not agreed + differed:
        return ""
    order = " < ".join(finding.ranking)
    return f" Here, by {_MEANT[finding.by]} ({order}): {', '.join(agreed + differed)}."


def _measured(trial: MethodRun, by: str) -> float | None:
    if by == "answer":
        number = re.match(r"-?[0-9]+", trial.answer)
        return float(number[0]) if number else None
    if trial.gave_up:
        return math.inf
    figure = getattr(trial, by)
    return None if figure is None else max(figure, NO_TIME) if by == "seconds" else float(figure)


def chart(trials: Sequence[MethodRun]) -> list[str]:
    width = max((len(size_of(trial.board)) for trial in trials), default=0)
    lines = [f"Time (a factor of 10 is {DECADE} columns wide):"]
    for name in dict.fromkeys(trial.method for trial in trials):
        lines.append(name)
        for trial in trials:
            if trial.method == name:
                lines.append(f"  {size_of(trial.board):{width}}  {_bar(trial)}".rstrip())
    return lines


def size_of(board: str) -> str:
    name = board.partition(":")[2] or board
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[:16]}...{name[-21:]}"


def _bar(trial: MethodRun) -> str:
    if trial.seconds is None:
        return f"gave up: {trial.gave_up}"
    columns = max(1, round(DECADE * math.log10(max(trial.seconds, FASTEST) / FASTEST)))
    return f"{'#' * columns} {trial.seconds:.3g} s"


def check_picture() -> None:
    if find_spec("matplotlib") is None:
        raise InputError("--svg requires matplotlib. Install it with pip install 'solver-arcade[plot]'.")


def picture(trials: Sequence[MethodRun], game: AnyGame) -> bytes:
    import matplotlib  # loads matplotlib
    from matplotlib.figure import Figure  # loads matplotlib

    boards = list(dict.fromkeys(size_of(trial.board) for trial in trials))
    with matplotlib.rc_context({"svg.hashsalt": game.name, "svg.fonttype": "none"}):
        figure = Figure(figsize=(8, 5), layout="constrained")
        axes = figure.subplots()
        for name in dict.fromkeys(trial.method for trial in trials):
            done = [trial for trial in trials if trial.method == name and trial.seconds is not None]
            sizes = [boards.index(size_of(trial.board)) for trial in done]
            axes.plot(sizes, [trial.seconds or FASTEST for trial in done], marker="o", label=name)
        axes.set(title=f"{game.title}: time of each method", yscale="log", ylabel="seconds", xlabel="board")
        axes.set_xticks(range(len(boards)), boards)
        axes.grid(visible=True, alpha=0.3)
        axes.legend()
        drawn = BytesIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
        return drawn.getvalue()


if __name__ == "__main__":
    worker_main(_answer)
