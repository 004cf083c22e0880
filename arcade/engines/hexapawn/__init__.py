"""Hexapawn: pawns that step, capture and block each other on boards of any size up to 64 squares."""

from arcade.engines.hexapawn.game import Hexapawn

GAME = Hexapawn()

__all__ = ["GAME", "Hexapawn"]
