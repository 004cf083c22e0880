"""A runner for tests: everything happens in their own thread."""

import threading
from collections import deque
from collections.abc import Callable

from arcade.play.jobs import Action


class Here:
    """Runs everything in the thread of the caller of `settle`, one thing after the other, without waiting."""

    def __init__(self) -> None:
        self._waiting: deque[Action] = deque()

    def run(self, work: Action) -> None:
        self._waiting.append(work)

    deliver = run

    def later(self, seconds: float, action: Action) -> Action:
        called_off = threading.Event()
        self.run(lambda: None if called_off.is_set() else action())
        return called_off.set

    def settle(self, enough: Callable[[], bool] = lambda: False) -> None:
        """Run what there is to run until nothing is left, or it is enough."""
        while self._waiting and not enough():
            self._waiting.popleft()()
