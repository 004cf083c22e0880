"""Certificates and their checker, which uses only the rules of a game."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.move_lists import parse_moves
from arcade.engines.parsing import convert, error_context, read_json
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID, parse_game_id
from arcade.engines.verdict import Value
from arcade.engines.wording import plies, quantity

FORMAT = "solver-arcade certificate 1"

WORDS = {True: "Verified", None: "Partly verified", False: "WRONG"}

_LEAST = {Value.WIN: 1, Value.LOSS: 2}
"""Minimum plies that a claim can state. A loss needs 2, because "no loss before ply 1" is always true."""


@dataclass
class Claim:
    """A claim that a side gets at least `value`. Raises InputError if it is invalid or always true."""

    side: int
    """The side that the claim is about, 0 or 1."""
    value: Value
    plies: int | None
    """Maximum plies to a win (None: no limit), or minimum plies to a loss. None for a tie."""
    book: dict[Position[Any], tuple[Any, int | None]] = field(default_factory=dict)
    """For each position, the move that the side plays (None if it is unchecked) and the plies left."""

    def __post_init__(self) -> None:
        self.value = Value(self.value)
        if type(self.side) is not int or self.side not in (0, 1):
            raise InputError(f"the side must be 0 or 1, not {self.side!r}.")
        self.check_plies(self.plies)

    def check_plies(self, count: int | None) -> None:
        least = _LEAST.get(self.value)
        if count is None:
            if self.value is not Value.LOSS:
                return
        elif least is not None and type(count) is int and count >= least:
            return
        expected = {Value.WIN: "null or at least 1", Value.TIE: "null", Value.LOSS: "at least 2"}[self.value]
        raise InputError(
            f"for {self.value.value!r} the plies must be {expected}; otherwise the claim says nothing."
        )

    def sentence(self, sides: tuple[str, str]) -> str:
        name = sides[self.side]
        if self.value is Value.WIN:
            return f"{name} wins" if self.plies is None else f"{name} wins within {plies(self.plies)}"
        return f"{name} does not lose" + (f" before ply {self.plies}" if self.plies is not None else "")


@dataclass
class ScoreClaim:
    """A claim that states a reachable score, an upper bound, or both. Raises InputError if it is invalid."""

    best: int | None
    line: list[Any]
    bound: int | None
    argument: dict[str, int]
    """The result of `Explanations.score_argument`, which is empty if the game has no such argument."""

    def __post_init__(self) -> None:
        if any(type(each) not in (int, type(None)) for each in (self.best, self.bound)):
            raise InputError("'best' and 'bound' must be whole numbers or null.")
        if self.best is None and (self.bound is None or self.line):
            raise InputError("if 'best' is null, 'bound' must be a number and 'line' must be empty.")

    def reached(self, start: Position[Any]) -> int | None:
        """Return the score after `line`, or None if the game is not over.

        Raises ValueError if a move is illegal.
        """
        outcome = start.after(self.line).outcome()
        return None if outcome is None else outcome.score

    def sentence(self, sides: tuple[str, str]) -> str:
        reached = "" if self.best is None else f"{quantity(self.best, 'point')} can be reached"
        limited = "" if self.bound is None else f"no more than {quantity(self.bound, 'point')} can be reached"
        return " and ".join(filter(None, [reached, limited]))


@dataclass
class Certificate:
    """A position and claims about it.

    Raises InputError if there is no claim, or if a claim is of the wrong kind or always true.
    """

    parsed: GameID
    claims: Sequence[Claim | ScoreClaim]

    def __post_init__(self) -> None:
        game = self.parsed.game
        if not self.claims:
            raise InputError("the certificate contains no claim.")
        for claim in self.claims:
            if not isinstance(claim, claim_kind(self.parsed)):
                kind = "race" if isinstance(game, RaceGame) else "duel"
                raise InputError(f"{game.title} is a {kind}: expected the claims of a {kind}.")
            if isinstance(claim, ScoreClaim) and claim.bound is not None:
                limit = game.explanations.score_argument(self.start).get("limit", claim.bound)
                if claim.bound > limit:
                    raise InputError(
                        f"the bound {claim.bound} is always true, because no score can exceed {limit}."
                    )

    @cached_property
    def start(self) -> Position[Any]:
        return self.parsed.start()

    def text(self) -> str:
        written = []
        for claim in self.claims:
            known: dict[str, Any] = dict(vars(claim))
            if isinstance(claim, Claim):
                del known["book"]
                entries = [
                    json.dumps([position.text(), None if move is None else str(move), plies])
                    for position, (move, plies) in claim.book.items()
                ]
                written.append(json.dumps(known)[:-1] + ', "book": [\n' + ",\n".join(entries) + "\n]}")
            else:
                known["line"] = " ".join(map(str, claim.line))
                written.append(json.dumps(known))
        head = json.dumps({"format": FORMAT, "game": str(self.parsed.at(self.start))})
        return f'{head[:-1]}, "claims": [\n' + ",\n".join(written) + "\n]}\n"


def claim_kind(parsed: GameID) -> type[Claim] | type[ScoreClaim]:
    return ScoreClaim if isinstance(parsed.game, RaceGame) else Claim


@dataclass(frozen=True)
class _File:
    format: str
    game: str
    claims: list[Any]


@dataclass(frozen=True)
class _SavedClaim:
    side: int
    value: Value
    plies: int | None
    book: list[tuple[str, str | None, int | None]]


@dataclass(frozen=True)
class _SavedScore:
    best: int | None
    line: str
    bound: int | None
    argument: dict[str, int]


def read(text: str) -> Certificate:
    """Read a certificate. If it is invalid, raises InputError, which names the invalid part."""
    with error_context("Cannot read the certificate"):
        file = read_json(text, _File, len(text))
        if file.format != FORMAT:
            raise InputError(f"'format' must be {FORMAT!r}.")
        parsed = parse_game_id(file.game)
        read_claim = _score_claim if claim_kind(parsed) is ScoreClaim else _duel_claim
        return Certificate(
            parsed, [read_claim(parsed, data, f"claims[{at}]") for at, data in enumerate(file.claims)]
        )


def _score_claim(parsed: GameID, data: Any, place: str) -> ScoreClaim:
    saved, start = convert(data, _SavedScore, place), parsed.start()
    with error_context(place):
        claim = ScoreClaim(
            saved.best, parse_moves(parsed.game, saved.line, start), saved.bound, saved.argument
        )
        if claim.best is not None and (reached := claim.reached(start) or claim.best) > claim.best:
            raise InputError(f"'best' must be {reached}, the score at the end of the line.")
    return claim


def _duel_claim(parsed: GameID, data: Any, place: str) -> Claim:
    saved, game = convert(data, _SavedClaim, place), parsed.game
    with error_context(place):
        claim = Claim(saved.side, saved.value, saved.plies)
    for at, (where, move, left) in enumerate(saved.book):
        with error_context(f"{place}.book[{at}]"):
            position = game.parse_position(where, parsed.parameters)
            claim.check_plies(left)
            claim.book[position] = (None if move is None else game.parse_move(move, position), left)
    return claim


_ORDER = (Value.LOSS, Value.TIE, Value.WIN)


@dataclass
class CheckResult:
    trouble: str = ""
    """A sentence about a claim that does not hold, or "" if all claims hold."""
    positions: int = 0
    open: int = 0
    unfinished: bool = False

    @property
    def agrees(self) -> bool | None:
        """True if the certificate was confirmed, False if it is wrong, None if only part was checked."""
        return False if self.trouble else None if self.open or self.unfinished else True


def check(certificate: Certificate, control: Control) -> CheckResult:
    """Check a certificate. The control's NODES cell counts the moves played."""
    result, before = CheckResult(), control.nodes
    try:
        for claim in certificate.claims:
            checking = CertificateChecker(certificate.parsed.game, claim, control)
            trouble = checking.trouble(certificate.start)
            if trouble and checking.repeated:
                result.unfinished = True  # A cycle may be a tie; the checker does not follow cycles.
            else:
                result.trouble = result.trouble or trouble
            result.open += len(checking.opened)
    except (TimeoutError, RecursionError):
        result.unfinished = True
    except ValueError as error:
        result.trouble = f"The certificate contains an illegal move: {error}"
    result.positions = control.nodes - before
    return result


