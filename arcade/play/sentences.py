"""Sentences about a match: its players, result, mistakes and help."""

import shlex
from typing import Any

from arcade.engines.players import PERFECT
from arcade.engines.seats import player_kinds
from arcade.engines.verdict import ScoreVerdict, Value, Verdict
from arcade.engines.wording import capitalize, full_moves, moves, printable, quantity
from arcade.play.marks import Ply
from arcade.play.match import HUMAN, Mark, Match
from arcade.play.mistakes import (
    is_nearly_lost,
    missed_move,
    move_values_at,
    reason_told,
    right_moves,
    rule_name,
    rule_told,
    told_to_person,
)
from arcade.play.path import Step, step_of
from arcade.store.record import UNSEEN, Coach

GOOD = 0.75
"""Minimum share of the best known score that deserves praise."""
SQUARES: dict[Mark | None, str] = {
    Mark.ONLY: "🟩",
    Mark.GOOD: "🟩",
    Mark.INACCURACY: "🟨",
    Mark.BLUNDER: "🟥",
}


def seat_name(match: Match, seat: int) -> str:
    """Return the name of a player, for example "You" or "Fallible 7"."""
    notation = match.seats[seat]
    if notation == HUMAN:
        return "You" if match.seats.count(HUMAN) == 1 else "Human"
    name, _, argument = notation.partition(":")
    title = next((kind.title for kind in player_kinds(match.game) if kind.named(name)), name)
    return f"{title} {argument}".rstrip()


def distinct_names(match: Match) -> list[str]:
    names = [seat_name(match, seat) for seat in range(len(match.seats))]
    return names if len(set(names)) == len(names) else list(match.game.sides)


def subject(match: Match, seat: int) -> str:
    name = distinct_names(match)[seat]
    return name if name == "You" or match.watched else match.game.sides[seat]


def move_sentence(match: Match, ply: Ply) -> str:
    who = subject(match, ply.seat)
    return f"{who} {'play' if who == 'You' else 'plays'} {ply.move}."


def verdict_words(match: Match, verdict: Verdict, mover: int) -> str:
    other = len(match.seats) - 1 - mover
    return verdict.sentence(subject(match, mover), subject(match, other), full_moves)


def result_sentence(match: Match, to_person: bool = False) -> str:
    result, sides = match.result, match.game.sides
    if result is None:
        return ""
    person = match.seats.index(HUMAN) if to_person and match.seats.count(HUMAN) == 1 else None
    if to_person and match.resigned is not None and match.seats[match.resigned] == HUMAN:
        return f"{result.reason}." if person is None else "You resigned."
    if result.scores and len(result.scores) == 1:
        return f"The map scores {result.scores[0]}." if match.resigned is None else f"{result.reason}."
    reason, colon = result.reason, ":"
    if result.scores and match.resigned is None:
        reason, colon = f"{max(result.scores)} to {min(result.scores)}", ""
    if result.winner is None:
        return f"A tie: {reason}."
    if person is None:
        return f"{subject(match, result.winner) if to_person else sides[result.winner]} wins{colon} {reason}."
    if result.addressed and result.addressed[0] == person:
        reason = result.addressed[1]
    return f"You {'win' if result.winner == person else 'lose'}{colon} {reason}."


def match_text(match: Match) -> str:
    return "\n".join(filter(None, [str(match), result_sentence(match)]))


def help_sentence(match: Match) -> str:
    if match.watched:
        return ""
    used = _help_words(match)
    if used:
        return f"Help: {used}{', so no star' if _step_held(match) else ''}."
    return "" if _step_held(match) else "You played without help."


def _help_words(match: Match) -> str:
    used = []
    if sum(match.hints):
        used.append(quantity(sum(match.hints), "hint"))
    if match.takebacks:
        used.append(f"{quantity(match.takebacks, 'move')} taken back")
    if match.values:
        used.append("move values shown")
    if match.coach is Coach.OPEN:
        used.append("full coach")
    if players := match.players:
        used.append("moves played elsewhere" if UNSEEN in players else "a change of players")
    return ", ".join(used)


def _step_held(match: Match) -> Step | None:
    enough = (match.record().person, None if PERFECT.name in match.seats else -1)
    held = match.ending is not None and match.ending.winner in enough
    return step_of(match.start, match.seats) if held else None


def star_words(match: Match) -> str:
    """Return words for the star that was earned, without a full stop; empty if no star was earned."""
    step = _step_held(match)
    if step is None or not match.record().unaided:
        return ""
    return f"a star for step {step.number + 1} of {len(match.game.practice.path)}"


def _given(match: Match, number: int) -> str:
    """Return words for the value that a mistake gave away, or `match.stakes` if it is unknown."""
    value = match.value_before(number)
    if value is None:
        return match.stakes
    return f"the {value}"


