"""Background jobs and notices."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol

from arcade.engines.control import Control, Kernels
from arcade.engines.registry import AnyGame

Severity = Literal["information", "warning", "error"]


class Notice(NamedTuple):
    text: str
    severity: Severity = "information"
    seconds: float | None = None


Action = Callable[[], None]


class Runner(Protocol):
    """A runner of background jobs. It decides in which threads jobs run and their answers are handled."""

    def run(self, work: Action) -> None:
        """Run `work`, perhaps in another thread. `work` never raises an exception."""

    def deliver(self, answer: Action) -> None:
        """Run `answer` in the owner's thread. Running work calls this method, perhaps from another thread."""

    def later(self, seconds: float, action: Action) -> Action:
        """Run `action` in the owner's thread after a delay. Return a function that cancels it."""


class Threads:
    """A runner with a thread for each job and no delays. The thread that calls `settle` runs the answers."""

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[Action] = queue.SimpleQueue()

    def run(self, work: Action) -> None:
        threading.Thread(target=work, daemon=True).start()

    def deliver(self, answer: Action) -> None:
        self._answers.put(answer)

    def later(self, seconds: float, action: Action) -> Action:
        self.deliver(action)
        return lambda: None

    def settle(self, enough: Callable[[], bool], seconds: float | None = None) -> None:
        """Run answers until `enough` returns True. Raises TimeoutError if none arrives within `seconds`."""
        while not enough():
            try:
                self._answers.get(timeout=seconds)()
            except queue.Empty:
                raise TimeoutError(f"No answer for {seconds} seconds.") from None


class Jobs:
    """The background jobs of one owner, in groups. A new job replaces the running job of its group.

    If a job raises an exception, `failed` is called with it in the owner's thread. Jobs wait until `kernels`
    has compiled the code that they need, because compiling in a job would block the owner too.
    """

    def __init__(
        self, runner: Runner, failed: Callable[[BaseException], None], kernels: Kernels | None = None
    ) -> None:
        self.controls: dict[str, Control] = {}
        self._runner = runner
        self._failed = failed
        self._kernels = kernels

    def start(self, group: str, work: Callable[[Job], None], seconds: float | None = None) -> None:
        self.drop(group)
        control = self.controls[group] = Control(seconds, self._kernels)
        job = Job(control, self._runner)

        def run() -> None:
            try:
                work(job)
            except Exception as error:
                # Python deletes `error` at the end of the clause.
                raised = error
                job.tell(lambda: self._ended_badly(group, control, raised))

        self._runner.run(run)

    def _ended_badly(self, group: str, control: Control, error: BaseException) -> None:
        if self.controls.get(group) is control:
            self.drop(group)
        self._failed(error)

    def drop(self, group: str) -> None:
        control = self.controls.pop(group, None)
        if control is not None:
            control.cancel()
            control.close()

    def stop(self, but: str = "") -> None:
        for group in list(self.controls):
            if group != but:
                self.drop(group)


class Job:
    def __init__(self, control: Control, runner: Runner) -> None:
        self.control = control
        self._runner = runner

    def ready(self, game: AnyGame) -> bool:
        return not game.solver.compiled or self.control.wait_for_kernels(game.name)

    def tell(self, answer: Callable[..., None], *found: Any) -> None:
        def take_in() -> None:
            if not self.control.cancelled:
                answer(*found)

        if not self.control.cancelled:
            self._runner.deliver(take_in)
