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
    """Choose the board and the players of a new match, then play it."""

    game: AnyGame
    like: Match | None = None


@dataclass
class OpenMatch(Message):
    """Play a match, which replaces the one on the screen."""

    match: Match
    saved: SavedAs | None = None
    watch: bool = False
    """Replay a finished match from its first move."""


@dataclass
class OpenUsual(Message):
    """Start a new match like the last one, or the next step of the path."""

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
    """Name of the first lesson; empty for the first unsolved one."""


@dataclass
class OpenTeaching(Message):
    """Open the lesson on a rule of thumb that the player missed in a match, or else the game's lessons."""

    match: Match


@dataclass
class ChoosePuzzles(Message):
    """Choose the kind of puzzles, then open them."""

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
    """Let engines play these games until a key is pressed or the mouse is used."""

    games: list[AnyGame]
