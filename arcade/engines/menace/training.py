"""Play training games in steps, in a compiled kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import njit
from arcade.engines.control import NODES, STOP, Control, Kernels
from arcade.engines.menace.box import MAX_BEADS, SLOT_BITS, SLOTS, Boxes, PositionGraph
from arcade.engines.menace.machine import AnyMachine, Machine, Overflow, TrainingInterval
from arcade.engines.menace.opponents import RANDOM, Opponent, Style

_GOING_ON, _TIE = -1, 2
_RANDOM, _PERFECT, _FALLIBLE, _MACHINE = range(len(Style))


class Ended(StrEnum):
    DONE = "all games were played"
    REFUSED = "the machine has no bead for its first move, so it refuses to play"
    OPPONENT_REFUSED = "the opponent has no bead for its first move, so it refuses to play"
    CANCELLED = "cancelled"


class Network(NamedTuple):
    """A game's positions and moves as arrays, for n positions and e moves."""

    turn: NDArray[np.int8]
    """Shape (n,): the player to move, 0 or 1."""
    outcome: NDArray[np.int8]
    """Shape (n,): -1 before the end, otherwise the winner (0 or 1), or 2 for a tie."""
    start: NDArray[np.int32]
    """Shape (n + 1,): where each position's moves start in `child` and `ranked`."""
    child: NDArray[np.int32]
    """Shape (e,): the position after each move."""
    ranked: NDArray[np.int32]
    """Shape (e,): like `child`, but with each position's perfect choices first and its worse moves last."""
    perfect: NDArray[np.int32]
    """Shape (n,): number of moves that a perfect player chooses from."""
    worse: NDArray[np.int32]
    """Shape (n,): number of moves that are not best."""


class Seats(NamedTuple):
    """The boxes of both sides by position. A row is unused if the player to move has no boxes."""

    box: NDArray[np.int32]
    """Shape (n,): box of the machine to move, or -1 if there is no box."""
    after: NDArray[np.int32]
    """Shape (n, 9): position after each slot's move, or -1 if the slot has no beads."""


@lru_cache(maxsize=4)
def _network(graph: PositionGraph[Any, Any]) -> Network:
    count = len(graph.nodes)
    start = np.zeros(count + 1, np.int32)
    perfect, worse = np.zeros(count, np.int32), np.zeros(count, np.int32)
    outcome = np.full(count, _GOING_ON, np.int8)
    child: list[int] = []
    ranked: list[int] = []
    for node in graph.nodes:
        over = node.position.outcome()
        if over is not None:
            outcome[node.index] = _TIE if over.winner is None else over.winner
        chosen, beaten = graph.perfect(node), graph.worse(node)
        order = sorted(range(len(node.moves)), key=lambda number: (number not in chosen, number in beaten))
        child.extend(node.children)
        ranked.extend(node.children[number] for number in order)
        perfect[node.index] = len(chosen)
        worse[node.index] = len(beaten)
        start[node.index + 1] = len(child)
    turn = np.array([node.position.turn for node in graph.nodes], np.int8)
    return Network(
        turn, outcome, start, np.array(child, np.int32), np.array(ranked, np.int32), perfect, worse
    )


@lru_cache(maxsize=8)
def _seat(boxes: Boxes[Any, Any]) -> Seats:
    graph = boxes.graph
    seats = Seats(np.full(len(graph.nodes), -1, np.int32), np.full((len(graph.nodes), SLOTS), -1, np.int32))
    for node in graph.nodes:
        opening = boxes.open(node.position)
        if opening is not None:
            seats.box[node.index] = opening.box.index
            after = dict(zip(node.moves, node.children, strict=True))
            for slot, move in opening.moves.items():
                seats.after[node.index, slot] = after[move]
    return seats


@lru_cache(maxsize=8)
def _seats(own: Boxes[Any, Any], other: Boxes[Any, Any] | None) -> Seats:
    if other is None:
        return _seat(own)
    mine, theirs = _seat(own), _seat(other)
    turn = _network(own.graph).turn == own.seat
    return Seats(np.where(turn, mine.box, theirs.box), np.where(turn[:, None], mine.after, theirs.after))


