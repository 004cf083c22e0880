"""The opponents that a machine trains against."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from arcade.engines.files import InputError
from arcade.engines.menace.machine import AnyMachine


class Style(StrEnum):
    RANDOM = "random"
    PERFECT = "perfect"
    """An opponent that plays one of the moves of `PositionGraph.perfect`."""
    FALLIBLE = "fallible"
    MACHINE = "machine"


@dataclass(frozen=True)
class Opponent:
    style: Style
    chance: float = 1.0
    """Chance (0 to 1) that a fallible opponent plays a best move."""
    machine: AnyMachine | None = None
    learns: bool = False

    def __str__(self) -> str:
        if self.style is Style.FALLIBLE:
            return f"{self.chance:g}"
        return self.machine.name if self.machine else self.style.value

    @property
    def threshold(self) -> int:
        """`chance` times 2**32. If 32 random bits are below this number, a best move is played."""
        return round(self.chance * 2**32)

    def check(self, machine: AnyMachine) -> None:
        """Raise InputError if the opponent is a machine for another game than `machine` or for its side."""
        if self.machine is None:
            return
        own, other = machine.options, self.machine.options
        if own.game_id != other.game_id:
            raise InputError(
                f"{machine.name} plays {own.game_id}, but {self.machine.name} plays {other.game_id}. "
                "Choose two machines for the same board."
            )
        if own.seat == other.seat:
            side = "first" if own.seat == 0 else "second"
            raise InputError(f"{machine.name} and {self.machine.name} both move {side}, so they cannot meet.")


RANDOM = Opponent(Style.RANDOM)
PERFECT = Opponent(Style.PERFECT)


def parse_opponent(text: str, load: Callable[[str], AnyMachine], learns: bool = False) -> Opponent:
    """Read an opponent: "random", "perfect", "0.8" (a best move in 80% of the turns), or a machine's name.

    `load` returns the machine with the given name. `learns` applies only if the opponent is a machine. Raises
    InputError if the opponent is unknown or invalid.
    """
    text = text.strip()
    if text.lower() in (Style.RANDOM, Style.PERFECT):
        return Opponent(Style(text.lower()))
    if text[:1].isdigit() or text[:1] in {".", "-", "+"}:
        try:
            chance = float(text)
        except ValueError:
            chance = -1.0
        if not 0 <= chance <= 1:
            raise InputError(
                f"Unknown opponent {text!r}. Use random, perfect, a number from 0 to 1, or a machine's name."
            )
        return Opponent(Style.FALLIBLE, chance)
    try:
        machine = load(text)
    except InputError as error:
        others = "You can also train against random, perfect, or 0.8 (80% perfect moves)."
        raise InputError(f"{error} {others}") from None
    return Opponent(Style.MACHINE, machine=machine, learns=learns)
