"""An app in which a key or click waits until the previous one has had its effect."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Any

from textual import events
from textual.app import App

from arcade.screens.base import BaseScreen

LONGEST_WAIT = 2.0
"""Most seconds that a key or click waits."""


class PatientApp(App[None]):
    """Keys typed ahead reach the screen and focus that earlier keys lead to.

    No key or click reaches a screen that is still opening or closing.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._heard: deque[events.Event] = deque()
        """Keys, pasted texts and mouse events not yet handled."""
        self._waiting = False
        """Whether one of them waits for the effect of the previous one."""
        self._deadline = 0.0
        """When it stops waiting."""

    async def on_event(self, event: events.Event) -> None:
        if not isinstance(event, events.InputEvent | events.Paste):
            await super().on_event(event)
        elif event.is_forwarded:
            # Not while the app is ending and has no screen.
            if self.screen_stack:
                await super().on_event(event)
        else:
            if self._heard and all(isinstance(each, events.MouseMove) for each in (event, self._heard[-1])):
                self._heard.pop()
            self._heard.append(event)
            if not self._waiting:
                self._deadline = time.monotonic() + LONGEST_WAIT
                await self._hear()

    async def _hear(self) -> None:
        """Handle as much of the waiting input as possible now."""
        while self._heard and self.screen_stack:
            at_rest = self._at_rest
            self._waiting = not at_rest and time.monotonic() < self._deadline
            if self._waiting:
                # The app handles its own messages without pausing for those of others.
                await asyncio.sleep(0)
                self.call_later(self._hear)
                return
            if at_rest:
                self._deadline = time.monotonic() + LONGEST_WAIT
            event = self._heard.popleft()
            if not (isinstance(self.screen, BaseScreen) and self.screen.takes(event)):
                await super().on_event(event)

    @property
    def _at_rest(self) -> bool:
        """Whether no message is waiting."""
        if not self._message_queue.empty():
            return False
        nodes = (*self.screen_stack, *self.screen.walk_children())
        return all(node._message_queue.empty() for node in nodes)
