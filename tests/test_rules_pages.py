"""The players' pages quote rules of thumb as the program has them, and explanations are true."""

from __future__ import annotations

import re

import pytest

from arcade.engines.files import package_table
from arcade.engines.registry import get_game
from tools.reasons import CHECKED, ROOT, checked


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "menace", "tetromino"])
def test_game_page_quotes_headlines_of_rules(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8")
    page = " ".join(page.split())
    headlines = {rule.name: rule.headline for rule in get_game(name).explanations.rules}
    quoted = [(rule, at) for rule, at in re.findall(r"\*\*([^*]+)\.\*\* ([^*]+)", page) if rule in headlines]
    assert len(quoted) >= 4
    for rule, at in quoted:
        assert at.startswith(headlines[rule])


def test_chocobar_page_lists_every_exception() -> None:
    page = (ROOT / "docs" / "games" / "chocobar.md").read_text("utf-8")
    traps = " ".join(package_table("arcade.engines.chocobar", "shapes.toml")["traps"].values()).split()
    assert len(traps) == 9 + 19
    assert sorted(re.findall(r"\d+(?:\.\d+){2,}", page)) == sorted(traps)


@pytest.mark.parametrize("board", CHECKED)
def test_explanations_are_never_false(board: str) -> None:
    found, false = checked(board, 60)
    assert found > 30
    assert false == 0
