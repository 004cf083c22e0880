"""Both players' hands of Tetromino with their pieces drawn; clicks choose, turn over and rotate."""

from __future__ import annotations

from enum import Enum

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from arcade.engines.tetromino.board import ORIENTATIONS, lying, pieces_in
from arcade.engines.tetromino.rules import SIDES
from arcade.engines.verdict import Verdict
from arcade.match.match import HUMAN, Match
from arcade.widgets.board import ink, mixed
from arcade.widgets.panels import seat_notes
from arcade.widgets.tetromino_board import DARK, GROUNDS, IN_HAND, TetrominoBoard
from arcade.words.telling import seat_name

SLOTS = {"I": 8, "L": 6, "O": 4, "S": 6, "T": 6}
"""Columns of each piece in a hand, two to a cell."""
WORDS = (("e rotate", "rotate(1)"), ("f flip", "turn_over"), ("b dead cells", "dead_cells"))
"""What can be clicked on the last line, and the action of the board that it asks for."""


class Part(Enum):
    """What a line of the panel shows."""

    NAME = "name"
    UPPER = "upper half of the pieces"
    LOWER = "lower half of the pieces"
    KEYS = "keys"
    WORDS = "words"


def layout(own: int) -> tuple[tuple[Part, int], ...]:
    """The lines of the panel from the top, each with its player, 0 or 1; the keys are below `own` pieces."""
    lines: list[tuple[Part, int]] = []
    for player in range(2):
        lines += [(part, player) for part in (Part.NAME, Part.UPPER, Part.LOWER)]
        if player == own:
            lines.append((Part.KEYS, player))
    return (*lines, (Part.WORDS, own))


def drawn(piece: str, orientation: int) -> set[tuple[int, int]]:
    """The cells (column, line) of a piece, turned further if need be so that it takes at most two lines."""
    steps = ORIENTATIONS[piece][lying(piece, orientation) - 1]
    left, top = min(x for x, _ in steps), max(y for _, y in steps)
    return {(x - left, top - y) for x, y in steps}


class HandsPanel(Widget):
    """The first player's hand above the second's, each with its owner's name.

    The keys of the pieces are below one's own hand. The pieces of the mover's hand can be clicked, and so
    can the words on the last line.
    """

    DEFAULT_CSS = f"""
    HandsPanel {{ width: 1fr; height: {len(layout(0))}; margin-bottom: 1; }}
    """

    _board: TetrominoBoard | None = None
    _shown: tuple[object, ...] = ()
    _names = ("", "")
    _base = Style.null()

    own = 0
    """The player whose pieces have their keys below them: the only person, else whoever moves."""

    def show(self, board: TetrominoBoard, match: Match | None = None) -> None:
        """Show the hands of the position on a board and what is chosen there; without a match in a lesson."""
        if match is None:
            own = board.view.first.turn
            names = tuple("You" if seat == own else "The other side" for seat in range(2))
        else:
            people = [seat for seat, notation in enumerate(match.seats) if notation == HUMAN]
            own = people[0] if len(people) == 1 else board.position.turn
            names = tuple(f"{seat_name(match, seat)}{seat_notes(match, seat)}" for seat in range(2))
        over = match is not None and match.result is not None
        shown = (
            board.position,
            board.piece,
            dict(board.orientations),
            board.dead_shown,
            board.view.values,
            board.glyphs,
            self.app.theme,
            own,
            names,
            over,
        )
        if shown != self._shown:
            self._board, self._shown = board, shown
            self.own, self._names = own, (names[0], names[1])
            self._over = over
            self.refresh()

    _over = False

    @property
    def _gap(self) -> int:
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
        # Asked once a line: to find it takes longer than to draw with it.
        self._base = self.rich_style
        segments: list[Segment] = []
        if self._board is not None:
            part, player = layout(self.own)[y]
            if part is Part.NAME:
                segments = self._owner(self._board, player)
            elif part is Part.KEYS:
                segments = self._keys(self._board, player)
            elif part is Part.WORDS:
                segments = self._words(self._board)
            else:
                segments = self._hand(self._board, player, int(part is Part.LOWER))
        return Strip(segments).adjust_cell_length(self.size.width, self._base)

    def _blank(self, width: int) -> Segment:
        return Segment(" " * width, self._base)

    def _segment(self, text: str, colour: str, bold: bool = False) -> Segment:
        return Segment(text, ink(self.app.theme_variables[colour], self._base.bgcolor, bold))

    def _owner(self, board: TetrominoBoard, player: int) -> list[Segment]:
        moving = player == board.position.turn and not self._over
        sign = board.glyphs.turn if moving else " "
        return [
            self._segment(f"{sign} {SIDES[player]:<8}", "primary" if moving else "faint", moving),
            self._segment(self._names[player], "foreground", moving),
        ]

    def _hand(self, board: TetrominoBoard, player: int, line: int) -> list[Segment]:
        """A line of a player's pieces; those that are used are dim."""
        position = board.position
        moving = player == position.turn
        held = pieces_in(position.hands[player])
        segments: list[Segment] = []
        for piece, width in SLOTS.items():
            taken = moving and piece == board.piece
            cells = drawn(piece, board.orientations[piece] if player == self.own else 1)
            ground = Color.parse(IN_HAND[player] if taken else GROUNDS[player][piece])
            for column in range(width // 2):
                if (column, line) not in cells:
                    segments.append(self._blank(2))
                elif piece in held:
                    segments.append(Segment("[]", ink(DARK, ground, taken)))
                else:
                    back = Color.parse(self.app.theme_variables["surface"])
                    dim = ink(mixed(back, ground, 0.5), mixed(back, ground, 0.15))
                    segments.append(Segment(board.glyphs.dot.ljust(2), dim))
            segments.append(self._blank(self._gap))
        return segments

    def _keys(self, board: TetrominoBoard, player: int) -> list[Segment]:
        """The keys of a player's pieces; with the overlay on also the best that each can reach."""
        moving = player == board.position.turn
        held = pieces_in(board.position.hands[player])
        best: dict[str, Verdict] = {}
        for each in board.view.values if moving else ():
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
            taken = moving and piece == board.piece
            sign = board.glyphs.turn if taken else " "
            segments.append(self._segment(f"{sign}{number} ", "primary", taken))
            segments.append(self._segment(piece, "foreground", taken))
            verdict = best.get(piece)
            mark = board.glyphs.verdict(verdict) if verdict else ""
            if verdict and len(mark) > room - 4:
                mark = board.glyphs.value(verdict.value)
            colour = verdict.value.value if verdict and verdict.value else "faint"
            segments.append(self._segment(mark.ljust(room - 4), colour))
        return segments

    def _words(self, board: TetrominoBoard) -> list[Segment]:
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
        board = self._board
        lines = layout(self.own)
        if board is None or not 0 <= y < len(lines):
            return ""
        part, player = lines[y]
        if part is Part.WORDS:
            end = 0
            for word, action in WORDS:
                if x < end + len(word):
                    return action if x >= end else ""
                end += len(word) + 2
            return ""
        if part is Part.NAME:
            return ""
        piece = self.piece_at(x)
        if player != board.position.turn or piece not in tuple(pieces_in(board.position.hands[player])):
            return ""
        return "turn_over" if piece == board.piece else f"take('{piece}')"

    def on_click(self, event: events.Click) -> None:
        self._ask(self.action_at(event.x, event.y))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._ask("rotate(1)")

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._ask("rotate(-1)")

    def _ask(self, action: str) -> None:
        if action and self._board is not None:
            self.call_later(self._board.run_action, action)
