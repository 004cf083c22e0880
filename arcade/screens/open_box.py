"""The open box of a machine in a match: its beads, and how they change at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.timer import Timer

from arcade.engines.position import Position
from arcade.match.match import HUMAN, Match
from arcade.matchbox.machine import AnyMachine, Draw
from arcade.matchbox.machines import Reward
from arcade.screens import rooms
from arcade.screens.base import BaseScreen
from arcade.session.jobs import Job
from arcade.session.session import Session
from arcade.widgets.boxes import BoxPanel, OpenBox, Taught

REWARD_SECONDS = 0.18
"""Seconds for which each box shows its change."""


class OpenBoxPanel(BoxPanel):
    def __init__(self, session: Session) -> None:
        super().__init__(id="box", classes="panel")
        self.session = session
        self.machines: dict[int, AnyMachine] = {}
        self.rewards: Sequence[Reward] = ()
        self.revealed = 0
        self._hidden = False
        self._loaded: tuple[Match, list[str]] | None = None
        self._reveal: Timer | None = None
        self._draws: dict[tuple[int, Position[Any], Any], Draw[Any, Any]] = {}
        """The draws of this match by seat, position and move, with the beads at that time."""

    def moved(self) -> None:
        self._end_reveal()
        if self._loaded is None or self._loaded[0] is not self.session.match:
            self.rewards = ()
            self._draws.clear()

    def load(self) -> None:
        match = self.session.match
        if self._loaded == (match, match.seats) and (
            self.machines or "machines" in self.session.jobs.controls or not self.seated
        ):
            return
        self._loaded = (match, list(match.seats))
        self.machines = {}
        if self.seated:
            seated, match = self.seated, match.copied()
            self.session.jobs.start("machines", lambda job: self._read(job, match, seated))

    @property
    def seated(self) -> list[int]:
        match = self.session.match
        return [seat for seat in range(len(match.seats)) if match.guest(seat) is not None]

    def _read(self, job: Job, match: Match, seated: list[int]) -> None:
        """Load the machines in a job, since finding the boxes of a game takes up to two seconds."""
        machines = {seat: self.session.services.machine_of(match, seat) for seat in seated}
        job.tell(self._take_in, {seat: machine for seat, machine in machines.items() if machine is not None})

    def _take_in(self, machines: dict[int, AnyMachine]) -> None:
        self.session.jobs.drop("machines")
        self.machines = machines
        self.show_match(self._hidden)

    def show_match(self, hidden: bool) -> None:
        self._hidden = hidden
        self.show(None if hidden else self.open_box())

    def open_box(self) -> OpenBox | Taught | None:
        session, match = self.session, self.session.match
        if session.mode.walked:
            return None
        if match.result and self.rewards:
            reward = self._reward_on_show()
            return Taught(reward.machine, reward.changes, self.revealed)
        to_move = self.machines.get(match.turn)
        if to_move is not None and not match.result and not (match.watched and match.plies):
            return OpenBox.now(to_move, match.position)
        for number in range(len(match.plies) - 1, -1, -1):
            machine = self.machines.get(match.plies[number].seat)
            if machine is not None:
                return OpenBox.drawn(machine, self._draw(machine, number))
        return OpenBox.now(to_move, match.position) if to_move is not None and not match.result else None

    def _reward_on_show(self) -> Reward:
        """The machine to show: a person's opponent, else the one that moved last."""
        plies = self.session.match.plies
        seat = plies[-1].seat if plies else 0
        return next((reward for reward in self.rewards if reward.seat == seat), self.rewards[0])

    def _draw(self, machine: AnyMachine, number: int) -> Draw[Any, Any]:
        match = self.session.match
        ply = match.plies[number]
        key = (ply.seat, match.before(number), ply.move)
        if key not in self._draws:
            self._draws[key] = machine.retrace(match.before(number), [ply.move])[0]
        return self._draws[key]

    def shown_machine(self) -> AnyMachine | None:
        shown = self.open_box()
        return shown.machine if shown is not None else next(iter(self.machines.values()), None)

    def on_box_panel_clicked(self, message: BoxPanel.Clicked) -> None:
        if not self.skip():
            self.open_boxes()

    def open_boxes(self) -> None:
        shown = self.open_box()
        at = shown.opening.box.index if isinstance(shown, OpenBox) and shown.opening is not None else None
        name, game = self._leave_match()
        rooms.open_boxes(self.app, game, name, at, self._come_back)

    def open_laboratory(self) -> None:
        name, game = self._leave_match()
        rooms.open_laboratory(self.app, game, name, self._come_back)

    def _leave_match(self) -> tuple[str | None, str]:
        """Let nothing move under another screen; returns the names of the machine and of the game."""
        session, machine = self.session, self.shown_machine()
        session.stop()
        if session.match.to_move != HUMAN:
            session.mode.paused = True
        return machine.name if machine else None, session.match.game.name

    def _come_back(self) -> None:
        self._loaded = None
        self.session.moved(save=False)

    def offer_fresh(self, machine: AnyMachine) -> None:
        from arcade.screens.dialogs import Question

        name, screen = machine.name, self.screen
        assert isinstance(screen, BaseScreen)

        def answered(yes: bool | None) -> None:
            if yes:
                screen.services.machines.refresh(name)
                self.session.mode.paused = False
            self._come_back()

        question = f"The first box of {name} is empty, so {name} refuses to play. Give it fresh beads?"
        screen.open(Question(question), answered)

    def learned(self, rewards: Sequence[Reward]) -> None:
        self.rewards = rewards
        for reward in rewards:
            self.machines[reward.seat] = reward.machine
        self.revealed = 0 if self.session.services.settings.animated else self._boxes
        if self.revealing:
            self._reveal = self.set_interval(REWARD_SECONDS, self._reveal_one)

    @property
    def _boxes(self) -> int:
        return max((len(reward.changes) for reward in self.rewards), default=0)

    @property
    def revealing(self) -> bool:
        return self.revealed < self._boxes

    def _reveal_one(self) -> None:
        self.revealed += 1
        if not self.revealing:
            self._end_reveal()
        self.show_match(self._hidden)

    def _end_reveal(self) -> None:
        if self._reveal is not None:
            self._reveal.stop()
            self._reveal = None
        self.revealed = self._boxes

    def skip(self) -> bool:
        """Show the remaining changes at once; False if there are none."""
        if not self.revealing:
            return False
        self._end_reveal()
        self.show_match(self._hidden)
        return True
