"""The editor that sets up a position of Hexapawn and begins a match from it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical

from arcade.engines.game import InputError
from arcade.engines.hexapawn import GAME
from arcade.engines.hexapawn.course import read_course
from arcade.engines.hexapawn.editing import check, put, resized
from arcade.engines.hexapawn.rules import Board
from arcade.engines.registry import GameID, parse_game_id
from arcade.match import Match, check_seat
from arcade.screens.base import ArcadeScreen
from arcade.screens.match import MatchScreen
from arcade.screens.prompt import Prompt
from arcade.widgets.board import BoardView
from arcade.widgets.key_footer import KeyFooter
from arcade.widgets.setup_board import SetupBoard
from arcade.widgets.setup_panel import SetupPanel
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
        Binding(
            "plus,equals_sign",
            "resize(1, 0)",
            "Rows +",
            show=False,
            key_display="+",
            tooltip="A row more",
        ),
        Binding("minus", "resize(-1, 0)", "Rows -", show=False, key_display="-", tooltip="A row less"),
        Binding(
            "full_stop",
            "resize(0, 1)",
            "Columns +",
            show=False,
            key_display=".",
            tooltip="A column more",
        ),
        Binding("comma", "resize(0, -1)", "Columns -", show=False, key_display=",", tooltip="A column less"),
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
                yield SetupPanel(id="controls")
        yield KeyFooter()

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
        self.query_one(SetupPanel).show(self.pawns, self.start, self.arcade.glyphs)

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
        self._walk(self._past, self._future, "There is nothing to take back.")

    def action_redo(self) -> None:
        """Make the change again that was taken back."""
        self._walk(self._future, self._past, "There is nothing to make again.")

    def _walk(self, there: list[Board], back: list[Board], nothing: str) -> None:
        """Go to the last of one row of positions, and put this one at the end of the other row."""
        if not there:
            self.notify(nothing)
            return
        back.append(self.pawns)
        self.pawns = there.pop()
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

        self.arcade.open(Prompt("Position", f"for example {self.pawns.text()}", read_position), typed)

    def action_copy(self) -> None:
        """Copy the position as a game ID."""
        self.app.copy_to_clipboard(str(self.start))
        self.notify("The position is copied as a game ID.")

    def action_play(self) -> None:
        """Begin a match from here, with the seats of the match below as far as they can be taken."""
        good, sentence = check(self.pawns)
        if not good:
            self.notify(sentence, severity="warning")
            return
        start = self.start
        seats, notes = [], []
        for seat, who in enumerate(self.below.match.seats):
            try:
                check_seat(GAME, start.parameters, seat, who, self.arcade.machines)
            except InputError as error:
                notes.append(f"{error} {GAME.best_player.capitalize()} takes the seat.")
                who = GAME.best_player
            seats.append(who)
        self.action_leave()
        self.below.begin(Match(start, seats, self.arcade.machines, self.below.match.seed))
        for note in notes:
            self.app.notify(note, severity="warning")
