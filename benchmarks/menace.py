"""Training speed of matchbox machines, and what they learn: `python -m benchmarks.menace [--quick]`."""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from arcade.engines.control import Control
from arcade.engines.menace.archive import from_json, to_json
from arcade.engines.menace.box import Boxes, BoxSet, Node, PositionGraph
from arcade.engines.menace.chances import shares
from arcade.engines.menace.machine import EMPTY_BOX, AnyMachine, Machine, Options, Overflow, below
from arcade.engines.menace.opponents import PERFECT, RANDOM, Opponent, Style
from arcade.engines.menace.training import Ended, Training, warm
from arcade.engines.position import Outcome
from arcade.engines.registry import game_names
from benchmarks.table import Row, main, show
from benchmarks.training_by_hand import SplitMix64, play_game

Graph = PositionGraph[Any, Any]
AnyNode = Node[Any, Any]

LIMIT = 300_000
"""Games per second against random play on one core."""
SCROGGS = (8, 4, 2, 1)


def _speed(options: Options, opponent: Opponent, games: int) -> float:
    """Games per second, the best of three runs."""
    best = 0.0
    for seed in range(3):
        training = Training(Machine("a", options), opponent, games, seed)
        with Control() as control:
            started = time.perf_counter()
            training.run(control)
            best = max(best, training.played / (time.perf_counter() - started))
    return best


def _by_hand(games: int) -> float:
    machine: AnyMachine = Machine("a", Options(first_beads=SCROGGS))
    bits = SplitMix64(0)
    started = time.perf_counter()
    for _ in range(games):
        play_game(machine, RANDOM, bits)
    return games / (time.perf_counter() - started)


def learned(opponent: Opponent, runs: int, options: Options | None = None) -> tuple[list[float], float]:
    """Shares in games 221 to 1,000, and of runs that refused (default: 4, 3, 2, 1 beads)."""
    late, refused = [0.0, 0.0, 0.0], 0
    for seed in range(runs):
        training = Training(Machine("a", options), opponent, 1000, seed, step=220)
        with Control() as control:
            steps = training.run(control)[1:]
        won, tied = sum(step.won for step in steps), sum(step.tied for step in steps)
        for at, games in enumerate((won, tied, 780 - won - tied)):
            late[at] += games / 780 / runs
        refused += training.ended is Ended.REFUSED
    return late, refused / runs


def _losses(overflow: Overflow, runs: int, games: int) -> list[float]:
    """Exact chances to lose to a perfect opponent after training against random play."""
    found = []
    for seed in range(runs):
        machine: AnyMachine = Machine("a", Options(first_beads=SCROGGS, overflow=overflow))
        with Control() as control:
            Training(machine, RANDOM, games, seed).run(control)
        found.append(shares(machine, PERFECT).loss)
    return found


def _percent(*numbers: float) -> str:
    return " / ".join(f"{number:.1%}" for number in numbers)


