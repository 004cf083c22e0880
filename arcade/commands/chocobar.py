"""`arcade chocobar`: openings, Grundy numbers, game graphs and strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.common import (
    ForceOption,
    JsonOption,
    SecondsOption,
    check_file,
    check_memory,
    commands,
    out,
    out_text,
    print_json,
    read_position,
    say,
    write_file,
)
from arcade.engines.files import InputError

if TYPE_CHECKING:
    from arcade.engines.chocobar.documents import Representation
    from arcade.engines.chocobar.graph import Graph, Storage
    from arcade.engines.chocobar.rules import Bar
    from arcade.engines.verdict import MoveVerdict

app = commands("Openings, Grundy numbers, game graphs and strategies of Chomp.")

SizeArgument = Annotated[str, typer.Argument(metavar="SIZE", help="Rows and columns, e.g. 8x10.")]
GraphArgument = Annotated[str, typer.Argument(metavar="FILE", help="A graph file.")]
OutputOption = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to this file instead of printing.")
]

OPENINGS_HEAD = (
    "# rows\tcolumns\tremoteness of the full bar\twinning bites (row,column counted from 1;"
    " in brackets the plies until only the poison is left)"
)


def _bar(text: str) -> Bar:
    """The bar of a game ID, with or without `chocobar:`."""
    from arcade.engines.chocobar.rules import Bar

    return read_position(text, Bar, "chocobar")


def _size(text: str) -> tuple[int, int]:
    """Rows and columns of a full bar.

    Raises:
        InputError: the text is not a bar, or the bar is bitten.
    """
    bar = _bar(text)
    if len(set(bar.rows)) > 1:
        raise InputError(f"This command needs a whole bar, like 8x10, but {text!r} has bites.")
    return len(bar.rows), bar.rows[0]


@app.command()
def openings(
    size: SizeArgument,
    remoteness: Annotated[
        bool, typer.Option("--remoteness", help="Find every remoteness, a byte for each bar.")
    ] = False,
    seconds: SecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """List full bars with remoteness and winning first bites.

    Beyond 16x16 it finds only the values and shows an unknown remoteness as -, unless --remoteness is given.
    """
    from arcade.commands.common import run_watched
    from arcade.engines.chocobar import GAME
    from arcade.engines.chocobar.rules import Bar
    from arcade.engines.chocobar.solver import effort
    from arcade.engines.chocobar.table import bars_in, boxes_to_solve, memory_bytes
    from arcade.engines.control import Control
    from arcade.engines.verdict import Value

    rows, columns = _size(size)
    sizes = [(i, j) for i in range(1, rows + 1) for j in range(1, columns + 1) if i * j > 1]
    # The largest first: its table also answers for the others.
    by_size = sorted(sizes, key=lambda each: bars_in(*each), reverse=True)
    boxes = [by_size[0]] if remoteness else boxes_to_solve(by_size)
    if remoteness:
        check_memory(memory_bytes(*by_size[0], remoteness))

    def work(control: Control) -> dict[tuple[int, int], list[MoveVerdict[Any]]]:
        if remoteness:
            GAME.solver.solve_with_remoteness(*by_size[0], control)
        return {each: GAME.solver.analyse(Bar.full(*each), control) for each in by_size}

    efforts = filter(None, (effort(*box, remoteness) for box in boxes))
    found = run_watched(work, GAME.solver.progress, seconds, effort=" ".join(efforts))
    listed = []
    for each in sizes:
        winning = [bite for bite in found[each] if bite.verdict.value is Value.WIN]
        if not winning:
            raise InputError(f"Ran out of time before solving a bar of {each[0]}x{each[1]}.")
        listed.append((each, winning))
    if as_json:
        print_json(
            [
                {
                    "rows": i,
                    "columns": j,
                    "remoteness": _quickest(winning),
                    "winning": [
                        {"move": str(bite.move), "remoteness": bite.verdict.remoteness} for bite in winning
                    ],
                }
                for (i, j), winning in listed
            ]
        )
        return
    out(OPENINGS_HEAD)
    for (i, j), winning in listed:
        plies = _quickest(winning)
        bites = " ".join(
            f"{bite.move}" + ("" if bite.verdict.remoteness is None else f"[{bite.verdict.remoteness}]")
            for bite in winning
        )
        out(f"{i}\t{j}\t{'-' if plies is None else plies}\t{bites}")


def _quickest(winning: list[MoveVerdict[Any]]) -> int | None:
    """The remoteness of a bar from its winning bites, if all are known."""
    plies = [bite.verdict.remoteness for bite in winning]
    known = [each for each in plies if each is not None]
    return min(known) if len(known) == len(plies) else None


@app.command()
def grundy(
    bar: Annotated[str, typer.Argument(metavar="BAR", help="A game ID, or just 8x10 or 8x10:10.10.8.")],
    seconds: SecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the Grundy number of a bar. It is the heap of Nim that the bar equals when you play several."""
    from arcade.commands.common import run_watched
    from arcade.engines.chocobar import GAME

    position = _bar(bar)
    solver = GAME.solver
    number = run_watched(
        lambda control: solver.grundy(position, control), lambda control: f"{control.nodes:,} bars", seconds
    )
    if number is None:
        raise InputError(f"Ran out of time before finding the Grundy number of {bar}.")
    if as_json:
        text = position.text()
        print_json({"game": "chocobar", "position": text, "bar": text, "grundy": number})
    else:
        out(str(number))


