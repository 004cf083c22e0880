"""What is said of a match in sentences: who sits there, what a mistake gave away, how it was played."""

from __future__ import annotations

from arcade.engines.verdict import ScoreVerdict, Value, Verdict
from arcade.engines.wording import amount, moves
from arcade.match.match import HUMAN, Match
from arcade.match.record import Coach
from arcade.session.mistakes import hopeless, values_of
from arcade.study.review import right_moves

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
    names = [seat_name(match, seat) for seat in range(len(match.seats))]
    return names if len(set(names)) == len(names) else list(match.game.sides)


def subject(match: Match, seat: int) -> str:
    """What a sentence calls a seat: "You", or the name of the side."""
    name = seat_name(match, seat)
    return name if name == "You" else match.game.sides[seat]


def verdict_words(match: Match, verdict: Verdict, mover: int) -> str:
    """A verdict with the names of the seats, without a full stop."""
    other = len(match.seats) - 1 - mover
    return verdict.sentence(subject(match, mover), subject(match, other), moves)


def result_sentence(match: Match, to_person: bool = False) -> str:
    """The result, to the only person at the board if wished; empty while the match is going on."""
    result, sides = match.result, match.game.sides
    if result is None:
        return ""
    if result.scores and len(result.scores) == 1:
        return f"The map scores {result.scores[0]}."
    person = match.seats.index(HUMAN) if to_person and match.seats.count(HUMAN) == 1 else None
    if to_person and match.resigned is not None and match.seats[match.resigned] == HUMAN:
        return f"{result.reason}." if person is None else "You resigned."
    reason = result.reason
    if result.scores and match.resigned is None:
        reason = f"{max(result.scores)} to {min(result.scores)}"
    if result.winner is None:
        return f"A tie: {reason}."
    if person is None:
        return f"{sides[result.winner]} wins: {reason}."
    if result.addressed and result.addressed[0] == person:
        reason = result.addressed[1]
    return f"You {'win' if result.winner == person else 'lose'}: {reason}."


def match_text(match: Match) -> str:
    return "\n".join(filter(None, [str(match), result_sentence(match)]))


def help_sentence(match: Match) -> str:
    if match.watched:
        return ""
    used = []
    if sum(match.hints):
        used.append(amount(sum(match.hints), "hint"))
    if match.takebacks:
        used.append(f"{amount(match.takebacks, 'move')} taken back")
    if match.values:
        used.append("values of moves seen")
    if match.coach is Coach.OPEN:
        used.append("open coach")
    return f"Help: {', '.join(used)}." if used else "You played without help."


def fault_sentence(match: Match, number: int) -> str:
    ply = match.line[number]
    if hopeless(match, number):
        values = values_of(match, number)
        share = f"{values.count(Value.LOSS)} of the {len(values)} moves there lose against perfect play."
        return f"{share} Few people know which do not."
    return " ".join(
        filter(None, [f"Your move {ply.move} gave away {GIVEN[match.value_before(number)]}.", ply.reason])
    )


def comment_sentence(match: Match, number: int) -> str:
    """What a commentator says of a move; empty where it changed nothing."""
    ply = match.line[number]
    if ply.mark is None or not ply.mark.bad:
        return ""
    name = names_apart(match)[ply.seat]
    gave = f"{name} gives away {GIVEN[match.value_before(number)]} with {ply.move}."
    return " ".join(filter(None, [gave, ply.reason]))


def turning_sentence(match: Match, number: int) -> str:
    ply = match.line[number]
    given = GIVEN[match.value_before(number)]
    turned = f"Turning point: move {number + 1}, {ply.move}. {subject(match, ply.seat)} gave away {given}."
    return " ".join(filter(None, [turned, ply.reason]))


def best_sentence(match: Match, start: Verdict | None) -> str:
    """The best known score of a finished race; empty where none is known.

    Somebody may have made a better one than the search from `start` had found in its time.
    """
    best = match.best_of(match.first)
    if match.ending is None or best is None or not (start or any(ply.mark for ply in match.line)):
        return ""
    verdicts = [start] if start else [move.verdict for move in match.analysis(match.first) or ()]
    bounds = [verdict.bound for verdict in verdicts if isinstance(verdict, ScoreVerdict)]
    bound = max((bound for bound in bounds if bound is not None), default=None)
    return f"Best known {best}{'' if bound is None else f', bound {bound}'}."


def seat_sentences(match: Match) -> list[str]:
    sentences = []
    for seat in range(len(match.seats)):
        right, judged = right_moves(match, seat)
        if judged:
            lost = sum(ply.lost for ply in match.line if ply.seat == seat)
            sentence = f"{subject(match, seat)}: {right} of {judged} right"
            sentences.append(f"{sentence}, lost {lost}" if lost else sentence)
    return sentences
