"""The editor that sets up a position of Hexapawn and begins a match from it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Footer, Static

from arcade.engines.game import InputError
from arcade.engines.hexapawn import GAME
from arcade.engines.hexapawn.course import read_course
from arcade.engines.hexapawn.rules import Board, size_flaw
from arcade.engines.registry import GameID, parse_game_id
from arcade.match import Match
from arcade.screens.base import ArcadeScreen
from arcade.screens.match import MatchScreen
from arcade.screens.prompt import Prompt
from arcade.widgets.board import BoardView, Cell
from arcade.widgets.pawn_board import PawnGrid
from arcade.widgets.title_bar import TitleBar

_HELP = """\
# Set up a position

Move the cursor and press **Enter**, or click a square: it becomes White's pawn, then Black's, then empty.
**1**, **2** and **0** put one of these at once. Everything on the right can be clicked as well.

A position can be **pasted** here, or typed after **o**: as the arcade writes it (`.p.p/pP../..PP:w`, rows
from the top, `P` White's and `p` Black's pawns), as a game ID, as rows on lines of their own, or in the
format of the course's files.

**p** plays from the position, with the seats of the match that you came from.
"""

_WIDEST = 10
"""Characters of the longest word on a button."""
_KEYS_AT = 14
"""Columns from the beginning of a row's button to its keys."""

_NEXT = {".": "P", "P": "p", "p": "."}


def put(board: Board, row: int, column: int, pawn: str) -> Board:
    """The board with "P", "p" or "." on a square, row and column counted from 0."""
    bit = 1 << row * board.columns + column
    white, black = board.white & ~bit, board.black & ~bit
    return replace(board, white=white | bit * (pawn == "P"), black=black | bit * (pawn == "p"))


def resized(board: Board, rows: int, columns: int) -> Board:
    """The board with other numbers of rows and columns: a full one stays full, else a1 stays where it is.

    Raises:
        InputError: there is no board of that size.
    """
    flaw = size_flaw(rows, columns)
    if flaw is not None:
        raise InputError(flaw)
    full = Board.full(board.rows, board.columns)
    if (board.white, board.black) == (full.white, full.black):
        full = Board.full(rows, columns)
        return replace(board, rows=rows, columns=columns, white=full.white, black=full.black)
    new = replace(board, rows=rows, columns=columns, white=0, black=0)
    for side, pawn in enumerate("Pp"):
        for row, column in board.pawns(side):
            if row < rows and column < columns:
                new = put(new, row, column, pawn)
    return new


def read_position(text: str) -> Board:
    """A position as it may be pasted: as the arcade writes it, a game ID, rows on lines, or a course's file.

    Raises:
        InputError: which part is bad and what was expected.
    """
    lines = text.strip("\n").splitlines() or [""]
    if len(lines) > 1 and lines[0].strip().isdecimal():
        return read_course("\n".join(lines))
    joined = "/".join(line.strip() for line in lines)
    if joined.startswith(f"{GAME.name}:"):
        position = parse_game_id(joined).start()
        assert isinstance(position, Board)
        return position
    return GAME.parse_position(joined)


def check(board: Board) -> tuple[bool, str]:
    """Whether a match can begin from a position, and the sentence that says why not or who has what to do."""
    flaw = board.flaw()
    if flaw is not None:
        return False, flaw
    side = GAME.sides[board.turn]
    if board.reached() is not None:
        return False, f"{GAME.sides[1 - board.turn]} has reached the last row: the game would be over."
    moves = len(board.moves())
    if not moves:
        return False, f"{side} to move has no move: the game would be over."
    return True, f"{side} to move, with {moves} move{'s' * (moves != 1)}."


def _click(action: str) -> Style:
    return Style.from_meta({"@click": f"screen.{action}"})


def _button(text: str, action: str, style: str = "$foreground on $panel-lighten-1") -> Content:
    return Content.styled(f" {text} ", style).stylize(_click(action))


def _row(name: str, *parts: Content | str, keys: str) -> Content:
    control = Content.assemble(*parts)
    space = " " * max(1, _KEYS_AT - control.cell_length)
    return Content.assemble((f"{name:<10}", "$faint"), control, space, (keys, "$faint"))


