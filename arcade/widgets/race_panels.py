"""Panels of a race: captions of the boards, limits of the score, and scores by ply."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from arcade.engines.verdict import Proof, ScoreVerdict, Verdict
from arcade.match import Match
from arcade.session.telling import best_sentence
from arcade.widgets.key_words import KeyWord, key_words
from arcade.widgets.panels import Insight, VerdictPanel
from arcade.widgets.plies import PlyRows

COLOURS = ("primary", "secondary")
"""The colour of each seat's scores."""


class Caption(Static):
    """The line above a seat's board: its player and score; a click on its end shows another board."""

    DEFAULT_CSS = """
    Caption { height: 1; width: 1fr; padding: 0 1; color: $faint; }
    """

    auto_links = False

    def show(self, words: str, moving: bool, *ways: KeyWord) -> None:
        """Show a text, and at the end a clickable word, e.g. to see the other board."""
        head = Content.styled(words, "bold $primary" if moving else "$faint")
        self.update(Content("   ").join([head, *([key_words(*ways)] if ways else [])]))


def score_bar(verdict: ScoreVerdict, width: int) -> Content:
    """A bar from 0 to the bound that marks the current score, the best found and the bound."""
    best, bound = verdict.best or 0, verdict.bound or verdict.best or 0
    score = min(verdict.score or 0, best)
    if not bound or width < 12:
        return Content("")
    ends = [round(each * width / bound) for each in (score, best)]
    # Each number has room for itself.
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


class RaceVerdict(VerdictPanel):
    """The best score found for a map and the proven bound, in words and as a bar."""

    def best_of(self, match: Match, start: Verdict | None) -> list[Content]:
        """The best known map."""
        best = best_sentence(match, start)
        return [Content.styled(best, "$faint")] if best else []

    def show(self, known: Insight) -> None:
        """Show a verdict, or what a running search has found so far."""
        verdict, working, match = known.verdict, known.working, known.match
        if not isinstance(verdict, ScoreVerdict) or verdict.best is None:
            self.update(Content.styled(working or "Looking at the map.", "italic $secondary"))
            return
        exact = verdict.best == verdict.bound
        found = f"best possible {verdict.best}" if exact else f"best {verdict.best}, bound {verdict.bound}"
        alone = len(match.seats) == 1
        sentence = found.capitalize() if alone else f"{match.game.sides[known.mover]}: {found}"
        if working:
            last = (working, "italic $secondary")
        elif verdict.proof is Proof.EXACT or exact:
            last = (f"{verdict.reason.capitalize() or 'Proved'}: no map scores more.", "$faint")
        else:
            more = (verdict.bound or 0) - verdict.best
            by = f"At most {more} more: {verdict.reason}." if verdict.reason else ""
            last = (by or f"Up to {more} more may be possible.", "$faint")
        width = self.content_size.width or 30
        self.update(
            Content("\n").join(
                [Content.styled(sentence, "bold"), score_bar(verdict, width), Content.styled(*last)]
            )
        )


class ScoreGraph(PlyRows):
    """One row for each ply: the mover's score and the other player's."""

    _MARGIN = 13

    def rows(self) -> list[list[tuple[str, str]]]:
        """The axis, and a row for each ply."""
        match = self.match
        assert match is not None
        width = max(self.size.width - self._MARGIN - 6, 10)
        scores = [match.game.points(match.first) or 0] * len(match.seats)
        if not match.plies:
            return []
        known = [
            match.best_of(match.before(index)) if self.revealed else None for index in range(len(match.plies))
        ]
        counted = [0] * len(match.seats)
        after: list[list[int]] = []
        for ply in match.plies:
            counted[ply.seat] += 1
            scores[ply.seat] = match.game.points(match.history(ply.seat)[counted[ply.seat]]) or 0
            after.append(list(scores))
        top = max([1, *(max(each) for each in after), *(each for each in known if each)])
        axis = "0".ljust(width - len(str(top))) + str(top)
        rows = [[(" " * self._MARGIN, ""), (axis, "faint")]]
        for index, ply in enumerate(match.plies):
            label = f"{index + 1:>3} {ply.move!s:<{self._MARGIN - 4}}"[: self._MARGIN]
            row = [(label, "bold primary" if index == len(match.plies) - 1 else "faint")]
            row.extend(self._bar(match, ply.seat, after[index], known[index], width, top))
            rows.append(row)
        return rows

    def _bar(
        self, match: Match, seat: int, scores: list[int], best: int | None, width: int, top: int
    ) -> list[tuple[str, str]]:
        cells: list[tuple[str, str]] = [(" ", "")] * width
        place = [score * (width - 1) // top for score in scores]
        cells[: place[seat]] = [(self.glyphs.hatch, COLOURS[seat])] * place[seat]
        if best is not None:
            cells[best * (width - 1) // top] = (self.glyphs.other, "win")
        for other, at in enumerate(place):
            if other != seat:
                cells[at] = (match.game.sides[other][0], f"{COLOURS[other]}")
        cells[place[seat]] = (match.game.sides[seat][0], f"bold {COLOURS[seat]}")
        return [*cells, (f" {scores[seat]}", f"bold {COLOURS[seat]}")]

    def current_row(self) -> int:
        """The row of the last ply played."""
        assert self.match is not None
        return len(self.match.plies)

    def ply_at(self, x: int, row: int) -> int | None:
        """The ply of a row."""
        return row if self.match and 0 < row <= len(self.match.plies) else None
