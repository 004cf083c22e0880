"""The keys at the foot of a screen."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget


class FooterEntry(NamedTuple):
    """A key that can be used now, and what it does."""

    key: str
    """As Textual calls it."""
    shown: str
    description: str
    enabled: bool
    tooltip: str

    @property
    def width(self) -> int:
        """Columns that it takes."""
        return cell_len(f"{self.shown} {self.description}")


class KeyFooter(Widget):
    """The keys of a screen in one line; a click on one presses it.

    Textual's own footer has a widget for each key, and building a dozen of them again and again took a large
    part of the time in which a match opens.

    Args:
        unused: the actions whose keys are left out now, since they would do nothing but say so.
    """

    ALLOW_SELECT = False

    DEFAULT_CSS = """
    KeyFooter { dock: bottom; height: 1; color: $footer-foreground; background: $footer-background; }
    KeyFooter:hover { pointer: pointer; }
    """

    entries: reactive[tuple[FooterEntry, ...]] = reactive(())
    """The keys, the most important first."""
    pointed: reactive[str] = reactive("")
    """The key under the mouse pointer; empty if there is none."""

    def __init__(self, unused: Callable[[], Container[str]] = tuple) -> None:
        super().__init__()
        self._unused = unused

    def on_mount(self) -> None:
        """Follow the keys of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen:
            self.call_after_refresh(self._read)

    def _read(self) -> None:
        if not self.is_attached:
            return
        found: dict[str, FooterEntry] = {}
        unused = self._unused()
        for _, binding, enabled, tooltip in self.screen.active_bindings.values():
            if binding.show and binding.action not in found and binding.action not in unused:
                shown = self.app.get_key_display(binding)
                found[binding.action] = FooterEntry(binding.key, shown, binding.description, enabled, tooltip)
        self.entries = tuple(found.values())

    @property
    def fitting(self) -> list[tuple[int, FooterEntry]]:
        """The keys that the line has room for, each with its first column; none is cut off in its middle."""
        fitting, column = [], 0
        for entry in self.entries:
            if column + entry.width > self.size.width:
                break
            fitting.append((column, entry))
            column += entry.width + 1
        return fitting

    def render(self) -> Content:
        """The keys in the colours of the theme."""
        parts = []
        for _, entry in self.fitting:
            part = Content.assemble(
                (entry.shown, "bold $footer-key-foreground"),
                (f" {entry.description}", "$footer-description-foreground"),
            )
            if entry.key == self.pointed:
                part = part.stylize("$footer-key-foreground on $block-hover-background")
            parts.append(part if entry.enabled else part.stylize("dim"))
        return Content(" ").join(parts)

    def _entry_at(self, x: int) -> FooterEntry | None:
        return next((entry for column, entry in self.fitting if 0 <= x - column < entry.width), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show which key a click would press."""
        entry = self._entry_at(event.x)
        self.pointed = entry.key if entry else ""
        self.tooltip = (entry.tooltip if entry else "") or None

    def on_leave(self) -> None:
        """The pointer has left."""
        self.pointed = ""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Press the key."""
        entry = self._entry_at(event.x)
        if entry is None:
            return
        if entry.enabled:
            self.app.simulate_key(entry.key)
        else:
            self.app.bell()
