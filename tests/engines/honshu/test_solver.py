"""The solver: layouts checked by the oracle, bounds and proofs by brute force."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arcade.engines.control import BEST, BOUND, Control
from arcade.engines.honshu import exhaustive as encode
from arcade.engines.honshu import kernel
from arcade.engines.honshu import reference_methods as classic
from arcade.engines.honshu.game import GAME, load
from arcade.engines.honshu.rules import VARIANTS, HonshuPosition, blocks, parse_position
from arcade.engines.honshu.solver import ROUNDS, VERDICT_SECONDS, HonshuSolver, Solution, _Runs
from arcade.engines.honshu.tiles import Tile
from arcade.engines.move_lists import parse_moves
from arcade.engines.verdict import Proof
from tests.engines.honshu.oracle import (
    board_of,
    brute_force,
    final_score,
    groups,
    points,
    random_layout,
    squares,
)
from tests.engines.honshu.test_rules import deal, position_of
from tests.narrow import score
from tests.waiting import wait_for

most_blocks = kernel.most_blocks.interpreted()
lay = kernel.lay.interpreted()
counted = kernel.score.interpreted()
# The ground counts its cells in the sign bit of a word.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

DATA = Path(__file__).parents[2] / "data" / "honshu"
SOLVER = HonshuSolver()


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    SOLVER.warm()


def checked(position: HonshuPosition, solution: Solution) -> None:
    """The moves are legal, end the match and score what the solution says, to the oracle."""
    end = position.after(solution.moves)
    assert end.outcome() is not None
    assert sum(points(board_of(end).visible(), end.variants).values()) == solution.best <= solution.bound


def bound_at_once(position: HonshuPosition) -> int:
    """An upper limit of the final score, without search."""
    with Control() as control:
        return SOLVER.find_layout(position, control, seconds=0).bound


def best_next(position: HonshuPosition) -> int:
    """The highest score after one more move; 0 if there is none."""
    return max((position.play(move).score.total for move in position.moves()), default=0)


def early(rng: random.Random, position: HonshuPosition, left: int) -> HonshuPosition:
    """A random position with so many tiles left, or where the match ends sooner."""
    while len(position.hand) > left and position.outcome() is None:
        position = position.play(rng.choice(position.moves()))
    return position


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_proved_scores_match_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    position = early(rng, deal(rng, (5, 6), (1, 6)), 2 if rng.random() < 0.3 else 1)
    with Control(20) as control:
        solution = SOLVER.find_layout(position, control)
    assert solution.proof is Proof.EXACT
    assert solution.best == brute_force(position)
    checked(position, solution)


@pytest.mark.parametrize("last", ["three different", "three equal", "three equal half turns"])
def test_three_tile_proofs_match_brute_force_on_crowded_boards(last: str) -> None:
    """Where orders that come to the same, equal tiles and half turns are left out of the search."""
    compared = 0
    for seed in range(30):
        rng = random.Random(seed)
        position = deal(rng, (5, 5), (8, 8))
        if last != "three different":
            half = position.tiles[-1].terrains[:3]
            same = half + (
                half[::-1] if last == "three equal half turns" else position.tiles[-1].terrains[3:]
            )
            tiles = tuple(Tile(tile.id, same) if tile.id > 5 else tile for tile in position.tiles)
            position = HonshuPosition(position.size, position.start, tiles, position.variants)
        while len(position.hand) > 3 and position.outcome() is None:
            position = position.play(rng.choice([move for move in position.moves() if move.tile <= 5]))
        if position.outcome() is not None or len(position.moves()) > 30:
            continue
        with Control(20) as control:
            solution = SOLVER.find_layout(position, control)
        assert (solution.best, solution.bound) == (brute_force(position),) * 2
        compared += 1
        if compared > 4:
            break
    assert compared > 4


@pytest.mark.parametrize("text", ["LPPPPP+LVVVRU", "PPLPLP+FPPVVU", "PPPPPP+PPPPPP", "VVPPVV+UUPRRP"])
@pytest.mark.parametrize("variants", [(), tuple(VARIANTS)])
def test_two_tile_proofs_match_brute_force_on_smallest_board(text: str, variants: tuple[str, ...]) -> None:
    first, second = text.split("+")
    position = position_of(first, second, start="PVPVPL", size=5)
    position = HonshuPosition(5, position.start, position.tiles, frozenset(variants))
    with Control(20) as control:
        solution = SOLVER.find_layout(position, control)
    assert (solution.proof, solution.best) == (Proof.EXACT, brute_force(position))


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
@example(111595)
def test_no_layout_beats_the_bound(seed: int) -> None:
    rng = random.Random(seed)
    position = early(rng, deal(rng, (5, 9), (1, 12)), rng.randint(1, 12))
    bound = bound_at_once(position)
    for _ in range(4):
        end = random_layout(position, rng)
        assert end.score.total <= bound
        # The bound only falls on the way, for every position says what can still be reached from it.
        for index in range(len(position.laid), len(end.laid)):
            on_the_way = HonshuPosition(end.size, end.start, end.tiles, end.variants, end.laid[:index])
            assert end.score.total <= bound_at_once(on_the_way) <= bound
    with Control() as control:
        checked(position, SOLVER.find_layout(position, control, layouts=1))


def replica_agrees(position: HonshuPosition, s: kernel.Ints, at: int) -> None:
    """A replica's words, all kept by changes, are what the oracle and a count from nothing say."""
    laid = encode.layout(position, s, at + kernel.LAYOUT)
    end = position.after(laid)
    visible = board_of(end).visible()
    total = sum(points(visible, end.variants).values())
    assert s[at + kernel.REPLICA_OFFSET + kernel.TOTAL] == total
    assert s[at + kernel.LAID] == len(laid)
    villages = {cell for cell, terrain in visible.items() if terrain == "V"}
    outside = len(villages) - max(map(len, groups(villages)), default=0)
    assert s[at + kernel.REPLICA_OFFSET + kernel.RATED] == 2 * total + outside
    # Laid one by one in the order of their ranks, the tiles come to the same words.
    again, start = encode.state(position), kernel.REPLICAS_START
    ranks, rotations, corners = s[at + kernel.LAYOUT :][: 3 * kernel.TILES].reshape(3, kernel.TILES)
    for tile in sorted(range(len(position.hand)), key=lambda tile: int(ranks[tile])):
        if ranks[tile] != kernel.UNLAID:
            assert lay(again, start, tile, int(ranks[tile]), int(rotations[tile]), int(corners[tile]))
    assert counted(again, start) == total
    if not laid:
        # The sums of a map on which nothing is laid are counted with the first tile.
        return
    board = kernel.REPLICA_OFFSET + kernel.BOARDS
    empty = slice(board, board + int(s[kernel.WORDS]))
    for words in (s[at : at + kernel.LAYOUT], again[start : start + kernel.LAYOUT]):
        # The board of no terrain is the place for what nobody reads.
        words[empty] = 0
    assert np.array_equal(s[at : at + kernel.LAYOUT], again[start : start + kernel.LAYOUT])


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_replica_state_stays_correct_after_every_change(seed: int) -> None:
    """Any variants and sizes, maps begun, hands that do not fit: change by change as plain Python."""
    rng = random.Random(seed)
    position = early(rng, deal(rng, (5, 16), (1, 20)), rng.randint(1, 20))
    if position.outcome() is not None:
        return
    s = encode.state(position, kernel.LEVELS)
    random_words = np.array([seed + 1], np.uint64)
    step = kernel.exchange.interpreted(TRIES=1)
    before = s.copy()
    with Control() as control:
        kernel.exchange(s, random_words, 0, control.cells)
        for _ in range(20):
            step(s, random_words, 1, control.cells)
            for at in range(
                kernel.REPLICAS_START, kernel.REPLICAS_START + kernel.LEVELS * kernel.REPLICA, kernel.REPLICA
            ):
                if not np.array_equal(s[at : at + kernel.REPLICA], before[at : at + kernel.REPLICA]):
                    replica_agrees(position, s, at)
            before = s.copy()
        kernel.exchange(s, random_words, 2, control.cells)
    for at in range(
        kernel.REPLICAS_START, kernel.REPLICAS_START + kernel.LEVELS * kernel.REPLICA, kernel.REPLICA
    ):
        replica_agrees(position, s, at)
    end = position.after(encode.layout(position, s))
    assert end.outcome() is not None
    assert end.score.total == s[kernel.BEST]


