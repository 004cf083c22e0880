"""The solver against the oracle, the article's method, the known values and itself."""

from __future__ import annotations

import random
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.tetromino import reference_methods as classic
from arcade.engines.tetromino.board import FULL_HAND, PIECES, parse_hands
from arcade.engines.tetromino.game import GAME, Tetromino
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import (
    TIE,
    TetrominoSolver,
    answered,
    next_question,
    remoteness,
    verdict_of,
)
from arcade.engines.verdict import Proof, Value
from tests.engines.tetromino.brute import judge
from tests.narrow import duel, present
from tests.waiting import wait_for

TIE_IS_BEST = "...../...../..###/#####/#####/#..##/...../.....:LOS-LOS:1"
"""Whoever is to move has 72 moves: 66 lose, 6 keep the tie."""


@pytest.fixture(scope="module")
def solver() -> TetrominoSolver:
    solver = Tetromino().solver
    solver.warm()
    return solver


def oracle(position: Tetrominoes) -> tuple[str, int]:
    cells = range(position.width * position.height)
    free = frozenset(
        (cell % position.width, cell // position.width) for cell in cells if not position.occupied >> cell & 1
    )
    hands = [
        frozenset(piece for number, piece in enumerate(PIECES) if hand >> number & 1)
        for hand in position.hands
    ]
    return judge(free, hands[position.turn], hands[1 - position.turn])


@st.composite
def small_positions(draw: st.DrawFn) -> Tetrominoes:
    """Any board with few enough free cells for the oracle, any hands, either to move."""
    width, height = draw(st.integers(3, 7)), draw(st.integers(3, 7))
    cells = width * height
    free = draw(st.sets(st.integers(0, cells - 1), max_size=min(cells, 18)))
    # A block of free cells besides, so that pieces fit more often than scattered cells allow.
    left, low = draw(st.integers(0, width - 3)), draw(st.integers(0, height - 3))
    free |= {(low + y) * width + left + x for y in range(3) for x in range(draw(st.integers(1, 3)))}
    occupied = sum(1 << cell for cell in range(cells) if cell not in free)
    hands = draw(st.integers(0, FULL_HAND)), draw(st.integers(0, FULL_HAND))
    return Tetrominoes(width, height, occupied, hands, draw(st.integers(0, 1)))


def random_positions(size: str, plies: range, count: int, seed: int) -> list[Tetrominoes]:
    rng = random.Random(seed)
    found: list[Tetrominoes] = []
    while len(found) < count:
        position = GAME.new(GAME.parameters.parse(size))
        for _ in range(rng.choice(plies)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.moves()))
        found.append(position)
    return found


@settings(max_examples=100, deadline=None, derandomize=True)
@given(small_positions())
def test_value_and_remoteness_match_the_oracle(position: Tetrominoes) -> None:
    with Control() as control:
        verdict = GAME.solver.verdict(position, control)
    assert verdict.proof is Proof.EXACT
    assert (verdict.value, verdict.remoteness) == oracle(position)


@pytest.mark.parametrize("size", ["4x5", "5x5", "3x8", "5x6,ILT-OST"])
def test_random_positions_match_the_oracle(size: str, solver: TetrominoSolver, control: Control) -> None:
    for position in random_positions(size, range(2, 6), 25, 1):
        verdict = solver.verdict(position, control)
        assert (verdict.value, verdict.remoteness) == oracle(position), position.text()


def test_best_move_keeps_the_value_and_length(solver: TetrominoSolver, control: Control) -> None:
    for position in random_positions("5x6", range(3, 7), 80, 2):
        best = solver.best_move(position, control)
        value, left = oracle(position)
        if best is None:
            assert left == 0
            continue
        after, then = oracle(position.play(best))
        assert (Value(after).reversed, then + 1) == (Value(value), left), f"{position.text()} {best}"


@pytest.mark.parametrize(("size", "plies"), [("4x5", range(1, 4)), ("5x5", range(3, 6))])
def test_remoteness_after_value_search_matches_the_oracle(size: str, plies: range, control: Control) -> None:
    """What the values have left in the table must not be taken for more than it is."""
    solver = Tetromino().solver
    for position in random_positions(size, plies, 8, 11):
        values = solver.move_values(position, control)
        for each, value in zip(solver.moves(position, control), values, strict=True):
            expected, left = oracle(position.play(each.move))
            assert each.verdict.value is value.verdict.value is Value(expected).reversed
            assert each.verdict.remoteness == left + 1, f"{position.text()} {each.move}"


