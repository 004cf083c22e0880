"""The game on a graph: two players move a token along its edges."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from urllib.parse import quote, unquote
from weakref import WeakKeyDictionary

from arcade.engines.chocobar.graph import Convention, Graph, parse_graph, read_graph, remoteness
from arcade.engines.control import Control
from arcade.engines.encoding import Encoding
from arcade.engines.files import InputError, named_path, package_text
from arcade.engines.game import Game
from arcade.engines.parameters import Parameter, Parameters, ParameterSet, ParameterValue, Preset
from arcade.engines.position import Outcome, Position
from arcade.engines.solver import Analysis, Goal, Solver, solve_in_steps
from arcade.engines.teaching import Teaching
from arcade.engines.verdict import DuelVerdict, Proof, Value
from arcade.engines.wording import join_words

SIDES = ("First", "Second")
EXAMPLE = "example"


@dataclass(frozen=True, slots=True, order=True)
class GraphMove:
    vertex: int

    def __str__(self) -> str:
        return f">{self.vertex}"


@dataclass(frozen=True, slots=True)
class GraphPosition(Position[GraphMove]):
    source: str
    vertex: int
    turn: int = 0
    graph: Graph = field(compare=False, repr=False, kw_only=True)

    def moves(self) -> list[GraphMove]:
        return [GraphMove(vertex) for vertex in self.graph.edges.successors(self.vertex)]

    def play(self, move: GraphMove) -> GraphPosition:
        known = 0 <= move.vertex < len(self.graph.edges)
        if not known or not self.graph.edges.joined(self.vertex, move.vertex):
            here = self.graph.named(self.vertex)
            raise ValueError(f"No edge leads from vertex {here} to vertex {move.vertex}.")
        return GraphPosition(self.source, move.vertex, 1 - self.turn, graph=self.graph)

    def outcome(self) -> Outcome | None:
        if self.vertex != self.graph.final:
            return None
        moved = self.graph.ending is Convention.MOVES
        loser = 1 - self.turn if moved else self.turn
        it, you = ("has moved to", "have moved to") if moved else ("is at", "are at")
        end = "the final vertex"
        return Outcome(1 - loser, f"{SIDES[loser]} {it} {end}", addressed=(loser, f"you {you} {end}"))

    def describe(self) -> list[str]:
        end = self.graph.named(self.graph.final)
        return [
            f"The token is on vertex {self.graph.named(self.vertex)}.",
            f"The final vertex is {end}: {self.graph.ending}.",
        ]

    def text(self) -> str:
        return f"{quote(self.source, errors='surrogateescape')}@{self.vertex}{':2' if self.turn else ''}"


@lru_cache(maxsize=8)
def _load(path: str, *version: int) -> Graph:
    return read_graph(path)


@lru_cache(maxsize=1)
def _example() -> Graph:
    return parse_graph(package_text(__package__, "example.graph"), "the example")


def load(source: str) -> Graph:
    if source == EXAMPLE:
        return _example()
    try:
        about = os.stat(named_path(source))
    except (OSError, ValueError):
        raise InputError(f"Cannot find the graph file {source!r}.") from None
    # A stream can be read only once, so its graph stays cached.
    changed = about.st_mtime_ns if stat.S_ISREG(about.st_mode) else 0
    return _load(source, about.st_dev, about.st_ino, changed)


class GraphSolver(Solver[GraphPosition, GraphMove]):
    def __init__(self) -> None:
        self._solved = WeakKeyDictionary[Graph, list[int]]()

    def solve(
        self, position: GraphPosition, control: Control, goal: Goal = Goal.ALL
    ) -> Iterator[Analysis[GraphPosition, GraphMove]]:
        return solve_in_steps(position, control, goal, self._judge)

    def _judge(self, position: GraphPosition, control: Control) -> DuelVerdict:
        plies = self._plies(position.graph, control)
        if plies is None:
            return DuelVerdict()
        remaining = plies[position.vertex]
        if remaining < 0:
            return DuelVerdict()
        value = Value.WIN if position.graph.won(remaining) else Value.LOSS
        return DuelVerdict(Proof.EXACT, value, remaining, source=f"the whole graph of {len(plies)} vertices")

    def _plies(self, graph: Graph, control: Control) -> list[int] | None:
        plies = self._solved.get(graph)
        if plies is None:
            plies = remoteness(graph, control)
            if plies is not None:
                control.nodes += len(graph.order)
                self._solved[graph] = plies
        return plies


class GraphParameters(ParameterSet[GraphPosition]):
    def parse(self, text: str) -> dict[str, ParameterValue]:
        return self.check({"file": text} if text else {})

    def split(self, rest: str) -> tuple[str, str | None, int | None]:
        found = re.fullmatch(r"(?P<file>.*?):(?P<position>(?:[^:\s]*@)?\d+(?::[12])?)", rest)
        return (found["file"], found["position"], None) if found else (rest, None, None)


class GraphEncoding(Encoding[GraphPosition, GraphMove]):
    def all_moves(self, start: GraphPosition) -> list[GraphMove]:
        return [GraphMove(vertex) for vertex in range(len(start.graph.edges))]

    def features(self, position: GraphPosition, start: GraphPosition) -> list[int]:
        return [position.vertex, position.turn]


class GraphGame(Game[GraphPosition, GraphMove]):
    name = "graph"
    title = "Graph"
    summary = "Move a token along the edges of your own graph to an end that one of you must avoid."
    teaching = Teaching(rules=package_text(__package__, "graph.md"))
    parameters = GraphParameters(
        known=(Parameter("file", "File", EXAMPLE, help="a graph file, or the example that comes with it"),),
        presets=(Preset("The example", EXAMPLE),),
    )
    encoding = GraphEncoding()

    def start(self, parameters: Parameters, seed: int) -> GraphPosition:
        source = str(parameters["file"])
        graph = load(source)
        return GraphPosition(source, graph.initial, graph=graph)

    def parse_position(self, text: str, parameters: Parameters | None = None) -> GraphPosition:
        """Read `FILE@VERTEX`, or `VERTEX` if `parameters` are given. With `:2` at the end, Second moves."""
        found = re.fullmatch(r"(?:(?P<file>.+)@)?(?P<vertex>[0-9]{1,9})(?::(?P<player>[12]))?", text)
        if found is None:
            raise InputError(f"Expected a vertex number or FILE@VERTEX, found {text!r}.")
        given = None if parameters is None else str(self.parameters.check(parameters)["file"])
        named = None if found["file"] is None else unquote(found["file"], errors="surrogateescape")
        source = named if given is None else given
        if source is None:
            raise InputError(f"The position {text!r} must name its graph file, as FILE@VERTEX.")
        if named not in (None, source):
            raise InputError(f"The position {text!r} does not belong to the graph {source!r}.")
        graph = load(source)
        vertex = int(found["vertex"])
        if vertex not in graph.order:
            raise InputError(f"Vertex {vertex} of {source!r} cannot be reached from the start.")
        return GraphPosition(source, vertex, 1 if found["player"] == "2" else 0, graph=graph)

    def parse_move(self, text: str, position: GraphPosition | None = None) -> GraphMove:
        """Read `>3` or `3`. If `position` is given, also read a vertex's name.

        Raises InputError if the name is ambiguous.
        """
        word = text.strip()
        number = word.removeprefix(">").strip()
        numbered = number.isascii() and number.isdecimal() and len(number) <= 9
        if position is not None and not (numbered and word.startswith(">")):
            names, steps = position.graph.names, position.moves()
            meant = [step for step in steps if word in (names[step.vertex], str(step.vertex))]
            if len(meant) > 1:
                either = join_words([str(step) for step in meant], "or")
                raise InputError(f"The move {text!r} is ambiguous: it can mean {either}. Type one of these.")
            if meant:
                return meant[0]
        if not numbered:
            raise InputError(f"The move {text!r} must be the number of the vertex it leads to, like >3.")
        return GraphMove(int(number))

    @cached_property
    def solver(self) -> GraphSolver:
        return GraphSolver()


GAME = GraphGame()
