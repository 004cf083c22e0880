"""The checker of certificates: it knows the rules and no solver. docs/verify.md says why it proves claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arcade.engines.control import NODES, Control
from arcade.engines.game import HasLimit
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame
from arcade.engines.verdict import Value
from arcade.evidence.claims import Certificate, Claim, ScoreClaim

_ORDER = (Value.LOSS, Value.TIE, Value.WIN)


@dataclass
class Tally:
    """What a check has found."""

    trouble: str = ""
    """A sentence on a claim that does not hold; empty if there is none."""
    positions: int = 0
    open: int = 0
    """Positions that the certificate leaves open."""
    unfinished: bool = False

    @property
    def agrees(self) -> bool | None:
        """Whether every claim holds; None if nothing differs in the part that was checked."""
        return False if self.trouble else None if self.open or self.unfinished else True


def check(certificate: Certificate, control: Control) -> Tally:
    """Check the claims of a certificate; NODES of the control counts the moves played."""
    tally, before = Tally(), control.nodes
    try:
        for claim in certificate.claims:
            checking = _Checking(certificate.parsed.game, claim, control)
            tally.trouble = tally.trouble or checking.trouble(certificate.start)
            tally.open += len(checking.opened)
    except (TimeoutError, RecursionError):
        tally.unfinished = True
    except ValueError as error:
        tally.trouble = f"A move of the certificate cannot be played: {error}"
    tally.positions = control.nodes - before
    return tally


class _Checking:
    def __init__(self, game: AnyGame, claim: Claim | ScoreClaim, control: Control) -> None:
        self.game, self.claim, self.control = game, claim, control
        self.memo, self.opened = dict[tuple[Position[Any], int | None], bool](), set[Position[Any]]()

    def play(self, position: Position[Any], move: Any) -> Position[Any]:
        self.control.cells[NODES] += 1
        if self.control.stopped:
            raise TimeoutError
        return position.play(move)

    def trouble(self, start: Position[Any]) -> str:
        if isinstance(claim := self.claim, ScoreClaim):
            return self.score_trouble(start, claim)
        if not self.holds(claim, start, claim.plies):
            return f"The claim does not hold in the first position, {start.text()}."
        for position, (move, plies) in claim.book.items():
            holds = move is None or self.after(claim, position, move, plies)
            if position.turn != claim.side or not holds:
                return f"The claim does not hold after {move} in {position.text()}."
        return ""

    def after(self, claim: Claim, position: Position[Any], move: Any, plies: int | None) -> bool:
        left = self.play(position, move)
        if plies is None and claim.value is Value.WIN and len(left.moves()) >= len(position.moves()):
            return False  # Something must fall with each move, or the win could be put off for ever.
        return self.holds(claim, left, None if plies is None else plies - 1)

    def holds(self, claim: Claim, position: Position[Any], plies: int | None) -> bool:
        value, outcome = claim.value, position.outcome()
        if outcome is not None:
            got = Value.WIN if outcome.winner == claim.side else Value.LOSS
            got = Value.TIE if outcome.winner is None else got
            if got is not value or plies is None:
                return _ORDER.index(got) >= _ORDER.index(value)
            return plies >= 0 if got is Value.WIN else plies <= 0
        if plies is not None and plies <= (value is Value.LOSS):
            return value is Value.LOSS
        entry = claim.book.get(position)
        if entry is not None and (entry[0] is None or _enough(value, entry[1], plies)):
            self.opened |= {position} if entry[0] is None else set()
            return True
        if (position, plies) not in self.memo:
            self.memo[position, plies] = False  # A position that comes back proves nothing.
            some = any if position.turn == claim.side else all
            played = (self.after(claim, position, move, plies) for move in position.moves())
            self.memo[position, plies] = some(played)
        return self.memo[position, plies]

    def score_trouble(self, start: Position[Any], claim: ScoreClaim) -> str:
        self.control.cells[NODES] += len(claim.line)
        reached = claim.reached(start)
        if claim.best is not None and (reached is None or reached < claim.best):
            return f"The moves do not reach {claim.best} points."
        numbers = self.game.limit(start) if isinstance(self.game, HasLimit) else {}
        if claim.argument != numbers:
            return f"The numbers of the argument are not {claim.argument} but {numbers}."
        if claim.bound is None or not ((reached or 0) > claim.bound or self.exceeds(start, claim.bound)):
            return ""
        return f"There is a way to more than {claim.bound} points."

    def exceeds(self, position: Position[Any], bound: int) -> bool:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.score is None or outcome.score > bound
        if isinstance(self.game, HasLimit) and self.game.limit(position)["limit"] <= bound:
            return False
        return any(self.exceeds(self.play(position, move), bound) for move in position.moves())


def _enough(value: Value, given: int | None, wanted: int | None) -> bool:
    return wanted is None or (given is not None and (given - wanted) * (-1 if value is Value.WIN else 1) >= 0)
