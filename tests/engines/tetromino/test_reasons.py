"""Tetromino's rules of play against the rule book and the solver."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from arcade.engines.registry import get_game
from arcade.engines.tetromino.board import cells_of
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import Value
from tests.engines.explained import mean_distances
from tools.reasons import by_rule_book, count, late_boards, met

RULES = get_game("tetromino").explanations.rules


def test_proven_rules_have_no_exceptions_on_sampled_positions() -> None:
    proved = [rule for rule in RULES if rule.proved]
    assert len(proved) == 6
    for board in ("4x7", "5x6", "6x6"):
        total, holds, fails = count(proved, late_boards(board, 300))
        assert total == 300
        assert not fails
        assert len(holds) > 4


def test_rule_texts_name_sides_without_pronouns() -> None:
    told = {
        rule.id: case.says
        for board in ("4x7", "5x6")
        for position, _ in late_boards(board, 400)
        for rule in RULES
        if (case := rule.match(position)) is not None
    }
    assert len(told) > 5
    for says in told.values():
        assert not re.search(r"\b(you|yours?|they|theirs?|them)\b", says, re.IGNORECASE), says


def test_sampled_position_values_match_brute_force() -> None:
    small = [(position, value) for position, value in late_boards("4x6", 400) if len(position.moves()) < 12]
    assert len(small) > 50
    known: dict[Any, Value] = {}
    for position, value in small:
        assert by_rule_book(position, known) is value


def test_explanations_stay_short_on_small_board() -> None:
    every, taught = mean_distances("tetromino:5x6", list(islice(met("tetromino:5x6", games=20), 6)))
    assert every <= 1.5
    assert taught <= 2


def test_equivalent_positions_share_one_cache_entry_and_rules() -> None:
    tetromino = get_game("tetromino")
    for size in ("5x6", "6x6"):
        for position, _ in late_boards(size, 40):
            once = tetromino.symmetries.quick_canonical(position)
            told = [rule.match(position) is not None for rule in RULES]
            assert [rule.match(once) is not None for rule in RULES] == told
            for image in tetromino.symmetries.images(position):
                assert tetromino.symmetries.quick_canonical(image) == once


def test_live_cells_are_cells_the_hands_can_cover() -> None:
    for position, _ in late_boards("5x6", 40):
        assert isinstance(position, Tetrominoes)
        masks, hand = position.board.placements, position.hands[0] | position.hands[1]
        covered = {
            cell for side in (0, 1) for each in position.placements(side) for cell in cells_of(masks[each])
        }
        free = (1 << position.board.cells) - 1 & ~position.occupied
        assert set(cells_of(position.board.live(free, hand))) == covered
