"""Built-in machines."""

from dataclasses import dataclass, replace

from arcade.engines.menace.box import BoxSet
from arcade.engines.menace.machine import FIRST_BEADS, Options, Overflow

MICHIE = Options()
SCROGGS = Options(first_beads=FIRST_BEADS["scroggs"])
HER = Options("hexapawn", "3x3", 1, BoxSet.ALL, first_beads=(1,), rewards=(0, 0, -1), last_only=True)
HER_4X4 = Options("hexapawn", "4x4", 1, BoxSet.ALL, first_beads=(8, 4, 2))


@dataclass(frozen=True)
class MachinePreset:
    name: str
    title: str
    options: Options


PRESETS = (
    MachinePreset("michie", "Michie's MENACE of 1961", MICHIE),
    MachinePreset("scroggs", "Scroggs' MENACE: more beads for the first moves", SCROGGS),
    MachinePreset(
        "her",
        "Gardner's HER for Hexapawn 3x3: one bead for each move, and a loss removes the last one drawn",
        HER,
    ),
    MachinePreset("her4", "HER on Hexapawn 4x4, rewarded like MENACE", HER_4X4),
)


@dataclass(frozen=True)
class BuiltInMachine:
    player: str
    name: str
    options: Options

    @property
    def plays(self) -> tuple[str, int]:
        return self.options.game_id, self.options.seat


BUILT_IN = (
    BuiltInMachine("MENACE", "MENACE", MICHIE),
    BuiltInMachine("MENACE", "MENACE-O", replace(MICHIE, seat=1)),
    BuiltInMachine("HER", "HER", HER),
    BuiltInMachine("HER", "HER-4x4", HER_4X4),
)
"""Built-in machines. The players MENACE and HER have two machines each, for different sides or boards."""


def built_in(name: str) -> BuiltInMachine | None:
    return next((machine for machine in BUILT_IN if machine.name == name), None)


@dataclass(frozen=True)
class MachineKind:
    options: Options
    words: str


KINDS = {
    "Michie": MachineKind(
        MICHIE, "MENACE as Michie built it in 1961: 4, 3, 2, 1 beads for each move, by stage."
    ),
    "Scroggs": MachineKind(
        SCROGGS, "8, 4, 2, 1 beads: its first box lasts longer against a perfect opponent."
    ),
    "Stopping": MachineKind(
        replace(SCROGGS, overflow=Overflow.STOP),
        "As Scroggs, but a colour stops at 127 beads. In time the others catch up, and it forgets.",
    ),
    "Every-cell": MachineKind(
        replace(MICHIE, distinct=False),
        "As Michie, with beads for all nine cells: 36 in the first box, not 12.",
    ),
    "Second": MachineKind(replace(MICHIE, seat=1), "As Michie, but it moves second."),
    "HER": MachineKind(
        HER, "Gardner's machine for Hexapawn 3x3: a loss removes the last bead that was drawn."
    ),
    "HER-4x4": MachineKind(HER_4X4, "HER on Hexapawn 4x4, with rewards like those of MENACE."),
}
