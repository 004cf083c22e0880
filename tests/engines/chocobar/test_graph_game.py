from __future__ import annotations

import os
from pathlib import Path

import pytest

from arcade.engines.chocobar.graph import Convention, Storage, bar_graph
from arcade.engines.chocobar.graph_game import GAME, GraphMove, load
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.verdict import Proof, Value, value_keeping_moves
from tests.engines.chocobar import brute
from tests.engines.test_players import winner


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "my graph 3x4.txt"
    graph = bar_graph(3, 4, Convention.IS, Storage.LIST)
    assert graph is not None
    path.write_text(graph.text(Storage.LIST))
    return str(path)


def test_graph_file_plays_like_its_original_bar(file: str, control: Control) -> None:
    position = GAME.new({"file": file})
    while position.outcome() is None:
        rows = tuple(map(int, position.graph.names[position.vertex].split(".")))
        verdict = GAME.solver.verdict(position, control)
        assert verdict.proof is Proof.EXACT
        assert verdict.remoteness == brute.remoteness(rows)
        assert len(position.moves()) == len(brute.bitten(rows))
        hint = GAME.explanations.hint(position, control)
        assert hint is not None
        assert hint.move in value_keeping_moves(GAME.solver.moves(position, control))
        position = position.play(hint.move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == 0


@pytest.mark.parametrize("opponent", ["perfect", "fallible:3", "random"])
def test_perfect_player_wins_the_example_graph(opponent: str) -> None:
    for seed in range(10):
        assert winner(GAME.new(GAME.parameters.parse("")), GAME, ("perfect", opponent), seed) == 0


def test_example_graph_has_one_winning_move(control: Control) -> None:
    analysis = GAME.solver.moves(GAME.new(GAME.parameters.parse("")), control)
    assert [each.verdict.value for each in analysis].count(Value.WIN) == 1
    assert len(analysis) == 3


def test_position_texts_and_game_ids_are_parsed(file: str) -> None:
    start = GAME.new({"file": file})
    after = start.play(start.moves()[3])
    assert " " not in after.text()
    assert GAME.parse_position(after.text()) == after
    assert GAME.parse_position(f"{after.vertex}:2", {"file": file}) == after
    assert GAME.parameters.split(file) == (file, None, None)
    assert GAME.parameters.split(f"{file}:{after.vertex}:2") == (file, f"{after.vertex}:2", None)
    assert GAME.parameters.split(f"{file}:{after.text()}") == (file, after.text(), None)
    assert GAME.parameters.split("c:/x/y.txt") == ("c:/x/y.txt", None, None)
    with pytest.raises(InputError, match="does not belong to the graph"):
        GAME.parse_position("example@3", {"file": file})
    with pytest.raises(InputError, match="must name its graph file"):
        GAME.parse_position("3")
    with pytest.raises(InputError, match="cannot be reached"):
        GAME.parse_position("99", {"file": file})


def test_unreachable_vertex_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "g"
    path.write_text("vertices 4\ninitial 3\nfinal 0\nlists\n3: 0\n2: 1\n1: 0\n")
    assert GAME.parse_position("3", {"file": str(path)}).moves() == [GraphMove(0)]
    with pytest.raises(InputError, match=r"Vertex 2 .* cannot be reached"):
        GAME.parse_position("2", {"file": str(path)})


def test_moves_are_parsed_by_number_or_name(file: str) -> None:
    start = GAME.new({"file": file})
    names = start.graph.names
    assert GAME.parse_move("4.4.3", start) == GraphMove(names.index("4.4.3"))
    assert GAME.parse_move(">7") == GAME.parse_move(" 7 ") == GraphMove(7)
    with pytest.raises(InputError, match="must be the number"):
        GAME.parse_move("4.4.3")
    with pytest.raises(ValueError, match=r"No edge leads from vertex 0 \(4\.4\.4\) to vertex 0\."):
        start.play(GraphMove(0))
    with pytest.raises(ValueError, match="to vertex 9999"):
        start.play(GraphMove(9999))


def test_vertex_names_resembling_moves_are_distinguished(tmp_path: Path) -> None:
    path = tmp_path / "g"
    path.write_text(
        "vertices 5\ninitial 4\nfinal 0\nname 1 2\nname 2 >1\nname 3 0\nlists\n4: 1 2 3\n1: 0\n2: 0\n3: 0\n"
    )
    start = GAME.new({"file": str(path)})
    assert [GAME.parse_move(str(move), start) for move in start.moves()] == start.moves()
    assert GAME.parse_move("0", start) == GraphMove(3)
    with pytest.raises(InputError, match="'2' is ambiguous: it can mean >1 or >2"):
        GAME.parse_move("2", start)


def test_moving_to_final_vertex_loses_explicitly_or_by_default(tmp_path: Path, control: Control) -> None:
    for line in ("", "whoever moves there loses\n"):
        path = tmp_path / f"g{len(line)}"
        path.write_text(f"vertices 3\ninitial 2\nfinal 0\n{line}lists\n2: 1 0\n1: 0\n")
        start = GAME.new({"file": str(path)})
        assert start.describe()[1] == "The final vertex is 0: whoever moves there loses."
        verdicts = {str(each.move): each.verdict.value for each in GAME.solver.moves(start, control)}
        assert verdicts == {">1": Value.WIN, ">0": Value.LOSS}
        ended = start.play(GraphMove(0)).outcome()
        assert ended is not None
        assert (ended.winner, ended.reason) == (1, "First has moved to the final vertex")


def test_changed_graph_file_is_reloaded(tmp_path: Path) -> None:
    path = tmp_path / "g"
    path.write_text("vertices 2\ninitial 1\nfinal 0\nlists\n1: 0\n")
    first = load(str(path))
    assert load(str(path)) is first
    path.write_text("vertices 3\ninitial 2\nfinal 0\nlists\n2: 1\n1: 0\n")
    os.utime(path, ns=(1, 1))
    assert len(load(str(path)).edges) == 3
    with pytest.raises(InputError, match="Cannot find the graph file"):
        load(str(tmp_path / "none"))


def test_cancelled_verdict_is_unknown(file: str) -> None:
    control = Control()
    control.cancel()
    solver = type(GAME)().solver
    assert solver.verdict(GAME.new({"file": file}), control).proof is Proof.UNKNOWN
