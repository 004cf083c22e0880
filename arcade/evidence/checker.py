"""The checker of certificates: it knows the rules and no solver. docs/verify.md says why it proves claims."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from arcade.engines.control import NODES, Control
from arcade.engines.errors import InputError
from arcade.engines.game import HasLimit
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID, parse_game_id
from arcade.engines.verdict import Value
from arcade.evidence.claims import FORMAT, Claim, ScoreClaim

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


def read(text: str) -> tuple[GameID, list[Claim | ScoreClaim]]:
    """A certificate's game and claims; raises InputError, which names the place of what is wrong."""
    place = "the first lines"
    try:
        found = json.loads(text)
        if found["format"] != FORMAT:
            raise InputError(f"the format must be {FORMAT!r}.")
        parsed, claims = parse_game_id(found["game"]), list[Claim | ScoreClaim]()
        game, start = parsed.game, parsed.start()
        for number, each in enumerate(found["claims"], 1):
            place = f"claim {number}"
            if "bound" in each:
                line = game.parse_moves(each["line"], start)
                best, bound = (value and int(value) for value in (each["best"], each["bound"]))
                claims.append(ScoreClaim(best, line, bound, each["argument"]))
                continue
            claim = Claim((0, 1)[each["side"]], Value(each["value"]), each["plies"] and int(each["plies"]))
            for entry, listed in enumerate(each["book"], 1):
                place = f"claim {number}, entry {entry}"
                where, move, plies = listed
                position = game.parse_position(where, parsed.parameters)
                claim.book[position] = (move and game.parse_move(move, position), plies and int(plies))
            claims.append(claim)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        said = error if isinstance(error, InputError) else "this is not as docs/verify.md says."
        raise InputError(f"The certificate cannot be read: {place}: {said}") from None
    return parsed, claims


def check(parsed: GameID, claims: list[Claim | ScoreClaim], control: Control) -> Tally:
    """Check claims about a position; NODES of the control counts the moves played."""
    tally, before = Tally(), control.nodes
    try:
        for claim in claims:
            checking = _Checking(parsed.game, claim, control)
            tally.trouble = tally.trouble or checking.trouble(parsed.start())
            tally.open += len(checking.opened)
    except TimeoutError:
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
            if position.turn != claim.side or (move and not self.after(claim, position, move, plies)):
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
        move, given = claim.book.get(position, ("", None))
        if move is None or (move and _enough(value, given, plies)):
            self.opened |= set() if move else {position}
            return True
        if (position, plies) not in self.memo:
            self.memo[position, plies] = False  # A position that comes back proves nothing.
            some = any if position.turn == claim.side else all
            played = (self.after(claim, position, move, plies) for move in position.moves())
            self.memo[position, plies] = some(played)
        return self.memo[position, plies]

    def score_trouble(self, start: Position[Any], claim: ScoreClaim) -> str:
        position = start
        for move in claim.line:
            position = self.play(position, move)
        outcome = position.outcome()
        reached = None if outcome is None else outcome.score
        if claim.best is not None and (reached is None or reached < claim.best):
            return f"The moves do not reach {claim.best} points."
        if isinstance(self.game, HasLimit) and claim.argument != (numbers := self.game.limit(start)):
            return f"The numbers of the argument are not {claim.argument} but {numbers}."
        if claim.bound is None or not ((reached or 0) > claim.bound or self.exceeds(start, claim.bound)):
            return ""
        return f"There is a way to more than {claim.bound} points."

    def exceeds(self, position: Position[Any], bound: int) -> bool:
        outcome = position.outcome()
        if outcome is not None:
            return (outcome.score or 0) > bound
        if isinstance(self.game, HasLimit) and self.game.limit(position)["limit"] <= bound:
            return False
        return any(self.exceeds(self.play(position, move), bound) for move in position.moves())


def _enough(value: Value, given: int | None, wanted: int | None) -> bool:
    return wanted is None or (given is not None and (given - wanted) * (-1 if value is Value.WIN else 1) >= 0)
