import random

import pytest

from arcade.engines.control import Control
from arcade.engines.registry import parse_game_id
from arcade.engines.tetromino.board import image_of
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import (
    TIE,
    TetrominoSolver,
    best_reply,
    rank_of,
    stored_rank,
    verdict_of,
    worth,
)
from arcade.engines.verdict import Value
from tests.narrow import expect, present

START = Tetrominoes(5, 8)


def test_sampled_stored_positions_match_a_new_search(control: Control) -> None:
    rng = random.Random(11)
    solver = TetrominoSolver(facts=False)
    for _ in range(3):
        position = START.play(rng.choice(START.moves()))
        position = position.play(rng.choice(position.moves()))
        rank = stored_rank(position)
        searched = solver.verdict(position, control)
        assert searched.nodes
        assert rank is not None
        assert verdict_of(position, (rank, rank)).limits() == searched.limits()


def test_symmetric_moves_share_ranks_and_first_moves_lose() -> None:
    by_mask = {mask: move for move, mask in START.board.placements.items()}
    for move in START.moves():
        assert present(stored_rank(START.play(move))) > TIE, f"the second player wins after {move}"
    rng = random.Random(3)
    for _ in range(20):
        first = rng.choice(START.moves())
        second = rng.choice(START.play(first).moves())
        ranks = {
            stored_rank(START.play(images[0]).play(images[1]))
            for symmetry in START.board.symmetries
            for images in [
                [by_mask[image_of(START.board.placements[each], symmetry)] for each in (first, second)]
            ]
        }
        assert len(ranks) == 1
        assert None not in ranks


def test_new_solver_returns_stored_verdict_without_search(control: Control) -> None:
    assert TetrominoSolver(facts=True).verdict(START, control).value is Value.LOSS
    assert control.nodes == 0


@pytest.mark.parametrize(
    "id",
    [
        "tetromino:5x8:...../...../...../...../...../...../...../#....:ILOST-ILOST:1",
        "tetromino:5x8,ILO-ILO",
        "tetromino:4x5",
    ],
)
def test_other_boards_have_no_stored_rank(id: str) -> None:
    position = expect(Tetrominoes, parse_game_id(id).start())
    assert stored_rank(position) is None
    assert stored_rank(position.play(position.moves()[0])) is None


def test_rank_verdict_and_best_reply_conversions_agree(control: Control) -> None:
    for position in (Tetrominoes(4, 4), Tetrominoes(3, 5)):
        solver = TetrominoSolver()
        whole = solver.verdict(position, control)
        ranks = {worth(rank_of(each.verdict)) for each in solver.moves(position, control)}
        assert verdict_of(position, (max(ranks), max(ranks))).limits() == whole.limits()
    for rank in (*range(6), TIE, *range(8, 13)):
        assert worth(best_reply(rank)) == rank
