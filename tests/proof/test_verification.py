from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.control import Control, Kernels
from arcade.engines.files import InputError
from arcade.engines.position import Outcome, Position
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import DuelVerdict, Proof, ScoreVerdict, Value, Verdict
from arcade.proof import checker as plain
from arcade.proof import verify
from arcade.proof.checker import Certificate, CheckResult, Claim, ScoreClaim, check, read
from arcade.proof.verify import CertificateBuilder, ProofMethod, claims_of
from tests.narrow import duel, expect
from tests.oracle import BruteForce
from tests.refusals import refused
from tools.forge import forge

DUELS = ["chocobar:4x5", "hexapawn:3x5", "tetromino:4x4", "menace:XO.......", "graph"]
LONG = ["chocobar:5x6", "hexapawn:4x4", "menace"]
"""Duels with certificates that are too long for the checker's own search."""


def proved(
    text: str, seconds: float = 20, depth: int | None = None, written: bool = False
) -> verify.Verification:
    return verify.verify(parse_game_id(text), Control(), seconds=seconds, depth=depth, written=written)


def checked(certificate: Certificate) -> CheckResult:
    return check(certificate, Control())


@pytest.mark.parametrize("text", DUELS)
def test_brute_force_search_agrees_with_every_solver(text: str) -> None:
    found = proved(text)
    assert (found.agrees, found.method) == (True, ProofMethod.SEARCH)
    truth = BruteForce().verdict(parse_game_id(text).start(), Control())
    assert (found.verdict.value, found.verdict.remoteness) == (truth.value, truth.remoteness)
    assert found.positions > 10
    assert found.certificate == ""


@pytest.mark.parametrize("text", [*DUELS, *LONG])
def test_certificate_proves_verdict_and_round_trips(text: str) -> None:
    found = proved(text, written=True)
    if found.verdict.value is Value.TIE:
        assert (found.agrees, found.method) == (None, ProofMethod.PARTIAL)
        assert found.finding.endswith("which proves the tie but not its length.")
    else:
        assert (found.agrees, found.method) == (True, ProofMethod.CERTIFICATE)
    again = read(found.certificate)
    assert again.text() == found.certificate
    assert again.start == parse_game_id(text).start()
    if text in LONG:
        assert all(isinstance(claim, Claim) and claim.book for claim in again.claims)
    result = checked(again)
    assert (result.trouble, result.open, result.unfinished) == ("", 0, False)
    assert result.positions == found.positions


def other_winner(verdict: Verdict) -> Verdict:
    wrong = duel(verdict)
    value = Value.LOSS if wrong.value is Value.TIE else (wrong.value or Value.WIN).reversed
    return replace(wrong, value=value)


def later(verdict: Verdict) -> Verdict:
    return replace(duel(verdict), remoteness=(verdict.remoteness or 0) + 2)


def sooner(verdict: Verdict) -> Verdict:
    return replace(duel(verdict), remoteness=(verdict.remoteness or 0) - 2)


def plant(monkeypatch: pytest.MonkeyPatch, text: str, wrong: Callable[[Verdict], Verdict]) -> None:
    """Let a game's solver give a wrong verdict of its first position."""
    game, start = get_game(text.partition(":")[0]), parse_game_id(text).start()
    solver = game.solver
    right = solver.verdict

    def verdict(position: Position[Any], control: Control) -> Verdict:
        found = right(position, control)
        return wrong(found) if position == start else found

    monkeypatch.setattr(solver, "verdict", verdict)


@pytest.mark.parametrize("written", [False, True], ids=["search", "certificate"])
@pytest.mark.parametrize("wrong", [other_winner, later, sooner])
@pytest.mark.parametrize(
    "text", ["chocobar:3x4", "hexapawn:3x4", "tetromino:4x4", "menace:XO.......", "graph"]
)
def test_wrong_duel_verdict_is_detected(
    text: str, wrong: Callable[[Verdict], Verdict], written: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, text, wrong)
    found = proved(text, written=written)
    assert (found.agrees, bool(found.finding)) == (False, True)


def test_difference_message_names_both_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "hexapawn:3x3", other_winner)
    assert proved("hexapawn:3x3").finding == (
        "Solver: the player to move wins in 6 plies. Brute-force search of 135 positions: "
        "the other player wins in 6 plies."
    )


