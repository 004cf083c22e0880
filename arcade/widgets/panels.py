"""The panels beside a board: players, verdict, hint and moves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from arcade.engines.verdict import DuelVerdict, ScoreVerdict, Value, Verdict
from arcade.engines.wording import move_count
from arcade.play.marks import ScoreRow, ValueRow
from arcade.play.scene import (
    CoachScene,
    EndScene,
    HintScene,
    PlayerScene,
    QuestionScene,
    RaceVerdictScene,
    Scene,
    VerdictScene,
)
from arcade.store.record import Mark
from arcade.widgets.drawn import Drawn
from arcade.widgets.glyphs import glyphs_of, value_colour
from arcade.widgets.keys import Clickable, Shortcut, keys_of, match_shortcut, shortcut_line

Row = list[tuple[str, str]]
"""Pieces of text, each with its colour, for example "win" or "bold win"."""


class SeatsPanel(Static):
    def show(self, players: Sequence[PlayerScene], one_line: bool = False) -> None:
        seats = []
        for player in players:
            pointer = glyphs_of(self.app).turn if player.to_move else " "
            side = f"{player.side} " if one_line else f"{player.side:<8}"
            seats.append(
                Content.assemble(
                    (f"{pointer} {side}", "bold $primary" if player.to_move else "$faint"),
                    (player.name, "bold" if player.to_move else ""),
                    (player.notes, "$faint"),
                )
            )
        self.update(Content("   " if one_line else "\n").join(seats))


class VerdictPanel(Clickable):
    def show(self, scene: Scene, source: bool, offers: Sequence[Shortcut]) -> None:
        """Show a scene's verdict. If `source` is set, also show the reasons."""
        match scene.verdict:
            case VerdictScene() as verdict:
                self.update(self._verdict(verdict, source))
            case RaceVerdictScene() as verdict:
                self.update(self._race_verdict(verdict))
            case CoachScene() as coach:
                self.update(self._coach(coach, source))
            case QuestionScene(task):
                lines = _filled_lines(offers, self.content_size.width or 30)
                self.update(Content("\n").join([Content.styled(task, "bold $secondary"), *lines]))
            case EndScene() as end:
                self.update(self._end(end, source, offers))

    def _verdict(self, verdict: VerdictScene, source: bool) -> Content:
        parts: list[Any] = []
        if verdict.text:
            style = f"bold ${value_colour(verdict.value)}"
            parts.append((f"{glyphs_of(self.app).value(verdict.value)} {verdict.text}", style))
            parts.append("\n")
        if verdict.working:
            parts.append((f"{verdict.working}\n", "italic $secondary"))
        if verdict.text:
            if verdict.explained and not source:
                parts.append(shortcut_line(Shortcut("", verdict.proof, "act('source')")))
            else:
                parts.append((verdict.provenance if source else verdict.proof, "$faint"))
        if verdict.comment:
            parts.append((f"\n{verdict.comment}", "$loss"))
        return Content.assemble(*parts)

    def _race_verdict(self, verdict: RaceVerdictScene) -> Content:
        width = self.content_size.width or 30
        last = (verdict.working, "italic $secondary") if verdict.working else (verdict.note, "$faint")
        lines = [
            Content.styled(verdict.text, "bold"),
            score_bar(verdict.scores, width),
            Content.styled(*last),
        ]
        return Content("\n").join(lines)

    def _coach(self, coach: CoachScene, source: bool) -> Content:
        if not coach.mistake:
            return Content.styled(coach.returned_mistake, "$win")
        said = Content.styled(coach.why if source else coach.mistake, "bold $loss")
        offers = [match_shortcut(keys_of(self.app), "undo", "take it back")]
        if coach.why != coach.mistake:
            offers.append(match_shortcut(keys_of(self.app), "source", "why"))
        return Content("\n").join([said, shortcut_line(*offers)])

    def _end(self, end: EndScene, source: bool, offers: Sequence[Shortcut]) -> Content:
        lines = [Content.styled(end.result, f"bold ${value_colour(end.value)}")]
        if end.turning:
            lines.append(Content(end.why if source else end.turning))
        if end.star:
            lines.append(Content.styled(f"{glyphs_of(self.app).played} {end.played}", "bold $primary"))
        elif end.played:
            lines.append(Content.styled(end.played, "$faint"))
        lines += _filled_lines(offers, self.content_size.width or 30)
        return Content("\n").join(lines)


