import random
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.compiled import njit
from arcade.engines.control import Control
from arcade.engines.hexapawn import kernel
from arcade.engines.hexapawn.course import signed
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.kernel import GROWTH_BITS, copy_buckets, geometry
from arcade.engines.hexapawn.rules import MAX_PLIES, PawnMove, PawnPosition
from arcade.engines.hexapawn.search import SLICE, ScoreSearch, Stack
from arcade.engines.hexapawn.solver import HexapawnSolver
from arcade.engines.hexapawn.table import (
    HIGHEST,
    LOWEST,
    MIN_BITS,
    WON,
    HexapawnTable,
    Tables,
    empty_words,
    plies_of,
    score_after,
    verdict_of,
)
from arcade.engines.solver import Solver
from arcade.engines.verdict import Proof, Value, Verdict
from tests.engines.hexapawn.positions import VARIANTS, random_board, reachable, truth
from tests.narrow import duel, present

_as_mover = kernel._as_mover.interpreted()
_keep, _look_up, _mixed = (
    njit(cache=True, error_model="numpy")(each.__wrapped__)
    for each in (kernel._keep, kernel._look_up, kernel.mixed)
)
"""Parts of the kernel, which Python cannot call otherwise."""

DATA = Path(__file__).parents[2] / "data" / "hexapawn"


def memory_of(tables: Tables) -> int:
    """Bytes."""
    return sum(table.memory for table in tables._tables.values())


@pytest.fixture(scope="module")
def solver() -> HexapawnSolver:
    solver = HexapawnSolver()
    solver.warm()
    return solver


def random_entry(rng: random.Random) -> tuple[np.uint64, np.uint64]:
    """The pawns of some position, as they stand in a table."""
    return np.uint64(rng.getrandbits(40)), np.uint64(rng.getrandbits(20) | 1)


def crowded_table() -> HexapawnTable:
    """A table that is so full that it grows at the next turn."""
    table = HexapawnTable(empty_words())
    table.used = 4 << MIN_BITS
    return table


def full(size: str) -> PawnPosition:
    return GAME.new(GAME.parameters.parse(size))


def exact(solver: Solver[PawnPosition, PawnMove], board: PawnPosition) -> tuple[bool, int | None]:
    verdict = solver.verdict(board, Control())
    assert verdict.proof is Proof.EXACT
    return verdict.value is Value.WIN, verdict.remoteness


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (3, 4)])
def test_reachable_positions_of_small_boards_match_brute_force(
    solver: HexapawnSolver, rows: int, columns: int, variant: tuple[bool, bool]
) -> None:
    for board in reachable(PawnPosition.full(rows, columns, *variant)):
        assert exact(solver, board) == truth(board), board.text()


def test_random_positions_up_to_4x4_match_brute_force(solver: HexapawnSolver) -> None:
    rng = random.Random(20181)
    for _ in range(800):
        rows, columns = rng.randint(2, 4), rng.randint(1, 4)
        board = random_board(rng, rows, columns, rng.choice(VARIANTS))
        assert exact(solver, board) == truth(board), board.text()


SHAPES = [(5, 3), (4, 5), (6, 3), (9, 2), (3, 7), (2, 9), (12, 1), (2, 32), (32, 2), (64, 1), (21, 3)]


@given(st.randoms(use_true_random=False), st.sampled_from(SHAPES), st.sampled_from(VARIANTS))
@settings(max_examples=40, deadline=None)
def test_random_positions_of_other_shapes_match_brute_force(
    rng: random.Random, shape: tuple[int, int], variant: tuple[bool, bool]
) -> None:
    rows, columns = shape
    white = black = 0
    sparse = min(1.0, 7 / (rows * columns))
    for square in range(rows * columns):
        row, chance = square // columns, rng.random()
        if row < rows - 1 and chance < sparse / 2:
            white |= 1 << square
        elif row > 0 and sparse / 2 < chance < sparse:
            black |= 1 << square
    board = PawnPosition(rows, columns, white, black, 0, *variant)
    if board.max_plies() > 60:
        board = PawnPosition(rows, columns, white & -white, black & -black, 0, *variant)
    assert exact(GAME.solver, board) == truth(board), board.text()


