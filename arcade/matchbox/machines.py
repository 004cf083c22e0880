"""The machines of a store: guests that play matches and learn from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from arcade.engines.files import InputError
from arcade.engines.parameters import Parameters
from arcade.engines.position import Outcome, Position
from arcade.engines.registry import AnyGame
from arcade.engines.wording import amount
from arcade.matchbox.archive import Heading, from_json, heading, to_json
from arcade.matchbox.machine import EMPTY_BOX, PRESETS, AnyMachine, Change, Machine, Options, Stretch
from arcade.matchbox.players import MachinePlayer

LONGEST_STRETCH = 10
"""Most matches against one opponent in one step of a machine's history."""


@dataclass(frozen=True)
class Founder:
    """A built-in machine; it is saved once it has learned."""

    called: str
    """Its name at a seat."""
    name: str
    """Its name in the store."""
    options: Options


_BY_PRESET = {preset.name: preset.options for preset in PRESETS}

FOUNDERS = (
    Founder("MENACE", "MENACE", _BY_PRESET["michie"]),
    Founder("MENACE", "MENACE-O", replace(_BY_PRESET["michie"], seat=1)),
    Founder("HER", "HER", _BY_PRESET["her"]),
    Founder("HER", "HER-4x4", _BY_PRESET["her4"]),
)
"""MENACE and HER. A machine has boxes for one seat and board, so each name stands for two machines."""


@dataclass(frozen=True)
class Reward:
    """The result of a match for a machine that learns."""

    seat: int
    machine: AnyMachine
    """The machine after the match."""
    changes: Sequence[Change[Any, Any]]
    """The change to each opened box, in the order of play."""

    def sentence(self) -> str:
        """A sentence on what the machine did with its beads."""
        name, beads = self.machine.name, sum(each.change for each in self.changes)
        if not beads:
            return f"{name} leaves its beads as they are."
        return f"{name} {'adds' if beads > 0 else 'loses'} {amount(abs(beads), 'bead')}."


class Shelf(Protocol):
    """A place that stores machines as texts by name."""

    def machines(self, name: str | None = None) -> dict[str, str]:
        """The texts of all machines by name, or of the named one, if it exists."""

    def save_machine(self, name: str, machine: str) -> None:
        """Save a machine's text under its name."""

    def replace_machine(self, name: str, before: str | None, machine: str) -> None:
        """Save a machine that was made from the text `before`, None for a new one.

        Raises:
            InputError: the stored text has changed meanwhile.
        """

    def close(self) -> None:
        """Close the shelf."""


class PlayedMatch(Protocol):
    """A match that machines can learn from."""

    game: AnyGame
    seats: list[str]
    taught: bool
    """Whether the machines have already learned from it."""
    resigned: int | None
    """The seat that gave up."""

    @property
    def parameters(self) -> Parameters:
        """The game's parameters."""

    @property
    def first(self) -> Position[Any]:
        """The first position."""

    ending: Any
    """How it ended, with `winner` and `reason`; None while it is going on."""

    @property
    def moves(self) -> list[Any]:
        """All its moves."""

    def guest(self, seat: int) -> str | None:
        """The name of the machine in a seat; None if somebody else sits there."""


def kept_text(lessons: Iterable[Reward]) -> dict[str, str]:
    """The texts of the machines of some lessons, by name."""
    return {lesson.machine.name: to_json(lesson.machine) for lesson in lessons}