def _played_and_better(match: Match, number: int) -> tuple[str, str]:
    """Return a mistake and the better move in words, or both in notation if their words are the same.

    The better move is empty if it is unknown. In a race it is always empty: only the board shows it.
    """
    played, best = match.line[number].move, missed_move(match, number)
    if best is None or isinstance(best.verdict, ScoreVerdict):
        return match.words(played), ""
    words = match.words(played), match.words(best.move)
    return words if words[0] != words[1] else (str(played), str(best.move))


def fault_sentence(match: Match, number: int) -> str:
    """Describe a mistake, the opponent's reply and the rule that explains the mistake."""
    ply = match.line[number]
    if is_nearly_lost(match, number):
        return _hard_sentence(match, number)
    reply, rule = reason_told(match, number).partition(". ")[0].removesuffix("."), rule_name(match, ply)
    told = _gave_sentence(match, number), reply and f"{reply}.", rule and f"Rule: {rule}."
    return " ".join(filter(None, told))


def full_fault_sentence(match: Match, number: int) -> str:
    ply = match.line[number]
    if is_nearly_lost(match, number):
        return _hard_sentence(match, number)
    told = _gave_sentence(match, number), reason_told(match, number), rule_told(match, ply)
    return " ".join(filter(None, told))


def _gave_sentence(match: Match, number: int) -> str:
    return f"Your move gave away {_given(match, number)}."


def _hard_sentence(match: Match, number: int) -> str:
    values = move_values_at(match, number)
    kept = len(values) - values.count(Value.LOSS)
    return f"{_gave_sentence(match, number)} Only {kept} of {len(values)} moves kept it."


def no_better_sentence(match: Match, number: int, move: Any, reason: str) -> str:
    """Explain why `move` is no better than the mistake `number`. `reason` may be empty."""
    gives = f"gives away {_given(match, number)}, too."
    answer = match.line[number + 1] if number + 1 < len(match.line) else None
    if len(match.boards) == 1 and answer is not None and answer.move == move:
        who = distinct_names(match)[answer.seat]
        whose = "your" if who == "You" else f"{who}'s"
        told = f"{move} was {whose} answer. If you play it first, it {gives}"
    else:
        told = f"{move} {gives}"
    return " ".join(filter(None, [told, told_to_person(match, reason), "Try another move."]))


def comment_sentence(match: Match, number: int) -> str:
    ply = match.line[number]
    if ply.mark is None or not ply.mark.bad:
        return ""
    played, better = _played_and_better(match, number)
    gave = f"{distinct_names(match)[ply.seat]} gave away {_given(match, number)} with {played}."
    told = gave, reason_told(match, number), better and f"Better: {better}.", rule_told(match, ply)
    return " ".join(filter(None, told))


def turning_sentence(match: Match, number: int) -> str:
    """Name the mistake that decided a match, and the better move."""
    ply, (_, better) = match.line[number], _played_and_better(match, number)
    who = distinct_names(match)[ply.seat]
    if ply.lost:
        whose = "Your" if who == "You" else f"{who}'s"
        return f"{whose} biggest mistake was move {number + 1}, which cost {quantity(ply.lost, 'point')}."
    right = better and f": {better} was right"
    return f"{who} gave {_given(match, number)} away with move {number + 1}{right}."


def full_turning_sentence(match: Match, number: int) -> str:
    ply, (played, better) = match.line[number], _played_and_better(match, number)
    who = distinct_names(match)[ply.seat]
    if ply.lost:
        return turning_sentence(match, number)
    instead = better and f" instead of {better}"
    gave = f"{who} gave {_given(match, number)} away with {played}{instead}, move {number + 1}"
    reason = reason_told(match, number)
    if not reason:
        return f"{gave}."
    first, space, rest = reason.partition(" ")
    named = first in match.game.sides or not first.isalpha()
    told = f"{gave}{';' if ': ' in reason else ':'} {first if named else first.lower()}{space}{rest}"
    return f"{told} {rule_told(match, ply)}".rstrip()


def opening_verdict_sentence(match: Match, start: Verdict | None) -> str:
    record, mover = match.record(), match.first.turn
    value = (match.value_before(0) if match.line else None) or (start and start.value)
    if record.person is None or match.ending is None or not value or Mark.BLUNDER in record.marks:
        return ""
    value = value if record.person == mover else value.reversed
    if match.ending.winner == record.person:
        kept = value is Value.WIN and all(record.marks)
        return "You kept the win from the start." if kept else ""
    if value is not Value.LOSS:
        return ""
    what = match.title if match.start.position is None else "this position"
    by = "Perfect" if record.opponent == PERFECT.name else "best play"
    held = moves(sum(ply.seat == record.person for ply in match.line))
    return f"{match.game.sides[record.person]} cannot win {what} against {by}. You held out for {held}."


def best_sentence(match: Match, start: Verdict | None) -> str:
    best = match.best_of(match.first)
    if match.ending is None or best is None or not (start or any(ply.mark for ply in match.line)):
        return ""
    verdicts = [start] if start else [move.verdict for move in match.analysis(match.first) or ()]
    scores = [verdict for verdict in verdicts if isinstance(verdict, ScoreVerdict)]
    bounds = [match.game.solver.with_known_bounds(match.first, verdict).bound for verdict in scores]
    bound = max((bound for bound in bounds if bound is not None), default=None)
    told = f"Best known {best}{'' if bound is None else f', upper bound {bound}'}."
    points = match.record().points
    if points is None or points < GOOD * best:
        return told
    return f"{told} You {'reached it' if points >= best else f'made {points / best:.0%} of it'}."


