"""The services that lessons and puzzles need from the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcade.engines.registry import AnyGame
from arcade.play.host import Host

if TYPE_CHECKING:
    from arcade.study.puzzles import PuzzleRun


class StudyHost(Host):
    """A host for lessons and puzzles that saves nothing."""

    def has_learned(self, game: str, lesson: str) -> None:
        """Record that a lesson is finished."""

    def save_puzzle(self, played: PuzzleRun) -> None:
        """Record that a puzzle is finished."""

    def leave_puzzle(self, played: PuzzleRun) -> None:
        """Record that the player leaves a puzzle. After help or a mistake, a daily puzzle counts as tried."""

    def best_of(self, game: str, mode: str) -> int:
        return 0

    def next_daily(self, game: AnyGame) -> AnyGame | None:
        return None
