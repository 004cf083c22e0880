"""The report's four structures of boxes, and an oracle for the machines."""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace import box as beads
from arcade.engines.menace import reference_methods as classic
from arcade.engines.menace.game import GAME
from arcade.engines.menace.machine import Machine, Options
from arcade.engines.menace.reference_methods import AllSymmetries, BoxGraph, BoxTable, Structure, Tree
from arcade.engines.menace.rules import SYMMETRIES, Cell, TicTacToe, image
from arcade.engines.position import Position

STRUCTURES: list[type[Structure]] = [Tree, BoxTable, BoxGraph]
"""All but the tree that learns all symmetries: it is a tree in all else."""


@pytest.fixture(autouse=True, scope="module")
def uncollected() -> Iterator[None]:
    """Half a million boxes make the collector of cycles work for nothing, as in `compare`."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="module")
def grown(uncollected: None) -> Tree:
    """A tree for all tests, because to grow one takes long."""
    return Tree()


@pytest.fixture
def tree(grown: Tree) -> Tree:
    """A tree with its first beads."""
    grown.reset()
    return grown


def random_games(count: int, seed: int = 1) -> list[tuple[list[int], int | None]]:
    """Cells taken in turn, and the winner, by the arcade's rules."""
    rng = random.Random(seed)
    games = []
    for _ in range(count):
        position, moves = GAME.new({}), []
        while (outcome := position.outcome()) is None:
            move = rng.choice(position.moves())
            moves.append(move.index)
            position = position.play(move)
        games.append((moves, outcome.winner))
    return games


def test_all_symmetries_method_differs_from_tree_only_in_reward() -> None:
    assert AllSymmetries.__mro__[1] is Tree
    assert [name for name, own in vars(AllSymmetries).items() if callable(own)] == ["reward"]


def changes(winner: int | None) -> tuple[int, int]:
    return (1, 1) if winner is None else (3, -1) if winner == 0 else (-1, 3)


@pytest.fixture(scope="module")
def lines_of_play() -> Counter[str]:
    """How many orders of moves lead to each board, from the arcade's rules."""
    found: Counter[str] = Counter()
    waiting: Counter[Position[Cell]] = Counter([GAME.new({})])
    while waiting:
        after: Counter[Position[Cell]] = Counter()
        for position, count in waiting.items():
            found[position.text()] += count
            for move in position.moves():
                after[position.play(move)] += count
        waiting = after
    return found


@pytest.mark.slow
def test_structures_have_the_expected_number_of_boxes(lines_of_play: Counter[str], grown: Tree) -> None:
    """A tree has one for each order of moves, 549,946 for 5,478 boards; alike boards share one of 765."""
    assert len(grown) == lines_of_play.total() == 549_946
    assert len(lines_of_play) == 5_478
    alike = {GAME.symmetries.canonical(GAME.parse_position(text)) for text in lines_of_play}
    assert len(BoxGraph()) == len(BoxTable()) == len(alike) == 765


def test_graph_shares_boxes_and_visits_each_once() -> None:
    graph = BoxGraph()
    boxes = list(graph.walk())
    assert len({id(box) for box in boxes}) == len({box.board for box in boxes}) == 765
    assert sum(len(box.next) for box in boxes) > 764
    assert len(graph.save().splitlines()) == 765

    def visits(box: classic.Matchbox) -> int:
        return 1 + sum(map(visits, box.next))

    assert graph.ways() == visits(graph.root)
    assert graph.free() == 765


def test_table_index_is_unique_up_to_symmetry(
    lines_of_play: Counter[str],
) -> None:
    by_index: dict[int, set[int]] = {}
    for text in lines_of_play:
        board = GAME.parse_position(text).board
        index, cells = classic.index_of(board)
        assert index == classic.in_base_3(image(board, cells)) < 3**9
        by_index.setdefault(index, set()).add(board)
    for boards in by_index.values():
        assert boards == {image(next(iter(boards)), cells) for _, cells in SYMMETRIES}


@cache
def untaught(make: type[Structure]) -> str:
    return make().save()


@pytest.fixture
def uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests must not get first beads from here."""
    monkeypatch.setattr(classic, "first_beads", classic.first_beads.__wrapped__)


@pytest.fixture
def narrow(uncached: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first three free cells may be taken, so that no tree grows large."""
    following = classic.following
    monkeypatch.setattr(classic, "following", lambda board: dict([*following(board).items()][:3]))


@pytest.mark.parametrize("make", STRUCTURES)
def test_loading_restores_the_same_boxes(make: type[Structure], request: pytest.FixtureRequest) -> None:
    if make is Tree:
        request.getfixturevalue("narrow")
    boxes, rng = make(), random.Random(1)
    first = boxes.save()
    for moves, winner in [classic.game((classic.anything,) * 2, rng) for _ in range(50)]:
        boxes.reward(moves, changes(winner))
    text = boxes.save()
    again = make.load(text)
    assert again.save() == text != first
    assert (len(again), again.nbytes) == (len(boxes), boxes.nbytes)
    again.reset()
    assert again.save() == first
    if isinstance(again, Tree):
        assert again.free() == len(boxes)
        assert len(again) == 1


@pytest.mark.parametrize("make", [BoxTable, BoxGraph])
@pytest.mark.parametrize("bad", ["", "zz", "-1", "8000000000000000", "0 0", "0x1", "1_0", "\u0663"])
def test_damaged_boxes_are_refused(make: type[Structure], bad: str) -> None:
    lines = untaught(make).splitlines()
    for at in (0, 5, 764):
        with pytest.raises(InputError, match=rf"^Line {at + 1}: expected beads as .*, found {bad!r}\.$"):
            make.load("\n".join([*lines[:at], bad, *lines[at + 1 :]]))


