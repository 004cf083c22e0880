"""The moves of a match: as a list with marks, and as a graph of values."""

from __future__ import annotations

from typing import Any

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from arcade.engines.game import Kind
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Value, Verdict
from arcade.match import Mark, Match
from arcade.widgets.glyphs import UNICODE, Glyphs


class PlyRows(ScrollView):
    """Rows of text about the plies of a match, drawn line by line; a click on a ply goes there."""

    # The board keeps the arrow keys, even after a click beside a ply.
    FOCUS_ON_CLICK = False

    DEFAULT_CSS = """
    PlyRows { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; overflow-x: hidden; overflow-y: auto; }
    """

    class Jump(Message):
        """A person wants to see the position after a number of plies."""

        def __init__(self, plies: int) -> None:
            super().__init__()
            self.plies = plies

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.match: Match | None = None
        self.glyphs = UNICODE
        self.marked = True
        self.revealed = True
        self._rows: list[list[tuple[str, str]]] = []
        self._at: tuple[Match, int] | None = None
        """The match and ply last scrolled to."""

    def show(self, match: Match, glyphs: Glyphs, marked: bool, revealed: bool) -> None:
        """Show a match.

        Args:
            match: the match.
            glyphs: the characters to draw with.
            marked: whether moves in a list have marks.
            revealed: whether anything may be said of what moves were worth.
        """
        self.match, self.glyphs, self.marked, self.revealed = match, glyphs, marked, revealed
        self._fill()
        at = (match, len(match.plies))
        # New marks alone must not scroll away from what the person is reading.
        if at != self._at:
            self._at = at
            self._scroll()

    def _scroll(self) -> None:
        """Scroll to the last played ply."""
        if self.match is not None:
            self.scroll_to(y=self.current_row() - max(self.size.height - 2, 0), animate=False)

    def _fill(self) -> None:
        self._rows = self.rows() if self.match else []
        self.virtual_size = Size(self.size.width, len(self._rows))
        self.refresh()

    def on_resize(self) -> None:
        """The rows depend on the width, and the visible ones on the height."""
        self._fill()
        self._scroll()

    def rows(self) -> list[list[tuple[str, str]]]:
        """The rows as pieces of text, each with the names of its colours, e.g. "win" or "bold win"."""
        return []

    def current_row(self) -> int:
        """The row of the last ply played."""
        return 0

    def ply_at(self, x: int, row: int) -> int | None:
        """The number of plies at a place; None if there is none."""
        return None

    def _style(self, name: str) -> Style:
        base = self.rich_style
        bold = name.startswith("bold ")
        reverse = name.startswith("reverse ")
        name = name.removeprefix("bold ").removeprefix("reverse ")
        if not name:
            return base + Style(bold=bold, reverse=reverse)
        colour = Color.parse(self.app.theme_variables[name])
        return base + Style(color=colour, bold=bold, reverse=reverse)

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        row = y + self.scroll_offset.y
        pieces = self._rows[row] if row < len(self._rows) else []
        strip = Strip([Segment(text, self._style(name)) for text, name in pieces])
        return strip.adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Go to the ply that was clicked."""
        ply = self.ply_at(event.x, event.y + self.scroll_offset.y)
        if ply is not None:
            self.post_message(self.Jump(ply))


MARK_COLOURS: dict[Mark | None, str] = {Mark.ONLY: "win", Mark.THREW: "loss", Mark.LOST: "tie"}


class MoveList(PlyRows):
    """Two plies in each row with their marks; those taken back are faint."""

    def _columns(self) -> int:
        return max((self.size.width - 4) // 2, 10)

    def _places(self) -> list[tuple[int, int]]:
        """The row and the column, 0 or 1, of every ply; in a race each seat has its own column."""
        match = self.match
        assert match is not None
        plies = match.line
        if match.game.kind is Kind.DUEL:
            return [divmod(index + match.first.turn, 2) for index in range(len(plies))]
        counted = [0] * len(match.seats)
        places = []
        for ply in plies:
            places.append((counted[ply.seat], ply.seat))
            counted[ply.seat] += 1
        return places

    def rows(self) -> list[list[tuple[str, str]]]:
        """Pairs of moves, with the number of the first one."""
        match = self.match
        assert match is not None
        plies = match.line
        rows: list[list[tuple[str, str]]] = []
        for index, (ply, (number, column)) in enumerate(zip(plies, self._places(), strict=True)):
            if number >= len(rows):
                rows.append([(f"{index + 1:>3} ", "faint")])
                if column:
                    rows[-1].append(("...".ljust(self._columns()), "faint"))
            played = index < len(match.plies)
            latest = index == len(match.plies) - 1
            text = str(ply.move)
            mark = self.glyphs.mark(ply.mark) if self.marked and self.revealed else " "
            if self.marked and self.revealed and ply.lost:
                mark = f"{mark.removesuffix('-')}-{ply.lost}"
            row = rows[number]
            row.append((text, "bold primary" if latest else "" if played else "faint"))
            row.append((f" {mark}", MARK_COLOURS.get(ply.mark, "faint")))
            row.append((" " * max(self._columns() - len(text) - len(mark) - 1, 1), ""))
        return rows or [[("No moves yet.", "faint")]]

    def current_row(self) -> int:
        """The row of the last ply played."""
        assert self.match is not None
        played = len(self.match.plies)
        return self._places()[played - 1][0] if played else 0

    def ply_at(self, x: int, row: int) -> int | None:
        """The ply in one half of a row."""
        match = self.match
        if match is None or x < 4:
            return None
        wanted = (row, int(x >= 4 + self._columns()))
        return next((index + 1 for index, place in enumerate(self._places()) if place == wanted), None)


class ValueGraph(PlyRows):
    """One row for each ply, after GamesCrafters' Visual Value History.

    The edges are remoteness 0: on the far left the first player has won, on the far right the second. The
    longer a win takes, the closer it is to the middle, where ties are. The played move is large, the other
    legal moves are small.
    """

    _MARGIN = 12

    def _width(self) -> int:
        return max(self.size.width - self._MARGIN - 1, 9) // 2 * 2 - 1

    def rows(self) -> list[list[tuple[str, str]]]:
        """The axis and a row for each ply whose values are known."""
        match = self.match
        assert match is not None
        if not self.revealed:
            return [[("Value graph", "bold faint")], [("Shown after the match.", "faint")]]
        if not match.plies:
            return [[("Shows the value of each move.", "faint")]]
        width = self._width()
        first, second = match.game.sides
        analyses = [match.analysis(match.before(index)) or [] for index in range(len(match.plies))]
        longest = max((_length(each.verdict) for analysis in analyses for each in analysis), default=1)
        half = width // 2
        far = str(longest)
        rows = [
            [("moves to go ".rjust(self._MARGIN), "faint"), (_mirrored(first, second, "|", half), "faint")],
            [
                (f"{self.glyphs.played} played ".ljust(self._MARGIN), "faint"),
                (_mirrored("0" + far.rjust(half - 2), far.ljust(half - 2) + "0", "|", half), "faint"),
            ],
        ]
        for index, ply in enumerate(match.plies):
            label = f"{index + 1:>3} {ply.move!s:<{self._MARGIN - 4}}"[: self._MARGIN]
            row = [(label, "bold primary" if index == len(match.plies) - 1 else "faint")]
            row.extend(self._dots(analyses[index], ply.move, ply.seat, width, longest))
            rows.append(row)
        return rows

    def _dots(
        self, analysis: list[MoveVerdict[Any]], played: Any, seat: int, width: int, longest: int
    ) -> list[tuple[str, str]]:
        cells: list[tuple[str, str]] = [(" ", "")] * width
        cells[width // 2] = ("|", "faint")
        for each in sorted(analysis, key=lambda each: each.move == played):
            at = _place(each.verdict, seat, width, longest)
            if at is None:
                continue
            glyph = self.glyphs.played if each.move == played else self.glyphs.other
            colour = {Value.WIN: "win", Value.LOSS: "loss", Value.TIE: "tie"}[each.verdict.value or Value.TIE]
            cells[at] = (glyph, f"bold {colour}" if each.move == played else colour)
        return cells

    def current_row(self) -> int:
        """The row of the last ply played."""
        assert self.match is not None
        return len(self.match.plies) + 1

    def ply_at(self, x: int, row: int) -> int | None:
        """The ply of a row."""
        return row - 1 if self.match and self.revealed and 1 < row <= len(self.match.plies) + 1 else None


def _mirrored(left: str, right: str, middle: str, half: int) -> str:
    """Two texts at the ends of a line with a middle, each at most `half` characters."""
    return left[:half].ljust(half) + middle + right[-half:].rjust(half)


def _length(verdict: Verdict) -> int:
    if isinstance(verdict, DuelVerdict):
        return verdict.remoteness or verdict.at_least or verdict.at_most or 1
    return 1


def _place(verdict: Verdict, seat: int, width: int, longest: int) -> int | None:
    """The column of a verdict, 0 at the left edge; None if the value is unknown."""
    if verdict.value is None:
        return None
    middle = width // 2
    if verdict.value is Value.TIE:
        return middle
    inward = min(round(_length(verdict) / (longest + 1) * (middle - 1)), middle - 1)
    first_wins = (verdict.value is Value.WIN) == (seat == 0)
    return inward if first_wins else width - 1 - inward
