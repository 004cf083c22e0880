"""Verify verdicts by brute force, or let the solver write a certificate and a checker test it."""

import itertools
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.registry import GameID
from arcade.engines.solver import Solver
from arcade.engines.verdict import DuelVerdict, Proof, ScoreVerdict, Value, Verdict
from arcade.engines.wording import plies as in_plies
from arcade.engines.wording import quantity
from arcade.proof.checker import Certificate, Claim, ScoreClaim, check, solve

SEARCHED_PLIES = {True: 4, False: 2}
"""Last plies that the checker searches itself, by whether a position has at most `FEW_MOVES` moves."""
FEW_MOVES = 12

Waiting = tuple[Position[Any], int | None, int]
"""A position in which the claim's side is to move, the plies left, and the plies played so far."""


def claims_of(verdict: DuelVerdict, turn: int) -> list[Claim]:
    if verdict.value is Value.TIE:
        return [Claim(side, Value.TIE, None) for side in (turn, 1 - turn)]
    known = verdict.limits()
    winner = None if verdict.value is None else turn if verdict.value is Value.WIN else 1 - turn
    claims = [] if winner is None else [Claim(winner, Value.WIN, known["at_most"] or None)]
    # If the winner is unknown, the minimum length holds for both sides.
    losers = (0, 1) if winner is None else (1 - winner,)
    least = known["at_least"] or 0
    return claims + [Claim(side, Value.LOSS, least) for side in losers if least > 1]


class CertificateBuilder:
    """A builder that fills a claim's book breadth first, with one move for the claim's side and every reply.

    If the time is too short, it follows random lines to the end and marks other positions as unchecked.
    """

    def __init__(self, solver: Solver[Any, Any], claim: Claim, depth: int | None = None) -> None:
        self.solver, self.claim, self.depth = solver, claim, depth
        self.lines = 0

    def fill(self, start: Position[Any], control: Control, seconds: float) -> None:
        """Fill the book breadth first. After two thirds of `seconds`, follow random lines instead."""
        waiting = deque(self._reached(start, self.claim.plies, 0))
        with control.within(2 * seconds / 3):
            while waiting and not control.stopped:
                after = self._extend(*waiting[0], control)
                if after is None:
                    break
                waiting.popleft()
                waiting += after
        passed = list(waiting)
        with control.within(seconds / 3):
            self._follow_lines(passed, control)
        for position, plies, _ in passed:
            if not self._listed(position, plies):
                self.claim.book[position] = (None, plies)

    def _follow_lines(self, passed: list[Waiting], control: Control) -> None:
        rng = random.Random(0)
        at = -1
        while passed and not control.stopped:
            if at < 0:
                at = rng.randrange(len(passed))
            after = self._extend(*passed[at], control)
            if after is None:
                break
            passed[at] = passed[-1]
            passed.pop()
            passed += after
            self.lines += not after
            at = len(passed) - 1 - rng.randrange(len(after)) if after else -1

    def _extend(
        self, position: Position[Any], plies: int | None, ply: int, control: Control
    ) -> list[Waiting] | None:
        """Add the position to the book. Return the positions to extend next, or None if stopped."""
        if self._listed(position, plies):
            return []
        control.nodes += 1
        move = self.solver.best_move(position, control)
        # Other lines to this position may be longer, so use its own remoteness.
        own = self.solver.verdict(position, control).remoteness if self.claim.value is Value.WIN else None
        if move is None or control.stopped:
            # The best move of an interrupted search may be bad.
            return None
        plies = plies if own is None else own
        self.claim.book[position] = (move, plies)
        return self._reached(position.play(move), _less(plies), ply + 1)

    def _listed(self, position: Position[Any], plies: int | None) -> bool:
        if position not in self.claim.book:
            return False
        known = self.claim.book[position][1]
        return plies is None or known is None or self.claim.value is not Value.LOSS or known >= plies

    def _reached(self, position: Position[Any], plies: int | None, ply: int) -> list[Waiting]:
        if position.outcome() is not None:
            return []
        moves = position.moves()
        if position.turn != self.claim.side:
            after = (self._reached(position.play(move), _less(plies), ply + 1) for move in moves)
            return list(itertools.chain.from_iterable(after))
        deep = self.depth is not None and ply >= self.depth
        near = plies is not None and plies <= SEARCHED_PLIES[len(moves) <= FEW_MOVES]
        return [] if deep or near or self._listed(position, plies) else [(position, plies, ply)]


def _less(plies: int | None) -> int | None:
    return None if plies is None else plies - 1


SECONDS = 60.0


class ProofMethod(StrEnum):
    SEARCH = "search"
    CERTIFICATE = "certificate"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class Verification:
    differs: bool
    method: ProofMethod
    positions: int
    verdict: Verdict
    finding: str
    certificate: str = ""

    @property
    def agrees(self) -> bool | None:
        """True if the verdict was confirmed, False if it is wrong, None if only part was checked."""
        return False if self.differs else None if self.method is ProofMethod.PARTIAL else True


