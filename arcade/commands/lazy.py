"""Commands whose modules are imported only when the command is used."""

from collections.abc import MutableMapping
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class Lazy(NamedTuple):
    module: str
    summary: str
    """The first sentence of the command's help, for `arcade --help`."""


COMMANDS = {
    "play": Lazy("play", "Play a match."),
    "learn": Lazy("play", "Take the lessons of a game."),
    "picture": Lazy("picture", "Draw a position, or animate a match."),
    "games": Lazy("games", "List the games with their parameters, presets and players."),
    "warm": Lazy("games", "Compile the solvers ahead of time."),
    "watch": Lazy("watch", "Watch engines play each other."),
    "serve": Lazy("serve", "Serve the arcade as a web page for browsers on this computer."),
    "verdict": Lazy("analysis", "Show the verdict of a position for the player to move."),
    "moves": Lazy("analysis", "List legal moves with their verdicts."),
    "hint": Lazy("analysis", "Give a hint: where to look, which move, and why."),
    "line": Lazy("analysis", "Print best play by both sides to the end."),
    "why": Lazy("analysis", "Explain a verdict by the game's rules of thumb."),
    "rules": Lazy("analysis", "List a game's rules of thumb and how often each one holds."),
    "puzzle": Lazy("puzzle", "Print puzzles (positions with exactly one good move)."),
    "check": Lazy("own_games", "Test whether a game file meets the arcade's requirements."),
    "stats": Lazy("records", "Show your records: level, matches, streaks, scores and puzzles."),
    "keys": Lazy("settings", "Print all key bindings as a settings file that you can edit."),
    "where": Lazy("settings", "Print where your matches, settings and machines are stored."),
    "tournament": Lazy("tournament", "Run a rated tournament between engines."),
    "compare": Lazy(
        "compare", "Compare the time, positions and memory of other solving methods with those of the solver."
    ),
    "verify": Lazy("verify", "Verify a verdict independently of the solver."),
}
"""The commands, in the order of `arcade --help`."""

MATCHES = "Saved matches: list, show, export, import, delete."


def _commands(module: str) -> MutableMapping[str, Any]:
    return typer.main.get_group(import_module(f"{__package__}.{module}").app).commands


class LazyCommand(TyperCommand):
    """A stand-in with the name and summary of a command. It imports the module and runs the real command."""

    @cached_property
    def _loaded(self) -> Any:
        return _commands(COMMANDS[self.name or ""].module)[self.name or ""]

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Load the real command and return its context."""
        return self._loaded.make_context(*args, **options)

    @property
    def params(self) -> Any:
        return self._loaded.params

    @params.setter
    def params(self, params: object) -> None:
        """Ignore the value that Typer sets."""

    @property
    def help(self) -> str | None:
        text: str | None = self._loaded.help
        return text

    @help.setter
    def help(self, help: object) -> None:
        """Ignore the value that Typer sets."""


class LazyGroup(TyperGroup):
    """A group of commands from the module that has the group's name."""

    @cached_property
    def _loaded(self) -> MutableMapping[str, Any]:
        return _commands(self.name or "")

    @property
    def commands(self) -> MutableMapping[str, Any]:
        return self._loaded

    @commands.setter
    def commands(self, commands: MutableMapping[str, Any]) -> None:
        pass