# With squares, few layouts are worth more than their villages without them allow.
@example(31)
@example(86)
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_rating_stops_early_only_below_the_minimum(seed: int) -> None:
    rng = random.Random(seed)
    end = random_layout(deal(rng, (5, 16), (2, 20)), rng)
    s, at = encode.state(end), kernel.REPLICAS_START
    total = counted(s, at)
    rating = int(s[kernel.RATED])
    assert total == sum(points(board_of(end).visible(), end.variants).values())
    rate: Any = kernel._rate
    for least in (kernel.NONE, rating - 1, rating, rating + 1, rating + 9):
        assert rate.interpreted()(s, at, kernel.ALL, least) == (rating >= least)
        if rating >= least:
            assert (s[kernel.TOTAL], s[kernel.RATED]) == (total, rating)


def test_lake_around_an_island_counts_once() -> None:
    """Pairs of lake cells less 2x2 blocks would count a cell too many there."""
    rng = random.Random(6)
    islands = 0
    for _ in range(300):
        tiles = [Tile(number, "".join(rng.choices("LLP", k=6))) for number in range(6)]
        end = random_layout(HonshuPosition(6, tiles[0], tuple(tiles[1:])), rng)
        visible = board_of(end).visible()
        lakes = {cell for cell, terrain in visible.items() if terrain == "L"}
        exact = len(lakes) - len(groups(lakes))
        assert counted(encode.state(end), kernel.REPLICAS_START) == 3 * exact
        pairs = sum(((row + 1, column) in lakes) + ((row, column + 1) in lakes) for row, column in lakes)
        islands += pairs - squares(lakes) > exact
    assert islands


