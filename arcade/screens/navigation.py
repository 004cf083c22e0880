"""Messages with which a screen asks the app to open another screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

# For type checking only: the first paint needs none of these.
if TYPE_CHECKING:
    from arcade.engines.registry import AnyGame
    from arcade.play.match import Match
    from arcade.store.store import Saved, SavedAs
    from arcade.study.puzzles import PuzzleChoice


@dataclass
class ChooseMatch(Message):
    """Ask for the board and the players of a new match, then play it."""

    game: AnyGame
    like: Match | None = None
    """The match whose choices the dialog begins with."""


@dataclass
class OpenMatch(Message):
    """Play a match, which replaces the one on the screen."""

    match: Match
    saved: SavedAs | None = None
    watch: bool = False
    """Show it, finished, from its first move."""


@dataclass
class OpenUsual(Message):
    """Play what the person played last, or the next step, as a new match."""

    game: AnyGame


@dataclass
class OpenWatched(Message):
    """Watch two engines play on the standard board."""

    game: AnyGame


@dataclass
class OpenSaved(Message):
    saved: Saved


@dataclass
class OpenLessons(Message):
    game: AnyGame
    first: str = ""
    """The name of the lesson to begin with; empty for the first that is not yet solved."""


@dataclass
class OpenTeaching(Message):
    """Open what teaches a rule of play that a person missed in a match, else the lessons of its game."""

    match: Match


@dataclass
class ChoosePuzzles(Message):
    """Ask for the kind of puzzles, then open them."""

    game: AnyGame


@dataclass
class OpenPuzzles(Message):
    choice: PuzzleChoice


@dataclass
class OpenTournament(Message):
    game: AnyGame


class OpenRecords(Message):
    pass


class OpenHistory(Message):
    pass


@dataclass
class Demonstrate(Message):
    """Let engines play these games until somebody touches a key or the mouse."""

    games: list[AnyGame]
