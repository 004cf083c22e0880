"""The menu's preview matches."""

from __future__ import annotations

import random
from typing import Any

from textual.geometry import Size

from arcade.engines.position import Position
from arcade.engines.registry import AnyGame
from arcade.play.scene import BoardScene
from arcade.widgets.board import Board

PLIES = 12


class Preview:
    """A match on the standard board. If that does not fit, the largest preset that fits is used."""

    def __init__(self, game: AnyGame, board: type[Board], room: Size) -> None:
        standard = game.parameters.text(game.parameters.parse(""))
        for parameters in (
            standard,
            *reversed(game.parameters.boards),
            standard,
        ):
            self._positions: list[Position[Any]] = [game.new(game.parameters.parse(parameters), 1)]
            self._shown = 0
            self.board = board(self._view(), small=True)
            if self.board.fit(room):
                break

    def step(self) -> None:
        self._extend()
        self._shown = (self._shown + 1) % len(self._positions)
        self.board.show(self._view())

    def rewind(self) -> None:
        self._shown = 0
        self.board.show(self._view())

    def _extend(self) -> None:
        position, rng = self._positions[-1], random.Random(len(self._positions))
        if len(self._positions) < PLIES and position.outcome() is None:
            drawn = [position.play(rng.choice(position.moves())) for _ in range(3)]
            self._positions.append(max(drawn, key=lambda position: len(position.moves())))

    def _view(self) -> BoardScene:
        return BoardScene(self._positions[self._shown], self._positions[0])