def rows(quick: bool = False) -> list[Row]:
    games, runs, board = (1_000, 1, "3x3") if quick else (1_000_000, 100, "4x4")
    started = time.perf_counter()
    warm()
    loaded = time.perf_counter() - started
    scroggs = Options(first_beads=SCROGGS)
    speed, by_hand = _speed(scroggs, RANDOM, games), _by_hand(games // 200)
    rival: AnyMachine = Machine("rival", Options(seat=1, first_beads=SCROGGS))
    found: list[Row] = [
        ("load the kernel", f"{loaded:.2f} s", ""),
        ("games per second against random", f"{speed:,.0f}", f"at least {LIMIT:,}"),
        (
            "games per second against random, in plain Python",
            f"{by_hand:,.0f}",
            f"kernel: {speed / by_hand:,.0f} times as fast",
        ),
        ("games per second against perfect", f"{_speed(scroggs, PERFECT, games):,.0f}", ""),
        (
            "games per second against an opponent who is right in 80 %",
            f"{_speed(scroggs, Opponent(Style.FALLIBLE, 0.8), games):,.0f}",
            "",
        ),
        (
            "games per second, two machines in training",
            f"{_speed(scroggs, Opponent(Style.MACHINE, machine=rival, learns=True), games):,.0f}",
            "",
        ),
    ]
    if "hexapawn" in game_names():
        her = Options("hexapawn", board, 1, BoxSet.ALL, first_beads=SCROGGS)
        started = time.perf_counter()
        boxes: AnyMachine = Machine("her", her)
        took = time.perf_counter() - started
        found.append((f"create HER's {len(boxes.boxes.boxes):,} boxes on {board}", f"{took:.2f} s", ""))
        found.append(
            (
                f"games per second, HER on {board} against random",
                f"{_speed(her, RANDOM, games // 3):,.0f}",
                "",
            )
        )
    started = time.perf_counter()
    Boxes("menace", "", 0, BoxSet.CHOICE, True)
    found.append(("create MENACE's 304 boxes", f"{1000 * (time.perf_counter() - started):.0f} ms", ""))
    machine: AnyMachine = Machine("a", scroggs)
    with Control() as control:
        Training(machine, RANDOM, games // 50, 1).run(control)
    started = time.perf_counter()
    text = to_json(machine)
    wrote = time.perf_counter()
    from_json(text)
    took = time.perf_counter() - wrote
    found.append(
        (
            f"write / read a machine of {len(text):,} characters",
            f"{1000 * (wrote - started):.0f} / {1000 * took:.0f} ms",
            "",
        )
    )
    late, _ = learned(RANDOM, runs)
    found.append(
        (
            f"won / tied / lost against random, games 221 to 1,000, {runs} runs",
            _percent(*late),
            "77 / 10 / 13 %",
        )
    )
    late, _ = learned(RANDOM, runs, Options(overflow=Overflow.STOP))
    found.append(("won / tied / lost against random, if a full box gets no more beads", _percent(*late), ""))
    late, refused = learned(PERFECT, 4 * runs)
    found.append(
        (
            f"won / tied / lost against perfect, games 221 to 1,000, {4 * runs} runs",
            _percent(*late),
            "0 / 24 / 76 %",
        )
    )
    found.append(("runs against perfect that empty the first box", _percent(refused), "75 %"))
    for overflow in Overflow:
        losses = _losses(overflow, runs, games // 50)
        spread = _percent(statistics.mean(losses), statistics.median(losses), max(losses))
        found.append(
            (
                f"lost to perfect after {games // 50:,} random games, overflow {overflow}: "
                "mean / median / worst",
                spread,
                "",
            )
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found.append(("peak memory of the process", f"{peak:.0f} MB", ""))
    return found


def _kinds(graph: Graph, node: AnyNode, numbers: list[int]) -> list[int]:
    kinds = {graph.canonical(graph.nodes[node.children[number]].position)[0]: number for number in numbers}
    return list(kinds.values())


def _keeping(graph: Graph, node: AnyNode) -> list[int]:
    kept = graph.keeping(node.position)
    return [number for number, move in enumerate(node.moves) if move in kept]


PERFECTION: dict[str, Callable[[Graph, AnyNode], list[int]]] = {
    "any move that keeps the value": _keeping,
    "any best move": lambda graph, node: graph.best(node),
    "any best move, one of each kind": lambda graph, node: _kinds(graph, node, graph.best(node)),
    "the first best move": lambda graph, node: graph.best(node)[:1],
    "a trap, one of each kind": lambda graph, node: graph.perfect(node),
}
"""Machines train against the last one."""


def _refusals(choice: Callable[[Graph, AnyNode], list[int]], runs: int = 300, games: int = 1000) -> float:
    """Share of runs with 4, 3, 2, 1 beads in which a perfect opponent empties the first box."""
    refused = 0
    for seed in range(runs):
        machine: AnyMachine = Machine("a")
        graph = machine.boxes.graph
        choices = {}
        bits = SplitMix64(seed)
        for _ in range(games):
            position, draws = graph.nodes[0].position, []
            while (outcome := position.outcome()) is None:
                if position.turn == 0:
                    draw = machine.draw(position, bits)
                    if draw is None:
                        outcome = Outcome(1, EMPTY_BOX)
                        break
                    draws.append(draw)
                    position = position.play(draw.move)
                    continue
                at = graph.index[position]
                if at not in choices:
                    choices[at] = choice(graph, graph.nodes[at])
                number = choices[at][below(bits, len(choices[at]))]
                position = graph.nodes[graph.nodes[at].children[number]].position
            machine.learn(draws, outcome)
            if machine.refuses:
                refused += 1
                break
    return refused / runs


def perfection_rows() -> list[Row]:
    return [
        (f"first box emptied in 1,000 games by one who plays {name}", _percent(_refusals(choice)), "")
        for name, choice in PERFECTION.items()
    ]


if __name__ == "__main__":
    if "--perfection" in sys.argv:
        show(perfection_rows())
    else:
        main(rows)