def _representation(name: str) -> Representation:
    from arcade.engines.chocobar.documents import Representation

    try:
        return Representation(name)
    except ValueError:
        names = ", ".join(Representation)
        raise InputError(f"There is no representation {name!r}; the representations are {names}.") from None


def _storage(name: str) -> Storage:
    from arcade.engines.chocobar.graph import Storage

    try:
        return Storage(name)
    except ValueError:
        raise InputError(f"There is no storage {name!r}; the storages are {', '.join(Storage)}.") from None


@app.command()
def graph(
    size: SizeArgument,
    representation: Annotated[
        str, typer.Option(metavar="KIND", help="breakpoints, array or packed: the representation of bars.")
    ] = "breakpoints",
    storage: Annotated[str, typer.Option(metavar="KIND", help="list or matrix.")] = "list",
    output: OutputOption = None,
    force: ForceOption = False,
    seconds: SecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the game graph of a bar. One of the report's methods makes it."""
    from arcade.commands.common import run_watched
    from arcade.engines.chocobar.documents import GaveUpError, generate

    rows, columns = _size(size)
    kind, way = _representation(representation), _storage(storage)
    if output is not None:
        check_file(output, force)
    try:
        made = run_watched(
            lambda control: generate(rows, columns, kind, way, control),
            lambda control: f"{control.nodes:,} steps",
            seconds,
        )
    except GaveUpError as error:
        raise InputError(str(error)) from None
    described = {
        "vertices": len(made.edges),
        "edges": made.edge_count,
        "initial": made.initial,
        "final": made.final,
        "bytes": made.edges.nbytes,
    }
    if output is not None:
        write_file(output, made.text(way), force)
    if as_json:
        print_json(described)
    elif output is not None:
        say(f"Wrote {len(made.edges)} vertices and {made.edge_count} edges to {output}.")
    else:
        out_text(made.text(way))


def _read_graph(path: str) -> Graph:
    from arcade.engines.chocobar.graph import read_graph

    return read_graph(path)


@app.command()
def strategy(
    file: GraphArgument, output: OutputOption = None, force: ForceOption = False, as_json: JsonOption = False
) -> None:
    """Find the fastest win on a graph. It is the first player's, found by working back from the end."""
    from arcade.engines.chocobar.graph import construct_winning_strategy, strategy_text

    made = construct_winning_strategy(_read_graph(file))
    if output is not None:
        write_file(output, strategy_text(made), force)
    if as_json:
        print_json({"moves": [[vertex, to] for vertex, to in enumerate(made) if to is not None]})
    elif output is not None:
        say(f"Wrote {sum(to is not None for to in made)} moves to {output}.")
    else:
        out_text(strategy_text(made))


@app.command()
def check(
    file: GraphArgument,
    strategy_file: Annotated[str, typer.Argument(metavar="STRATEGY", help="A strategy file.")],
    as_json: JsonOption = False,
) -> None:
    """Check that a strategy always wins. It is the first player's. The exit code is 1 if it may lose."""
    from arcade.engines.chocobar.graph import is_winning_strategy, read_strategy

    read = _read_graph(file)
    found = is_winning_strategy(read, read_strategy(strategy_file, read))
    if as_json:
        print_json({"winning": found.winning, "why": found.why, "path": list(found.path)})
    else:
        out(f"{'Winning' if found.winning else 'Not winning'}. {found.why}")
    if not found.winning:
        raise typer.Exit(1)


@app.command()
def simulate(
    file: GraphArgument,
    first: Annotated[str, typer.Argument(metavar="FIRST", help="The first player's strategy file.")],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="The second player's strategy file.")],
    as_json: JsonOption = False,
) -> None:
    """Play two strategies against each other on a graph, move by move."""
    from arcade.engines.chocobar.graph import read_strategy
    from arcade.engines.chocobar.graph import simulate as play

    read = _read_graph(file)
    match = play(read, read_strategy(first, read), read_strategy(second, read))
    if as_json:
        print_json({"path": list(match.path), "winner": match.winner + 1, "fault": match.fault or None})
        return
    for ply, vertex in enumerate(match.path):
        out(f"{ply}\t{read.named(vertex)}")
    if match.fault:
        out(match.fault)
    out(f"The {('first', 'second')[match.winner]} player wins.")
