import random
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.chocobar.game import GAME
from arcade.engines.chocobar.rules import Bar, Bite
from arcade.engines.chocobar.solver import ChocobarSolver, effort, known
from arcade.engines.control import Control
from arcade.engines.verdict import Proof, Value
from tests.engines.chocobar import brute
from tests.engines.chocobar.brute import all_bars, remoteness
from tests.engines.test_players import winner
from tests.narrow import duel, present
from tests.refusals import refused
from tests.waiting import wait_for

OPENINGS = Path(__file__).parents[2] / "data" / "chocobar" / "openings.tsv"


@given(st.integers())
@settings(max_examples=75, deadline=None)
def test_verdicts_and_moves_match_brute_force(seed: int) -> None:
    bar = brute.random_bar(random.Random(seed), 6, 5)
    with Control() as control:
        verdict = GAME.solver.verdict(bar, control)
        analysis = GAME.solver.moves(bar, control)
    truth = brute.remoteness(bar.rows)
    assert verdict.proof is Proof.EXACT
    assert verdict.remoteness == truth
    assert verdict.value is (Value.WIN if truth % 2 else Value.LOSS)
    for each in analysis:
        after = brute.remoteness(bar.play(each.move).rows)
        assert each.verdict.remoteness == after + 1
        assert each.verdict.value is (Value.LOSS if after % 2 else Value.WIN)
        assert each.best == (after + 1 == truth and (after % 2 == 0) == bool(truth % 2))


def test_openings_match_the_data_file(control: Control) -> None:
    solver = ChocobarSolver()
    for line in OPENINGS.read_text().splitlines():
        if line.startswith("#"):
            continue
        rows, columns, remoteness, bites = line.split("\t")
        bar = Bar.full(int(rows), int(columns))
        assert solver.verdict(bar, control).remoteness == int(remoteness)
        winning = [
            f"{each.move}[{each.verdict.remoteness}]"
            for each in solver.moves(bar, control)
            if each.verdict.value is Value.WIN
        ]
        assert winning == bites.split()


def test_standard_bar_verdict_and_winning_bites(control: Control) -> None:
    verdict = GAME.solver.verdict(Bar.full(8, 10), control)
    assert (verdict.value, verdict.remoteness, verdict.proof) == (Value.WIN, 45, Proof.EXACT)
    assert "strategy stealing" in verdict.reason
    assert verdict.source.startswith("all bars up to ")
    winning = [
        each.move for each in GAME.solver.moves(Bar.full(8, 10), control) if each.verdict.value is Value.WIN
    ]
    assert winning == [Bite(4, 9), Bite(5, 6)]


def test_smaller_bars_of_a_solved_bar_need_no_search(control: Control) -> None:
    solver = ChocobarSolver()
    first = solver.verdict(Bar.full(8, 9), control)
    assert first.nodes > 0
    for rows in ((9,) * 7, (8,) * 9, (5, 4, 4, 2), (7, 7, 3, 3, 3, 3, 3, 3, 3)):
        verdict = solver.verdict(Bar(rows), control)
        assert verdict.nodes == 0
        assert verdict.source == first.source
    assert solver.verdict(Bar.full(9, 10), control).nodes > 0
    assert solver.verdict(Bar.full(8, 9), control).source.startswith("all bars up to 9x10 ")


def test_cancelled_verdict_claims_only_proven_values() -> None:
    solver = ChocobarSolver()
    solver.warm()
    bar = Bar((17,) * 10 + (13,) * 6)
    control = Control()
    control.cancel()
    verdict = solver.verdict(bar, control)
    assert (verdict.proof, verdict.value, verdict.remoteness) == (Proof.UNKNOWN, None, None)
    full = solver.verdict(Bar.full(10, 11), control)
    assert (full.proof, full.value, full.remoteness) == (Proof.BOUND, Value.WIN, None)
    hooked = duel(solver.verdict(Bar((16, 14, 14, *(3,) * 13)), control))
    assert (hooked.proof, hooked.value, hooked.at_most) == (Proof.BOUND, Value.WIN, 31)
    square = solver.verdict(Bar.full(18, 18), control)
    assert (square.proof, square.remoteness) == (Proof.EXACT, 35)
    assert all(not each.best for each in solver.moves(bar, control) if each.verdict.value is not Value.WIN)