def test_removing_all_tiles_restores_the_starting_map() -> None:
    rng = random.Random(4)
    for _ in range(40):
        position = deal(rng, (5, 16), (2, 20))
        end = random_layout(position, rng)
        s, at = encode.state(position), kernel.REPLICAS_START
        empty = s.copy()
        ids = [tile.id for tile in position.hand]
        for rank, move in enumerate(end.laid, 2):
            tile = ids.index(move.tile)
            ids[tile] = -1
            corner = encode.cell_of(position, move.row, move.column)
            assert lay(s, at, tile, rank, move.rotation, corner)
        laid = [tile for tile, number in enumerate(ids) if number < 0]
        for tile in sorted(laid, key=lambda tile: -int(s[at + kernel.LAYOUT + tile])):
            assert lay(s, at, tile, kernel.UNLAID, 0, 0)
        assert counted(s, at) == sum(points(board_of(position).visible(), position.variants).values())
        for start, length in ((at, kernel.GRID), (at + kernel.REPLICA_OFFSET + kernel.COUNTS, 3)):
            assert np.array_equal(s[start : start + length], empty[start : start + length])


def test_kernel_scores_squares_of_a_single_largest_village() -> None:
    """Of two villages of four cells the one counts that is a square, whichever is met first."""
    rng = random.Random(3)
    ties = 0
    tiles = Tile(1, "VVVVPP"), Tile(2, "VPVPVV")
    for _ in range(200):
        end = random_layout(HonshuPosition(8, Tile(0, "PPPPPP"), tiles, frozenset({"squares"})), rng)
        visible = board_of(end).visible()
        total = sum(points(visible, end.variants).values())
        assert counted(encode.state(end), kernel.REPLICAS_START) == total
        villages = groups({cell for cell, terrain in visible.items() if terrain == "V"})
        largest = max(map(len, villages), default=0)
        ties += len({squares(each) for each in villages if len(each) == largest}) > 1
    assert ties > 20


@pytest.mark.parametrize("terrains", ["LLPVF", "FFPPP", "PLVRU", "LFVVU", "PPPLF"])
def test_no_last_tile_beats_the_bound(terrains: str) -> None:
    rng = random.Random(5)
    for _ in range(100):
        variants = [name for name in VARIANTS if rng.random() < 0.3]
        drawn = [Tile(number, "".join(rng.choices(terrains, k=6))) for number in range(rng.randint(2, 6))]
        position = early(rng, HonshuPosition(5, drawn[0], tuple(drawn[1:]), frozenset(variants)), 1)
        most = best_next(position)
        assert most <= bound_at_once(position), position.text()


