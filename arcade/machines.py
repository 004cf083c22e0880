"""The machines of a store: guests that sit down in matches, and learn from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arcade.engines.game import InputError, Outcome, Parameters, Termination
from arcade.engines.menace.archive import Heading, from_json, heading, to_json
from arcade.engines.menace.machine import PRESETS, AnyMachine, Change, Machine, Options, Step
from arcade.engines.menace.players import MachinePlayer
from arcade.engines.registry import AnyGame
from arcade.match import Match
from arcade.store import Store

LONGEST_STRETCH = 10
"""Matches against one opponent are joined in a machine's history up to so many."""


@dataclass(frozen=True)
class Founder:
    """A machine that is there before anybody has made one; it is kept once it has learned."""

    called: str
    """What a seat calls it."""
    name: str
    """Under which name it is kept."""
    options: Options


_BY_PRESET = {preset.name: preset.options for preset in PRESETS}

FOUNDERS = (
    Founder("MENACE", "MENACE", _BY_PRESET["michie"]),
    Founder("MENACE", "MENACE-O", replace(_BY_PRESET["michie"], seat=1)),
    Founder("HER", "HER", _BY_PRESET["her"]),
    Founder("HER", "HER-4x4", _BY_PRESET["her4"]),
)
"""MENACE and HER. A machine has boxes for one seat and board, so one name stands for two machines each."""


@dataclass(frozen=True)
class Lesson:
    """What a machine has learned from a match."""

    seat: int
    machine: AnyMachine
    """As it is afterwards."""
    changes: Sequence[Change[Any, Any]]
    """What each box that was opened got or lost, in the order of play."""

    def sentence(self) -> str:
        """What the machine did with its beads."""
        name, beads = self.machine.name, sum(each.change for each in self.changes)
        if not beads:
            return f"{name} leaves its beads as they are."
        number = "1 bead" if abs(beads) == 1 else f"{abs(beads)} beads"
        return f"{name} {'adds' if beads > 0 else 'loses'} {number}."


def kept_text(lessons: Iterable[Lesson]) -> dict[str, str]:
    """The machines of lessons as the store keeps them, by name."""
    return {lesson.machine.name: to_json(lesson.machine) for lesson in lessons}


@dataclass
class Pupil:
    """A kept machine in training."""

    machine: AnyMachine
    text: str | None
    """As what it is kept; None while it is not."""

    def keep(self, store: Store) -> None:
        """Write the machine as it is now over what it was before.

        Raises:
            InputError: another arcade has written it in the meantime; that one is kept.
        """
        text = to_json(self.machine)
        store.replace_machine(self.machine.name, self.text, text)
        self.text = text


def game_id(game: AnyGame, parameters: Parameters) -> str:
    """A game and its parameters as a machine's options have them."""
    text = game.parameters_text(parameters)
    return f"{game.name}:{text}" if text else game.name


