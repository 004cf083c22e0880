"""Stop work that runs in another thread, and read its progress."""

from __future__ import annotations

import os
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STOP, NODES, BEST, BOUND, DEPTH = range(5)
"""Indices into `Control.cells`.

STOP: 0, CANCELLED or TIMED_OUT.
NODES: positions visited.
BEST, BOUND: best value found and proven bound, in the solver's unit.
DEPTH: search depth in plies.
"""

CANCELLED, TIMED_OUT = 1, 2

MAX_THREADS = 2
"""Maximum number of search threads. More would take the core that draws the screen."""

MIN_WAIT_SECONDS = 0.02
"""Minimum seconds between two checks of a deadline."""


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def solver_threads() -> int:
    return min(MAX_THREADS, cores())


class Kernels:
    """A manager of kernel compilation. In this base class, the first call of a kernel compiles it."""

    def __init__(self, preparing: Callable[[], None] = lambda: None) -> None:
        self.preparing = preparing
        """A function that the working thread calls before it compiles a kernel."""
        self.unsaved: dict[str, str] = {}
        """The reasons why compiled kernels could not be saved, by folder."""

    def ready(self, game: str) -> bool:
        return True

    def hurry(self, game: str) -> None:
        """Compile a game's kernels before those of other games."""

    def wait(self, game: str, control: Control) -> bool:
        """Wait until a game's kernels can be called. Return False if the control is cancelled first."""
        return True


class Control:
    """A stop flag, a deadline and counters, shared with a kernel through one array.

    A kernel reads `cells[STOP]` at least every 20 ms and returns early if it is not 0. Python code checks
    `stopped`. After `seconds`, a timer thread sets the flag. Use the control as a context manager or
    call `close`; otherwise its timer may outlive the work.
    """

    __slots__ = (
        "_cells",
        "_deadline",
        "_lock",
        "_lost",
        "_paused_at",
        "_pauses",
        "_started",
        "_timer",
        "kernels",
        "waiting",
    )

    def __init__(self, seconds: float | None = None, kernels: Kernels | None = None) -> None:
        self._cells = array("q", bytes(64))
        self.kernels = kernels or Kernels()
        self.waiting = False
        self._pauses, self._paused_at, self._lost = 0, 0.0, 0.0
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None
        self._started = self._now()
        self._set_deadline(None if seconds is None else self._started + seconds)

    @property
    def cells(self) -> NDArray[np.int64]:
        """An array of shape (8,), with indices such as NODES."""
        # In the working thread, so that no screen waits 0.1 s.
        import numpy as np  # loads NumPy

        return np.frombuffer(self._cells, np.int64)

    def _now(self) -> float:
        with self._lock:
            return (self._paused_at if self._pauses else time.perf_counter()) - self._lost

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock inside the context. Several threads may stop it at the same time."""
        with self._lock:
            if not self._pauses:
                self._paused_at = time.perf_counter()
            self._pauses += 1
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
                if not self._pauses:
                    self._lost += time.perf_counter() - self._paused_at

    @contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """Limit the work inside the context to `seconds`. An earlier deadline still applies."""
        with self._lock:
            whole = self._deadline
            if seconds is not None:
                part = self._now() + seconds
                self._set_deadline(part if whole is None else min(part, whole))
        try:
            yield
        finally:
            with self._lock:
                self._set_deadline(whole)

    def _set_deadline(self, deadline: float | None) -> None:
        self.close()
        self._deadline = deadline
        if not self.cancelled:
            remaining = self.remaining
            self._cells[STOP] = TIMED_OUT if remaining == 0 else 0
            if remaining:
                self._set_timer(remaining)

    def _set_timer(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._time_out)
        self._timer.daemon = True
        self._timer.start()

    def _time_out(self) -> None:
        with self._lock:
            if self.remaining == 0:
                self._cells[STOP] = self._cells[STOP] or TIMED_OUT
            elif self._timer is not None:
                self.close()
                self._set_timer(max(self.remaining or 0.0, MIN_WAIT_SECONDS))

    def cancel(self) -> None:
        """Stop the work within 200 ms. Any thread may call this."""
        with self._lock:
            self._cells[STOP] = CANCELLED

    def close(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def has_kernels(self, game: str) -> bool:
        """Return True if a game's kernels can be called. Otherwise have them compiled and return False."""
        if self.kernels.ready(game):
            return True
        self.kernels.hurry(game)
        return False

    def wait_for_kernels(self, game: str) -> bool:
        """Wait until a game's kernels can be called. Return False if the control is cancelled first."""
        if self.kernels.ready(game):
            return True
        self.waiting = True
        try:
            return self.kernels.wait(game, self)
        finally:
            self.waiting = False

    @property
    def stopped(self) -> bool:
        if self.remaining == 0:
            self._time_out()
        return bool(self._cells[STOP])

    @property
    def cancelled(self) -> bool:
        return self._cells[STOP] == CANCELLED

    @property
    def nodes(self) -> int:
        return self._cells[NODES]

    @nodes.setter
    def nodes(self, visited: int) -> None:
        self._cells[NODES] = visited

    @property
    def seconds(self) -> float:
        """Seconds since the start, without pauses."""
        return self._now() - self._started

    @property
    def remaining(self) -> float | None:
        """Seconds left (never negative), or None if there is no deadline."""
        return None if self._deadline is None else max(0.0, self._deadline - self._now())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
