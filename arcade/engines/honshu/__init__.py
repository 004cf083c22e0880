"""Honshu: place map tiles for the highest score."""

from arcade.engines.honshu.game import Honshu
from arcade.engines.honshu.rules import HonshuPosition, Move, Score

GAME = Honshu()

__all__ = ["GAME", "Honshu", "HonshuPosition", "Move", "Score"]
