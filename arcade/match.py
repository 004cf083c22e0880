"""A match: seats, history, undo and redo, hints used and what each move was worth. Knows no screen."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arcade.engines.game import InputError, Kind, Outcome, Parameters, Position, Termination
from arcade.engines.players import Guests, Player, is_guest, make_player, parse_player
from arcade.engines.registry import AnyGame, GameID, parse_game_id
from arcade.engines.verdict import MoveVerdict, Value, Verdict, keeps_value, only_move

HUMAN = "human"
"""The seat notation of a person."""


class Mark(StrEnum):
    """What a move was worth."""

    ONLY = "only move"
    KEPT = "kept the value"
    THREW = "threw it away"


@dataclass(slots=True)
class Ply:
    """A move that was played, by whom, and what it was worth once that is known."""

    seat: int
    move: Any
    mark: Mark | None = None
    verdict: Verdict | None = None
    """The move's verdict as its mover sees it."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    winner: int | None
    """The winning seat; None for a tie, or a race with one seat."""
    termination: Termination
    scores: tuple[int, ...] = ()
    """The final score of each seat of a race."""

    @property
    def value(self) -> Value:
        """The result as the first seat sees it."""
        if self.winner is None:
            return Value.TIE
        return Value.LOSS if self.winner else Value.WIN


def check_seat(
    game: AnyGame, parameters: Parameters, seat: int, who: str, guests: Guests | None = None
) -> str:
    """A seat notation in its full form, e.g. "fallible:5" for "fallible".

    Args:
        game: the game.
        parameters: what it is played with.
        seat: 0 for the first player, 1 for the second.
        who: "human", an engine's notation or the name of a guest.
        guests: who is there besides the game's own players.

    Raises:
        InputError: nobody of that name can sit down there.
    """
    if who == HUMAN:
        return who
    if guests is not None and is_guest(game, who):
        guests.check(who, game, parameters, seat)
        return who
    kind, argument = parse_player(game, who)
    return kind.name if kind.argument is None else f"{kind.name}:{argument}"


def default_seats(game: AnyGame, guests: Guests | None = None) -> tuple[str, str]:
    """Who sits where in a match when nobody says."""
    return (guests is not None and game.guest_seats) or (HUMAN, game.best_player)


