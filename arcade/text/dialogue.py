"""The base class of all dialogues."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.position import Position
from arcade.engines.registry import AnyGame

Say = Callable[[str], None]

PATIENCE = 1.0
"""Seconds without output before progress is reported."""

LEAVE = ("quit", "exit")


@dataclass(frozen=True, slots=True)
class Command:
    help: str
    do: Callable[..., None]
    """Function that runs the command. If `takes` is not empty, its argument is the rest of the line."""
    takes: str = ""
    """Name of the command's argument, for example "FILE"; empty if there is none."""


class Dialogue(ABC):
    """A dialogue about positions of one game. Each line of output states one fact."""

    def __init__(self, game: AnyGame, say: Say) -> None:
        self.game = game
        self.say = say
        self.commands: dict[str, Command] = {
            "look": Command("describe the position", self.look),
            "board": Command("draw the board in ASCII", lambda: self.tell(str(self.position).splitlines())),
            "moves": Command("list the legal moves", self.tell_moves, "START"),
            "after": Command("preview a move without playing it", self.try_out, "MOVE"),
            "rules": Command("explain the rules", self.tell_rules),
            "help": Command("list the commands", self.tell_commands),
        }

    @property
    @abstractmethod
    def position(self) -> Position[Any]: ...

    @abstractmethod
    def begin(self) -> None:
        pass

    @abstractmethod
    def play(self, move: Any) -> None:
        """Play a typed move, which may be illegal."""

    @abstractmethod
    def ask(self) -> None: ...

    @property
    def usual(self) -> str:
        """The command that an empty line runs, or "" if it runs none."""
        return ""

    def look(self) -> None:
        self.tell(self.position.describe())

    def end(self) -> None:  # noqa: B027 - many have nothing to do
        """Leave the dialogue. Everything is already saved."""

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
            self.say(self.misunderstood(text, error))
            return
        self.play(move)

    def misunderstood(self, text: str, error: ValueError) -> str:
        return f"{error} Type help for the commands." if text.isalpha() else str(error)

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
            told = [f"No legal move starts with {start!r}." if start else "There are no legal moves."]
        self.tell(told)

    def try_out(self, text: str) -> None:
        position = self.position
        try:
            if not text:
                raise ValueError("Name the move to preview: after MOVE.")
            after = position.play(self.game.parse_move(text, position))
        except ValueError as error:
            self.say(str(error))
            return
        self.tell(changes(position.describe(), after.describe()))

    def tell_rules(self) -> None:
        for paragraph in re.split(r"\n\s*\n|\n(?=\* )", self.game.teaching.rules.strip()):
            self.say(" ".join(re.sub(r"[*`]", "", paragraph).split()))

    def tell_commands(self) -> None:
        self.say("Type a move, or one of these commands.")
        for name, command in self.commands.items():
            self.say(f"{f'{name} {command.takes}'.rstrip()}: {command.help}.")
        self.say(f"{LEAVE[0]}: leave.")


def changes(before: Sequence[str], after: Sequence[str]) -> list[str]:
    return [line for line in after if line not in before]
