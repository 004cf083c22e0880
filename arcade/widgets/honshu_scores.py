"""Honshu's scores rule by rule: each seat's, what the tile in hand would change, and who was ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual.content import Content
from textual.widgets import Static

from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.honshu.scoring import RULES, Score, scored_rules
from arcade.match import Match
from arcade.session.telling import names_apart, seat_name
from arcade.widgets.glyphs import Glyphs
from arcade.widgets.honshu_map import signed
from arcade.widgets.terrain import TERRAINS

Part = tuple[str, str]

CHIPS = {"village": "V", "forests": "F", "lakes": "L", "factories": "U", "plains": "P", "squares": "V"}
"""The terrain whose colours a rule's title has."""
SHORT = {
    "village": ("Vil", "Vill"),
    "forests": ("For", "Forst"),
    "lakes": ("Lak", "Lake"),
    "factories": ("Fac", "Fact"),
    "plains": ("Pla", "Plain"),
    "squares": ("Squ", "Squar"),
}
"""The titles of the rules in three columns and in five."""


def scores_of(match: Match) -> list[Score]:
    """The score of each seat's map."""
    positions = [match.position_of(seat) for seat in range(len(match.seats))]
    return [each.score for each in positions if isinstance(each, HonshuPosition)]


class ScoreTable(Static):
    """A line a seat with the points by rule, and a line for what the tile in hand would change.

    When the match is over the table stands upright and says at each rule who is ahead.
    """

    _lines = 0
    _again: Callable[[], None] | None = None
    """Shows the same again, in the width that the table has now."""

    def on_resize(self) -> None:
        """Another width has room for longer titles."""
        if self._again is not None:
            self._again()

    def show(self, match: Match, board: HonshuPosition, pointed: Move | None, glyphs: Glyphs) -> None:
        """Show the scores of a match.

        Args:
            match: the match.
            board: the map that the tile in hand is over.
            pointed: the placement that is tried out; None for none.
            glyphs: the characters to draw with.
        """
        self._again = partial(self.show, match, board, pointed, glyphs)
        first = match.first
        assert isinstance(first, HonshuPosition)
        rules = scored_rules(first.variants)
        width = self.content_size.width or 30
        rows = (
            self._upright(match, rules)
            if match.result
            else self._table(match, rules, board, pointed, glyphs, width)
        )
        # Most changes are of numbers alone.
        same = self._lines == len(rows)
        self._lines = len(rows)
        self.update(Content("\n").join([Content.assemble(*row) for row in rows]), layout=not same)

    def _table(
        self,
        match: Match,
        rules: Sequence[str],
        board: HonshuPosition,
        pointed: Move | None,
        glyphs: Glyphs,
        width: int,
    ) -> list[list[Part]]:
        room = max(4, min(6, (width - 11) // (len(rules) + 1)))
        label = width - room * (len(rules) + 1)
        head: list[Part] = [(" " * label, "")]
        for rule in rules:
            terrain = TERRAINS[CHIPS[rule]]
            title = SHORT[rule][room >= 6][: room - 1]
            head += [(" ", ""), (title.rjust(room - 1), f"bold {terrain.letter} on {terrain.ground}")]
        head.append(("Sum".rjust(room), "bold"))
        rows = [head]
        names = [seat_name(match, seat) for seat in range(len(match.seats))]
        if len(names) > 1 and max(map(len, names)) + 9 < label:
            names = [f"{side:<6}{name}" for side, name in zip(match.game.sides, names, strict=True)]
        else:
            names = names_apart(match)
        for seat, score in enumerate(scores_of(match)):
            moving = match.turn == seat
            pointer = glyphs.turn if moving else " "
            name = f"{pointer} {names[seat]}"
            hints = match.hints[seat]
            used = f", {hints} hint{'s' * (hints != 1)}" if hints else ""
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
        rows.append(self._change(rules, board, pointed, label, room))
        return rows

    @staticmethod
    def _change(
        rules: Sequence[str], board: HonshuPosition, pointed: Move | None, label: int, room: int
    ) -> list[Part]:
        """What the placement that is tried out would change."""
        if pointed is None:
            return [("", "")]
        # With many rules there are few columns for words.
        name = f"  tile {pointed.tile}"
        if len(name) > label:
            name = f"  {pointed.tile}"
        row: list[Part] = [(name.ljust(label), "$secondary")]
        if board.placement_error(pointed) is not None:
            return [*row, (" does not fit", "$loss")]
        change = board.score_change(pointed)
        points = change.by_rule()
        for each in (*(points[rule] for rule in rules), change.total):
            row.append((signed(each).rjust(room), "$win" if each > 0 else "$loss" if each else "$faint"))
        return row

    @staticmethod
    def _upright(match: Match, rules: Sequence[str]) -> list[list[Part]]:
        """The comparison after the last tile, rule by rule."""
        scores = scores_of(match)
        sides = match.game.sides if len(scores) > 1 else ("Map",)
        rows: list[list[Part]] = [[(" " * 10, ""), *((side.rjust(6), "bold") for side in sides)]]
        lines = [(RULES[rule], [score.by_rule()[rule] for score in scores]) for rule in rules]
        lines.append(("Total", [score.total for score in scores]))
        for title, points in lines:
            last = "bold" if title == "Total" else ""
            row: list[Part] = [
                (title.ljust(10), last or "$faint"),
                *((f"{each:>6}", last) for each in points),
            ]
            if len(points) > 1:
                ahead = points[0] - points[1]
                words = f" {match.game.sides[ahead < 0]} +{abs(ahead)}" if ahead else " level"
                row.append((words, f"{last} $secondary" if ahead else f"{last} $faint"))
            rows.append(row)
        rows.append([("b", "bold $primary"), (" shows the best map", "$faint")])
        return rows
