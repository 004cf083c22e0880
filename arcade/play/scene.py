"""The scene of a match: immutable data for everything that a front end shows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from arcade.engines.position import Position
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict, Squares, Value, Verdict
from arcade.engines.wording import capitalize, quantity
from arcade.play import sentences
from arcade.play.actions import refusals
from arcade.play.machines import AnyMachine, LearningSummary, OpenBox, open_box
from arcade.play.marks import ScoreRow, ValueRow
from arcade.play.match import HUMAN, Mark, Match
from arcade.play.mistakes import missed_move, told_to_person
from arcade.play.moment import Moment
from arcade.play.offers import end_offers, footer_actions, suggested_actions
from arcade.play.punishment import Still
from arcade.play.state import (
    HINT_STEPS,
    SPEEDS,
    Offers,
    State,
    branch,
    coach_looks,
    judged_seat,
    move_refusal,
    offers,
    position_shown,
    returned_mistake,
    revealed,
    thinking,
    told_mistake,
)
from arcade.store.record import Coach

RETURNED_MISTAKE = "Your mistake went unpunished."

Cell = tuple[int, int]
"""Row and column, counted from 0 at the top left."""


@dataclass(frozen=True)
class BoardScene:
    position: Position[Any]
    first: Position[Any]
    playable: bool = False
    values: tuple[MoveVerdict[Any], ...] = ()
    hinted: Any = None
    missed: bool = False
    """True if `hinted` is a missed move instead of a hint."""
    last: Any = None
    mistake: bool = False
    under: Position[Any] | None = None
    """The player's map, over which a replay slides the best map."""
    human: bool = False
    own: bool = False
    """True if a human plays on this board. Moves can then be previewed even while an engine thinks."""
    review: bool = False
    lengths: bool = False
    squares: frozenset[Cell] = frozenset()
    points: int | None = None

    @cached_property
    def verdicts(self) -> dict[Any, MoveVerdict[Any]]:
        return {known.move: known for known in self.values}


@dataclass(frozen=True, slots=True)
class PlayerScene:
    side: str
    name: str
    caption: str
    """Name of the player; the side if both players have the same name."""
    human: bool
    to_move: bool
    thinking: bool = False
    machine: bool = False
    won: bool = False
    score: int | None = None
    hints: int = 0

    @property
    def notes(self) -> str:
        notes = ["won"] if self.won else []
        if self.score is not None:
            notes.append(str(self.score))
        if self.hints:
            notes.append(f"{quantity(self.hints, 'hint')} used")
        return "".join(f"  {note}" for note in notes)


@dataclass(frozen=True, slots=True)
class MoveScene:
    number: int
    text: str
    words: str
    sentence: str
    seat: int
    board: int
    row: int
    column: int
    played: bool
    """True if the move has been played; False if it was taken back and can be redone."""
    latest: bool
    mark: Mark | None
    lost: int
    comment: str = ""
    mistake: str = ""


@dataclass(frozen=True, slots=True)
class VariationScene:
    moves: tuple[str, ...]
    tried: int


