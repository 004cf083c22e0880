"""Services for lessons and puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcade.engines.registry import AnyGame
from arcade.play.host import Host

if TYPE_CHECKING:
    from arcade.study.puzzles import PuzzleRun


class StudyHost(Host):
    """A host that saves nothing."""

    def has_learned(self, game: str, lesson: str) -> None:
        """The player has finished a lesson."""

    def save_puzzle(self, played: PuzzleRun) -> None:
        """Save the result of a puzzle."""

    def leave_puzzle(self, played: PuzzleRun) -> None:
        """A daily puzzle that needed help counts as attempted."""

    def best_of(self, game: str, mode: str) -> int:
        return 0

    def next_daily(self, game: AnyGame) -> AnyGame | None:
        return None
