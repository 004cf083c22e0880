"""The small panels beside a board: who plays, what the verdict is, and the hint."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from textual.content import Content
from textual.widgets import Static

from arcade.engines.verdict import Hint, Verdict
from arcade.match import HUMAN, Match
from arcade.session.telling import (
    fault_sentence,
    seat_name,
    seat_sentences,
    subject,
    turning_sentence,
    verdict_words,
)
from arcade.settings import Coach
from arcade.widgets.glyphs import Glyphs, value_style
from arcade.widgets.key_words import KeyWord, key_words
from arcade.words import in_moves


def seat_notes(match: Match, seat: int) -> str:
    """What to say of a seat besides its name: whether it won, its final score, and the hints used."""
    result, hints = match.result, match.hints[seat]
    won = "  won" if result and result.winner == seat else ""
    score = f"  {result.scores[seat]}" if result and result.scores else ""
    return f"{won}{score}" + (f"  {hints} hint{'s' * (hints != 1)}" if hints else "")


class SeatsPanel(Static):
    """A line a seat: whose turn it is, the side, who plays it, and the hints used."""

    def show(self, match: Match, glyphs: Glyphs) -> None:
        """Show the seats of a match."""
        lines = []
        result = match.result
        for seat in range(len(match.seats)):
            moving = result is None and match.turn == seat
            pointer = glyphs.turn if moving else " "
            lines.append(
                Content.assemble(
                    (f"{pointer} {match.game.sides[seat]:<8}", "bold $primary" if moving else "$faint"),
                    (seat_name(match, seat), "bold" if moving else ""),
                    (seat_notes(match, seat), "$faint"),
                )
            )
        self.update(Content("\n").join(lines))


def how_it_ended(match: Match) -> Content:
    """The result as a sentence, in the colour of what it is for the person."""
    result = match.ending
    if result is None:
        return Content("")
    style = "$tie"
    if result.winner is not None:
        person = match.seats[result.winner] == HUMAN
        style = "$win" if person or match.watched else "$loss"
    return Content.styled(match.describe_result(to_person=True), f"bold {style}")


@dataclass(frozen=True, slots=True)
class Insight:
    """What there is to say of a position."""

    match: Match
    verdict: Verdict | None
    working: str
    """How far a running search is; empty for none."""
    glyphs: Glyphs
    mover: int
    """The seat to move."""
    source: bool
    """Whether to say where the verdict comes from and what it took."""


class VerdictPanel(Static):
    """The verdict of the position on the board; while it is hidden what the coach says, then the end."""

    # A link would have one colour alone, and the keys stand out.
    auto_links = False

    def show(self, known: Insight) -> None:
        """Show a verdict, and what a running search has found so far."""
        match, verdict, working, mover = known.match, known.verdict, known.working, known.mover
        parts: list[Any] = []
        if verdict is not None:
            sentence = verdict_words(match, verdict, mover)
            value = f"{known.glyphs.value(verdict.value)} "
            parts.append((f"{value}{sentence}", f"bold {value_style(verdict.value)}"))
            # A person may count their own moves only.
            parts.append((", both sides counted\n" if sentence.endswith("moves") else "\n", "$faint"))
        if working:
            parts.append((f"{working}\n", "italic $secondary"))
        if verdict is not None:
            # While the work goes on it says itself how much it is.
            shown = replace(verdict, nodes=0, source="") if working else verdict
            said = in_moves(shown.provenance()) if known.source else shown.proof_words
            parts.append((f"{said[:1].upper()}{said[1:]}.", "$faint"))
            if not known.source and (shown.source or shown.nodes or shown.reason):
                parts += ["  ", key_words(KeyWord("V", "why", "source"))]
        self.update(Content.assemble(*parts))

    def coach(self, match: Match, coach: Coach, fault: int | None) -> None:
        """Say that verdicts are hidden, or that a move was a mistake."""
        change = key_words(KeyWord("C", f"coach: {coach.when}", "coach"))
        if fault is None:
            self.update(change)
            return
        self.update(
            Content("\n").join(
                [
                    Content.styled(fault_sentence(match, fault), "bold $loss"),
                    key_words(KeyWord("u", "take it back", "undo")),
                    change,
                ]
            )
        )

    def ask_for_better(self, match: Match, number: int) -> None:
        """Ask for a better move than the one that was played."""
        ply = match.line[number]
        who = subject(match, ply.seat)
        whose = "Your" if who == "You" else f"{who}'s"
        self.update(
            Content.assemble(
                (f"Find a better move than {ply.move}.\n", "bold $secondary"),
                (f"{whose} move, number {number + 1}, was a mistake.", "$faint"),
            )
        )

    def end(
        self, match: Match, start: Verdict | None, turning: int | None, ways: tuple[KeyWord, ...]
    ) -> None:
        """Say how a match ended, where it turned, and what can be done now.

        Args:
            match: a finished match.
            start: what is known of its first position.
            turning: the number of the move, from 0, at which it turned; None where that is not known.
            ways: what can be done now.
        """
        lines = [how_it_ended(match), *self.best_of(match, start)]
        if turning is not None:
            lines.append(Content(turning_sentence(match, turning)))
        lines += map(Content, seat_sentences(match))
        used = match.help_used()
        if used:
            lines.append(Content.styled(used, "$faint"))
        lines += [key_words(*ways[at : at + 2]) for at in range(0, len(ways), 2)]
        self.update(Content("\n").join(lines))

    def best_of(self, match: Match, start: Verdict | None) -> list[Content]:
        """What could have been had; in a duel the turning point says it."""
        return []


class HintPanel(Static):
    """The hint ladder as far as it has been climbed."""

    # A link would have one colour alone, and the keys stand out.
    auto_links = False

    def welcome(self, goal: str, picture: str, how: str) -> None:
        """Say how the game is won, how to move, how to get a hint and how to leave.

        Args:
            goal: the goal, as one sentence; empty to leave it out.
            picture: a tiny picture of it, a few lines of plain characters; empty for none.
            how: how to move, in the words of the board.
        """
        self.display = True
        move = Content.assemble(("Move  ", "$faint"), how.replace("\n", "\n      "))
        keys = key_words(
            KeyWord("i", "hint", "hint"),
            KeyWord("q", "leave", "leave"),
            KeyWord("Esc", "hide", "put_away"),
        )
        drawn = [Content.styled(line, "$secondary") for line in picture.splitlines()]
        told = Content.styled(goal or "New here?", "bold")
        self.update(Content("\n").join([told, *drawn, move, keys]))

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
            lines.append(Content.assemble(("Hint 3  ", "bold $secondary"), in_moves(hint.why)))
            length = len(hint.line)
            place = f"Line, {walked} of {length}:  " if walked else f"Line of {length}:  "
            walk = key_words(KeyWord(",", "back", "step(-1)"), KeyWord(".", "on", "step(1)"))
            lines.append(Content.assemble((place, "$faint"), walk))
        else:
            lines.append(key_words(KeyWord("i", f"step {step + 1} of 3", "hint")))
        self.update(Content("\n").join(lines))