def _stepper(name: str, value: int, less: str, more: str, keys: str) -> Content:
    """A row with a number and what makes it smaller and larger."""
    return _row(name, _button("-", less), f" {value:>2}  ", _button("+", more), keys=keys)


def _switch(name: str, value: str, action: str, key: str) -> Content:
    """A row with a choice that a click, or a key, changes."""
    return _row(name, _button(f"{value:<{_WIDEST}}", action), keys=key)


def _actions(*actions: tuple[str, str, str]) -> Content:
    """A row of what can be done: each with its words and key."""
    parts = []
    for action, words, key in actions:
        parts += [_button(f"{words:<{_WIDEST}}", action), Content.styled(f" {key}  ", "$faint")]
    return Content.assemble(*parts)


class SetupBoard(PawnGrid):
    """The board whose squares are changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", "Change", key_display="Enter", tooltip="Change the square"),
        Binding("1", "put('P')", "White", tooltip="Put a pawn of White's"),
        Binding("2", "put('p')", "Black", tooltip="Put a pawn of Black's"),
        Binding("0,delete,backspace", "put('.')", "Remove", tooltip="Remove the pawn"),
    ]

    class Edited(Message):
        """A person puts something on a square."""

        def __init__(self, row: int, column: int, pawn: str) -> None:
            super().__init__()
            self.row = row
            self.column = column
            self.pawn = pawn
            """"P", "p" or "."."""

    def chosen(self, cell: Cell) -> None:
        """Change what is on a cell: nothing, White's pawn, Black's."""
        self._put(cell, _NEXT[self.pawns.square(*self.square_of(cell))])

    def action_put(self, pawn: str) -> None:
        """Put a pawn, or nothing, on the cell under the cursor."""
        self._put(self.cursor, pawn)

    def _put(self, cell: Cell, pawn: str) -> None:
        self.post_message(self.Edited(*self.square_of(cell), pawn))


class SetupScreen(ArcadeScreen):
    """Sets up a position; what it begins is played on the match screen below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "play", "Play", tooltip="Play from this position"),
        Binding("t", "turn", "Turn", show=False, tooltip="Let the other side move"),
        Binding("f", "fill", "Full", show=False, tooltip="Fill both first rows"),
        Binding("x", "clear", "Clear", show=False, tooltip="Remove all pawns"),
        Binding("o", "type", "Type", show=False, tooltip="Type or paste a position"),
        Binding("u", "undo", "Undo", show=False, tooltip="Take the last change back"),
        Binding("r", "redo", "Redo", show=False, tooltip="Make the change again"),
        Binding("plus,equals_sign", "resize(1, 0)", "More rows", show=False, key_display="+"),
        Binding("minus", "resize(-1, 0)", "Fewer rows", show=False, key_display="-"),
        Binding("full_stop", "resize(0, 1)", "More columns", show=False, key_display="."),
        Binding("comma", "resize(0, -1)", "Fewer columns", show=False, key_display=","),
        Binding("m", "vary('misere')", "Misère", show=False, tooltip="Misère on or off"),
        Binding("c", "vary('capture')", "Capture", show=False, tooltip="Compulsory capture on or off"),
        Binding("y", "copy", "Copy", show=False, tooltip="Copy the position as a game ID"),
        Binding("escape", "leave", "Leave", show=False),
    ]

    def __init__(self, below: MatchScreen) -> None:
        super().__init__()
        position = below.match.position
        assert isinstance(position, Board)
        self.below = below
        self.pawns = position
        self._past: list[Board] = []
        self._future: list[Board] = []

    def compose(self) -> ComposeResult:
        """The board and, beside it, everything else that makes a position."""
        yield TitleBar()
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield SetupBoard(BoardView(self.pawns, self.pawns), id="setup")
            with Vertical(id="side"):
                yield Static(id="controls")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Show what the match has on its board."""
        self.query_one(SetupBoard).focus()
        self.show()

    def help_rules(self) -> str:
        """What can be done here."""
        return _HELP

    # What is on show.

    @property
    def start(self) -> GameID:
        """The game ID of the position."""
        parameters = GAME.parameters_of(self.pawns)
        first = self.pawns == GAME.new(parameters)
        return GameID(GAME, parameters, None if first else self.pawns.text())

    def show(self) -> None:
        """Bring everything on the screen up to date."""
        self.query_one(SetupBoard).show(BoardView(self.pawns, self.pawns))
        self.query_one(TitleBar).show("Hexapawn: set up a position", self.pawns.size)
        self.query_one("#controls", Static).update(Content("\n").join(self._lines()))

    def _lines(self) -> list[Content]:
        board = self.pawns
        good, sentence = check(board)
        captures = "compulsory" if board.capture else "free"
        lines = [
            Content(),
            _stepper("Rows", board.rows, "resize(-1, 0)", "resize(1, 0)", "- +"),
            _stepper("Columns", board.columns, "resize(0, -1)", "resize(0, 1)", ", ."),
            _switch("To move", GAME.sides[board.turn], "turn", "t"),
            _switch("Misère", "on" if board.misere else "off", "vary('misere')", "m"),
            _switch("Captures", captures, "vary('capture')", "c"),
            Content(),
            _actions(("fill", "Full board", "f"), ("clear", "Clear", "x")),
            _actions(("undo", "Undo", "u"), ("redo", "Redo", "r")),
            _actions(("type", "Type", "o"), ("copy", "Copy", "y")),
            Content(),
            Content.assemble((sentence, "bold $win" if good else "bold $error")),
        ]
        if good:
            button = _button(f"{self.arcade.glyphs.turn} Play from here", "play", "bold on $primary 35%")
            lines += [Content(), Content.assemble(button, ("  p", "$faint"))]
        return [*lines, Content(), Content.assemble((str(self.start), "$faint"))]

    # What changes the position.

    def change(self, board: Board) -> None:
        """Go on with another position."""
        if board != self.pawns:
            self._past.append(self.pawns)
            self._future.clear()
            self.pawns = board
            self.show()

    def on_setup_board_edited(self, message: SetupBoard.Edited) -> None:
        """A square was changed."""
        self.change(put(self.pawns, message.row, message.column, message.pawn))

    def action_turn(self) -> None:
        """Let the other side move."""
        self.change(replace(self.pawns, turn=1 - self.pawns.turn))

    def action_fill(self) -> None:
        """Both sides' first rows full of pawns, and nothing else."""
        full = Board.full(self.pawns.rows, self.pawns.columns)
        self.change(replace(self.pawns, white=full.white, black=full.black))

    def action_clear(self) -> None:
        """Remove all pawns."""
        self.change(replace(self.pawns, white=0, black=0))

    def action_vary(self, variant: str) -> None:
        """Turn a variant on or off."""
        if variant == "misere":
            self.change(replace(self.pawns, misere=not self.pawns.misere))
        else:
            self.change(replace(self.pawns, capture=not self.pawns.capture))

    def action_resize(self, rows: int, columns: int) -> None:
        """So many rows and columns more."""
        try:
            self.change(resized(self.pawns, self.pawns.rows + rows, self.pawns.columns + columns))
        except InputError as error:
            self.notify(str(error), severity="warning")

    def action_undo(self) -> None:
        """Take the last change back."""
        if not self._past:
            self.notify("There is nothing to take back.")
            return
        self._future.append(self.pawns)
        self.pawns = self._past.pop()
        self.show()

    def action_redo(self) -> None:
        """Make the change again that was taken back."""
        if not self._future:
            self.notify("There is nothing to do again.")
            return
        self._past.append(self.pawns)
        self.pawns = self._future.pop()
        self.show()

    def read(self, text: str) -> None:
        """Go on with a position given as text, or say what is wrong with it."""
        try:
            self.change(read_position(text))
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=10)

    def on_paste(self, event: events.Paste) -> None:
        """A position was pasted."""
        event.stop()
        self.read(event.text)

    def action_type(self) -> None:
        """Type or paste a position."""

        def typed(text: str | None) -> None:
            if text:
                self.read(text)

        self.app.push_screen(Prompt("Position", f"for example {self.pawns.text()}"), typed)

    def action_copy(self) -> None:
        """Copy the position as a game ID."""
        self.app.copy_to_clipboard(str(self.start))
        self.notify("The position is copied as a game ID.")

    def action_play(self) -> None:
        """Begin a match from here, with the seats of the match below."""
        good, sentence = check(self.pawns)
        if not good:
            self.notify(sentence, severity="warning")
            return
        match = Match(self.start, self.below.match.seats)
        self.app.pop_screen()
        self.below.begin(match)
