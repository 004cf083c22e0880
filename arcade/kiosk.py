"""An arcade for strangers: no files of the host, and limits for what a visit may use."""

import os
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arcade.engines import files
from arcade.engines.files import InputError, data_folder
from arcade.play.jobs import Jobs

VISIT_SECONDS = 3600
"""Processor time in seconds after which a visit ends, with that of the processes that it has started."""

GRACE_SECONDS = 60
"""Processor time in seconds that a process has for ending by itself."""

LOOK_SECONDS = 5.0

MEMORY = 2 * 2**30
"""Most bytes of data that a visit may hold."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


def visitors_folder(name: str) -> Path:
    """The folder of a visitor's own store; raises InputError if the name is not allowed."""
    if not NAME.fullmatch(name):
        rule = "must be up to 32 letters from a to z or A to Z, digits, - and _, with no - or _ first"
        raise InputError(f"The name {name!r} of a visitor {rule}.")
    return data_folder() / "visitors" / name


def check_limits() -> None:
    """Raises InputError where this system cannot limit what strangers use."""
    if find_spec("resource") is None:
        raise InputError("Strangers cannot play here: this system cannot limit what they use.")


def close_off() -> None:
    """Keep this process from the host's files and limit what it uses; InputError where that cannot be."""
    check_limits()
    files.forbid()
    Jobs.most_seconds = 20.0
    resource: Any = import_module("resource")
    for kind, limit in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CPU, VISIT_SECONDS + GRACE_SECONDS)):
        most = resource.getrlimit(kind)[1]
        allowed = limit if most == resource.RLIM_INFINITY else min(limit, most)
        resource.setrlimit(kind, (allowed, allowed))


def time_is_up() -> bool:
    """Whether this visit, with the processes that it has started and that have ended, has used its time."""
    return sum(os.times()[:4]) >= VISIT_SECONDS
