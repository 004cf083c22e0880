"""What the methods of all games' documents share. Their words are in each game's documents.toml."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from arcade.engines.control import Control
from arcade.engines.files import package_table
from arcade.engines.game import OUT_OF_TIME, Compared, Finding, SolvingMethod, Work

T = TypeVar("T")


class GaveUpError(Exception):
    """A method has given up; the text says why, in a few words."""


def check_time(control: Control) -> None:
    if control.stopped:
        raise GaveUpError(OUT_OF_TIME)


def in_time(found: T | None) -> T:
    """Raises GaveUpError for None: the control has stopped the work."""
    if found is None:
        raise GaveUpError(OUT_OF_TIME)
    return found


def compared(package: str, programs: Mapping[str, SolvingMethod]) -> Compared:
    """The methods, with what documents.toml in a package says of them: N in a name stands for its number.

    What a program runs may raise `GaveUpError`.
    """
    told = package_table(package, "documents.toml")
    methods = [
        replace(
            program,
            name=name,
            run=partial(_run, program.run),
            **told["methods"][re.sub("[0-9]+$", "N", name)],
        )
        for name, program in programs.items()
    ]
    return Compared(methods, tuple(told["boards"]), [Finding(**finding) for finding in told["findings"]])


def _run(run: Callable[[Any, Control], Work], position: Any, control: Control) -> Work:
    try:
        return run(position, control)
    except GaveUpError as why:
        return Work("", control.nodes, str(why))
