"""Run all benchmarks and write RESULTS.md: `make bench`, or `python -m benchmarks [--keep] [NAME]`.

The run is first compared with the page. If a figure is worse by more than 30 %, the run reports it, exits
with 1 and does not change the page, unless --keep is given.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import sys
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from importlib.util import find_spec
from pathlib import Path

from arcade.engines.registry import ORDER
from benchmarks.table import markdown, rows_of, show
from benchmarks.watch import slower

PAGE = Path(__file__).with_name("RESULTS.md")

ALL = [
    *ORDER,
    "peers",
    "puzzles",
    "reasons",
    "hints",
    "kernels",
    "screens",
    "first_minutes",
    "reading",
    "history",
]
"""Every benchmark, in the order of the page."""

HEAD = """\
# Benchmark results

Written by `make bench` on {day}: {machine}, {cores} cores, Python {python}. Kernels are compiled before
the measurements. A limit is a requirement of the project. The original methods and the C programs run on
the same computer at the same time.

The next run is compared with this page, with times as multiples of the reference workload. It reports every
figure that is worse by more than 30 %. With `--quick`, most benchmarks only show that they run.
[Other measurements](MEASUREMENTS.md) come from the tools.
"""


def main() -> None:
    names = [each for each in sys.argv[1:] if each != "--keep"] or ALL
    parts = [
        HEAD.format(
            day=date.today().isoformat(),
            machine=platform.processor() or platform.machine(),
            cores=os.cpu_count(),
            python=platform.python_version(),
        )
    ]
    for name in names:
        if find_spec(f"benchmarks.{name}") is None:
            sys.exit(f"Unknown benchmark {name!r}.")
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
            rows = alone.submit(rows_of, name).result()
        print(f"\n{name}")
        show(rows)
        parts.append(
            f"## {name.capitalize().replace('_', ' ')}\n\n`python -m benchmarks.{name}`\n\n{markdown(rows)}\n"
        )
    page = "\n".join(parts)
    worse = slower(PAGE.read_text("utf-8"), page)
    for sentence in worse:
        print(f"SLOWER {sentence}")
    if not worse:
        print("\nNo figure is more than 30 % worse than in the stored page.")
    elif "--keep" not in sys.argv:
        sys.exit(1)
    if names == ALL:
        PAGE.write_text(page, encoding="utf-8")
        print(f"Wrote {PAGE}.")


if __name__ == "__main__":
    main()
