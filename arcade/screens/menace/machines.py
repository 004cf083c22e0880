"""Dialogs for matchbox machines, and the wall of a machine's boxes."""

import re
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, OptionList, Select, Static
from textual.widgets.option_list import Option

from arcade.engines.files import InputError, read_text
from arcade.engines.menace import box as beads
from arcade.engines.menace.archive import from_json, to_json
from arcade.engines.menace.box import BoxSet
from arcade.engines.menace.machine import (
    AnyMachine,
    Machine,
    Options,
    Overflow,
    parse_first_beads,
    parse_rewards,
)
from arcade.engines.menace.open_box import OpenBox
from arcade.engines.menace.presets import BUILT_IN, PRESETS, built_in
from arcade.engines.registry import get_game
from arcade.engines.wording import quantity
from arcade.play.keymap import default_key
from arcade.play.machines import TrainableMachine
from arcade.screens.base import ArcadeScreen, Dialog, open_screen, reporting
from arcade.screens.dialogs import Form, Prompt, confirm
from arcade.screens.menace.boxes import AnyBox, BoxPanel, BoxWall
from arcade.widgets.forms import OFF, ON, Choice, Row, next_of
from arcade.widgets.glyphs import error_percent
from arcade.widgets.keys import KeyFooter, Shortcut, Shortcuts, TitleBar, shortcut


