"""A dialog that shows one box of a machine in full."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from arcade.engines.files import InputError
from arcade.engines.registry import get_game
from arcade.engines.wording import amount
from arcade.matchbox import box as beads
from arcade.matchbox.machine import AnyMachine
from arcade.matchbox.machines import BUILT_IN
from arcade.screens.base import ArcadeScreen, Dialog
from arcade.screens.machines import MachinesDialog
from arcade.screens.requests import OpenLaboratory
from arcade.session.jobs import Job, Jobs
from arcade.widgets.beads import error_percent
from arcade.widgets.box_panel import BoxPanel, OpenBox
from arcade.widgets.box_wall import AnyBox, BoxWall
from arcade.widgets.keys import KeyFooter, TitleBar


class BoxDialog(Dialog[int]):
    """One box in full, with perfect play's verdicts; returns the index of the last box shown."""

    CSS: ClassVar[str] = """
    BoxDialog .dialog { width: 56; padding: 1 2 0 2; }
    BoxDialog #about { margin: 1 0; color: $faint; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h,a,up,k,w", "turn(-1)", "Previous", key_display="←"),
        Binding("right,l,d,down,j,s", "turn(1)", "Next", key_display="→"),
        Binding("q,enter,space", "close", "Close", key_display="q"),
    ]

    def __init__(self, machine: AnyMachine, boxes: tuple[AnyBox, ...], at: int) -> None:
        super().__init__()
        self.machine = machine
        self.boxes = boxes
        self.at = at

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog -box"):
            yield BoxPanel()
            yield Static("", id="about")
            yield KeyFooter()

    def on_mount(self) -> None:
        self.show()

    def show(self) -> None:
        box = self.boxes[self.at]
        word = self.machine.beads[box.index]
        self.query_one(BoxPanel).show(OpenBox.now(self.machine, box.position), self.glyphs)
        error = self.machine.boxes.error(box, word)
        if error is None:
            words = "The box is empty, so the machine resigns here."
        elif not error:
            words = "Every bead is a best move."
        else:
            words = f"Gives the value of the position away in{error_percent(error)} of the draws."
        self.query_one("#about", Static).update(f"{box.position.text()}\n{words}")

    def action_turn(self, by: int) -> None:
        self.at = min(max(self.at + by, 0), len(self.boxes) - 1)
        self.show()

    def action_close(self) -> None:
        self.dismiss(self.at)


WRONG = 0.01
"""A box with a larger error than this counts as wrong."""


class BoxFilter(Enum):
    """Filters for boxes by their beads."""

    ALL = "all"
    WRONG = "wrong"
    """Boxes that may lose the value of their position."""
    EMPTY = "empty"
    CHANGED = "changed"
    """Boxes whose beads differ from a fresh box."""


def usual_machine(game: str) -> str:
    return next((each.name for each in BUILT_IN if each.options.game == game), BUILT_IN[0].name)


class WallScreen(ArcadeScreen):
    """All boxes of a machine, by stage.

    Args:
        game: the game, used if no machine is named.
        name: the machine; None for the game's own.
        in_play: the index of the box that is open in a match.
        machine: an unsaved machine, instead of `name`.
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
        Binding("n", "next_wrong(1)", "Wrong", tooltip="Jump to the next wrong box"),
        Binding("c", "machine", "Machine", tooltip="Look at another machine"),
        Binding("L", "laboratory", "Lab", tooltip="The laboratory: train machines"),
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
        """The stage shown, 0 for all."""
        self.kind = BoxFilter.ALL
        self.jobs = Jobs(self, self.work_failed)
        self._errors: list[float | None] = []

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static("", id="filters")
        yield BoxWall(id="wall")
        yield Static("", id="status")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(BoxWall).focus()
        if self.given is not None:
            self.machine_name = self.given.name
            self.machine_read(self.given)
        else:
            self.load(self.machine_name)

    def load(self, name: str) -> None:
        """Show a machine."""
        self.machine_name = name
        self.query_one(TitleBar).show(f"{name}: all boxes", "finding the boxes")
        self.jobs.start("machine", lambda job: self._read(job, name))

    def _read(self, job: Job, name: str) -> None:
        """Load the machine in a thread, since finding the boxes of a game takes up to two seconds."""
        job.tell(self.machine_read, self.services.machines.load(name))

    def machine_read(self, machine: AnyMachine) -> None:
        """Show the loaded machine."""
        self.jobs.drop("machine")
        if self.machine is None or machine.options != self.machine.options:
            self.stage, self.kind = 0, BoxFilter.ALL
        self.machine = machine
        self._errors = [machine.boxes.error(box, machine.beads[box.index]) for box in machine.boxes.boxes]
        self.show(self.in_play)

    def work_failed(self, error: BaseException) -> None:
        """Report an unreadable machine."""
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
        self.query_one(TitleBar).show(
            f"{machine.name}: {shown}", f"{count:,} beads, {amount(machine.games, 'game')}"
        )
        self.show_filters()
        self.show_status()

    def _passes(self, box: AnyBox) -> bool:
        assert self.machine is not None
        if self.stage and box.stage != self.stage:
            return False
        error = self._errors[box.index]
        if self.kind is BoxFilter.WRONG:
            return error is not None and error > WRONG
        if self.kind is BoxFilter.EMPTY:
            return error is None
        if self.kind is BoxFilter.CHANGED:
            by_stage = self.machine.options.first_beads
            fresh = by_stage[min(box.stage, len(by_stage)) - 1]
            word = self.machine.beads[box.index]
            return any(beads.count(word, slot) != fresh for slot in box.moves)
        return True

    def show_filters(self) -> None:
        """The filters as clickable words, with the active ones marked."""
        assert self.machine is not None
        stages = sorted({box.stage for box in self.machine.boxes.boxes})
        glyph = self.glyphs.turn

        def word(text: str, action: str, active: bool) -> str:
            mark = f"[b]{glyph}{text}[/b]" if active else f" {text}"
            return f"[@click=screen.{action}]{mark}[/]"

        parts = [word("all stages", "stage(0)", self.stage == 0)]
        parts.extend(word(str(stage), f"stage({stage})", self.stage == stage) for stage in stages[:9])
        kinds = [word(kind.value, f"kind('{kind.value}')", self.kind is kind) for kind in BoxFilter]
        self.query_one("#filters", Static).update(" ".join(parts) + "    " + " ".join(kinds))

    def show_status(self) -> None:
        """A text about the chosen box."""
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
        self.show_status()

    def redraw(self) -> None:
        self.query_one(BoxWall).redraw()
        self.show()

    # What the keys do.

    def on_box_wall_opened(self) -> None:
        wall = self.query_one(BoxWall)
        if self.machine is None or wall.chosen is None:
            return

        def closed(at: int | None) -> None:
            if at is not None:
                wall.choose(at)

        self.open(BoxDialog(self.machine, tuple(wall.boxes), wall.cursor), closed)

    def action_stage(self, stage: int) -> None:
        if self.machine is None:
            return
        if stage and all(box.stage != stage for box in self.machine.boxes.boxes):
            self.notify(f"{self.machine.name} has no box of stage {stage}.")
            return
        self.stage = stage
        self.show()

    def action_kind(self, name: str = "") -> None:
        kinds = list(BoxFilter)
        self.kind = BoxFilter(name) if name else kinds[(kinds.index(self.kind) + 1) % len(kinds)]
        self.show()

    def jump(self, index: int) -> None:
        """Go to a box, dropping the filters if necessary."""
        assert self.machine is not None
        if not self._passes(self.machine.boxes.boxes[index]):
            self.stage, self.kind = 0, BoxFilter.ALL
        self.show(index)

    def action_in_play(self) -> None:
        if self.in_play is None or self.machine is None:
            self.notify("No box is open in a match.")
        elif self.in_play < len(self.machine.boxes.boxes):
            self.jump(self.in_play)

    def action_next_wrong(self, by: int) -> None:
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
        from arcade.screens.dialogs import Prompt

        def typed(text: str | None) -> None:
            if text and self.machine is not None:
                try:
                    self.jump(self._find(self.machine, text.strip()))
                except ValueError as error:
                    self.notify(str(error), severity="warning")

        self.open(Prompt("Box number or board", "e.g. 17 or X.O......"), typed)

    @staticmethod
    def _find(machine: AnyMachine, text: str) -> int:
        boxes = machine.boxes.boxes
        if text.isdecimal() and len(text) <= 6:
            if not 1 <= int(text) <= len(boxes):
                raise InputError(f"There is no box {text}; the boxes have the numbers 1 to {len(boxes)}.")
            return int(text) - 1
        game = get_game(machine.options.game)
        position = game.parse_position(text, game.parse_parameters(machine.options.parameters))
        opening = machine.boxes.open(position)
        if opening is None:
            raise InputError(f"{machine.name} has no box for the board {text!r}.")
        return opening.box.index

    def action_machine(self) -> None:
        def chosen(name: str | None) -> None:
            if name is not None:
                self.in_play = self.in_play if name == self.machine_name else None
                self.given = None
                self.load(name)
            elif self.given is None:
                listed = self.services.machines.listed()
                self.load(self.machine_name if self.machine_name in listed else usual_machine(self.game))

        self.open(MachinesDialog(self.machine_name), chosen)

    def action_laboratory(self) -> None:
        if self.given is not None:
            # The laboratory provided it.
            self.dismiss(None)
        else:
            again = partial(self.load, self.machine_name)
            self.post_message(OpenLaboratory(self.game, self.machine_name, again))

    def help_rules(self) -> str:
        return WALL_HELP


WALL_HELP = """
# The wall

The wall shows each box of the machine with its position and its beads. Turned and mirrored positions share
a box. The number after a box's sign says how often a draw from it loses the value of the
position: ∘ is perfect, ▖▚▙ are worse, ✗ is worst, and ∅ is empty. A ✗ after a bead count marks such a
move.

The arrow keys go from box to box, and Enter opens one. **1** to **9** show one stage, **0** all. **f** shows
only wrong, empty or changed boxes. **g** jumps to a box by number or board, **b** to the one in play.
"""
