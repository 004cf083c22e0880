"""The laboratory, where machines are trained."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace.box import Box
from arcade.engines.menace.machine import AnyMachine
from arcade.engines.menace.presets import KINDS
from arcade.engines.wording import quantity
from arcade.play.jobs import Job
from arcade.play.keymap import default_key
from arcade.play.machines import Machines
from arcade.screens.base import ArcadeScreen, already_running, open_screen, report, reporting
from arcade.screens.dialogs import Prompt, confirm
from arcade.screens.menace import trainer
from arcade.screens.menace.charts import Curves
from arcade.screens.menace.machines import NewMachineDialog, WallScreen
from arcade.screens.menace.trainer import FRESH, Setup, Trainer
from arcade.widgets.forms import Dial, Dials, next_of
from arcade.widgets.keys import TitleBar

TYPED = {
    "opponent": ("Opponent", "random, perfect or 0.8"),
    "games": ("Games", f"1 to {trainer.MAX_GAMES:,}"),
}


def dials_of(setup: Setup, speed: str) -> list[Dial]:
    both = [Dial("both", "Who learns", "both" if setup.both else "the machine")]
    return [
        Dial("machine", "Machine", setup.machine),
        Dial("opponent", "Opponent", setup.opponent, typed=True),
        *(both if _is_machine(setup.opponent) else ()),
        Dial("games", "Games", f"{setup.games:,}", typed=True),
        Dial("speed", "Speed", speed),
    ]


def turned(setup: Setup, name: str, by: int, machines: Machines) -> Setup:
    """Return the setup after a dial is turned. Raises InputError if the saved machines cannot be read."""
    if name == "both":
        return replace(setup, both=not setup.both)
    if name == "games":
        return replace(setup, games=_nearest(trainer.GAMES, setup.games, by))
    names = [*trainer.FRESH_NAMES, *machines.listed()]
    if name == "machine":
        name = next_of(names, setup.machine, by)
        usual = setup.games == trainer.usual_games(setup.machine, machines)
        games = trainer.usual_games(name, machines) if usual else setup.games
        return fitting(replace(setup, machine=name, games=games), machines)
    meet = [other for other in names if trainer.can_meet(setup.machine, other, machines)]
    return replace(setup, opponent=next_of([*trainer.OPPONENTS, *meet], setup.opponent, by))


def fitting(setup: Setup, machines: Machines) -> Setup:
    if _is_machine(setup.opponent) and not trainer.can_meet(setup.machine, setup.opponent, machines):
        return replace(setup, opponent="random")
    return setup


def typed(setup: Setup, name: str, text: str, machines: Machines) -> Setup:
    """Return the setup with a typed value. Raises InputError if the value is not allowed."""
    if name == "opponent":
        low = text.lower()
        setup = replace(setup, opponent=low if low in trainer.OPPONENTS else text)
        opponent = trainer.opponent_of(setup, machines)
        if opponent.machine is not None:
            opponent.check(trainer.machine_of(setup.machine, machines))
        return setup
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal() or len(digits) > 20 or not 1 <= int(digits) <= trainer.MAX_GAMES:
        limits = f"from 1 to {trainer.MAX_GAMES:,}"
        raise InputError(f"The number of games must be a whole number {limits}, not {text!r}.")
    return replace(setup, games=int(digits))


def _is_machine(opponent: str) -> bool:
    return opponent.startswith(FRESH) or (opponent[:1].isalpha() and opponent not in trainer.OPPONENTS)


def _nearest(values: Sequence[int], value: int, by: int) -> int:
    if by > 0:
        return next((number for number in values if number > value), value)
    return next((number for number in reversed(values) if number < value), value)


class LaboratoryScreen(ArcadeScreen):
    CSS = """
    LaboratoryScreen Curves { padding: 0 1 0 0; }
    LaboratoryScreen ShareChart, LaboratoryScreen BeadChart { height: 1fr; }
    LaboratoryScreen #progress { height: auto; margin: 1 0 0 0; }
    LaboratoryScreen #words { height: 1fr; margin: 1 0 0 0; }
    LaboratoryScreen #words Static { height: auto; color: $faint; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("pause"), "train", "Train", id="pause"),
        Binding(default_key("pause"), "pause", "Pause", tooltip="Pause or continue the training", id="pause"),
        Binding("space", "train", "Train", show=False),
        Binding(
            default_key("stop"),
            "cancel",
            "Stop",
            tooltip="Stop the training; played games still count",
            id="stop",
        ),
        Binding(
            default_key("forward"), "first", "Box", tooltip="The next box for the first move", id="forward"
        ),
        Binding(
            default_key("export"),
            "keep",
            "Save",
            tooltip="Save the trained machine under a name",
            id="export",
        ),
        Binding(default_key("new"), "new", "New", tooltip="Create your own machine", id="new"),
        Binding(default_key("wall"), "boxes", "Boxes", tooltip="All boxes of the machine", id="wall"),
        Binding(default_key("faster"), "speed(1)", "Faster", show=False, id="faster"),
        Binding(default_key("slower"), "speed(-1)", "Slower", show=False, id="slower"),
    ]

    HELP = "The laboratory"

    def __init__(self, game: str, name: str | None = None) -> None:
        super().__init__()
        fresh = "Michie" if game == "menace" else "HER"
        self.setup = Setup(FRESH + fresh if name is None else name)
        self.seed = 0
        self.speed = 2
        self.trainer: Trainer | None = None
        self.first = 0
        self._leaving = False

    def body(self) -> ComposeResult:
        with Horizontal(id="table"):
            yield Curves()
            with Vertical(id="side"):
                yield Dials(id="dials")
                yield Static("", id="progress")
                with VerticalScroll(id="words", can_focus=False):
                    yield Static("")

    def on_mount(self) -> None:
        # Training will report machines that cannot be read.
        with suppress(InputError):
            games = trainer.usual_games(self.setup.machine, self.services.machines)
            self.setup = replace(self.setup, games=games)
        if not self.services.settings.animated:
            self.speed = len(trainer.SPEEDS) - 1
        self.show()

    def on_unmount(self) -> None:
        self.action_cancel()

    def refusal(self, action: str) -> str | None:
        if self.busy and action in ("boxes", "new"):
            return already_running("training", self.keys)
        if (action == "train" and self.busy) or (action == "pause" and not self.busy):
            # The other action has the same key.
            return ""
        if action == "cancel" and not self.busy:
            return "No training is running."
        if action == "keep" and self._trained is None:
            return f"Train a machine first. Press {self.keys.named('pause')} to start."
        if action == "first" and len(self._first_boxes) < 2:
            one = "There is only one box for the first move."
            return one if self.learner is not None else f"Press {self.keys.named('pause')} to train."
        return None

    @property
    def learner(self) -> AnyMachine | None:
        return None if self.trainer is None else self.trainer.machine

    @property
    def _first_boxes(self) -> Sequence[Box[Any, Any]]:
        return () if self.learner is None else self.learner.boxes.first

    @property
    def _trained(self) -> AnyMachine | None:
        machine = None if self.busy else self.learner
        return machine if machine is not None and machine.games else None

    def on_dials_turned(self, message: Dials.Turned) -> None:
        if message.name == "speed":
            self.action_speed(message.by)
        elif self.busy:
            self.notify(already_running("training", self.keys), severity="warning")
        else:
            with reporting(self.app):
                self.change(turned(self.setup, message.name, message.by, self.services.machines))

    def change(self, setup: Setup) -> None:
        if setup != self.setup:
            self.setup = setup
            self.reset()

    def reset(self) -> None:
        self.trainer, self.first = None, 0
        self.show()

    def on_dials_asked(self, message: Dials.Asked) -> None:
        if self.busy:
            self.notify(already_running("training", self.keys), severity="warning")
            return

        def answered(text: str) -> None:
            self.change(typed(self.setup, message.name, text, self.services.machines))

        self.open(Prompt(*TYPED[message.name]), answered)

    def show(self) -> None:
        self.query_one(Dials).show(dials_of(self.setup, trainer.SPEEDS[self.speed][0]))
        self._show_curves()
        progress = self._progress()
        self.query_one("#progress", Static).update(progress)
        self.query_one("#progress").display = bool(progress)
        self.query_one("#words Static", Static).update("\n".join(self._words()))
        self.refresh_bindings()
        state = "" if not self.busy else "training" if self.going else "paused"
        self.query_one(TitleBar).show("Laboratory", state, self.services.compiler.status)

    @property
    def going(self) -> bool:
        return self.trainer is not None and self.trainer.going.is_set()

    def _show_curves(self) -> None:
        curves, name = self.query_one(Curves), self.setup.machine.removeprefix(FRESH)
        if self.trainer is None or self.learner is None:
            curves.wait(name, f"{self.keys.named('pause')} starts the training. ")
        else:
            curves.show(name, self.trainer.curve, self.learner, self.first)

    def _progress(self) -> str:
        training = self.trainer
        if training is None or training.machine is None:
            return ""
        line = f"{training.played:,} of {quantity(training.setup.games, 'game')} (seed {training.seed})"
        early = training.ended is not None and training.played < training.setup.games
        return f"{line}\n{training.ended}" if early else line

    def _words(self) -> list[str]:
        kind = KINDS.get(self.setup.machine.removeprefix(FRESH))
        if self.trainer is not None and not self.busy and self.trainer.measured:
            return [*self.trainer.measured]
        if self.setup.machine.startswith(FRESH) and kind is not None:
            return [kind.words, "", "After the training you can save the machine under a name."]
        return [f"Training is saved to {self.setup.machine}."]

    def action_train(self) -> None:
        self.seed += 1
        self.trainer = training = Trainer(
            self.setup,
            self.seed,
            self.speed,
            self.services.machines,
            Control(),
            lambda: self.deliver(self.show),
            self.services.settings.pace(trainer.PROGRESS_INTERVAL),
        )

        def train(job: Job) -> None:
            # With its own control, a stopped training still saves and reports.
            if self.services.compiler.wait("menace", training.control):
                with self.own_store(lambda: training.control.stopped) as store:
                    training.run(store)
            job.tell(self._finished)

        self.jobs.start("training", train)
        self.show()

    def failed(self, error: BaseException) -> None:
        report(self.app, error, "The training failed: ")
        self._ended([])

    def _finished(self) -> None:
        self.jobs.drop("training")
        learned = [] if self.trainer is None else [each.machine for each in self.trainer.kept]
        self._ended([machine.name for machine in learned if machine.refuses])

    def _ended(self, spent: Sequence[str]) -> None:
        # Not if the player has opened another screen since.
        if self._leaving and self.is_active:
            self.dismiss(None)
            return
        self._leaving = False
        self.show()
        if not spent:
            return

        def refresh() -> None:
            for name in spent:
                self.services.machines.refresh(name)
            self.reset()

        question = f"Out of beads for the first move: {', '.join(spent)}. Refill with fresh beads?"
        self.when_on_top(lambda: confirm(self, question, refresh))

    def action_pause(self) -> None:
        if self.trainer is not None and self.going:
            self.trainer.going.clear()
        elif self.trainer is not None:
            self.trainer.going.set()
        self.show()

    def action_cancel(self) -> None:
        if self.trainer is not None:
            self.trainer.stop()

    def action_speed(self, by: int) -> None:
        self.speed = min(max(self.speed + by, 0), len(trainer.SPEEDS) - 1)
        if self.trainer is not None:
            self.trainer.speed = self.speed
        self.show()

    def action_first(self) -> None:
        self.first = (self.first + 1) % len(self._first_boxes)
        self.show()

    def action_new(self) -> None:
        def made(name: str) -> None:
            self.change(fitting(replace(self.setup, machine=name), self.services.machines))

        self.open(NewMachineDialog(), made)

    def action_keep(self) -> None:
        machine = self._trained
        assert machine is not None, "else it is refused"
        prompt = Prompt("Save it under which name?", "letters, digits, - _")
        self.open(prompt, partial(self._keep, machine))

    def _keep(self, machine: AnyMachine, name: str) -> None:
        if name != self.setup.machine or name.startswith(FRESH):
            machine.name = self.services.machines.check_new_name(name, machine.options.game)
        self.services.machines.keep(machine)
        self.notify(f"{name} saved. You can now play against it, or train it further here.")
        training = self.trainer
        self.change(fitting(replace(self.setup, machine=name), self.services.machines))
        self.trainer = training
        self.show()

    def action_boxes(self) -> None:
        machine = self.learner
        if machine is None and self.setup.machine.startswith(FRESH):
            machine = trainer.machine_of(self.setup.machine, self.services.machines)
        if machine is None:
            open_boxes(self.app, "menace", self.setup.machine)
        else:
            open_boxes(self.app, machine.options.game, machine)

    def action_leave(self) -> None:
        if self.busy and self.trainer is not None:
            self._leaving = True
            self.trainer.stop()
        else:
            super().action_leave()


def open_laboratory(
    app: App[Any], game: str, machine: str | None = None, closed: Callable[[], object] = lambda: None
) -> None:
    open_screen(app, LaboratoryScreen(game, machine), otherwise=closed)


def open_boxes(
    app: App[Any],
    game: str,
    machine: str | AnyMachine | None = None,
    in_play: int | None = None,
    closed: Callable[[], object] = lambda: None,
) -> None:
    """Show all boxes of a machine; see `WallScreen`. Call `closed` on closing."""
    open_screen(app, WallScreen(game, machine, in_play, partial(open_laboratory, app)), otherwise=closed)