def _filled_lines(offers: Sequence[Shortcut], width: int) -> list[Content]:
    lines: list[list[Shortcut]] = []
    for offer in offers:
        if lines and shortcut_line(*lines[-1], offer).cell_length <= width:
            lines[-1].append(offer)
        else:
            lines.append([offer])
    return [shortcut_line(*line) for line in lines]


def score_bar(verdict: ScoreVerdict, width: int) -> Content:
    best, bound = verdict.best or 0, verdict.bound or verdict.best or 0
    score = min(verdict.score or 0, best)
    if not bound or width < 12:
        return Content("")
    ends = [round(points * width / bound) for points in (score, best)]
    first = min(max(ends[0], len(str(score)) + 1), width - 8)
    last = width if best == bound else min(ends[1], width - len(str(bound)) - 1)
    second = max(last, first + len(str(best)) + 1)
    parts = [
        (f"{score} ".rjust(first), "$background on $primary"),
        (f"{best} ".rjust(second - first), "bold $background on $win"),
    ]
    if best != bound:
        parts.append((f"{bound}".rjust(width - second), "$foreground on $panel"))
    return Content.assemble(*parts)


NEXT_STEPS = ("show the move", "show the reason")


class HintPanel(Clickable):
    def welcome(self, goal: str, picture: str, how: str) -> None:
        self.display = True
        move = Content.assemble(("Move  ", "$faint"), how.replace("\n", "\n      "))
        hide = shortcut_line(match_shortcut(keys_of(self.app), "rules", "hide"))
        drawn = [Content.styled(line, "$secondary") for line in picture.splitlines()]
        self.update(Content("\n").join([Content.styled(goal, "bold"), *drawn, move, hide]))

    def tell(self, thought: str, number: int, of: int) -> None:
        self.display = True
        skip = match_shortcut(keys_of(self.app), "put_away", "skip")
        offers = shortcut_line(Shortcut("Enter", "next", "go_on"), skip)
        self.update(Content.assemble((thought, "bold"), "\n", offers, (f"   {number}/{of}", "$faint")))

    def show(self, hint: HintScene | None, walk: Sequence[Shortcut]) -> None:
        self.display = hint is not None
        if hint is None:
            return
        before, move, after = hint.advice.partition(hint.move)
        steps: list[list[Any]] = [[hint.where], [before, (move, "bold"), after], [hint.why]]
        lines = [
            Content.assemble((f"{number}  ", "bold $secondary"), *parts)
            for number, parts in enumerate(steps[: hint.step], 1)
            # The last step is long, and where its rule applies the board on view is another one.
            if not hint.there and (hint.step < 3 or number > 1)
        ]
        if hint.step == 3:
            length = len(hint.line)
            place = f"Move {hint.walked} of {length}:  " if hint.walked else "Press "
            lines.append(Content.assemble((place, "$faint"), shortcut_line(*walk)))
            if hint.rule:
                lines.append(Content.styled(hint.rule, "bold"))
            if hint.there:
                lines.append(Content.styled(hint.there, "$secondary"))
        else:
            more = match_shortcut(keys_of(self.app), "hint", NEXT_STEPS[hint.step - 1])
            lines.append(shortcut_line(more))
        self.update(Content("\n").join(lines))