def test_bound_for_lone_forest_cell_is_tight() -> None:
    """One forest cell, which scores 1 in this variant, is all that the last tile can cover here."""
    reached = 0
    for at in range(6):
        position = parse_position(f"7,forests5/0{'L' * at}F{'L' * (5 - at)}/1LLLLLL/")
        most = best_next(position)
        assert most <= bound_at_once(position)
        reached += most == bound_at_once(position)
    assert reached


@pytest.mark.parametrize("budget", [2, 7])
def test_proof_in_small_steps_gives_the_same_result(budget: int) -> None:
    rng = random.Random(7)
    compared = 0
    while compared < 6:
        position = early(rng, deal(rng, (5, 5), (6, 8)), 3)
        if len(position.hand) < 3 or not 0 < len(position.moves()) < 40:
            continue
        best = brute_force(position)
        for target, expected in ((best, kernel.PROVED), (best - 1, kernel.FOUND)):
            each = encode.proof_search(position)
            outcome, steps = kernel.RUNNING, 0
            while outcome == kernel.RUNNING:
                with Control() as control:
                    outcome = kernel.search(each, target, budget, control.cells)
                steps += 1
                assert steps < 100_000
            assert outcome == expected
            compared += steps > 3
        # What was looked for last was found.
        assert position.after(encode.moves_found(position, each)).score.total == best


def test_reordered_first_move_gives_the_same_map() -> None:
    rng = random.Random(12)
    moved = 0
    for _ in range(100):
        end = random_layout(deal(rng, (6, 9), (3, 8)), rng)
        start = HonshuPosition(end.size, end.start, end.tiles, end.variants)
        layout = list(end.laid)
        for index in encode.first_moves(start, layout):
            again = start.after([layout[index], *layout[:index], *layout[index + 1 :]])
            assert again.map.terrains == end.map.terrains
            moved += index > 0
    assert moved > 20


def test_known_result_applies_only_to_same_map_and_rules() -> None:
    solver = HonshuSolver()

    def known(text: str) -> bool:
        return solver.best_known(parse_position(text)) is not None

    tiles = "0PPPPPP/1PPPPPP+2PPPPPP+3VVFFUR"
    with Control(0.1) as control:
        solver.search(parse_position(f"7/{tiles}/1r0@3,4+2r0@5,4"), control, 0.1)
    assert known(f"7/{tiles}/1r0@3,4+2r0@5,4")
    # The maps look the same, but here another tile lies on top.
    assert not known(f"7/{tiles}/2r0@5,4+1r0@3,4")
    assert not known(f"7,squares/{tiles}/1r0@3,4+2r0@5,4")
    assert not known(f"7/{tiles}/1r0@3,4")
    # Two tiles that do not touch may be laid in either order.
    with Control(0.1) as control:
        solver.search(parse_position(f"7/{tiles}/1r0@1,3+2r0@5,4"), control, 0.1)
    assert known(f"7/{tiles}/2r0@5,4+1r0@1,3")


def test_best_result_of_all_searches_is_stored() -> None:
    position = GAME.new(GAME.parameters.parse("7x4"), 9)
    with Control() as control:
        first = HonshuSolver().find_layout(position, control, layouts=1)
    results = iter([(20, 50), (24, 46), (22, 47)])

    class Scripted(HonshuSolver):
        def find_layout(self, *arguments: Any, **options: Any) -> Solution:
            best, bound = next(results)
            return replace(first, best=best, bound=bound)

    solver = Scripted()
    for expected in ((20, 50), (24, 46), (24, 46)):
        with Control() as control:
            solver.search(position, control, 1)
        for known in (solver.best_known(position), solver.best_known(position.play(first.moves[0]))):
            assert known is not None
            assert (known.best, known.bound) == expected


def test_second_search_continues_with_new_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    class Watched(_Runs):
        def __init__(self, position: HonshuPosition, seed: int, run: int, control: Control) -> None:
            begun.append(run)
            super().__init__(position, seed, run, control)

    monkeypatch.setattr("arcade.engines.honshu.solver._Runs", Watched)
    solver = HonshuSolver()
    position = GAME.new(GAME.parameters.parse("9x12"), 9)
    runs = []
    for _ in range(3):
        with Control() as control:
            runs.append(solver.search(position, control, 0.05).runs)
    assert begun == [0, *runs[:2]]
    assert runs == sorted(set(runs))