def test_value_search_does_not_change_remoteness(control: Control) -> None:
    """Also where the win takes as long as a win of these hands can take."""
    rng = random.Random(5)
    long_wins = 0
    for played in random_positions("5x8", range(2, 5), 60, 12):
        first, second = ("".join(rng.sample(PIECES, rng.choice((2, 3)))) for _ in range(2))
        position = Tetrominoes(5, 8, played.occupied, parse_hands(f"{first}-{second}"), rng.randrange(2))
        asked_before, fresh = Tetromino().solver, Tetromino().solver
        asked_before.value(position, control)
        found, expected = asked_before.verdict(position, control), fresh.verdict(position, control)
        assert (found.value, found.remoteness) == (expected.value, expected.remoteness), position.text()
        held, against = (position.hands[seat].bit_count() for seat in (position.turn, 1 - position.turn))
        longest = expected.remoteness == 2 * min(against, held - 1) + 1
        long_wins += longest and len(position.moves()) + len(position.placements(1 - position.turn)) > 64
    assert long_wins > 5


@pytest.mark.parametrize(
    ("size", "plies"), [("5x8", range(4, 9)), ("6x7", range(5, 9)), ("6x6", range(3, 8))]
)
def test_values_match_the_plain_method(
    size: str, plies: range, solver: TetrominoSolver, control: Control
) -> None:
    for position in random_positions(size, plies, 70, 2):
        if position.outcome() is None:
            assert solver.value(position, control).value is classic.plain(position, control)


@pytest.mark.parametrize(
    ("size", "value"),
    [
        ("4x5", "win"),
        ("4x6", "win"),
        ("4x7", "win"),
        ("5x5", "win"),
        ("5x6", "loss"),
        ("6x6", "win"),
        ("5x7", "win"),
        ("4x8", "win"),
        ("4x10", "loss"),
        ("5x8", "loss"),
        ("6x7", "loss"),
        ("5x9", "tie"),
    ],
)
def test_empty_board_values_match_known_results(
    size: str, value: str, solver: TetrominoSolver, control: Control
) -> None:
    assert solver.value(GAME.new(GAME.parameters.parse(size)), control).value == value


def test_every_first_move_on_the_standard_board_loses(solver: TetrominoSolver, control: Control) -> None:
    start = GAME.new(GAME.parameters.parse("5x8"))
    values = solver.move_values(start, control)
    analysis = solver.moves(start, control)
    verdict = solver.verdict(start, control)
    assert len(values) == 429
    assert {each.verdict.value for each in values} == {Value.LOSS}
    assert not any(each.best for each in values)
    assert {each.verdict.proof for each in analysis} == {Proof.EXACT}
    assert {each.verdict.value for each in analysis} == {Value.LOSS}
    assert verdict.remoteness == max(each.verdict.remoteness or 0 for each in analysis) == 8


def test_tie_is_found_when_it_is_best(solver: TetrominoSolver, control: Control) -> None:
    position = GAME.parse_position(TIE_IS_BEST)
    assert oracle(position) == ("tie", 6)
    verdict = solver.verdict(position, control)
    assert (verdict.proof, verdict.value, verdict.remoteness) == (Proof.EXACT, Value.TIE, 6)
    analysis = solver.moves(position, control)
    values = [each.verdict.value for each in analysis]
    assert (len(values), values.count(Value.LOSS), values.count(Value.TIE)) == (72, 66, 6)
    assert {str(each.move) for each in analysis if each.best} == {
        str(each.move) for each in analysis if each.verdict.value is Value.TIE
    }
    hint = GAME.explanations.hint(position, control)
    assert hint is not None
    for move in hint.line:
        position = position.play(move)
    assert position.hands == (0, 0)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_unplaceable_piece_distinguishes_positions(order: tuple[int, int], control: Control) -> None:
    """Four pieces fill the four blocks. Then all is laid, or the first player is left with an I."""
    blocks = "...#.../...#.../#######/...#.../...#..."
    positions = [GAME.parse_position(f"{blocks}:{hands}:1") for hands in ("LO-LO", "ILO-LO")]
    solver = Tetromino().solver
    found = {}
    for number in order:
        verdict = solver.verdict(positions[number], control)
        found[number] = verdict.value, verdict.remoteness
    assert found == {0: ("tie", 4), 1: ("loss", 4)}
    assert [oracle(position) for position in positions] == [found[0], found[1]]


def test_hash_distinguishes_hand_from_set(control: Control) -> None:
    """Both keys of these two were equal, so that the answer for one was taken for the other."""
    texts = ("#..../#..#./#####/..#.#/..##./####.:IOT-OST:1", "####./..###/..##./####./#..#./#....:IOS-OST:1")
    first, second = (GAME.parse_position(text) for text in texts)
    solver = TetrominoSolver()
    for position, value, plies in ((first, Value.LOSS, 2), (second, Value.WIN, 3)):
        found = solver.verdict(position, control)
        assert (found.value, found.remoteness) == (value, plies)


