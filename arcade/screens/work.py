"""Screens that let work be done in threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.message import Message
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from arcade.engines.control import Control
from arcade.screens.base import ArcadeScreen


class WorkScreen(ArcadeScreen):
    """A screen whose work runs in threads, in groups; an answer that nobody wants any more is dropped.

    A worker takes the control that `control` makes for its group, and hands over what it finds by `tell`.
    """

    CLOCK_SECONDS: ClassVar[float] = 1.0
    """How often running work tells how far it is."""

    class Found(Message):
        """A worker has an answer."""

        def __init__(self, what: Callable[..., None], control: Control, found: tuple[Any, ...]) -> None:
            super().__init__()
            self.what = what
            self.work = control
            self.found = found

    def __init__(self) -> None:
        super().__init__()
        self.controls: dict[str, Control] = {}
        """The controls of the work that runs, by group."""
        self._clock: Timer | None = None

    def control(self, group: str, seconds: float | None = None) -> Control:
        """A fresh control for a group of workers; what ran in the group before is told to stop."""
        self.drop(group)
        self.controls[group] = Control(seconds)
        if self._clock is None:
            self._clock = self.set_interval(self.CLOCK_SECONDS, self.show_progress)
        return self.controls[group]

    def drop(self, group: str) -> None:
        """Tell a group's work to stop."""
        control = self.controls.pop(group, None)
        if control is not None:
            control.cancel()
            control.close()
        if not self.controls and self._clock is not None:
            self._clock.stop()
            self._clock = None

    def stop_work(self, but: str = "") -> None:
        """Tell all work to stop, but that of one group."""
        for group in list(self.controls):
            if group != but:
                self.drop(group)

    def on_unmount(self) -> None:
        """Leave no work behind."""
        self.stop_work()

    def tell(self, what: Callable[..., None], control: Control, *found: Any) -> None:
        """From a worker's thread: hand over what was found, unless nobody wants it any more."""
        # A message and not call_from_thread, which would wait for ever for an app that has just ended.
        if not control.cancelled:
            self.post_message(self.Found(what, control, found))

    def on_work_screen_found(self, message: WorkScreen.Found) -> None:
        """Take in what a worker has found, unless nobody wants it any more."""
        if not message.work.cancelled and self.is_attached:
            message.what(*message.found)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that fails must not leave the screen waiting for it."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.drop(event.worker.group)
            self.work_failed(event.worker.error)

    def show_progress(self) -> None:
        """Show how far the work is; called every `CLOCK_SECONDS` while there is any."""

    def work_failed(self, error: BaseException) -> None:
        """A worker has raised something; it has been dropped."""
