"""solver-arcade: small games of strategy against opponents that have solved them.

    import arcade

    position = arcade.load("hexapawn:4x4")
    print(position)
    print(arcade.verdict(position))

This package exports everything in `arcade.library`; docs/library.md explains it in one page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "1.0.0"

if TYPE_CHECKING:
    from arcade.library import (
        game,
        games,
        hint,
        line,
        load,
        moves,
        play_matches,
        players,
        read_match,
        verdict,
        why,
        write_match,
    )

__all__ = [
    "__version__",
    "game",
    "games",
    "hint",
    "line",
    "load",
    "moves",
    "play_matches",
    "players",
    "read_match",
    "verdict",
    "why",
    "write_match",
]


def __getattr__(name: str) -> Any:
    # The library is imported on first use: the command line and the app start without it.
    if name in __all__:
        from arcade import library  # not at every start

        return getattr(library, name)
    raise AttributeError(f"module 'arcade' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