def test_verdict_holds_for_every_rank_within_its_bounds() -> None:
    start = GAME.new(GAME.parameters.parse("5x8"))
    ranks = [rank for rank in range(1, 13) if rank != TIE + 1]
    for least in ranks:
        for most in (rank for rank in ranks if rank >= least):
            between = [rank for rank in ranks if least <= rank <= most]
            plies = [10 if rank == TIE else remoteness(rank) for rank in between]
            verdict = verdict_of(start, (least, most))
            values = {
                Value.TIE if rank == TIE else Value.LOSS if rank < TIE else Value.WIN for rank in between
            }
            assert verdict.value is (values.pop() if len(values) == 1 else None)
            if len(between) == 1:
                assert (verdict.proof, verdict.remoteness) == (Proof.EXACT, plies[0])
            else:
                assert verdict.proof is not Proof.EXACT
                assert 1 <= (verdict.at_least or 1) <= min(plies)
                assert verdict.at_most is None or verdict.at_most == max(plies)
                assert verdict.proof is Proof.UNKNOWN or verdict.at_least == min(plies)


def test_remoteness_matches_the_moves_from_another_solver(control: Control) -> None:
    fresh = Tetromino().solver
    for position in random_positions("5x8", range(3, 7), 12, 3):
        if position.outcome() is not None:
            continue
        verdict = GAME.solver.verdict(position, control)
        after = [fresh.verdict(position.play(move), control).before_move() for move in position.moves()]
        best = max(after, key=lambda each: each.preference)
        assert (verdict.value, verdict.remoteness) == (best.value, best.remoteness)


def test_symmetric_positions_agree_in_separate_searches(control: Control) -> None:
    for size in ("5x8", "6x6"):
        for position in random_positions(size, range(2, 5), 10, 4):
            expected = GAME.solver.verdict(position, control)
            for other in GAME.symmetries.images(position):
                found = Tetromino().solver.value(other, control)
                assert found.value is expected.value
                shared = GAME.solver.verdict(other, control)
                assert (shared.value, shared.remoteness) == (expected.value, expected.remoteness)


@pytest.mark.timed
def test_stopped_verdict_claims_only_proven_bounds(solver: TetrominoSolver) -> None:
    solver.warm()
    large = GAME.new(GAME.parameters.parse("8x8"))
    with Control(0.5) as control:
        verdict = duel(solver.verdict(large, control))
    assert verdict.proof is Proof.BOUND
    assert verdict.value is None
    assert verdict.at_least is not None
    assert verdict.at_least >= 5
    with Control() as control:
        control.cancel()
        assert Tetromino().solver.verdict(large, control).proof is Proof.UNKNOWN
        assert solver.line(large, control) == []
        assert {each.verdict.proof for each in solver.moves(large, control)} <= {Proof.UNKNOWN, Proof.BOUND}


class StoppedInTheKernel(Control):
    """A control that is stopped from the second look on, while its flag is up from the first."""

    looks = 0

    @property
    def stopped(self) -> bool:
        self.looks += 1
        return self.looks > 1


def test_stopped_query_does_not_corrupt_the_table(control: Control) -> None:
    solver, start = Tetromino().solver, GAME.new(GAME.parameters.parse("5x6"))
    with StoppedInTheKernel() as stopped:
        stopped.cancel()
        assert solver.verdict(start, stopped).proof is Proof.UNKNOWN
        assert stopped.looks == 2
    found = solver.verdict(start, control)
    assert (found.value, found.remoteness) == (Value.LOSS, len(solver.line(start, control)))


@pytest.mark.timed
def test_cancelling_an_analysis_is_prompt(solver: TetrominoSolver) -> None:
    large = GAME.new(GAME.parameters.parse("8x8"))
    control = Control()
    thread = threading.Thread(target=solver.moves, args=(large, control), daemon=True)
    thread.start()
    wait_for(lambda: control.nodes > 100_000)
    assert thread.is_alive()
    cancelled = time.perf_counter()
    control.cancel()
    thread.join(5)
    assert time.perf_counter() - cancelled < 0.2