def verify(
    parsed: GameID,
    control: Control,
    *,
    seconds: float = SECONDS,
    depth: int | None = None,
    written: bool = False,
    length: Callable[[int], str] = in_plies,
) -> Verification:
    """Verify the solver's verdict about a position.

    The solver gets up to a fifth of the time, the check of its stored results up to another fifth, and brute
    force up to a quarter. `depth` is the number of plies to certify (default: all); the checker searches the
    rest. If `written` is True, a certificate is made even if brute force would be enough.
    """
    position, solver = parsed.start(), parsed.game.solver
    # The limit excludes compiling. Beside a screen, another process compiles.
    if control.wait_for_kernels(parsed.game.name):
        with control.paused():
            solver.warm(control.kernels)
    if control.remaining is not None:
        seconds = min(seconds, control.remaining)
    end = time.monotonic() + seconds
    with control.within(seconds / 5):
        verdict = solver.verdict(position, control)
    if isinstance(verdict, ScoreVerdict):
        return _verify_score(parsed, position, verdict, control, end)
    assert isinstance(verdict, DuelVerdict)
    claims = claims_of(verdict, position.turn)
    if not claims:
        return _nothing(verdict)
    with control.within(seconds / 5):
        book = solver.check_book(position, control)
    verification = None if written else _search(position, verdict, control, seconds / 4, length)
    if verification is None:
        verification = _certify(parsed, position, verdict, claims, control, depth, end)
    if book is not None:
        holds, said = book
        finding = f"{verification.finding} {said}"
        verification = replace(verification, differs=verification.differs or not holds, finding=finding)
    return verification


def _nothing(verdict: Verdict) -> Verification:
    finding = "The solver has no verdict to verify."
    return Verification(False, ProofMethod.PARTIAL, 0, verdict, finding)


def _search(
    position: Position[Any],
    verdict: DuelVerdict,
    control: Control,
    seconds: float,
    length: Callable[[int], str],
) -> Verification | None:
    before = control.nodes
    with control.within(seconds):
        known = solve(position, control)
    if known is None:
        return None
    value, remoteness = known[position]
    limits = verdict.limits()
    least, most = limits["at_least"], limits["at_most"]
    right = (
        verdict.value in (None, value) and (least or 0) <= remoteness and (most is None or remoteness <= most)
    )
    visited = control.nodes - before
    if right:
        finding = f"A brute-force search visited all reachable positions ({visited:,})."
    else:
        sides = ("the player to move", "the other player")
        truth = DuelVerdict(Proof.EXACT, value, remoteness)
        finding = (
            f"Solver: {verdict.sentence(*sides, length)}. "
            f"Brute-force search of {quantity(visited, 'position')}: {truth.sentence(*sides, length)}."
        )
    return Verification(not right, ProofMethod.SEARCH, visited, verdict, finding)


def _certify(
    parsed: GameID,
    position: Position[Any],
    verdict: DuelVerdict,
    claims: list[Claim],
    control: Control,
    depth: int | None,
    end: float,
) -> Verification:
    lines = 0
    written = end - (end - time.monotonic()) / 3
    for number, claim in enumerate(claims):
        builder = CertificateBuilder(parsed.game.solver, claim, depth)
        builder.fill(position, control, max(0.0, written - time.monotonic()) / (len(claims) - number))
        lines += builder.lines
    certificate = Certificate(parsed, claims)
    with control.within(max(0.0, end - time.monotonic())):
        result = check(certificate, control)
    moves = sum(move is not None for claim in claims for move, _ in claim.book.values())
    finding = f"The checker played through a certificate of {quantity(moves, 'move')}"
    method = ProofMethod.PARTIAL
    if result.trouble:
        method, finding = ProofMethod.CERTIFICATE, result.trouble
    elif result.unfinished:
        finding = f"Ran out of time while checking a certificate of {quantity(moves, 'move')}."
    elif result.open:
        followed = f"; it follows {quantity(lines, 'random line')} to the end" if lines else ""
        finding += f" that leaves {quantity(result.open, 'position')} open{followed}."
    elif verdict.value is Value.TIE and verdict.limits()["at_most"]:
        finding += ", which proves the tie but not its length."
    else:
        method, finding = ProofMethod.CERTIFICATE, f"{finding}, which proves the verdict."
    return Verification(bool(result.trouble), method, result.positions, verdict, finding, certificate.text())


def _verify_score(
    parsed: GameID, position: Position[Any], verdict: ScoreVerdict, control: Control, end: float
) -> Verification:
    game, best, bound = parsed.game, verdict.best, verdict.bound
    with control.within(max(0.0, end - time.monotonic()) / 5):
        line = [] if best is None else game.solver.line(position, control)
        cut = control.stopped
    argument = game.explanations.score_argument(position)
    limit = argument.get("limit")
    if bound is not None and limit is not None:
        bound = min(bound, limit)
    if best is None and bound is None:
        return _nothing(verdict)
    certificate = Certificate(parsed, [ScoreClaim(best, line, bound, argument)])
    with control.within(max(0.0, end - time.monotonic())):
        result = check(certificate, control)
    finding = (
        "" if best is None else f"{quantity(best, 'point')} can be reached in {quantity(len(line), 'move')}. "
    )
    method = ProofMethod.SEARCH
    differs = bool(result.trouble) and not cut
    if differs:
        finding = result.trouble
    elif result.trouble:
        method, finding = ProofMethod.PARTIAL, "Ran out of time before the solver had found its whole line."
    elif bound is None or bound == limit:
        method = ProofMethod.CERTIFICATE
        finding += "" if bound is None else f"The rules allow no more than {quantity(bound, 'point')}."
    elif not result.unfinished:
        finding += f"A brute-force search shows that no score exceeds {bound}."
    else:
        method = ProofMethod.PARTIAL
        finding += f"Ran out of time before a brute-force search could show that no score exceeds {bound}."
        finding += f" The rules alone limit the score to {limit}." if argument else ""
    return Verification(differs, method, result.positions, verdict, finding.rstrip(), certificate.text())
