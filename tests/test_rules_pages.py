"""The pages of the games print their rules of play as the tool does."""

from __future__ import annotations

import pytest

from arcade.engines.registry import get_game
from tools.reasons import CHECKED, ROOT, checked, page


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "menace", "tetromino"])
def test_game_page_lists_rules_of_thumb_with_evidence(name: str) -> None:
    assert page(get_game(name)) in (ROOT / "docs" / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize("board", CHECKED)
def test_explanations_are_never_false(board: str) -> None:
    found, false = checked(board, 60)
    assert found > 30
    assert false == 0
