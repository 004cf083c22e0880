"""`arcade chocobar`: openings, Grundy numbers, game graphs and strategies."""

from typing import Annotated, Any

import typer

from arcade.commands.common import (
    check_file,
    check_memory,
    print_error,
    print_json,
    print_result,
    print_text,
    read_position,
    run_interruptible,
    showing_progress,
    write_file,
)
from arcade.commands.options import AsJson, Force, Seconds
from arcade.engines.chocobar import graph as graphs
from arcade.engines.chocobar.game import GAME
from arcade.engines.chocobar.graph import Convention, Graph, Storage
from arcade.engines.chocobar.rules import Bar, bars_in
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.verdict import MoveVerdict, Value
from arcade.engines.wording import quantity

app = typer.Typer(rich_markup_mode=None)

Size = Annotated[str, typer.Argument(metavar="SIZE", help="Rows and columns, for example 8x10.")]
GraphFile = Annotated[str, typer.Argument(metavar="FILE", help="Graph file.")]
OutputFile = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write to this file instead of printing."),
]

OPENINGS_HEAD = (
    "# rows\tcolumns\tremoteness of the full bar\twinning bites (row,column counted from 1;"
    " in brackets the plies until only the poison is left)"
)


def _bar(text: str) -> Bar:
    return read_position(text, Bar, "chocobar")


def _size(text: str) -> tuple[int, int]:
    bar = _bar(text)
    if len(set(bar.rows)) > 1:
        raise InputError(f"Expected a full bar such as 8x10, found the bitten bar {text!r}.")
    return len(bar.rows), bar.rows[0]


@app.command()
def openings(
    size: Size,
    remoteness: Annotated[
        bool, typer.Option("--remoteness", help="Find every remoteness (needs one byte per bar).")
    ] = False,
    seconds: Seconds = None,
    as_json: AsJson = False,
) -> None:
    """List full bars with remoteness and winning first bites.

    Beyond 16x16 only values are found, and an unknown remoteness is shown as -. Use --remoteness to find it.
    """
    from arcade.engines.chocobar.solver import effort  # loads NumPy
    from arcade.engines.chocobar.table import boxes_to_solve, memory_bytes  # loads NumPy

    rows, columns = _size(size)
    sizes = [(i, j) for i in range(1, rows + 1) for j in range(1, columns + 1) if i * j > 1]
    # The largest table includes the others.
    by_size = sorted(sizes, key=lambda size: bars_in(*size), reverse=True)
    boxes = [by_size[0]] if remoteness else boxes_to_solve(by_size)
    if remoteness:
        check_memory(memory_bytes(*by_size[0], remoteness))

    def work(control: Control) -> dict[tuple[int, int], list[MoveVerdict[Any]]]:
        if remoteness:
            GAME.solver.solve_with_remoteness(*by_size[0], control)
        return {(i, j): GAME.solver.moves(Bar.full(i, j), control) for i, j in by_size if not control.stopped}

    efforts = filter(None, (effort(*box, remoteness) for box in boxes))
    analyses = run_interruptible(work, GAME.solver.progress, seconds, effort=" ".join(efforts))
    described, lines = [], [OPENINGS_HEAD]
    for i, j in sizes:
        winning = [bite for bite in analyses.get((i, j), ()) if bite.verdict.value is Value.WIN]
        if not winning:
            raise InputError(f"Ran out of time before solving the bar {i}x{j}. Increase --seconds.")
        told = [bite.verdict.remoteness for bite in winning if bite.verdict.remoteness is not None]
        plies = min(told) if len(told) == len(winning) else None
        known = [{"move": str(bite.move), "remoteness": bite.verdict.remoteness} for bite in winning]
        described.append({"rows": i, "columns": j, "remoteness": plies, "winning": known})
        bites = " ".join(
            f"{bite.move}" + ("" if bite.verdict.remoteness is None else f"[{bite.verdict.remoteness}]")
            for bite in winning
        )
        lines.append(f"{i}\t{j}\t{'-' if plies is None else plies}\t{bites}")
    print_result(as_json, described, *lines)


