"""Hexapawn: pawns that step, capture and block each other on boards of any size up to 64 squares."""

from arcade.engines.hexapawn.game import Hexapawn

GAME = Hexapawn()
"""The game as the registry finds it."""

__all__ = ["GAME", "Hexapawn"]
