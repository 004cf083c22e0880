"""Runs every benchmark and writes docs/performance.md: `make bench`, or `python -m benchmarks [NAME]...`."""

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

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"

ALL = [*ORDER, "screens", "first_minutes"]
"""Every benchmark, in the order of the page."""

HEAD = """\
# Performance

Written by `make bench` on {day}: {machine}, {cores} cores, Python {python}. Kernels are compiled before
anything is timed. A limit is what the project asks of itself; the historical methods and the C programs
that ratios are taken to run in the same process or beside it, on the same machine at the same time.
"""


def main() -> None:
    """Run the benchmarks that are named, or all."""
    names = sys.argv[1:] or ALL
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
            sys.exit(f"There is no benchmark {name!r}.")
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
            rows = alone.submit(rows_of, name).result()
        print(f"\n{name}")
        show(rows)
        parts.append(
            f"## {name.capitalize().replace('_', ' ')}\n\n`python -m benchmarks.{name}`\n\n{markdown(rows)}\n"
        )
    if names == ALL:
        PAGE.write_text("\n".join(parts), encoding="utf-8")
        print(f"\nwritten to {PAGE}")


if __name__ == "__main__":
    main()