@app.command()
def grundy(
    bar: Annotated[str, typer.Argument(metavar="BAR", help="Game ID, or just 8x10 or 8x10:10.10.8.")],
    seconds: Seconds = None,
    as_json: AsJson = False,
) -> None:
    """Print the Grundy number (nimber) of a bar."""
    position = _bar(bar)
    solver = GAME.solver
    number = run_interruptible(
        lambda control: solver.grundy(position, control), lambda control: f"{control.nodes:,} bars", seconds
    )
    if number is None:
        raise InputError(f"Ran out of time before finding the Grundy number of {bar}. Increase --seconds.")
    text = position.text()
    print_result(as_json, {"game": "chocobar", "position": text, "bar": text, "grundy": number}, str(number))


@app.command()
def graph(
    size: Size,
    storage: Annotated[Storage, typer.Option(help="Store the edges as lists or as a matrix.")] = Storage.LIST,
    output: OutputFile = None,
    force: Force = False,
    seconds: Seconds = None,
    as_json: AsJson = False,
) -> None:
    """Write the game graph of a bar. The commands strategy, check and simulate read it."""
    rows, columns = _size(size)
    if output is not None:
        check_file(output, force)
    made = run_interruptible(
        lambda control: graphs.bar_graph(rows, columns, Convention.IS, storage, control),
        lambda control: f"making the graph, {control.seconds:.0f} s",
        seconds,
    )
    if made is None:
        raise InputError("Ran out of time before the graph was complete. Increase --seconds.")
    described = {
        "vertices": len(made.edges),
        "edges": made.edge_count,
        "initial": made.initial,
        "final": made.final,
        "bytes": made.edges.nbytes,
    }
    what = f"{quantity(len(made.edges), 'vertex', 'vertices')} and {quantity(made.edge_count, 'edge')}"
    _deliver(made.text(storage), what, described, output, force, as_json)


def _deliver(
    text: str, what: str, described: dict[str, Any], output: str | None, force: bool, as_json: bool
) -> None:
    if output is not None:
        write_file(output, text, force)
    if as_json:
        print_json(described)
    elif output is not None:
        print_error(f"Wrote {what} to {output}.")
    else:
        print_text(text)


def _graph(file: str) -> Graph:
    with showing_progress(lambda: "reading the graph"):
        read = graphs.read_graph(file)
    if read.reading:
        print_error(read.reading)
    return read


@app.command()
def strategy(
    file: GraphFile, output: OutputFile = None, force: Force = False, as_json: AsJson = False
) -> None:
    """Find the first player's fastest win on a graph, working backwards from the end."""
    read = _graph(file)
    with showing_progress(lambda: "looking for the strategy"):
        made = graphs.fastest_strategy(read)
    moves = [[vertex, to] for vertex, to in enumerate(made) if to is not None]
    what = quantity(len(moves), "move")
    _deliver(graphs.strategy_text(made), what, {"moves": moves}, output, force, as_json)


@app.command()
def check(
    file: GraphFile,
    strategy_file: Annotated[str, typer.Argument(metavar="STRATEGY", help="Strategy file.")],
    as_json: AsJson = False,
) -> None:
    """Check that a strategy of the first player always wins. Exits with 1 if it may lose."""
    read = _graph(file)
    with showing_progress(lambda: "checking the strategy"):
        checked = graphs.is_winning_strategy(read, graphs.read_strategy(strategy_file, read))
    print_result(
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


@app.command()
def simulate(
    file: GraphFile,
    first: Annotated[str, typer.Argument(metavar="FIRST", help="Strategy file of the first player.")],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="Strategy file of the second player.")],
    as_json: AsJson = False,
) -> None:
    """Play two strategies against each other on a graph, move by move."""
    read = _graph(file)
    with showing_progress(lambda: "playing the match"):
        strategies = graphs.read_strategy(first, read), graphs.read_strategy(second, read)
        match = graphs.simulate(read, *strategies)
    print_result(
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