class CertificateChecker:
    def __init__(self, game: AnyGame, claim: Claim | ScoreClaim, control: Control) -> None:
        self.game, self.claim, self.control = game, claim, control
        self.memo, self.opened = dict[tuple[Position[Any], int | None], bool | None](), set[Position[Any]]()
        self.repeated = False

    def play(self, position: Position[Any], move: Any) -> Position[Any]:
        self.control.nodes += 1
        if self.control.stopped:
            raise TimeoutError
        return position.play(move)

    def trouble(self, start: Position[Any]) -> str:
        if isinstance(claim := self.claim, ScoreClaim):
            return self.score_trouble(start, claim)
        if not self.holds(claim, start, claim.plies):
            return f"The claim does not hold in the first position, {start.text()}."
        for position, (move, left) in claim.book.items():
            holds = move is None or self.after(claim, position, move, left)
            if position.turn != claim.side or not holds:
                return f"The claim does not hold after {move} in {position.text()}."
        return ""

    def after(self, claim: Claim, position: Position[Any], move: Any, plies: int | None) -> bool:
        left = self.play(position, move)
        if plies is None and claim.value is Value.WIN and len(left.moves()) >= len(position.moves()):
            return False  # The number of moves must fall, or the win could be delayed forever.
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
            self.memo[position, plies] = None  # A repeated position proves nothing.
            some = any if position.turn == claim.side else all
            played = (self.after(claim, position, move, plies) for move in position.moves())
            self.memo[position, plies] = some(played)
        held = self.memo[position, plies]
        self.repeated |= held is None
        return bool(held)

    def score_trouble(self, start: Position[Any], claim: ScoreClaim) -> str:
        self.control.nodes += len(claim.line)
        reached = claim.reached(start)
        if claim.best is not None and (reached is None or reached < claim.best):
            return f"The moves do not reach {quantity(claim.best, 'point')}."
        numbers = self.game.explanations.score_argument(start)
        if claim.argument != numbers:
            return f"Wrong numbers in 'argument': expected {numbers}, found {claim.argument}."
        if claim.bound is None or not ((reached or 0) > claim.bound or self.exceeds(start, claim.bound)):
            return ""
        return f"More than {quantity(claim.bound, 'point')} can be reached."

    def exceeds(self, position: Position[Any], bound: int) -> bool:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.score is None or outcome.score > bound
        if self.game.explanations.score_argument(position).get("limit", bound + 1) <= bound:
            return False
        return any(self.exceeds(self.play(position, move), bound) for move in position.moves())