class PlyRows(Drawn, ScrollView):
    DEFAULT_CSS = """
    PlyRows { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; overflow-x: hidden; overflow-y: auto; }
    """

    # The board keeps the arrow keys, even after a click beside a ply.
    FOCUS_ON_CLICK = False

    @dataclass
    class Jump(Message):
        """Message: show a position of the match, or the position after `tried` moves of the variation."""

        plies: int
        tried: int = 0

    scene: Scene | None = None
    marked = True
    _rows: Sequence[Row] = ()
    _rows_width = 0

    def show(self, scene: Scene, marked: bool) -> None:
        before = self.scene
        if (scene, marked) == (before, self.marked):
            return
        self.scene, self.marked = scene, marked
        self._fill()
        # New marks must not scroll away from what the player is reading.
        if before is None or _moves_shown(scene) != _moves_shown(before):
            self._scroll()

    def _scroll(self) -> None:
        if self.scene is not None:
            row = self.current_row(self.scene) - max(self.size.height - 2, 0)
            self.scroll_to(y=row, animate=False, immediate=True)

    def watch_show_vertical_scrollbar(self) -> None:
        """Scroll when the rows no longer fit the panel. Not every such change causes a resize event."""
        self._scroll()

    def _fill(self) -> None:
        self._make_rows()
        self.virtual_size = Size(self.size.width, len(self._rows))
        self.refresh()

    def _make_rows(self) -> None:
        self._rows = self.rows(self.scene) if self.scene is not None else []
        self._rows_width = self.size.width

    def on_resize(self) -> None:
        self._fill()
        self._scroll()

    def rows(self, scene: Scene) -> list[Row]:
        raise NotImplementedError

    def current_row(self, scene: Scene) -> int:
        raise NotImplementedError

    def jump_at(self, scene: Scene, x: int, row: int) -> Jump | None:
        raise NotImplementedError

    def _style(self, name: str) -> Style:
        *how, colour = name.split(" ")
        drawn = self.colour(colour) if colour else None
        return self.rich_style + Style(color=drawn, bold="bold" in how, reverse="reverse" in how)

    def render_line(self, y: int) -> Strip:
        # Not every layout change arrives as a resize.
        if self._rows_width != self.size.width:
            self._make_rows()
        row = y + self.scroll_offset.y
        pieces = self._rows[row] if row < len(self._rows) else []
        return self.filled(Segment(text, self._style(name)) for text, name in pieces)

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        jump = self.jump_at(self.scene, event.x, at) if self.scene is not None else None
        if jump is not None:
            self.post_message(jump)


def _moves_shown(scene: Scene) -> tuple[object, ...]:
    return scene.shown, scene.variation, [move.text for move in scene.moves]


MARK_COLOURS: dict[Mark | None, str] = {Mark.ONLY: "win", Mark.BLUNDER: "loss", Mark.INACCURACY: "tie"}


VARIATION_SIGN, VARIATION_MARGIN = "└", 10
"""Sign before the moves of a variation, and the width of the margin before them."""


