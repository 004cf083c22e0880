"""Tic-tac-toe's rules of play against all its positions."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from arcade.engines.menace.reasons import RULES
from arcade.engines.menace.rules import Cell, TicTacToe
from arcade.engines.position import Position
from arcade.engines.reasons import BoardCount, evidence
from arcade.engines.registry import get_game
from arcade.engines.verdict import Value
from tests.engines.explained import check_distances, mean_distances
from tools.reasons import Judged, by_rule_book, count, met, reached

GAME = get_game("menace")
CLASSICAL = ("win", "block", "fork", "block-fork", "centre", "opposite-corner", "empty-corner", "empty-side")


@cache
def every() -> list[Judged]:
    """All positions and their values."""
    return list(reached("menace"))


def test_stored_evidence_matches_recount() -> None:
    total, holds, fails = count(RULES, iter(every()))
    assert total == 5478
    kept = evidence("arcade.engines.menace")
    for rule in RULES:
        assert kept[rule.id] == (BoardCount("3x3", total, holds[rule.id], fails[rule.id]),)


def test_exactly_one_classical_rule_applies_per_position() -> None:
    rules = [rule for rule in RULES if rule.id in (*CLASSICAL, "two-threats", "block-twice")]
    assert len(rules) == 10
    for position, _ in every():
        assert isinstance(position, TicTacToe)
        spoken = [rule.id for rule in rules if rule.match(position) is not None]
        assert len(spoken) == (position.outcome() is None), (position.text(), spoken)


def test_cells_named_by_proven_rules_keep_the_value() -> None:
    values: dict[Position[Any], Value] = dict(every())
    named = [rule for rule in GAME.explanations.rules if rule.proved and rule.value is not Value.LOSS]
    assert {"win", "fork", "block-twice", "two-lines"} <= {rule.id for rule in named}
    for position, known in values.items():
        assert isinstance(position, TicTacToe)
        for rule in named:
            case = rule.match(position) if position.outcome() is None else None
            for row, column in case.squares if case else ():
                assert values[position.play(Cell(3 * row + column))] is known.reversed


def test_known_values_match_brute_force() -> None:
    found: dict[Position[Any], Value] = {}
    for position, known in every():
        assert by_rule_book(position, found) is known


def test_distances_on_demand_match_full_analysis() -> None:
    check_distances("menace")


def test_explanations_stay_short() -> None:
    all_rules, taught = mean_distances("menace", list(met("menace", games=20)))
    assert all_rules <= 1.2
    assert taught <= 1.5


def test_rule_texts_name_sides_without_pronouns() -> None:
    told = {
        rule.id: case.says
        for position, _ in every()
        for rule in get_game("menace").explanations.rules
        if (case := rule.match(position)) is not None
    }
    assert len(told) == len(RULES)
    for says in told.values():
        assert not re.search(r"\b(you|yours?|they|theirs?|them)\b", says, re.IGNORECASE), says
