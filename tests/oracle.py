"""A solver of any small duel straight from the rules: the oracle of the fast ones, instant in tests."""

from __future__ import annotations

from typing import Any

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.solver import Solver
from arcade.engines.verdict import DuelVerdict, Proof, Value, Verdict

LIMIT = 100_000
"""Moves that a brute force tries for one question; from then on it says that it does not know."""


class Search:
    """The search for the answer to one question, which goes on where its time ran out."""

    def __init__(self) -> None:
        self.found: dict[Position[Any], DuelVerdict] = {}
        self.tried = 0

    def find(self, position: Position[Any], control: Control) -> DuelVerdict:
        """The verdict on a position; no value if too many moves were tried or time is up."""
        known = self.found.get(position)
        if known is None:
            if control.stopped or self.tried > LIMIT:
                return DuelVerdict()
            known = self._best(position, control)
            if known.value is not None:
                self.found[position] = known
        return known

    def _best(self, position: Position[Any], control: Control) -> DuelVerdict:
        outcome = position.outcome()
        if outcome is not None:
            values = {None: Value.TIE, position.turn: Value.WIN, 1 - position.turn: Value.LOSS}
            return DuelVerdict(Proof.EXACT, values[outcome.winner], 0)
        plies: dict[Value, list[int]] = {Value.WIN: [], Value.TIE: [], Value.LOSS: []}
        for move in position.moves():
            self.tried += 1
            after = self.find(position.play(move), control)
            if after.value is None or after.remoteness is None:
                return after
            plies[after.value.reversed].append(after.remoteness + 1)
        if plies[Value.WIN]:
            return DuelVerdict(Proof.EXACT, Value.WIN, min(plies[Value.WIN]))
        if plies[Value.TIE]:
            return DuelVerdict(Proof.EXACT, Value.TIE, min(plies[Value.TIE]))
        return DuelVerdict(Proof.EXACT, Value.LOSS, max(plies[Value.LOSS]))


_KNOWN: dict[Position[Any], DuelVerdict] = {}
"""What the oracles of this process have found, with all that comes after a position that was asked for."""

_BEGUN: dict[Position[Any], Search] = {}

_TOO_LARGE: set[Position[Any]] = set()


class BruteForce(Solver[Any, Any]):
    """Plain recursion over `moves`, `play` and `outcome`.

    All oracles share what they know, so that the tests search each game only once. An answer does not depend
    on who asked before: each question starts with an empty memory, and only what comes after a position that
    is known counts as known. Once it did not know an answer it looks for no other.
    """

    def __init__(self) -> None:
        self._answers: dict[Position[Any], DuelVerdict] = {}
        self._lost = False
        """Whether a question was too large."""

    def verdict(self, position: Position[Any], control: Control) -> Verdict:
        known = self._answers.get(position)
        if known is None:
            if control.stopped or self._lost:
                return DuelVerdict()
            known = self._answer(position, control)
            if known.value is not None:
                self._answers[position] = known
        return known

    def _answer(self, position: Position[Any], control: Control) -> DuelVerdict:
        if position not in _KNOWN and position not in _TOO_LARGE:
            search = _BEGUN.setdefault(position, Search())
            if search.find(position, control).value is not None:
                _KNOWN.update(search.found)
            elif search.tried > LIMIT:
                _TOO_LARGE.add(position)
            else:
                return DuelVerdict()
            _BEGUN.pop(position, None)
        self._lost = position in _TOO_LARGE
        return _KNOWN.get(position, DuelVerdict())

    def warm(self) -> None:
        pass
