import pytest

from arcade.engines.chocobar.rules import Bar, Bite
from arcade.engines.chocobar.solver import known
from arcade.engines.verdict import Proof, Value
from tests.engines.chocobar.brute import all_bars, remoteness
from tests.narrow import present


@pytest.mark.parametrize("size", [(5, 5), (2, 9), (9, 2), (6, 4), (1, 12)])
def test_theory_says_only_what_is_so(size: tuple[int, int]) -> None:
    said = 0
    for rows in all_bars(*size):
        theory = known(rows)
        if theory is None:
            continue
        said += 1
        truth = remoteness(rows)
        assert (theory.value is Value.WIN) == bool(truth % 2)
        if theory.exact is not None:
            assert theory.exact == truth
            assert (theory.bite is None) == (theory.value is Value.LOSS)
        if theory.at_most is not None:
            assert truth <= theory.at_most
        if theory.bite is not None:
            after = remoteness(Bar(rows).play(theory.bite).rows)
            assert after % 2 == 0
            assert after + 1 == (theory.at_most if theory.exact is None else theory.exact)
    assert said


def test_of_several_bites_that_win_the_quickest_is_named() -> None:
    told_apart = 0
    for rows in all_bars(5, 6):
        theory = known(rows)
        if theory is None or theory.exact is not None:
            continue
        after = [
            remoteness(Bar(rows).play(bite).rows)
            for bite in (Bite(2, 2), Bite(3, 1), Bite(1, 3))
            if bite in Bar(rows).moves()
        ]
        lost = [plies for plies in after if plies % 2 == 0]
        assert theory.at_most == (1 + min(lost) if lost else None)
        told_apart += len(set(lost)) > 1
    assert told_apart


def test_two_rows_or_columns_ls_and_squares_are_known_exactly() -> None:
    for rows in all_bars(6, 6):
        l_shape = len(rows) > 1 and rows[1] == 1
        square = rows == (len(rows),) * len(rows)
        if len(rows) <= 2 or rows[0] <= 2 or l_shape or square:
            assert present(known(rows)).verdict().proof is Proof.EXACT


def test_every_full_bar_is_won_by_strategy_stealing() -> None:
    for rows in range(1, 19):
        for columns in range(1, 19):
            if rows * columns == 1:
                continue
            theory = present(known((columns,) * rows))
            assert theory.value is Value.WIN
            if rows > 2 and columns > 2:
                assert "strategy stealing" in theory.reason
                assert ("L-strategy" in theory.reason) == (rows == columns)


def test_the_l_strategy_is_exact_on_squares() -> None:
    theory = present(known((18,) * 18))
    assert theory.exact == 35
    assert theory.bite == Bite(2, 2)
