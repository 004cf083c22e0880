"""Perfect play by plain search: 765 classes of positions, so nothing needs to be clever."""

from __future__ import annotations

from arcade.engines.control import NODES, Control
from arcade.engines.game import Solver, timed
from arcade.engines.menace.rules import SYMMETRIES, Cell, O, TicTacToe, X, image, threats
from arcade.engines.verdict import Proof, Value, Verdict


class TicTacToeSolver(Solver[TicTacToe, Cell]):
    """Searches to the end and remembers each class of symmetric positions.

    Safe for several threads: all they share is a dictionary to which each only adds what is true. The
    whole game is searched in some milliseconds, so a control has nothing to stop.
    """

    compiled = False

    def __init__(self) -> None:
        self._known: dict[int, Verdict] = {}

    def verdict(self, position: TicTacToe, control: Control) -> Verdict:
        """The exact verdict; `nodes` counts the classes that had not been searched before."""

        def search() -> Verdict:
            before = int(control.cells[NODES])
            found = self._search(position, control)
            return Verdict(
                Proof.EXACT, found.value, found.remoteness, nodes=control.nodes - before, reason=found.reason
            )

        return timed(search)

    def _search(self, position: TicTacToe, control: Control) -> Verdict:
        canonical = min(image(position.board, cells) for _, cells in SYMMETRIES)
        known = self._known.get(canonical)
        if known is not None:
            return known
        control.cells[NODES] += 1
        found = position.ending()
        if found is None:
            replies = (self._search(position.play(move), control).before_move() for move in position.moves())
            best = max(replies, key=lambda each: each.preference)
            found = Verdict(Proof.EXACT, best.value, best.remoteness)
        self._known[canonical] = found
        return found

    def reason(self, position: TicTacToe, move: Cell, verdict: Verdict) -> str:
        """What the move does on the board, and how the game ends."""
        own, other = (X, O) if position.turn == 0 else (O, X)
        if verdict.value is Value.WIN and verdict.remoteness == 1:
            return "It completes a line."
        after = position.play(move).board
        ends = super().reason(position, move, verdict)
        if verdict.value is Value.WIN and len(threats(after, own)) > 1:
            return f"It makes two threats at once. {ends}"
        if move.index in threats(position.board, other):
            return f"It blocks a line. {ends}"
        return ends

    def warm(self) -> None:
        """Load the kernel of the training; the search itself has none."""
        from arcade.engines.menace.training import warm

        warm()