@dataclass
class Pupil:
    """A saved machine in training."""

    machine: AnyMachine
    text: str | None
    """The text last saved; None if never saved."""

    def keep(self, store: Shelf) -> None:
        """Save the machine as it is now.

        Raises:
            InputError: another arcade has saved it meanwhile; that version stays.
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
        store: opens or returns the store; called when a guest is first needed.
    """

    def __init__(self, store: Callable[[], Shelf]) -> None:
        self._open = store
        self._opened: Shelf | None = None
        self._read: dict[str, tuple[str, AnyMachine]] = {}

    @property
    def store(self) -> Shelf:
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def close(self) -> None:
        """Close the store if it was opened."""
        if self._opened is not None:
            self._opened.close()

    # As guests.

    def names(self, game: AnyGame, seat: int) -> list[str]:
        """The built-in and saved machines that can play a seat of a game, on some board."""
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
        """Check that a machine exists and can take the seat.

        Raises:
            InputError: it does not exist or cannot take the seat.
        """
        self._kept_name(name, game, parameters, seat)

    def invite(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> MachinePlayer[Any, Any]:
        """The named machine as a player.

        Raises:
            InputError: there is none, it cannot take the seat, or its saved text is damaged.
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
            raise InputError(f"The saved machine {name} is damaged.")
        if namesakes:
            plays = " or ".join(
                f"{each.options.game_id} moving {('first', 'second')[each.options.seat]}"
                for each in namesakes
            )
            raise InputError(f"{name} plays {plays}; it cannot sit there.")
        players = ", ".join(kind.name for kind in game.player_kinds)
        machines = ", ".join(self.names(game, seat)) or "none yet"
        raise InputError(
            f"{game.title} has no player {name!r}; its players are {players}, and its machines {machines}."
        )

    # As machines.

    def listed(self) -> dict[str, Heading]:
        """All machines, the built-in ones first, without damaged ones."""
        kept = {name: heading(text) for name, text in self.store.machines().items()}
        found = {
            each.name: kept.get(each.name) or Heading(each.options.game_id, each.options.seat, 0)
            for each in FOUNDERS
        }
        return found | {name: head for name, head in kept.items() if head is not None}

    def load(self, name: str) -> AnyMachine:
        """The machine saved under a name, or a fresh built-in one. Shared, so do not change it.

        Raises:
            InputError: there is none, or it is damaged.
        """
        return self._from(name, self.store.machines(name).get(name))

    def _from(self, name: str, text: str | None) -> AnyMachine:
        if text is None:
            founder = next((each for each in FOUNDERS if each.name == name), None)
            if founder is not None:
                return Machine(founder.name, founder.options)
            known = ", ".join(self.listed())
            raise InputError(f"There is no machine {name!r}; the machines are: {known}.")
        read = self._read.get(name)
        if read is None or read[0] != text:
            read = self._read[name] = (text, from_json(text))
        return read[1]

    def copy(self, name: str) -> AnyMachine:
        """Like `load`, but a copy for the caller.

        Raises:
            InputError: see `load`.
        """
        return self.pupil(name).machine

    def pupil(self, name: str) -> Pupil:
        """Like `load`, to train and save.

        Raises:
            InputError: see `load`.
        """
        text = self.store.machines(name).get(name)
        return Pupil(from_json(to_json(self._from(name, text))), text)

    def keep(self, machine: AnyMachine) -> None:
        """Save a machine in the store under its name."""
        self.store.save_machine(machine.name, to_json(machine))

    def refresh(self, name: str) -> AnyMachine:
        """Reset a saved machine to fresh beads and an empty history.

        Raises:
            InputError: see `load`.
        """
        fresh: AnyMachine = Machine(name, self.load(name).options)
        self.keep(fresh)
        return fresh

    def learn(self, match: PlayedMatch) -> list[Reward]:
        """Let the machines of a finished match learn from it, once; this saves nothing.

        Raises:
            InputError: a machine no longer exists or is damaged.
        """
        result = match.ending
        if result is None or match.taught:
            return []
        lessons = []
        for seat in range(len(match.seats)):
            name = match.guest(seat)
            if name is None:
                continue
            machine = self.copy(self._kept_name(name, match.game, match.parameters, seat))
            player = MachinePlayer(machine)
            player.retrace(match.first, match.moves)
            if match.resigned == seat and machine.refuses and not player.draws:
                continue
            gave_up = match.resigned == seat
            outcome = Outcome(result.winner, EMPTY_BOX if gave_up else result.reason)
            changes = player.reward(outcome, gave_up)
            opponent = match.seats[1 - seat].replace(":", "-")
            _record(machine, opponent, outcome, gave_up)
            lessons.append(Reward(seat, machine, changes))
        return lessons


def _record(machine: AnyMachine, opponent: str, outcome: Outcome, gave_up: bool) -> None:
    """Add one match, already counted, to the history."""
    won, tied = int(outcome.winner == machine.options.seat), int(outcome.winner is None)
    step = Stretch(machine.games, opponent, won, tied, 1 - won - tied, int(gave_up), machine.first)
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
