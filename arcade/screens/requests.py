"""Requests from screens to the app, the only part that knows all screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.message import Message

from arcade.engines.registry import AnyGame
from arcade.match.match import Match
from arcade.match.record import MatchRecord
from arcade.matchbox.machine import AnyMachine
from arcade.store.store import Saved

if TYPE_CHECKING:
    from arcade.study.course import PuzzleChoice


class ChooseMatch(Message):
    """Let the person choose a new match of a game, perhaps based on another, and start it."""

    def __init__(self, game: AnyGame, like: Match | None = None) -> None:
        super().__init__()
        self.game = game
        self.like = like


class OpenLessons(Message):
    """Show the lessons of a game."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game


class OpenPuzzles(Message):
    """Let the person choose puzzles of a game."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game


class PlayPuzzles(Message):
    """Begin a round of puzzles."""

    def __init__(self, choice: PuzzleChoice) -> None:
        super().__init__()
        self.choice = choice


class OpenSaved(Message):
    """Continue a saved match."""

    def __init__(self, saved: Saved) -> None:
        super().__init__()
        self.saved = saved


class OpenTournament(Message):
    """Set up a tournament of a game, or go on with the last one."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game


class OpenComparison(Message):
    """Compare the methods of the documents with the solver, at first those of a game."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game


class OpenBout(Message):
    """Look at a finished match of a tournament, or watch it from its first move."""

    def __init__(self, record: MatchRecord, watch: bool) -> None:
        super().__init__()
        self.record = record
        self.watch = watch


class OpenBoxes(Message):
    """Show all boxes of a machine.

    Args:
        game: the game, used if no machine is named.
        name: the machine; None for the game's own.
        in_play: the index of the box that is open in a match.
        machine: an unsaved machine, instead of `name`.
        closed: called when that screen closes.
    """

    def __init__(
        self,
        game: str,
        name: str | None = None,
        in_play: int | None = None,
        machine: AnyMachine | None = None,
        closed: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.name = name
        self.in_play = in_play
        self.machine = machine
        self.closed = closed


class OpenLaboratory(Message):
    """Train machines.

    Args:
        game: the game of the present screen.
        name: the machine of the present screen; None for none.
        closed: called when the laboratory closes.
    """

    def __init__(self, game: str, name: str | None = None, closed: Callable[[], None] | None = None) -> None:
        super().__init__()
        self.game = game
        self.name = name
        self.closed = closed


class ChangeSetting(Message):
    """Set a setting from a text and show its effect."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__()
        self.name = name
        self.text = text
