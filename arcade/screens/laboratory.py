"""The laboratory: dials on which a training is set up, and its curves."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace.experiment import MOST_RUNS
from arcade.engines.menace.machine import AnyMachine
from arcade.engines.wording import amount
from arcade.play.jobs import Job
from arcade.play.keymap import default_key
from arcade.play.machines import Machines
from arcade.screens.base import ArcadeScreen, already_running, report, reporting
from arcade.screens.dialogs import Prompt, confirm
from arcade.screens.navigation import OpenBoxes
from arcade.study import trainer
from arcade.study.trainer import EXHIBITS, FRESH, NOBODY, Setup, Trainee, Trainer
from arcade.widgets.charts import Curves
from arcade.widgets.forms import Dial, Dials, next_of
from arcade.widgets.keys import TitleBar

MOST_SEED = 2**63 - 1

TYPED = {
    "opponent": ("Opponent", "random, perfect or 0.8"),
    "games": ("Games", f"1 to {trainer.MOST_GAMES:,}"),
    "seed": ("Seed", "a whole number"),
    "runs": ("Runs", f"1 to {MOST_RUNS}"),
}


def dials_of(setup: Setup, exhibit: int | None, speed: str) -> list[Dial]:
    title = "your own" if exhibit is None else EXHIBITS[exhibit].title
    runs = "one" if setup.runs == 1 else f"{setup.runs}, averaged"
    both = [Dial("both", "Who learns", "both" if setup.both else "the machine")]
    return [
        Dial("exhibit", "Show", title),
        Dial("machine", "Machine", setup.machine),
        Dial("opponent", "Opponent", setup.opponent, typed=True),
        *(both if _is_machine(setup.opponent) else ()),
        Dial("games", "Games", f"{setup.games:,}", typed=True),
        Dial("seed", "Seed", str(setup.seed), typed=True),
        Dial("runs", "Runs", runs, typed=True),
        Dial("beside", "Beside it", setup.beside),
        Dial("speed", "Speed", speed),
    ]


def turned(setup: Setup, name: str, by: int, machines: Machines) -> Setup:
    """The set-up after turning a dial by one; raises InputError where the saved machines cannot be read."""
    if name == "seed":
        return replace(setup, seed=min(max(setup.seed + by, 0), MOST_SEED))
    if name == "both":
        return replace(setup, both=not setup.both)
    if name == "games":
        return replace(setup, games=_nearest(trainer.GAMES, setup.games, by))
    if name == "runs":
        return replace(setup, runs=_nearest(trainer.RUNS, setup.runs, by))
    names = [*trainer.FRESH_NAMES, *machines.listed()]
    if name == "machine":
        name = next_of(names, setup.machine, by)
        usual = setup.games == trainer.usual_games(setup.machine, machines)
        games = trainer.usual_games(name, machines) if usual else setup.games
        return fitting(replace(setup, machine=name, games=games), machines)
    if name == "opponent":
        meet = [other for other in names if trainer.can_meet(setup.machine, other, machines)]
        return replace(setup, opponent=next_of([*trainer.OPPONENTS, *meet], setup.opponent, by))
    like = [other for other in names if trainer.can_compare(setup.machine, other, machines)]
    return replace(setup, beside=next_of([NOBODY, *like], setup.beside, by))


def fitting(setup: Setup, machines: Machines) -> Setup:
    if _is_machine(setup.opponent) and not trainer.can_meet(setup.machine, setup.opponent, machines):
        setup = replace(setup, opponent="random")
    if setup.beside != NOBODY and not trainer.can_compare(setup.machine, setup.beside, machines):
        setup = replace(setup, beside=NOBODY)
    return setup


def typed(setup: Setup, name: str, text: str, machines: Machines) -> Setup:
    """The set-up with a typed value; raises InputError if this dial cannot have it."""
    if name == "opponent":
        low = text.lower()
        setup = replace(setup, opponent=low if low in trainer.OPPONENTS else text)
        trainer.opponent_of(setup, machines).check(trainer.machine_of(setup.machine, machines))
        return setup
    if name == "games":
        return replace(setup, games=_number(text, "The number of games", 1, trainer.MOST_GAMES))
    if name == "seed":
        return replace(setup, seed=_number(text, "The seed", 0, MOST_SEED))
    return replace(setup, runs=_number(text, "The number of runs", 1, MOST_RUNS))


def _is_machine(opponent: str) -> bool:
    return opponent.startswith(FRESH) or (opponent[:1].isalpha() and opponent not in trainer.OPPONENTS)


def _nearest(values: Sequence[int], value: int, by: int) -> int:
    if by > 0:
        return next((number for number in values if number > value), value)
    return next((number for number in reversed(values) if number < value), value)


def _number(text: str, what: str, low: int, high: int) -> int:
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal() or len(digits) > 20 or not low <= int(digits) <= high:
        raise InputError(f"{what} must be a whole number from {low:,} to {high:,}, not {text!r}.")
    return int(digits)


class LaboratoryScreen(ArcadeScreen):
    """The game and the machine are those of the previous screen; without a machine it shows an experiment."""

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
            "Keep",
            tooltip="Save the trained machine under a name",
            id="export",
        ),
        Binding(default_key("new"), "new", "New", tooltip="Make your own machine", id="new"),
        Binding(default_key("wall"), "boxes", "Boxes", tooltip="All boxes of the machine", id="wall"),
        Binding(default_key("faster"), "speed(1)", "Faster", show=False, id="faster"),
        Binding(default_key("slower"), "speed(-1)", "Slower", show=False, id="slower"),
    ]

    HELP = "The laboratory"

    def __init__(self, game: str, name: str | None = None) -> None:
        super().__init__()
        about = "" if game == "menace" else "HER"
        first = next(at for at, exhibit in enumerate(EXHIBITS) if about in exhibit.setup.machine)
        self.exhibit: int | None = first if name is None else None
        self.setup = EXHIBITS[first].setup if name is None else Setup(name)
        self.speed = 2
        self.trainer: Trainer | None = None
        self.first = 0
        self._leaving = False

    def body(self) -> ComposeResult:
        with Horizontal(id="table"):
            with Horizontal(id="plots"):
                for at in range(2):
                    yield Curves(id=f"curves-{at}")
            with Vertical(id="side"):
                yield Dials(id="dials")
                yield Static("", id="progress")
                with VerticalScroll(id="words", can_focus=False):
                    yield Static("")

    def on_mount(self) -> None:
        if self.exhibit is None:
            # Machines that cannot be read are told of when they are to be trained.
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
            # One key does both.
            return ""
        if action == "cancel" and not self.busy:
            return "No training is running."
        if action == "keep" and self._trained is None:
            return f"Train a machine in a single run first; {self.keys.named('pause')} starts."
        if action == "first" and len(self._first_boxes) < 2:
            one = "There is only one box for the first move."
            return one if self.trainees else f"{self.keys.named('pause')} starts a training."
        return None

    @property
    def _first_boxes(self) -> Sequence[object]:
        return self.trainees[0].machine.boxes.first if self.trainees else ()

    @property
    def _trained(self) -> Trainee | None:
        trainee = self.trainees[0] if self.trainees and not self.busy else None
        saved = trainee is not None and trainee.experiment.runs == 1 and trainee.machine.games
        return trainee if saved else None

    def on_dials_turned(self, message: Dials.Turned) -> None:
        if message.name == "speed":
            self.action_speed(message.by)
        elif self.busy:
            self.notify(already_running("training", self.keys), severity="warning")
        elif message.name == "exhibit":
            at = -1 if self.exhibit is None else self.exhibit
            self.exhibit = next_of(range(len(EXHIBITS)), at, message.by)
            self.setup = EXHIBITS[self.exhibit].setup
            self.reset()
        else:
            with reporting(self.app):
                self.change(turned(self.setup, message.name, message.by, self.services.machines))

    def change(self, setup: Setup) -> None:
        if setup != self.setup:
            self.setup, self.exhibit = setup, None
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

    @property
    def trainees(self) -> Sequence[Trainee]:
        return self.trainer.trainees if self.trainer is not None else ()

    def show(self) -> None:
        self.query_one(Dials).show(dials_of(self.setup, self.exhibit, trainer.SPEEDS[self.speed][0]))
        self.query_one("#curves-1").display = self.setup.beside != NOBODY
        for at, name in enumerate((self.setup.machine, self.setup.beside)):
            self._show_curves(at, name)
        self.query_one("#progress", Static).update(self._progress())
        self.query_one("#words Static", Static).update("\n".join(self._words()))
        self.refresh_bindings()
        state = "" if not self.busy else "training" if self.going else "paused"
        self.query_one(TitleBar).show("Laboratory", state, self.services.warmer.status)

    @property
    def going(self) -> bool:
        return self.trainer is not None and self.trainer.going.is_set()

    def _show_curves(self, at: int, name: str) -> None:
        curves = self.query_one(f"#curves-{at}", Curves)
        if at >= len(self.trainees):
            curves.wait(
                name, self.setup.games, f"{self.keys.named('pause')} starts the training" if at == 0 else ""
            )
            return
        trainee, alone = self.trainees[at], self.setup.beside == NOBODY
        shown = trainee.experiment.shown
        curves.show(name.removeprefix(FRESH), shown, trainee.machine, self.first, alone)

    def _progress(self) -> str:
        if not self.trainees:
            return ""
        lines = []
        for trainee in self.trainees:
            experiment = trainee.experiment
            if experiment.runs == 1:
                line = f"{experiment.played:,} of {amount(experiment.games, 'game')}"
            else:
                line = f"{experiment.finished} of {experiment.runs} runs"
            if len(self.trainees) > 1:
                line = f"{trainee.machine.name}: {line}"
            lines.append(line)
            if experiment.runs > 1:
                share = f", {experiment.refused / experiment.finished:.0%}" if experiment.finished else ""
                lines.append(f"  first box empty after {amount(experiment.refused, 'run')}{share}")
            elif experiment.ended is not None:
                lines.append(f"  {experiment.ended.value}")
        return "\n".join(lines)

    def _words(self) -> list[str]:
        words: list[str] = []
        if self.trainer is not None and not self.busy and self.trainer.measured:
            words = [*self.trainer.measured, ""]
        if self.exhibit is not None:
            return [*words, EXHIBITS[self.exhibit].words]
        if words:
            return words
        if self.setup.runs > 1:
            return ["Each run trains a fresh machine of this kind; none is saved."]
        if not self.setup.machine.startswith(FRESH):
            return [f"{self.setup.machine} keeps what it learns here."]
        return ["After the training you can save the machine under a name."]

    def action_train(self) -> None:
        self.trainer = training = Trainer(
            self.setup,
            self.speed,
            self.services.machines,
            Control(),
            lambda: self.deliver(self.show),
            self.services.settings.pace(trainer.TELL_SECONDS),
        )

        def train(job: Job) -> None:
            # The training has a control of its own: one that is stopped still saves its machines and tells.
            if self.services.warmer.wait("menace", training.control):
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
        pupils = [pupil.machine for trainee in self.trainees for pupil in trainee.kept]
        self._ended([machine.name for machine in pupils if machine.refuses])

    def _ended(self, spent: Sequence[str]) -> None:
        """`spent`: the machines whose first box is empty."""
        # Not if the person has opened another screen meanwhile.
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

        question = f"No beads for the first move: {', '.join(spent)}. Begin with fresh beads?"
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
        from arcade.screens.machines import NewMachineDialog

        def made(name: str) -> None:
            self.change(fitting(replace(self.setup, machine=name, runs=1), self.services.machines))

        self.open(NewMachineDialog(), made)

    def action_keep(self) -> None:
        trainee = self._trained
        assert trainee is not None, "else it is refused"
        prompt = Prompt("Save it under which name?", "letters, digits, - _")
        self.open(prompt, partial(self._keep, trainee.machine))

    def _keep(self, machine: AnyMachine, name: str) -> None:
        if name != self.setup.machine or name.startswith(FRESH):
            machine.name = self.services.machines.check_new_name(name, machine.options.game)
        self.services.machines.keep(machine)
        self.notify(f"{name} is saved: it can now play matches and be trained further here.")
        training = self.trainer
        self.change(fitting(replace(self.setup, machine=name, beside=NOBODY), self.services.machines))
        self.trainer = training
        self.show()

    def action_boxes(self) -> None:
        trainee = self.trainees[0] if self.trainees else None
        if trainee is not None and trainee.experiment.runs == 1:
            machine = trainee.machine
        elif self.setup.machine.startswith(FRESH):
            machine = trainer.machine_of(self.setup.machine, self.services.machines)
        else:
            self.post_message(OpenBoxes("menace", self.setup.machine))
            return
        self.post_message(OpenBoxes(machine.options.game, machine))

    def action_leave(self) -> None:
        if self.busy and self.trainer is not None:
            self._leaving = True
            self.trainer.stop()
        else:
            super().action_leave()
