"""Compare a run with the stored page, and report figures that are worse by more than 30 %.

Times are compared as multiples of the reference workload in the same run, so that a slow computer raises no
alarm. Figures such as "1.3x of 25 ms" are already ratios.
"""

from __future__ import annotations

import re

from benchmarks.reference import NAME

MORE = 1.3
"""Ratio from which a figure is reported."""
SHORTEST = 0.001
"""Seconds below which times are not compared."""

_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "MiB": 1.0, "MB": 1.0}
_FIGURE = re.compile(r"(?:median )?(?P<number>[\d.,]+) (?P<unit>us|ms|s|MiB|MB)\b.*")
_RATIO = re.compile(r"(?P<number>[\d.,]+)x of\b.*")

Figures = dict[tuple[str, str], tuple[float, str]]
"""By section and row, with its kind: "time" in seconds, "memory" or "ratio"."""


def figures(page: str) -> Figures:
    found: Figures = {}
    section = ""
    for line in page.splitlines():
        if line.startswith("## "):
            section = line[3:]
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("| ") or len(cells) < 2:
            continue
        name = cells[0]
        figure, ratio = _FIGURE.fullmatch(cells[1]), _RATIO.fullmatch(cells[1])
        if figure is not None:
            kind = "memory" if figure["unit"] in ("MiB", "MB") else "time"
            number = float(figure["number"].replace(",", "")) * _UNITS[figure["unit"]]
            found[section, name] = (number, kind)
        elif ratio is not None:
            found[section, name] = (float(ratio["number"].replace(",", "")), "ratio")
    return found


def slower(kept: str, new: str) -> list[str]:
    before, after = figures(kept), figures(new)
    said = []
    for (section, name), (now, kind) in after.items():
        old = before.get((section, name))
        if old is None or old[1] != kind or name == NAME:
            continue
        then, scale = old[0], 1.0
        if kind == "time":
            if max(now, then) < SHORTEST:
                continue
            reference = before.get((section, NAME)), after.get((section, NAME))
            if reference[0] is not None and reference[1] is not None:
                scale = reference[1][0] / reference[0][0]
        if then > 0 and now / then / scale > MORE:
            unit = {"time": " s", "memory": " MiB", "ratio": " times"}[kind]
            against = f", the reference {scale:.2f} times as slow" if kind == "time" else ""
            said.append(
                f"{section}: {name}: {now / then / scale:.2f} times what it was "
                f"({now:.3g}{unit} instead of {then:.3g}{unit}{against})."
            )
    return said
