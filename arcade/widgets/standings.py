"""The table of a tournament, and its ratings as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.coordinate import Coordinate
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import DataTable

from arcade.study.tournament import Standing, Tournament, points_text
from arcade.widgets.glyphs import glyphs_of

COLUMN = 5
"""Columns of the points against one player."""


class CrossTable(DataTable[Text]):
    """The players, the best first, with the points of each against each; the cursor chooses two of them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l,d", "cursor_right", show=False),
        Binding("h,a", "cursor_left", show=False),
        Binding("j,s", "cursor_down", show=False),
        Binding("k,w", "cursor_up", show=False),
    ]

    DEFAULT_CSS = "CrossTable { height: auto; max-height: 50%; width: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, cell_padding=0, zebra_stripes=False)
        self._order: list[int] = []
        """The indexes of the players, the best first."""
        self._heads = 0

    def show(self, tournament: Tournament, standings: Sequence[Standing]) -> None:
        """Show a tournament; the cursor stays with the same two players."""
        rows = self._rows(tournament, standings)
        order = [tournament.players.index(each.player) for each in standings]
        if len(order) != len(self._order) or not self.row_count:
            self._lay_out(tournament, rows)
            self._order = order
            return
        pair = self.pair
        self._order = order
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                shown = self.get_cell_at(Coordinate(at, column))
                if (shown.plain, shown.style) != (text.plain, text.style):
                    self.update_cell_at(Coordinate(at, column), text)
        if pair is not None:
            one, other = pair
            column = self.cursor_column if other is None else self._heads + order.index(other)
            self.move_cursor(row=order.index(one), column=column, scroll=False)

    def forget(self) -> None:
        """The next tournament to be shown is another one."""
        self._order = []

    def _lay_out(self, tournament: Tournament, rows: list[list[Text]]) -> None:
        self.clear(columns=True)
        name = max(len(each) for each in ("player", *tournament.players)) + 3
        heads = (("#", 3), ("  player", name), ("rating", 7), ("95 % ", 8), ("points", 9))
        for title, width in heads:
            self.add_column(Text(title, justify="left" if "player" in title else "right"), width=width)
        self._heads = len(heads)
        for number in range(1, len(rows) + 1):
            self.add_column(Text(str(number), justify="right"), width=COLUMN)
        for row in rows:
            self.add_row(*row)
        self.fixed_columns = 2
        self.move_cursor(row=0, column=self._heads + 1)

    def _rows(self, tournament: Tournament, standings: Sequence[Standing]) -> list[list[Text]]:
        cross, players = tournament.cross(), tournament.players
        colours = self.app.theme_variables
        order = [players.index(each.player) for each in standings]
        rows = []
        for number, (each, one) in enumerate(zip(standings, order, strict=True), 1):
            reach = f"±{round(each.high - each.rating)} "
            cells = [
                Text(f"{number}", colours["faint"], justify="right"),
                Text(f"  {each.player}", f"bold {colours['primary']}"),
                Text(f"{round(each.rating):+}" if each.played else "", justify="right"),
                Text(reach if each.played else "", colours["faint"], justify="right"),
                Text(f"{each.score:g}/{each.played}", justify="right"),
            ]
            for other in order:
                made, lost = cross[one][other], cross[other][one]
                if one == other:
                    cells.append(Text(glyphs_of(self.app).dot, colours["faint"], justify="right"))
                elif made is None or lost is None:
                    cells.append(Text(""))
                else:
                    name = "win" if made > lost else "loss" if made < lost else "tie"
                    cells.append(Text(points_text(made), colours[name], justify="right"))
            rows.append(cells)
        return rows

    @property
    def pair(self) -> tuple[int, int | None] | None:
        """The player in the cursor's row and the one of its column, if it is on another player's points."""
        if not self._order or self.cursor_row >= len(self._order):
            return None
        one = self._order[self.cursor_row]
        column = self.cursor_column - self._heads
        other = self._order[column] if 0 <= column < len(self._order) else one
        return one, None if other == one else other


class RatingChart(Widget):
    """The ratings with their intervals, each as a dash with a mark on it."""

    DEFAULT_CSS = "RatingChart { width: 1fr; height: auto; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.standings: Sequence[Standing] = ()

    def show(self, standings: Sequence[Standing]) -> None:
        grown = len(standings) != len(self.standings)
        self.standings = standings
        self.refresh(layout=grown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.standings) * self._pitch(container.height) + 2

    def _pitch(self, room: int) -> int:
        """Lines for each player: a second one stays empty where there is room."""
        return 2 if 2 * len(self.standings) + 2 <= room else 1

    def render(self) -> Content:
        shown = [each for each in self.standings if each.played]
        if not shown:
            return Content.styled("Nothing has been played yet.", "$faint")
        glyphs = glyphs_of(self.app)
        name = min(max(len(each.player) for each in shown), 14)
        width = max(self.content_size.width - name - 2, 8)
        low, high = min(each.low for each in shown), max(each.high for each in shown)

        def column(rating: float) -> int:
            return round((rating - low) / ((high - low) or 1) * (width - 1))

        title = "95 % intervals"[:width]
        lines = [Content.styled(" " * (name + 2) + title.center(width), "$faint")]
        zero, pitch = column(0.0), self._pitch(self.container_size.height)
        for each in shown:
            start, point, end = map(column, (each.low, each.rating, each.high))
            cells = [" "] * width
            cells[zero] = glyphs.dot
            cells[start : end + 1] = glyphs.dash * (end - start + 1)
            lines += [Content("")] * (pitch - 1)
            before, after = "".join(cells[:point]), "".join(cells[point + 1 :])
            lines.append(
                Content.assemble(
                    (f"{each.player[:name]:>{name}}  ", "$foreground"),
                    (before, "$faint"),
                    (glyphs.played, "bold $primary"),
                    (after, "$faint"),
                )
            )
        left, right = f"{round(low):+}", f"{round(high):+}"
        scale = [" "] * width
        scale[: len(left)] = left
        scale[width - len(right) :] = right
        if len(left) < zero < width - len(right) - 1:
            scale[zero] = "0"
        lines.append(Content.styled(" " * (name + 2) + "".join(scale), "$faint"))
        return Content("\n").join(lines)
