"""Tetromino: two players place the five pieces I, L, O, S, T; who cannot place one loses."""

from arcade.engines.tetromino.game import Tetromino

GAME = Tetromino()

__all__ = ["GAME", "Tetromino"]