@pytest.mark.parametrize("make", [BoxTable, BoxGraph])
def test_wrong_number_of_boxes_is_refused(make: type[Structure]) -> None:
    text = untaught(make)
    with pytest.raises(InputError, match="expected beads as a hexadecimal number, found ''"):
        make.load(text[: len(text) // 50].rpartition("\n")[0])
    with pytest.raises(InputError, match=r"expected the end of the text, found '0'"):
        make.load(text + "0\n")


def test_graph_and_table_methods_learn_the_same() -> None:
    graph, table = BoxGraph(), BoxTable()
    games = random_games(300)
    for moves, winner in games:
        graph.reward(moves, changes(winner))
        table.reward(moves, changes(winner))
    for moves, _ in games:
        for ply in range(len(moves)):
            free = [cell for cell in range(9) if cell not in moves[:ply]]
            # Images of one board may reach the box by another symmetry: what leads to like boards counts.
            assert sorted(graph.counts(moves[:ply], free)) == sorted(table.counts(moves[:ply], free))


@pytest.mark.slow
def test_only_all_symmetries_method_rewards_symmetric_lines_too(tree: Tree) -> None:
    game, at = [0, 4, 1], 8
    turned, cell = [SYMMETRIES[1][1][move] for move in game], SYMMETRIES[1][1][at]
    symmetric = AllSymmetries.__new__(AllSymmetries)
    symmetric.root = tree.root
    for boxes, learnt in ((tree, 0), (symmetric, 3)):
        boxes.reset()
        before = boxes.counts(turned, [cell])[0]
        boxes.reward([*game, at], (1, 3))
        assert boxes.counts(game, [at])[0] == before + 3
        assert boxes.counts(turned, [cell])[0] == before + learnt
        # The four corners of the empty board are alike, and each is taught once.
        assert boxes.counts([], [0, 2, 6, 8]) == ([5, 5, 5, 5] if learnt else [5, 4, 4, 4])
        assert boxes.counts([], [4]) == [4]


@pytest.mark.parametrize("make", [BoxTable, BoxGraph])
def test_symmetric_boards_open_the_same_box(make: type[Structure]) -> None:
    boxes = make()
    boxes.reward([0, 4, 1, 2], (1, 3))
    for _, cells in SYMMETRIES:
        moves = [cells[at] for at in (0, 4, 1)]
        assert boxes.counts(moves, [cells[2], cells[8]]) == [6, 3]


def orbit_sums(board: int, word: int) -> dict[int, int]:
    """Beads by the board that a move leads to, symmetric moves together."""
    sums: dict[int, int] = {}
    for cell in range(9):
        if not board >> 2 * cell & 3:
            after = classic.canonical(board | 1 << 2 * cell)[0]
            sums[after] = sums.get(after, 0) + beads.count(word, cell)
    return sums


def test_graph_and_machine_learn_the_same(uncached: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games, rewarded in the report's graph and in a machine with beads for every cell."""
    monkeypatch.setattr(classic, "FIRST_BEADS", (60,) * 9)
    graph = BoxGraph()
    machine: Machine[TicTacToe, Cell] = Machine("a", Options(distinct=False, first_beads=(60, 60, 60, 60)))
    for moves, winner in random_games(1000):
        position, cells = GAME.new({}), [Cell(at) for at in moves]
        for cell in cells:
            position = position.play(cell)
        outcome = position.outcome()
        assert outcome is not None
        machine.learn(machine.retrace(GAME.new({}), cells), outcome)
        graph.reward(moves, changes(winner))
    learned = {box.board: box.beads for box in graph.walk()}
    unclipped = 0
    for box, word in zip(machine.boxes.boxes, machine.beads, strict=True):
        least = classic.canonical(box.position.board)[0]
        other = learned[least]
        counts = (*beads.unpack(word), *beads.unpack(other))
        # A count at its limit may be reached by one symmetric move and not by the other.
        if 127 not in counts and all(counts[cell] for cell in box.moves):
            assert orbit_sums(box.position.board, word) == orbit_sums(least, other)
            unclipped += 1
    assert unclipped > 280


def test_graph_learns_more_than_tree(tree: Tree) -> None:
    """A tree has a box for each order of moves, and a thousand games come back to few of them."""
    won = {}
    structures: tuple[Structure, ...] = (tree, BoxGraph())
    for boxes in structures:
        player = boxes.draw
        won["fresh"] = classic.results(player, 1)["won"]
        classic.teach(boxes, 1)
        learnt = classic.results(player, 1)
        assert sum(learnt.values()) == classic.TRIALS
        won[type(boxes).__name__] = learnt["won"]
    assert won["BoxGraph"] > 50 + max(won["Tree"], won["fresh"])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "boxes"), [("table", "765"), ("graph", "765"), ("tree", "6,713")])
def test_method_reports_costs_and_training_results(
    name: str, boxes: str, control: Control, request: pytest.FixtureRequest
) -> None:
    if name == "tree":
        request.getfixturevalue("narrow")
    method = next(method for method in GAME.reference_methods.methods if method.name == name)
    work = method.solve(GAME.new({}), control)
    assert work.answer.startswith(f"{boxes} boxes; of 3,000 games won ")
    assert sum(work.details["with first beads"].values()) == 1000
    assert set(work.details["seconds"]) == {"build", "save", "load", "free"}
    learnt = work.details["after 1000 games between random players"]
    assert list(learnt) == ["seed 1", "seed 2", "seed 3"]
    assert all(sum(results.values()) == 1000 for sides in learnt.values() for results in sides.values())
    assert ("after 1000 games against itself" in work.details) == (name == "graph")
    assert ("boards as numbers" in work.details) == (name == "table")
