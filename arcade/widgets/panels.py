"""The small panels beside a board: who plays, what the verdict is, and the hint."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual.content import Content
from textual.widgets import Static

from arcade.engines.verdict import Hint, Verdict
from arcade.match import HUMAN, Match
from arcade.widgets.glyphs import Glyphs, value_style
from arcade.widgets.key_words import KeyWord, key_words
from arcade.words import provenance, verdict_sentence


def seat_name(match: Match, seat: int) -> str:
    """Who sits there, e.g. "You" or "Fallible 7"."""
    notation = match.seats[seat]
    if notation == HUMAN:
        return "You" if match.seats.count(HUMAN) == 1 else "Human"
    name, _, argument = notation.partition(":")
    title = next((kind.title for kind in match.game.player_kinds if kind.name == name), name)
    return f"{title} {argument}".rstrip()


def subject(match: Match, seat: int) -> str:
    """What a sentence calls a seat: "You", or the name of the side."""
    name = seat_name(match, seat)
    return name if name == "You" else match.game.sides[seat]


class SeatsPanel(Static):
    """A line a seat: whose turn it is, the side, who plays it, and the hints used."""

    def show(self, match: Match, glyphs: Glyphs) -> None:
        """Show the seats of a match."""
        lines = []
        result = match.result
        for seat in range(len(match.seats)):
            moving = result is None and match.turn == seat
            pointer = glyphs.turn if moving else " "
            hints = match.hints[seat]
            extra = f"  {hints} hint{'s' * (hints != 1)}" if hints else ""
            if result and result.scores:
                extra = f"  {result.scores[seat]}{extra}"
            if result and result.winner == seat:
                extra = f"  won{extra}"
            lines.append(
                Content.assemble(
                    (f"{pointer} {match.game.sides[seat]:<8}", "bold $primary" if moving else "$faint"),
                    (seat_name(match, seat), "bold" if moving else ""),
                    (extra, "$faint"),
                )
            )
        self.update(Content("\n").join(lines))


class VerdictPanel(Static):
    """The verdict of the position on the board, its reason and where it comes from."""

    def show(self, match: Match, verdict: Verdict | None, working: str, glyphs: Glyphs) -> None:
        """Show a verdict, and what a running search has found so far."""
        ended = match.describe_result(to_person=True)
        if ended:
            result = match.result
            assert result is not None
            style = "$tie"
            if result.winner is not None:
                person = match.seats[result.winner] == HUMAN
                style = "$win" if person or match.watched else "$loss"
            self.update(Content.assemble((ended, f"bold {style}")))
            return
        parts: list[Any] = []
        if verdict is not None:
            seat = match.turn
            sentence = verdict_sentence(
                verdict, subject(match, seat), subject(match, len(match.seats) - 1 - seat)
            )
            value = f"{glyphs.value(verdict.value)} " if verdict.best is None else ""
            parts.append((f"{value}{sentence}\n", f"bold {value_style(verdict.value)}"))
        if working:
            parts.append((f"{working}\n", "italic $secondary"))
        if verdict is not None:
            # While the work goes on it says itself how much it is.
            shown = replace(verdict, nodes=0, source="") if working else verdict
            parts.append((provenance(shown), "$faint"))
        self.update(Content.assemble(*parts))


NAMES = 6
"""Columns of the names before what a newcomer is told."""


class HintPanel(Static):
    """The hint ladder as far as it has been climbed."""

    # A link would have one colour alone, and the keys stand out.
    auto_links = False

    def welcome(self, how: str) -> None:
        """Say how to move, in the words of the board, how to get a hint and how to leave."""
        self.display = True
        rows = {
            "Move": Content(how.replace("\n", "\n" + " " * NAMES)),
            "Hint": key_words(KeyWord("i", "in three steps", "hint")),
            "Leave": key_words(KeyWord("q", "the match is kept", "leave")),
            "More": key_words(KeyWord("?", "", "help"), KeyWord("Esc", "hides this", "put_away")),
        }
        lines = [Content.assemble((f"{name:<{NAMES}}", "$faint"), words) for name, words in rows.items()]
        self.update(Content("\n").join([Content.styled("New here?", "bold $secondary"), *lines]))

    def show(self, hint: Hint[Any] | None, step: int, walked: int | None) -> None:
        """Show a hint.

        Args:
            hint: the hint, None to show nothing.
            step: how many of its three steps to show.
            walked: how many moves of its line are on the board, None while the line is not walked.
        """
        self.display = hint is not None and step > 0
        if hint is None:
            return
        lines = []
        if step < 3:
            # The last step has much to say, and the move is named by then.
            lines.append(Content.assemble(("Hint 1  ", "bold $secondary"), hint.where))
        if step > 1:
            lines.append(
                Content.assemble(("Hint 2  ", "bold $secondary"), "Play ", (str(hint.move), "bold"), ".")
            )
        if step > 2:
            lines.append(Content.assemble(("Hint 3  ", "bold $secondary"), hint.why))
            length = len(hint.line)
            place = f"Line, {walked} of {length}:  " if walked else f"Line of {length}:  "
            walk = key_words(KeyWord(",", "back", "step(-1)"), KeyWord(".", "on", "step(1)"))
            lines.append(Content.assemble((place, "$faint"), walk))
        else:
            lines.append(key_words(KeyWord("i", f"step {step + 1} of 3", "hint")))
        self.update(Content("\n").join(lines))