def test_full_boards_match_the_data_file(solver: HexapawnSolver) -> None:
    checked = 0
    for line in (DATA / "full_boards.tsv").read_text().splitlines():
        if not line.startswith("#"):
            rows, columns, expected = map(int, line.split())
            board = PawnPosition.full(rows, columns)
            assert exact(solver, board) == (expected > 0, abs(expected)), line
            checked += 1
    assert checked == 44


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ("3x3", [-4, -6, -4]),
        ("3x4", [5, -6, -6, 5]),
        ("4x4", [11, -12, -12, 11]),
        ("5x5", [21, 19, 19, 19, 21]),
    ],
)
def test_opening_moves_have_expected_values(solver: HexapawnSolver, size: str, expected: list[int]) -> None:
    analysis = solver.moves(full(size), Control())
    assert [signed(each.verdict) for each in analysis] == expected
    best = max(expected, key=lambda each: (each > 0, -each))
    assert [each.best for each in analysis] == [each == best for each in expected]


def test_positions_after_a_solved_start_need_little_search(solver: HexapawnSolver, control: Control) -> None:
    board = full("5x6")
    exact(solver, board)
    line = solver.line(board, control)
    assert len(line) == 22
    for move in line[:4]:
        board = board.play(move)
        assert solver.verdict(board, control).nodes < 2 * SLICE


@pytest.mark.parametrize("variant", VARIANTS)
def test_best_lines_have_correct_length_and_winner(
    solver: HexapawnSolver, variant: tuple[bool, bool]
) -> None:
    rng = random.Random(7)
    for _ in range(60):
        board = random_board(rng, 4, 4, variant)
        line = solver.line(board, Control())
        wins, plies = truth(board)
        assert len(line) == plies
        mover = board.turn
        for move in line:
            board = board.play(move)
        assert (present(board.outcome()).winner == mover) == wins


