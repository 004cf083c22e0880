"""`arcade chocobar`: openings, Grundy numbers, game graphs and strategies."""

from typing import Any

import typer

from arcade.commands import common as shell
from arcade.commands.common import print_json, say
from arcade.engines.chocobar import GAME
from arcade.engines.chocobar import graph as graphs
from arcade.engines.chocobar.graph import Convention, Graph, Storage
from arcade.engines.chocobar.rules import Bar, bars_in
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.verdict import MoveVerdict, Value
from arcade.engines.wording import amount

app = shell.commands("Openings, Grundy numbers, game graphs and strategies of Chomp.")


OPENINGS_HEAD = (
    "# rows\tcolumns\tremoteness of the full bar\twinning bites (row,column counted from 1;"
    " in brackets the plies until only the poison is left)"
)


def _bar(text: str) -> Bar:
    return shell.read_position(text, Bar, "chocobar")


def _size(text: str) -> tuple[int, int]:
    bar = _bar(text)
    if len(set(bar.rows)) > 1:
        raise InputError(f"This command needs a whole bar, like 8x10, but {text!r} has bites.")
    return len(bar.rows), bar.rows[0]


@shell.command(app)
def openings(
    size: str, remoteness: bool = False, seconds: float | None = None, as_json: bool = False
) -> None:
    from arcade.engines.chocobar.solver import effort
    from arcade.engines.chocobar.table import boxes_to_solve, memory_bytes

    rows, columns = _size(size)
    sizes = [(i, j) for i in range(1, rows + 1) for j in range(1, columns + 1) if i * j > 1]
    # The largest first: its table also answers for the others.
    by_size = sorted(sizes, key=lambda size: bars_in(*size), reverse=True)
    boxes = [by_size[0]] if remoteness else boxes_to_solve(by_size)
    if remoteness:
        shell.check_memory(memory_bytes(*by_size[0], remoteness))

    def work(control: Control) -> dict[tuple[int, int], list[MoveVerdict[Any]]]:
        if remoteness:
            GAME.solver.solve_with_remoteness(*by_size[0], control)
        return {(i, j): GAME.solver.moves(Bar.full(i, j), control) for i, j in by_size if not control.stopped}

    efforts = filter(None, (effort(*box, remoteness) for box in boxes))
    analyses = shell.run_watched(work, GAME.solver.progress, seconds, effort=" ".join(efforts))
    described, lines = [], [OPENINGS_HEAD]
    for i, j in sizes:
        winning = [bite for bite in analyses.get((i, j), ()) if bite.verdict.value is Value.WIN]
        if not winning:
            raise InputError(f"Ran out of time before solving a bar of {i}x{j}.")
        told = [bite.verdict.remoteness for bite in winning if bite.verdict.remoteness is not None]
        plies = min(told) if len(told) == len(winning) else None
        known = [{"move": str(bite.move), "remoteness": bite.verdict.remoteness} for bite in winning]
        described.append({"rows": i, "columns": j, "remoteness": plies, "winning": known})
        bites = " ".join(
            f"{bite.move}" + ("" if bite.verdict.remoteness is None else f"[{bite.verdict.remoteness}]")
            for bite in winning
        )
        lines.append(f"{i}\t{j}\t{'-' if plies is None else plies}\t{bites}")
    shell.answer(as_json, described, *lines)


@shell.command(app)
def grundy(bar: str, seconds: float | None = None, as_json: bool = False) -> None:
    position = _bar(bar)
    solver = GAME.solver
    number = shell.run_watched(
        lambda control: solver.grundy(position, control), lambda control: f"{control.nodes:,} bars", seconds
    )
    if number is None:
        raise InputError(f"Ran out of time before finding the Grundy number of {bar}.")
    text = position.text()
    shell.answer(as_json, {"game": "chocobar", "position": text, "bar": text, "grundy": number}, str(number))


@shell.command(app)
def graph(
    size: str,
    storage: Storage = Storage.LIST,
    output: str | None = None,
    force: bool = False,
    seconds: float | None = None,
    as_json: bool = False,
) -> None:
    rows, columns = _size(size)
    if output is not None:
        shell.check_file(output, force)
    made = shell.run_watched(
        lambda control: graphs.bar_graph(rows, columns, Convention.IS, storage, control),
        lambda control: f"making the graph, {control.seconds:.0f} s",
        seconds,
    )
    if made is None:
        raise InputError("Ran out of time before making the graph.")
    described = {
        "vertices": len(made.edges),
        "edges": made.edge_count,
        "initial": made.initial,
        "final": made.final,
        "bytes": made.edges.nbytes,
    }
    what = f"{amount(len(made.edges), 'vertex', 'vertices')} and {amount(made.edge_count, 'edge')}"
    _deliver(made.text(storage), what, described, output, force, as_json)


def _deliver(
    text: str, what: str, described: dict[str, Any], output: str | None, force: bool, as_json: bool
) -> None:
    if output is not None:
        shell.write_file(output, text, force)
    if as_json:
        print_json(described)
    elif output is not None:
        say(f"Wrote {what} to {output}.")
    else:
        shell.out_text(text)


def _graph(file: str) -> Graph:
    with shell.telling(lambda: "reading the graph"):
        read = graphs.read_graph(file)
    if read.reading:
        say(read.reading)
    return read


@shell.command(app)
def strategy(file: str, output: str | None = None, force: bool = False, as_json: bool = False) -> None:
    read = _graph(file)
    with shell.telling(lambda: "looking for the strategy"):
        made = graphs.fastest_strategy(read)
    moves = [[vertex, to] for vertex, to in enumerate(made) if to is not None]
    what = amount(len(moves), "move")
    _deliver(graphs.strategy_text(made), what, {"moves": moves}, output, force, as_json)


@shell.command(app)
def check(file: str, strategy_file: str, as_json: bool = False) -> None:
    read = _graph(file)
    with shell.telling(lambda: "checking the strategy"):
        checked = graphs.is_winning_strategy(read, graphs.read_strategy(strategy_file, read))
    shell.answer(
        as_json,
        {
            "winning": checked.winning,
            "why": checked.why,
            "path": list(checked.path),
            "ending": read.ending.value,
        },
        f"{'Winning' if checked.winning else 'Not winning'}. {checked.why}",
    )
    if not checked.winning:
        raise typer.Exit(1)


@shell.command(app)
def simulate(file: str, first: str, second: str, as_json: bool = False) -> None:
    read = _graph(file)
    with shell.telling(lambda: "playing the match"):
        strategies = graphs.read_strategy(first, read), graphs.read_strategy(second, read)
        match = graphs.simulate(read, *strategies)
    shell.answer(
        as_json,
        {
            "path": list(match.path),
            "winner": match.winner + 1,
            "fault": match.fault or None,
            "ending": read.ending.value,
        },
        *(f"{ply}\t{read.named(vertex)}" for ply, vertex in enumerate(match.path)),
        *filter(None, [match.fault]),
        f"The {('first', 'second')[match.winner]} player wins.",
    )
