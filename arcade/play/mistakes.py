"""The mistakes of a match, as zero-based move indices."""

import re
from collections.abc import Sequence
from typing import Any

from arcade.engines.verdict import MoveVerdict, Value
from arcade.engines.wording import address
from arcade.play.marks import Ply
from arcade.play.match import HUMAN, Mark, Match


def mistakes(match: Match) -> list[int]:
    return [number for number, ply in enumerate(match.line) if ply.mark and ply.mark.bad]


def own_mistakes(match: Match) -> list[int]:
    return [number for number in mistakes(match) if match.watched or own(match, [match.line[number]])]


def own(match: Match, plies: Sequence[Ply]) -> list[Ply]:
    return [ply for ply in plies if match.seats[ply.seat] == HUMAN]


HOPELESS, MANY = 0.9, 20
"""A position is nearly lost if it has at least MANY moves and at least the share HOPELESS of them loses."""


def is_nearly_lost(match: Match, number: int) -> bool:
    values = move_values_at(match, number)
    return len(values) >= MANY and values.count(Value.LOSS) >= HOPELESS * len(values)


def move_values_at(match: Match, number: int) -> list[Value | None]:
    return [known.verdict.value for known in match.analysis(match.before(number)) or ()]


def right_moves(match: Match, seat: int) -> tuple[int, int]:
    """Return how many moves of a seat were right, and how many were analysed. Hinted moves do not count."""
    marks = [ply.mark for ply in match.line if ply.seat == seat and ply.mark not in (None, Mark.HINTED)]
    return sum(mark is not None and not mark.bad for mark in marks), len(marks)


def missed_move(match: Match, number: int) -> MoveVerdict[Any] | None:
    """Return the best alternative to move `number`; None if it is unknown or the move was no mistake."""
    mark = match.line[number].mark
    if mark is None or not mark.bad:
        return None
    ply, position = list(match.steps())[number]
    better, known = match.better_moves(position), match.analysis(position) or ()
    if ply.move in better:
        return None
    return next((each for each in known if each.best and each.verdict.known and each.move in better), None)


def reason_told(match: Match, number: int) -> str:
    """Return the reason why a move was a mistake, or "".

    If there is one human, "you" replaces the name of the side. If the reply has been played, the reason
    uses the past tense.
    """
    told, line = told_to_person(match, match.line[number].reason), match.line
    if number + 1 == len(line) or len(match.boards) > 1:
        return told
    reply = re.escape(match.words(line[number + 1].move))
    told = re.sub(rf"can reply (?=with {reply}[,. ])", "replied ", told)
    return told.replace("can reply with", "could have replied with")


def rule_told(match: Match, ply: Ply) -> str:
    rule = match.game.explanations.shown_rule(ply.rule)
    return f"Rule: {rule.motto}" if rule else ""


def rule_name(match: Match, ply: Ply) -> str:
    rule = match.game.explanations.shown_rule(ply.rule)
    return rule.name if rule else ""


def told_to_person(match: Match, reason: str) -> str:
    if match.seats.count(HUMAN) != 1:
        return reason
    return address(match.game.sides[match.seats.index(HUMAN)], reason)
