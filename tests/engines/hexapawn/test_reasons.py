"""The rules of play and the reasons made of them, against retrograde analyses that know no rule."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.reasons import RULES
from arcade.engines.hexapawn.rules import PawnMove, PawnPosition
from arcade.engines.reasons import BoardCount, Rule, evidence
from arcade.engines.retrograde import StateSpace, explore, solve, work_back
from arcade.engines.verdict import Value
from tests.engines.hexapawn.positions import VARIANTS, random_board, truth
from tools.pawns import pawns
from tools.reasons import count, pawn_boards

Graph = StateSpace[PawnPosition, PawnMove]


@cache
def graph_of(size: str) -> tuple[Graph, list[Value]]:
    graph: Graph | None = explore(GAME.new(GAME.parameters.parse(size)))
    assert graph is not None
    verdicts = solve(graph)
    return graph, [verdict.value or Value.TIE for verdict in verdicts]


def false_ones(rules: tuple[Rule[PawnPosition], ...], graph: Graph, values: list[Value]) -> Counter[str]:
    """On how many positions each rule says something false."""
    pairs = zip(graph.positions, values, strict=True)
    return Counter(
        rule.id
        for position, value in pairs
        for rule in rules
        if rule.value is not value and rule.match(position) is not None
    )


@pytest.mark.parametrize("size", ["3x3", "4x3", "3x5"])
def test_proven_rules_have_no_exceptions_on_solved_boards(size: str) -> None:
    proved = tuple(rule for rule in GAME.explanations.rules if rule.proved)
    assert len(proved) == 6
    assert not false_ones(proved, *graph_of(size))


def test_wrong_rule_is_detected() -> None:
    wrong = replace(RULES[0], id="wrong", value=Value.LOSS)
    assert false_ones((wrong,), *graph_of("3x3"))["wrong"] > 10


@pytest.mark.parametrize("size", ["3x3", "3x5", "4x4"])
def test_stored_evidence_matches_recount(size: str) -> None:
    rows, columns = map(int, size.split("x"))
    total, holds, fails = count(RULES, pawn_boards(rows, columns))
    for rule in RULES:
        kept = [each for each in evidence("arcade.engines.hexapawn").get(rule.id, ()) if each.board == size]
        found = BoardCount(size, total, holds[rule.id], fails[rule.id])
        assert kept == ([found] if found.holds or found.exceptions else [])
        assert not (rule.proved and found.exceptions)


@pytest.mark.parametrize("size", ["3x3", "4x3", "3x5"])
def test_counted_positions_match_reachable_positions_and_values(size: str) -> None:
    rows, columns = map(int, size.split("x"))
    graph, values = graph_of(size)
    known: dict[tuple[int, int], Value] = {}
    for position, value in zip(graph.positions, values, strict=True):
        seen = position.turned() if position.turn else position
        images = seen, seen.mirrored()
        known[min((image.white, image.black) for image in images)] = value
    listed = {}
    for board, value in pawn_boards(rows, columns):
        assert isinstance(board, PawnPosition)
        listed[min((image.white, image.black) for image in (board, board.mirrored()))] = value
    assert listed == known
    assert len(pawns(rows, columns).won) == len(known)


@pytest.mark.parametrize("size", ["3x3", "4x3", "3x5"])
def test_explanation_distance_matches_full_analysis(size: str) -> None:
    graph, values = graph_of(size)
    rules = [rule for rule in GAME.explanations.rules if rule.proved]
    explained = [any(rule.match(position) for rule in rules) for position in graph.positions]
    children = [() if ends else after for ends, after in zip(explained, graph.children, strict=True)]
    solved = work_back(children, values.__getitem__)
    assert solved is not None
    assert [value for value, _ in solved] == values
    reasons = GAME.explanations.reasons
    chosen = random.Random(0).sample(range(len(values)), min(500, len(values)))
    with Control() as control:
        for at in chosen:
            why = reasons.why(graph.positions[at], control)
            assert why is not None
            assert why.distance == solved[at][1], graph.positions[at].text()


def test_explanations_and_their_lines_are_correct() -> None:
    rng = random.Random(0)
    asked: Counter[int] = Counter()
    with Control() as control:
        for _ in range(400):
            board = random_board(rng, rng.choice((3, 4)), rng.choice((3, 4, 5)), (False, False))
            why = GAME.explanations.reasons.why(board, control)
            assert why is not None
            if why.distance == 0 and asked[0] >= 100:
                continue  # The oracle needs long, and these are no news.
            wins, _ = truth(board)
            assert why.verdict.value is (Value.WIN if wins else Value.LOSS)
            at = board
            for move in why.line:
                at = at.play(move)
            assert at == why.position
            assert (why.value is Value.WIN) == truth(at)[0]
            if why.rule is None:
                assert at.outcome() is not None
            else:
                assert why.rule.value is why.value
            asked[why.distance] += 1
    assert len(asked) > 2


@pytest.mark.parametrize("variant", VARIANTS[1:])
def test_rules_do_not_apply_in_variants(variant: tuple[bool, bool]) -> None:
    board = GAME.parse_position("..p/.../P..:w")
    assert any(rule.match(board) for rule in RULES)
    other = replace(board, misere=variant[0], capture=variant[1])
    assert not any(rule.match(other) for rule in RULES)


def test_rules_do_not_apply_after_the_end() -> None:
    for text in ("P../.p./...:b", "p../P../...:w", "p.p/P.P/...:b"):
        board = GAME.parse_position(text)
        if board.outcome() is not None:
            assert not any(rule.match(board) for rule in RULES)


def test_rule_text_names_squares_and_sides() -> None:
    rule = RULES[0]
    board = GAME.parse_position("p..../...../..P../...../.....:w")
    case = rule.match(board)
    assert case is not None
    assert (
        case.says == "White's pawn on c3 is passed, so nothing can stop it. It needs 2 steps, and "
        "Black's foremost pawn needs 4."
    )
    assert case.squares == ((2, 2),)
    case = rule.match(board.turned())
    assert case is not None
    assert (
        case.says == "Black's pawn on c3 is passed, so nothing can stop it. It needs 2 steps, and "
        "White's foremost pawn needs 4."
    )


def cases(board: PawnPosition) -> dict[str, Any]:
    return {rule.id: case.says for rule in RULES if (case := rule.match(board))}


@pytest.mark.parametrize("seed", range(3))
def test_rules_agree_on_turned_and_mirrored_boards(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        board = random_board(rng, rng.choice((4, 5)), rng.choice((4, 5)), (False, False))
        said = cases(board).keys()
        assert said == cases(board.turned()).keys() == cases(board.mirrored()).keys()
