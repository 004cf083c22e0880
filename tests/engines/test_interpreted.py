"""Kernels as plain Python: the same answers, also where the compiled kernel takes over in the middle."""

from typing import Any

import pytest

from arcade.engines.chocobar.table import GrundyTable
from arcade.engines.compiled import leading_zeros, njit, popcount, trailing_zeros
from arcade.engines.control import Control, Kernels
from arcade.engines.registry import parse_game_id

_ALL = (1, 3, 1 << 40, (1 << 63) | 8, (1 << 64) - 1)


@njit(cache=True)
def counts(word: Any) -> tuple[int, int, int]:
    return popcount(word), trailing_zeros(word), leading_zeros(word)


@pytest.mark.parametrize("word", _ALL)
def test_interpreted_and_compiled_bit_counts_agree(word: int) -> None:
    import numpy as np

    digits = f"{word:064b}"
    expected = digits.count("1"), 63 - digits.rindex("1"), digits.index("1")
    assert counts(np.uint64(word)) == counts.interpreted()(np.uint64(word)) == expected


class Late(Kernels):
    """Kernels that are compiled when somebody has asked for them a number of times."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def ready(self, game: str) -> bool:
        self.after -= 1
        return self.after < 0

    def wait(self, game: str, control: Control) -> bool:
        self.after = 0
        return True


@pytest.mark.parametrize("after", [3, 1_000_000])
@pytest.mark.parametrize(
    "id", ["hexapawn:4x4", "hexapawn:3x5,misere", "hexapawn:4x4,capture", "chocobar:6x7", "tetromino:3x5"]
)
def test_solver_agrees_before_and_after_compilation(id: str, after: int) -> None:
    start = parse_game_id(id)
    game, position = start.game, start.start()
    for _ in range(2):
        with Control(kernels=Late(after)) as control:
            plain = type(game)().solver
            found = plain.verdict(position, control), plain.moves(position, control)
        with Control() as control:
            solver = type(game)().solver
            expected = solver.verdict(position, control), solver.moves(position, control)
        assert found[0].limits() == expected[0].limits()
        assert [(str(each.move), each.verdict.limits()) for each in found[1]] == [
            (str(each.move), each.verdict.limits()) for each in expected[1]
        ]
        position = position.play(position.moves()[-1])


def test_work_waiting_for_kernels_ends_on_cancel() -> None:
    class Never(Late):
        def ready(self, game: str) -> bool:
            return False

        def wait(self, game: str, control: Control) -> bool:
            assert control.waiting
            control.cancel()
            return False

    for id in ("chocobar:11x12", "tetromino:4x6"):
        start = parse_game_id(id)
        with Control(kernels=Never(0)) as control:
            assert type(start.game)().solver.verdict(start.start(), control).remoteness is None
            assert not control.waiting
    with Control(kernels=Never(0)) as control:
        assert GrundyTable().look_up((4, 4, 4), control) is None