def _enough(value: Value, given: int | None, wanted: int | None) -> bool:
    return wanted is None or (given is not None and (given - wanted) * (-1 if value is Value.WIN else 1) >= 0)


MAX_POSITIONS = 100_000
"""Maximum number of positions in a brute-force search. This many take five to twenty seconds."""

Result = tuple[Value, int]
"""Value for the player to move, and remoteness in plies."""


def solve(
    start: Position[Any], control: Control, most: int = MAX_POSITIONS
) -> dict[Position[Any], Result] | None:
    """Solve all reachable positions by brute force. Best play leads to a quick win, slow loss or quick tie.

    Returns None if stopped, if there are more than `most` positions, or if a position can repeat. The
    control's NODES cell counts positions.
    """
    known: dict[Position[Any], Result] = {}
    below: dict[Position[Any], list[Position[Any]]] = {}
    stack = [start]
    while stack:
        position = stack[-1]
        if position in known:
            stack.pop()
            continue
        after = below.get(position)
        if after is None:
            control.nodes += 1
            if control.stopped or len(known) >= most:
                return None
            over = position.ending()
            if over is not None and over.value is not None:
                known[position] = over.value, 0
                continue
            after = below[position] = [position.play(move) for move in position.moves()]
            missing = [each for each in after if each not in known]
            if any(each in below for each in missing):
                return None
            stack += missing
            if missing:
                continue
        known[position] = best_of([known[each] for each in after])
        del below[position]
    return known


def best_of(after: list[Result]) -> Result:
    mine = [(value.reversed, plies + 1) for value, plies in after]
    for value in (Value.WIN, Value.TIE):
        plies = [count for each, count in mine if each is value]
        if plies:
            return value, min(plies)
    return Value.LOSS, max(count for _, count in mine)
