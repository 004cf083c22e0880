"""Matches: players, moves with undo and redo, marks, and the help that was used."""

from __future__ import annotations

import copy
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, TypeVar

from arcade.engines.control import BEST, BOUND, Control
from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.parameters import Parameters
from arcade.engines.players import RUNGS, Player
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID, parse_game_id
from arcade.engines.seats import (
    Guests,
    current_notation,
    full_notation,
    is_guest,
    make_player,
    parse_player,
    player_kinds,
)
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict, Value, Verdict, value_keeping_moves
from arcade.play.marks import DuelKnowledge, MatchAnalysis, Ply, RaceKnowledge, ScoreRow, ValueRow
from arcade.store.record import HUMAN as HUMAN
from arcade.store.record import UNSEEN, Coach, MatchRecord
from arcade.store.record import Mark as Mark

V = TypeVar("V")


class MoveList(list[Any]):
    def __str__(self) -> str:
        return " ".join(map(str, self))


@dataclass(frozen=True, slots=True)
class Result:
    winner: int | None
    """The winning seat; None for a tie and in a race with one seat."""
    reason: str
    scores: tuple[int, ...] = ()
    addressed: tuple[int, str] | None = field(default=None, compare=False)
    """A side, and the reason for the result in words addressed to its player; see `Outcome.addressed`."""

    @property
    def value(self) -> Value:
        if self.winner is None:
            return Value.TIE
        return Value.LOSS if self.winner else Value.WIN


def check_seat(
    game: AnyGame, parameters: Parameters, seat: int, who: str, guests: Guests | None = None
) -> str:
    """Return a player's full notation, for example "fallible:5" for "fallible".

    Raises InputError if the player is unknown or cannot take the seat (0 or 1).
    """
    if who == HUMAN:
        return who
    if guests is not None and is_guest(game, who):
        return guests.check(who, game, parameters, seat)
    return full_notation(game, who)


def min_players(game: AnyGame) -> int:
    return 1 if isinstance(game, RaceGame) else 2


def default_seats(game: AnyGame, guests: Guests | None = None) -> tuple[str, str]:
    """Return the players of a first match: you on the side that can win, against a beginner.

    If `guests` is given, a game may choose a machine as the opponent instead.
    """
    if guests is not None and game.players.machine_seats is not None:
        return game.players.machine_seats
    opponent = player_kinds(game)[0].name
    return (opponent, HUMAN) if game.practice.better_side else (HUMAN, opponent)


def watched_players(game: AnyGame) -> tuple[str, str]:
    """Return two players to watch: the strongest, and one that makes mistakes."""
    names = [kind.name for kind in player_kinds(game)]
    return game.players.best, RUNGS[-1] if RUNGS[-1] in names else names[0]


def suggested_players(
    last: Sequence[str], game: AnyGame, parameters: Parameters, guests: Guests | None = None
) -> tuple[str, ...]:
    """Return the last match's players if they can play on this board, otherwise those of a first match."""
    if HUMAN in last and min_players(game) <= len(last) <= 2:
        with suppress(InputError):
            return tuple(check_seat(game, parameters, seat, who, guests) for seat, who in enumerate(last))
    return default_seats(game, guests)


def _if_any(of_moves: Iterable[V]) -> tuple[V, ...]:
    known = tuple(of_moves)
    return known if any(known) else ()


