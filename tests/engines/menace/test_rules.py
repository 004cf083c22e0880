import itertools
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.menace.box import position_graph
from arcade.engines.menace.game import GAME
from arcade.engines.menace.rules import LINES, SYMMETRIES, Cell, TicTacToe, image, position, threats
from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import Value
from tests.refusals import refused, refuses

EMPTY = "........."


def line_of(board: str, mark: str) -> bool:
    rows = [board[0:3], board[3:6], board[6:9]]
    columns = [board[0::3], board[1::3], board[2::3]]
    return mark * 3 in [*rows, *columns, board[0::4], board[2:7:2]]


@cache
def value(board: str) -> tuple[int, int]:
    """For the player to move: 1, 0 or -1, and the plies to the end; plain minimax over strings."""
    mover, other = "XO" if board.count(".") % 2 else "OX"
    if line_of(board, other):
        return (-1, 0)
    if "." not in board:
        return (0, 0)
    replies = []
    for cell in range(9):
        if board[cell] == ".":
            worth, plies = value(board[:cell] + mover + board[cell + 1 :])
            replies.append((-worth, plies + 1))
    top = max(worth for worth, _ in replies)
    plies_of_top = [plies for worth, plies in replies if worth == top]
    return (top, max(plies_of_top) if top < 0 else min(plies_of_top))


def every_board() -> set[str]:
    found, fresh = {EMPTY}, [EMPTY]
    while fresh:
        board = fresh.pop()
        if line_of(board, "X") or line_of(board, "O"):
            continue
        mover = "X" if board.count(".") % 2 else "O"
        for cell in range(9):
            after = board[:cell] + mover + board[cell + 1 :]
            if board[cell] == "." and after not in found:
                found.add(after)
                fresh.append(after)
    return found


def test_position_and_symmetry_class_counts_are_correct() -> None:
    graph = position_graph("menace", "")
    positions = {node.position.text(): node.position for node in graph.nodes}
    assert set(positions) == every_board()
    assert len(positions) == 5478
    classes = {min(image(each.board, cells) for _, cells in SYMMETRIES): each for each in positions.values()}
    assert len(classes) == 765
    over = [(outcome.winner, each) for each in classes.values() if (outcome := each.outcome())]
    assert len(over) == 138
    assert [sum(winner == who for winner, _ in over) for who in (0, 1, None)] == [91, 44, 3]


def test_exactly_the_reachable_boards_are_accepted() -> None:
    """All 3**9 fillings: what the parser takes is what play can reach."""
    reachable = every_board()
    for marks in itertools.product(".XO", repeat=9):
        board = "".join(marks)
        if board in reachable:
            assert GAME.parse_position(board).text() == board
        else:
            refused(r"^[A-Z].*\.$", GAME.parse_position, board)


def test_solver_and_graph_match_minimax(control: Control) -> None:
    graph = position_graph("menace", "")
    words = {Value.WIN: 1, Value.TIE: 0, Value.LOSS: -1}
    for node in graph.nodes:
        verdict = GAME.solver.verdict(node.position, control)
        other = graph.verdicts[node.index]
        assert (verdict.value, verdict.remoteness) == (other.value, other.remoteness)
        assert verdict.value is not None
        assert (words[verdict.value], verdict.remoteness) == value(node.position.text())


def test_search_visits_each_position_once(control: Control) -> None:
    solver = type(GAME)().solver
    first = solver.verdict(GAME.new({}), control)
    assert first.nodes == 5478
    assert solver.verdict(GAME.new({}), control).nodes == 0


def test_eight_symmetries_preserve_lines() -> None:
    lines = {frozenset(line) for line in LINES}
    assert len({cells for _, cells in SYMMETRIES}) == 8
    for _, cells in SYMMETRIES:
        assert {frozenset(cells[at] for at in line) for line in LINES} == lines


@given(st.lists(st.integers(0, 8), unique=True, max_size=9), st.sampled_from(SYMMETRIES))
def test_playing_a_move_preserves_symmetry(moves: list[int], symmetry: tuple[str, tuple[int, ...]]) -> None:
    _, cells = symmetry
    one = other = GAME.new({})
    for move in moves:
        if one.outcome() is None:
            one, other = one.play(Cell(move)), other.play(Cell(cells[move]))
    assert image(one.board, cells) == other.board
    assert position(one.board) == one
    assert (one.outcome() is None) == (other.outcome() is None)


def test_loose_notations_are_accepted() -> None:
    assert GAME.parse_position("xo-/___/...").text() == "XO......."
    assert str(GAME.parse_move(" B2 ")) == "b2"
    assert parse_game_id("menace::X........").start() == parse_game_id("menace:X........").start()
    assert str(parse_game_id("menace:X........")) == "menace:X........"


test_invalid_boards_are_refused_with_reason = refuses(
    GAME.parse_position,
    ("X.O.....", "8 cells"),
    ("XX.......", "2 X and 0 O"),
    ("X.O.?....", "Cell 5"),
    ("XXXOOO...", "play continued after"),
)


def test_moves_after_a_line_are_refused() -> None:
    won = GAME.parse_position("XXXOO....")
    with pytest.raises(ValueError, match="over"):
        won.play(Cell(8))
    with pytest.raises(ValueError, match="not on the board"):
        won.play(Cell(9))
    assert won.line() == (0, 1, 2)


def test_region_hint_names_the_kind_of_cell() -> None:
    cells, start = map(Cell, range(9)), TicTacToe(0, 0)
    words = {str(cell): GAME.explanations.hint_region(start, cell).says for cell in cells}
    assert {cell for cell in words if "corners" in words[cell]} == {"a1", "a3", "c1", "c3"}
    assert {cell for cell in words if "sides" in words[cell]} == {"a2", "b1", "b3", "c2"}
    assert {cell for cell in words if "centre" in words[cell]} == {"b2"}


def test_perfect_training_opponent_sets_traps() -> None:
    """Of the best moves, checked with the minimax above, those that leave the fewest good replies."""

    def after(board: str) -> list[str]:
        mover = "XO"[board.count(".") % 2 == 0]
        if line_of(board, "X") or line_of(board, "O"):
            return []
        return [board[:at] + mover + board[at + 1 :] for at in range(9) if board[at] == "."]

    def holding(board: str) -> int:
        return sum(-value(each)[0] == value(board)[0] for each in after(board)) or 1

    graph = position_graph("menace", "")
    told_apart = 0
    for node in graph.nodes:
        board = node.position.text()
        worth, plies = value(board)
        best = [each for each in after(board) if value(each) == (-worth, plies - 1)]
        if worth < 1 and best:
            fewest = min(map(holding, best))
            told_apart += max(map(holding, best)) > fewest
            best = [each for each in best if holding(each) == fewest]
        chosen = [graph.nodes[node.children[number]].position for number in graph.perfect(node)]
        assert {each.text() for each in chosen} <= set(best)
        kinds = {graph.canonical(GAME.parse_position(each))[0] for each in best}
        assert sorted(graph.canonical(each)[0] for each in chosen) == sorted(kinds)
    assert told_apart > 100


def test_threats_are_cells_completing_a_line() -> None:
    assert threats(GAME.parse_position("XX.OO....").board, 1) == [2]
    assert threats(GAME.parse_position("XX.OO....").board, 2) == [5]
    assert threats(TicTacToe(0, 0).board, 1) == []
