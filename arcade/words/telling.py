"""What is said of a match in sentences: who sits there, what a mistake gave away, how it was played."""

from __future__ import annotations

from arcade.engines.verdict import ScoreVerdict, Value, Verdict
from arcade.engines.wording import in_moves
from arcade.match.match import HUMAN, Match
from arcade.study.review import choices, right_moves, sight

GIVEN = {Value.WIN: "the win", Value.TIE: "the tie", Value.LOSS: "the game", None: "points"}
"""What a mistake gives away, by the value before it; in a race there is no value."""


def seat_name(match: Match, seat: int) -> str:
    """Who sits there, e.g. "You" or "Fallible 7"."""
    notation = match.seats[seat]
    if notation == HUMAN:
        return "You" if match.seats.count(HUMAN) == 1 else "Human"
    name, _, argument = notation.partition(":")
    title = next((kind.title for kind in match.game.player_kinds if kind.name == name), name)
    return f"{title} {argument}".rstrip()


def names_apart(match: Match) -> list[str]:
    """Who sits there, by seat; where both seats have one name, the names of the sides."""
    names = [seat_name(match, seat) for seat in range(len(match.seats))]
    return names if len(set(names)) == len(names) else list(match.game.sides)


def subject(match: Match, seat: int) -> str:
    """What a sentence calls a seat: "You", or the name of the side."""
    name = seat_name(match, seat)
    return name if name == "You" else match.game.sides[seat]


def verdict_words(match: Match, verdict: Verdict, mover: int) -> str:
    """A verdict with the names of the seats, without a full stop."""
    other = len(match.seats) - 1 - mover
    return in_moves(verdict.sentence(subject(match, mover), subject(match, other)))


def fault_sentence(match: Match, number: int) -> str:
    """What a person's mistake gave away.

    Args:
        match: the match.
        number: the number of the move, from 0.
    """
    return f"Your move {match.line[number].move} gave away {GIVEN[match.value_before(number)]}."


def turning_sentence(match: Match, number: int) -> str:
    """Where a match turned.

    Args:
        match: a finished match.
        number: the number of the move, from 0.
    """
    ply = match.line[number]
    given = GIVEN[match.value_before(number)]
    return f"Turning point: move {number + 1}, {ply.move}. {subject(match, ply.seat)} gave away {given}."


def best_sentence(match: Match, start: Verdict | None) -> str:
    """The best known score of a finished race; empty where none is known.

    Somebody may have made a better one than the search had found in its time.

    Args:
        match: the match.
        start: the verdict of its first position; None in a match that was opened again.
    """
    best, known = match.best_of(match.first), [each.verdict for each in match.analysis(match.first) or ()]
    if match.ending is None or best is None or not (start or any(ply.mark for ply in match.line)):
        return ""
    bounds = [each.bound for each in ([start] if start else known) if isinstance(each, ScoreVerdict)]
    bound = max((each for each in bounds if each is not None), default=None)
    return f"Best known {best}{'' if bound is None else f', bound {bound}'}."


def seat_sentences(match: Match) -> list[str]:
    """How each seat of a match played, as far as that is known."""
    told = []
    for seat in range(len(match.seats)):
        right, judged = right_moves(match, seat)
        if judged:
            ahead = sight(choices(match, seat))
            saw = f", saw {ahead} moves ahead" if ahead else ""
            told.append(f"{subject(match, seat)}: {right} of {judged} right{saw}")
    return told
