"""The additional services that lessons and puzzles need from the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcade.engines.registry import AnyGame
from arcade.play.host import Host

if TYPE_CHECKING:
    # The first paint needs no puzzles.
    from arcade.study.puzzles import PuzzleRun


class StudyHost(Host):
    """A host that saves nothing."""

    def has_learned(self, game: str, lesson: str) -> None:
        """Remember that the player has solved a lesson."""

    def save_puzzle(self, played: PuzzleRun) -> None:
        """Save the result of a round's puzzle."""

    def leave_puzzle(self, played: PuzzleRun) -> None:
        """The player leaves a round: a puzzle of the day that needed help is not new the next time."""

    def best_of(self, game: str, mode: str) -> int:
        """The most puzzles of a game that the player has solved in one round of a mode."""
        return 0

    def next_daily(self, game: AnyGame) -> AnyGame | None:
        """The next game whose puzzle of today the player has not tried; None if there is none."""
        return None
