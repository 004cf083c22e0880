"""Chocobar, the game of Chomp: bite the bar, leave the poison."""

from arcade.engines.chocobar.game import Chocobar

GAME = Chocobar()

__all__ = ["GAME", "Chocobar"]
