"""A game graph from a text file as a game of the arcade: two players move a token along its edges."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote, unquote

from arcade.engines.chocobar.graph import Graph, parse_graph, read_graph, remoteness
from arcade.engines.control import NODES, Control
from arcade.engines.game import (
    Game,
    InputError,
    Outcome,
    Parameter,
    Parameters,
    ParameterValue,
    Position,
    Preset,
    Solver,
    Termination,
    check_parameters,
)
from arcade.engines.verdict import Proof, Value, Verdict

EXAMPLE = "example"
"""The file name that stands for the graph that comes with the arcade."""

_RULES = """\
A token stands on the **initial vertex** of a graph. The two players in turn move it along an edge.

**Who has to move at the final vertex has lost**; the edges never lead in a circle, and every way ends there.

A move is written as the number of the vertex that it leads to, with `>` before it: `>3`. A name that the
graph gives to a vertex is understood too.

The graph is read from a text file: `graph:FILE`. The game of Chomp on any bar is such a graph, and
`arcade chocobar graph 3x4 -o FILE` writes it down.
"""


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """A move of the token."""

    vertex: int
    """Where it goes."""

    def __str__(self) -> str:
        return f">{self.vertex}"


@dataclass(frozen=True, slots=True)
class GraphPosition(Position[Step]):
    """A token on a vertex of a graph."""

    source: str
    """The file that the graph was read from, or `EXAMPLE`."""
    vertex: int
    turn: int = 0
    graph: Graph = field(compare=False, repr=False, kw_only=True)

    def moves(self) -> list[Step]:
        """A step along each edge from here, by vertex number."""
        return [Step(vertex) for vertex in self.graph.edges.successors(self.vertex)]

    def play(self, move: Step) -> GraphPosition:
        """The position after a step.

        Raises:
            ValueError: no edge leads there.
        """
        known = 0 <= move.vertex < len(self.graph.edges)
        if not known or not self.graph.edges.joined(self.vertex, move.vertex):
            here = self.graph.named(self.vertex)
            raise ValueError(f"No edge leads from vertex {here} to vertex {move.vertex}.")
        return GraphPosition(self.source, move.vertex, 1 - self.turn, graph=self.graph)

    def outcome(self) -> Outcome | None:
        """Who has to move at the final vertex has lost."""
        over = self.vertex == self.graph.final
        return Outcome(1 - self.turn, Termination.NO_MOVE) if over else None

    def text(self) -> str:
        """`FILE@VERTEX`, blanks in the file as %20; `:2` after it when the second player moves."""
        return f"{quote(self.source)}@{self.vertex}{':2' if self.turn else ''}"


@lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> Graph:
    return read_graph(path)


@lru_cache(maxsize=1)
def _example() -> Graph:
    text = files("arcade.engines.chocobar").joinpath("example.graph").read_text("utf-8")
    return parse_graph(text, "the example")


def load(source: str) -> Graph:
    """The graph that a file name means; a file that has not changed is read once.

    Raises:
        InputError: the file cannot be read, or what is wrong in it.
    """
    if source == EXAMPLE:
        return _example()
    path = Path(source).expanduser()
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        raise InputError(f"The graph file {source!r} cannot be found.") from None
    return _load(path, changed)


class GraphSolver(Solver[GraphPosition, Step]):
    """Works back from the final vertex of a graph, once for each graph."""

    def __init__(self) -> None:
        self._solved: dict[int, tuple[Graph, list[int]]] = {}

    def verdict(self, position: GraphPosition, control: Control) -> Verdict:
        """EXACT; UNKNOWN when stopped before the whole graph was gone through."""
        plies = self._plies(position.graph, control)
        if plies is None:
            return Verdict()
        remaining = plies[position.vertex]
        if remaining < 0:
            return Verdict()
        value = Value.WIN if remaining % 2 else Value.LOSS
        return Verdict(Proof.EXACT, value, remaining, source=f"the whole graph of {len(plies)} vertices")

    def _plies(self, graph: Graph, control: Control) -> list[int] | None:
        # Two threads may both work a graph out: the same answer twice does no harm.
        found = self._solved.get(id(graph))
        if found is not None:
            return found[1]
        plies = remoteness(graph, control)
        if plies is not None:
            control.cells[NODES] += len(graph.order)
            if len(self._solved) >= 8:
                self._solved.pop(next(iter(self._solved)), None)
            self._solved[id(graph)] = (graph, plies)
        return plies

    def warm(self) -> None:
        """Nothing to compile."""


class GraphGame(Game[GraphPosition, Step]):
    """A game on any graph that somebody has written into a file."""

    name = "graph"
    title = "Graph"
    summary = "Move a token along the edges of your own graph; who is stuck at the end has lost."
    rules = _RULES
    listed = False
    parameters = (Parameter("file", "File", EXAMPLE, help="a graph file, or the example that comes with it"),)
    presets = (Preset("The example", EXAMPLE),)

    def parse_parameters(self, text: str) -> dict[str, ParameterValue]:
        """The file name is the whole text."""
        return check_parameters(self, {"file": text} if text else {})

    def parameters_text(self, parameters: Parameters) -> str:
        """The file name."""
        return str(parameters["file"])

    def split_id(self, rest: str) -> tuple[str, str | None, int | None]:
        """The file name, up to a last colon that only a vertex follows, and the position after it."""
        found = re.fullmatch(r"(?P<file>.*?):(?P<position>(?:[^:\s]*@)?\d+(?::[12])?)", rest)
        return (found["file"], found["position"], None) if found else (rest, None, None)

    def new(self, parameters: Parameters, seed: int = 0) -> GraphPosition:
        """The token on the initial vertex.

        Raises:
            InputError: the file cannot be read, or what is wrong in it.
        """
        source = str(check_parameters(self, parameters)["file"])
        graph = load(source)
        return GraphPosition(source, graph.initial, graph=graph)

    def parse_position(self, text: str, parameters: Parameters | None = None) -> GraphPosition:
        """Read `FILE@VERTEX`, or with parameters also `VERTEX`; `:2` after it when the second player moves.

        Raises:
            InputError: which part is bad and what was expected.
        """
        found = re.fullmatch(r"(?:(?P<file>.+)@)?(?P<vertex>[0-9]{1,9})(?::(?P<player>[12]))?", text)
        if found is None:
            raise InputError(f"The position {text!r} must be a vertex number, or FILE@VERTEX.")
        given = None if parameters is None else str(check_parameters(self, parameters)["file"])
        named = None if found["file"] is None else unquote(found["file"])
        source = named if given is None else given
        if source is None:
            raise InputError(f"The position {text!r} must name its graph file, as FILE@VERTEX.")
        if named not in (None, source):
            raise InputError(f"The position {text!r} is of another graph than {source!r}.")
        graph = load(source)
        vertex = int(found["vertex"])
        if vertex not in graph.order:
            raise InputError(
                f"Vertex {vertex} of {source!r} cannot come up: no way leads there from the start."
            )
        return GraphPosition(source, vertex, 1 if found["player"] == "2" else 0, graph=graph)

    def parse_move(self, text: str, position: GraphPosition | None = None) -> Step:
        """Read `>3` or `3`, and with a position also the name of a vertex.

        Raises:
            InputError: the text is no vertex.
        """
        word = text.strip()
        if position is not None:
            for step in position.moves():
                if word and position.graph.names[step.vertex] == word:
                    return step
        number = word.removeprefix(">").strip()
        if not (number.isascii() and number.isdecimal()) or len(number) > 9:
            raise InputError(f"The move {text!r} must be the number of the vertex it leads to, like >3.")
        return Step(int(number))

    def make_solver(self) -> GraphSolver:
        """A solver that has worked out nothing yet."""
        return GraphSolver()


GAME = GraphGame()
"""The game as the registry finds it."""
