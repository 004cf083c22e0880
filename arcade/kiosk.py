"""An arcade for strangers: no files of the host, and limits for what a visit may use."""

from __future__ import annotations

import os
import re
from pathlib import Path

from arcade.engines import files
from arcade.engines.errors import InputError
from arcade.session.jobs import Jobs
from arcade.store_file import data_folder

SOLVE_SECONDS = 20.0
"""Most seconds that one solve may take."""

VISIT_SECONDS = 3600
"""Processor time in seconds after which a visit ends, with that of the processes that it has started."""

GRACE_SECONDS = 60
"""Processor time in seconds that a process has for ending by itself."""

LOOK_SECONDS = 5.0
"""Seconds between two looks at the processor time."""

MEMORY = 2 * 2**30
"""Most bytes of data that a visit may hold."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
"""What the name of a visitor's folder may look like."""


def visitors_folder(name: str) -> Path:
    """The folder of a visitor's own store.

    Raises:
        InputError: this is no name for one.
    """
    if not NAME.fullmatch(name):
        raise InputError(
            f"The visitor {name!r} cannot have a folder: a name has up to 32 letters, digits, - and _."
        )
    return data_folder() / "visitors" / name


def close_off() -> None:
    """Keep this process away from the host's files, and limit what it may use."""
    files.forbid()
    Jobs.most_seconds = SOLVE_SECONDS
    if os.name != "nt":
        import resource

        for kind, limit in (
            (resource.RLIMIT_DATA, MEMORY),
            (resource.RLIMIT_CPU, VISIT_SECONDS + GRACE_SECONDS),
        ):
            most = resource.getrlimit(kind)[1]
            allowed = limit if most == resource.RLIM_INFINITY else min(limit, most)
            resource.setrlimit(kind, (allowed, allowed))


def time_is_up() -> bool:
    """Whether this visit, with the processes that it has started and that have ended, has used its time."""
    if os.name == "nt":
        return False
    import resource

    users = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(user)[:2]) for user in users) >= VISIT_SECONDS
