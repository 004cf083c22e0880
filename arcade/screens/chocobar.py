"""Chocobar's screen."""

from __future__ import annotations

from arcade.screens.match import MatchScreen
from arcade.widgets.chocobar_board import ChocobarBoard


class ChocobarScreen(MatchScreen):
    """A match of Chocobar."""

    BOARD = ChocobarBoard