class MachinesDialog(Dialog[str]):
    CSS = """
    MachinesDialog OptionList { height: auto; max-height: 12; }
    MachinesDialog Shortcuts { margin-top: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            default_key("delete"),
            "delete",
            "Delete",
            tooltip="Delete a machine, or reset MENACE and HER",
            id="delete",
        ),
        Binding(default_key("export"), "export", "Export", tooltip="Write a machine to a file", id="export"),
        Binding(default_key("open"), "import", "Import", tooltip="Read a machine from a file", id="open"),
        Binding(default_key("leave"), "close", "Close", show=False, id="leave"),
    ]

    def __init__(self, chosen: str | None = None) -> None:
        super().__init__()
        self.chosen = chosen

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static("Which machine?", classes="heading")
            yield OptionList(markup=False)
            yield Shortcuts()

    def on_mount(self) -> None:
        keys = self.keys
        self.query_one(Shortcuts).show(
            Shortcut("Enter", "open", "choose"),
            shortcut(keys, "delete", "delete"),
            shortcut(keys, "export", "export"),
            shortcut(keys, "open", "import", "import"),
        )
        with reporting(self.app):
            self.fill(self.chosen)

    def fill(self, chosen: str | None) -> None:
        listed = self.services.machines.listed()
        told = {name: f"{head.game_id}, {quantity(head.games, 'game')}" for name, head in listed.items()}
        told = dict.fromkeys(self.services.store.machine_names(), "damaged") | told
        names = [*listed, *(name for name in told if name not in listed)]
        lines = self.query_one(OptionList)
        lines.set_options(Option(f"{name}: {told[name]}", id=name) for name in names)
        lines.highlighted = names.index(chosen) if chosen in names else 0

    @property
    def name_at(self) -> str:
        """The name under the cursor. Raises InputError if there is none."""
        at = self.query_one(OptionList).highlighted_option
        if at is None:
            raise InputError("The machines could not be read, so none are listed.")
        return str(at.id)

    @on(OptionList.OptionSelected)
    def action_choose(self) -> None:
        self.dismiss(self.name_at)

    def action_delete(self) -> None:
        name = self.name_at
        fresh = built_in(name) is not None
        if fresh and name not in self.services.store.machine_names():
            self.notify(f"{name} has not been trained yet.")
            return

        def delete() -> None:
            self.services.store.delete_machine(name)
            self.fill(name)
            self.notify(f"{name} is fresh again." if fresh else f"{name} is deleted.")

        question = f"Make {name} forget all" if fresh else f"Delete {name} and all"
        confirm(self, f"{question} that it has learned?", delete)

    def action_export(self) -> None:
        name = self.name_at

        def export(file: str) -> None:
            self.notify(self.save_or_download(name, to_json(self.services.machines.load(name)), file))

        self.open(Prompt(f"Write {name} to which file?", f"e.g. {name}.json"), export)

    def action_import(self) -> None:
        def take(file: str) -> None:
            machine = from_json(read_text(file))
            if machine.name in {*self.services.machines.listed(), *self.services.store.machine_names()}:
                question = f"A machine named {machine.name} already exists. Choose another name."
                self.open(Prompt(question, "letters, digits, - _"), lambda name: self._keep(machine, name))
            else:
                self._keep(machine, machine.name)

        self.open(Prompt("Read a machine from which file?", "an exported file"), take)

    def _keep(self, machine: AnyMachine, name: str) -> None:
        machine.name = self.services.machines.check_new_name(name, machine.options.game)
        TrainableMachine(machine, None).keep(self.services.store)
        self.fill(name)
        self.notify(f"{name} is saved.")


GAMES = (("Tic-tac-toe", "menace"), ("Hexapawn 3x3", "hexapawn:3x3"), ("Hexapawn 4x4", "hexapawn:4x4"))
SETS = (
    ("with a choice", BoxSet.CHOICE.value),
    ("positions with a choice that do not lose at once", BoxSet.NOT_LOST.value),
    ("all", BoxSet.ALL.value),
)
OVERFLOWS = (("halve the box", Overflow.HALVE.value), ("stop there", Overflow.STOP.value))


class NewMachineDialog(Form[str]):
    heading = "New machine"
    ACCEPT = "Create"

    def fields(self) -> ComposeResult:
        with VerticalScroll(classes="fields", can_focus=False):
            yield Row("Name", Input(placeholder="letters, digits, - _", compact=True, id="name"))
            presets = [(re.split("[:,]", preset.title)[0], preset.name) for preset in PRESETS]
            yield Row("Like", Choice(presets, PRESETS[0].name, id="preset"))
            yield Row("Game", Choice(GAMES, "menace", id="game"))
            yield Row("Moves", Choice((("first", "0"), ("second", "1")), "0", id="seat"))
            yield Row("First beads", Input("4,3,2,1", compact=True, id="beads"), note="by stage")
            yield Row("Rewards", Input("3,1,-1", compact=True, id="rewards"), note="win, tie, loss")
            yield Row("Boxes", Choice(SETS, BoxSet.CHOICE.value, id="boxes"))
            yield Row("Every move", Choice.switch(False, id="every"), note="beads even for symmetric moves")
            yield Row("Last only", Choice.switch(False, id="last"), note="reward only the last box")
            yield Row("Above 127", Choice(OVERFLOWS, Overflow.HALVE.value, id="overflow"))

    def on_mount(self) -> None:
        self.query_one("#name", Input).styles.width = 24
        self.query_one("#beads", Input).styles.width = 16

    @on(Select.Changed, "#preset")
    def preset_chosen(self, event: Select.Changed) -> None:
        options = next(preset.options for preset in PRESETS if preset.name == event.value)
        self.query_one("#game", Choice).value = options.game_id
        self.query_one("#seat", Choice).value = str(options.seat)
        self.query_one("#beads", Input).value = ",".join(map(str, options.first_beads))
        self.query_one("#rewards", Input).value = ",".join(map(str, options.rewards))
        self.query_one("#boxes", Choice).value = options.box_set.value
        self.query_one("#every", Choice).value = OFF if options.distinct else ON
        self.query_one("#last", Choice).value = ON if options.last_only else OFF
        self.query_one("#overflow", Choice).value = options.overflow.value

    def read(self) -> str:
        game, _, parameters = str(self.query_one("#game", Choice).value).partition(":")
        name = self.services.machines.check_new_name(self.query_one("#name", Input).value.strip(), game)
        options = Options(
            game,
            parameters,
            int(str(self.query_one("#seat", Choice).value)),
            BoxSet(str(self.query_one("#boxes", Choice).value)),
            self.query_one("#every", Choice).value == OFF,
            parse_first_beads(self.query_one("#beads", Input).value),
            parse_rewards(self.query_one("#rewards", Input).value),
            self.query_one("#last", Choice).value == ON,
            Overflow(str(self.query_one("#overflow", Choice).value)),
        )
        TrainableMachine(Machine(name, options), None).keep(self.services.store)
        return name


class BoxDialog(Dialog[int]):
    """A dialog that shows one box at a time. It returns the index of the last box shown."""

    CSS = """
    BoxDialog .dialog { width: 56; padding: 1 2 0 2; }
    BoxDialog #about { margin: 1 0; color: $faint; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h,a,up,k,w", "turn(-1)", "Previous", key_display="←"),
        Binding("right,l,d,down,j,s", "turn(1)", "Next", key_display="→"),
        Binding(default_key("leave"), "close", "Close", id="leave"),
        Binding("enter,space", "close", "Close", show=False),
    ]

    def __init__(self, machine: AnyMachine, boxes: tuple[AnyBox, ...], at: int) -> None:
        super().__init__()
        self.machine = machine
        self.boxes = boxes
        self.at = at

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield BoxPanel()
            yield Static("", id="about")
            yield KeyFooter()

    def on_mount(self) -> None:
        self.show()

    def show(self) -> None:
        box = self.boxes[self.at]
        word = self.machine.beads[box.index]
        self.query_one(BoxPanel).show(OpenBox.now(self.machine, box.position))
        error = self.machine.boxes.error(box, word)
        if error is None:
            words = "The box is empty, so the machine resigns here."
        elif not error:
            words = "No pick here is a mistake."
        else:
            words = f"{error_percent(error).strip()} of the picks here are mistakes."
        self.query_one("#about", Static).update(f"{box.position.text()}\n{words}")

    def action_turn(self, by: int) -> None:
        self.at = min(max(self.at + by, 0), len(self.boxes) - 1)
        self.show()

    def action_close(self) -> None:
        self.dismiss(self.at)


