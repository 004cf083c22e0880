"""The replay of a mistake on the board, without words: the mistake, the reply and the missed move."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.play.match import Match
from arcade.play.mistakes import own_mistakes

SEARCH_SECONDS = 5.0

BEFORE, MOVE, ANSWER, MISSED = 1.5, 2.5, 2.5, 3.5
"""Seconds in a duel for the position, the mistake, the reply and the missed move."""

OWN, SLIDE, BEST = 1.5, 6.0, 2.5
"""Seconds in a race for the player's map, for the best map sliding over it, and for the best map alone."""


@dataclass(frozen=True, slots=True)
class Still:
    seconds: float
    board: int
    position: Position[Any]
    last: Any = None
    mistake: bool = False
    missed: Any = None
    under: Position[Any] | None = None


def shown_mistake(match: Match, question: int | None = None) -> int | None:
    """Return the zero-based index of the player's mistake to replay, or None.

    The mistake `question` has priority, then a mistake next to the position on view (at the end of the match,
    the decisive mistake), then the last mistake.
    """
    wrong, here = own_mistakes(match), len(match.plies)
    near = (question, here, here - 1) if match.undone else (question, match.decisive_mistake())
    return next((number for number in near if number in wrong), wrong[-1] if wrong else None)


def punishment(match: Match, number: int, control: Control) -> tuple[Still, ...]:
    """Return the replay as stills. In a race, there are none if no better map is known."""
    best = match.best_line(control)
    return tuple(_sliding(match, number, best) if best else _punished(match, number, control))


def _punished(match: Match, number: int, control: Control) -> Iterator[Still]:
    steps = list(match.steps())
    ply, before = steps[number]
    board, after = match.board_of(ply.seat), before.play(ply.move)
    previous = steps[number - 1][0].move if number else None
    yield Still(BEFORE, board, before, previous)
    yield Still(MOVE, board, after, ply.move, mistake=True)
    for answer, position in steps[number + 1 : number + 2]:
        yield Still(ANSWER, board, position.play(answer.move), answer.move)
    judged = match.analysis(before) or match.game.solver.moves(before, control)
    known = (each.move for each in judged if each.best and each.verdict.known and each.move != ply.move)
    for missed in list(known)[:1]:
        yield Still(MISSED, board, before, previous, missed=missed)


def _sliding(match: Match, number: int, best: list[Any]) -> Iterator[Still]:
    seat = match.line[number].seat
    board, own = match.board_of(seat), match.last_position(seat)
    if (match.points(match.first.after(best)) or 0) <= (match.points(own) or 0):
        return
    yield Still(OWN, board, own)
    for count, move in enumerate(best, 1):
        yield Still(SLIDE / len(best), board, match.first.after(best[:count]), move, under=own)
    yield Still(BEST, board, match.first.after(best))