@pytest.mark.parametrize(
    ("best", "bound", "finding"),
    [(1, 1, "The moves do not reach {} points."), (0, -1, "More than {} points can be reached.")],
)
def test_wrong_honshu_verdict_is_detected(
    best: int, bound: int, finding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = []

    def wrong(verdict: Verdict) -> Verdict:
        assert isinstance(verdict, ScoreVerdict)
        assert verdict.best is not None
        assert verdict.best == verdict.bound
        numbers.append(verdict.best + (best or bound))
        return replace(verdict, best=verdict.best + best, bound=verdict.best + bound)

    text = "honshu:5x2#3"
    plant(monkeypatch, text, wrong)
    found = proved(text, seconds=10)
    assert (found.agrees, found.finding) == (False, finding.format(*numbers))


def test_honshu_verdict_is_verified_by_search_or_score_argument() -> None:
    found = proved("honshu:5x2#3", seconds=10)
    assert (found.agrees, found.method) == (True, ProofMethod.SEARCH)
    found = proved("honshu:9x12#1", seconds=1)
    assert (found.agrees, found.method) == (True, ProofMethod.CERTIFICATE)
    again = read(found.certificate)
    assert again.text() == found.certificate
    claim = expect(ScoreClaim, again.claims[0])
    assert len(claim.line) == 12
    claim.argument = {**claim.argument, "hidden": claim.argument["hidden"] + 1}
    assert "Wrong numbers in 'argument': expected" in checked(again).trouble


@given(
    seed=st.integers(0, 10**6),
    variants=st.sets(st.sampled_from(["lakes2", "plains", "factories2", "squares", "forests5"])),
)
@settings(max_examples=25, deadline=None)
def test_honshu_play_never_exceeds_score_argument(seed: int, variants: set[str]) -> None:
    rng = random.Random(seed)
    words = ",".join([f"{rng.randint(5, 8)}x{rng.randint(1, 7)}", *sorted(variants)])
    parsed = parse_game_id(f"honshu:{words}#{seed}")
    position: Any = parsed.start()
    limits = []
    game: Any = parsed.game
    while position.outcome() is None:
        limits.append(game.explanations.score_argument(position)["limit"])
        moves = position.moves()
        # The last tile goes where it scores most.
        tried = moves if len(position.hand) == 1 else rng.choices(moves, k=5)
        position = position.play(max(tried, key=lambda move: position.score_change(move).total))
    final = game.points(position)
    assert all(final <= limit for limit in limits)
    assert game.explanations.score_argument(position) == {"limit": final, "hidden": 0}


@pytest.mark.parametrize("tiles", ["FFFFFF/1FFFFFF", "PPPPPP/1FFFFFF", "FLFFFF/1FFFFLF", "PRPPPP/1FFFUFF"])
def test_score_argument_is_exact_without_obstacles(tiles: str) -> None:
    parsed: Any = parse_game_id(f"honshu:6/0{tiles}/")
    start = parsed.start()
    best = max(start.play(move).score.total for move in start.moves())
    assert parsed.game.explanations.score_argument(start)["limit"] == best


START = parse_game_id("hexapawn:3x3")
TRUTH = plain.solve(START.start(), Control()) or {}
POSITIONS = [each for each in TRUTH if each.outcome() is None]


@st.composite
def claims(draw: st.DrawFn) -> tuple[Position[Any], Claim]:
    """Any claim about any position, with any book."""
    position = draw(st.sampled_from(POSITIONS))
    value = draw(st.sampled_from(Value))
    plies = None if value is Value.TIE else draw(st.integers(1 + (value is Value.LOSS), 8))
    claim = Claim(draw(st.integers(0, 1)), value, plies)
    mine = [each for each in POSITIONS if each.turn == claim.side]
    for each in draw(st.lists(st.sampled_from(mine), max_size=12)):
        claim.book[each] = (draw(st.sampled_from(each.moves())), draw(st.none() | st.integers(0, 8)))
    return position, claim


@given(claims())
@settings(max_examples=80, deadline=None)
def test_checker_accepts_only_true_claims(made: tuple[Position[Any], Claim]) -> None:
    position, claim = made
    if claim.value is Value.TIE or claim.plies is not None:
        value, plies = TRUTH[position]
        mine = value if position.turn == claim.side else value.reversed
        order = [Value.LOSS, Value.TIE, Value.WIN]
        better = order.index(mine) - order.index(claim.value)
        in_time = claim.plies is None or (
            plies <= claim.plies if claim.value is Value.WIN else plies >= claim.plies
        )
        true = better > 0 or (better == 0 and in_time)
        certificate = Certificate(replace(START, position=position.text()), [claim])
        assert true or checked(certificate).trouble
        # Without a book the checker searches by itself.
        claim.book.clear()
        assert bool(checked(certificate).trouble) is not true


def test_claimed_win_that_can_be_postponed_forever_is_rejected() -> None:
    """Without a number of plies the moves must get fewer, as they do in tic-tac-toe."""
    parsed = parse_game_id("menace:XX.OO....")
    assert checked(Certificate(parsed, [Claim(0, Value.WIN, None)])).trouble == ""
    assert checked(Certificate(parsed, [Claim(1, Value.WIN, None)])).trouble
    parsed = parse_game_id("hexapawn:5x3:..p/.../.../.../P..:w")
    assert checked(Certificate(parsed, [Claim(0, Value.WIN, 7)])).trouble == ""
    # Each side has one move as long as the race lasts.
    assert checked(Certificate(parsed, [Claim(0, Value.WIN, None)])).trouble


def test_only_bounds_are_claimed_while_winner_is_unknown() -> None:
    bound = DuelVerdict(Proof.BOUND, at_least=7)
    assert claims_of(bound, 0) == [Claim(0, Value.LOSS, 7), Claim(1, Value.LOSS, 7)]
    won = DuelVerdict(Proof.BOUND, Value.LOSS, at_least=4, at_most=9)
    assert claims_of(won, 0) == [Claim(1, Value.WIN, 9), Claim(0, Value.LOSS, 4)]
    assert claims_of(DuelVerdict(Proof.BOUND, Value.WIN), 1) == [Claim(1, Value.WIN, None)]
    assert claims_of(DuelVerdict(), 0) == []


def test_certificate_leaves_positions_beyond_the_time_limit_open() -> None:
    parsed = parse_game_id("hexapawn:5x5")
    with Control() as control:
        start = parsed.start()
        claim = claims_of(duel(parsed.game.solver.verdict(start, control)), start.turn)[1]
        builder = CertificateBuilder(parsed.game.solver, claim)
        builder.fill(start, control, 0.3)
        assert builder.lines > 0
    result = checked(Certificate(parsed, [claim]))
    assert (result.trouble, result.unfinished) == ("", False)
    assert result.open > 0


def test_certificate_uses_no_move_of_a_cancelled_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 7x5 a stopped search left a slow win as the best move, and the certificate was false."""
    parsed = parse_game_id("hexapawn:4x4")
    solver, asked = type(parsed.game)().solver, 0

    def worst(position: Any, control: Control) -> Any:
        nonlocal asked
        asked += 1
        analysis = solver.moves(position, control)
        if asked == 10:
            control.cancel()
            return min(analysis, key=lambda each: each.verdict.preference).move
        return next((each.move for each in analysis if each.best), None)

    with Control() as control:
        start = parsed.start()
        claim = claims_of(duel(solver.verdict(start, control)), start.turn)[0]
        monkeypatch.setattr(solver, "best_move", worst)
        CertificateBuilder(solver, claim).fill(start, control, 20)
    assert asked == 10
    result = checked(Certificate(parsed, [claim]))
    assert (result.trouble, result.unfinished) == ("", False)
    assert result.open > 0


def test_depth_limit_shortens_the_certificate() -> None:
    books = []
    for depth in (2, None):
        found = proved("hexapawn:4x4", depth=depth, written=True)
        assert (found.agrees, found.method) == (True, ProofMethod.CERTIFICATE)
        books.append(found.certificate.count("\n"))
    assert books[0] < books[1]


@pytest.mark.slow
def test_verification_without_enough_time_is_partial() -> None:
    for seconds in (0, 2.0):
        found = proved("hexapawn:8x8", seconds=seconds)
        assert (found.agrees, found.method) == (None, ProofMethod.PARTIAL)
    assert " open" in found.finding


def test_partial_check_is_not_full_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    for found in (CheckResult(open=3), CheckResult(unfinished=True)):
        monkeypatch.setattr(verify, "check", lambda *_, found=found: found)
        again = proved("hexapawn:3x4", written=True)
        assert (again.agrees, again.method) == (None, ProofMethod.PARTIAL)
        assert "random line" not in again.finding
    # The moves reach the best score, but a higher one is not excluded.
    again = proved("honshu:5x2#3", seconds=2)
    assert (again.agrees, again.method) == (None, ProofMethod.PARTIAL)
    assert "Ran out of time before a brute-force search" in again.finding


def test_missing_line_at_timeout_is_not_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_game("honshu").solver, "line", lambda position, control: [])
    found = proved("honshu:5x2#3", seconds=0)
    assert (found.agrees, found.method) == (None, ProofMethod.PARTIAL)
    assert found.finding == "Ran out of time before the solver had found its whole line."


def test_certificate_of_finished_game_names_the_winner() -> None:
    assert claims_of(DuelVerdict(Proof.EXACT, Value.LOSS, 0), 0) == [Claim(1, Value.WIN, None)]
    # That nobody has lost before ply 1 goes without saying.
    assert claims_of(DuelVerdict(Proof.EXACT, Value.WIN, 1), 0) == [Claim(0, Value.WIN, 1)]
    assert claims_of(DuelVerdict(Proof.BOUND, at_least=1), 0) == []


def test_false_certificate_is_never_accepted() -> None:
    """`python -m tools.forge` makes 12,000."""
    false, true, accepted = forge(250, 1)
    assert accepted == []
    assert false.keys() >= {"refused", "differs", "in part"}
    assert true["accepted"] > 60


def test_line_exceeding_claimed_score_is_refused() -> None:
    found = read(proved("honshu:5x1#3", written=True).certificate).text()
    best = json.loads(found)["claims"][0]["best"]
    with pytest.raises(InputError, match=f"'best' must be {best}, the score at the end of the line"):
        read(found.replace(f'"best": {best}', '"best": 0'))


def test_brute_force_search_gives_up_at_its_limits() -> None:
    start = parse_game_id("hexapawn:3x4").start()
    with Control() as control:
        assert plain.solve(start, control, most=10) is None
        control.cancel()
        assert plain.solve(start, control) is None
    with Control() as control:
        assert plain.solve(Circle(), control) is None
    over = replace(parse_game_id("menace"), position="XOXOXOX..")
    assert checked(Certificate(over, [Claim(0, Value.WIN, None)])).trouble == ""


class Circle(Position[int]):
    """Two positions that lead to each other."""

    def __init__(self, turn: int = 0) -> None:
        self.turn = turn

    def __hash__(self) -> int:
        return self.turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Circle) and other.turn == self.turn

    def moves(self) -> list[int]:
        return [0]

    def play(self, move: int) -> Circle:
        return Circle(1 - self.turn)

    def text(self) -> str:
        return str(self.turn)

    def outcome(self) -> Outcome | None:
        return None


DUEL = {"side": 0, "value": "win", "plies": 5, "book": []}
STRANGE: tuple[Any, ...] = ("", [], True, 2.5)
SCORE: dict[str, Any] = {"best": None, "line": "", "bound": 5, "argument": {}}


def certificate(game: str, claims: list[dict[str, Any]]) -> str:
    return json.dumps({"format": "solver-arcade certificate 1", "game": game, "claims": claims})


class Long(Circle):
    """A game with one move in each of very many positions."""

    def play(self, move: int) -> Long:
        return Long(self.turn + 1)


def test_claim_about_an_overlong_game_stays_undecided() -> None:
    found = Certificate(parse_game_id("menace"), [Claim(0, Value.TIE, None)])
    found.__dict__["start"] = Long()
    assert checked(found).agrees is None


def test_possible_tie_by_repetition_stays_undecided() -> None:
    found = Certificate(parse_game_id("menace"), [Claim(0, Value.TIE, None)])
    found.__dict__["start"] = Circle()
    assert (checked(found).trouble, checked(found).agrees) == ("", None)
    found.claims = [Claim(0, Value.WIN, 6)]
    assert checked(found).agrees is False


def changed(**keys: Any) -> str:
    return certificate("hexapawn:3x4", [{**DUEL, **keys}])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is not valid JSON (line 1, column 1: "),
        ("[]", "it must be an object, not []"),
        ("{}", "format is missing"),
        ('{"format": "other", "game": "", "claims": []}', "'format' must be"),
        (changed().replace("hexapawn:3x4", "chess"), "Unknown game 'chess'"),
        (changed(side=2), "claims[0]: the side must be 0 or 1, not"),
        (changed(value="draw"), 'claims[0].value must be one of win, loss, tie, not "draw"'),
        (changed(side=-1), "claims[0]: the side must be 0 or 1, not"),
        (changed(plies="x"), 'claims[0].plies must be a whole number or null, not "x"'),
        (changed(plies=float("inf")), "claims[0].plies must be a whole number or null, not Infinity"),
        (changed(plies=0), "claims[0]: for 'win' the plies"),
        (changed(value="tie"), "claims[0]: for 'tie' the plies must be null;"),
        *(
            (changed(value="loss", plies=plies), "claims[0]: for 'loss' the plies must be at least 2;")
            for plies in (None, 1, 0, -4)
        ),
        *(
            (changed(value="loss", plies=strange), "claims[0].plies must be a whole number or null, not ")
            for strange in STRANGE
        ),
        (changed(value="loss", book=[["pppp/..../PPPP:w", "b2", 0]]), "claims[0].book[0]: for 'loss' the"),
        ("[" * 100_000, "it is not valid JSON: "),
        (certificate("hexapawn:3x4", []), "the certificate contains no claim."),
        (certificate("hexapawn:3x4", [SCORE]), "claims[0].side is missing"),
        (certificate("honshu:5x1", [DUEL]), "claims[0].best is missing"),
        (
            certificate("honshu:5x1", [{**SCORE, "bound": None}]),
            "claims[0]: if 'best' is null",
        ),
        (
            certificate("honshu:5x1", [{**SCORE, "bound": 1e3}]),
            "claims[0].bound must be a whole number or null, not 1000.0",
        ),
        (
            certificate("honshu:5x1", [{**SCORE, "bound": 10**6}]),
            "the bound 1000000 is always true",
        ),
        (changed(book=[["pppp/..../PPPP:w", "b2"]]), "claims[0].book[0] must be a list of 3, not "),
        (changed(book=[["pppp/.../PPPP:w", "b2", 5]]), "claims[0].book[0]: Row 2 from the top"),
        (changed(book=[["pppp/..../PPPP:w", "99", 5]]), "claims[0].book[0]: The move '99'"),
        (changed(book=[[5, "b2", 5]]), "claims[0].book[0][0] must be text, not 5"),
        (certificate("honshu:5x1", [{**SCORE, "line": "1r9@1,1"}]), "claims[0]: Move 1, '1r9@1,1'"),
    ],
)
def test_damaged_certificate_error_names_the_place(text: str, message: str) -> None:
    refused(f"^Cannot read the certificate: {re.escape(message)}", read, text)


def test_illegal_certificate_move_is_reported() -> None:
    found = read(changed(book=[["pppp/..../PPPP:w", "b3", 5]]))
    assert checked(found).trouble.startswith("The certificate contains an illegal move")
    # The other side moves there.
    found = read(changed(book=[["pppp/.P../P.PP:b", "axb2", 5]]))
    assert "does not hold after axb2" in checked(found).trouble


class Elsewhere(Kernels):
    """Kernels that are never compiled."""

    def ready(self, game: str) -> bool:
        return False

    def wait(self, game: str, control: Control) -> bool:
        return False


def test_verification_in_app_compiles_no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    solver, compiled = get_game("hexapawn").solver, []
    monkeypatch.setattr(solver, "warm", lambda kernels: compiled.append(1))
    with Control() as control:
        verify.verify(parse_game_id("hexapawn:3x3"), control)
        assert compiled == [1]
    with Control(kernels=Elsewhere()) as control:
        verify.verify(parse_game_id("hexapawn:3x3"), control)
    assert compiled == [1]