_U = np.uint64
# SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA
# 2014; constants of Vigna's splitmix64.c.
_GAMMA, _MIX1, _MIX2 = _U(0x9E3779B97F4A7C15), _U(0xBF58476D1CE4E5B9), _U(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = _U(27), _U(30), _U(31), _U(32)
_SLOT_MASK = _U(MAX_BEADS)
_LOWEST_BITS = _U(sum(1 << SLOT_BITS * slot for slot in range(SLOTS)))
_UPPER_BITS = _U(sum(MAX_BEADS >> 1 << SLOT_BITS * slot for slot in range(SLOTS)))


@njit(nogil=True)
def _bits(state: Any) -> Any:
    state[0] += _GAMMA
    mixed = state[0]
    mixed = (mixed ^ (mixed >> _S30)) * _MIX1
    mixed = (mixed ^ (mixed >> _S27)) * _MIX2
    return (mixed ^ (mixed >> _S31)) >> _S32


@njit(nogil=True)
def _below(state: Any, count: Any) -> Any:
    return np.int64((_bits(state) * _U(count)) >> _S32)


@njit(nogil=True)
def _empty(words: Any, first: Any) -> Any:
    for at in range(first):
        if words[at] != _U(0):
            return False
    return first > 0


@njit(nogil=True)
def _reward(words: Any, path: Any, length: Any, reward: Any, last_only: Any, halves: Any) -> None:
    for at in range(length - 1 if last_only and length > 0 else 0, length):
        shift = _U(SLOT_BITS * path[at, 1])
        word = words[path[at, 0]]
        old = np.int64((word >> shift) & _SLOT_MASK)
        if halves and old + reward > MAX_BEADS:
            word = ((word >> _U(1)) & _UPPER_BITS) + (word & _LOWEST_BITS)
            old = np.int64((word >> shift) & _SLOT_MASK)
        new: Any = min(max(old + reward, 0), MAX_BEADS)
        words[path[at, 0]] = (word & ~(_SLOT_MASK << shift)) | (_U(new) << shift)


@njit(nogil=True, cache=True)
def _play(network: Any, seats: Any, rules: Any, words0: Any, words1: Any, path: Any, state: Any, tally: Any,
          cells: Any, games: Any) -> int:  # fmt: skip
    """Play games from position 0. Return 1 or 2 if the first or second player refused to play, otherwise 0.

    Args:
        network: positions and moves
        seats: boxes of both sides
        rules: int64 of shape (2, 9), one row per side.
            Columns 0 to 2: style, threshold of a fallible player, 1 if the side learns.
            Columns 3 to 6: rewards for a win, a tie and a loss, 1 if only the last box is rewarded.
            Columns 7 and 8: number of boxes for the first move, 1 if a full box is halved
        words0, words1: beads of each side's boxes, uint64, at least one word
        path: int64 of shape (2, plies of the longest game, 2): boxes opened and slots drawn
        state: state of the random numbers, uint64, shape (1,)
        tally: int64 of shape (2, 4), updated: games won, tied and lost, and how many of these were resigned
        cells: NODES counts the games
    """
    length = np.zeros(2, np.int64)
    for game in range(games):
        if game & 255 == 0 and cells[STOP] != 0:
            return 0
        if rules[0, 0] == _MACHINE and _empty(words0, rules[0, 7]):
            return 1
        if rules[1, 0] == _MACHINE and _empty(words1, rules[1, 7]):
            return 2
        at = np.int64(0)
        length[:] = 0
        winner = np.int64(network.outcome[0])
        resigned = False
        while winner == _GOING_ON:
            turn = np.int64(network.turn[at])
            style = rules[turn, 0]
            begin = np.int64(network.start[at])
            count = np.int64(network.start[at + 1]) - begin
            if style == _MACHINE and seats.box[at] >= 0:
                box = np.int64(seats.box[at])
                word = words0[box] if turn == 0 else words1[box]
                total = np.int64(0)
                rest = word
                while rest != _U(0):
                    total += np.int64(rest & _SLOT_MASK)
                    rest >>= _U(SLOT_BITS)
                if total == 0:
                    winner = 1 - turn
                    resigned = True
                    break
                left = _below(state, total)
                slot = np.int64(0)
                have = np.int64(word & _SLOT_MASK)
                while left >= have:
                    left -= have
                    slot += 1
                    word >>= _U(SLOT_BITS)
                    have = np.int64(word & _SLOT_MASK)
                path[turn, length[turn], 0] = box
                path[turn, length[turn], 1] = slot
                length[turn] += 1
                at = np.int64(seats.after[at, slot])
            elif style in (_RANDOM, _MACHINE):
                at = np.int64(network.child[begin + _below(state, count)])
            else:
                choice = np.int64(network.perfect[at])
                worse = np.int64(network.worse[at])
                if style == _FALLIBLE and worse > 0 and np.int64(_bits(state)) >= rules[turn, 1]:
                    begin += count - worse
                    choice = worse
                at = np.int64(network.ranked[begin + _below(state, choice)])
            winner = np.int64(network.outcome[at])
        for side in range(2):
            result = 1 if winner == _TIE else 0 if winner == side else 2
            tally[side, result] += 1
            if resigned and result == 2:
                tally[side, 3] += 1
            if rules[side, 2] != 0:
                words = words0 if side == 0 else words1
                _reward(
                    words, path[side], length[side], rules[side, 3 + result], rules[side, 6], rules[side, 8]
                )
        cells[NODES] += 1
    return 0


def _rules(player: Opponent) -> list[int]:
    row = [list(Style).index(player.style), player.threshold, int(player.learns)]
    if player.machine is None:
        return [*row, 0, 0, 0, 0, 0, 0]
    options, first = player.machine.options, len(player.machine.boxes.first)
    halves = options.overflow is Overflow.HALVE
    return [*row, *options.rewards, int(options.last_only), first, int(halves)]


def _words(machine: AnyMachine | None) -> NDArray[np.uint64]:
    return np.zeros(1, np.uint64) if machine is None else np.frombuffer(machine.beads, np.uint64)


def default_step(games: int) -> int:
    return min(max(1, -(-games // 100)), 100_000)


@dataclass
class Training:
    """The training of a machine in steps. Between two steps, the machine can be read.

    The step size does not change the result of a seed. Raises InputError if the opponent does not fit the
    machine.
    """

    machine: AnyMachine
    opponent: Opponent
    games: int
    seed: int
    step: int | None = None

    def __post_init__(self) -> None:
        self.opponent.check(self.machine)
        self.played = 0
        self.ended: Ended | None = None
        self._state = np.array([self.seed % 2**64], np.uint64)
        players = [Opponent(Style.MACHINE, machine=self.machine, learns=True), self.opponent]
        if self.machine.options.seat:
            players.reverse()
        self._rules = np.array([_rules(player) for player in players], np.int64)
        self._first, self._second = (_words(player.machine) for player in players)

    def steps(self, control: Control) -> Iterator[TrainingInterval]:
        boxes = self.machine.boxes
        other = self.opponent.machine.boxes if self.opponent.machine else None
        network, seats = _network(boxes.graph), _seats(boxes, other)
        path = np.zeros((2, boxes.graph.depth, 2), np.int64)
        size, seat = self.step or default_step(self.games), self.machine.options.seat
        while self.ended is None:
            games = min(size, self.games - self.played)
            tally = np.zeros((2, 4), np.int64)
            refused = _play(
                network, seats, self._rules, self._first, self._second, path, self._state, tally,
                control.cells, games, control=control,
            )  # fmt: skip
            played = int(tally[0, :3].sum())
            self.played += played
            if refused:
                self.ended = Ended.REFUSED if refused - 1 == seat else Ended.OPPONENT_REFUSED
            elif control.stopped:
                self.ended = Ended.CANCELLED
            elif self.played >= self.games:
                self.ended = Ended.DONE
            if played:
                if self.opponent.machine is not None and self.opponent.learns:
                    _recorded(self.opponent.machine, self.machine.name, tally[1 - seat])
                yield _recorded(self.machine, str(self.opponent), tally[seat])

    @property
    def refused(self) -> bool:
        return self.ended in (Ended.REFUSED, Ended.OPPONENT_REFUSED)

    def cancel(self) -> None:
        self.ended = self.ended or Ended.CANCELLED

    def run(self, control: Control) -> list[TrainingInterval]:
        return list(self.steps(control))


def _recorded(machine: Machine[Any, Any], opponent: str, tally: NDArray[np.int64]) -> TrainingInterval:
    won, tied, lost, resigned = map(int, tally)
    machine.won += won
    machine.tied += tied
    machine.lost += lost
    machine.resigned += resigned
    interval = TrainingInterval(machine.games, opponent, won, tied, lost, resigned, machine.first)
    machine.record(interval)
    return interval


def warm(kernels: Kernels | None = None) -> None:
    with Control(kernels=kernels) as control:
        Training(Machine("warm"), RANDOM, 1, 0).run(control)
