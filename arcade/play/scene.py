"""What a front end shows of a match, as one immutable value made by pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any

from arcade.engines.game import Kind
from arcade.engines.position import Position
from arcade.engines.verdict import Hint, MoveVerdict, Proof, ScoreVerdict, Value, Verdict
from arcade.engines.wording import amount, capital
from arcade.play import sentences
from arcade.play.engine import SPEEDS
from arcade.play.marks import Ply, ScoreRow, ValueRow
from arcade.play.match import HUMAN, Mark, Match
from arcade.play.modes import Offers
from arcade.store.record import Coach

Cell = tuple[int, int]
"""Row and column, both from 0 at the top left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What is on display of a match, besides the match itself; by default nothing but the match."""

    position: Position[Any]
    """The position on the board of the seat to move."""
    main_seat: int = 0
    looking: int | None = None
    """The seat whose board the player has asked to see."""
    mover: int = 0
    """The seat to which the verdict refers."""
    move_refusal: str | None = ""
    paused: bool = False
    revealed: bool = True
    """Whether verdicts, marks and the chart may be seen."""
    offers: Offers = ()
    question: int | None = None
    """The number of the mistake, from 0, for which the player is asked to find a better move."""
    tried: bool = False
    """Whether moves are tried out on the board."""
    walked: int = 0
    """How many moves of the hint's line are on the board."""
    values_shown: bool = False
    speed: int = 0
    coach: Coach = Coach.OPEN
    commented: bool = False
    """Whether the mistakes of engines are explained."""
    hint: Hint[Any] | None = None
    hint_step: int = 0
    hint_sought: bool = False
    verdict: Verdict | None = None
    """The best that is known of the position, also from a search that is still running."""
    start_verdict: Verdict | None = None
    """What is known of the first position."""
    working: str = ""
    """The progress of the running work; empty if it is short or there is none."""
    mistake: int | None = None
    """The number of the player's last move, from 0, if the coach calls it a mistake."""
    given_back: Ply | None = None
    """The answer that gave back what the player's last move had given away."""
    end_offers: Offers = ()
    """What is offered after the end."""


@dataclass(frozen=True)
class BoardScene:
    position: Position[Any]
    first: Position[Any]
    playable: bool = False
    values: tuple[MoveVerdict[Any], ...] = ()
    hinted: Any = None
    last: Any = None
    own: bool = False
    """Whether a person plays here and may preview moves while others think."""
    review: bool = False
    squares: frozenset[Cell] = frozenset()
    """The cells that a rule of thumb speaks of."""
    points: int | None = None
    """The score of the shown map in a race."""

    @cached_property
    def verdicts(self) -> dict[Any, MoveVerdict[Any]]:
        return {known.move: known for known in self.values}


@dataclass(frozen=True, slots=True)
class PlayerScene:
    side: str
    name: str
    """For example "You" or "Fallible 7"."""
    caption: str
    """The name, or the side where both players have the same name."""
    human: bool
    to_move: bool
    won: bool = False
    score: int | None = None
    """The final score in a race."""
    hints: int = 0

    @property
    def notes(self) -> str:
        """What follows the name: the victory, the score and the hints."""
        notes = ["won"] if self.won else []
        if self.score is not None:
            notes.append(str(self.score))
        if self.hints:
            notes.append(amount(self.hints, "hint"))
        return "".join(f"  {note}" for note in notes)


@dataclass(frozen=True, slots=True)
class MoveScene:
    number: int
    """From 1."""
    text: str
    row: int
    column: int
    played: bool
    """False for a move that was taken back and can be redone."""
    latest: bool
    mark: Mark | None
    lost: int


@dataclass(frozen=True, slots=True)
class VerdictScene:
    """The verdict of the position on display; all texts are empty where nothing is known."""

    text: str = ""
    value: Value | None = None
    working: str = ""
    proof: str = ""
    provenance: str = ""
    explained: bool = False
    """Whether `provenance` says more than `proof`."""
    comment: str = ""
    """Why the last move of an engine was a mistake."""

    @property
    def counts_both(self) -> bool:
        """Whether the text gives a length in moves; a player may expect only their own to be counted."""
        return self.text.endswith("moves")


@dataclass(frozen=True, slots=True)
class RaceVerdictScene:
    working: str
    text: str = ""
    scores: ScoreVerdict | None = None
    """None until a score is known."""
    note: str = ""
    """How far the score is proved."""


@dataclass(frozen=True, slots=True)
class CoachScene:
    """What the coach says before the verdict may be seen."""

    coach: Coach
    mistake: str = ""
    given_back: str = ""


@dataclass(frozen=True, slots=True)
class QuestionScene:
    task: str
    reason: str


@dataclass(frozen=True, slots=True)
class EndScene:
    result: str
    value: Value
    """For the player; for the winner in a watched match."""
    star: str
    best: str
    turning: str
    played: str
    offers: Offers


