"""Every kernel on cases so small that it can also run as plain Python, see `make coverage`."""

import itertools
from typing import Any

import pytest

from arcade.engines.chocobar import table as grundy
from arcade.engines.chocobar.table import RemotenessTable, ValueTable
from arcade.engines.control import Control
from arcade.engines.honshu import kernel
from arcade.engines.honshu.exhaustive import proof_search
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.honshu.solver import HonshuSolver, _Replicas
from arcade.engines.honshu.tiles import Tile
from arcade.engines.menace.machine import Machine, Options, Overflow
from arcade.engines.menace.opponents import PERFECT, RANDOM, Opponent, Style
from arcade.engines.menace.training import Training
from arcade.engines.position import Position
from arcade.engines.registry import parse_game_id
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.proof.checker import solve
from tests.narrow import present


def agree(position: Position[Any], solver: Any, moves: bool = True) -> None:
    """The solver, the values alone and every move against a plain search."""
    with Control() as control:
        truth = present(solve(position, control))
        found = solver.verdict(position, control)
        assert (found.value, found.remoteness) == truth[position]
        for each in solver.moves(position, control) if moves else ():
            value, plies = truth[position.play(each.move)]
            assert (each.verdict.value, each.verdict.remoteness) == (value.reversed, plies + 1)


@pytest.mark.parametrize(
    "text",
    [
        "hexapawn:3x3",
        "hexapawn:3x4",
        "hexapawn:4x3",
        "hexapawn:3x3,misere",
        "hexapawn:3x3,capture",
        "hexapawn:3x3,misere,capture",
        "tetromino:4x3",
        "tetromino:3x5",
        "tetromino:4x4:#.../..../..#./#...:ILT-OST:2",
    ],
)
def test_bitboard_duels_match_brute_force(text: str) -> None:
    parsed = parse_game_id(text)
    agree(parsed.start(), type(parsed.game)().solver)


def test_tetromino_with_few_pieces_matches_brute_force() -> None:
    solver = type(parse_game_id("tetromino").game)().solver
    for first, second in ((1, 1), (3, 3), (2, 12), (16, 8)):
        position = Tetrominoes(4, 4, hands=(first, second))
        agree(position, solver)
        with Control() as control:
            value = solver.value(position, control)
            assert value.value == solver.verdict(position, control).value
            solver.look_ahead(position, 2, control)


def test_chocobar_tables_agree_and_give_grundy_numbers() -> None:
    with Control() as control:
        for table, plies in ((RemotenessTable(3, 4), 7), (ValueTable(3, 4), None)):
            table.solve(control)
            assert table.look_up((4, 4, 4)) == ("win", plies)
        values_only, whole = ValueTable(6, 5), RemotenessTable(6, 5)
        for table in (values_only, whole):
            table.solve(control)
        for rows in itertools.combinations_with_replacement(range(5, -1, -1), 6):
            if any(rows):
                bar = tuple(row for row in rows if row)
                value, limited = whole.look_up(bar), values_only.look_up(bar)
                assert present(value)[0] == present(limited)[0]
        values = grundy.GrundyTable()
        assert [values.look_up((4,) * rows, control) for rows in (1, 2, 3)] == [3, 5, 9]


DEAL = HonshuPosition(5, Tile(0, "PFLVVP"), (Tile(1, "RUFPVP"), Tile(2, "LLPFRU"), Tile(2, "LLPFRU")))
VARIANTS = frozenset({"lakes2", "plains", "factories2", "squares", "forests5"})


def exchange(replicas: _Replicas, control: Control) -> None:
    """A few rounds of a few layouts, as plain Python."""
    kernel.exchange.interpreted(TRIES=40)(replicas.s, replicas.random, 3, control.cells)


@pytest.mark.parametrize("variants", [frozenset(), VARIANTS], ids=["plain", "variants"])
def test_exchange_layout_score_matches_rules(variants: frozenset[str]) -> None:
    position = HonshuPosition(DEAL.size, DEAL.start, DEAL.tiles, variants)
    with Control() as control:
        replicas = _Replicas(position, 1, 0, control)
        exchange(replicas, control)
        layout = replicas.layout()
        reached = position.after(layout)
        assert reached.score.total == replicas.best
        search = proof_search(position)
        bound = int(kernel.bound(search.s, kernel.REPLICAS_START, int(search.rest[0]), len(position.hand)))
        assert bound >= reached.score.total
        # The proof from below, where it soon finds something, and from above, where it does not.
        assert kernel.search(search, replicas.best - 30, 10**6, control.cells) == kernel.FOUND
        assert kernel.search(proof_search(position), bound, 300, control.cells) in (
            kernel.RUNNING,
            kernel.PROVED,
        )
        late = position.after(layout[:-2])
        best, limits = HonshuSolver()._rate(late, control)
        assert (best <= limits).all()


def test_oversized_hand_score_matches_rules() -> None:
    position = HonshuPosition(5, Tile(0, "PLFVVP"), tuple(Tile(n, "LPPLVF") for n in range(1, 9)))
    with Control() as control:
        replicas = _Replicas(position, 1, 0, control)
        exchange(replicas, control)
        position = position.after(replicas.layout())
        assert position.outcome() is not None
        assert position.score.total == replicas.best
        crowded = HonshuPosition(5, DEAL.start, (*DEAL.tiles, Tile(3, "PPPPPP"), Tile(4, "VVVVVV")))
        search = proof_search(crowded)
        bound = int(kernel.bound(search.s, kernel.REPLICAS_START, int(search.rest[0]), 5))
        assert kernel.search(search, bound - 3, 3000, control.cells) in (
            kernel.RUNNING,
            kernel.PROVED,
            kernel.FOUND,
        )


def test_small_deal_is_proved() -> None:
    position = HonshuPosition(5, DEAL.start, DEAL.tiles[:1])
    best = max(position.play(move).score.total for move in position.moves())
    with Control() as control:
        search = proof_search(position)
        assert kernel.search(search, best, 10**6, control.cells) == kernel.PROVED
        search = proof_search(position)
        assert kernel.search(search, best - 1, 10**6, control.cells) == kernel.FOUND


@pytest.mark.parametrize("overflow", list(Overflow))
def test_kernel_training_counts_its_games(overflow: Overflow) -> None:
    for opponent in (RANDOM, PERFECT, Opponent(Style.FALLIBLE, 0.5)):
        machine: Any = Machine("a", Options(overflow=overflow))
        with Control() as control:
            training = Training(machine, opponent, 40, seed=3)
            training.run(control)
        assert training.played <= 40
        assert machine.games == training.played
    rival: Any = Machine("rival", Options(seat=1))
    with Control() as control:
        Training(Machine("a", Options()), Opponent(Style.MACHINE, machine=rival, learns=True), 30, 5).run(
            control
        )