WRONG = 0.01


class BoxFilter(Enum):
    ALL = "all"
    WRONG = "wrong"
    EMPTY = "empty"
    CHANGED = "changed"


OpenLaboratory = Callable[[str, str, Callable[[], object]], object]
"""Function that opens the laboratory. Arguments: a game, a machine and a function to call on closing."""


def usual_machine(game: str) -> str:
    return next((machine.name for machine in BUILT_IN if machine.options.game == game), BUILT_IN[0].name)


class WallScreen(ArcadeScreen):
    """All boxes of a machine.

    `machine` is the name of a saved machine, an unsaved machine, or None for the game's built-in one.
    `in_play` is the index of the box that is open in a match.
    """

    CSS = """
    WallScreen #filters { height: 1; padding: 0 1; link-style: none; link-color: $secondary; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            default_key("values"),
            "kind",
            "Filter",
            tooltip="Show all boxes, or only wrong, empty or changed ones",
            id="values",
        ),
        Binding("0", "stage(0)", "All stages", show=False),
        *(Binding(f"{stage}", f"stage({stage})", f"Stage {stage}", show=False) for stage in range(1, 10)),
        Binding(
            default_key("search"),
            "go_to",
            "Go to",
            tooltip="Jump to a box by its number or board",
            id="search",
        ),
        Binding(
            default_key("wall"),
            "in_play",
            "In play",
            tooltip="Jump to the box that is open in the match",
            id="wall",
        ),
        Binding(
            default_key("review"), "next_wrong(1)", "Wrong", tooltip="Jump to the next wrong box", id="review"
        ),
        Binding(
            default_key("machine"), "machine", "Machine", tooltip="Look at another machine", id="machine"
        ),
        Binding(
            default_key("laboratory"),
            "laboratory",
            "Laboratory",
            show=False,
            tooltip="The laboratory: train machines",
            id="laboratory",
        ),
    ]

    HELP = "The wall"

    def __init__(
        self,
        game: str,
        machine: str | AnyMachine | None = None,
        in_play: int | None = None,
        laboratory: OpenLaboratory | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.given = None if isinstance(machine, str) else machine
        self.machine_name = machine if isinstance(machine, str) else usual_machine(game)
        self.in_play = in_play
        self._laboratory = laboratory
        self.machine: AnyMachine | None = None
        self.stage = 0
        self.kind = BoxFilter.ALL
        self._errors: list[float | None] = []

    @property
    def subject(self) -> object:
        return self.given or self.machine_name

    def body(self) -> ComposeResult:
        yield Static("", id="filters")
        yield BoxWall(id="wall")
        yield Static("", id="status")

    def on_mount(self) -> None:
        if self.given is not None:
            self.machine_name = self.given.name
            self.machine_read(self.given)
        else:
            self.load(self.machine_name)

    def load(self, name: str) -> None:
        self.machine_name = name
        self.query_one(TitleBar).show(f"{name}: all boxes", "finding the boxes")
        # Finding the boxes takes up to two seconds.
        self.jobs.start("machine", lambda job: job.tell(self.machine_read, self.services.machines.load(name)))

    def machine_read(self, machine: AnyMachine) -> None:
        self.jobs.drop("machine")
        if self.machine is None or machine.options != self.machine.options:
            self.stage, self.kind = 0, BoxFilter.ALL
        self.machine = machine
        self._errors = [machine.boxes.error(box, machine.beads[box.index]) for box in machine.boxes.boxes]
        self.show(self.in_play)

    def failed(self, error: BaseException) -> None:
        super().failed(error)
        self.query_one(TitleBar).show(f"{self.machine_name}: all boxes", "cannot be read")

    def show(self, chosen: int | None = None) -> None:
        machine, wall = self.machine, self.query_one(BoxWall)
        if machine is None:
            return
        if chosen is None and wall.chosen is not None:
            chosen = wall.chosen.index
        boxes = [box for box in machine.boxes.boxes if self._passes(box)]
        wall.show(machine, boxes, chosen, self.in_play)
        total = len(machine.boxes.boxes)
        shown = quantity(total, "box", "boxes")
        shown = shown if len(boxes) == total else f"{len(boxes):,} of {shown}"
        count = sum(beads.total(word) for word in machine.beads)
        state = f"{quantity(count, 'bead')}, {quantity(machine.games, 'game')}"
        game = get_game(machine.options.game)
        challenge = game.practice.challenge
        if challenge is not None and machine.name == challenge.machine:
            state += (
                f", beaten {quantity(self.services.challenge_wins(game), 'time')} (goal: {challenge.wins})"
            )
        self.query_one(TitleBar).show(f"{machine.name}: {shown}", state)
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
            return self.machine.beads[box.index] != box.fresh(self.machine.options.first_beads)
        return True

    def show_filters(self) -> None:
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

    @on(BoxWall.Moved)
    def show_status(self) -> None:
        box, machine = self.query_one(BoxWall).chosen, self.machine
        if box is None or machine is None:
            text = "Choose other stages or boxes above."
        else:
            error = self._errors[box.index]
            if error is None:
                wrong = "empty"
            else:
                wrong = f"wrong in {error_percent(error).strip()}" if error else "never wrong"
            counts = box.counts(machine.beads[box.index]).items()
            held = ", ".join(f"{move} {count}" for move, count in counts)
            text = f"Box {box.index + 1}, {wrong}: {held}"
        self.query_one("#status", Static).update(text, layout=False)

    def on_box_wall_opened(self) -> None:
        wall = self.query_one(BoxWall)
        if self.machine is not None and wall.chosen is not None:
            self.open(BoxDialog(self.machine, tuple(wall.boxes), wall.cursor), wall.choose)

    def action_stage(self, stage: int) -> None:
        if self.machine is None:
            return
        if stage and all(box.stage != stage for box in self.machine.boxes.boxes):
            self.notify(f"{self.machine.name} has no boxes for stage {stage}.", severity="warning")
            return
        self.stage = stage
        self.show()

    def action_kind(self, name: str = "") -> None:
        self.kind = BoxFilter(name) if name else next_of(list(BoxFilter), self.kind, 1)
        self.show()

    def jump(self, index: int) -> None:
        assert self.machine is not None
        if not self._passes(self.machine.boxes.boxes[index]):
            self.stage, self.kind = 0, BoxFilter.ALL
        self.show(index)

    def action_in_play(self) -> None:
        if self.in_play is None or self.machine is None:
            self.notify("MENACE is not using a box now. Open this screen during a match.", severity="warning")
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
        self.notify("No box in this list is likely to pick a wrong move.")

    def action_go_to(self) -> None:
        if self.machine is not None:
            self.open(Prompt("Box number or board", "e.g. 17 or X.O......"), self._jump_to)

    def _jump_to(self, text: str) -> None:
        # Another machine may have been loaded while the player typed.
        machine = self.machine
        assert machine is not None
        boxes = machine.boxes.boxes
        if text.isdecimal() and len(text) <= 6:
            if not 1 <= int(text) <= len(boxes):
                raise InputError(f"There is no box {text}. Boxes are numbered from 1 to {len(boxes)}.")
            self.jump(int(text) - 1)
            return
        game = get_game(machine.options.game)
        position = game.parse_position(text, game.parameters.parse(machine.options.parameters))
        opening = machine.boxes.open(position)
        if opening is None:
            raise InputError(f"{machine.name} has no box for the board {text!r}.")
        self.jump(opening.box.index)

    def action_machine(self) -> None:
        def chosen(name: str) -> None:
            self.in_play = self.in_play if name == self.machine_name else None
            self.given = None
            self.load(name)

        def otherwise() -> None:
            if self.given is None:
                listed = self.services.machines.listed()
                self.load(self.machine_name if self.machine_name in listed else usual_machine(self.game))

        open_screen(self.app, MachinesDialog(self.machine_name), chosen, otherwise)

    def action_laboratory(self) -> None:
        if self.given is not None or self._laboratory is None:
            # The laboratory opened this screen.
            self.dismiss(None)
        else:
            again = partial(self.load, self.machine_name)
            self._laboratory(self.game, self.machine_name, again)
