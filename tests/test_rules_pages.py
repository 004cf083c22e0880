"""The pages of the games print their rules of play as the tool does."""

from __future__ import annotations

import pytest

from arcade.engines.registry import get_game
from tools.reasons import ROOT, page


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "menace", "tetromino"])
def test_the_page_of_a_game_has_its_rules_with_their_evidence(name: str) -> None:
    assert page(get_game(name)) in (ROOT / "docs" / f"{name}.md").read_text("utf-8")
