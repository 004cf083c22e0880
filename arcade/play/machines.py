"""Load, seat, train and save the matchbox machines in the store, and choose the boxes to show.

Code outside `arcade.engines.menace` uses machines only through this module.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.files import InputError
from arcade.engines.menace.archive import MachineHeader, from_json, read_header, to_json
from arcade.engines.menace.machine import EMPTY_BOX, Machine, TrainingInterval, check_name
from arcade.engines.menace.machine import AnyMachine as AnyMachine
from arcade.engines.menace.open_box import LearningSummary as LearningSummary
from arcade.engines.menace.open_box import OpenBox as OpenBox
from arcade.engines.menace.open_box import Reward as Reward
from arcade.engines.menace.players import MachinePlayer
from arcade.engines.menace.presets import BUILT_IN, built_in
from arcade.engines.parameters import Parameters
from arcade.engines.position import Outcome
from arcade.engines.registry import AnyGame, GameID
from arcade.engines.seats import unknown_player
from arcade.play.match import HUMAN, Match
from arcade.store.queries import Ending, Filter
from arcade.store.store import Store


@dataclass
class TrainableMachine:
    machine: AnyMachine
    text: str | None

    def keep(self, store: Store) -> None:
        """Save the machine. Raises InputError if another process has changed it since it was loaded."""
        text = to_json(self.machine)
        store.replace_machine(self.machine.name, self.text, text)
        self.text = text


class Machines:
    """The machines in a store, which `store` opens on first use. Threads may share this object."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._open = store
        self._opened: Store | None = None
        self._read: dict[str, tuple[str, AnyMachine]] = {}

    @property
    def store(self) -> Store:
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def challenge_wins(self, game: AnyGame) -> int:
        challenge = game.practice.challenge
        if challenge is None:
            return 0
        seats = [HUMAN, HUMAN]
        seats[challenge.seat] = challenge.machine
        won = Filter(game.name, Ending.WON, unaided=True, counts=True, seats=",".join(seats))
        return min(self.store.count(won), challenge.wins)

    @staticmethod
    def kept_text(rewards: Iterable[Reward]) -> dict[str, str]:
        return {reward.machine.name: to_json(reward.machine) for reward in rewards}

    def names(self, game: AnyGame, seat: int) -> list[str]:
        known = {machine.name: machine.player for machine in BUILT_IN}
        return list(
            dict.fromkeys(
                known.get(name, name)
                for name, head in self.listed().items()
                if (head.game_id.partition(":")[0], head.seat) == (game.name, seat)
            )
        )

    def check(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> str:
        """Return the saved spelling of a machine's name.

        Raises InputError if the machine does not exist or cannot take the seat.
        """
        name = self._spelled(name)
        self._kept_name(name, game, parameters, seat)
        return name

    def _spelled(self, name: str) -> str:
        """Return the saved spelling of a name. Case matters only if two names differ in nothing else."""
        names = {*self.store.machine_names(), *(machine.player for machine in BUILT_IN)}
        alike = [each for each in names if each.lower() == name.lower()]
        return alike[0] if name not in names and len(alike) == 1 else name

    def invite(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> MachinePlayer[Any, Any]:
        """Return a machine as a player. Raises InputError if `check` does, or if the machine is damaged."""
        return MachinePlayer(self.seated(name, game, parameters, seat))

    def seated(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> AnyMachine:
        """Return the machine for a seat. It is shared: do not change it. Raises InputError like `invite`."""
        return self.load(self._kept_name(name, game, parameters, seat))

    def seated_text(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> str:
        return to_json(self.seated(name, game, parameters, seat))

    def _kept_name(self, name: str, game: AnyGame, parameters: Parameters, seat: int) -> str:
        asked = str(GameID(game, dict(parameters))), seat
        kept = self.store.machines(name).get(name)
        head = read_header(kept) if kept is not None else None
        if head is not None and (head.game_id, head.seat) == asked:
            return name
        namesakes = [machine for machine in BUILT_IN if machine.player == name]
        for machine in namesakes:
            if machine.plays == asked:
                return machine.name
        if head is None and kept is not None:
            raise InputError(
                f"The saved machine {name} is damaged. To delete it, run arcade menace delete {name}."
            )
        places = [machine.plays for machine in namesakes] if head is None else [(head.game_id, head.seat)]
        if places:
            plays = " or ".join(f"{text} (moving {('first', 'second')[side]})" for text, side in places)
            raise InputError(f"{name} cannot take this seat. It plays only {plays}.")
        raise unknown_player(game, name, self.names(game, seat))

    def listed(self) -> dict[str, MachineHeader]:
        kept = {name: read_header(text) for name, text in self.store.machines().items()}
        first = {
            machine.name: kept.get(machine.name) or MachineHeader(*machine.plays, 0) for machine in BUILT_IN
        }
        return first | {name: head for name, head in kept.items() if head is not None}

    def load(self, name: str) -> AnyMachine:
        """Return a machine. It is shared: do not change it. Raises InputError if it is unknown or damaged."""
        return self._from(name, self.store.machines(name).get(name))

    def _from(self, name: str, text: str | None) -> AnyMachine:
        if text is None:
            fresh = built_in(name)
            if fresh is None:
                known = ", ".join(self.listed())
                raise InputError(f"Unknown machine {name!r}. Choose from {known}.")
            return Machine(name, fresh.options)
        read = self._read.get(name)
        if read is None or read[0] != text:
            read = self._read[name] = (text, from_json(text))
        return read[1]

    def copy(self, name: str) -> AnyMachine:
        return self.trainable(name).machine

    def trainable(self, name: str) -> TrainableMachine:
        text = self.store.machines(name).get(name)
        return TrainableMachine(from_json(to_json(self._from(name, text))), text)

    def check_new_name(self, name: str, game: str) -> str:
        if check_name(name, game, new=True) in {*self.listed(), *self.store.machine_names()}:
            raise InputError(f"The machine {name} already exists. Choose another name.")
        return name

    def keep(self, machine: AnyMachine) -> None:
        self.store.save_machine(machine.name, to_json(machine))

    def refresh(self, name: str) -> AnyMachine:
        fresh: AnyMachine = Machine(name, self.load(name).options)
        self.keep(fresh)
        return fresh

    def learn(self, match: Match) -> list[Reward]:
        """Train the machines of a finished match without saving them, and return their rewards.

        Raises InputError if a machine no longer exists.
        """
        ending = match.ending
        if ending is None or match.taught:
            return []
        rewards = []
        for seat in range(len(match.seats)):
            name = match.guest(seat)
            if name is None:
                continue
            machine = self.copy(self._kept_name(name, match.game, match.parameters, seat))
            # Another player may have played some moves of this seat.
            own = [ply for ply in match.line if ply.seat == seat]
            drawn = zip(own, machine.retrace(match.first, match.moves), strict=True)
            draws = [draw for ply, draw in drawn if ply.by == name]
            gave_up = match.resigned == seat
            if not draws and (match.players or (gave_up and machine.refuses)):
                continue
            outcome = Outcome(ending.winner, EMPTY_BOX if gave_up else ending.reason)
            changes = machine.learn(draws, outcome, gave_up)
            opponent = match.seats[1 - seat].replace(":", "-")
            won, tied = int(outcome.winner == seat), int(outcome.winner is None)
            lost = 1 - won - tied
            machine.record(
                TrainingInterval(machine.games, opponent, won, tied, lost, int(gave_up), machine.first)
            )
            rewards.append(Reward(seat, machine, changes))
        return rewards


def open_box(
    match: Match, machines: Mapping[int, AnyMachine], rewards: Sequence[Reward], wins: int
) -> OpenBox | LearningSummary | None:
    """Return the box or, after the match, the learning summary to show beside it; None if there is neither.

    `machines` has the machines by seat, as they were during the match. `wins` is the number of the player's
    wins in the game's challenge.
    """
    last = _last_drawn(match, machines)
    if match.result and rewards:
        seat = match.plies[-1].seat if match.plies else 0
        reward = next((reward for reward in rewards if reward.seat == seat), rewards[0])
        challenge = "" if match.watched else _challenge_sentence(match.game, reward.machine, wins)
        return LearningSummary(reward.machine, reward.changes, len(reward.changes), last, challenge)
    to_move = None if match.result else machines.get(match.turn)
    if to_move is not None and (last is None or not (match.watched and match.plies)):
        return OpenBox.now(to_move, match.position)
    return last


def _last_drawn(match: Match, machines: Mapping[int, AnyMachine]) -> OpenBox | None:
    for number in range(len(match.plies) - 1, -1, -1):
        machine = machines.get(match.plies[number].seat)
        if machine is not None and match.drawn(number):
            return OpenBox.drawn(machine, match.before(number), match.plies[number].move, number)
    return None


def _challenge_sentence(game: AnyGame, machine: AnyMachine, wins: int) -> str:
    challenge = game.practice.challenge
    if challenge is None or machine.name != challenge.machine:
        return ""
    won = f"Your wins without help: {wins} of {challenge.wins}" if wins else ""
    return won if wins < challenge.wins else f"{wins} wins without help: a star"