def accuracy_sentence(match: Match) -> str:
    told = []
    for seat, name in sorted(enumerate(distinct_names(match)), key=lambda seated: seated[1] != "You"):
        right, judged = right_moves(match, seat)
        if judged:
            lost = sum(ply.lost for ply in match.line if ply.seat == seat)
            told.append(
                f"{name} {right} of {judged}" + (f" ({quantity(lost, 'point')} lost)" if lost else "")
            )
    return f"Best moves: {', '.join(told)}." if told else ""


def end_sentences(match: Match, full: bool = False) -> tuple[str, str, str]:
    """Return texts on the result, the turning point and the quality of play. The last two may be empty."""
    start, turning = match.verdict_of(match.first), match.decisive_mistake()
    turned = opening_verdict_sentence(match, start)
    if turning is not None:
        turned = (full_turning_sentence if full else turning_sentence)(match, turning)
    result = result_sentence(match, to_person=True).removesuffix(".")
    best = _best_words(match, start)
    known = best or (turning is None and turned)
    told, star, used = "" if known else _best_moves(match, turning), star_words(match), _help_words(match)
    if star:
        told = f"{told}: {star}" if told else capitalize(star)
    elif used and _step_held(match):
        told = f"{told}, but no star: {used}" if told else f"No star: {used}"
    return f"{result}{best}.", turned, f"{told}." if told else ""


def _best_words(match: Match, start: Verdict | None) -> str:
    best = match.best_of(match.first)
    if match.ending is None or best is None or not (start or any(ply.mark for ply in match.line)):
        return ""
    points = match.record().points
    reached = points is not None and points >= best
    return ". No better map is known" if reached else f". The best known map scores {best}"


def _best_moves(match: Match, turning: int | None) -> str:
    """Return words for how many moves were best; "" if unknown or if the human's only move is `turning`."""
    if match.seats.count(HUMAN) != 1:
        return accuracy_sentence(match).removesuffix(".")
    person = match.seats.index(HUMAN)
    right, judged = right_moves(match, person)
    if judged == 1 and turning is not None and match.line[turning].seat == person:
        return ""
    if judged < 2:
        return ("Your move was best" if right else "Your move was not best") if judged else ""
    if right == judged:
        return f"{'Both' if right == 2 else 'All'} your moves were best"
    if not right:
        return "None of your moves was best"
    return f"{right} of your {judged} moves {'were' if right > 1 else 'was'} best"


def detail_sentences(match: Match) -> list[str]:
    start = match.verdict_of(match.first)
    return [*filter(None, [best_sentence(match, start), accuracy_sentence(match), help_sentence(match)])]


def chat_text(match: Match) -> str:
    seed = f" #{match.start.seed}" if match.start.seed is not None else ""
    persons = [seat for seat, who in enumerate(match.seats) if who == HUMAN]
    seats = persons if len(persons) == 1 else range(len(match.seats))
    lines = [f"{match.title}{seed}: {_chat_result(match)}"]
    for seat in seats:
        right, judged = right_moves(match, seat)
        marks = [ply.mark for ply in match.line if ply.seat == seat]
        squares = "".join(SQUARES.get(mark, "⬜") for mark in marks)
        name = "" if len(seats) == 1 else f"{match.game.sides[seat]} "
        if judged:
            lines.append(f"{name}{squares} {right} of {judged} right")
    boards = dict.fromkeys(map(match.board_of, seats))
    lines += [match.game.explanations.chat_drawing(match.position_of(board)) for board in boards]
    seated = () if any(map(match.guest, range(len(match.seats)))) else ("--seats", ",".join(match.seats))
    lines.append(shlex.join(["arcade", "play", str(match.start), *seated, "--moves", str(match.moves)]))
    return "\n".join(printable(line) for text in lines for line in text.splitlines())


def _chat_result(match: Match) -> str:
    if len(match.seats) == 1 and match.ending is not None:
        if match.resigned is not None:
            return "resigned"
        judged = any(ply.mark for ply in match.line)
        best = f", best known {match.best_of(match.first)}" if judged else ""
        return f"{quantity(match.ending.scores[0], 'point')}{best}"
    if match.seats.count(HUMAN) != 1 or match.ending is None:
        return f"{' against '.join(distinct_names(match))}. {result_sentence(match)}"
    person = match.seats.index(HUMAN)
    other, winner, points = seat_name(match, 1 - person), match.ending.winner, match.ending.scores
    how = f"I beat {other}" if winner == person else f"{other} beat me"
    how = f"{other} and I tied" if winner is None else how
    if points and match.resigned is None:
        return f"{how} {max(points)} to {min(points)}"
    return f"{how} in {moves(len(match.line))}"