def test_parallel_runs_try_different_layouts() -> None:
    position = GAME.new(GAME.parameters.parse("9x12"), 9)
    with Control() as control, _Runs(position, 1, 0, control) as exchange:
        first, second = exchange.runs
        assert first.layout() != second.layout()
        exchange.resume(control)
        assert exchange.tried == first.tried + second.tried == control.nodes
        assert first.tried == second.tried == ROUNDS * kernel.LEVELS * kernel.TRIES
        assert exchange.best == max(first.best, second.best)
        checked(position, Solution(exchange.best, 999, exchange.layout(), 0, 0.0))


def test_block_limit_is_a_tight_upper_bound() -> None:
    rng = random.Random(2)
    for side in range(2, 8):
        assert most_blocks(side * side) == (side - 1) ** 2
    for _ in range(2000):
        cells = sum(1 << row * 8 + column for row in range(6) for column in range(6) if rng.random() < 0.8)
        assert blocks(cells, 8) <= most_blocks(cells.bit_count())


def test_published_games_reach_minimum_scores() -> None:
    for file, least in (("Partie1", 77), ("Partie2", 86)):
        position = load(str(DATA / file))
        with Control() as control:
            solution = SOLVER.find_layout(position, control, layouts=1_000_000)
            assert (control.cells[BEST], control.cells[BOUND]) == (solution.best, solution.bound)
        assert final_score(str(DATA / file), [str(move) for move in solution.moves]) == solution.best
        methods = (classic.in_order, classic.expansion, classic.greedy)
        others = [
            final_score(str(DATA / file), [str(move) for move in each(position, Control())])
            for each in methods
        ]
        assert solution.best >= max(least, *others)


@pytest.mark.parametrize(
    ("file", "points", "moves"),
    [
        (
            "Partie1",
            88,
            "12r1@5,5 8r1@6,7 18r0@4,8 7r3@7,5 20r3@3,7 2r2@1,7 "
            "5r1@1,5 3r3@2,3 2r1@3,1 19r2@4,1 13r0@6,2 17r3@8,6",
        ),
        (
            "Partie2",
            93,
            "18r0@3,6 5r3@5,7 15r3@2,7 6r1@2,4 16r2@3,3 20r1@5,1 "
            "11r1@6,2 0r2@7,1 19r2@6,7 1r3@1,2 2r3@3,8 4r2@2,1",
        ),
    ],
)
def test_best_known_layouts_score_as_stated(file: str, points: int, moves: str) -> None:
    position = load(str(DATA / file))
    assert final_score(str(DATA / file), moves.split()) == points <= bound_at_once(position)
    assert position.after(parse_moves(GAME, moves, position)).score.total == points


def test_same_seed_and_layouts_give_the_same_answer() -> None:
    position = GAME.new(GAME.parameters.parse("10x10,squares"), 4)
    found = []
    for seed in (1, 1, 2):
        with Control() as control:
            solution = HonshuSolver().find_layout(position, control, seed=seed, layouts=300_000)
        found.append((solution.best, solution.moves))
    assert found[0] == found[1] != found[2]


def test_four_tile_game_is_solved_exactly() -> None:
    position = GAME.new(GAME.parameters.parse("9x4"), 1)
    with Control(60) as control:
        solution = SOLVER.find_layout(position, control)
    assert solution.proof is Proof.EXACT
    checked(position, solution)


def test_crowded_boards_are_played_to_the_end() -> None:
    for text in ("5x20", "5x12,lakes2", "6x20,squares", "16x20"):
        for seed in range(2):
            position = GAME.new(GAME.parameters.parse(text), seed)
            with Control(0.02) as control:
                checked(position, SOLVER.find_layout(position, control))


def test_cancelled_search_still_returns_a_layout() -> None:
    position = GAME.new(GAME.parameters.parse("16x20"), 3)
    with Control() as control:
        control.cancel()
        solution = SOLVER.find_layout(position, control)
        checked(position, solution)
        assert HonshuSolver().verdict(position, control).proof is Proof.BOUND


