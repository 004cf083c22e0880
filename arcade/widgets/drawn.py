"""The base class of widgets that are drawn in the theme's colours."""

from __future__ import annotations

from collections.abc import Iterable

from rich.color import Color
from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from arcade.widgets.glyphs import Glyphs, glyphs_of


class Drawn(Widget):
    @property
    def glyphs(self) -> Glyphs:
        return glyphs_of(self.app)

    @property
    def dark(self) -> bool:
        return self.app.current_theme.dark

    def colour(self, name: str) -> Color:
        return Color.parse(self.app.theme_variables[name])

    def redraw(self) -> None:
        """Redraw everything after a change of colours or characters."""
        self.refresh()

    def filled(self, segments: Iterable[Segment] = ()) -> Strip:
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)