@dataclass(frozen=True, slots=True)
class HintScene:
    step: int
    """1 says where to look, 2 names the move, 3 says why."""
    where: str
    move: str
    why: str
    line: tuple[str, ...]
    walked: int
    named: bool
    """Whether `why` names the move."""
    there: str
    """What the rule of thumb says of the position that is reached now."""


@dataclass(frozen=True, slots=True)
class ChartScene:
    sides: tuple[str, ...]
    values: tuple[ValueRow, ...] = ()
    """In a duel."""
    scores: tuple[ScoreRow, ...] = ()
    """In a race."""
    hidden: str = ""
    """When it will be shown, if not now."""


@dataclass(frozen=True, slots=True)
class Scene:
    title: str
    progress: str
    watched: bool
    """Whether only engines play."""
    boards: tuple[BoardScene, ...]
    main: int
    """The number of the main board."""
    looking: int | None
    """The number of the board that the player has asked to see."""
    players: tuple[PlayerScene, ...]
    moves: tuple[MoveScene, ...]
    shown: int
    """How many moves have led to the position on display."""
    revealed: bool
    over: bool
    """Whether the match has ended with the position on display."""
    verdict: VerdictScene | RaceVerdictScene | CoachScene | QuestionScene | EndScene
    hint: HintScene | None
    chart: ChartScene
    status: str
    """Who is at work; empty if the player may move."""
    offers: Offers


def scene_of(match: Match, state: State) -> Scene:
    race = match.game.kind is Kind.RACE
    return Scene(
        title=_title(match),
        progress=_progress(match, state),
        watched=match.watched,
        boards=tuple(_board(match, state, seat) for seat in range(len(match.seats) if race else 1)),
        main=state.main_seat if race else 0,
        looking=state.looking,
        players=tuple(_player(match, seat) for seat in range(len(match.seats))),
        moves=tuple(_moves(match, state.revealed)),
        shown=len(match.plies),
        revealed=state.revealed,
        over=match.result is not None,
        verdict=_verdict(match, state),
        hint=_hint(state),
        chart=_score_chart(match, state) if race else _value_chart(match, state),
        status=_status(match, state),
        offers=() if state.hint_sought else state.offers,
    )


def _title(match: Match) -> str:
    dealt = match.game.chance and match.start.position is None
    return f"{match.title} #{match.start.seed or 0}" if dealt else match.title


def _progress(match: Match, state: State) -> str:
    text = f"move {len(match.plies)}"
    if match.undone:
        text += f" of {len(match.line)}"
    if match.watched and not match.result:
        text += ", paused" if state.paused else f", {SPEEDS[state.speed]:g} s a move"
    number = len(match.winners) + (match.ending is None)
    if number + match.to_come > 1:
        score = ":".join(f"{match.winners.count(seat)}" for seat in range(len(match.seats)))
        text = f"match {number} of {number + match.to_come}, {score}   {text}"
    return text


def _board(match: Match, state: State, seat: int) -> BoardScene:
    race = match.game.kind is Kind.RACE
    current = not race or seat == match.turn
    hint = state.hint if current else None
    squares: frozenset[Cell] = frozenset()
    if state.walked and hint is not None:
        last = hint.line[state.walked - 1]
        if state.walked == hint.reason:
            squares = frozenset(hint.squares)
    else:
        last = next((ply.move for ply in reversed(match.plies) if not race or ply.seat == seat), None)
    seated = [match.seats[seat]] if race else match.seats
    position = state.position if current else match.position_of(seat)
    return BoardScene(
        position,
        match.first,
        playable=current and state.move_refusal is None,
        values=tuple(match.analysis(position) or ()) if state.values_shown and state.question is None else (),
        hinted=hint.move if hint is not None and state.hint_step >= 2 and not state.walked else None,
        last=last,
        own=HUMAN in seated and match.result is None and not state.walked,
        review=match.finished and not state.tried,
        squares=squares,
        points=match.game.points(position) if race else None,
    )


def _player(match: Match, seat: int) -> PlayerScene:
    result = match.result
    return PlayerScene(
        side=match.game.sides[seat],
        name=sentences.seat_name(match, seat),
        caption=sentences.names_apart(match)[seat],
        human=match.seats[seat] == HUMAN,
        to_move=result is None and match.turn == seat,
        won=result is not None and result.winner == seat,
        score=result.scores[seat] if result is not None and result.scores else None,
        hints=match.hints[seat],
    )


def _moves(match: Match, revealed: bool) -> Sequence[MoveScene]:
    race, rows = match.game.kind is Kind.RACE, [count() for _ in match.seats]
    moves = []
    for index, ply in enumerate(match.line):
        # Each player has a column of their own in a race.
        row, column = (next(rows[ply.seat]), ply.seat) if race else divmod(index + match.first.turn, 2)
        moves.append(
            MoveScene(
                number=index + 1,
                text=str(ply.move),
                row=row,
                column=column,
                played=index < len(match.plies),
                latest=index == len(match.plies) - 1,
                mark=ply.mark if revealed else None,
                lost=ply.lost if revealed else 0,
            )
        )
    return moves


