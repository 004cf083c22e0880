"""The article's method."""

from __future__ import annotations

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.tetromino import GAME
from arcade.engines.tetromino import documents as classic
from arcade.engines.verdict import Value
from tests.engines.tetromino.test_solver import TIE_IS_BEST, oracle, random_positions


def test_plain_equals_the_oracle(control: Control) -> None:
    positions = [GAME.parse_position(TIE_IS_BEST), *random_positions("4x5", range(2, 6), 25, 8)]
    for position in positions:
        assert classic.plain(position, control) == oracle(position)[0], position.text()


@pytest.mark.parametrize(("size", "value"), [("5x5", Value.WIN), ("4x7", Value.WIN), ("5x6", Value.LOSS)])
def test_plain_solves_small_boards(size: str, value: Value, control: Control) -> None:
    assert classic.plain(GAME.new(GAME.parse_parameters(size)), control) is value
    assert control.nodes > 100


def test_plain_stops_when_told() -> None:
    classic.warm()
    with Control(0.1) as control:
        assert classic.plain(GAME.new(GAME.parse_parameters("6x8")), control) is None
        assert control.seconds < 0.5


def test_plain_says_which_boards_it_takes(control: Control) -> None:
    with pytest.raises(InputError, match="at most 54 cells, not 56"):
        classic.plain(GAME.new(GAME.parse_parameters("7x8")), control)