def test_hint_line_reaches_the_promised_score() -> None:
    position = early(random.Random(1), GAME.new(GAME.parameters.parse("9x8"), 2), 5)
    with Control(0.3) as control:
        hint = GAME.explanations.hint(position, control)
    assert hint is not None
    end = position.after(hint.line)
    assert end.outcome() is not None
    assert end.score.total == score(hint.verdict).best
    change = position.score_change(hint.move).total
    at_once = f"It scores {change:+d} at once." if change else "The score stays as it is."
    assert hint.why.startswith(at_once)


def test_analysis_with_two_tiles_left_is_exact() -> None:
    rng = random.Random(8)
    position = early(rng, GAME.new(GAME.parameters.parse("6x5"), 3), 2)
    with Control(5) as control:
        analysis = HonshuSolver().moves(position, control)
    best = max(score(each.verdict).best or 0 for each in analysis)
    for each in rng.sample(analysis, 12) + [each for each in analysis if each.best][:2]:
        assert each.verdict.proof is Proof.EXACT
        assert score(each.verdict).best == score(each.verdict).bound == brute_force(position.play(each.move))
        assert each.best == (score(each.verdict).best == best)


def test_analysis_is_exact_for_moves_that_end_the_match() -> None:
    rng = random.Random(2)
    ends = 0
    while ends < 5:
        position = early(rng, deal(rng, (5, 5), (7, 9)), 2)
        if position.outcome() is not None or len(position.moves()) > 40:
            continue
        with Control(5) as control:
            analysis = HonshuSolver().moves(position, control)
        for each in analysis:
            after = position.play(each.move)
            ends += after.outcome() is not None
            most = max((after.play(last).score.total for last in after.moves()), default=after.score.total)
            assert (score(each.verdict).best, score(each.verdict).bound) == (most, most)


def test_analysis_bounds_every_move() -> None:
    position = GAME.new(GAME.parameters.parse("9x12"), 3)
    with Control(0.2) as control:
        analysis = HonshuSolver().moves(position, control)
    assert [each.move for each in analysis] == list(position.moves())
    best = [each for each in analysis if each.best]
    assert best
    for each in best:
        assert score(each.verdict).best == max(score(other.verdict).best or 0 for other in analysis)
    for each in analysis:
        assert score(each.verdict).bound is not None


def test_repeated_searches_only_improve_the_result() -> None:
    solver = HonshuSolver()
    position = GAME.new(GAME.parameters.parse("9x12"), 9)
    best, bound = 0, 1000
    for _ in range(4):
        with Control(0.1) as control:
            verdict = score(solver.verdict(position, control))
        assert verdict.best is not None
        assert verdict.bound is not None
        assert best <= verdict.best <= verdict.bound <= bound
        best, bound = verdict.best, verdict.bound
    with Control(1) as control:
        line = solver.line(position, control)
        for move in line:
            position = position.play(move)
            known = solver.best_known(position)
            assert known is not None
            assert known.best >= best
    assert position.score.total == best


@pytest.mark.timed
def test_concurrent_searches_cancel_promptly() -> None:
    solver = HonshuSolver()
    positions = [GAME.new(GAME.parameters.parse("9x12"), seed) for seed in range(2)]
    controls = [Control(), Control()]
    best: dict[int, int | None] = {}

    def work(index: int) -> None:
        best[index] = score(solver.verdict(positions[index], controls[index])).best

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    wait_for(lambda: all(control.nodes > 100_000 for control in controls))
    started = time.perf_counter()
    for control in controls:
        control.cancel()
    for thread in threads:
        thread.join(5)
    assert time.perf_counter() - started < 0.2
    assert all(best.values())


def test_verdict_without_deadline_stops_at_the_default_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert VERDICT_SECONDS == 2.0
    monkeypatch.setattr("arcade.engines.honshu.solver.VERDICT_SECONDS", 0.2)
    position = GAME.new(GAME.parameters.parse("12x20"), 1)
    started = time.perf_counter()
    with Control() as control:
        verdict = HonshuSolver().verdict(position, control)
    assert 0.15 < time.perf_counter() - started < VERDICT_SECONDS
    assert verdict.proof is Proof.BOUND
    assert verdict.nodes > 0