def test_stored_verdict_does_not_depend_on_the_side_to_move(control: Control) -> None:
    control.cancel()
    rows = (18,) * 16
    first, second = (ChocobarSolver().verdict(Bar(rows, turn), control) for turn in (0, 1))
    assert (first.proof, first.value, first.remoteness) == (Proof.EXACT, Value.WIN, 169)
    assert (second.proof, second.value, second.remoteness) == (Proof.EXACT, Value.WIN, 169)


def test_verdict_without_remoteness_is_a_bound(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    """With no memory for remoteness, as it is from 16x17 on, all winning bites are best."""
    monkeypatch.setattr("arcade.engines.chocobar.table.MAX_WITH_REMOTENESS", 1000)
    solver = ChocobarSolver()
    verdict = solver.verdict(Bar.full(8, 10), control)
    assert (verdict.proof, verdict.value, verdict.remoteness) == (Proof.BOUND, Value.WIN, None)
    assert verdict.source == "all bars up to 8x10 are solved"
    analysis = solver.moves(Bar.full(8, 10), control)
    assert [each.move for each in analysis if each.best] == [Bite(4, 9), Bite(5, 6)]
    assert {each.verdict.value for each in analysis if not each.best} == {Value.LOSS}
    lost = Bar.full(8, 10).play(Bite(4, 9))
    assert solver.verdict(lost, control).value is Value.LOSS
    assert all(each.best for each in solver.moves(lost, control))
    small = solver.verdict(Bar.full(4, 5), control)
    assert (small.proof, small.remoteness) == (Proof.EXACT, 11)
    line = solver.line(Bar.full(8, 10), control)
    end = Bar.full(8, 10)
    for move in line:
        end = end.play(move)
    assert end.rows == (1,)
    assert end.turn == 1
    solver.solve_with_remoteness(8, 10, control)
    assert solver.verdict(Bar.full(8, 10), control).remoteness == 45
    assert [each.move for each in solver.moves(Bar.full(8, 10), control) if each.best] == [Bite(5, 6)]


def test_value_table_preserves_known_remoteness(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    monkeypatch.setattr("arcade.engines.chocobar.table.MAX_WITH_REMOTENESS", 1000)
    solver = ChocobarSolver()
    before = solver.verdict(Bar.full(4, 5), control)
    assert solver.verdict(Bar.full(8, 10), control).proof is Proof.BOUND
    after = solver.verdict(Bar.full(4, 5), control)
    assert (after.proof, after.remoteness, after.source) == (Proof.EXACT, 11, before.source)
    assert after.nodes == 0 < before.nodes


def test_cancelled_solve_resumes() -> None:
    solver = ChocobarSolver()
    solver.warm()
    bar = Bar((14,) * 14 + (13,))
    nodes, calls = 0, 0
    found = None
    while found is None or found.proof is not Proof.EXACT:
        with Control(0.2) as control:
            found = solver.verdict(Bar(bar.rows[:13]), control)
        nodes += found.nodes
        calls += 1
        assert calls < 60
    assert nodes <= 1.01 * 20_058_300


@pytest.mark.timed
def test_caller_waiting_for_another_solve_can_be_cancelled() -> None:
    solver = ChocobarSolver()
    solver.warm()
    bar = Bar((17,) * 15 + (16,))
    working, waiting = Control(), Control()
    threads = [
        threading.Thread(target=solver.verdict, args=(bar, control), daemon=True)
        for control in (working, waiting)
    ]
    threads[0].start()
    wait_for(lambda: working.nodes > 0)
    threads[1].start()
    with Control(0.1) as control:
        assert solver.verdict(bar, control).proof is not Proof.EXACT  # it waits as well, and in vain
    with Control() as control:
        assert solver.verdict(Bar((9, 9)), control).proof is Proof.EXACT
    cancelled = time.perf_counter()
    waiting.cancel()
    threads[1].join(2)
    assert time.perf_counter() - cancelled < 0.2
    assert threads[0].is_alive()
    assert "bars" in solver.progress(working)
    working.cancel()
    threads[0].join(2)
    assert not threads[0].is_alive()


def test_concurrent_threads_get_the_same_answers() -> None:
    solver = ChocobarSolver()
    bars = [brute.random_bar(random.Random(seed), 9, 9) for seed in range(200)]
    answers: dict[int, list[int | None]] = {}

    def ask(number: int) -> None:
        answers[number] = [solver.verdict(bar, Control()).remoteness for bar in bars]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers[0] == answers[1] == answers[2]
    assert None not in answers[0]


def test_grundy_numbers_match_brute_force(control: Control) -> None:
    for rows in brute.all_bars(4, 4):
        number = GAME.solver.grundy(Bar(rows), control)
        assert number == brute.grundy(rows), rows
        assert (number == 0) == (brute.remoteness(rows) % 2 == 0)


def test_grundy_numbers_match_known_values(control: Control) -> None:
    facts = {(4, 7): 19, (5, 8): 22, (8, 10): 51, (10, 8): 51, (10, 10): 19}
    rows = [[*range(8)], [1, 2, 4, 5, 7, 8, 10, 11], [2, 4, 5, 9, 11, 12, 13, 16]]
    facts |= {(i, j): rows[i - 1][j - 1] for i in range(1, 4) for j in range(1, 9)}
    solver = ChocobarSolver()
    assert {size: solver.grundy(Bar.full(*size), control) for size in facts} == facts


def test_cancelled_grundy_calculation_resumes() -> None:
    solver = ChocobarSolver()
    control = Control()
    control.cancel()
    assert solver.grundy(Bar.full(9, 9), control) is None
    number = None
    for _ in range(1000):
        with Control(0.005) as control:
            number = solver.grundy(Bar.full(9, 9), control)
        if number is not None:
            break
    with Control() as control:
        assert number == ChocobarSolver().grundy(Bar.full(9, 9), control)
        refused("too large for Grundy numbers", solver.grundy, Bar.full(15, 15), control)


def test_hint_explains_the_l_strategy(control: Control) -> None:
    hint = present(GAME.explanations.hint(Bar.full(6, 6), control))
    assert hint.move == Bite(2, 2)
    assert hint.why == "That leaves an L with two equal arms, and First can copy every bite."
    assert len(hint.line) == 11


@pytest.mark.parametrize("seat", ["perfect", "fallible:5", "random"])
def test_perfect_player_wins_as_first_player(seat: str) -> None:
    for seed in range(5):
        assert winner(Bar.full(5, 6), GAME, ("perfect", seat), seed) == 0


def test_effort_is_reported_only_for_large_bars() -> None:
    assert effort(14, 14) == ""
    assert "15x15" in effort(15, 15)
    assert effort(18, 18).startswith(
        "Solving every bar up to 18x18 (9,075,135,300 bars, their values only) takes"
    )


@pytest.mark.parametrize("size", [(5, 5), (2, 9), (9, 2), (6, 4), (1, 12)])
def test_theory_agrees_with_brute_force(size: tuple[int, int]) -> None:
    said = 0
    for rows in all_bars(*size):
        theory = known(rows)
        if theory is None:
            continue
        said += 1
        truth = remoteness(rows)
        assert (theory.value is Value.WIN) == bool(truth % 2)
        assert theory.remoteness in (None, truth)
        if theory.at_most is not None:
            assert truth <= theory.at_most
    assert said


def test_theory_bound_uses_the_quickest_winning_bite() -> None:
    told_apart = 0
    for rows in all_bars(5, 6):
        theory = known(rows)
        if theory is None or theory.remoteness is not None:
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


def test_theory_is_exact_for_simple_shapes() -> None:
    for rows in all_bars(6, 6):
        l_shape = len(rows) > 1 and rows[1] == 1
        square = rows == (len(rows),) * len(rows)
        if len(rows) <= 2 or rows[0] <= 2 or l_shape or square:
            assert present(known(rows)).proof is Proof.EXACT


def test_full_bars_are_won_by_strategy_stealing() -> None:
    for rows in range(1, 19):
        for columns in range(1, 19):
            if rows * columns == 1:
                continue
            theory = present(known((columns,) * rows))
            assert theory.value is Value.WIN
            if rows > 2 and columns > 2:
                assert "strategy stealing" in theory.reason
                assert ("L-strategy" in theory.reason) == (rows == columns)


def test_l_strategy_is_exact_on_squares() -> None:
    theory = present(known((18,) * 18))
    assert theory.remoteness == 35
