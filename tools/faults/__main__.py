"""Plant deliberate faults, one at a time, and check that the tests find them.

    python -m tools.faults [GAME]... [--only NUMBER]... [--seed 0]

Exits with 1 if a fault was missed, and with 2 if the check was impossible.
"""

from __future__ import annotations

import signal
import sys
import tempfile
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from tools.faults.planting import Copy, Fault, FaultError, Outcome, games, read_faults

PATIENCE = 4
"""A run hangs after this many times its usual seconds, plus a minute."""


def main(
    chosen: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...")] = None,
    only: Annotated[
        list[int] | None, typer.Option(metavar="NUMBER", help="Plant only this fault of the game.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the tests.")] = 0,
    show: Annotated[bool, typer.Option(help="Print the output of pytest.")] = False,
) -> None:
    found: list[tuple[Fault, Outcome]] = []
    problem = ""
    try:
        lists = {game: _chosen(read_faults(game), only) for game in chosen or games()}
        # A background process ignores Ctrl+C, as would the tests that send it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(Path(folder).resolve(), seed)
            for fault in chain.from_iterable(lists.values()):
                fault.planted((copy.root / fault.file).read_text("utf-8"))
            for game, faults in lists.items():
                _plant(copy, game, faults, found, show)
    except KeyboardInterrupt:
        problem = "Stopped."
    except FaultError as error:
        problem = str(error)
    _summarize(found)
    if problem:
        print(problem, file=sys.stderr)
        raise typer.Exit(2)
    if not all(outcome.caught for _, outcome in found):
        raise typer.Exit(1)


def _chosen(faults: list[Fault], only: list[int] | None) -> list[Fault]:
    numbers = {fault.number for fault in faults}
    for number in only or ():
        if number not in numbers:
            raise FaultError(f"Unknown fault {number} of {faults[0].game}. Choose from 1 to {len(faults)}.")
    return [fault for fault in faults if not only or fault.number in only]


def _plant(
    copy: Copy, game: str, faults: list[Fault], found: list[tuple[Fault, Outcome]], show: bool
) -> None:
    clean = copy.run(game, None, 3600)
    if clean.caught:
        raise FaultError(
            f"Without any fault the tests of {game} fail: {clean.caught}.\n{clean.output[-3000:]}"
        )
    print(f"{game}: no fault, {clean.seconds:.0f} s", flush=True)
    for fault in faults:
        with copy.planted(fault):
            outcome = copy.run(game, fault, PATIENCE * clean.seconds + 60)
        found.append((fault, outcome))
        print(_line(fault, outcome), flush=True)
        if show:
            print(outcome.output, flush=True)


def _line(fault: Fault, outcome: Outcome) -> str:
    caught = outcome.caught.removeprefix("tests/") or "MISSED"
    return f"{fault.game:10}{fault.number:3}  {fault.name}\n{'':15}{outcome.seconds:4.0f} s  {caught}"


def _summarize(found: list[tuple[Fault, Outcome]]) -> None:
    if not found:
        return
    print(f"\n{'game':<12}{'faults':>8}{'caught':>8}{'missed':>8}{'seconds':>9}")
    for game in dict.fromkeys(fault.game for fault, _ in found):
        rows = [outcome for fault, outcome in found if fault.game == game]
        print(_row(game, rows))
    print(_row("all", [outcome for _, outcome in found]))


def _row(title: str, rows: list[Outcome]) -> str:
    missed = sum(not each.caught for each in rows)
    seconds = sum(each.seconds for each in rows)
    return f"{title:<12}{len(rows):>8}{len(rows) - missed:>8}{missed:>8}{seconds:>9.0f}"


if __name__ == "__main__":
    typer.run(main)
