"""Both players' hands of Tetromino with their pieces drawn; clicks choose, turn over and rotate."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from arcade.engines.tetromino.pieces import ORIENTATIONS, pieces_in, rotated
from arcade.engines.tetromino.rules import SIDES
from arcade.engines.verdict import Verdict
from arcade.widgets.board import ink
from arcade.widgets.tetromino_board import DARK, GROUNDS, IN_HAND, TetrominoBoard

SLOTS = {"I": 8, "L": 6, "O": 4, "S": 6, "T": 6}
"""Columns of each piece as it lies here, two to a cell."""
LINES = 6
KEYS_LINE, WORDS_LINE = 2, 5
WORDS = (("e rotate", "rotate(1)"), ("f flip", "turn_over"), ("b dead cells", "dead_cells"))
"""What can be clicked on the last line, and the action of the board that it asks for."""


def lying(piece: str, orientation: int) -> set[tuple[int, int]]:
    """The cells (column, line) of a piece, turned further if need be so that it takes at most two lines."""
    while True:
        steps = ORIENTATIONS[piece][orientation - 1]
        left, top = min(x for x, _ in steps), max(y for _, y in steps)
        cells = {(x - left, top - y) for x, y in steps}
        if max(line for _, line in cells) < 2:
            return cells
        orientation = rotated(piece, orientation)


class HandsPanel(Widget):
    """The first player's hand above, the second's below, between them the keys of the pieces.

    The pieces of the mover's hand can be clicked, and so can the words on the last line.
    """

    DEFAULT_CSS = f"""
    HandsPanel {{ width: 1fr; height: {LINES}; margin-bottom: 1; }}
    """

    class Asked(Message):
        """A person asks for an action of the board."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    _board: TetrominoBoard | None = None
    _shown: tuple[object, ...] = ()
    _base = Style.null()

    def show(self, board: TetrominoBoard) -> None:
        """Show the hands of the position on a board and what is chosen there."""
        shown = (
            board.position,
            board.piece,
            board.orientation,
            board.dead_shown,
            board.view.values,
            board.glyphs,
            self.app.theme,
        )
        if shown != self._shown:
            self._board, self._shown = board, shown
            self.refresh()

    @property
    def _gap(self) -> int:
        """Columns between two pieces."""
        return max(1, (self.size.width - sum(SLOTS.values())) // (len(SLOTS) - 1))

    def piece_at(self, x: int) -> str:
        """The piece whose slot or the gap after it has a column; empty beside them."""
        end = 0
        for piece, width in SLOTS.items():
            end += width + self._gap
            if x < end:
                return piece
        return ""

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        # Asked once a line: to find it takes longer than to draw with it.
        self._base = self.rich_style
        if self._board is None:
            segments = []
        elif y == KEYS_LINE:
            segments = self._keys(self._board)
        elif y == WORDS_LINE:
            segments = self._words(self._board)
        else:
            segments = self._hand(self._board, *((0, y) if y < KEYS_LINE else (1, y - KEYS_LINE - 1)))
        return Strip(segments).adjust_cell_length(self.size.width, self._base)

    def _blank(self, width: int) -> Segment:
        return Segment(" " * width, self._base)

    def _segment(self, text: str, colour: str, bold: bool = False) -> Segment:
        return Segment(text, ink(self.app.theme_variables[colour], self._base.bgcolor, bold))

    def _hand(self, board: TetrominoBoard, player: int, line: int) -> list[Segment]:
        """A line of a player's pieces; those that are laid leave dots."""
        position = board.position
        moving = player == position.turn
        held = pieces_in(position.hands[player])
        segments: list[Segment] = []
        for piece, width in SLOTS.items():
            taken = moving and piece == board.piece
            cells = lying(piece, board.orientation if taken else 1)
            ground = IN_HAND[player] if taken else GROUNDS[player][piece]
            if piece == "I" and line == 1:
                sign = board.glyphs.turn if moving else " "
                name = f"{sign}{SIDES[player]}"
                segments.append(self._segment(name.ljust(width), "primary" if moving else "faint", moving))
            else:
                for column in range(width // 2):
                    if (column, line) not in cells:
                        segments.append(self._blank(2))
                    elif piece in held:
                        segments.append(Segment("[]", ink(DARK, ground, taken)))
                    else:
                        segments.append(self._segment(board.glyphs.dot.ljust(2), "faint"))
            segments.append(self._blank(self._gap))
        return segments

    def _keys(self, board: TetrominoBoard) -> list[Segment]:
        """The keys of the mover's pieces; with the overlay on also the best that each can reach."""
        held = pieces_in(board.position.hands[board.position.turn])
        best: dict[str, Verdict] = {}
        for each in board.view.values:
            piece = each.move.piece
            known = each.verdict.value is not None
            if known and (piece not in best or best[piece].preference < each.verdict.preference):
                best[piece] = each.verdict
        segments: list[Segment] = []
        for number, (piece, width) in enumerate(SLOTS.items(), 1):
            room = width + self._gap
            if piece not in held:
                segments.append(self._blank(room))
                continue
            taken = piece == board.piece
            sign = board.glyphs.turn if taken else " "
            segments.append(self._segment(f"{sign}{number} ", "primary", taken))
            segments.append(self._segment(piece, "foreground", taken))
            verdict = best.get(piece)
            mark = board.glyphs.verdict(verdict) if verdict else ""
            if verdict and len(mark) > room - 5:
                mark = board.glyphs.value(verdict.value)
            colour = verdict.value.value if verdict and verdict.value else "faint"
            segments.append(self._segment(mark.ljust(room - 4), colour))
        return segments

    def _words(self, board: TetrominoBoard) -> list[Segment]:
        """What can be clicked, with its key."""
        segments: list[Segment] = []
        for word, action in WORDS:
            key, _, rest = word.partition(" ")
            on = action == "dead_cells" and board.dead_shown
            segments.append(self._segment(key, "primary", True))
            segments.append(self._segment(f" {rest}", "foreground" if on else "faint", on))
            segments.append(self._blank(2))
        return segments

    # A person's hands.

    def action_at(self, x: int, y: int) -> str:
        """The action that a click at a place asks for; empty for none."""
        board = self._board
        if board is None:
            return ""
        if y == WORDS_LINE:
            end = 0
            for word, action in WORDS:
                if x < end + len(word):
                    return action if x >= end else ""
                end += len(word) + 2
            return ""
        player = board.position.turn if y == KEYS_LINE else int(y > KEYS_LINE)
        piece = self.piece_at(x)
        if player != board.position.turn or piece not in tuple(pieces_in(board.position.hands[player])):
            return ""
        return "turn_over" if piece == board.piece else f"take('{piece}')"

    def on_click(self, event: events.Click) -> None:
        """A click takes a piece in hand, or turns the one in hand over."""
        self._ask(self.action_at(event.x, event.y))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel rotates the piece in hand."""
        event.stop()
        self._ask("rotate(1)")

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel rotates the piece in hand."""
        event.stop()
        self._ask("rotate(-1)")

    def _ask(self, action: str) -> None:
        if action:
            self.post_message(self.Asked(action))