class Machines:
    """The guests of the arcade. Safe for several threads as far as the store is.

    Args:
        store: opens, or gives, the store; called when a guest is first asked for.
    """

    def __init__(self, store: Callable[[], Store]) -> None:
        self._open = store
        self._opened: Store | None = None
        self._read: dict[str, tuple[str, AnyMachine]] = {}

    @property
    def store(self) -> Store:
        """Where the machines are kept."""
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def close(self) -> None:
        """Close the store, if it was ever opened."""
        if self._opened is not None:
            self._opened.close()

    # As guests.

    def names(self, game: AnyGame, seat: int) -> list[str]:
        """The founders and the kept machines that play a seat of a game, on some board."""
        found = [
            each.called for each in FOUNDERS if each.options.game == game.name and each.options.seat == seat
        ]
        founding = {each.name for each in FOUNDERS}
        for name, text in self.store.machines().items():
            head = heading(text)
            if head is None or name in founding:
                continue
            if head.game_id.partition(":")[0] == game.name and head.seat == seat:
                found.append(name)
        return list(dict.fromkeys(found))

    def check(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> None:
        """Refuse a machine that is not there or cannot take the seat.

        Raises:
            InputError: as it says.
        """
        self._kept_name(name, game, parameters, seat)

    def invite(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> MachinePlayer[Any, Any]:
        """The machine of a name as a player.

        Raises:
            InputError: there is none, it cannot take the seat, or what is kept of it is damaged.
        """
        return MachinePlayer(self.load(self._kept_name(name, game, parameters, seat)))

    def _kept_name(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> str:
        asked = game_id(game, parameters)
        kept = self.store.machines(name).get(name)
        head = heading(kept) if kept is not None else None
        if head is not None and (head.game_id, head.seat) == (asked, seat):
            return name
        namesakes = [each for each in FOUNDERS if each.called == name]
        for each in namesakes:
            if (each.options.game_id, each.options.seat) == (asked, seat):
                return each.name
        if head is not None:
            side = ("first", "second")[head.seat]
            raise InputError(
                f"The machine {name} plays {head.game_id} and moves {side}; it cannot sit there."
            )
        if kept is not None:
            raise InputError(f"What is kept of the machine {name} is damaged.")
        if namesakes:
            plays = " or ".join(
                f"{each.options.game_id} moving {('first', 'second')[each.options.seat]}"
                for each in namesakes
            )
            raise InputError(f"{name} plays {plays}; it cannot sit there.")
        players = ", ".join(kind.name for kind in game.player_kinds)
        machines = ", ".join(self.names(game, seat)) or "none yet"
        raise InputError(
            f"{game.title} has no player {name!r}; its players are {players}, and of machines {machines}."
        )

    # As machines.

    def listed(self) -> dict[str, Heading]:
        """All machines, the founders first; damaged ones are left out."""
        kept = {name: heading(text) for name, text in self.store.machines().items()}
        found = {
            each.name: kept.get(each.name) or Heading(each.options.game_id, each.options.seat, 0)
            for each in FOUNDERS
        }
        return found | {name: head for name, head in kept.items() if head is not None}

    def load(self, name: str) -> AnyMachine:
        """The machine that is kept under a name; a founder is fresh until then. Only to be looked at.

        Raises:
            InputError: there is none, or it is damaged.
        """
        return self._from(name, self.store.machines(name).get(name))

    def _from(self, name: str, text: str | None) -> AnyMachine:
        if text is None:
            founder = next((each for each in FOUNDERS if each.name == name), None)
            if founder is None:
                self.store.load_machine(name)
            else:
                return Machine(founder.name, founder.options)
        assert text is not None
        read = self._read.get(name)
        if read is None or read[0] != text:
            read = self._read[name] = (text, from_json(text))
        return read[1]

    def copy(self, name: str) -> AnyMachine:
        """The same, for the caller alone.

        Raises:
            InputError: see `load`.
        """
        return self.pupil(name).machine

    def pupil(self, name: str) -> Pupil:
        """The same, to be trained and kept.

        Raises:
            InputError: see `load`.
        """
        text = self.store.machines(name).get(name)
        return Pupil(from_json(to_json(self._from(name, text))), text)

    def keep(self, machine: AnyMachine) -> None:
        """Write a machine to the store under its name."""
        self.store.save_machine(machine.name, to_json(machine))

    def refresh(self, name: str) -> AnyMachine:
        """Give a kept machine the beads of a fresh one, and no past, under the same name.

        Raises:
            InputError: see `load`.
        """
        fresh: AnyMachine = Machine(name, self.load(name).options)
        self.keep(fresh)
        return fresh

    def learn(self, match: Match) -> list[Lesson]:
        """Let the machines of a match that is over learn from it, once; nothing is kept yet.

        Raises:
            InputError: a machine is not there any more, or is damaged.
        """
        result = match.result
        if result is None or match.taught:
            return []
        lessons = []
        for seat in range(len(match.seats)):
            name = match.guest(seat)
            if name is None:
                continue
            machine = self.copy(self._kept_name(name, match.game, match.parameters, seat))
            player = MachinePlayer(machine)
            player.retrace(match.first, [ply.move for ply in match.plies])
            if match.resigned == seat and machine.refuses and not player.draws:
                continue
            gave_up = match.resigned == seat
            outcome = Outcome(result.winner, Termination.EMPTY_BOX if gave_up else result.termination)
            changes = player.reward(outcome)
            opponent = match.seats[1 - seat].replace(":", "-")
            _record(machine, opponent, outcome, gave_up)
            lessons.append(Lesson(seat, machine, changes))
        return lessons


def _record(machine: AnyMachine, opponent: str, outcome: Outcome, gave_up: bool) -> None:
    """Put one match, already counted, into the history."""
    won, tied = int(outcome.winner == machine.options.seat), int(outcome.winner is None)
    step = Step(machine.games, opponent, won, tied, 1 - won - tied, int(gave_up), machine.first)
    last = machine.history[-1] if machine.history else None
    if (
        last is not None
        and last.opponent == opponent
        and last.games == machine.games - 1
        and last.played < LONGEST_STRETCH
    ):
        machine.history[-1] = replace(
            step,
            won=last.won + step.won,
            tied=last.tied + step.tied,
            lost=last.lost + step.lost,
            resigned=last.resigned + step.resigned,
        )
    else:
        machine.record(step)
