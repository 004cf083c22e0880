"""Tic-tac-toe, and MENACE, the machine of matchboxes that learns it and other small games."""

from arcade.engines.menace.rules import GAME, Cell, Menace, TicTacToe

__all__ = ["GAME", "Cell", "Menace", "TicTacToe"]
