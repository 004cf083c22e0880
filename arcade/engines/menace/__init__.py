"""Tic-tac-toe, and MENACE, the machine of matchboxes that learns it and other small games."""

from arcade.engines.menace.game import Menace
from arcade.engines.menace.rules import Cell, TicTacToe

GAME = Menace()

__all__ = ["GAME", "Cell", "Menace", "TicTacToe"]
