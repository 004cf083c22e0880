"""What every screen of the arcade shares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import events
from textual.app import SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

if TYPE_CHECKING:
    from arcade.app import ArcadeApp

Result = TypeVar("Result")


class BaseScreen(Screen[Result]):
    """A screen of the arcade, which knows its app."""

    @property
    def arcade(self) -> ArcadeApp:
        """The app, by its own type."""
        return cast("ArcadeApp", self.app)

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close, once, and only while it is on top: a second click on a choice closes nothing more."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """The widget at a place, where a text selection may begin; none that has been removed.

        Until the next paint the compositor still has it there, and Textual 8.2 fails when it asks for its
        container.
        """
        widget, offset = super().get_widget_and_offset_at(x, y)
        return (widget, offset) if widget is not None and widget.is_attached else (None, None)


class ArcadeScreen(BaseScreen[None]):
    """A full screen; below its least size it says so and keeps its state."""

    LEAST: ClassVar[tuple[int, int]] = (60, 20)
    """Columns and lines without which the screen cannot be used."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "leave", "Back", tooltip="Leave this screen"),
        Binding(
            "colon", "app.command_palette", "Commands", show=False, key_display=":", tooltip="Every command"
        ),
        Binding("S", "app.settings", "Settings", show=False, tooltip="Settings: theme, ASCII and more"),
        Binding("tab", "app.focus_next", "Next part", show=False),
        Binding("shift+tab", "app.focus_previous", "Previous part", show=False),
    ]

    # Textual declares these as instance variables.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012

    def on_resize(self, event: events.Resize) -> None:
        """Cover the screen with a sentence while it is too small."""
        width, height = self.LEAST
        small = event.size.width < width or event.size.height < height
        covers = self.query("#too-small")
        if small:
            has = f"{event.size.width}x{event.size.height}"
            text = f"This screen needs {width}x{height},\nthe terminal has {has}."
            if covers:
                covers.only_one(Static).update(text)
            else:
                self.mount(Static(text, id="too-small"))
        elif covers:
            covers.remove()

    def action_leave(self) -> None:
        """Back to the screen before; what was said here is of no use there."""
        self.app.clear_notifications()
        self.dismiss(None)

    def redraw(self) -> None:
        """Draw anew what is no board, in other colours or characters."""

    def commands(self) -> Iterable[SystemCommand]:
        """What the command palette offers of this screen."""
        return self.binding_commands()

    def binding_commands(self) -> Iterable[SystemCommand]:
        """Every action that has a key on this screen and is no other screen's, for `commands`."""
        offered = set()
        possible = {each.binding.action for each in self.active_bindings.values() if each.enabled}
        for _, each in self._bindings:
            # One action may have several keys. What the app does it offers itself; moving is no command.
            wanted = (each.show or each.tooltip) and "." not in each.action and each.action in possible
            if wanted and each.action not in offered:
                offered.add(each.action)
                words = f"{each.tooltip or each.description} ({self.app.get_key_display(each)})"
                yield SystemCommand(
                    each.description, words, lambda action=each.action: self.run_later(action)
                )

    def run_later(self, action: str) -> None:
        """Run an action when the palette is gone."""
        self.call_later(self.run_action, action)

    def help_rules(self) -> str:
        """The rules that the help of this screen begins with, in Markdown."""
        return ""

    def action_help(self) -> None:
        """Open the help of this screen."""
        # Markdown is slow to import and not needed for the first paint.
        from arcade.screens.help import HelpScreen

        self.arcade.open(HelpScreen.for_screen(self, self.help_rules()))


class Dialog(ModalScreen[Result], BaseScreen[Result]):
    """A dialog over a screen; escape gives nothing back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close"),
        Binding("down,right", "app.focus_next", "Next field", show=False),
        Binding("up,left", "app.focus_previous", "Previous field", show=False),
    ]

    # Textual declares it as an instance variable.
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012

    def on_mount(self) -> None:
        """Say at the rim how to leave."""
        for dialog in self.query(".dialog"):
            dialog.border_subtitle = "[@click=screen.close]Esc closes[/]"

    def action_close(self) -> None:
        """Close without a result."""
        self.dismiss(None)

    def complain(self, error: Exception) -> None:
        """Say in the dialog what is wrong with what was typed or chosen."""
        self.query_one(".error", Static).update(str(error))
        self.query_one(".dialog").add_class("-wrong")

    def on_click(self, event: events.Click) -> None:
        """A click beside the dialog closes it."""
        if event.widget is self:
            self.action_close()
