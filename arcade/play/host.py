"""The services that a session needs from the program: settings, kernels and storage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arcade.engines.kernel_compiler import KernelCompiler
from arcade.engines.registry import AnyGame
from arcade.play.keymap import DEFAULT_KEYS
from arcade.store.settings import Settings
from arcade.store.store import SavedAs

if TYPE_CHECKING:
    from arcade.play.machines import AnyMachine, Reward
    from arcade.play.match import Match


class Host:
    """A host that saves nothing, animates nothing and compiles kernels on first use."""

    def __init__(self, preparing: Callable[[], None] = lambda: None) -> None:
        self.settings = Settings(calm=True)
        self.keys = DEFAULT_KEYS
        self.compiler = KernelCompiler(None, preparing)

    def save_match(
        self,
        match: Match,
        saved: SavedAs | None,
        told: Callable[[SavedAs, Sequence[Reward]], None] = lambda saved, rewards: None,
    ) -> tuple[SavedAs | None, Sequence[Reward]]:
        """Commit a match before its last move is shown, with what machines learn; None if not kept.

        While its file is locked that comes later; then `told` is called with the same.
        """
        return None, ()

    def reviewed(self, match: Match, saved: SavedAs | None) -> None:
        """All moves of a match up to the position on show have been judged, as far as that is possible."""

    def stars(self, game: AnyGame) -> list[bool]:
        """One for each step of the game's path that a person has beaten."""
        return []

    def challenge_wins(self, game: AnyGame) -> int:
        """How many wins of the game's challenge a person has."""
        return 0

    def to_learn(self, match: Match) -> str | None:
        """After two losses in a row, what teaches a rule that was missed, "" if there is none; else None."""
        return None

    def machine_of(self, match: Match, seat: int) -> AnyMachine | None:
        """None when somebody else sits there; InputError if it is gone or damaged."""
        return None
