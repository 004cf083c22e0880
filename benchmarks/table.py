"""Tables of figures, in the terminal and in Markdown."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from benchmarks import reference

Row = tuple[str, str, str]


def show(rows: list[Row]) -> None:
    lines = [("what", "measured", "limit"), *rows]
    widths = [max(len(row[column]) for row in lines) for column in range(3)]
    for row in lines:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def main(rows: Callable[[bool], list[Row]]) -> None:
    """`--quick` uses the smallest sizes."""
    show(rows("--quick" in sys.argv[1:]))


def markdown(rows: list[Row]) -> str:
    lines = ["| what | measured | limit |", "|---|---:|---:|"]
    lines += [f"| {what} | {measured} | {limit} |" for what, measured, limit in rows]
    return "\n".join(lines)


def rows_of(name: str) -> list[Row]:
    """In its own process, with its own peak memory."""
    rows: list[Row] = import_module(f"benchmarks.{name}").rows()
    return [(reference.NAME, f"{1000 * reference.seconds():.1f} ms", ""), *rows]
