"""The open box of a machine in a match: its beads, and how they change at the end."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arcade.engines.menace import box as beads
from arcade.engines.menace.machine import AnyMachine, Draw
from arcade.engines.position import Position
from arcade.play.jobs import Job, Jobs
from arcade.play.machines import CHALLENGE, Reward
from arcade.play.match import HUMAN, Match
from arcade.play.session import Session
from arcade.screens.base import ArcadeScreen, Frames, open_screen, services_of
from arcade.screens.navigation import OpenBoxes, OpenLaboratory
from arcade.widgets.boxes import BoxPanel, OpenBox, Taught

REWARD_SECONDS = 0.18
"""Seconds for which each box shows its change."""

PICK_SECONDS = 0.1
"""Seconds for which the hand is over the beads of a colour."""
PICKS, FIRST_PICKS = 5, 12
"""Over how many colours the hand goes before it picks a bead: the first of a match is picked slowly."""


class OpenBoxPanel(BoxPanel):
    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(id="box", classes="panel")
        self.session = session
        self.jobs = jobs
        self.machines: dict[int, AnyMachine] = {}
        self.rewards: Sequence[Reward] = ()
        self._hidden = False
        self._loaded: tuple[Match, list[str]] | None = None
        self._reveal = Frames[int](self, lambda: self.show_match(self._hidden))
        self._seen: tuple[Match, int] | None = None
        self._pick = Frames[OpenBox](self, self._show_pick)
        self._draws: dict[tuple[int, Position[Any], Any], Draw[Any, Any]] = {}
        """The draws of this match by seat, position and move, with the beads at that time."""

    def moved(self) -> None:
        self._reveal.end()
        match = self.session.match
        if self._loaded is None or self._loaded[0] is not match:
            self.rewards = ()
            self._draws.clear()
        self._pick.end()
        seen, self._seen = self._seen, (match, len(match.plies))
        if seen == (match, len(match.plies) - 1) and self.session.services.settings.animated:
            self._pick.begin(self._to_pick(), PICK_SECONDS)
        if self.picking:
            self.show_match(self._hidden)

    def _to_pick(self) -> list[OpenBox]:
        match = self.session.match
        machine = self.machines.get(match.plies[-1].seat)
        if machine is None or self._hidden or match.watched or match.undone or match.result:
            return []
        if not match.drawn(len(match.plies) - 1):
            return []
        draw = self._draw(machine, len(match.plies) - 1)
        slots = draw.opening.moves.items() if draw.opening is not None else ()
        moves = [move for slot, move in slots if beads.count(draw.word, slot)]
        if draw.move not in moves or len(moves) < 2:
            return []
        last = moves.index(draw.move)
        steps = range(last - (PICKS if len(match.plies) > 1 else FIRST_PICKS), last + 1)
        hands = (moves[step % len(moves)] for step in steps)
        return [OpenBox(machine, draw.position, draw.opening, draw.word, hand=hand) for hand in hands]

    @property
    def picking(self) -> bool:
        """Whether the machine's last move is still to be shown, as its bead is being picked."""
        return bool(self._pick.left)

    def _show_pick(self) -> None:
        screen = self.screen
        assert isinstance(screen, ArcadeScreen)
        if self.picking:
            self.show_match(self._hidden)
        else:
            screen.show()

    def hurry(self) -> None:
        """Show at once what is shown in turn: how a bead is picked, what the boxes have learned."""
        if self._reveal.end():
            self.show_match(self._hidden)
        if self._pick.end():
            self._show_pick()

    def load(self) -> None:
        match = self.session.match
        if self._loaded == (match, match.seats) and (
            self.machines or "machines" in self.jobs.controls or not self.seated
        ):
            return
        self._loaded = (match, list(match.seats))
        self.machines = {}
        if self.seated:
            seated, match = self.seated, match.copied()
            self.jobs.start("machines", lambda job: self._read(job, match, seated))

    @property
    def seated(self) -> list[int]:
        match = self.session.match
        return [seat for seat in range(len(match.seats)) if match.guest(seat) is not None]

    def _read(self, job: Job, match: Match, seated: list[int]) -> None:
        """Load the machines in a job, since finding the boxes of a game takes up to two seconds."""
        machines = {seat: self.session.services.machine_of(match, seat) for seat in seated}
        job.tell(self._take_in, {seat: machine for seat, machine in machines.items() if machine is not None})

    def _take_in(self, machines: dict[int, AnyMachine]) -> None:
        self.jobs.drop("machines")
        self.machines = machines
        self._show_pick()

    def show_match(self, hidden: bool) -> None:
        self._hidden = hidden
        shown = None if hidden else self.open_box()
        if isinstance(shown, OpenBox):
            shown = replace(shown, truth=self.session.mode.revealed or self.session.values_shown)
        self.show(shown)

    def open_box(self) -> OpenBox | Taught | None:
        session, match = self.session, self.session.match
        if session.mode.walked:
            return None
        if match.result and self.rewards:
            # A person's opponent, else the machine that moved last.
            last = match.plies[-1].seat if match.plies else 0
            reward = next((reward for reward in self.rewards if reward.seat == last), self.rewards[0])
            return Taught(reward.machine, reward.changes, self.revealed, self._progress(reward.machine))
        if self.picking:
            return self._pick.left[0]
        to_move = self.machines.get(match.turn)
        if to_move is not None and not match.result and not (match.watched and match.plies):
            return OpenBox.now(to_move, match.position)
        for number in range(len(match.plies) - 1, -1, -1):
            machine = self.machines.get(match.plies[number].seat)
            if machine is not None and match.drawn(number):
                draw = self._draw(machine, number)
                return OpenBox(machine, draw.position, draw.opening, draw.word, draw)
        return OpenBox.now(to_move, match.position) if to_move is not None and not match.result else None

    def _progress(self, machine: AnyMachine) -> str:
        if machine.name != CHALLENGE.machine.name or self.session.match.watched:
            return ""
        done = services_of(self.app).challenge_done()
        won = f"Your wins without help: {done} of {CHALLENGE.wins}"
        return won if done < CHALLENGE.wins else f"{done} wins without help: a star"

    def _draw(self, machine: AnyMachine, number: int) -> Draw[Any, Any]:
        match = self.session.match
        ply = match.plies[number]
        key = (ply.seat, match.before(number), ply.move)
        if key not in self._draws:
            self._draws[key] = machine.retrace(match.before(number), [ply.move])[0]
        return self._draws[key]

    def show_curve(self) -> None:
        from arcade.engines.menace.experiment import history_of
        from arcade.widgets.charts import Curves

        machine = self.shown_machine()
        if machine is not None:
            self.screen.query_one(Curves).show(machine.name, history_of(machine), machine, 0, True)

    def shown_machine(self) -> AnyMachine | None:
        shown = self.open_box()
        return shown.machine if shown is not None else next(iter(self.machines.values()), None)

    def on_click(self) -> None:
        self.open_boxes()

    def open_boxes(self) -> None:
        shown = self.open_box()
        at = shown.opening.box.index if isinstance(shown, OpenBox) and shown.opening is not None else None
        name, game = self._leave_match()
        self.post_message(OpenBoxes(game, name, at, self._come_back))

    def open_laboratory(self) -> None:
        name, game = self._leave_match()
        self.post_message(OpenLaboratory(game, name, self._come_back))

    def _leave_match(self) -> tuple[str | None, str]:
        session, machine = self.session, self.shown_machine()
        session.stop()
        if session.match.to_move != HUMAN:
            session.mode.paused = True
        return machine.name if machine else None, session.match.game.name

    def _come_back(self) -> None:
        self._loaded = None
        self.session.moved(save=False)

    def offer_fresh(self, match: Match, machine: AnyMachine) -> None:
        """Ask about the machine that refuses to play, if its match is still open."""
        from arcade.screens.dialogs import Question

        if self.session.match is not match:
            return
        name = machine.name

        def answered(yes: bool) -> None:
            if yes:
                services_of(self.app).machines.refresh(name)
                self.session.mode.paused = False
            self._come_back()

        question = f"The first box of {name} is empty, so {name} refuses to play. Give it fresh beads?"
        open_screen(self.app, Question(question), answered, self._come_back)

    def learned(self, rewards: Sequence[Reward]) -> None:
        self.rewards = rewards
        for reward in rewards:
            self.machines[reward.seat] = reward.machine
        if self.session.services.settings.animated:
            self._reveal.begin(range(self._boxes), REWARD_SECONDS)

    @property
    def _boxes(self) -> int:
        return max((len(reward.changes) for reward in self.rewards), default=0)

    @property
    def revealed(self) -> int:
        return self._boxes - len(self._reveal.left)
