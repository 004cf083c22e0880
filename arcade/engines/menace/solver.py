"""Perfect play by retrograde analysis; with 5,478 positions, the simple way is fast enough."""

from __future__ import annotations

from arcade.engines.menace.rules import Cell, O, TicTacToe, X, threats
from arcade.engines.retrograde import RetrogradeSolver
from arcade.engines.verdict import Value, Verdict


class TicTacToeSolver(RetrogradeSolver[TicTacToe, Cell]):
    """Explains its verdicts by lines and threats."""

    def reason(self, position: TicTacToe, move: Cell, verdict: Verdict) -> str:
        """What the move does on the board, and how the game ends."""
        own, other = (X, O) if position.turn == 0 else (O, X)
        ends = super().reason(position, move, verdict)
        if verdict.value is Value.WIN and verdict.remoteness == 1:
            return "It completes a line."
        after = position.play(move).board
        if verdict.value is Value.WIN and len(threats(after, own)) > 1:
            return f"It makes two threats at once. {ends}"
        if move.index in threats(position.board, other):
            return f"It blocks a line. {ends}"
        return ends

    def warm(self) -> None:
        """Load the training kernel; the search itself has none."""
        from arcade.learning.training import warm

        warm()
