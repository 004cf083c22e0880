"""Keys and their actions: shortcuts, footer and title line."""

from collections.abc import Callable
from typing import Any, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import App
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Offset, Region
from textual.reactive import reactive
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from arcade.play.keymap import DEFAULT_KEYS, KEYLESS
from arcade.play.keys import Keys


class Shortcut(NamedTuple):
    key: str
    word: str
    action: str
    """An action of the screen, for example "turn(1)"."""


def keys_of(app: App[Any]) -> Keys:
    """Return the app's keys. An app that only draws a picture has the default keys."""
    keys: Keys = getattr(app, "keys", DEFAULT_KEYS)
    return keys


def shortcut(keys: Keys, name: str, word: str, action: str = "") -> Shortcut:
    """Return a shortcut for the key called `name`. The action has the same name unless `action` is given."""
    return Shortcut(keys.label(name), word, action or name)


def match_shortcut(keys: Keys, name: str, word: str) -> Shortcut:
    return shortcut(keys, name, word, f"act('{name}')")


NOTHING = Content()


def shortcut_line(*words: Shortcut, title: Content = NOTHING) -> Content:
    line, keyed = title, False
    for key, word, action in words:
        part = Content.assemble((f"{key} " if key else "", "bold $primary"), word)
        # A word without a key belongs to the key before it, if any.
        space = "" if not line else ", " if keyed and not key else "   "
        line = Content.assemble(line, space, part.stylize(Style.from_meta({"@click": f"screen.{action}"})))
        keyed = keyed or bool(key)
    return line


class Clickable(Static):
    # A link would have only one colour, but the keys must stand out.
    auto_links = False


class Shortcuts(Clickable):
    DEFAULT_CSS = """
    Shortcuts { height: 1; width: 1fr; color: $faint; }
    """

    _said: tuple[Content, tuple[Shortcut, ...]] = (NOTHING, ())

    def show(self, *words: Shortcut, title: Content = NOTHING) -> None:
        if (title, words) != self._said:
            self._said = (title, words)
            self._write()

    def _write(self) -> None:
        title, words = self._said
        shown = [shortcut_line(*words[:count], title=title) for count in range(len(words), -1, -1)]
        room = self.content_size.width
        self.update(next((line for line in shown if line.cell_length <= room), shown[0]))

    def on_resize(self) -> None:
        if self._said[1]:
            self._write()


class FooterEntry(NamedTuple):
    action: str
    key: str
    shown: str
    description: str
    enabled: bool
    tooltip: str

    @property
    def width(self) -> int:
        return cell_len(f"{self.shown} {self.description}")


class KeyFooter(Widget):
    """A footer that is a single widget. Textual's footer is slow, because it has a widget for each key."""

    DEFAULT_CSS = """
    KeyFooter { dock: bottom; height: 1; color: $footer-foreground; background: $footer-background; }
    KeyFooter:hover { pointer: pointer; }
    """

    ALLOW_SELECT = False

    entries: reactive[tuple[FooterEntry, ...]] = reactive(())
    pointed: reactive[str] = reactive("")

    def __init__(self, lists: Callable[[Binding], bool] = lambda binding: binding.show) -> None:
        super().__init__()
        self.lists = lists

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen:
            self.call_after_refresh(self._read)

    def _read(self) -> None:
        if not self.is_attached:
            return
        entries: dict[str, FooterEntry] = {}
        for _, binding, enabled, tooltip in self.screen.active_bindings.values():
            keyed = not binding.key.startswith(KEYLESS)
            if self.lists(binding) and keyed and binding.action not in entries:
                shown = self.app.get_key_display(binding)
                entries[binding.action] = FooterEntry(
                    binding.action, binding.key, shown, binding.description, enabled, tooltip
                )
        self.entries = tuple(entries.values())

    @property
    def fitting(self) -> list[tuple[Offset, FooterEntry]]:
        placed, x, y = [], 0, 0
        for entry in self.entries:
            if x and x + entry.width > self.size.width:
                x, y = 0, y + 1
            if y >= self.size.height or entry.width > self.size.width:
                break
            placed.append((Offset(x, y), entry))
            x += entry.width + 1
        return placed

    def render(self) -> Content:
        lines: list[list[Content]] = [[] for _ in range(self.size.height)]
        for (_, y), entry in self.fitting:
            part = Content.assemble(
                (entry.shown, "bold $footer-key-foreground"),
                (f" {entry.description}", "$footer-description-foreground"),
            )
            if entry.key == self.pointed:
                part = part.stylize("$footer-key-foreground on $block-hover-background")
            lines[y].append(part if entry.enabled else part.stylize("dim"))
        return Content("\n").join(Content(" ").join(line) for line in lines)

    def _entry_at(self, at: Offset) -> FooterEntry | None:
        places = ((Region(*place, entry.width, 1), entry) for place, entry in self.fitting)
        return next((entry for place, entry in places if place.contains_point(at)), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        entry = self._entry_at(event.offset)
        self.pointed = entry.key if entry else ""
        self.tooltip = (entry.tooltip if entry else "") or None

    def on_leave(self) -> None:
        self.pointed = ""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        entry = self._entry_at(event.offset)
        if entry is None:
            return
        if entry.enabled:
            self.app.simulate_key(entry.key)
        else:
            self.app.bell()


class TitleBar(Widget):
    DEFAULT_CSS = """
    TitleBar { height: 1; width: 1fr; background: $panel; padding: 0 1; }
    """

    _words = ("", "", "")

    def show(self, name: str, state: str, busy: str = "") -> None:
        self._words = (name, state, busy)
        self.refresh()

    def render(self) -> Content:
        name, state, busy = self._words
        more = f"  {keys_of(self.app).label('commands')} more"
        while ", " in name and len(name) + len(state) + len(more) + 1 > self.content_size.width:
            name = name.rpartition(", ")[0]
        room = self.content_size.width - len(name) - len(more) - 1
        states = ("  ".join(filter(None, [busy, state])), state, state.partition(", ")[0])
        right = next((text for text in states if len(text) <= room), "")
        gap = max(1, room - len(right) + 1)
        return Content.assemble((name, "bold $primary"), " " * gap, (right, "$faint"), (more, "$secondary"))

    def on_click(self) -> None:
        self.app.action_command_palette()
