"""The small panels beside a board: who plays, what the verdict is, and the hint."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
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

from arcade.engines.game import Kind
from arcade.engines.verdict import DuelVerdict, Hint, MoveVerdict, Value, Verdict
from arcade.engines.wording import amount, capital, moves
from arcade.match.marks import Ply
from arcade.match.match import HUMAN, Mark, Match
from arcade.match.record import Coach
from arcade.session import sentences
from arcade.session.session import Session
from arcade.widgets.board import Drawn
from arcade.widgets.glyphs import glyphs_of, value_colour
from arcade.widgets.keys import Clickable, Shortcut, shortcut, shortcut_line

Row = list[tuple[str, str]]
"""Pieces of text, each with the names of its colours, e.g. "win" or "bold win"."""


def seat_notes(match: Match, seat: int) -> str:
    result, hints = match.result, match.hints[seat]
    won = "  won" if result and result.winner == seat else ""
    score = f"  {result.scores[seat]}" if result and result.scores else ""
    return f"{won}{score}" + (f"  {amount(hints, 'hint')}" if hints else "")


class SeatsPanel(Static):
    def show(self, match: Match) -> None:
        lines = []
        for seat in range(len(match.seats)):
            moving = match.result is None and match.turn == seat
            pointer = glyphs_of(self.app).turn if moving else " "
            lines.append(
                Content.assemble(
                    (f"{pointer} {match.game.sides[seat]:<8}", "bold $primary" if moving else "$faint"),
                    (sentences.seat_name(match, seat), "bold" if moving else ""),
                    (seat_notes(match, seat), "$faint"),
                )
            )
        self.update(Content("\n").join(lines))


def how_it_ended(match: Match) -> Content:
    result = match.ending
    style = "$tie"
    if result is not None and result.winner is not None:
        person = match.seats[result.winner] == HUMAN
        style = "$win" if person or match.watched else "$loss"
    return Content.styled(sentences.result_sentence(match, to_person=True), f"bold {style}")


END_STYLES = ("bold $primary", "$faint", "", "$faint")


class VerdictPanel(Clickable):
    def show(self, session: Session, source: bool) -> None:
        verdict, working = session.so_far or session.verdict, session.working()
        parts: list[Any] = []
        if verdict is not None:
            sentence = sentences.verdict_words(session.match, verdict, session.mover)
            style = f"bold ${value_colour(verdict.value)}"
            parts.append((f"{glyphs_of(self.app).value(verdict.value)} {sentence}", style))
            # A person may count their own moves only.
            parts.append((", both sides counted\n" if sentence.endswith("moves") else "\n", "$faint"))
        if working:
            parts.append((f"{working}\n", "italic $secondary"))
        if verdict is not None:
            # The line about the work already says how much it is.
            shown = replace(verdict, nodes=0, source="") if working else verdict
            said = shown.provenance() if source else shown.proof_words
            parts.append((f"{capital(said)}.", "$faint"))
            if not source and (shown.source or shown.nodes or shown.reason):
                parts += ["  ", shortcut_line(shortcut("source", "how"))]
        if session.commented:
            comment = sentences.comment_sentence(session.match, len(session.match.plies) - 1)
            parts.append((f"\n{comment}" if comment else "", "$loss"))
        self.update(Content.assemble(*parts))

    def coach(self, match: Match, coach: Coach, fault: int | None, back: Ply | None) -> None:
        change = shortcut_line(shortcut("coach", f"coach: {coach.when}"))
        lines = [change]
        if fault is not None:
            said = Content.styled(sentences.fault_sentence(match, fault), "bold $loss")
            lines = [said, shortcut_line(shortcut("undo", "take it back")), change]
        elif back is not None:
            said = Content.styled(f"Your last move was a mistake, and {back.move} gave it back.", "$win")
            lines = [said, change]
        self.update(Content("\n").join(lines))

    def ask_for_better(self, match: Match, number: int) -> None:
        ply = match.line[number]
        who = sentences.subject(match, ply.seat)
        whose = "Your" if who == "You" else f"{who}'s"
        task = Content.styled(f"Find a better move than {ply.move}.\n", "bold $secondary")
        self.update(task + Content.styled(f"{whose} move {number + 1} was a mistake.", "$faint"))

    def end(self, match: Match, start: Verdict | None, actions: Sequence[Shortcut]) -> None:
        """`start`: what is known of the first position."""
        star, *said = sentences.played_sentences(match, start)
        told = zip((star and f"{glyphs_of(self.app).played} {star}", *said), END_STYLES, strict=True)
        lines = [how_it_ended(match), *(Content.styled(words, style) for words, style in told if words)]
        lines += [shortcut_line(*actions[at : at + 2]) for at in range(0, len(actions), 2)]
        self.update(Content("\n").join(lines))


class HintPanel(Clickable):
    def welcome(self, goal: str, picture: str, how: str) -> None:
        """`goal` is one sentence; `picture` is some lines of plain characters, or empty."""
        self.display = True
        move = Content.assemble(("Move  ", "$faint"), how.replace("\n", "\n      "))
        hint, hide = shortcut("hint", "hint"), shortcut("put_away", "hide")
        keys = shortcut_line(hint, shortcut("leave", "leave"), hide)
        drawn = [Content.styled(line, "$secondary") for line in picture.splitlines()]
        self.update(Content("\n").join([Content.styled(goal, "bold"), *drawn, move, keys]))

    def tell(self, thought: str, number: int, of: int) -> None:
        self.display = True
        keys = shortcut_line(Shortcut("Enter", "go on", "go_on"), shortcut("put_away", "skip"))
        self.update(Content.assemble((thought, "bold"), "\n", keys, (f"   {number}/{of}", "$faint")))

    def show(self, hint: Hint[Any] | None, step: int, walked: int, walk: Sequence[Shortcut]) -> None:
        self.display = hint is not None and step > 0
        if hint is None:
            return
        steps: list[list[Any]] = [[hint.where], ["Play ", (str(hint.move), "bold"), "."], [hint.why]]
        lines = [
            Content.assemble((f"Hint {number}  ", "bold $secondary"), *parts)
            for number, parts in enumerate(steps[:step], 1)
            # The last step has much to say; a reason names the move again.
            if step < 3 or number > (2 if hint.reason else 1)
        ]
        if step == 3:
            length = len(hint.line)
            place = f"Move {walked} of {length}:  " if walked else f"What follows, {moves(length)}:  "
            lines.append(Content.assemble((place, "$faint"), shortcut_line(*walk)))
            if walked and walked == hint.reason:
                lines.append(Content.styled(hint.there, "$secondary"))
        else:
            lines.append(shortcut_line(shortcut("hint", f"step {step + 1} of 3")))
        self.update(Content("\n").join(lines))


class PlyRows(Drawn, ScrollView):
    # The board keeps the arrow keys, even after a click beside a ply.
    FOCUS_ON_CLICK = False

    @dataclass
    class Jump(Message):
        plies: int

    match: Match | None = None
    marked = True
    revealed = True
    _rows: Sequence[Row] = ()
    _at: tuple[Match, int] | None = None

    def show(self, match: Match, marked: bool, revealed: bool) -> None:
        self.match, self.marked, self.revealed = match, marked, revealed
        self._fill()
        at = (match, len(match.plies))
        # New marks alone must not scroll away from what the person is reading.
        if at != self._at:
            self._at = at
            self._scroll()

    def _scroll(self) -> None:
        if self.match is not None:
            row = self.current_row(self.match) - max(self.size.height - 2, 0)
            self.scroll_to(y=row, animate=False, immediate=True)

    def watch_show_vertical_scrollbar(self) -> None:
        """Scroll a list that has become too low: not every layout that makes it so comes as a resize."""
        self._scroll()

    def _fill(self) -> None:
        self._rows = self.rows(self.match) if self.match else []
        self.virtual_size = Size(self.size.width, len(self._rows))
        self.refresh()

    def on_resize(self) -> None:
        self._fill()
        self._scroll()

    def rows(self, match: Match) -> list[Row]:
        raise NotImplementedError

    def current_row(self, match: Match) -> int:
        raise NotImplementedError

    def ply_at(self, match: Match, x: int, row: int) -> int | None:
        raise NotImplementedError

    def _style(self, name: str) -> Style:
        *how, colour = name.split(" ")
        drawn = self.colour(colour) if colour else None
        return self.rich_style + Style(color=drawn, bold="bold" in how, reverse="reverse" in how)

    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y
        pieces = self._rows[row] if row < len(self._rows) else []
        return self.filled(Segment(text, self._style(name)) for text, name in pieces)

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        ply = self.ply_at(self.match, event.x, at) if self.match is not None else None
        if ply is not None:
            self.post_message(self.Jump(ply))


MARK_COLOURS: dict[Mark | None, str] = {Mark.ONLY: "win", Mark.THREW: "loss", Mark.LOST: "tie"}


class MoveList(PlyRows):
    def _columns(self) -> int:
        return max((self.size.width - 4) // 2, 10)

    def _places(self, match: Match) -> list[tuple[int, int]]:
        """The row and the column, 0 or 1, of every ply; in a race each seat has its own column."""
        plies = match.line
        if match.game.kind is Kind.DUEL:
            return [divmod(index + match.first.turn, 2) for index in range(len(plies))]
        rows = [count() for _ in match.seats]
        return [(next(rows[ply.seat]), ply.seat) for ply in plies]

    def rows(self, match: Match) -> list[Row]:
        plies = match.line
        rows: list[Row] = []
        for index, (ply, (number, column)) in enumerate(zip(plies, self._places(match), strict=True)):
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

    def current_row(self, match: Match) -> int:
        played = len(match.plies)
        return self._places(match)[played - 1][0] if played else 0

    def ply_at(self, match: Match, x: int, row: int) -> int | None:
        if x < 4:
            return None
        wanted = (row, int(x >= 4 + self._columns()))
        return next((index + 1 for index, place in enumerate(self._places(match)) if place == wanted), None)


class PlyGraph(PlyRows):
    HEADS: ClassVar[int]
    MARGIN: ClassVar[int]
    """Columns for the moves."""

    def labelled(self, match: Match, index: int) -> Row:
        label = f"{index + 1:>3} {match.plies[index].move!s:<{self.MARGIN - 4}}"[: self.MARGIN]
        return [(label, "bold primary" if index == len(match.plies) - 1 else "faint")]

    def current_row(self, match: Match) -> int:
        return len(match.plies) + self.HEADS - 1

    def ply_at(self, match: Match, x: int, row: int) -> int | None:
        return row - self.HEADS + 1 if self.HEADS <= row < len(self._rows) else None


class ValueGraph(PlyGraph):
    """One row for each ply, after GamesCrafters' Visual Value History.

    On the far left the first player has won, on the far right the second. The longer a win takes, the closer
    it is to the middle, where ties are.
    """

    HEADS = 2
    MARGIN = 12

    def rows(self, match: Match) -> list[Row]:
        if not self.revealed:
            when = "your answer" if match.finished else "the match"
            return [[("Value graph", "bold faint")], [(f"Shown after {when}.", "faint")]]
        if not match.plies:
            return [[("Shows the value of each move.", "faint")]]
        width = max(self.size.width - self.MARGIN - 1, 9) // 2 * 2 - 1
        first, second = match.game.sides
        analyses = [match.analysis(match.before(index)) or [] for index in range(len(match.plies))]
        longest = max((_length(move.verdict) for analysis in analyses for move in analysis), default=1)
        half = width // 2
        far = str(longest)
        rows = [
            [("moves to go ".rjust(self.MARGIN), "faint"), (_mirrored(first, second, half), "faint")],
            [
                (f"{self.glyphs.played} played ".ljust(self.MARGIN), "faint"),
                (_mirrored("0" + far.rjust(half - 2), far.ljust(half - 2) + "0", half), "faint"),
            ],
        ]
        for index, ply in enumerate(match.plies):
            dots = self._dots(analyses[index], ply.move, ply.seat, width, longest)
            rows.append([*self.labelled(match, index), *dots])
        return rows

    def _dots(
        self, analysis: list[MoveVerdict[Any]], played: Any, seat: int, width: int, longest: int
    ) -> Row:
        cells: Row = [(" ", "")] * width
        cells[width // 2] = ("|", "faint")
        for move in sorted(analysis, key=lambda move: move.move == played):
            value, at = move.verdict.value, _place(move.verdict, seat, width, longest)
            if value is None or at is None:
                continue
            # A value is the name of its colour.
            chosen = move.move == played
            cells[at] = (self.glyphs.played, f"bold {value}") if chosen else (self.glyphs.other, str(value))
        return cells


def _mirrored(left: str, right: str, half: int) -> str:
    return left[:half].ljust(half) + "|" + right[-half:].rjust(half)


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
