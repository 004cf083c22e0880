"""A match: who sits where, history, undo and redo, hints used, and the verdict of each move."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.parameters import Parameters
from arcade.engines.players import Player
from arcade.engines.position import Outcome, Position
from arcade.engines.registry import (
    AnyGame,
    GameID,
    Guests,
    is_guest,
    make_player,
    parse_game_id,
    parse_player,
)
from arcade.engines.verdict import MoveVerdict, ScoreVerdict, Value, Verdict
from arcade.play.marks import Knowledge, Ply
from arcade.store.record import HUMAN as HUMAN
from arcade.store.record import UNSEEN, Coach, MatchRecord
from arcade.store.record import Mark as Mark

V = TypeVar("V")


class MoveLine(list[Any]):
    """Moves in order; as text, their notations separated by spaces."""

    def __str__(self) -> str:
        return " ".join(map(str, self))


@dataclass(frozen=True, slots=True)
class Result:
    winner: int | None
    """The winning seat; None for a tie, or a race with one seat."""
    reason: str
    scores: tuple[int, ...] = ()
    addressed: tuple[int, str] | None = field(default=None, compare=False)
    """As in `Outcome`."""

    @property
    def value(self) -> Value:
        if self.winner is None:
            return Value.TIE
        return Value.LOSS if self.winner else Value.WIN


def check_seat(
    game: AnyGame, parameters: Parameters, seat: int, who: str, guests: Guests | None = None
) -> str:
    """A seat notation in full, e.g. "fallible:5"; InputError if there is no such player for seat 0 or 1."""
    if who == HUMAN:
        return who
    if guests is not None and is_guest(game, who):
        guests.check(who, game, parameters, seat)
        return who
    kind, argument = parse_player(game, who)
    return kind.name if kind.argument is None else f"{kind.name}:{argument}"


def fewest_seats(game: AnyGame) -> int:
    """How many seats of a match must be taken; there are never more than two."""
    return 1 if game.kind is Kind.RACE else 2


def default_seats(game: AnyGame, guests: Guests | None = None) -> tuple[str, str]:
    """Who sits where in a person's first match: against a beginner, with the better side."""
    if guests is not None and game.guest_seats is not None:
        return game.guest_seats
    opponent = game.player_kinds[0].name
    return (opponent, HUMAN) if game.better_side else (HUMAN, opponent)


def offered_seats(
    last: Sequence[str], game: AnyGame, parameters: Parameters, guests: Guests | None = None
) -> tuple[str, ...]:
    """Who sits where by default: as in the last match if all can be taken, else as in a first one."""
    if HUMAN in last and fewest_seats(game) <= len(last) <= 2:
        with suppress(InputError):
            return tuple(check_seat(game, parameters, seat, who, guests) for seat, who in enumerate(last))
    return default_seats(game, guests)


def _if_any(of_moves: Iterable[V]) -> tuple[V, ...]:
    """What is known of each move, or nothing where nothing is known of any."""
    known = tuple(of_moves)
    return known if any(known) else ()


