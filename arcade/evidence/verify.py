"""Prove a verdict again, by a plain search where that ends in time, else by a certificate and its checker."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import HasLimit
from arcade.engines.position import Position
from arcade.engines.registry import GameID
from arcade.engines.verdict import DuelVerdict, Proof, ScoreVerdict, Value, Verdict
from arcade.evidence.certificate import Writer, claims_of
from arcade.evidence.checker import check
from arcade.evidence.claims import Certificate, Claim, ScoreClaim, many
from arcade.evidence.plain import solve

SECONDS = 60.0
"""Seconds for a verdict and its proof, unless told otherwise."""


class ProofMethod(StrEnum):
    """How much of a verdict was proved again, and how."""

    SEARCH = "search"
    """A plain search, without any help of the solver, has gone through everything."""
    CERTIFICATE = "certificate"
    """The checker has gone through all of a certificate."""
    PARTIAL = "partial"
    """Only a part was checked."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a verification has found."""

    differs: bool
    """Whether something differs from the verdict."""
    method: ProofMethod
    positions: int
    """Positions that the plain search has visited, or moves that the checker has played."""
    verdict: Verdict
    finding: str
    """What was found, in one or two sentences."""
    certificate: str = ""
    """The text of the certificate; empty for a plain search."""

    @property
    def agrees(self) -> bool | None:
        """Whether all was proved again; None if nothing differs in the part that was checked."""
        return False if self.differs else None if self.method is ProofMethod.PARTIAL else True


def verify(
    parsed: GameID,
    control: Control,
    *,
    seconds: float = SECONDS,
    depth: int | None = None,
    written: bool = False,
    verdict: Verdict | None = None,
) -> Evidence:
    """Prove the verdict of a position again.

    Args:
        parsed: the game and its position.
        control: cancels the work; its deadline is set anew.
        seconds: for everything; a fifth at most is for the solver, a quarter for the plain search.
        depth: plies after which a certificate has no moves and the checker searches; None for as many as
            there are.
        written: skip the plain search and make a certificate in any case.
        verdict: the verdict to prove; None to ask the solver.
    """
    position, solver = parsed.start(), parsed.game.solver
    # Compiling takes none of the time; beside a screen it is done elsewhere.
    if control.wait_for_kernels(parsed.game.name):
        solver.warm()
    end = time.monotonic() + seconds
    if verdict is None:
        control.renew(seconds / 5)
        verdict = solver.verdict(position, control)
    if isinstance(verdict, ScoreVerdict):
        return _verify_score(parsed, position, verdict, control, end)
    assert isinstance(verdict, DuelVerdict)
    claims = claims_of(verdict, position.turn)
    if not claims:
        return _nothing(verdict)
    if not written:
        found = _search(position, verdict, control, seconds / 4)
        if found is not None:
            return found
    return _certify(parsed, position, verdict, claims, control, depth, end)


def _nothing(verdict: Verdict) -> Evidence:
    finding = "The solver has no verdict that could be checked."
    return Evidence(False, ProofMethod.PARTIAL, 0, verdict, finding)


def _search(
    position: Position[Any], verdict: DuelVerdict, control: Control, seconds: float
) -> Evidence | None:
    """Solve the position by plain search and compare; None if that takes too long."""
    control.renew(seconds)
    before = control.nodes
    known = solve(position, control)
    if known is None:
        return None
    value, plies = known[position]
    limits = verdict.limits()
    least, most = limits["at_least"], limits["at_most"]
    right = verdict.value in (None, value) and (least or 0) <= plies and (most is None or plies <= most)
    visited = control.nodes - before
    if right:
        finding = f"A plain search went through all {many(visited, 'position')} that can be reached."
    else:
        truth = DuelVerdict(Proof.EXACT, value, plies)
        finding = (
            f"The solver says: {_said(verdict)}. A plain search of {many(visited, 'position')} finds: "
            f"{_said(truth)}."
        )
    return Evidence(not right, ProofMethod.SEARCH, visited, verdict, finding)


def _said(verdict: DuelVerdict) -> str:
    words = verdict.sentence(*verdict.sides)
    return words[0].lower() + words[1:]


def _certify(
    parsed: GameID,
    position: Position[Any],
    verdict: DuelVerdict,
    claims: list[Claim],
    control: Control,
    depth: int | None,
    end: float,
) -> Evidence:
    """Write a certificate in two thirds of the time and check it in the rest."""
    lines = 0
    written = end - (end - time.monotonic()) / 3
    for number, claim in enumerate(claims):
        writer = Writer(parsed.game.solver, claim, depth)
        writer.fill(position, control, max(0.0, written - time.monotonic()) / (len(claims) - number))
        lines += writer.lines
    control.renew(max(0.0, end - time.monotonic()))
    certificate = Certificate(parsed, claims)
    tally = check(certificate, control)
    moves = sum(move is not None for claim in claims for move, _ in claim.book.values())
    finding = f"The checker has played through a certificate of {many(moves, 'move')}"
    method = ProofMethod.PARTIAL
    if tally.trouble:
        method, finding = ProofMethod.CERTIFICATE, tally.trouble
    elif tally.unfinished:
        finding = f"The checker did not get through a certificate of {many(moves, 'move')}."
    elif tally.open:
        finding += (
            f" that leaves {many(tally.open, 'position')} open; it follows {many(lines, 'random line')} "
            "to the end."
        )
    elif verdict.value is Value.TIE and verdict.limits()["at_most"]:
        finding += ": it proves the tie, but not its length."
    else:
        method, finding = ProofMethod.CERTIFICATE, f"{finding}: it proves the verdict."
    return Evidence(bool(tally.trouble), method, tally.positions, verdict, finding, certificate.text())


def _verify_score(
    parsed: GameID, position: Position[Any], verdict: ScoreVerdict, control: Control, end: float
) -> Evidence:
    """Play the moves to the best score, and prove the bound by the game's argument or by plain search."""
    game, best, bound = parsed.game, verdict.best, verdict.bound
    control.renew(max(0.0, end - time.monotonic()) / 5)
    line = [] if best is None else game.solver.line(position, control)
    cut = control.stopped
    argument = game.limit(position) if isinstance(game, HasLimit) else {}
    limit = argument.get("limit")
    if bound is not None and limit is not None:
        bound = min(bound, limit)
    if best is None and bound is None:
        return _nothing(verdict)
    certificate = Certificate(parsed, [ScoreClaim(best, line, bound, argument)])
    control.renew(max(0.0, end - time.monotonic()))
    tally = check(certificate, control)
    finding = "" if best is None else f"{many(len(line), 'move')} reach {best} points. "
    method = ProofMethod.SEARCH
    differs = bool(tally.trouble) and not cut
    if differs:
        finding = tally.trouble
    elif tally.trouble:
        method, finding = ProofMethod.PARTIAL, "The time was up before the solver had named its moves."
    elif bound is None or bound == limit:
        method = ProofMethod.CERTIFICATE
        finding += "" if bound is None else f"The argument shows that nothing exceeds {limit}."
    elif not tally.unfinished:
        finding += f"A plain search shows that nothing exceeds {bound}."
    else:
        method = ProofMethod.PARTIAL
        finding += f"The time was up before a plain search had shown that nothing exceeds {bound}."
        finding += f" The argument alone limits it to {limit}." if argument else ""
    return Evidence(differs, method, tally.positions, verdict, finding.rstrip(), certificate.text())