@dataclass(frozen=True, slots=True)
class VerdictScene:
    text: str = ""
    value: Value | None = None
    working: str = ""
    proof: str = ""
    provenance: str = ""
    proved: bool = False
    explained: bool = False
    comment: str = ""

    @property
    def words(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class RaceVerdictScene:
    text: str
    words: str
    scores: ScoreVerdict
    note: str
    provenance: str
    proved: bool
    working: str = ""


@dataclass(frozen=True, slots=True)
class CoachScene:
    number: int | None = None
    """Index of the player's last move if it was a mistake, otherwise None."""
    mistake: str = ""
    why: str = ""
    returned_mistake: str = ""
    looking: bool = False


@dataclass(frozen=True, slots=True)
class QuestionScene:
    task: str


@dataclass(frozen=True, slots=True)
class EndScene:
    result: str
    value: Value
    """Value of the result for the player; in a watched match, for the winner."""
    turning: str
    why: str
    played: str
    star: bool
    offers: Offers


@dataclass(frozen=True, slots=True)
class HintScene:
    step: int
    """Step of the hint: 1 shows where to look, 2 the move, 3 the reason."""
    where: str
    move: str
    """The move in words."""
    advice: str
    """A sentence with the move."""
    why: str
    line_title: str
    line: tuple[str, ...]
    walked: int
    there: str
    rule: str
    """Line with the rule's name and headline, or ""."""


@dataclass(frozen=True, slots=True)
class ChartScene:
    sides: tuple[str, ...]
    rows: tuple[ValueRow | ScoreRow, ...] = ()
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    match_number: int
    """Number of the match in its session, from 0."""
    title: str
    progress: str
    watched: bool
    boards: tuple[BoardScene, ...]
    still: BoardScene | None
    """Board shown instead of the main board during a punishment replay."""
    main: int
    active: int
    looking: int | None
    players: tuple[PlayerScene, ...]
    moves: tuple[MoveScene, ...]
    shown: int
    variation: VariationScene | None
    revealed: bool
    over: bool
    finished: bool
    """True after the match, even if an earlier position is on view."""
    paused: bool
    verdict: VerdictScene | RaceVerdictScene | CoachScene | QuestionScene | EndScene
    hint: HintScene | None
    chart: ChartScene
    box: OpenBox | LearningSummary | None
    machine: AnyMachine | None
    """Machine that owns the box; if no box is shown, the first machine in a seat."""
    refusing: str
    status: str
    """Status, for example "White is thinking."; empty if nothing is in progress."""
    offers: Offers
    footer: tuple[str, ...]
    suggested_actions: tuple[str, ...]
    refusals: Mapping[str, str]
    """Reasons why actions are unavailable, by action. An empty reason is not shown."""

    @property
    def board(self) -> BoardScene:
        return self.boards[self.main]

    @property
    def drawn_boards(self) -> tuple[BoardScene, ...]:
        if self.still is None:
            return self.boards
        return (*self.boards[: self.main], self.still, *self.boards[self.main + 1 :])

    @property
    def played(self) -> tuple[tuple[int, str], ...]:
        return tuple((move.seat, move.text) for move in self.moves[: self.shown])

    @property
    def move_refusal(self) -> str | None:
        return self.refusals.get("type")


def scene_of(match: Match, state: State, verdict: Verdict | None = None, working: str = "") -> Scene:
    """Return the scene. `verdict` is the latest verdict on the judged position; its search may still run."""
    seats = range(len(match.seats))
    visible = revealed(match, state)
    box = _box(match, state)
    return Scene(
        match_number=state.match_number,
        title=_title(match),
        progress=_progress(match, state),
        watched=match.watched,
        boards=tuple(_board(match, state, board) for board in match.boards),
        still=still_board(match, state.stills[0]) if state.stills else None,
        main=state.stills[0].board if state.stills else match.board_of(match.main_seat(state.looking)),
        active=match.board_of(match.turn),
        looking=state.looking,
        players=tuple(_player(match, state, seat) for seat in seats),
        moves=tuple(_moves(match, visible)),
        shown=len(match.plies),
        variation=_variation(state),
        revealed=visible,
        over=match.result is not None,
        finished=match.finished,
        paused=state.paused,
        verdict=_verdict(match, state, verdict, working),
        hint=_hint(match, state),
        chart=_chart(match, visible),
        box=box,
        machine=next(iter(state.machines.values()), None) if box is None else box.machine,
        refusing=state.refusing,
        status=_status(match, state),
        offers=() if state.hint_sought else tuple(offers(match, state)),
        footer=footer_actions(match, state),
        suggested_actions=suggested_actions(match, state),
        refusals=refusals(Moment(match, state)),
    )


def _title(match: Match) -> str:
    dealt = match.game.parameters.seeded and match.start.position is None
    return f"{match.title} #{match.start.seed or 0}" if dealt else match.title


def _progress(match: Match, state: State) -> str:
    if state.tried:
        return f"variation, move {len(match.plies) + len(state.tried)}"
    text = f"move {len(match.plies)}"
    if match.undone:
        text += f"/{len(match.line)}"
    if match.watched and not match.result:
        text += ", paused" if state.paused else f", {SPEEDS[state.speed]:g} s a move"
    number = len(match.winners) + (match.ending is None)
    if number + match.matches_left > 1:
        score = ":".join(f"{match.winners.count(seat)}" for seat in range(len(match.seats)))
        text = f"match {number} of {number + match.matches_left}, {score}   {text}"
    return text


def _board(match: Match, state: State, board: int) -> BoardScene:
    seats = [seat for seat in range(len(match.seats)) if match.board_of(seat) == board]
    current = board == match.board_of(match.turn)
    hint = state.hint if current else None
    human = any(match.seats[seat] == HUMAN for seat in seats)
    position = position_shown(match, state) if current else match.position_of(seats[0])
    last = state.tried[-1] if state.tried and current else match.last_move(seats[0])
    if state.walked and hint is not None:
        last = hint.line[state.walked - 1]
    missed = _missed(match, state) if current else None
    hinted = hint.move if hint is not None and state.hint_step >= 2 and not state.walked else missed
    return BoardScene(
        position,
        match.first,
        playable=current and move_refusal(match, state) is None,
        values=tuple(match.analysis(position) or ()) if state.values_shown and state.question is None else (),
        lengths=state.lengths_shown,
        hinted=hinted,
        missed=missed is not None,
        last=last,
        human=human,
        own=human and match.result is None and not state.walked,
        review=match.finished and not state.tried,
        squares=frozenset(
            _hint_squares(state) if hint is not None else _mistake_squares(match, state, board)
        ),
        points=match.points(position),
    )


def still_board(match: Match, still: Still) -> BoardScene:
    return BoardScene(
        still.position,
        match.first,
        hinted=still.missed,
        missed=still.missed is not None,
        last=still.last,
        mistake=still.mistake,
        under=still.under,
        points=match.points(still.position),
    )


def _hint_squares(state: State) -> Squares:
    hint = state.hint
    if hint is None:
        return ()
    if state.walked:
        return hint.squares if state.walked == hint.reason else ()
    if state.hint_step == 1:
        return hint.region.squares
    # A later reason is about a position that is not on the board.
    return hint.squares if state.hint_step == HINT_STEPS and hint.reason == 1 else ()


def _mistake_squares(match: Match, state: State, board: int) -> Squares:
    """Return the squares to mark: those of a mistake and its reason, or those of the right move."""
    number = state.question
    if number is None and match.result and not state.tried:
        number = match.decisive_mistake()
    elif number is None:
        number = _commented(match, state) if revealed(match, state) else _punishable(match, state)
    if number is None or match.board_of(match.line[number].seat) != board:
        return ()
    ply, position = list(match.steps())[number]
    squares_of, right = match.game.explanations.squares_of, missed_move(match, number)
    if state.question is not None:
        return squares_of(position, ply.move)
    if match.result and not state.tried and right and not isinstance(right.verdict, ScoreVerdict):
        return squares_of(position, right.move)
    return (*squares_of(position, ply.move), *ply.squares)


def _punishable(match: Match, state: State) -> int | None:
    """Return the mistake that the coach reports; None if the opponent did not punish it."""
    return None if returned_mistake(match, state) is not None else told_mistake(match, state)


def _missed(match: Match, state: State) -> Any:
    """Return the best move to show in review; None while the player is asked to find it."""
    if not (match.finished and match.undone) or state.tried or state.hint or state.question is not None:
        return None
    best = missed_move(match, len(match.plies))
    return None if best is None else best.move


def _player(match: Match, state: State, seat: int) -> PlayerScene:
    result = match.result
    position = position_shown(match, state)
    going = position.outcome() is None and (result is None or bool(state.tried))
    human, to_move = match.seats[seat] == HUMAN, going and match.mover(position, match.turn) == seat
    return PlayerScene(
        side=match.game.sides[seat],
        name=sentences.seat_name(match, seat),
        caption=sentences.distinct_names(match)[seat],
        human=human,
        to_move=to_move,
        thinking=to_move and thinking(match, state),
        machine=match.guest(seat) is not None,
        won=result is not None and result.winner == seat,
        score=result.scores[seat] if result is not None and result.scores else None,
        hints=match.hints[seat],
    )


def _moves(match: Match, revealed: bool) -> Iterator[MoveScene]:
    for number, ply in enumerate(match.line):
        row, column = match.place(number)
        yield MoveScene(
            number=number + 1,
            text=str(ply.move),
            words=match.words(ply.move),
            sentence=sentences.move_sentence(match, ply),
            seat=ply.seat,
            board=match.board_of(ply.seat),
            row=row,
            column=column,
            played=number < len(match.plies),
            latest=number == len(match.plies) - 1,
            mark=ply.mark if revealed else None,
            lost=ply.lost if revealed else 0,
            comment=ply.comment,
            mistake=sentences.comment_sentence(match, number) if revealed else "",
        )


def _variation(state: State) -> VariationScene | None:
    moves = tuple(map(str, state.variation))
    return VariationScene(moves, len(state.tried)) if moves else None


def _verdict(
    match: Match, state: State, verdict: Verdict | None, working: str
) -> VerdictScene | RaceVerdictScene | CoachScene | QuestionScene | EndScene:
    if state.question is not None:
        return _question(match, state.question)
    if not revealed(match, state) and not state.verdict_asked:
        return _coach(match, state)
    if match.result and not state.tried:
        return _end(match, state)
    mover = match.mover(branch(match, state), judged_seat(match, state))
    if isinstance(verdict, ScoreVerdict) and verdict.best is not None:
        return _score(match, verdict, verdict.best, mover, working)
    number = _commented(match, state)
    comment = "" if number is None else sentences.comment_sentence(match, number)
    if verdict is None or isinstance(verdict, ScoreVerdict):
        return VerdictScene(working=working or match.awaiting, comment=comment)
    # `working` already gives the cost of the running work.
    shown = replace(verdict, nodes=0, source="") if working else verdict
    return VerdictScene(
        text=sentences.verdict_words(match, verdict, mover),
        value=_value_to_reader(match, verdict, mover),
        working=working,
        proof=f"{capitalize(shown.proof_words)}.",
        provenance=f"{capitalize(shown.provenance())}.",
        proved=verdict.proof is not Proof.UNKNOWN,
        explained=bool(shown.source or shown.nodes or shown.reason),
        comment=comment,
    )


def _value_to_reader(match: Match, verdict: Verdict, mover: int) -> Value | None:
    """Return the value for the human if there is exactly one, otherwise for the winner named in the text."""
    if verdict.value not in (Value.WIN, Value.LOSS):
        return verdict.value
    winner = mover if verdict.value is Value.WIN else 1 - mover
    human = match.seats.index(HUMAN) if match.seats.count(HUMAN) == 1 else winner
    return Value.WIN if human == winner else Value.LOSS


def _commented(match: Match, state: State) -> int | None:
    number = len(match.plies) - 1
    seen = (match.watched or match.finished or state.replaying) and number >= 0 and not state.tried
    mark = match.line[number].mark if seen and state.coach is not Coach.QUIET else None
    return number if mark is not None and mark.bad else None


def _score(match: Match, verdict: ScoreVerdict, best: int, mover: int, working: str) -> RaceVerdictScene:
    exact = best == verdict.bound
    limits = f"best possible {best}" if exact else f"best {best}, upper bound {verdict.bound}"
    if verdict.proof is Proof.EXACT or exact:
        note = f"{capitalize(verdict.reason)}: no map scores more." if verdict.reason else "Proved."
    else:
        more = (verdict.bound or 0) - best
        by = f"Up to {more} more: {verdict.reason}." if verdict.reason else ""
        note = by or f"Up to {more} more may be possible."
    text = capitalize(limits) if len(match.seats) == 1 else f"{match.game.sides[mover]}: {limits}"
    return RaceVerdictScene(
        text=text,
        words=sentences.verdict_words(match, verdict, mover),
        scores=verdict,
        note=note,
        provenance=f"{capitalize(verdict.provenance())}.",
        proved=verdict.proof is not Proof.UNKNOWN,
        working=working,
    )


def _question(match: Match, number: int) -> QuestionScene:
    ply = match.line[number]
    who = sentences.subject(match, ply.seat)
    whose = "yours" if who == "You" else f"{who}'s"
    marked = match.game.explanations.squares_of(list(match.steps())[number][1], ply.move)
    return QuestionScene(f"Find a better move than {whose if marked else match.words(ply.move)}.")


def _coach(match: Match, state: State) -> CoachScene:
    number, answer = told_mistake(match, state), returned_mistake(match, state)
    if number is None:
        return CoachScene(looking=coach_looks(match, state))
    if answer is not None:
        return CoachScene(number, returned_mistake=RETURNED_MISTAKE)
    if coach_looks(match, state):
        return CoachScene(number, looking=True)
    full = sentences.full_fault_sentence(match, number)
    return CoachScene(number, sentences.fault_sentence(match, number), full)


def _end(match: Match, state: State) -> EndScene:
    result, value = match.ending, Value.TIE
    if result is not None and result.winner is not None:
        person = match.seats[result.winner] == HUMAN
        value = Value.WIN if person or match.watched else Value.LOSS
    text, turning, played = sentences.end_sentences(match)
    _, why, _ = sentences.end_sentences(match, full=True)
    star = bool(sentences.star_words(match))
    return EndScene(text, value, turning, why, played, star, tuple(end_offers(match, state)))


def _hint(match: Match, state: State) -> HintScene | None:
    hint = state.hint
    if hint is None or not state.hint_step:
        return None
    reached = state.walked and state.walked == hint.reason
    there = told_to_person(match, hint.there) if reached else ""
    # Until the line gets there, the rule does not fit the board on view.
    rule = hint.rule if reached or hint.reason < 2 else ""
    line = tuple(map(str, hint.line))
    words = match.words(hint.move)
    return HintScene(
        state.hint_step,
        hint.region.says,
        words,
        hint.advice(words),
        told_to_person(match, hint.why),
        hint.line_title,
        line,
        state.walked,
        there,
        rule,
    )


def _chart(match: Match, revealed: bool) -> ChartScene:
    hidden = "" if revealed else f"Shown after {'your answer' if match.finished else 'the match'}."
    return ChartScene(match.game.sides, tuple(match.graph(revealed)), hidden)


def _box(match: Match, state: State) -> OpenBox | LearningSummary | None:
    if state.walked:
        return None
    box = open_box(match, state.machines, state.rewards, state.challenge_wins)
    if isinstance(box, OpenBox):
        return replace(box, truth=revealed(match, state) or state.values_shown)
    return box


def _status(match: Match, state: State) -> str:
    if state.hint_sought:
        return "Looking for a hint."
    if thinking(match, state):
        return f"{match.game.sides[match.turn]} is thinking."
    return ""