class MoveListPanel(PlyRows):
    def _columns(self) -> int:
        return max((self.size.width - 4) // 2, 10)

    def rows(self, scene: Scene) -> list[Row]:
        rows: list[Row] = []
        for move in scene.moves:
            if move.row >= len(rows):
                rows.append([(f"{move.number:>3} ", "faint")])
                if move.column:
                    rows[-1].append(("...".ljust(self._columns()), "faint"))
            mark = self.glyphs.mark(move.mark) if self.marked and scene.revealed else " "
            if self.marked and move.lost:
                mark = f"{mark.removesuffix('-')}-{move.lost}"
            row = rows[move.row]
            latest = move.latest and not (scene.variation and scene.variation.tried)
            row.append((move.text, "bold primary" if latest else "" if move.played else "faint"))
            row.append((f" {mark}", MARK_COLOURS.get(move.mark, "faint")))
            row.append((" " * max(self._columns() - len(move.text) - len(mark) - 1, 1), ""))
        at = self._variation_row(scene)
        rows[at:at] = self._variation_rows(scene)
        return rows

    def _variation_row(self, scene: Scene) -> int:
        return scene.moves[min(scene.shown, len(scene.moves) - 1)].row + 1 if scene.moves else 0

    def _variation_lines(self, scene: Scene) -> list[list[tuple[int, str]]]:
        lines: list[list[tuple[int, str]]] = []
        width = self.size.width - VARIATION_MARGIN
        for number, text in enumerate(scene.variation.moves if scene.variation else (), 1):
            if not lines or sum(len(other) + 1 for _, other in lines[-1]) + len(text) > width:
                lines.append([])
            lines[-1].append((number, text))
        return lines

    def _variation_rows(self, scene: Scene) -> Iterator[Row]:
        head = f"{VARIATION_SIGN} {scene.shown + 1} ".rjust(VARIATION_MARGIN)
        tried = scene.variation.tried if scene.variation else 0
        for line in self._variation_lines(scene):
            row: Row = [(head, "faint")]
            for number, text in line:
                style = "bold primary" if number == tried else "" if number < tried else "faint"
                row += [(text, style), (" ", "")]
            yield row
            head = " " * VARIATION_MARGIN

    def current_row(self, scene: Scene) -> int:
        if scene.variation is not None and scene.variation.tried:
            lines = self._variation_lines(scene)
            tried = scene.variation.tried
            at = next(at for at, line in enumerate(lines) if line[-1][0] >= tried)
            return self._variation_row(scene) + at
        return scene.moves[scene.shown - 1].row if scene.shown else 0

    def jump_at(self, scene: Scene, x: int, row: int) -> PlyRows.Jump | None:
        lines, first = self._variation_lines(scene), self._variation_row(scene)
        if first <= row < first + len(lines):
            end = VARIATION_MARGIN
            for number, text in lines[row - first]:
                end += len(text) + 1
                if VARIATION_MARGIN <= x < end:
                    return self.Jump(scene.shown, number)
            return None
        row -= len(lines) if row >= first else 0
        place = row, int(x >= 4 + self._columns())
        moves = (move.number for move in scene.moves if x >= 4 and (move.row, move.column) == place)
        return next(map(self.Jump, moves), None)


class PlyGraph(PlyRows):
    HEADS: ClassVar[int]
    MARGIN: ClassVar[int]
    """Width in columns of the number and the move at the start of each row."""

    def labelled(self, row: ValueRow | ScoreRow) -> Row:
        label = f"{row.number:>3} {row.move:<{self.MARGIN - 4}}"[: self.MARGIN]
        return [(label, "bold primary" if row.latest else "faint")]

    def current_row(self, scene: Scene) -> int:
        return scene.shown + self.HEADS - 1

    def jump_at(self, scene: Scene, x: int, row: int) -> PlyRows.Jump | None:
        return self.Jump(row - self.HEADS + 1) if self.HEADS <= row < len(self._rows) else None


class ValueGraph(PlyGraph):
    """A value chart with a row for each ply, modelled on GamesCrafters' Visual Value History.

    Wins of the first player are on the left, wins of the second on the right. The longer a win takes, the
    closer it is to the middle, where ties are.
    """

    HEADS = 2
    MARGIN = 12

    def rows(self, scene: Scene) -> list[Row]:
        if scene.chart.hidden:
            return [[("Value chart", "bold faint")], [(scene.chart.hidden, "faint")]]
        values = [row for row in scene.chart.rows if isinstance(row, ValueRow)]
        if not values:
            return [[("Shows the value of each move.", "faint")]]
        width = max(self.size.width - self.MARGIN - 1, 9) // 2 * 2 - 1
        first, second = scene.chart.sides
        lengths = [_length(move.verdict) for row in values for move in row.verdicts]
        longest = max(lengths, default=1)
        half = width // 2
        far = str(move_count(longest))
        rows = [
            [("moves to go ".rjust(self.MARGIN), "faint"), (_mirrored(first, second, half), "faint")],
            [
                (f"{self.glyphs.played} played ".ljust(self.MARGIN), "faint"),
                (_mirrored("0" + far.rjust(half - 2), far.ljust(half - 2) + "0", half), "faint"),
            ],
        ]
        rows += [[*self.labelled(row), *self._dots(row, width, longest)] for row in values]
        return rows

    def _dots(self, row: ValueRow, width: int, longest: int) -> Row:
        cells: Row = [(" ", "")] * width
        cells[width // 2] = ("|", "faint")
        for move in sorted(row.verdicts, key=lambda move: move.move == row.played):
            value, at = move.verdict.value, _place(move.verdict, row.seat, width, longest)
            if value is None or at is None:
                continue
            chosen = move.move == row.played
            cells[at] = (self.glyphs.played, f"bold {value}") if chosen else (self.glyphs.other, str(value))
        return cells


def _mirrored(left: str, right: str, half: int) -> str:
    return left[:half].ljust(half) + "|" + right[-half:].rjust(half)


def _length(verdict: Verdict) -> int:
    if isinstance(verdict, DuelVerdict):
        return verdict.remoteness or verdict.at_least or verdict.at_most or 1
    return 1


def _place(verdict: Verdict, seat: int, width: int, longest: int) -> int | None:
    if verdict.value is None:
        return None
    middle = width // 2
    if verdict.value is Value.TIE:
        return middle
    inward = min(round(_length(verdict) / (longest + 1) * (middle - 1)), middle - 1)
    first_wins = (verdict.value is Value.WIN) == (seat == 0)
    return inward if first_wins else width - 1 - inward