class Match:
    """A match of one game.

    A duel has one position for two seats. A race has a position for each of one or two seats, which lay
    their moves in turn, each on its own.

    Args:
        start: which game, parameters, first position and seed.
        seats: who sits where: "human", an engine's notation such as "fallible:7", or a guest's name; by
            default a person against the game's best engine.
        guests: who can sit down besides the game's own players; may be given later, but before such a
            seat is taken.
        seed: of the engines' choices, where the start has none.

    Raises:
        InputError: a seat cannot be taken, or there are too many or too few.
    """

    def __init__(
        self,
        start: GameID,
        seats: Iterable[str] | None = None,
        guests: Guests | None = None,
        seed: int = 0,
    ) -> None:
        self.start = start
        self.game = start.game
        self.guests = guests
        self.seed = seed if start.seed is None else start.seed
        """The seed of the engines' choices; that of the game's chance, where it has any, is the start's."""
        self.taught = False
        """Whether the guests that learn have learned from this match."""
        seated = default_seats(self.game, guests) if seats is None else seats
        self.seats = [self._check(seat, who) for seat, who in enumerate(seated)]
        lowest = 1 if self.game.kind is Kind.RACE else 2
        if not lowest <= len(self.seats) <= 2:
            raise InputError(f"A match of {self.game.title} has {lowest} to 2 seats, not {len(self.seats)}.")
        self.hints = [0] * len(self.seats)
        self.resigned: int | None = None
        self._first: Position[Any] = start.start()
        self._lines: list[list[Position[Any]]] = [[self._first] for _ in range(self._boards)]
        self._played: list[Ply] = []
        self._undone: list[Ply] = []
        self._analyses: dict[Position[Any], list[MoveVerdict[Any]]] = {}
        self._proved: dict[Position[Any], Verdict] = {}

    @property
    def _boards(self) -> int:
        return len(self.seats) if self.game.kind is Kind.RACE else 1

    @property
    def parameters(self) -> Parameters:
        """What the game was started with."""
        return self.start.parameters

    @property
    def first(self) -> Position[Any]:
        """The position that the match started from."""
        return self._first

    @property
    def plies(self) -> list[Ply]:
        """The moves played so far."""
        return self._played

    @property
    def undone(self) -> list[Ply]:
        """The moves that can be redone, the next one last."""
        return self._undone

    @property
    def turn(self) -> int:
        """The seat to move; in a race the one that has moved least."""
        if self.game.kind is Kind.DUEL:
            return self.position_of(0).turn
        going = [seat for seat in range(len(self.seats)) if self._lines[seat][-1].outcome() is None]
        return min(going or [0], key=lambda seat: len(self._lines[seat]))

    @property
    def position(self) -> Position[Any]:
        """The position that the seat to move faces."""
        return self.position_of(self.turn)

    def position_of(self, seat: int) -> Position[Any]:
        """The position that a seat sees."""
        return self._lines[seat if self.game.kind is Kind.RACE else 0][-1]

    def before(self, ply: int) -> Position[Any]:
        """The position in which move number `ply`, counted from 0, was played."""
        if self.game.kind is Kind.DUEL:
            return self._lines[0][ply]
        seat = self._played[ply].seat
        return self._lines[seat][sum(each.seat == seat for each in self._played[:ply])]

    def history(self, seat: int = 0) -> list[Position[Any]]:
        """The positions that a seat has seen, the first one first."""
        return list(self._lines[seat if self.game.kind is Kind.RACE else 0])

    @property
    def to_move(self) -> str | None:
        """The notation of who moves now; None when the match is over."""
        return None if self.result else self.seats[self.turn]

    @property
    def watched(self) -> bool:
        """Whether no person takes part."""
        return HUMAN not in self.seats

    @property
    def result(self) -> Result | None:
        """How the match ended, or None while it goes on."""
        if self.resigned is not None:
            other = 1 - self.resigned if len(self.seats) == 2 else None
            return Result(other, Termination.RESIGNED, self._scores())
        outcomes = [line[-1].outcome() for line in self._lines]
        if any(outcome is None for outcome in outcomes):
            return None
        last = outcomes[0]
        assert isinstance(last, Outcome)
        if self.game.kind is Kind.DUEL:
            return Result(last.winner, last.termination)
        scores = self._scores()
        winner = None
        if len(scores) == 2 and scores[0] != scores[1]:
            winner = 0 if scores[0] > scores[1] else 1
        return Result(winner, last.termination, scores)

    def _scores(self) -> tuple[int, ...]:
        if self.game.kind is Kind.DUEL:
            return ()
        outcomes = [line[-1].outcome() for line in self._lines]
        return tuple(outcome.score or 0 if outcome else 0 for outcome in outcomes)

    def play(self, move: Any) -> None:
        """Play a move for the seat whose turn it is; moves that were taken back are forgotten.

        Raises:
            ValueError: the match is over or the move is not legal; the message is a sentence.
        """
        if self.result:
            raise ValueError("The match is over.")
        self._push(Ply(self.turn, move))
        self._undone.clear()

    def _push(self, ply: Ply) -> None:
        line = self._lines[ply.seat if self.game.kind is Kind.RACE else 0]
        line.append(line[-1].play(ply.move))
        self._played.append(ply)
        self._annotate(len(self._played) - 1)

    def undo(self) -> bool:
        """Take back a resignation, or else the last move; False when there is nothing to take back."""
        if self.resigned is not None:
            self.resigned = None
            return True
        if not self._played:
            return False
        ply = self._played.pop()
        self._lines[ply.seat if self.game.kind is Kind.RACE else 0].pop()
        self._undone.append(ply)
        return True

    def redo(self) -> bool:
        """Play the move that was taken back last; False when there is none."""
        if not self._undone or self.resigned is not None:
            return False
        self._push(self._undone.pop())
        return True

    def restart(self) -> None:
        """Back to the first position; redo leads forward again."""
        while self.undo():
            pass

    def resign(self, seat: int) -> None:
        """End the match in favour of the other seat.

        Raises:
            ValueError: the match is over already.
        """
        if self.result:
            raise ValueError("The match is over.")
        self.resigned = seat

    def sit(self, seat: int, who: str) -> None:
        """Change who plays a seat, at any time.

        Raises:
            InputError: nobody of that name can sit down at this game.
        """
        self.seats[seat] = self._check(seat, who)

    def _check(self, seat: int, who: str) -> str:
        return check_seat(self.game, self.parameters, seat, who, self.guests)

    def guest(self, seat: int) -> str | None:
        """The name of the guest in a seat; None when somebody else sits there."""
        who = self.seats[seat]
        return who if who != HUMAN and is_guest(self.game, who) else None

    def player(self) -> Player[Any, Any]:
        """The engine whose turn it is.

        Raises:
            InputError: a guest who is not there any more.
        """
        name = self.guest(self.turn)
        if name is not None and self.guests is not None:
            return self.guests.invite(name, self.game, self.parameters, self.turn)
        return make_player(self.game, self.seats[self.turn])

    def rng(self) -> random.Random:
        """The chance of the move to come: the same seed and number of plies, the same draws."""
        return random.Random(f"{self.seed}/{len(self._played)}")

    def learn(self, position: Position[Any], analysis: list[MoveVerdict[Any]]) -> None:
        """Take in a solver's analysis of a position; moves played from it get their marks."""
        self._analyses[position] = analysis
        for number in range(len(self._played)):
            if self.before(number) == position:
                self._annotate(number)

    def prove(self, position: Position[Any], verdict: Verdict) -> None:
        """Take in what is proved of a position of a race: the move that led there may get its mark by it."""
        if self.game.kind is Kind.RACE:
            self._proved[position] = verdict
            for number in range(len(self._played)):
                self._annotate(number)

    def analysis(self, position: Position[Any]) -> list[MoveVerdict[Any]] | None:
        """What `learn` was told of a position."""
        return self._analyses.get(position)

    def _annotate(self, number: int) -> None:
        ply, before = self._played[number], self.before(number)
        analysis = self._analyses.get(before)
        if analysis is not None:
            ply.verdict = next(each.verdict for each in analysis if each.move == ply.move)
        if self.game.kind is Kind.RACE:
            ply.mark = self._race_mark(ply, before)
        elif analysis is not None:
            ply.mark = self._duel_mark(ply, analysis)

    @staticmethod
    def _duel_mark(ply: Ply, analysis: list[MoveVerdict[Any]]) -> Mark | None:
        if any(each.verdict.value is None and each.verdict.best is None for each in analysis):
            won = ply.verdict is not None and ply.verdict.value is Value.WIN
            return Mark.KEPT if won else None
        if ply.move not in keeps_value(analysis):
            return Mark.THREW
        return Mark.ONLY if ply.move == only_move(analysis) else Mark.KEPT

    def _race_mark(self, ply: Ply, before: Position[Any]) -> Mark | None:
        """A mark only where it is sure: the move keeps the best score known, or provably loses points."""
        best = self.best_of(before)
        known = [each for each in (ply.verdict, self._proved.get(before.play(ply.move))) if each is not None]
        if best is None or not known:
            # Nothing is known again of a saved match: its marks stand.
            return ply.mark
        if ply.mark is Mark.THREW or any(each.bound is not None and each.bound < best for each in known):
            return Mark.THREW
        return Mark.KEPT if any(each.best is not None and each.best >= best for each in known) else None

    def best_of(self, position: Position[Any]) -> int | None:
        """The highest final score of a race known to be within reach of a position."""
        known = [each.verdict for each in self._analyses.get(position) or []]
        if position in self._proved:
            known.append(self._proved[position])
        return max((each.best for each in known if each.best is not None), default=None)

    def describe_result(self, to_person: bool = False) -> str:
        """The result as a sentence; empty while the match goes on.

        Args:
            to_person: whether to speak to the person at the board, if there is only one.
        """
        result = self.result
        if result is None:
            return ""
        if result.scores and len(result.scores) == 1:
            return f"The map scores {result.scores[0]}."
        reason = result.termination.value
        if result.scores and result.termination is not Termination.RESIGNED:
            reason = f"{max(result.scores)} to {min(result.scores)}"
        if result.winner is None:
            return f"A tie: {reason}."
        if result.termination is Termination.RESIGNED:
            reason = f"{self.game.sides[1 - result.winner]} resigned"
        if to_person and self.seats.count(HUMAN) == 1:
            return f"You {'win' if self.seats[result.winner] == HUMAN else 'lose'}: {reason}."
        return f"{self.game.sides[result.winner]} wins: {reason}."

    def text(self) -> str:
        """The match as text: its ID, seats, moves and result."""
        moves = " ".join(str(ply.move) for ply in self._played)
        seats = ", ".join(self.seats)
        return "\n".join(
            filter(None, [str(self.start), f"seats: {seats}", f"moves: {moves}", self.describe_result()])
        )

    def record(self) -> dict[str, Any]:
        """The match as plain data: start, seats and move notations, so that it can be replayed."""
        plies = [*self._played, *reversed(self._undone)]
        return {
            "game": self.game.name,
            "start": str(self.start),
            "seed": self.seed,
            "taught": self.taught,
            "seats": list(self.seats),
            "moves": [str(ply.move) for ply in plies],
            "marks": [ply.mark.value if ply.mark else "" for ply in plies],
            "played": len(self._played),
            "hints": list(self.hints),
            "resigned": self.resigned,
            "result": self.result.value.value if self.result else None,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], guests: Guests | None = None) -> Match:
        """Replay what `record` wrote, checking every move.

        Guests are not asked for here: the match can be looked at when one of them has gone.

        Raises:
            InputError: something in the record is missing or wrong.
        """
        record = _LATER | dict(record)
        for name, (kind, item) in _RECORD.items():
            value = record.get(name)
            if not isinstance(value, kind) or (
                isinstance(value, list) and any(type(each) is not item for each in value)
            ):
                raise InputError(f"The saved match is damaged: its {name!r} is {value!r}.")
        try:
            start = parse_game_id(record["start"])
            unknown = [guests is not None and is_guest(start.game, who) for who in record["seats"]]
            known = [HUMAN if each else who for who, each in zip(record["seats"], unknown, strict=True)]
            match = cls(start, known, guests, record["seed"])
            for seat, each in enumerate(unknown):
                if each:
                    match.seats[seat] = record["seats"][seat]
            for word in record["moves"]:
                match.play(match.game.parse_move(word, match.position))
            for ply, mark in zip(match.plies, record["marks"], strict=True):
                ply.mark = Mark(mark) if mark else None
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"The saved match cannot be replayed: {str(error).rstrip('.')}.") from error
        for _ in range(len(match.plies) - record["played"]):
            match.undo()
        match.hints = (record["hints"] + [0, 0])[: len(match.seats)]
        match.resigned = record["resigned"]
        match.taught = record["taught"]
        return match


_LATER: dict[str, Any] = {"seed": 0, "taught": False}
"""What records of the first version do not have."""

_RECORD: dict[str, tuple[Any, type]] = {
    "start": (str, str),
    "seed": (int, int),
    "taught": (bool, bool),
    "seats": (list, str),
    "moves": (list, str),
    "marks": (list, str),
    "played": (int, int),
    "hints": (list, int),
    "resigned": (int | None, int),
}
"""The keys of a record with their types and, for lists, the type of what is in them."""
