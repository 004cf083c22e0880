"""The wall: all boxes of a machine, to look at, filter and open."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import ClassVar

from textual import work
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.widgets import Static

from arcade.engines.control import Control
from arcade.engines.game import InputError
from arcade.engines.menace import beads
from arcade.engines.menace.machine import AnyMachine
from arcade.engines.registry import get_game
from arcade.machines import FOUNDERS
from arcade.screens.box import BoxDialog
from arcade.screens.machines import MachinesDialog
from arcade.screens.work import WorkScreen
from arcade.widgets.beads import error_percent
from arcade.widgets.box_wall import AnyBox, BoxWall
from arcade.widgets.key_footer import KeyFooter
from arcade.widgets.title_bar import TitleBar
from arcade.words import games

WRONG = 0.01
"""A box with a larger error than this counts as wrong."""


class Kind(Enum):
    """Which boxes are on show, by what is in them."""

    ALL = "all"
    WRONG = "wrong"
    """Those that may give the value of their position away."""
    EMPTY = "empty"
    CHANGED = "changed"
    """Those whose beads are not those of a fresh box."""


def usual_machine(game: str) -> str:
    """The founder that plays a game."""
    return next((each.name for each in FOUNDERS if each.options.game == game), FOUNDERS[0].name)


class WallScreen(WorkScreen):
    """All boxes of a machine, by stage.

    Args:
        game: the game whose machines are meant when no machine is named.
        name: the machine; None for the game's own.
        in_play: the index of the box that is open in a match.
        machine: a machine that is not kept under a name, instead of `name`.
    """

    CSS: ClassVar[str] = """
    WallScreen #filters { height: 1; padding: 0 1; link-style: none; link-color: $secondary; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "kind", "Filter", tooltip="All boxes, wrong, empty, or changed ones"),
        *(
            Binding(str(stage), f"stage({stage})", f"Stage {stage}" if stage else "All stages", show=False)
            for stage in range(10)
        ),
        Binding("g", "go_to", "Go to", tooltip="Jump to a box by its number or board"),
        Binding("b", "in_play", "In play", tooltip="Jump to the box that is open in the match"),
        Binding("n", "next_wrong(1)", "Wrong", tooltip="To the next box that is wrong"),
        Binding("c", "machine", "Machine", tooltip="Look at another machine"),
        Binding("e", "laboratory", "Lab", tooltip="The laboratory: train machines"),
    ]

    def __init__(
        self,
        game: str,
        name: str | None = None,
        in_play: int | None = None,
        machine: AnyMachine | None = None,
    ) -> None:
        super().__init__()
        self.given = machine
        self.game = game
        self.machine_name = name or usual_machine(game)
        self.in_play = in_play
        self.machine: AnyMachine | None = None
        self.stage = 0
        """The stage on show, 0 for all."""
        self.kind = Kind.ALL
        self._errors: list[float | None] = []

    def compose(self) -> ComposeResult:
        """Title, filters, boxes, and a line about the chosen one."""
        yield TitleBar()
        yield Static("", id="filters")
        yield BoxWall(id="wall")
        yield Static("", id="status")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Load the machine."""
        self.query_one(BoxWall).focus()
        if self.given is not None:
            self.machine_name = self.given.name
            self.machine_read(self.given)
        else:
            self.load(self.machine_name)

    def load(self, name: str) -> None:
        """Look at a machine."""
        self.machine_name = name
        self.query_one(TitleBar).show(f"{name}: all boxes", "finding the boxes")
        self.read(name, self.control("machines"))

    @work(thread=True, exclusive=True, group="machines", exit_on_error=False)
    def read(self, name: str, control: Control) -> None:
        """In a thread: the machine. Finding the boxes of a game takes up to two seconds."""
        self.tell(self.machine_read, control, self.arcade.machines.load(name))

    def machine_read(self, machine: AnyMachine) -> None:
        """Show the machine that was read."""
        self.drop("machines")
        if self.machine is None or machine.options != self.machine.options:
            self.stage, self.kind = 0, Kind.ALL
        self.machine = machine
        self._errors = [machine.boxes.error(box, machine.beads[box.index]) for box in machine.boxes.boxes]
        self.show(self.in_play)

    def work_failed(self, error: BaseException) -> None:
        """A machine that cannot be read is said."""
        self.notify(str(error), severity="error", timeout=10)
        self.query_one(TitleBar).show(f"{self.machine_name}: all boxes", "cannot be read")

    # What is on show.

    def show(self, chosen: int | None = None) -> None:
        """Show the boxes that pass the filters."""
        machine, wall = self.machine, self.query_one(BoxWall)
        if machine is None:
            return
        if chosen is None and wall.chosen is not None:
            chosen = wall.chosen.index
        boxes = [box for box in machine.boxes.boxes if self._passes(box)]
        wall.show(machine, boxes, chosen, self.in_play)
        total = len(machine.boxes.boxes)
        shown = f"{total:,} boxes" if len(boxes) == total else f"{len(boxes):,} of {total:,} boxes"
        count = sum(beads.total(word) for word in machine.beads)
        self.query_one(TitleBar).show(f"{machine.name}: {shown}", f"{count:,} beads, {games(machine.games)}")
        self.show_filters()
        self.show_status()

    def _passes(self, box: AnyBox) -> bool:
        assert self.machine is not None
        if self.stage and box.stage != self.stage:
            return False
        error = self._errors[box.index]
        if self.kind is Kind.WRONG:
            return error is not None and error > WRONG
        if self.kind is Kind.EMPTY:
            return error is None
        if self.kind is Kind.CHANGED:
            by_stage = self.machine.options.first_beads
            fresh = by_stage[min(box.stage, len(by_stage)) - 1]
            word = self.machine.beads[box.index]
            return any(beads.count(word, slot) != fresh for slot in box.moves)
        return True

    def show_filters(self) -> None:
        """The filters as words to click, those in force marked."""
        assert self.machine is not None
        stages = sorted({box.stage for box in self.machine.boxes.boxes})
        glyph = self.arcade.glyphs.turn

        def word(text: str, action: str, active: bool) -> str:
            mark = f"[b]{glyph}{text}[/b]" if active else f" {text}"
            return f"[@click=screen.{action}]{mark}[/]"

        parts = [word("all stages", "stage(0)", self.stage == 0)]
        parts.extend(word(str(stage), f"stage({stage})", self.stage == stage) for stage in stages[:9])
        kinds = [word(kind.value, f"kind('{kind.value}')", self.kind is kind) for kind in Kind]
        self.query_one("#filters", Static).update(" ".join(parts) + "    " + " ".join(kinds))

    def show_status(self) -> None:
        """The chosen box in words."""
        box, machine = self.query_one(BoxWall).chosen, self.machine
        if box is None or machine is None:
            text = "0 shows all stages, f other boxes."
        else:
            error = self._errors[box.index]
            if error is None:
                wrong = "empty"
            else:
                wrong = f"wrong in{error_percent(error)}" if error else "never wrong"
            held = ", ".join(
                f"{move} {count}" for move, count in box.counts(machine.beads[box.index]).items()
            )
            text = f"Box {box.index + 1}, {wrong}: {held}"
        self.query_one("#status", Static).update(text, layout=False)

    def on_box_wall_moved(self) -> None:
        """The cursor is on another box."""
        self.show_status()

    def redraw(self) -> None:
        """Draw anew, in other colours or characters."""
        self.query_one(BoxWall).redraw()
        self.show()

    # What the keys do.

    def on_box_wall_opened(self) -> None:
        """Look into the chosen box."""
        wall = self.query_one(BoxWall)
        if self.machine is None or wall.chosen is None:
            return

        def closed(at: int | None) -> None:
            if at is not None:
                wall.choose(at)

        self.arcade.open(BoxDialog(self.machine, tuple(wall.boxes), wall.cursor), closed)

    def action_stage(self, stage: int) -> None:
        """Show one stage, or all."""
        if self.machine is None:
            return
        if stage and all(box.stage != stage for box in self.machine.boxes.boxes):
            self.notify(f"{self.machine.name} has no box of stage {stage}.")
            return
        self.stage = stage
        self.show()

    def action_kind(self, name: str = "") -> None:
        """Show the boxes of a kind, or of the next kind."""
        kinds = list(Kind)
        self.kind = Kind(name) if name else kinds[(kinds.index(self.kind) + 1) % len(kinds)]
        self.show()

    def jump(self, index: int) -> None:
        """To a box, past the filters if need be."""
        assert self.machine is not None
        if not self._passes(self.machine.boxes.boxes[index]):
            self.stage, self.kind = 0, Kind.ALL
        self.show(index)

    def action_in_play(self) -> None:
        """To the box that is open in the match."""
        if self.in_play is None or self.machine is None:
            self.notify("No box is open in a match.")
        elif self.in_play < len(self.machine.boxes.boxes):
            self.jump(self.in_play)

    def action_next_wrong(self, by: int) -> None:
        """To the next box on show that is wrong, around the end."""
        wall = self.query_one(BoxWall)
        count = len(wall.boxes)
        for step in range(1, count + 1):
            place = (wall.cursor + by * step) % count
            error = self._errors[wall.boxes[place].index]
            if error is not None and error > WRONG:
                wall.choose(place)
                return
        self.notify("No box here is wrong.")

    def action_go_to(self) -> None:
        """To a box by its number, or by any board that it serves."""
        from arcade.screens.prompt import Prompt

        def typed(text: str | None) -> None:
            if text and self.machine is not None:
                try:
                    self.jump(self._find(self.machine, text.strip()))
                except ValueError as error:
                    self.notify(str(error), severity="warning")

        self.arcade.open(Prompt("Box number or board", "e.g. 17 or X.O......"), typed)

    @staticmethod
    def _find(machine: AnyMachine, text: str) -> int:
        boxes = machine.boxes.boxes
        if text.isdecimal() and len(text) <= 6:
            if not 1 <= int(text) <= len(boxes):
                raise InputError(f"The boxes have the numbers 1 to {len(boxes)}, so there is no box {text}.")
            return int(text) - 1
        game = get_game(machine.options.game)
        position = game.parse_position(text, game.parse_parameters(machine.options.parameters))
        opening = machine.boxes.open(position)
        if opening is None:
            raise InputError(f"{machine.name} has no box for the board {text!r}.")
        return opening.box.index

    def action_machine(self) -> None:
        """Look at another machine."""

        def chosen(name: str | None) -> None:
            if name is not None:
                self.in_play = self.in_play if name == self.machine_name else None
                self.given = None
                self.load(name)
            elif self.given is None:
                listed = self.arcade.machines.listed()
                self.load(self.machine_name if self.machine_name in listed else usual_machine(self.game))

        self.arcade.open(MachinesDialog(self.machine_name), chosen)

    def action_laboratory(self) -> None:
        """Train machines; afterwards look at them again."""
        from arcade.screens.laboratory import LaboratoryScreen

        def back(_: object) -> None:
            self.load(self.machine_name)

        if self.given is not None:
            # It is the laboratory that has given it.
            self.dismiss(None)
        else:
            self.arcade.open(LaboratoryScreen(self.game, self.machine_name), back)

    def help_rules(self) -> str:
        """What there is to see."""
        return WALL_HELP

    def commands(self) -> Iterable[SystemCommand]:
        """Every action of this screen, for the command palette."""
        return self.binding_commands()


WALL_HELP = """
# The wall

Each box of the machine, with the position that stands on it and the beads that are in it. Positions that are
turned or mirrored forms of one another share a box. The number behind a box's sign says how often a draw
from it gives the value of the position away; ∘ is perfect, ▖▚▙ are worse, ✗ is worst, and ∅ is empty.
A bead count with ✗ behind it belongs to such a move.

Arrow keys go from box to box, Enter opens one. **1** to **9** show one stage, **0** all; **f** shows wrong,
empty or changed boxes only; **g** jumps to a box by number or board, **b** to the one in play.
"""
