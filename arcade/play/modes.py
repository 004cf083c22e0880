"""The modes of a session: what is on the board, and what a move, a step and Escape mean there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arcade.engines.position import Position
from arcade.play.engine import SPEEDS
from arcade.play.hints import STEPS
from arcade.play.jobs import Changed
from arcade.play.keys import key_of
from arcade.play.match import HUMAN, Match
from arcade.play.mistakes import reason_told
from arcade.store.record import Coach

if TYPE_CHECKING:
    from arcade.play.session import Session

OVER = "The match is over."
NOT_YOUR_TURN = "It is not your turn."
GAME_OVER_HERE = "The game is over here. Go back to an earlier position first."


def what_next() -> str:
    return f"{OVER} {key_of('again')} plays it again, {key_of('new')} begins another."


Offers = Sequence[tuple[str, str]]
"""Names of actions, and what they are called where they are offered."""

WAITING: Offers = (("pause", "play on"), ("forward", "one move"))
NEXT_MISTAKE = ("review", "next mistake")
RUNNING: Offers = (("pause", "pause"), ("slower", "slower"), ("faster", "faster"))


class MatchMode:
    """A state of a session; when another one begins it is replaced."""

    paused = True
    replaying = False
    question: int | None = None
    """The number of the mistake, counted from 0, that a better move is asked for."""
    tried: Sequence[Any] = ()
    walked = 0
    """How many moves of a hint's line are on the board."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def revealed(self) -> bool:
        """Whether verdicts, marks and the graph may be seen."""
        return True

    @property
    def offers(self) -> Offers:
        return ()

    @property
    def branch(self) -> Position[Any]:
        """The position in which a move would be played."""
        return self.match.position

    @property
    def position(self) -> Position[Any]:
        return self.branch

    @property
    @abstractmethod
    def move_refusal(self) -> str | None:
        """Why no person may move now, as a sentence; None when one may."""

    @abstractmethod
    def play(self, move: Any) -> None:
        """Raises ValueError for an illegal move."""

    def can_step(self, by: int) -> bool:
        match = self.match
        if self.session.hints.whole:
            return by > 0
        if by < 0:
            return bool(match.plies)
        return bool(match.undone) or match.to_move not in (HUMAN, None)

    def step(self, by: int) -> None:
        """One move forward or back: along a hint's line, along what was played, or by an engine."""
        session = self.session
        if session.hints.whole:
            session.mode = WalkingLine(session, self)
            session.tell(Changed())
        elif by < 0 or self.match.undone:
            session.go_to(len(self.match.plies) + by)
        else:
            self.paused = True
            session.stop()
            session.engine.think(0.0)

    @property
    def can_escape(self) -> bool:
        return self.session.hints.hint is not None

    def escape(self) -> None:
        if self.session.hints.hint is not None:
            self.session.hints.drop()
            self.session.tell(Changed())
        else:
            self.leave()

    def leave(self) -> None:
        """Go back to the match."""


class Going(MatchMode):
    def __init__(self, session: Session, paused: bool) -> None:
        super().__init__(session)
        self.paused = paused

    @property
    def move_refusal(self) -> str | None:
        if self.match.to_move == HUMAN:
            return None
        return (
            f"{NOT_YOUR_TURN[:-1]}; {key_of('pause')} lets the engine play on."
            if self.paused
            else NOT_YOUR_TURN
        )

    def play(self, move: Any) -> None:
        self.session.make(move)


class Playing(Going):
    @property
    def revealed(self) -> bool:
        return self.session.services.settings.coach is Coach.OPEN

    @property
    def offers(self) -> Offers:
        return WAITING if self.paused and self.match.to_move != HUMAN else ()


class Watching(Going):
    @property
    def offers(self) -> Offers:
        return WAITING if self.paused else RUNNING


class LookingBack(MatchMode):
    """A finished match, at any of its positions; a move is tried out and leaves the match as it is."""

    @property
    def offers(self) -> Offers:
        if self.match.result:
            return (("new", "new"), ("back", "look back"))
        return (("back", "back"), ("forward", "on"), NEXT_MISTAKE, ("pause", "play on"))

    @property
    def move_refusal(self) -> str | None:
        if self.branch.outcome() is None:
            return None
        return what_next() if self.match.result else GAME_OVER_HERE

    def play(self, move: Any) -> None:
        self.branch.play(move)
        self.session.show(TryingOut(self.session, [*self.tried, move]))


class Replaying(LookingBack):
    offers = RUNNING
    replaying = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        session.engine.put_off(SPEEDS[session.speed], self._show_next)

    def _show_next(self) -> None:
        session = self.session
        session.go_to(len(self.match.plies) + 1)
        if self.match.undone:
            session.mode = Replaying(session)
            session.tell(Changed())


class TryingOut(LookingBack):
    offers = (("back", "back"), NEXT_MISTAKE, ("pause", "play"), ("put_away", "match"))
    can_escape = True

    def __init__(self, session: Session, tried: Sequence[Any]) -> None:
        super().__init__(session)
        self.tried = tried

    @property
    def branch(self) -> Position[Any]:
        return self.match.position.after(self.tried)

    def can_step(self, by: int) -> bool:
        return super().can_step(by) or (by < 0 and not self.session.hints.whole)

    def step(self, by: int) -> None:
        if by < 0 and not self.session.hints.whole:
            self.session.do("undo")
        else:
            super().step(by)

    def leave(self) -> None:
        self.session.moved(save=False)


class FindingBetter(LookingBack):
    offers = (("hint", "hint"), ("put_away", "answer"), NEXT_MISTAKE)
    can_escape = True
    revealed = False
    question: int

    def __init__(self, session: Session, question: int) -> None:
        super().__init__(session)
        self.question = question

    def play(self, move: Any) -> None:
        session, match, position = self.session, self.match, self.branch
        position.play(move)
        if match.analysis(position) is None:
            session.say("The solver is still looking at this position. Try again in a moment.", "warning")
        elif move in match.better_moves(position):
            played = match.line[self.question]
            reason = f" After {played.move}: {reason_told(match, played)}" if played.reason else ""
            session.say(f"Yes, {move} is better.{reason}")
            super().play(move)
        else:
            session.say(f"{move} is no better. Try another move.")

    def leave(self) -> None:
        session = self.session
        session.moved(save=False)
        session.hints.ask()
        session.hints.step = STEPS
        session.tell(Changed())


class WalkingLine(MatchMode):
    """Moves of a hint's line are on the board; `under` is the mode that goes on when they are taken off."""

    offers = (("back", "back"), ("forward", "on"), ("put_away", "to the match"))
    can_escape = True
    move_refusal = "The board shows the moves of a hint: go back to your match first."

    def __init__(self, session: Session, under: MatchMode) -> None:
        super().__init__(session)
        self.under = under
        self.walked = 1
        self.paused, self.replaying = under.paused, under.replaying
        self.question, self.tried = under.question, under.tried

    @property
    def line(self) -> Sequence[Any]:
        hint = self.session.hints.hint
        return hint.line if hint is not None else ()

    @property
    def revealed(self) -> bool:
        return self.under.revealed

    @property
    def branch(self) -> Position[Any]:
        return self.under.branch

    @property
    def position(self) -> Position[Any]:
        return self.branch.after(self.line[: self.walked])

    def play(self, move: Any) -> None:
        self.escape()

    def can_step(self, by: int) -> bool:
        return self.walked + by <= len(self.line)

    def step(self, by: int) -> None:
        self.walked += by
        if self.walked:
            self.session.tell(Changed())
        else:
            self.escape()

    def escape(self) -> None:
        self.session.mode = self.under
        self.session.tell(Changed())
