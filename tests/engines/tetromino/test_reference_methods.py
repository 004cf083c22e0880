"""The article's method."""

from __future__ import annotations

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.tetromino import reference_methods as classic
from arcade.engines.tetromino.game import GAME
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import Value
from tests.engines.tetromino.test_solver import TIE_IS_BEST, oracle, random_positions


def test_plain_method_matches_the_oracle(control: Control) -> None:
    positions = [GAME.parse_position(TIE_IS_BEST), *random_positions("4x5", range(2, 6), 8, 8)]
    for position in positions:
        assert classic.plain(position, control) == oracle(position)[0], position.text()


@pytest.mark.parametrize(("size", "value"), [("5x5", Value.WIN), ("4x7", Value.WIN), ("5x6", Value.LOSS)])
def test_plain_method_solves_small_boards(size: str, value: Value, control: Control) -> None:
    assert classic.plain(GAME.new(GAME.parameters.parse(size)), control) is value
    assert control.nodes > 100


def test_plain_method_stops_at_the_deadline() -> None:
    classic.warm()
    with Control(0.1) as control:
        assert classic.plain(GAME.new(GAME.parameters.parse("5x8")), control) is None
        assert control.seconds < 0.5


def test_plain_method_rejects_boards_over_54_cells(control: Control) -> None:
    large = GAME.new(GAME.parameters.parse("7x8"))
    with pytest.raises(InputError, match=r"up to 54 cells\. This one has 56"):
        classic.plain(large, control)
    plain = GAME.reference_methods.methods[0]
    assert plain.solve(large, control).gave_up == "supports boards of up to 54 cells"


def visited(position: Tetrominoes) -> tuple[int, int]:
    """The value (1 for a win, 0 a tie) and the positions of the article's recursion, on the rules alone."""
    if not any(position.hands):
        return 0, 1
    value, count = -1, 1
    for move in reversed(list(position.moves())):
        theirs, below = visited(position.play(move))
        value, count = max(value, -theirs), count + below
        if value == 1:
            break
    return value, count


@pytest.mark.parametrize("size", ["4x4", "4x5", "5x5,ILO-IST", "3x7,LO-ST"])
def test_plain_method_node_count_matches_its_move_order(size: str, control: Control) -> None:
    position = GAME.new(GAME.parameters.parse(size))
    value, count = visited(position)
    assert classic.plain(position, control) is {1: Value.WIN, 0: Value.TIE, -1: Value.LOSS}[value]
    assert control.nodes == count


def test_plain_method_player_keeps_the_value(control: Control) -> None:
    for position in [GAME.parse_position(TIE_IS_BEST), *random_positions("4x5", range(2, 6), 10, 5)]:
        if position.outcome() is None:
            after = position.play(classic.plain_move(position, control))
            worth: dict[Value | str, int] = {Value.WIN: 1, Value.TIE: 0, Value.LOSS: -1}
            assert worth[oracle(after)[0]] == -worth[oracle(position)[0]]