@pytest.mark.parametrize(("size", "plies"), [("4x6", 16), ("4x7", 19), ("5x5", 19)])
def test_intermediate_bounds_are_correct(size: str, plies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    board = full(size)
    table = HexapawnTable(empty_words())
    search = ScoreSearch(board, table)
    value = Value.WIN if plies % 2 else Value.LOSS
    limits = [(0, 999)]
    seen = set()
    monkeypatch.setattr("arcade.engines.hexapawn.search.SLICE", 200)
    with Control() as control:
        while not search.proved:
            search.resume(1, control)
            verdict = search.verdict()
            seen.add((verdict.proof, verdict.value))
            least = verdict.at_least or verdict.remoteness or 0
            most = verdict.at_most or verdict.remoteness or 999
            assert limits[-1][0] <= least <= plies <= most <= limits[-1][1]
            assert verdict.value in (None, value)
            limits.append((least, most))
            if len(limits) == 20:
                table.used = 4 << MIN_BITS
    assert limits[-1] == (plies, plies)
    assert {(Proof.BOUND, None), (Proof.BOUND, value), (Proof.EXACT, value)} <= seen
    # The table has grown on the way, and what was found before and since is still there.
    assert table.bucket_bits > MIN_BITS
    with Control() as control:
        again = ScoreSearch(board, table)
        again.resume(SLICE, control)
    assert again.proved
    assert control.nodes == 1


def test_deadline_leaves_a_bound_and_progress_text(solver: HexapawnSolver) -> None:
    # A busy machine needs longer to get there.
    for seconds in (0.2, 2, 20):
        with Control(seconds) as control:
            verdict = duel(solver.verdict(full("8x8"), control))
        assert verdict.proof is Proof.BOUND
        assert verdict.value is None
        least = verdict.at_least or 0
        if least > 10:
            break
    assert least > 10
    assert f"lasts at least {verdict.at_least}" in solver.progress(control)
    assert signed(verdict) is None
    for seconds in (0.3, 3, 30):
        with Control(seconds) as control:
            analysis = solver.moves(full("8x8"), control)
        assert len(analysis) == 8
        assert not any(each.best for each in analysis)
        least = min(duel(each.verdict).at_least or 0 for each in analysis)
        if least > 5:
            break
    assert least > 5


def test_cancelled_verdict_is_unknown(solver: HexapawnSolver, control: Control) -> None:
    control.cancel()
    assert solver.verdict(full("7x8"), control).proof is Proof.UNKNOWN
    assert solver.line(full("7x8"), control) == []


def test_cancelled_query_returns_none() -> None:
    search = ScoreSearch(full("5x5"), HexapawnTable(empty_words()))
    with Control() as control:
        control.cancel()
        assert search.at_least(WON, control) is None
    with Control() as control:
        assert search.at_least(WON, control) is True
        control.cancel()
        # What is known needs no search.
        assert search.at_least(WON, control) is True


def test_cancelled_line_ends_at_the_proven_part(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    board, solver = full("5x5"), HexapawnSolver()
    exact(solver, board)
    asked = ScoreSearch.at_least

    def stopped_soon(search: ScoreSearch, target: int, control: Control) -> bool | None:
        control.cancel()
        # A table that knows nothing: the answer would have to be searched for.
        return asked(ScoreSearch(search.board, HexapawnTable(empty_words())), target, control)

    monkeypatch.setattr(ScoreSearch, "at_least", stopped_soon)
    assert solver.line(board, control) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_threads_match_brute_force(variant: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.engines.hexapawn.solver.ALONE", 0)
    monkeypatch.setattr("arcade.engines.hexapawn.search.SLICE", 32)
    monkeypatch.setattr("arcade.engines.hexapawn.search.solver_threads", lambda: 2)
    helped, start = 0, Stack.start

    def counted(stack: Stack, target: int, low: int, high: int) -> None:
        nonlocal helped
        helped += stack.thread
        start(stack, target, low, high)

    monkeypatch.setattr(Stack, "start", counted)
    rng = random.Random(str(variant))
    for _ in range(12):
        board = random_board(rng, 4, 4, variant)
        if board.ending() is not None:
            continue
        wins, plies = truth(board)
        with Control() as control:
            winner = HexapawnSolver().value(board, control)
            found = HexapawnSolver().verdict(board, control)
        assert winner.value is found.value is (Value.WIN if wins else Value.LOSS)
        assert found.remoteness == plies
    assert helped


@pytest.mark.parametrize("variant", VARIANTS)
def test_parallel_searches_match_brute_force(variant: tuple[bool, bool], control: Control) -> None:
    rng, put_off = random.Random(str(variant)), 0
    boards = [random_board(rng, 4, 4, variant) for _ in range(12)]
    for board in [PawnPosition.full(4, 4, *variant), *(each for each in boards if each.ending() is None)]:
        wins, plies = truth(board)
        score = HIGHEST - plies // 2 if wins else plies // 2
        for target in {score, score + 1} - {HIGHEST + 1}:
            # Three threads in turns that are always the same.
            table, under_way = HexapawnTable(empty_words()), np.zeros((3, kernel.SHARED), np.uint64)
            stacks = [Stack(board, table, thread, under_way) for thread in range(3)]
            for stack in stacks:
                stack.start(target, LOWEST, HIGHEST)
            answers: dict[int, tuple[int, int]] = {}
            while len(answers) < len(stacks):
                for stack in stacks:
                    limits = None if stack.thread in answers else stack.resume(3, control)
                    put_off += int(stack._memory.frames[:, kernel.PUT_OFF].sum())
                    if limits is not None:
                        answers[stack.thread] = limits
            for low, high in answers.values():
                assert low <= score <= high
                assert low >= target or high < target
    assert put_off


def test_long_search_alternates_between_position_and_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.engines.hexapawn.solver.FIRST_SLICE", 0.02)
    with Control(0.5) as control:
        first, *found = HexapawnSolver().solve(full("8x8"), control)
        assert control.stopped
    assert first.moves is None
    assert len(found) > 2
    least = [present(duel(present(analysis.verdict)).at_least) for analysis in (first, *found)]
    assert least == sorted(least)
    assert all(len(present(analysis.moves)) == 8 for analysis in found)
    assert not any(analysis.complete for analysis in found)


def test_proven_results_are_not_searched_again(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    monkeypatch.setattr("arcade.engines.hexapawn.solver.FIRST_SLICE", 0.001)
    *some, last = HexapawnSolver().solve(full("5x5"), control)
    verdicts = [duel(analysis.verdict) for analysis in (*some, last)]
    exact = [verdict for verdict in verdicts if verdict.proof is Proof.EXACT]
    assert all(verdict is exact[0] for verdict in exact)
    assert last.complete
    assert not any(analysis.complete for analysis in some)
    assert all(each.verdict.proof is Proof.EXACT for each in present(last.moves))


def test_winner_is_known_before_the_length(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    # A second thread may by chance find how soon as well.
    monkeypatch.setattr("arcade.engines.hexapawn.search.solver_threads", lambda: 1)
    winner = duel(HexapawnSolver().value(full("5x6"), control))
    assert (winner.proof, winner.value) == (Proof.BOUND, Value.LOSS)
    exact = HexapawnSolver().verdict(full("5x6"), control)
    assert exact.remoteness == 22
    assert winner.nodes < exact.nodes
    assert (winner.at_least or 0) <= 22 <= (winner.at_most or 0)


def test_torn_table_entry_is_ignored() -> None:
    bits, rng = np.uint64(MIN_BITS), random.Random(5)
    for _ in range(20):
        one, other = random_entry(rng), random_entry(rng)
        words, others = empty_words(), empty_words()
        _keep(words, *one, bits, 200 << 8 | 200, 1)
        _keep(others, *other, bits, 50 << 8 | 50, 1)
        place, elsewhere = int(np.flatnonzero(words)[0]), int(np.flatnonzero(others)[0])
        assert _look_up(words, *one, bits) == 200 << 8 | 200
        words[place] = others[elsewhere]
        assert _look_up(words, *one, bits) == 0xFF00


def test_threads_sharing_a_table_do_not_block_each_other() -> None:
    solver = HexapawnSolver()
    board = full("5x5")
    found: list[int | None] = []

    def work() -> None:
        found.append(signed(solver.verdict(board, Control())))

    with Control() as endless:
        background = threading.Thread(target=solver.verdict, args=(full("8x8"), endless))
        background.start()
        workers = [threading.Thread(target=work) for _ in range(2)]
        for each in workers:
            each.start()
        for each in workers:
            each.join(20)
        assert background.is_alive()
        with Control(0.2) as control:
            shared = solver.verdict(full("8x8"), control)
            assert control.nodes > 0
        endless.cancel()
        background.join(5)
    assert not background.is_alive()
    assert found == [19, 19]
    assert shared.proof is Proof.BOUND


@pytest.mark.timed
def test_waiting_for_table_growth_ends_at_the_deadline() -> None:
    table = HexapawnTable(empty_words())
    with Control() as control, table.turn(control) as came:
        assert came
        table.count(4 << MIN_BITS)
        started = time.perf_counter()
        with Control(0.1) as waiting, table.turn(waiting) as also:
            assert not also
        assert time.perf_counter() - started < 0.3
    with Control() as control, table.turn(control) as came:
        assert came


def test_interrupted_table_growth_resumes() -> None:
    table = crowded_table()
    with Control() as control:
        control.cancel()
        with table.turn(control) as came:
            assert not came
    assert table.bucket_bits == MIN_BITS
    with Control() as control, table.turn(control) as came:
        assert came
    assert table.memory == 4 * (64 << MIN_BITS)


def test_positions_in_the_same_bucket_are_distinguished() -> None:
    bits, opp = np.uint64(MIN_BITS), np.uint64(0b11010)
    bucket = np.uint64(64 - MIN_BITS)
    wanted = _mixed(np.uint64(1), opp) >> bucket
    alike = [np.uint64(own) for own in range(1, 150_000) if _mixed(np.uint64(own), opp) >> bucket == wanted]
    assert len(alike) > 1
    words = empty_words()
    for number, own in enumerate(alike[:4]):
        assert _keep(words, own, opp, bits, (200 - number) << 8 | number, 1) == 1
    for number, own in enumerate(alike[:4]):
        assert _look_up(words, own, opp, bits) == (200 - number) << 8 | number
    # What two searches prove of one position is put together.
    assert _keep(words, alike[0], opp, bits, 150 << 8 | 0, 1) == 0
    assert _keep(words, alike[0], opp, bits, 255 << 8 | 90, 1) == 0
    assert _look_up(words, alike[0], opp, bits) == 150 << 8 | 90


def test_growing_table_keeps_every_entry() -> None:
    rng = random.Random(4)
    table, bits = crowded_table(), np.uint64(MIN_BITS)
    positions = [random_entry(rng) for _ in range(40_000)]
    for own, opp in positions:
        _keep(table.words, own, opp, bits, rng.randrange(128, 255) << 8 | rng.randrange(128), 1)
    before = [_look_up(table.words, *position, bits) for position in positions]
    with Control() as control, table.turn(control) as came:
        assert came
    assert table.bucket_bits > MIN_BITS
    bits = np.uint64(table.bucket_bits)
    assert [_look_up(table.words, *position, bits) for position in positions] == before
    assert np.count_nonzero(table.words[1::2]) <= len(positions)


def test_growing_table_clears_reused_memory() -> None:
    old, rng = empty_words(), random.Random(5)
    for _ in range(100):
        _keep(old, *random_entry(rng), np.uint64(MIN_BITS), 0xFF00, 1)
    clear = np.zeros(old.size << GROWTH_BITS, np.uint64)
    used = np.full(old.size << GROWTH_BITS, 0x123456789ABCDEF, np.uint64)
    for words in (clear, used):
        copy_buckets(old, words, MIN_BITS, 0, 1 << MIN_BITS)
    assert np.array_equal(clear, used)


def test_least_recently_used_tables_are_evicted() -> None:
    tables = Tables()
    first = tables.of(PawnPosition.full(3, 3))
    assert tables.of(PawnPosition.full(3, 3)) is first
    assert tables.of(PawnPosition.full(3, 3, misere=True)) is not first
    for columns in range(1, 33):
        tables.of(PawnPosition.full(2, columns))
        tables.of(PawnPosition.full(2, columns, misere=True))
        tables.of(PawnPosition.full(2, columns, capture=True))
    assert memory_of(tables) <= 260 << 20
    assert tables.of(PawnPosition.full(3, 3)) is not first


@pytest.mark.parametrize("misere", [False, True])
def test_verdict_holds_for_every_score_within_its_bounds(misere: bool) -> None:
    room = 60
    for low in range(HIGHEST + 1):
        for high in range(low, HIGHEST + 1):
            verdict = verdict_of(low, high, misere, room)
            plies = [plies_of(low, misere), plies_of(high, misere)]
            if verdict.proof is not Proof.UNKNOWN:
                assert (verdict.at_least or verdict.remoteness or 0) == min(plies)
            if verdict.proof is Proof.BOUND and verdict.value is not None:
                assert verdict.at_most == min(max(plies), room)
            elif verdict.proof is Proof.EXACT:
                assert verdict.remoteness == plies[0] == plies[1]
            decided = low >= WON or high < WON
            assert verdict.value is (None if not decided else Value.WIN if low >= WON else Value.LOSS)


@pytest.mark.parametrize("misere", [False, True])
def test_scores_convert_to_plies_consistently(misere: bool) -> None:
    for score in range(2, HIGHEST - 1):
        if plies_of(score, misere) >= MAX_PLIES:
            continue
        before = _as_mover(score, misere)
        assert plies_of(before, misere) == plies_of(score, misere) + 1
        assert (before >= 128) != (score >= 128)
        assert score_after(before, misere) == score


def test_row_multiplier_matches_integer_division() -> None:
    for columns in range(1, 33):
        per_row = geometry(2, columns, False, False).per_row
        assert all(square * per_row >> 16 == square // columns for square in range(64))


def test_verdict_source_reports_memory(solver: HexapawnSolver) -> None:
    verdict: Verdict = solver.verdict(full("4x4"), Control())
    assert verdict.source == "search with 4 MiB of memory"
    assert memory_of(solver._tables) >= 4 << 20
