"""The tiles in hand, the legend and the table of scores."""

from collections.abc import Callable, Iterable
from functools import partial

from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from arcade.engines.honshu.rules import RULES, HonshuPosition, Move, Score, scored_rules
from arcade.engines.honshu.tiles import COLUMNS, ROWS
from arcade.engines.wording import quantity
from arcade.play.scene import Scene
from arcade.screens.honshu.board import (
    TERRAINS,
    HonshuMap,
    draw_face,
    held_face,
    laid_face,
    resting_face,
    signed,
    texture,
)
from arcade.widgets.board import ink
from arcade.widgets.drawn import Drawn
from arcade.widgets.glyphs import ASCII, Glyphs, glyphs_of
from arcade.widgets.keys import Clickable, Shortcut, Shortcuts, keys_of, shortcut

SIDE_LINES = 8
"""Maximum lines for the hand beside the map."""

NARROW_LINES = 4
"""Maximum lines for the hand below the map on a narrow screen."""


class Hand(Drawn):
    DEFAULT_CSS = """
    Hand { width: 1fr; height: auto; }
    """

    CELL_SIZES = ((6, 3), (4, 2), (2, 1), (1, 1))

    _board: HonshuMap | None = None
    _shown: tuple[HonshuPosition, int, int] | None = None
    _lines = 9
    _cell = CELL_SIZES[-1]

    def show(self, board: HonshuMap, lines: int = 9) -> None:
        shown = board.position, board.index, lines
        if shown == self._shown:
            return
        self._board, self._lines, self._shown = board, lines, shown
        self.refresh(layout=self._height(self.size.width) != self.size.height)

    @property
    def count(self) -> int:
        """Number of tile spaces. A played tile leaves its space empty, so the height stays the same."""
        return len(self._board.position.tiles) if self._board else 0

    @staticmethod
    def _slot(cell: tuple[int, int]) -> tuple[int, int]:
        return COLUMNS * cell[0] + (1 if cell[0] < 4 else 2), ROWS * cell[1] + 1

    def _per_row(self, cell: tuple[int, int], width: int) -> int:
        most = max(1, (width + 1) // self._slot(cell)[0])
        rows = max(1, -(-self.count // most))
        return max(1, -(-self.count // rows))

    def height_with(self, cell: tuple[int, int], width: int) -> int:
        return -(-self.count // self._per_row(cell, width)) * self._slot(cell)[1]

    def _height(self, width: int) -> int:
        fitting = (cell for cell in self.CELL_SIZES if self.height_with(cell, width) <= self._lines)
        self._cell = next(fitting, self.CELL_SIZES[-1])
        return self.height_with(self._cell, width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._height(width)

    def index_at(self, x: int, y: int) -> int | None:
        width, height = self._slot(self._cell)
        per_row = self._per_row(self._cell, self.size.width)
        column = x // width
        return self._held(y // height * per_row + column) if column < per_row else None

    def _held(self, slot: int) -> int | None:
        held = self._board.position.held if self._board else ()
        return sum(held[:slot]) if 0 <= slot < len(held) and held[slot] else None

    def render_line(self, y: int) -> Strip:
        segments: list[Segment] = []
        if self._board is not None:
            width, height = self._slot(self._cell)
            per_row = self._per_row(self._cell, self.size.width)
            row, line = divmod(y, height)
            ground = self.rich_style
            for slot in range(row * per_row, (row + 1) * per_row):
                index = self._held(slot)
                drawn = 0 if index is None else COLUMNS * self._cell[0]
                if index is not None:
                    segments.extend(self._tile(self._board, index, line, ground))
                segments.append(Segment(" " * (width - drawn), ground))
        return self.filled(segments)

    def _tile(self, board: HonshuMap, index: int, line: int, ground: Style) -> list[Segment]:
        tile = board.position.hand[index]
        held = index == board.index
        columns, lines = self._cell
        if line == 0:
            width = COLUMNS * columns
            label = f"{board.glyphs.turn if held else ''}{tile.id}"
            label = label if len(label) <= width else f"{tile.id}"
            colour = board.colour("primary" if held else "faint")
            return [Segment(label.ljust(width)[:width], ink(colour, ground.bgcolor, held, held))]
        row, part = divmod(line - 1, lines)
        segments: list[Segment] = []
        for letter in tile.rotated(0)[row]:
            face = held_face(letter) if held else resting_face(letter)
            segments.extend(draw_face(face, columns, lines, board.glyphs)[part])
        return segments

    def on_click(self, event: events.Click) -> None:
        index = self.index_at(event.x, event.y)
        if self._board is not None and index is not None:
            if index == self._board.index:
                self._board.action_rotate(1)
            else:
                self._board.take(index)

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def turn(self, event: events.MouseEvent) -> None:
        event.stop()
        if self._board is not None:
            self._board.action_rotate(1)


class Legend(Drawn):
    DEFAULT_CSS = """
    Legend { width: 1fr; height: 2; margin-bottom: 1; }
    """

    def render_line(self, y: int) -> Strip:
        segments: list[Segment] = []
        for letter in list(TERRAINS)[3 * y : 3 * y + 3]:
            segments += draw_face(laid_face(letter), 2, 1, self.glyphs)[0]
            segments.append(
                Segment(f" {TERRAINS[letter].word:<9}", ink(self.colour("faint"), self.rich_style.bgcolor))
            )
        return self.filled(segments)


class HandBox(Vertical):
    DEFAULT_CSS = """
    HandBox { height: auto; }
    """

    def compose(self) -> Iterable[Widget]:
        yield Shortcuts()
        yield Hand()

    def show(self, board: HonshuMap, lines: int | None = None, over: bool = False) -> None:
        if lines is None:
            lines = NARROW_LINES if self.screen.has_class("-narrow") else SIDE_LINES
        count = len(board.position.hand)
        replayed = board.view.under is not None
        self.set_class(over and (replayed or not count), "-empty")
        actions: tuple[Shortcut, ...] = ()
        if board.view.own or board.view.playable:
            turn, following = "on_board('rotate(1)')", "on_board('next_tile(1)')"
            keys = keys_of(self.app)
            actions = (
                shortcut(keys, "rotate", "turn", turn),
                shortcut(keys, "next_part", "next", following),
            )
        self.query_one(Shortcuts).show(
            *actions, title=Content.styled(quantity(count, "tile"), "bold $foreground")
        )
        self.query_one(Hand).show(board, lines)


class HandWithLegend(HandBox):
    def compose(self) -> Iterable[Widget]:
        yield Legend()
        yield from super().compose()

    def show(self, board: HonshuMap, lines: int | None = None, over: bool = False) -> None:
        super().show(board, SIDE_LINES - 3 if lines is None else lines, over)


Part = tuple[str, str]

COUNTED = {"village": "V", "forests": "F", "lakes": "L", "factories": "U", "plains": "P", "squares": "V"}
SQUARES = "2x2"
"""Heading of the squares rule. The village sign would be ambiguous, because another rule uses it."""


def rule_sign(rule: str, glyphs: Glyphs) -> Part:
    terrain = TERRAINS[COUNTED[rule]]
    return texture(COUNTED[rule], 2, 1, glyphs is ASCII)[0], f"bold {terrain.ink} on {terrain.ground}"


def scores_of(scene: Scene) -> list[Score]:
    positions = [board.position for board in scene.boards]
    return [position.score for position in positions if isinstance(position, HonshuPosition)]


class ScoreTable(Clickable):
    _lines = 0
    _again: Callable[[], None] | None = None

    def on_resize(self) -> None:
        if self._again is not None:
            self._again()

    def show(self, scene: Scene, board: HonshuPosition, pointed: Move | None) -> None:
        self._again = partial(self.show, scene, board, pointed)
        width, glyphs = self.content_size.width or 30, glyphs_of(self.app)
        if scene.over:
            rows = self._upright(scene, board, glyphs, width)
        else:
            rows = self._table(scene, board, pointed, glyphs, width)
        lines = [Content.assemble(*row) for row in rows]
        same = self._lines == len(lines)
        self._lines = len(lines)
        self.update(Content("\n").join(lines), layout=not same)

    def _table(
        self, scene: Scene, board: HonshuPosition, pointed: Move | None, glyphs: Glyphs, width: int
    ) -> list[list[Part]]:
        rules = scored_rules(board.variants)
        room = max(4, min(6, (width - 11) // (len(rules) + 1)))
        label = width - room * (len(rules) + 1)
        head: list[Part] = [(" " * label, "")]
        for rule in rules:
            sign, colours = rule_sign(rule, glyphs)
            title = SQUARES if rule == "squares" else sign
            head += [(" " * (room - len(title)), ""), (title, colours)]
        head.append(("Sum".rjust(room), "bold"))
        rows = [head]
        players = scene.players
        sides = len(players) > 1 and max(len(player.name) for player in players) + 9 < label
        for player, score in zip(players, scores_of(scene), strict=True):
            moving = player.to_move
            name = f"{player.side:<6}{player.name}" if sides else player.caption
            name = f"{glyphs.turn if moving else ' '} {name}"
            used = f", {quantity(player.hints, 'hint')}" if player.hints else ""
            if len(name + used) < label:
                name += used
            style = "bold" if moving else "$faint"
            rows.append(
                [
                    (name[: label - 1].ljust(label), "bold $primary" if moving else "$faint"),
                    *((str(score.by_rule()[rule]).rjust(room), style) for rule in rules),
                    (str(score.total).rjust(room), "bold"),
                ]
            )
        rows.append(self._change(board, pointed, label, room))
        return rows

    @staticmethod
    def _change(board: HonshuPosition, pointed: Move | None, label: int, room: int) -> list[Part]:
        if pointed is None:
            return [("", "")]
        name = f"  tile {pointed.tile}"
        if len(name) > label:
            name = f"  {pointed.tile}"
        row: list[Part] = [(name.ljust(label), "$secondary")]
        if board.placement_error(pointed) is not None:
            return [*row, (" does not fit", "$loss")]
        change = board.score_change(pointed)
        points = change.by_rule()
        for gain in (*(points[rule] for rule in scored_rules(board.variants)), change.total):
            row.append((signed(gain).rjust(room), "$win" if gain > 0 else "$loss" if gain else "$faint"))
        return row

    @staticmethod
    def _upright(scene: Scene, board: HonshuPosition, glyphs: Glyphs, width: int) -> list[list[Part]]:
        scores = scores_of(scene)
        rows: list[list[Part]] = []
        if len(scores) > 1:
            rows = [[(" " * 13, ""), *((side.rjust(6), "bold") for side in scene.chart.sides)]]
        rules = scored_rules(board.variants)
        lines = [
            (rule_sign(rule, glyphs), RULES[rule], [score.by_rule()[rule] for score in scores])
            for rule in rules
        ]
        lines.append((("  ", ""), "Total", [score.total for score in scores]))
        for sign, title, points in lines:
            last = "bold" if title == "Total" else ""
            row: list[Part] = [
                sign,
                (" ", ""),
                (title.ljust(10), last or "$faint"),
                *((f"{point:>6}", last) for point in points),
            ]
            if len(points) > 1:
                ahead = points[0] - points[1]
                # Beside the panel's 25 columns of points, a long name would wrap.
                side = f" {scene.players[ahead < 0].side}" if width >= 36 else ""
                words = f"{side} +{abs(ahead)}" if ahead else " tied"
                row.append((words, f"{last} $secondary" if ahead else f"{last} $faint"))
            rows.append(row)
        return rows
