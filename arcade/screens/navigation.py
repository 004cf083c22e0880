"""Messages that ask the app to open another screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

# Not needed by the first paint.
if TYPE_CHECKING:
    from arcade.engines.registry import AnyGame
    from arcade.play.match import Match
    from arcade.store.store import Saved, SavedAs
    from arcade.study.puzzles import PuzzleChoice


@dataclass
class ChooseMatch(Message):
    game: AnyGame
    like: Match | None = None


@dataclass
class OpenMatch(Message):
    match: Match
    saved: SavedAs | None = None
    watch: bool = False
    """True if a finished match is to be replayed."""


@dataclass
class OpenUsual(Message):
    """Message: start a match like the last one or, after a win, the next step of the path."""

    game: AnyGame


@dataclass
class OpenWatched(Message):
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
    """Message: open a lesson or puzzles on a missed rule of thumb (default: the game's lessons)."""

    match: Match


@dataclass
class ChoosePuzzles(Message):
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
    games: list[AnyGame]