class Match(ABC):
    """A match of one game; `new_match` creates a `Duel` or a `Race`.

    After the end, `undo` and `redo` change only the position on view. To continue, use the new match that
    `continued` or `taken_back` returns. Seats, moves and boards are numbered from 0. A seat holds "human",
    an engine's notation such as "fallible:7", or the name of an external player.

    Args:
        start: the first position
        seats: one or two players (default: those of `default_seats`)
        guests: the provider of external players (matchbox machines); required to seat one of them
        seed: the seed of the engines' random choices (default: the seed of `start`, or 0)

    Raises:
        InputError: a player cannot take a seat, or there are too few or too many players
    """

    stakes: ClassVar[str]
    """Words for the cost of a mistake if the value before the mistake is unknown."""
    awaiting: ClassVar[str] = ""
    """Text shown until the solver has found a first verdict or, in a race, a first map."""

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
        self.taught = False
        seated = default_seats(start.game, guests) if seats is None else seats
        self.seats = [
            check_seat(start.game, start.parameters, seat, who, guests) for seat, who in enumerate(seated)
        ]
        lowest = min_players(start.game)
        if not lowest <= len(self.seats) <= 2:
            wanted = "2 players" if lowest == 2 else "1 or 2 players"
            raise InputError(f"A match of {start.game.title} needs {wanted}, not {len(self.seats)}.")
        self.game = start.game
        self.first = start.start()
        self.plies: list[Ply] = []
        self.undone: list[Ply] = []
        """Moves that were taken back. The last one in the list is the next to redo."""
        self._boards = [[self.first] for _ in self.boards]
        self.hints = [0] * len(self.seats)
        self.takebacks = 0
        self.values = 0
        self.coach = Coach.QUIET
        self.resigned: int | None = None
        self.handed_over = False
        """True if the player of a seat has changed since the first move."""
        self.matches_left = 0
        self.winners: list[int | None] = []
        """Winning seats of the finished matches of a series; None for a tie."""
        self.imported = False
        """True for a finished match from outside the arcade. It can be viewed, but is not saved."""
        self._known = self._knowledge()
        self._players: dict[str, Player[Any, Any]] = {}
        self.ending: Result | None = self._ended()
        """The result, even while an earlier position is on view; None before the end."""

    @property
    @abstractmethod
    def boards(self) -> range:
        """The numbers of the boards: one board in a duel, one for each seat in a race."""

    @abstractmethod
    def board_of(self, seat: int) -> int: ...

    @property
    @abstractmethod
    def turn(self) -> int:
        """The seat to move. In a race, this is the unfinished seat with the fewest moves."""

    @abstractmethod
    def main_seat(self, looking: int | None) -> int:
        """Return the seat whose board is the main one: in a duel, the seat to move.

        In a race, it is `looking` if given, otherwise the human's seat. With two humans, it is the seat to
        move. Without a human, it is the seat that moved last.
        """

    @abstractmethod
    def mover(self, position: Position[Any], seat: int) -> int:
        """Return the seat whose turn it is in a position on the board of `seat`."""

    def words(self, move: Any) -> str:
        return self.game.explanations.words_of(move)

    @abstractmethod
    def points(self, position: Position[Any]) -> int | None:
        """Return the score of a position; None in a duel."""

    @abstractmethod
    def place(self, number: int) -> tuple[int, int]:
        """Return the row and the column of a move in the move list."""

    @abstractmethod
    def better_moves(self, position: Position[Any]) -> list[Any]:
        """Return the moves that keep the value (in a race, the best moves), or [] before the analysis."""

    @abstractmethod
    def gives_away(self, move: Any) -> bool:
        """Return whether a legal move is known to give away the win or the tie."""

    @abstractmethod
    def answers(self, number: int) -> Sequence[Ply]:
        """Return the moves after mistake `number` that may have given the value back; none in a race."""

    @abstractmethod
    def coached(self, number: int) -> Sequence[Ply]:
        """Return the moves that need marks before the coach can comment on the player's move `number`."""

    @abstractmethod
    def decisive_mistake(self) -> int | None:
        """Return the number of the move that decided a finished match, or None.

        In a duel, this is the last blunder. In a race, it is the first of the moves that lost the most
        points. The result is None if there is no such move, or if the opponent of the player who made it
        resigned.
        """

    @abstractmethod
    def graph(self, revealed: bool) -> Sequence[ValueRow] | Sequence[ScoreRow]:
        """Return the rows of the value chart. If `revealed` is false, a duel has no rows."""

    @abstractmethod
    def partial_verdict(self, position: Position[Any], control: Control) -> ScoreVerdict | None:
        """Return the bounds that a running search has proved so far; None in a duel."""

    @abstractmethod
    def progress(self, control: Control) -> str:
        """Return the progress of a running search in a few words."""

    @abstractmethod
    def mark_hinted(self) -> None:
        """In a race, mark the last move as taken from a hint."""

    @abstractmethod
    def best_of(self, position: Position[Any]) -> int | None:
        """Return the highest final score known to be reachable from a position; None in a duel."""

    @abstractmethod
    def best_line(self, control: Control) -> list[Any]:
        """Return the moves that lead to the best known map of a race, or [] in a duel."""

    @abstractmethod
    def _knowledge(self) -> MatchAnalysis: ...

    @abstractmethod
    def _result(self) -> Result | None:
        """Return the result on the board, as if no seat had resigned; None before the end."""

    @abstractmethod
    def _scores(self) -> tuple[int, ...]: ...

    @abstractmethod
    def _review(self) -> None:
        """Update the marks after a move or an analysis."""

    @abstractmethod
    def _recall(self) -> None:
        """Restore the analysis from the marks of a saved match."""

    def _board(self, seat: int) -> list[Position[Any]]:
        return self._boards[self.board_of(seat)]

    @property
    def line(self) -> list[Ply]:
        """All moves, including moves that can be redone."""
        return [*self.plies, *reversed(self.undone)]

    @property
    def moves(self) -> MoveList:
        return MoveList(ply.move for ply in self.line)

    @property
    def title(self) -> str:
        return f"{self.game.title} {self.game.parameters.text(self.parameters)}".rstrip()

    @property
    def position(self) -> Position[Any]:
        return self.position_of(self.turn)

    def position_of(self, seat: int) -> Position[Any]:
        return self._board(seat)[-1]

    def before(self, ply: int) -> Position[Any]:
        board = self.board_of(self.plies[ply].seat)
        return self._boards[board][sum(self.board_of(other.seat) == board for other in self.plies[:ply])]

    def last_position(self, seat: int = 0) -> Position[Any]:
        """Return the last position on a seat's board, even while an earlier position is on view."""
        if not self.finished:
            return self.position_of(seat)
        return self.first.after([ply.move for ply in self._on_board(self.line, seat)])

    def last_move(self, seat: int) -> Any:
        return next((ply.move for ply in reversed(self._on_board(self.plies, seat))), None)

    def _on_board(self, plies: Sequence[Ply], seat: int) -> list[Ply]:
        return [ply for ply in plies if self.board_of(ply.seat) == self.board_of(seat)]

    def history(self, seat: int = 0) -> list[Position[Any]]:
        return list(self._board(seat))

    def steps(self) -> Iterator[tuple[Ply, Position[Any]]]:
        """Yield each move of `line` with the position before it."""
        positions = [self.first] * len(self._boards)
        for ply in self.line:
            board = self.board_of(ply.seat)
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
        """The winning side, for example "White"; None for a tie and before the end."""
        if self.ending is None or self.ending.winner is None:
            return None
        return self.game.sides[self.ending.winner]

    @property
    def player_to_move(self) -> str | None:
        """The notation of the player to move; None after the end."""
        return None if self.result else self.seats[self.turn]

    @property
    def watched(self) -> bool:
        return HUMAN not in self.seats

    @property
    def finished(self) -> bool:
        return self.ending is not None

    @property
    def result(self) -> Result | None:
        """The result; None before the end and while an earlier position is on view."""
        return None if self.undone else self.ending

    def _ended(self) -> Result | None:
        if self.resigned is not None:
            other = 1 - self.resigned if len(self.seats) == 2 else None
            return Result(other, f"{self.game.sides[self.resigned]} resigned", self._scores())
        return self._result()

    def play(self, move: Any, by: str | None = None) -> None:
        """Play a move for the seat to move, and clear `undone`.

        `by` is the player who made the move (default: the player in the seat). Raises ValueError if the move
        is illegal or the match is over.
        """
        self._refuse_finished()
        turn = self.turn
        self._push(Ply(turn, move, by or self.seats[turn]))
        self.undone.clear()
        self._end()

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
        """Return a copy that another thread can read while this match changes."""
        copied = copy.copy(self)
        copied._boards = [list(board) for board in self._boards]
        copied.plies = [replace(ply) for ply in self.plies]
        copied.undone = [replace(ply) for ply in self.undone]
        copied.seats, copied.hints = list(self.seats), list(self.hints)
        return copied

    def continued(self) -> Self:
        """Return the match in which to continue: a new match if this one is finished, otherwise this one."""
        if not self.finished:
            return self
        branch = self.copied()
        branch.undone = []
        if not self.plies:
            branch.hints, branch.takebacks, branch.values = [0] * len(self.seats), 0, 0
            branch.coach, branch.handed_over = Coach.QUIET, False
        branch.taught = self.taught and bool(self.plies)
        branch.resigned, branch.imported = None, False
        branch.matches_left, branch.winners = 0, []
        branch.ending = branch._ended()
        return branch

    def taken_back(self) -> Self | None:
        """Take back the resignation or the last move. Return the match in which to continue, if any."""
        if self.result and self.resigned is not None:
            return self.continued()
        return self.continued() if self.undo() else None

    def resign(self, seat: int) -> None:
        """End the match in favour of the other seat, and clear `undone`.

        Raises ValueError if the match is over.
        """
        self._refuse_finished()
        self.undone.clear()
        self.resigned = seat
        self._end()

    def _end(self) -> None:
        self.ending = self._ended()
        if self.ending is not None:
            self.winners.append(self.ending.winner)
        self._review()

    def set_player(self, seat: int, who: str) -> None:
        """Change a seat's player. Raises InputError if the player cannot play, ValueError after the end."""
        self._refuse_finished()
        seated = check_seat(self.game, self.parameters, seat, who, self.guests)
        if seated == current_notation(self.game, self.seats[seat]):
            return
        # The player may have seen the values of the moves while an engine had the seat.
        self.handed_over |= bool(self.line)
        self.seats[seat] = seated

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each move; empty if no seat has changed its player."""
        plies = self.line
        changed = self.handed_over or any(ply.by != self.seats[ply.seat] for ply in plies)
        return tuple(ply.by for ply in plies) if changed else ()

    def note_unseen(self) -> None:
        """Note that the moves so far come from a file or a typed list."""
        self.imported = self.finished
        for ply in (*self.plies, *self.undone):
            ply.by = UNSEEN

    def count_hint(self) -> None:
        if not self.finished:
            self.hints[self.turn] += 1

    def count_values(self) -> None:
        if not self.finished and not self.watched:
            self.values += 1

    def note_coach(self, coach: Coach) -> None:
        """Record a coach setting if it shows more than all earlier settings."""
        if not self.finished:
            self.coach = max(self.coach, coach, key=list(Coach).index)

    def guest(self, seat: int) -> str | None:
        who = self.seats[seat]
        return who if who != HUMAN and is_guest(self.game, who) else None

    def drawn(self, number: int) -> bool:
        ply = self.plies[number]
        return ply.by == self.guest(ply.seat)

    def player(self) -> Player[Any, Any]:
        """Return the engine or external player to move. A machine is returned in its latest trained state.

        Raises InputError if the external player no longer exists.
        """
        name = self.guest(self.turn)
        if name is not None and self.guests is not None:
            return self.guests.invite(name, self.game, self.parameters, self.turn)
        who = self.seats[self.turn]
        if who not in self._players:
            self._players[who] = make_player(self.game, who)
        return self._players[who]

    def move_seconds(self) -> float | None:
        """Return the time limit in seconds for the engine to move; None for no limit."""
        who = self.seats[self.turn]
        own = None if is_guest(self.game, who) else parse_player(self.game, who)[0].seconds
        return self.game.players.seconds if own is None else own

    def rng(self) -> random.Random:
        """Return a random number generator that depends only on the seed and the number of plies."""
        return random.Random(f"{self.seed}/{len(self.plies)}")

    def learn(self, position: Position[Any], analysis: list[MoveVerdict[Any]]) -> None:
        self._known.analyses[position] = analysis
        for number in range(len(self.plies)):
            if self.before(number) == position:
                self._annotate(number)
        self._review()

    def record_verdict(self, position: Position[Any], verdict: Verdict) -> None:
        self._known.verdicts[position] = verdict

    def verdict_of(self, position: Position[Any]) -> Verdict | None:
        return self._known.verdicts.get(position)

    def analysis(self, position: Position[Any]) -> list[MoveVerdict[Any]] | None:
        return self._known.analyses.get(position)

    def _annotate(self, number: int) -> None:
        self._known.annotate(self.plies[number], self.before(number))

    def _decided(self, number: int | None) -> int | None:
        if number is None or not self.finished or self.resigned not in (None, self.line[number].seat):
            return None
        return number

    def value_before(self, number: int) -> Value | None:
        """Return the proven value of the position before a move; None if unknown or in a race."""
        analysis = self.analysis(list(self.steps())[number][1])
        return None if not analysis else max(analysis, key=lambda move: move.verdict.preference).verdict.value

    def __str__(self) -> str:
        moves = MoveList(ply.move for ply in self.plies)
        return f"{self.start}\nseats: {', '.join(self.seats)}\nmoves: {moves}"

    def record(self) -> MatchRecord:
        """Return the match as plain data. If the match is finished, all its moves count as played."""
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
            squares=_if_any(ply.squares for ply in plies),
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

    @staticmethod
    def from_record(record: MatchRecord, guests: Guests | None = None) -> Match:
        """Restore a match from a record by replaying every move. Its machines need not exist any more.

        Raises InputError if a part of the record is invalid. The message names this part.
        """
        # Older versions kept taken-back moves in a match that ended by resignation.
        count = len(record.moves) if record.result is None else record.played
        try:
            start = parse_game_id(record.start)
            unknown = [guests is not None and is_guest(start.game, who) for who in record.seats]
            known = [HUMAN if each else who for who, each in zip(record.seats, unknown, strict=True)]
            match = new_match(start, known, guests, record.seed)
            for seat, who in enumerate(record.seats):
                # Keep a player's old name.
                if who.partition(":")[0] != match.seats[seat].partition(":")[0]:
                    match.seats[seat] = who
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
                ply.squares = record.squares[number] if record.squares else ()
                ply.lost = record.lost[number] if record.lost else 0
                ply.by = record.players[number] if record.players else record.seats[ply.seat]
            match._recall()
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
            raise InputError("The match is damaged: its moves lead to another result.")
        if record.scores and (ended is None or ended.scores != record.scores):
            raise InputError("The match is damaged: its moves lead to other scores.")
        return match


class Duel(Match):
    stakes = "the win or the tie"

    @property
    def boards(self) -> range:
        return range(1)

    def board_of(self, seat: int) -> int:
        return 0

    @property
    def turn(self) -> int:
        return self.position_of(0).turn

    def main_seat(self, looking: int | None) -> int:
        return self.turn

    def mover(self, position: Position[Any], seat: int) -> int:
        return position.turn

    def points(self, position: Position[Any]) -> None:
        return None

    def place(self, number: int) -> tuple[int, int]:
        return divmod(number + self.first.turn, 2)

    def better_moves(self, position: Position[Any]) -> list[Any]:
        return value_keeping_moves(self.analysis(position) or [])

    def gives_away(self, move: Any) -> bool:
        better = self.better_moves(self.position)
        return bool(better) and move not in better

    def answers(self, number: int) -> Sequence[Ply]:
        return self.plies[number + 1 :]

    def coached(self, number: int) -> Sequence[Ply]:
        return self.plies[number:]

    def decisive_mistake(self) -> int | None:
        thrown = [number for number, ply in enumerate(self.line) if ply.mark is Mark.BLUNDER]
        return self._decided(thrown[-1] if thrown else None)

    def graph(self, revealed: bool) -> Sequence[ValueRow]:
        if not revealed:
            return ()
        analyses = [self.analysis(self.before(number)) for number in range(len(self.plies))]
        return [
            ValueRow(
                number=number,
                move=self.words(ply.move),
                latest=number == len(self.plies),
                seat=ply.seat,
                played=ply.move,
                verdicts=tuple(analysis or ()),
            )
            for number, (ply, analysis) in enumerate(zip(self.plies, analyses, strict=True), 1)
        ]

    def partial_verdict(self, position: Position[Any], control: Control) -> None:
        return None

    def progress(self, control: Control) -> str:
        return self.game.solver.progress(control)

    def mark_hinted(self) -> None:
        """Do nothing: a duel marks every move by its own value."""

    def best_of(self, position: Position[Any]) -> None:
        return None

    def best_line(self, control: Control) -> list[Any]:
        return []

    def _knowledge(self) -> DuelKnowledge:
        return DuelKnowledge()

    def _result(self) -> Result | None:
        outcome = self._boards[0][-1].outcome()
        if outcome is None:
            return None
        return Result(outcome.winner, outcome.reason, addressed=outcome.addressed)

    def _scores(self) -> tuple[int, ...]:
        return ()

    def _review(self) -> None:
        """Do nothing: a mark depends only on the position before the move."""

    def _recall(self) -> None:
        """Do nothing: the marks of a duel need no further data."""


class Race(Match):
    game: RaceGame[Any, Any]
    stakes = "points"
    awaiting = "Analysing the map."
    _known: RaceKnowledge

    @property
    def boards(self) -> range:
        return range(len(self.seats))

    def board_of(self, seat: int) -> int:
        return seat

    @property
    def turn(self) -> int:
        going = [seat for seat, board in enumerate(self._boards) if board[-1].outcome() is None]
        return min(going or [0], key=lambda seat: len(self._boards[seat]))

    def main_seat(self, looking: int | None) -> int:
        if looking is not None and looking < len(self.seats):
            return looking
        if self.player_to_move == HUMAN:
            return self.turn
        if HUMAN in self.seats:
            return self.seats.index(HUMAN)
        return self.plies[-1].seat if self.plies else self.turn

    def mover(self, position: Position[Any], seat: int) -> int:
        return seat

    def points(self, position: Position[Any]) -> int:
        return self.game.points(position)

    def place(self, number: int) -> tuple[int, int]:
        line = self.line
        seat = line[number].seat
        return sum(ply.seat == seat for ply in line[:number]), seat

    def better_moves(self, position: Position[Any]) -> list[Any]:
        return [known.move for known in self.analysis(position) or () if known.best]

    def gives_away(self, move: Any) -> bool:
        return False

    def answers(self, number: int) -> Sequence[Ply]:
        return ()

    def coached(self, number: int) -> Sequence[Ply]:
        return ()

    def decisive_mistake(self) -> int | None:
        wrong = [number for number, ply in enumerate(self.line) if ply.mark and ply.mark.bad]
        return self._decided(max(wrong, key=lambda number: self.line[number].lost, default=None))

    def graph(self, revealed: bool) -> Sequence[ScoreRow]:
        scores = [self.points(self.first) for _ in self.seats]
        counted = [0 for _ in self.seats]
        rows = []
        for number, ply in enumerate(self.plies):
            counted[ply.seat] += 1
            scores[ply.seat] = self.points(self._boards[ply.seat][counted[ply.seat]])
            best = self.best_of(self.before(number)) if revealed else None
            latest = number == len(self.plies) - 1
            rows.append(ScoreRow(number + 1, str(ply.move), latest, ply.seat, tuple(scores), best))
        return rows

    def partial_verdict(self, position: Position[Any], control: Control) -> ScoreVerdict | None:
        best, bound = int(control.cells[BEST]), int(control.cells[BOUND])
        if not bound:
            return None
        proof = Proof.EXACT if best == bound else Proof.BOUND
        return ScoreVerdict(proof, best, bound, self.points(position))

    def progress(self, control: Control) -> str:
        return f"{control.nodes:,} tried"

    def mark_hinted(self) -> None:
        self.plies[-1].mark = Mark.HINTED

    def record_verdict(self, position: Position[Any], verdict: Verdict) -> None:
        super().record_verdict(position, verdict)
        for number in range(len(self.plies)):
            self._annotate(number)
        self._review()

    def best_of(self, position: Position[Any]) -> int | None:
        return self._known.best_of(position)

    def best_line(self, control: Control) -> list[Any]:
        made = [[ply.move for ply in self._on_board(self.line, seat)] for seat in range(len(self.seats))]
        found = list(self.game.solver.line(self.first, control))
        return max([found, *made], key=lambda line: self.game.points(self.first.after(line)) or 0)

    def _knowledge(self) -> RaceKnowledge:
        return RaceKnowledge(self.game)

    def _result(self) -> Result | None:
        outcomes = [board[-1].outcome() for board in self._boards]
        last = outcomes[0]
        if last is None or None in outcomes:
            return None
        scores = self._scores()
        decided = len(scores) == 2 and scores[0] != scores[1]
        return Result(scores.index(max(scores)) if decided else None, last.reason, scores)

    def _scores(self) -> tuple[int, ...]:
        outcomes = [board[-1].outcome() for board in self._boards]
        return tuple(outcome.score or 0 if outcome else 0 for outcome in outcomes)

    def _review(self) -> None:
        self._known.review(list(self.steps()), self.finished)

    def _recall(self) -> None:
        self._known.recall(list(self.steps()))


def new_match(
    start: GameID,
    seats: Iterable[str] | None = None,
    guests: Guests | None = None,
    seed: int | None = None,
) -> Match:
    """Create a race or a duel, with the arguments and errors of `Match`."""
    kind = Race if isinstance(start.game, RaceGame) else Duel
    return kind(start, seats, guests, seed)
