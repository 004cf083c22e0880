"""The services that a session needs from the program."""

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
    """The default host. It saves nothing, animates nothing and compiles kernels on first use."""

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
        """Save a match and train its machines. The session calls this before it shows the last move.

        Returns the ID and revision of the saved match (None if it is not saved), and the machines' rewards.
        If the data file is locked, the match is saved later, and `told` is then called with both results.
        """
        return None, ()

    def reviewed(self, match: Match, saved: SavedAs | None) -> None:
        """Record that all moves up to the position on view have been analysed as far as possible."""

    def stars(self, game: AnyGame) -> list[bool]:
        """Return, for each step of the game's path, True if it was won without help."""
        return []

    def challenge_wins(self, game: AnyGame) -> int:
        return 0

    def to_learn(self, match: Match) -> str | None:
        """Return the label of a lesson to offer after losses; "" for an easier match, None for no offer."""
        return None

    def machine_of(self, match: Match, seat: int) -> AnyMachine | None:
        """Return the machine in a seat, if any. Raises InputError if it was deleted or is damaged."""
        return None
