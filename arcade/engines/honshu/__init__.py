"""Honshu: lay map tiles for the highest score."""

from arcade.engines.honshu.game import GAME, load, with_tiles
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.honshu.scoring import Score

__all__ = ["GAME", "HonshuPosition", "Move", "Score", "load", "with_tiles"]
