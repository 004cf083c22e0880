"""Learning curves of results and beads."""

from collections.abc import Iterable, Sequence
from statistics import fmean
from textwrap import wrap

from rich.segment import Segment
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from arcade.engines.menace import box as beads
from arcade.engines.menace.curve import Curve, Point, history_of
from arcade.engines.menace.machine import AnyMachine, Overflow
from arcade.engines.wording import quantity
from arcade.widgets.board import bead_colour, ink, mixed
from arcade.widgets.drawn import Drawn
from arcade.widgets.glyphs import ASCII, Glyphs, dots, glyphs_of

AXIS = 5


def columns_of(curve: Sequence[Point], width: int) -> list[Point]:
    """Return one point for each column: the average of all points in it."""
    columns: list[Point] = []
    at = 0
    for column in range(width if curve else 0):
        end = curve[-1].games * (column + 1) / width
        stretch = []
        while at < len(curve) and curve[at].games <= end + 1e-9:
            stretch.append(curve[at])
            at += 1
        if stretch:
            shares = zip(*((point.win, point.tie, point.loss) for point in stretch), strict=True)
            win, tie, loss = map(fmean, shares)
            columns.append(Point(stretch[-1].games, win, tie, loss, stretch[-1].first))
        else:
            # No point ends here, so the next one extends back to this column.
            columns.append(curve[at])
    return columns


