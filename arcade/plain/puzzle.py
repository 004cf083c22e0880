"""Puzzles as a dialogue."""

from __future__ import annotations

from typing import Any

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame
from arcade.plain.dialogue import Command, Dialogue, Say, changes
from arcade.puzzles.course import Attempt, Round
from arcade.session.services import Services


class PuzzleDialogue(Dialogue):
    """One puzzle after another.

    Args:
        round: the puzzles.
        services: where the results are kept.
        say: tells the person a line.
    """

    def __init__(self, round: Round, services: Services, say: Say) -> None:
        super().__init__(say)
        self.round = round
        self.services = services
        self.commands |= {
            "hint": Command("tells where to look, then the move", lambda _: self.help()),
            "result": Command("tells your result, without the solution", lambda _: self.say(round.line())),
            "next": Command("goes to the next puzzle", lambda _: self.go_on()),
        }

    @property
    def game(self) -> AnyGame:
        """The game of the puzzles."""
        return self.round.game

    @property
    def attempt(self) -> Attempt:
        """The puzzle that has been told."""
        assert self.round.attempt is not None
        return self.round.attempt

    @property
    def position(self) -> Position[Any]:
        """The position of the puzzle."""
        return self.attempt.position

    def begin(self) -> None:
        """Make a puzzle and tell it.

        Raises:
            InputError: there is none.
        """
        with Control() as control:
            puzzle = self.round.make(control)
        assert puzzle is not None, "nobody stops it"
        self.round.begin(puzzle)
        day = f" of {self.round.day}" if self.round.day is not None else f" {self.round.number}"
        self.say(f"{self.game.title}, puzzle{day}, grade {puzzle.grade} of 5.")
        self.tell(puzzle.start.describe())

    def ask(self) -> None:
        """Ask for the move, or say how to go on."""
        if not self.attempt.done:
            self.say("Find the next move." if self.attempt.index else self.attempt.puzzle.task)
        else:
            self.say("Type quit." if self.round.over else "Type next for another puzzle, or quit.")

    def end(self) -> None:
        """Leave; results are kept already."""
        self.services.leave_puzzle(self.round)

    def play(self, move: Any) -> None:
        """Answer with a move; the other side answers it."""
        attempt, before = self.attempt, self.position
        if attempt.done:
            self.say("You have solved this puzzle already.")
            return
        if not self.allows(move):
            return
        if not self.round.play(move):
            self.say(f"Not {move}. {attempt.wrong_words()}")
            return
        if attempt.done:
            self.services.save_puzzle(self.round)
            self.say(f"Right. {attempt.right_words()}")
            self.say(f"{self.round.line()}.")
            return
        self.say(f"Right, {move}.")
        if attempt.replying:
            side = self.game.sides[self.position.turn]
            attempt.reply()
            self.say(f"{side} plays {attempt.last}.")
        self.tell(changes(before.describe(), self.position.describe()))

    def help(self) -> None:
        """Tell a little more of the move."""
        self.say(self.round.help() or "There is nothing to find here.")

    def go_on(self) -> None:
        """Go to the next puzzle."""
        if self.round.over:
            self.say("Today's puzzle is solved; tomorrow there is another one.")
        elif not self.attempt.done:
            self.say("Find the move first; hint tells it in two steps.")
        else:
            self.begin()