def test_two_threads_sharing_a_solver_get_correct_verdicts() -> None:
    shared = Tetromino().solver
    positions = random_positions("5x8", range(2, 4), 8, 6)
    expected = [judged_alone(position) for position in positions]
    found: dict[int, list[tuple[Value | None, int | None]]] = {}

    def work(name: int) -> None:
        with Control() as control:
            verdicts = [shared.verdict(position, control) for position in positions]
        found[name] = [(each.value, each.remoteness) for each in verdicts]

    threads = [threading.Thread(target=work, args=(name,)) for name in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {0: expected, 1: expected}


@pytest.mark.parametrize("size", ["5x8", "6x6"])
def test_move_values_do_not_depend_on_thread_count(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def judged(threads: int) -> list[object]:
        monkeypatch.setattr("arcade.engines.tetromino.solver.solver_threads", lambda: threads)
        solver = Tetromino().solver
        found: list[object] = []
        with Control() as control:
            for position in random_positions(size, range(2, 5), 6, 7):
                found += [(each.move, each.verdict.value) for each in solver.move_values(position, control)]
                found += solver.moves(position, control)
        return found

    alone = judged(1)
    assert judged(2) == alone
    assert judged(3) == alone


def test_move_values_are_reported_during_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reports take none of the time away, and what follows them leaves none of them out."""
    monkeypatch.setattr("arcade.engines.tetromino.solver.VALUES_SECONDS", 0.02)
    start = GAME.new(GAME.parameters.parse("7x7"))
    with Control(0.6) as control:
        first, *found = Tetromino().solver.solve(start, control)
        assert control.stopped
    assert (present(first.verdict).value, first.moves) == (Value.TIE, None)
    assert len(found) > 1
    known = [sum(each.verdict.known for each in present(analysis.moves)) for analysis in found]
    assert known == sorted(known)
    assert not any(analysis.complete for analysis in found)


def test_results_arrive_in_order_of_cost(control: Control) -> None:
    position = GAME.new(GAME.parameters.parse("4x5"))
    *some, last = Tetromino().solver.solve(position, control)
    assert present(some[0].verdict).value is present(last.verdict).value
    assert present(last.verdict).proof is Proof.EXACT
    assert [analysis.moves is None for analysis in some] == [True, False, False]
    assert last.complete
    assert all(each.verdict.proof is Proof.EXACT for each in present(last.moves))


def test_helper_thread_failure_is_raised(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    asked = threading.main_thread()

    def fail(*_arguments: object, control: Control) -> int:
        if threading.current_thread() is not asked:
            raise MemoryError
        time.sleep(0.001)
        return 1

    monkeypatch.setattr("arcade.engines.tetromino.solver.solver_threads", lambda: 2)
    monkeypatch.setattr("arcade.engines.tetromino.kernel.at_least", fail)
    with pytest.raises(MemoryError):
        Tetromino().solver.move_values(GAME.new(GAME.parameters.parse("4x5")), control)


def test_short_wins_are_checked_first_unless_value_is_quick() -> None:
    def questions(quick: bool) -> list[int]:
        limits = (1, 12)
        asked: list[int] = []
        while (bound := next_question(limits, full=False, quick=quick)) is not None:
            asked.append(bound)
            limits = answered(limits, bound, yes=bound <= TIE)
        return asked

    assert questions(quick=True) == [TIE, TIE + 1]
    assert questions(quick=False) == [12, 2, 11, 3, TIE, TIE + 1]


def judged_alone(position: Tetrominoes) -> tuple[Value | None, int | None]:
    with Control() as control:
        verdict = Tetromino().solver.verdict(position, control)
    return verdict.value, verdict.remoteness


def test_progress_text_mentions_positions(solver: TetrominoSolver, control: Control) -> None:
    solver.moves(GAME.new(GAME.parameters.parse("4x5")), control)
    assert "positions" in solver.progress(control)
    assert control.nodes > 0


@pytest.mark.parametrize("size", ["4x7", "5x6", "5x8"])
def test_keeping_moves_preserve_the_position_value(size: str, solver: TetrominoSolver) -> None:
    rng, values = random.Random(3), set()
    start = GAME.new(GAME.parameters.parse(size))
    with Control() as control:
        for _ in range(12):
            position = start
            while position.outcome() is None:
                if len(position.laid) > 2:
                    value = present(solver.value(position, control).value)
                    judged = solver.move_values(position, control)
                    keeping = [each.move for each in judged if each.verdict.value is value]
                    assert list(solver.keeping_moves(position, value, control)) == keeping
                    values.add(value)
                position = position.play(rng.choice(position.moves()))
    assert values >= {Value.WIN, Value.LOSS}


def test_tied_position_has_six_keeping_moves(solver: TetrominoSolver) -> None:
    with Control() as control:
        assert len(list(solver.keeping_moves(GAME.parse_position(TIE_IS_BEST), Value.TIE, control))) == 6


def test_stopped_search_of_keeping_moves_lists_none() -> None:
    start = GAME.new(GAME.parameters.parse("6x6"))
    with Control(0) as control:
        assert not list(Tetromino().solver.keeping_moves(start, Value.WIN, control))
