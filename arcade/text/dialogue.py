"""The frame of every dialogue: it hears lines, knows commands, and tells the position in words."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.position import Position
from arcade.engines.registry import AnyGame

Say = Callable[[str], None]

PATIENCE = 1.0
"""Seconds of silence after which the player is told what the program is doing."""

LEAVE = ("quit", "exit")
"""The words that end a dialogue; so does the end of the input."""


@dataclass(frozen=True, slots=True)
class Command:
    help: str
    do: Callable[..., None]
    """Does it; a command with `takes` is given what was typed after its name."""
    takes: str = ""
    """What may follow the name, e.g. "FILE"."""


class Dialogue(ABC):
    """A dialogue about positions of one game: one thought a line, nothing is drawn again."""

    def __init__(self, game: AnyGame, say: Say) -> None:
        self.game = game
        self.say = say
        self.commands: dict[str, Command] = {
            "look": Command("tells the position in words", self.look),
            "board": Command(
                "draws the board in plain characters", lambda: self.tell(str(self.position).splitlines())
            ),
            "moves": Command("tells the legal moves", self.tell_moves, "START"),
            "after": Command("tells what a move would change, without playing it", self.try_out, "MOVE"),
            "rules": Command("tells the rules", self.tell_rules),
            "help": Command("tells the commands", self.tell_commands),
        }

    @property
    @abstractmethod
    def position(self) -> Position[Any]: ...

    @abstractmethod
    def begin(self) -> None:
        """Tell what is to be known first."""

    @abstractmethod
    def play(self, move: Any) -> None:
        """A person gives a move, which need not be legal."""

    @abstractmethod
    def ask(self) -> None: ...

    @property
    def usual(self) -> str:
        """What an empty line stands for; empty for nothing."""
        return ""

    def look(self) -> None:
        self.tell(self.position.describe())

    def end(self) -> None:  # noqa: B027 - many have nothing to do
        """Leave; what matters is saved already."""

    def run(self, lines: Iterable[str]) -> None:
        self.begin()
        self.ask()
        for line in lines:
            text = line.strip() or self.usual
            if text.lower() in LEAVE:
                break
            if text:
                self.hear(text)
            self.ask()
        self.end()

    def hear(self, text: str) -> None:
        name, _, rest = text.partition(" ")
        command = self.commands.get(name.lower())
        if command is not None and (command.takes or not rest):
            arguments = [rest.strip()] if command.takes else []
            command.do(*arguments)
            return
        try:
            move = self.game.parse_move(text, self.position)
        except ValueError as error:
            known = " Type help to hear the commands." if text.isalpha() else ""
            self.say(f"{error}{known}")
            return
        self.play(move)

    def allows(self, move: Any) -> bool:
        try:
            self.position.play(move)
        except ValueError as error:
            self.say(str(error))
            return False
        return True

    def tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def tell_moves(self, start: str) -> None:
        told = self.position.describe_moves()
        if start:
            chosen = [line for line in told if line.lower().startswith(start.lower())]
            notations = map(str, self.position.moves())
            told = chosen or [move for move in notations if move.lower().startswith(start.lower())]
        if not told:
            told = [f"No legal move begins with {start!r}." if start else "There is no legal move."]
        self.tell(told)

    def try_out(self, text: str) -> None:
        position = self.position
        try:
            if not text:
                raise ValueError("Type the move as well, as in: after MOVE.")
            after = position.play(self.game.parse_move(text, position))
        except ValueError as error:
            self.say(str(error))
            return
        self.tell(changes(position.describe(), after.describe()))

    def tell_rules(self) -> None:
        for paragraph in re.split(r"\n\s*\n|\n(?=\* )", self.game.teaching.rules.strip()):
            self.say(" ".join(re.sub(r"[*`]", "", paragraph).split()))

    def tell_commands(self) -> None:
        self.say("Type a move to play it, or one of these words.")
        for name, command in self.commands.items():
            self.say(f"{f'{name} {command.takes}'.rstrip()}: {command.help}.")
        self.say(f"{LEAVE[0]}: leaves.")


def changes(before: Sequence[str], after: Sequence[str]) -> list[str]:
    return [line for line in after if line not in before]
