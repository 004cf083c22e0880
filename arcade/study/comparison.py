"""Methods of a game side by side on the same boards, each in a process of its own.

So the memory of each can be measured, and a cancel takes effect at once, whatever the method does.
"""

from __future__ import annotations

import gc
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from arcade.engines.child import Child, serve
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import OUT_OF_TIME, Compared, HasMethods
from arcade.engines.registry import AnyGame, parse_game_id

GRACE_SECONDS = 30.0
"""How much longer than its time a process may live, for loading, compiling and stopping."""
FASTEST = 1e-5
"""The time in seconds at which the bars of the chart begin."""
DECADE = 5
"""Columns of the chart for a factor of ten."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A method on a board."""

    board: str
    method: str
    answer: str = ""
    seconds: float | None = None
    positions: int | None = None
    bytes: int | None = None
    """How much the memory of its process has grown at most; None where it cannot be measured."""
    gave_up: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What else the method has counted; see `Work.details`."""


def methods_of(game: AnyGame) -> Compared:
    """The methods of a game, and the boards to compare them on; raises InputError if it has none."""
    if not isinstance(game, HasMethods):
        raise InputError(f"{game.title} has no other methods to compare with its solver.")
    return game.compared()


def boards_of(game: AnyGame, sizes: Iterable[str]) -> list[str]:
    """The game IDs of the boards of some sizes, e.g. "4x4"; raises InputError if one is bad."""
    boards = [f"{game.name}:{size}" if size else game.name for size in sizes]
    for board in boards:
        parse_game_id(board)
    return boards


def compare(
    game: AnyGame,
    boards: Sequence[str],
    seconds: float,
    control: Control,
    told: Callable[[str, str], None] = lambda *_: None,
) -> Iterator[Trial]:
    """Run each method on each board; one that has given up is not tried on later boards.

    Args:
        game: whose methods.
        boards: game IDs, the smallest first.
        seconds: time limit for each.
        control: stops the work.
        told: called with board and method, over and over while one works.

    Raises:
        RuntimeError: a method has failed.
    """
    given_up: set[str] = set()
    methods = methods_of(game).methods
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
) -> Trial | None:
    """The result of one method; None when cancelled."""
    ends = time.monotonic() + seconds + GRACE_SECONDS
    with Child("arcade.study.comparison") as child:
        child.send([board, method, seconds])
        while not control.stopped:
            told()
            line = child.line()
            if line:
                return Trial(board, method, **json.loads(line))
            if line is not None and child.code < 0:
                return Trial(board, method, gave_up="out of memory")
            if line is not None:
                raise RuntimeError(f"The method {method} has failed on {board}.")
            if time.monotonic() > ends:
                return Trial(board, method, gave_up=OUT_OF_TIME)
    return None


def _memory(line: str) -> int | None:
    """A line of the kernel's report on this process, in bytes; None where there is no such report."""
    with suppress(OSError):
        report = Path("/proc/self/status").read_text("ascii").splitlines()
        return next(1024 * int(text.split()[1]) for text in report if text.startswith(line))
    return None


def _forget_peak() -> None:
    """Let the peak of the memory begin at what is in use now; see `man proc_pid_clear_refs`."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")


def _answer(question: list[Any]) -> dict[str, Any]:
    board, name, seconds = question
    start = parse_game_id(board)
    methods = methods_of(start.game).methods
    method = next(method for method in methods if method.name == name)
    position = start.start()
    method.warm()
    with Control(seconds) as control:
        gc.collect()
        _forget_peak()
        before, began = _memory("VmRSS"), time.perf_counter()
        work = method.run(position, control)
        took, after = time.perf_counter() - began, _memory("VmHWM")
    return {
        **asdict(work),
        "seconds": None if work.gave_up else round(took, 6),
        "bytes": None if before is None or after is None else max(after - before, 0),
    }


HEADS = ("board", "method", "seconds", "positions", "MiB", "answer")
NUMBERS = range(2, 5)


def cells(trial: Trial) -> tuple[str, ...]:
    return (
        size_of(trial.board),
        trial.method,
        "gave up" if trial.seconds is None else f"{trial.seconds:.6f}",
        "-" if trial.positions is None else f"{trial.positions:,}",
        "-" if trial.bytes is None else f"{trial.bytes / 2**20:.1f}",
        trial.gave_up or trial.answer,
    )


def table_lines(trials: Sequence[Trial]) -> list[str]:
    """The table as text: a line for each method on each board, after the heads."""
    rows = [HEADS, *map(cells, trials)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if column in NUMBERS else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def chart(trials: Sequence[Trial], mark: str = "#") -> list[str]:
    """How the time of each method grows with the board: a bar for each trial, on a logarithmic scale."""
    width = max((len(size_of(trial.board)) for trial in trials), default=0)
    lines = [f"Time, a factor of 10 is {DECADE} columns:"]
    for name in dict.fromkeys(trial.method for trial in trials):
        lines.append(name)
        for trial in trials:
            if trial.method == name:
                lines.append(f"  {size_of(trial.board):{width}}  {_bar(trial, mark)}".rstrip())
    return lines


def size_of(board: str) -> str:
    """A game ID without the game, e.g. "4x4"; the game where it has no sizes."""
    return board.partition(":")[2] or board


def _bar(trial: Trial, mark: str) -> str:
    if trial.seconds is None:
        return f"gave up: {trial.gave_up}"
    columns = max(1, round(DECADE * math.log10(max(trial.seconds, FASTEST) / FASTEST)))
    return f"{mark * columns} {trial.seconds:.3g} s"


def check_picture() -> None:
    """Raise InputError if the chart cannot be drawn, since matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise InputError("The picture needs matplotlib: install it with pip install 'solver-arcade[plot]'.")


def picture(trials: Sequence[Trial], game: AnyGame) -> bytes:
    import matplotlib
    from matplotlib.figure import Figure

    boards = list(dict.fromkeys(size_of(trial.board) for trial in trials))
    # The same picture each time, with its words as text.
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
    serve(_answer)