class Chart(Drawn):
    DEFAULT_CSS = """
    Chart { height: 1fr; width: 1fr; }
    """

    curve: Sequence[Point] = ()
    message = ""
    note = ""
    _columns: Sequence[Point] = ()

    def put(self, curve: Sequence[Point], message: str) -> None:
        self.curve, self.message, self.note = curve, message, ""
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        width = self.size.width - AXIS
        self._columns = columns_of(self.curve, width) if width > 0 else []
        self.refresh()

    def rows(self) -> int:
        return max(self.size.height - 1, 1)

    def axis(self, row: int) -> str:
        return ""

    def cells(self, row: int) -> list[Segment]:
        return []

    def render_line(self, y: int) -> Strip:
        faint = ink(self.colour("faint"), self.rich_style.bgcolor)
        width = self.size.width - AXIS
        if width < 4:
            return self.filled()
        if y == self.rows():
            played = self.curve[-1].games if self.curve else 0
            last = "" if not played else quantity(played, "game") if width >= 14 else f"{played:,}"
            note = self.note if len(self.note) + 1 + len(last) <= width else ""
            return self.filled([Segment(" " * AXIS + note + last.rjust(width - len(note)), faint)])
        cells = self.cells(y)
        if not self.curve:
            lines = wrap(self.message, width - 2)
            at = y - max((self.rows() - len(lines)) // 2, 0)
            cells = [Segment((lines[at] if 0 <= at < len(lines) else "").center(width), faint)]
        return self.filled([Segment(self.axis(y).rjust(AXIS - 1) + " ", faint), *cells])

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return container.height


class ShareChart(Chart):
    def axis(self, row: int) -> str:
        rows = self.rows()
        return {0: "100%", rows // 2: "50%", rows - 1: "0%"}.get(row, "")

    def cells(self, row: int) -> list[Segment]:
        rows = self.rows()
        share = (rows - 1 - row + 0.5) / rows
        base = self.colour("background")
        kinds = {}
        for name, sign in (("win", self.glyphs.win), ("tie", self.glyphs.tie), ("loss", self.glyphs.loss)):
            colour = self.colour(name)
            kinds[name] = (sign, ink(mixed(colour, base, 0.25), mixed(colour, base, 0.72)))
        signed = self.glyphs is ASCII
        segments = []
        before = ""
        for point in self._columns:
            name = "win" if share < point.win else "tie" if share < point.win + point.tie else "loss"
            sign, style = kinds[name]
            segments.append(Segment(sign if signed or name != before else " ", style))
            before = name
        return segments


NEARLY_FULL = beads.MAX_BEADS * 3 / 4
FULL_BOX = {
    Overflow.HALVE: "A full box loses half.",
    Overflow.STOP: f"A colour stops at {beads.MAX_BEADS}.",
}


class BeadChart(Chart):
    """A chart of bead counts, with a dot per colour. Colours with equal counts alternate."""

    box = 0
    slots: Sequence[int] = ()

    def look_at(self, box: int, slots: Sequence[int], overflow: Overflow) -> None:
        self.box, self.slots = box, slots
        self.note = FULL_BOX[overflow] if self.curve and self._most() > NEARLY_FULL else ""
        self.refresh()

    def _most(self) -> float:
        counts = (max(point.first[self.box]) for point in self.curve if self.box < len(point.first))
        return max(max(counts, default=1), 1)

    def axis(self, row: int) -> str:
        if row == 0:
            return f"{self._most():.0f}"
        return "0" if row == self.rows() - 1 else ""

    def cells(self, row: int) -> list[Segment]:
        rows, most = self.rows(), self._most()
        dark = self.dark
        base = self.rich_style.bgcolor
        segments = []
        for column, point in enumerate(self._columns):
            if self.box >= len(point.first):
                segments.append(Segment(" ", ink(None, base)))
                continue
            counts = point.first[self.box]
            here = [slot for slot in self.slots if round((1 - counts[slot] / most) * (rows - 1)) == row]
            if here:
                slot = here[column % len(here)]
                segments.append(Segment(dots(1, self.glyphs), ink(bead_colour(slot, dark), base, True)))
            else:
                segments.append(Segment(" ", ink(None, base)))
        return segments


SHARES_TO_COME = "Here you will see how often it wins, ties and loses."
BEADS_TO_COME = "Here you will see how many beads each first move has."


class Curves(Vertical):
    DEFAULT_CSS = """
    Curves { width: 1fr; }
    Curves .caption { height: 1; padding: 0 0 0 1; }
    Curves ShareChart { height: 2fr; }
    Curves BeadChart { height: 1fr; min-height: 6; }
    """

    def compose(self) -> Iterable[Widget]:
        yield Static("", id="shares-caption", classes="caption")
        yield ShareChart()
        yield Static("", id="beads-caption", classes="caption")
        yield BeadChart()

    def wait(self, name: str, message: str) -> None:
        self.query_one(ShareChart).put((), f"{message}{SHARES_TO_COME}")
        self.query_one(BeadChart).put((), BEADS_TO_COME)
        self._caption(name)

    def follow(self, machine: AnyMachine) -> None:
        self.show(machine.name, history_of(machine), machine, 0)

    def show(self, name: str, curve: Curve, machine: AnyMachine, first: int) -> None:
        points, opening = curve.points, machine.boxes.first
        number = first % max(len(opening), 1)
        self.query_one(ShareChart).put(points, f"No game of {name} is recorded yet. {SHARES_TO_COME}")
        chart = self.query_one(BeadChart)
        chart.put(points, BEADS_TO_COME)
        if opening:
            chart.look_at(number, list(opening[number].moves), machine.options.overflow)
        if not points:
            self._caption(name)
            return
        counts: list[tuple[str, str]] = []
        if opening:
            held = points[-1].first[number]
            box = f"box {number + 1} of {len(opening)}" if len(opening) > 1 else "the first box"
            dark = self.app.current_theme.dark
            counts = [(f"Beads in {box}: ", "")]
            for slot, move in opening[number].moves.items():
                counts.append((f"{move} {held[slot]:.0f}  ", bead_colour(slot, dark).name))
        room = self.query_one("#shares-caption", Static).content_size.width
        self._caption(share_words(name, curve, glyphs_of(self.app), room), Content.assemble(*counts))

    def _caption(self, shares: str, beads: str | Content = "Beads in the first box") -> None:
        self.query_one("#shares-caption", Static).update(shares, layout=False)
        self.query_one("#beads-caption", Static).update(beads, layout=False)


def share_words(name: str, curve: Curve, glyphs: Glyphs, room: int) -> str:
    last = curve.points[-1]
    games = min(curve.window, last.games)
    parts = ((glyphs.win, last.win), (glyphs.tie, last.tie), (glyphs.loss, last.loss))
    shares = " ".join(f"{sign}{share:.0%}" for sign, share in parts)
    stretch = "last game" if games == 1 else f"last {games:,} games"
    plain = shares.replace("%", "")
    words = (f"{name}, {stretch}: {shares}", f"{name} {shares}", f"{name} {plain}")
    return next((text for text in words if len(text) <= room), f"{name[: room - len(plain) - 1]} {plain}")