def _verdict(
    match: Match, state: State
) -> VerdictScene | RaceVerdictScene | CoachScene | QuestionScene | EndScene:
    if state.question is not None:
        return _question(match, state.question)
    if not state.revealed:
        return _coach(match, state)
    if match.result and not state.tried:
        return _end(match, state)
    if match.game.kind is Kind.RACE:
        return _race_verdict(match, state)
    verdict = state.verdict
    number = len(match.plies) - 1
    comment = sentences.comment_sentence(match, number) if state.commented else ""
    if verdict is None:
        return VerdictScene(working=state.working, comment=comment)
    # The line about the running work already gives its cost.
    shown = replace(verdict, nodes=0, source="") if state.working else verdict
    return VerdictScene(
        text=sentences.verdict_words(match, verdict, state.mover),
        value=verdict.value,
        working=state.working,
        proof=f"{capital(shown.proof_words)}.",
        provenance=f"{capital(shown.provenance())}.",
        explained=bool(shown.source or shown.nodes or shown.reason),
        comment=comment,
    )


def _race_verdict(match: Match, state: State) -> RaceVerdictScene:
    verdict = state.verdict
    if not isinstance(verdict, ScoreVerdict) or verdict.best is None:
        return RaceVerdictScene(state.working or "Looking at the map.")
    exact = verdict.best == verdict.bound
    limits = f"best possible {verdict.best}" if exact else f"best {verdict.best}, bound {verdict.bound}"
    if verdict.proof is Proof.EXACT or exact:
        note = f"{capital(verdict.reason) or 'Proved'}: no map scores more."
    else:
        more = (verdict.bound or 0) - verdict.best
        by = f"At most {more} more: {verdict.reason}." if verdict.reason else ""
        note = by or f"Up to {more} more may be possible."
    text = capital(limits) if len(match.seats) == 1 else f"{match.game.sides[state.mover]}: {limits}"
    return RaceVerdictScene(state.working, text, verdict, note)


def _question(match: Match, number: int) -> QuestionScene:
    ply = match.line[number]
    who = sentences.subject(match, ply.seat)
    whose = "Your" if who == "You" else f"{who}'s"
    return QuestionScene(f"Find a better move than {ply.move}.", f"{whose} move {number + 1} was a mistake.")


def _coach(match: Match, state: State) -> CoachScene:
    if state.mistake is not None:
        return CoachScene(state.coach, mistake=sentences.fault_sentence(match, state.mistake))
    if state.given_back is not None:
        answer = f"Your last move was a mistake, and {state.given_back.move} gave it back."
        return CoachScene(state.coach, given_back=answer)
    return CoachScene(state.coach)


def _end(match: Match, state: State) -> EndScene:
    result, value = match.ending, Value.TIE
    if result is not None and result.winner is not None:
        person = match.seats[result.winner] == HUMAN
        value = Value.WIN if person or match.watched else Value.LOSS
    star, best, turning, played = sentences.played_sentences(match, state.start_verdict)
    text = sentences.result_sentence(match, to_person=True)
    return EndScene(text, value, star, best, turning, played, state.end_offers)


def _hint(state: State) -> HintScene | None:
    hint = state.hint
    if hint is None or not state.hint_step:
        return None
    there = hint.there if state.walked and state.walked == hint.reason else ""
    line = tuple(map(str, hint.line))
    named = bool(hint.reason)
    return HintScene(state.hint_step, hint.where, str(hint.move), hint.why, line, state.walked, named, there)


def _value_chart(match: Match, state: State) -> ChartScene:
    sides = match.game.sides
    if not state.revealed:
        return ChartScene(sides, hidden=f"Shown after {'your answer' if match.finished else 'the match'}.")
    rows = (
        ValueRow(
            number=index + 1,
            move=str(ply.move),
            latest=index == len(match.plies) - 1,
            seat=ply.seat,
            played=ply.move,
            verdicts=tuple(match.analysis(match.before(index)) or ()),
        )
        for index, ply in enumerate(match.plies)
    )
    return ChartScene(sides, tuple(rows))


def _score_chart(match: Match, state: State) -> ChartScene:
    scores = [match.game.points(match.first) or 0] * len(match.seats)
    counted = [0] * len(match.seats)
    rows = []
    for index, ply in enumerate(match.plies):
        counted[ply.seat] += 1
        scores[ply.seat] = match.game.points(match.history(ply.seat)[counted[ply.seat]]) or 0
        best = match.best_of(match.before(index)) if state.revealed else None
        latest = index == len(match.plies) - 1
        rows.append(ScoreRow(index + 1, str(ply.move), latest, ply.seat, tuple(scores), best))
    return ChartScene(match.game.sides, scores=tuple(rows))


def _status(match: Match, state: State) -> str:
    if state.hint_sought:
        return "Looking for a hint."
    if match.to_move not in (HUMAN, None) and state.move_refusal is not None:
        return f"{match.game.sides[match.turn]} is thinking."
    return ""
