"""A match in which machines of matchboxes can sit: their open box, and what they learn at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from textual import work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widget import Widget

from arcade.engines.control import Control
from arcade.engines.game import InputError
from arcade.engines.menace.machine import AnyMachine, Draw
from arcade.engines.menace.players import MachinePlayer
from arcade.machines import Lesson
from arcade.match import HUMAN, Match
from arcade.screens.match import MatchScreen
from arcade.widgets.board import Board
from arcade.widgets.box_panel import BoxPanel, OpenBox, Taught
from arcade.widgets.key_words import KeyWord, KeyWords

LESSON_SECONDS = 0.18
"""How long each box takes to show what it got or lost."""


class MachineMatchScreen(MatchScreen):
    """A match of a game that machines can learn."""

    # The rules name this class, which the scope of a subclass would not let through.
    SCOPED_CSS = False
    CSS: ClassVar[str] = """
    MachineMatchScreen #rooms { padding: 0 1; }
    """

    ALWAYS_LEARNING: ClassVar[bool] = False
    """Whether machines are what the game is about, also while none sits there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "boxes", "Boxes", show=False, tooltip="All boxes of the machine"),
    ]

    def __init__(self, match: Match, saved: tuple[int, int] | None = None) -> None:
        super().__init__(match, saved)
        self.machines: dict[int, AnyMachine] = {}
        """The machines in the seats, as soon as they are loaded."""
        self.lessons: Sequence[Lesson] = ()
        self.revealed = 0
        """How many boxes have shown what they got or lost."""
        self._loaded: tuple[Match, list[str]] | None = None
        self._reveal: Timer | None = None
        self._draws: dict[tuple[int, Any, Any], Draw[Any, Any]] = {}
        """The draws of this match by seat, position and move, with the beads as they were."""

    def extra_panels(self) -> Iterable[Widget]:
        """The open box."""
        yield BoxPanel(id="box", classes="panel")

    def under_boards(self) -> Iterable[Widget]:
        """The way to the other screens, for the mouse."""
        rooms = KeyWords(id="rooms")
        rooms.display = self.learning
        yield rooms

    # Machines in the seats.

    def position_changed(self, save: bool = True) -> None:
        """Another position, perhaps of another match."""
        self._stop_reveal()
        if self._loaded is None or self._loaded[0] is not self.match:
            self.lessons = ()
            self._draws.clear()
        super().position_changed(save)

    def set_to_work(self) -> None:
        """Let engines and solvers think; the machines are loaded when others have sat down."""
        super().set_to_work()
        if self._loaded != (self.match, self.match.seats):
            self.reload()

    def reload(self) -> None:
        """Load the machines in the seats, as they are now in the store."""
        self._loaded = (self.match, list(self.match.seats))
        self.machines = {}
        if any(self.match.guest(seat) for seat in range(len(self.match.seats))):
            self.load_machines(self.match, self.control("machines"))

    @work(thread=True, exclusive=True, group="machines", exit_on_error=False)
    def load_machines(self, match: Match, control: Control) -> None:
        """In a thread: the machines in the seats. Finding the boxes of a game takes up to two seconds."""
        found: dict[int, AnyMachine] = {}
        for seat in range(len(match.seats)):
            name = match.guest(seat)
            if name is None or match.guests is None:
                continue
            player = match.guests.invite(name, match.game, match.parameters, seat)
            if isinstance(player, MachinePlayer):
                found[seat] = player.machine
        self.tell(self.machines_loaded, control, found)

    def machines_loaded(self, found: dict[int, AnyMachine]) -> None:
        """The worker has the machines."""
        self.drop("machines")
        self.machines = found
        self.show()

    def stop_work(self, but: str = "") -> None:
        """Tell work to stop; machines that were being loaded are loaded the next time."""
        if "machines" in self.controls:
            self._loaded = None
        super().stop_work(but)

    # The open box.

    def show_extra(self) -> None:
        """Bring the open box up to date."""
        self._show_rooms()
        # On a low screen there is no room for both the box and a hint.
        hidden = self.hinting and self.has_class("-low")
        self.query_one(BoxPanel).show(None if hidden else self.open_box(), self.arcade.glyphs)

    def _show_rooms(self) -> None:
        """The ways to the other screens, with their keys; where nobody learns they would be in the way."""
        keys = {each.action: each.key for _, each in self._bindings}
        ways = (("boxes", "all boxes"), ("laboratory", "laboratory"))
        rooms = self.query_one("#rooms", KeyWords)
        rooms.show(*(KeyWord(keys.get(action, ""), words, action) for action, words in ways))
        if rooms.display != self.learning:
            rooms.display = self.learning
            self.refresh_bindings()

    @property
    def learning(self) -> bool:
        """Whether there is a machine to look at."""
        return self.ALWAYS_LEARNING or any(map(self.match.guest, range(len(self.match.seats))))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where nobody learns there are no boxes."""
        return self.learning if action == "boxes" else super().check_action(action, parameters)

    def open_box(self) -> OpenBox | Taught | None:
        """What the panel shows: the box that is open now, or was last, or the lesson at the end."""
        match = self.match
        if self.walked:
            return None
        if match.result and self.lessons:
            lesson = self._lesson_on_show()
            return Taught(lesson.machine, lesson.changes, self.revealed)
        to_move = self.machines.get(match.turn)
        if to_move is not None and not match.result and not (match.watched and match.plies):
            return OpenBox.now(to_move, match.position)
        for number in range(len(match.plies) - 1, -1, -1):
            machine = self.machines.get(match.plies[number].seat)
            if machine is not None:
                return OpenBox.drawn(machine, self._draw(machine, number))
        return OpenBox.now(to_move, match.position) if to_move is not None and not match.result else None

    def _lesson_on_show(self) -> Lesson:
        """Of two machines the one that a person plays against, else the one that moved last."""
        seat = self.match.plies[-1].seat if self.match.plies else 0
        return next((each for each in self.lessons if each.seat == seat), self.lessons[0])

    def _draw(self, machine: AnyMachine, number: int) -> Draw[Any, Any]:
        match = self.match
        ply = match.plies[number]
        key = (ply.seat, match.before(number), ply.move)
        if key not in self._draws:
            self._draws[key] = machine.retrace(match.before(number), [ply.move])[0]
        return self._draws[key]

    # What is learned.

    def learned(self, lessons: Sequence[Lesson]) -> None:
        """Show box by box what was added or taken."""
        self.lessons = lessons
        for lesson in lessons:
            self.machines[lesson.seat] = lesson.machine
        boxes = max(len(lesson.changes) for lesson in lessons)
        if not self.arcade.animation:
            self.revealed = boxes
            return
        self.revealed = 0
        self._reveal = self.set_interval(LESSON_SECONDS, self._reveal_one, repeat=boxes)

    def _reveal_one(self) -> None:
        self.revealed += 1
        self.show_extra()

    @property
    def revealing(self) -> bool:
        """Whether the lesson is still being shown box by box."""
        return self.revealed < max((len(each.changes) for each in self.lessons), default=0)

    def _stop_reveal(self) -> None:
        if self._reveal is not None:
            self._reveal.stop()
            self._reveal = None
        self.revealed = max((len(each.changes) for each in self.lessons), default=0)

    def skip(self) -> bool:
        """Show the rest of a lesson at once; False when there is no rest."""
        if not self.revealing:
            return False
        self._stop_reveal()
        self.show_extra()
        return True

    def on_board_play(self, message: Board.Play) -> None:
        """Enter, Space or a click on the board skips what moves."""
        if self.skip():
            # The frame's own handler is called after this one, unless it is told not to be.
            message.prevent_default()

    def action_put_away(self) -> None:
        """Escape skips what moves."""
        if not self.skip():
            super().action_put_away()

    def on_box_panel_clicked(self) -> None:
        """A click on the box shows it among all, or skips what moves."""
        if not self.skip():
            self.action_boxes()

    # A machine that refuses.

    def engine_plays(self, move: Any) -> None:
        """Play the engine's move; a machine whose first box is empty refuses to begin."""
        machine = self._refusing() if move is None else None
        if machine is not None:
            self._answer = None
            self.paused = True
            self.offer_fresh(machine)
            return
        super().engine_plays(move)

    def _refusing(self) -> AnyMachine | None:
        """The machine whose turn it is, if its first box is empty."""
        seat = self.match.turn
        machine = self.machines.get(seat)
        if machine is None:
            # It has resigned before the other worker has told of it, but is loaded all the same.
            player = self.match.player()
            machine = player.machine if isinstance(player, MachinePlayer) else None
        return machine if machine is not None and machine.refuses else None

    def offer_fresh(self, machine: AnyMachine) -> None:
        """Ask whether a machine that refuses to play shall begin anew."""
        from arcade.screens.prompt import Question

        def answered(yes: bool | None) -> None:
            if yes:
                try:
                    self.arcade.machines.refresh(machine.name)
                except InputError as error:
                    self.notify(str(error), severity="error")
                    return
                self._loaded = None
                self._draws.clear()
                self.paused = False
            self.position_changed(save=False)

        name = machine.name
        self.arcade.open(
            Question(f"The first box of {name} is empty, so {name} refuses to play. Give it fresh beads?"),
            answered,
        )

    # Other screens.

    def machine_name(self) -> str | None:
        """The machine whose boxes are looked at from here: the one on show, or one of the game."""
        shown = self.open_box()
        if shown is not None:
            return shown.machine.name
        return next((machine.name for machine in self.machines.values()), None)

    def away(self) -> None:
        """Another screen is about to lie over this one: nothing moves under it."""
        self.stop_work()
        if self.match.to_move != HUMAN:
            self.paused = True

    def back(self, _: object = None) -> None:
        """The other screen is gone; machines may have been trained there."""
        self._loaded = None
        self.position_changed(save=False)

    def action_boxes(self) -> None:
        """Look at all boxes of the machine."""
        from arcade.screens.wall import WallScreen

        shown = self.open_box()
        at = None
        if isinstance(shown, OpenBox) and shown.opening is not None:
            at = shown.opening.box.index
        self.away()
        self.arcade.open(WallScreen(self.match.game.name, self.machine_name(), at), self.back)

    def action_laboratory(self) -> None:
        """Train machines."""
        from arcade.screens.laboratory import LaboratoryScreen

        self.away()
        self.arcade.open(LaboratoryScreen(self.match.game.name, self.machine_name()), self.back)

    def commands(self) -> Iterable[SystemCommand]:
        """Every action of this screen, and the laboratory, which has no key at every game."""
        offered = list(super().commands())
        yield from offered
        if all(each.title != "Lab" for each in offered):
            yield SystemCommand("Lab", "Train machines of matchboxes", lambda: self.run_later("laboratory"))

    def redraw(self) -> None:
        """Draw everything anew."""
        super().redraw()
        self.query_one(BoxPanel).redraw()
