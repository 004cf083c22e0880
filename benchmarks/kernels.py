"""Compile times of the kernels, and a newcomer's waiting times: `python -m benchmarks.kernels`.

Times are processor times, so that other work on the computer does not count. The time of a kernel includes
functions that it is the first to use.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from typing import Any

from arcade.engines.registry import game_names, get_game
from benchmarks.cold import in_a_fresh_process
from benchmarks.table import Row, show


def compiled(game: str) -> dict[str, float]:
    """Seconds of each kernel and of "all", in this process."""
    from numba.core import event

    found: dict[str, float] = defaultdict(float)
    depth: list[float] = []

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            depth.append(time.process_time())

        def on_end(self, event: Any) -> None:
            took = time.process_time() - depth.pop()
            if not depth:
                function = event.data["dispatcher"].py_func
                found[f"{function.__module__.removeprefix('arcade.')}.{function.__name__}"] += took

    register: Any = event.register
    register("numba:compile", Listener())
    started = time.process_time()
    get_game(game).solver.warm()
    return {**found, "all": time.process_time() - started}


def rows() -> list[Row]:
    found: list[Row] = []
    total = 0.0
    for game in game_names():
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"NUMBA_CACHE_DIR": folder}
            command = [sys.executable, "-m", "benchmarks.kernels", game]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        times = json.loads(done.stdout)
        total += times.pop("all")
        found += [(f"compile {kernel}", f"{seconds:.2f} s", "") for kernel, seconds in times.items()]
    found.append(("compile all kernels", f"{total:.1f} s", ""))
    for game in ("chocobar", "hexapawn", "tetromino", "menace"):
        first = in_a_fresh_process(game)
        note = " (kernels not yet compiled)" if not first["compiled"] else ""
        found.append((f"{game}: first verdict on a new computer", f"{first['verdict']:.2f} s{note}", "1 s"))
        found.append(
            (
                f"{game}: first move of an engine on a new computer, with a pause of 0.4 s",
                f"{first['answer']:.2f} s",
                "1 s",
            )
        )
    return found


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(compiled(sys.argv[1])))
    else:
        show(rows())
