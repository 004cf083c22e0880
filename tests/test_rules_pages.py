"""The players' pages quote rules of thumb as the program has them, and explanations are true."""

from __future__ import annotations

import re

import pytest

from arcade.engines.registry import get_game
from tools.reasons import CHECKED, ROOT, checked


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "menace", "tetromino"])
def test_rules_quoted_on_game_page_are_the_program_s(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8")
    quoted = [" ".join(text.split()).casefold() for text in re.findall("“([^”]+)”", page)]
    assert len(quoted) >= 4
    rules = [rule.says.casefold() for rule in get_game(name).explanations.rules]
    for text in quoted:
        assert any(rule.endswith(text) for rule in rules), text


@pytest.mark.parametrize("board", CHECKED)
def test_explanations_are_never_false(board: str) -> None:
    found, false = checked(board, 60)
    assert found > 30
    assert false == 0