class Match:
    """A match of one game: a duel has one board for two seats, a race one for each seat, which move in turn.

    A finished match stays finished: `undo` and `redo` then only change the viewed position, and `record`
    stays the same. To play on, use the new match that `continued` or `taken_back` returns.

    Seats are "human", an engine's notation such as "fallible:7", or a guest's name; by default those of a
    person's first match. Guests may be given later, but before one takes a seat. The seed of the engines'
    choices is by default that of the start, else 0. An InputError says that a player cannot take a seat, or
    that there are too many or too few seats.
    """

    def __init__(
        self,
        start: GameID,
        seats: Iterable[str] | None = None,
        guests: Guests | None = None,
        seed: int | None = None,
    ) -> None:
        self.start = start
        self.parameters = start.parameters
        self.guests = guests
        self.seed = (start.seed or 0) if seed is None else seed
        """Random seed of the engines' choices. The start's own seed is for the first position."""
        self.taught = False
        seated = default_seats(start.game, guests) if seats is None else seats
        self.seats = [
            check_seat(start.game, start.parameters, seat, who, guests) for seat, who in enumerate(seated)
        ]
        lowest = fewest_seats(start.game)
        if not lowest <= len(self.seats) <= 2:
            wanted = "2 seats" if lowest == 2 else "1 or 2 seats"
            raise InputError(f"A match of {start.game.title} has {wanted}, not {len(self.seats)}.")
        self.game = start.game
        self.first = start.start()
        self.plies: list[Ply] = []
        self.undone: list[Ply] = []
        """The moves that can be redone, the next one last."""
        self._boards = [[self.first] for _ in range(len(self.seats) if self.game.kind is Kind.RACE else 1)]
        """The positions on each board, the first one first."""
        self.hints = [0] * len(self.seats)
        self.takebacks = 0
        self.values = 0
        self.coach = Coach.QUIET
        self.resigned: int | None = None
        self.handed_over = False
        """Whether a seat has changed its player after the first move."""
        self.to_come = 0
        """How many matches of a series follow this one."""
        self.winners: list[int | None] = []
        """Of the matches of the series that have ended; None for a tie."""
        self.foreign = False
        """Whether the match was finished elsewhere and is only looked at here: it is not saved."""
        self._known = Knowledge(self.game)
        self._players: dict[str, Player[Any, Any]] = {}
        self.ending: Result | None = self._ended()
        """How the match ended, even while an earlier position is viewed; None while it is going on."""

    def _board(self, seat: int) -> list[Position[Any]]:
        return self._boards[seat if self.game.kind is Kind.RACE else 0]

    @property
    def line(self) -> list[Ply]:
        """All moves in order, including those that can be redone."""
        return [*self.plies, *reversed(self.undone)]

    @property
    def moves(self) -> MoveLine:
        return MoveLine(ply.move for ply in self.line)

    @property
    def title(self) -> str:
        """The game and its parameters, e.g. "Chocobar 8x10"."""
        return f"{self.game.title} {self.game.parameters_text(self.parameters)}".rstrip()

    @property
    def turn(self) -> int:
        """The seat to move; in a race the one with the fewest moves."""
        if self.game.kind is Kind.DUEL:
            return self.position_of(0).turn
        going = [seat for seat, board in enumerate(self._boards) if board[-1].outcome() is None]
        return min(going or [0], key=lambda seat: len(self._boards[seat]))

    @property
    def position(self) -> Position[Any]:
        return self.position_of(self.turn)

    def position_of(self, seat: int) -> Position[Any]:
        return self._board(seat)[-1]

    def before(self, ply: int) -> Position[Any]:
        """The position before move number `ply`, counted from 0."""
        if self.game.kind is Kind.DUEL:
            return self._boards[0][ply]
        seat = self.plies[ply].seat
        return self._boards[seat][sum(other.seat == seat for other in self.plies[:ply])]

    def last_position(self, seat: int = 0) -> Position[Any]:
        """The last position on a seat's board, whatever is viewed of a finished match."""
        if not self.finished:
            return self.position_of(seat)
        duel = self.game.kind is Kind.DUEL
        return self.first.after([ply.move for ply in self.line if duel or ply.seat == seat])

    def history(self, seat: int = 0) -> list[Position[Any]]:
        return list(self._board(seat))

    def steps(self) -> Iterator[tuple[Ply, Position[Any]]]:
        """The moves of the whole line, each with the position in which it was played."""
        positions = [self.first] * len(self._boards)
        for ply in self.line:
            board = ply.seat if self.game.kind is Kind.RACE else 0
            yield ply, positions[board]
            positions[board] = positions[board].play(ply.move)

    def _push(self, ply: Ply) -> None:
        board = self._board(ply.seat)
        board.append(board[-1].play(ply.move))
        self.plies.append(ply)
        self._annotate(len(self.plies) - 1)

    def undo(self) -> bool:
        if not self.plies:
            return False
        ply = self.plies.pop()
        self._board(ply.seat).pop()
        self.undone.append(ply)
        return True

    @property
    def winner(self) -> str | None:
        """The winning side, e.g. "White"; None for a tie, and while the match is going on."""
        if self.ending is None or self.ending.winner is None:
            return None
        return self.game.sides[self.ending.winner]

    @property
    def to_move(self) -> str | None:
        """The notation of the player to move; None when the match is over."""
        return None if self.result else self.seats[self.turn]

    @property
    def watched(self) -> bool:
        return HUMAN not in self.seats

    @property
    def finished(self) -> bool:
        return self.ending is not None

    @property
    def result(self) -> Result | None:
        """How the match ended; None while it is going on, and while an earlier position is viewed."""
        return None if self.undone else self.ending

    def _ended(self) -> Result | None:
        """How the match ends with the current moves; None if it is not over."""
        if self.resigned is not None:
            other = 1 - self.resigned if len(self.seats) == 2 else None
            return Result(other, f"{self.game.sides[self.resigned]} resigned", self._scores())
        outcomes = [board[-1].outcome() for board in self._boards]
        if any(outcome is None for outcome in outcomes):
            return None
        last = outcomes[0]
        assert isinstance(last, Outcome)
        if self.game.kind is Kind.DUEL:
            return Result(last.winner, last.reason, addressed=last.addressed)
        scores = self._scores()
        decided = len(scores) == 2 and scores[0] != scores[1]
        return Result(scores.index(max(scores)) if decided else None, last.reason, scores)

    def _scores(self) -> tuple[int, ...]:
        if self.game.kind is Kind.DUEL:
            return ()
        outcomes = [board[-1].outcome() for board in self._boards]
        return tuple(outcome.score or 0 if outcome else 0 for outcome in outcomes)

    def play(self, move: Any, by: str | None = None) -> None:
        """Play a move for the seat to move, which drops what was taken back; ValueError: it is illegal.

        `by` plays it if not the player in the seat.
        """
        self._refuse_finished()
        turn = self.turn
        self._push(Ply(turn, move, by or self.seats[turn]))
        self.undone.clear()
        self.ending = self._ended()
        self._review()

    def _refuse_finished(self) -> None:
        if self.finished:
            raise ValueError("The match is over.")

    def redo(self) -> bool:
        if not self.undone:
            return False
        self._push(self.undone.pop())
        if not self.undone and not self.finished:
            self.ending = self._ended()
        return True

    def copied(self) -> Self:
        """A copy for work in another thread, which must not read a match while it is played on."""
        copied = copy.copy(self)
        copied._boards = [list(board) for board in self._boards]
        copied.plies = [replace(ply) for ply in self.plies]
        copied.undone = [replace(ply) for ply in self.undone]
        copied.seats, copied.hints = list(self.seats), list(self.hints)
        return copied

    def continued(self) -> Self:
        """The match in which to play on: this one, or a new branch if this one is finished."""
        if not self.finished:
            return self
        branch = self.copied()
        branch.undone = []
        if not self.plies:
            branch.hints, branch.takebacks, branch.values = [0] * len(self.seats), 0, 0
            branch.coach, branch.handed_over = Coach.QUIET, False
        branch.taught = self.taught and bool(self.plies)
        branch.resigned, branch.foreign = None, False
        branch.to_come, branch.winners = 0, []
        branch.ending = branch._ended()
        return branch

    def taken_back(self) -> Self | None:
        """Take back the resignation or else the last move; returns the match, None if there is nothing."""
        if self.result and self.resigned is not None:
            return self.continued()
        return self.continued() if self.undo() else None

    def resign(self, seat: int) -> None:
        """End the match in favour of the other seat; this drops moves that were taken back."""
        self._refuse_finished()
        self.undone.clear()
        self.resigned = seat
        self.ending = self._ended()
        self._review()

    def sit(self, seat: int, who: str) -> None:
        """Change who plays a seat, before the end; an InputError says that there is no such player."""
        self._refuse_finished()
        seated = check_seat(self.game, self.parameters, seat, who, self.guests)
        # A person may have seen what their moves are worth while an engine sat there, so no move is needed.
        self.handed_over |= bool(self.line) and seated != self.seats[seat]
        self.seats[seat] = seated

    @property
    def players(self) -> tuple[str, ...]:
        """Who played each move; empty if each seat had one player throughout, as in a record."""
        plies = self.line
        changed = self.handed_over or any(ply.by != self.seats[ply.seat] for ply in plies)
        return tuple(ply.by for ply in plies) if changed else ()

    def note_unseen(self) -> None:
        """Note that the moves so far were not played here, but read from a file or typed as a list."""
        self.foreign = self.finished
        for ply in (*self.plies, *self.undone):
            ply.by = UNSEEN

    def count_hint(self) -> None:
        if not self.finished:
            self.hints[self.turn] += 1

    def count_values(self) -> None:
        """Count a look at the values of all moves; not after the end, and not without a person."""
        if not self.finished and not self.watched:
            self.values += 1

    def note_coach(self, coach: Coach) -> None:
        """A person plays with this coach; the match remembers the one who says most."""
        if not self.finished:
            self.coach = max(self.coach, coach, key=list(Coach).index)

    def guest(self, seat: int) -> str | None:
        """The name of the guest in a seat; None if somebody else sits there."""
        who = self.seats[seat]
        return who if who != HUMAN and is_guest(self.game, who) else None

    def drawn(self, number: int) -> bool:
        """Whether a guest played the move of that number, counted from 0, and is still in the seat."""
        ply = self.plies[number]
        return ply.by == self.guest(ply.seat)

    def player(self) -> Player[Any, Any]:
        """The engine to move, made once a match; a guest as it is now, or InputError if it is gone."""
        name = self.guest(self.turn)
        if name is not None and self.guests is not None:
            return self.guests.invite(name, self.game, self.parameters, self.turn)
        who = self.seats[self.turn]
        if who not in self._players:
            self._players[who] = make_player(self.game, who)
        return self._players[who]

    def move_seconds(self) -> float | None:
        """The time limit in seconds of the engine to move; None for no limit."""
        who = self.seats[self.turn]
        own = None if is_guest(self.game, who) else parse_player(self.game, who)[0].seconds
        return self.game.limits.move if own is None else own

    def rng(self) -> random.Random:
        """The random numbers for the next move, fixed by the seed and the number of plies."""
        return random.Random(f"{self.seed}/{len(self.plies)}")

    def learn(self, position: Position[Any], analysis: list[MoveVerdict[Any]]) -> None:
        self._known.analyses[position] = analysis
        for number in range(len(self.plies)):
            if self.before(number) == position:
                self._annotate(number)
        self._review()

    def learn_verdict(self, position: Position[Any], verdict: Verdict) -> None:
        """Use a verdict of a race position to mark the move that led there, if possible."""
        if isinstance(verdict, ScoreVerdict):
            self._known.verdicts[position] = verdict
            for number in range(len(self.plies)):
                self._annotate(number)
            self._review()

    def analysis(self, position: Position[Any]) -> list[MoveVerdict[Any]] | None:
        return self._known.analyses.get(position)

    def _annotate(self, number: int) -> None:
        self._known.annotate(self.plies[number], self.before(number))

    def _review(self) -> None:
        if self.game.kind is Kind.RACE:
            self._known.review(list(self.steps()), self.finished)

    def value_before(self, number: int) -> Value | None:
        """The value of the position in which a move was played; None where it is not known, and in a race."""
        analysis = self.analysis(list(self.steps())[number][1])
        return None if not analysis else max(analysis, key=lambda move: move.verdict.preference).verdict.value

    def best_of(self, position: Position[Any]) -> int | None:
        """The highest final score known to be reachable in a race, at least what was reached from there."""
        return self._known.best_of(position)

    def __str__(self) -> str:
        moves = MoveLine(ply.move for ply in self.plies)
        return f"{self.start}\nseats: {', '.join(self.seats)}\nmoves: {moves}"

    def record(self) -> MatchRecord:
        """The match as plain data for replay; a finished match is always complete."""
        plies = self.line
        return MatchRecord(
            game=self.game.name,
            start=str(self.start),
            seed=self.seed,
            taught=self.taught,
            seats=tuple(self.seats),
            moves=tuple(str(ply.move) for ply in plies),
            marks=tuple(ply.mark.value if ply.mark else "" for ply in plies),
            comments=_if_any(ply.comment for ply in plies),
            rules=_if_any(ply.rule for ply in plies),
            reasons=_if_any(ply.reason for ply in plies),
            played=len(plies) if self.finished else len(self.plies),
            hints=tuple(self.hints),
            takebacks=self.takebacks,
            values=self.values,
            coach=self.coach,
            resigned=self.resigned,
            result=self.ending.value if self.ending else None,
            scores=self.ending.scores if self.ending else (),
            lost=_if_any(ply.lost for ply in plies),
            players=self.players,
        )

    @classmethod
    def from_record(cls, record: MatchRecord, guests: Guests | None = None) -> Match:
        """Replay a record, checking every move but needing no guest; an InputError says what is bad in it."""
        # Older versions kept taken-back moves in a match that ended by resignation.
        count = len(record.moves) if record.result is None else record.played
        try:
            start = parse_game_id(record.start)
            unknown = [guests is not None and is_guest(start.game, who) for who in record.seats]
            known = [HUMAN if each else who for who, each in zip(record.seats, unknown, strict=True)]
            match = cls(start, known, guests, record.seed)
            for seat, each in enumerate(unknown):
                if each:
                    match.seats[seat] = record.seats[seat]
            for number, word in enumerate(record.moves[:count]):
                try:
                    match.play(match.game.parse_move(word, match.position))
                except ValueError as error:
                    raise InputError(f"Move {number + 1}, {word!r}, cannot be played: {error}") from None
            for number, ply in enumerate(match.plies):
                ply.mark = Mark(record.marks[number]) if record.marks[number] else None
                ply.comment = record.comments[number] if record.comments else ""
                ply.rule = record.rules[number] if record.rules else ""
                ply.reason = record.reasons[number] if record.reasons else ""
                ply.lost = record.lost[number] if record.lost else 0
                ply.by = record.players[number] if record.players else record.seats[ply.seat]
            if match.game.kind is Kind.RACE:
                match._known.recall(list(match.steps()))
            if record.resigned is not None:
                match.resign(record.resigned)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"The match cannot be replayed: {str(error).rstrip('.')}.") from error
        if record.result is None:
            # The last move may have ended the match and then been taken back.
            match.ending = None
        for _ in range(count - record.played):
            match.undo()
        match.hints = list(record.hints)
        match.takebacks, match.values, match.coach = record.takebacks, record.values, record.coach
        match.taught, match.handed_over = record.taught, bool(record.players)
        ended = match._ended()
        if (ended.value if ended else None) != record.result:
            raise InputError("The match is damaged: its moves do not lead to its result.")
        if record.scores and (ended is None or ended.scores != record.scores):
            raise InputError("The match is damaged: its moves do not lead to its scores.")
        return match
