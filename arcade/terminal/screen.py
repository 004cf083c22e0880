"""Screens and a field with what is mended in Textual's; docs/upstream.md gives the reasons."""

from __future__ import annotations

from typing import Any, TypeVar

from textual import events
from textual._styles_cache import StylesCache
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette
from textual.errors import NoWidget
from textual.geometry import Offset, Region
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

Result = TypeVar("Result")


class MendedScreen(Screen[Result]):
    """A screen that any input, size or late message leaves whole."""

    def takes(self, event: events.Event) -> bool:
        """Called first with each key, pasted text and mouse event; True if it does nothing else."""
        return False

    # A notice that lies under another screen would be shown twice.

    def on_screen_suspend(self) -> None:
        self.query("ToastRack").set(display=False)

    def on_screen_resume(self) -> None:
        self.query("ToastRack").set(display=True)

    def on_unmount(self) -> None:
        StylesCache.get_inner_outer.cache_clear()

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_active else AwaitComplete()

    async def on_event(self, event: events.Event) -> None:
        """Receive an event; replace an outdated terminal size by the present one.

        A covered screen answers a size event with one to itself, so two different sizes would alternate
        forever.
        """
        if isinstance(event, events.Resize) and event.size != self.app.size:
            event = events.Resize(self.app.size, self.app.size)
        await super().on_event(event)

    def set_timer(self, *args: Any, **options: Any) -> Timer:
        """Do something once; not left out, as by Textual, when the processor was away for so long before."""
        timer = super().set_timer(*args, **options)
        timer._skip = False
        return timer

    def get_widget_at(self, x: int, y: int) -> tuple[Widget, Region]:
        try:
            return super().get_widget_at(x, y)
        except NoWidget:
            return self, self.region

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """The widget at a place where a text selection may start; never a removed one.

        The compositor keeps a removed widget until the next paint, and Textual 8.2 fails when it asks for
        its container.
        """
        widget, offset = super().get_widget_and_offset_at(x, y)
        return (widget, offset) if widget is not None and widget.is_attached else (None, None)


class Palette(CommandPalette, MendedScreen[None]):
    """Textual's list of commands, but a second Enter while it is closing does nothing."""

    def takes(self, event: events.Event) -> bool:
        return isinstance(event, events.Key) and not self.query(CommandList)

    # A key that was on its way when the list went comes here.

    def _action_command_list(self, action: str) -> None:
        if self.query(CommandList):
            super()._action_command_list(action)

    def _action_cursor_down(self) -> None:
        if self.query(CommandList):
            super()._action_cursor_down()


class Line(Input):
    """An input line that takes the whole of what is pasted, its lines joined by spaces."""

    def _on_paste(self, event: events.Paste) -> None:
        super()._on_paste(events.Paste(" ".join(event.text.splitlines())))
        event.stop()
        event.prevent_default()
