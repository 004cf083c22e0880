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
from arcade.engines.verdict import DuelVerdict, Proof, ScoreVerdict, Verdict
from arcade.evidence.certificate import Writer, claims_of
from arcade.evidence.checker import check
from arcade.evidence.claims import Claim, ScoreClaim, as_text, many
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

    agrees: bool | None
    """Whether everything that was checked agrees with the verdict; None if nothing could be checked."""
    method: ProofMethod
    positions: int
    """Positions that the plain search has visited, or moves that the checker has played."""
    verdict: Verdict
    finding: str
    """What was found, in one or two sentences."""
    certificate: str = ""
    """The text of the certificate; empty for a plain search."""


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
    if not claims and verdict.value is None:
        return Evidence(
            None, ProofMethod.PARTIAL, 0, verdict, "The solver has no verdict that could be checked."
        )
    if not written:
        found = _search(position, verdict, control, seconds / 4)
        if found is not None:
            return found
    return _certify(parsed, position, verdict, claims, control, depth, end)


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
    return Evidence(right, ProofMethod.SEARCH, visited, verdict, finding)


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
    tally = check(parsed, list(claims), control)
    text = as_text(parsed, list(claims))
    moves = sum(move is not None for claim in claims for move, _ in claim.book.values())
    if tally.trouble:
        return Evidence(False, ProofMethod.CERTIFICATE, tally.positions, verdict, tally.trouble, text)
    if not tally.open and not tally.unfinished:
        finding = (
            f"The checker has played through a certificate of {many(moves, 'move')}: it proves the verdict."
        )
        return Evidence(True, ProofMethod.CERTIFICATE, tally.positions, verdict, finding, text)
    if tally.unfinished:
        finding = (
            f"The time was up before the checker had played through a certificate of {many(moves, 'move')}."
        )
    else:
        finding = (
            f"The checker has played through a certificate of {many(moves, 'move')} that leaves "
            f"{many(tally.open, 'position')} open; it follows {many(lines, 'random line')} to the end."
        )
    agrees = True if lines and not tally.unfinished else None
    finding += " Nothing differs." if agrees else " That proves nothing yet."
    return Evidence(agrees, ProofMethod.PARTIAL, tally.positions, verdict, finding, text)


def _verify_score(
    parsed: GameID, position: Position[Any], verdict: ScoreVerdict, control: Control, end: float
) -> Evidence:
    """Play the moves to the best score, and prove the bound by the game's argument or by plain search."""
    game, best, bound = parsed.game, verdict.best, verdict.bound
    control.renew(max(0.0, end - time.monotonic()) / 5)
    line = [] if best is None else game.solver.line(position, control)
    argument = game.limit(position) if isinstance(game, HasLimit) else {}
    claim = ScoreClaim(best, line, bound, argument)
    control.renew(max(0.0, end - time.monotonic()))
    tally = check(parsed, [claim], control)
    text = as_text(parsed, [claim])
    enough = bound is not None and argument.get("limit", bound + 1) <= bound
    method = (
        ProofMethod.CERTIFICATE if enough else ProofMethod.PARTIAL if tally.unfinished else ProofMethod.SEARCH
    )
    if tally.trouble:
        return Evidence(False, method, tally.positions, verdict, tally.trouble, text)
    reached = "" if best is None else f"{many(len(line), 'move')} reach {best} points. "
    if enough:
        finding = f"{reached}The argument shows that nothing exceeds {argument['limit']}."
    elif not tally.unfinished:
        finding = f"{reached}A plain search shows that nothing exceeds {bound}."
    else:
        finding = f"{reached}The time was up before a plain search had shown that nothing exceeds {bound}."
        if argument:
            finding += f" The argument alone limits it to {argument['limit']}."
    agrees = None if tally.unfinished and best is None else True
    return Evidence(agrees, method, tally.positions, verdict, finding, text)
