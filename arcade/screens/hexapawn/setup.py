"""The screen for setting up a Hexapawn position."""

from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content

from arcade.engines.files import InputError
from arcade.engines.hexapawn.course import check, put, read_course, resized
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.registry import GameID, parse_game_id
from arcade.engines.wording import capitalize
from arcade.play.keymap import default_key
from arcade.play.match import check_seat, new_match
from arcade.play.scene import BoardScene, Cell
from arcade.play.session import Session
from arcade.screens.base import ArcadeScreen, reporting
from arcade.screens.dialogs import Prompt
from arcade.screens.hexapawn.board import PawnGrid
from arcade.widgets.forms import Dial, Dials
from arcade.widgets.keys import Shortcuts, TitleBar, shortcut, shortcut_line

_NEXT = {".": "P", "P": "p", "p": "."}


class SetupBoard(PawnGrid):
    """The board to set up. A move is a row, a column and the new content: "P", "p" or "."."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", "Change", key_display="Enter", tooltip="Change the square"),
        Binding("1", "put('P')", "White", tooltip="Place a white pawn"),
        Binding("2", "put('p')", "Black", tooltip="Place a black pawn"),
        Binding("0", "put('.')", "Remove", tooltip="Remove the pawn"),
        Binding(
            default_key("delete"), "put('.')", "Remove", show=False, tooltip="Remove the pawn", id="delete"
        ),
    ]

    DOUBLE_CLICKS = True

    def chosen(self, cell: Cell) -> None:
        self._put(cell, _NEXT[self.position.square(*self.square_of(cell))])

    def action_put(self, pawn: str) -> None:
        self._put(self.cursor, pawn)

    def _put(self, cell: Cell, pawn: str) -> None:
        self.post_message(self.Play(self, (*self.square_of(cell), pawn)))


HELP = """\
# Set up a position

Move the cursor and press **Enter**, or click a square: it becomes White's pawn, then Black's, then empty.
**1**, **2** and **0** place one of these directly. You can also click everything on the right.

You can also **paste** a position here, or choose *Type* in the list of commands. Write it in the arcade's
notation (`.p.p/pP../..PP:w`): rows from the top, `P` for White's pawns and `p` for Black's. A game ID, one
row per line, and the format of the course's files work too.

**{pause}** starts a match from the position, with the same players as before.
"""

ACTIONS = (
    (("fill", "full board"), ("clear", "clear")),
    (("undo", "undo"), ("forward", "redo", "redo")),
    (("type", "type a position"), ("copy", "copy")),
)


def read_position(text: str) -> PawnPosition:
    """Read a position from notation, a game ID, rows or a course file. Raises InputError if it is invalid."""
    lines = text.strip("\n").splitlines() or [""]
    if len(lines) > 1 and lines[0].strip().isdecimal():
        return read_course("\n".join(lines))
    joined = "/".join(line.strip() for line in lines)
    if joined.startswith(f"{GAME.name}:"):
        position = parse_game_id(joined).start()
        assert isinstance(position, PawnPosition)
        return position
    return GAME.parse_position(joined)


class SetupScreen(ArcadeScreen):
    CSS = """
    SetupScreen Dials { margin: 1 0; }
    SetupScreen #controls { height: auto; }
    SetupScreen.-narrow KeyFooter { height: 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("pause"), "play", "Play", tooltip="Play from this position", id="pause"),
        Binding(
            default_key("turn"), "turn", "Turn", show=False, tooltip="Let the other side move", id="turn"
        ),
        Binding(default_key("fill"), "fill", "Full", show=False, tooltip="Fill both home rows", id="fill"),
        Binding(default_key("clear"), "clear", "Clear", show=False, tooltip="Remove all pawns", id="clear"),
        Binding(
            default_key("type"), "type", "Type", show=False, tooltip="Type or paste a position", id="type"
        ),
        Binding(default_key("undo"), "undo", "Undo", tooltip="Undo the last change", id="undo"),
        Binding(default_key("forward"), "redo", "Redo", tooltip="Redo the change", id="forward"),
        Binding(
            default_key("more_rows"),
            "resize(1, 0)",
            "Rows +",
            show=False,
            tooltip="Add a row",
            id="more_rows",
        ),
        Binding(
            default_key("fewer_rows"),
            "resize(-1, 0)",
            "Rows -",
            show=False,
            tooltip="Remove the last row",
            id="fewer_rows",
        ),
        Binding(
            default_key("more_columns"),
            "resize(0, 1)",
            "Columns +",
            show=False,
            tooltip="Add a column",
            id="more_columns",
        ),
        Binding(
            default_key("fewer_columns"),
            "resize(0, -1)",
            "Columns -",
            show=False,
            tooltip="Remove the last column",
            id="fewer_columns",
        ),
        Binding(
            default_key("misere"),
            "vary('misere')",
            "Misère",
            show=False,
            tooltip="Misère on or off",
            id="misere",
        ),
        Binding(
            default_key("capture"),
            "vary('capture')",
            "Capture",
            show=False,
            tooltip="Compulsory capture on or off",
            id="capture",
        ),
        Binding(
            default_key("copy"),
            "copy",
            "Copy",
            show=False,
            tooltip="Copy the position as a game ID",
            id="copy",
        ),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        position = session.match.position
        assert isinstance(position, PawnPosition)
        self.session = session
        self.pawns = position
        self._past: list[PawnPosition] = []
        self._future: list[PawnPosition] = []

    def body(self) -> ComposeResult:
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield SetupBoard(self.view(), id="setup")
            with Vertical(id="side"):
                yield Dials()
                yield Shortcuts(id="controls")

    def on_mount(self) -> None:
        self.show()

    @property
    def start(self) -> GameID:
        parameters = GAME.parameters.of(self.pawns)
        return GameID(GAME, parameters, None if self.pawns == GAME.new(parameters) else self.pawns.text())

    def view(self) -> BoardScene:
        return BoardScene(self.pawns, self.pawns, own=True)

    def show(self) -> None:
        self.query_one(SetupBoard).show(self.view())
        self.query_one(TitleBar).show("Hexapawn: set up a position", self.pawns.size)
        self.query_one(Dials).show(
            [
                Dial("rows", "Rows", str(self.pawns.rows)),
                Dial("columns", "Columns", str(self.pawns.columns)),
                Dial("turn", "To move", GAME.sides[self.pawns.turn]),
                Dial("misere", "Misère", "on" if self.pawns.misere else "off"),
                Dial("capture", "Captures", "compulsory" if self.pawns.capture else "optional"),
            ]
        )
        good, sentence = check(self.pawns)
        lines = [shortcut_line(*(shortcut(self.keys, *words) for words in line)) for line in ACTIONS]
        lines += [Content(), Content.styled(sentence, "bold $win" if good else "bold $error")]
        if good:
            lines += [Content(), shortcut_line(shortcut(self.keys, "pause", "play from here", "play"))]
        lines += [Content(), Content.styled(str(self.start), "$faint")]
        self.query_one("#controls", Shortcuts).update(Content("\n").join(lines))

    def change(self, board: PawnPosition) -> None:
        if board != self.pawns:
            self._past.append(self.pawns)
            self._future.clear()
            self.pawns = board
            self.show()

    def on_board_play(self, message: SetupBoard.Play) -> None:
        self.change(put(self.pawns, *message.move))

    def on_dials_turned(self, message: Dials.Turned) -> None:
        if message.name == "turn":
            self.action_turn()
        elif message.name in ("rows", "columns"):
            self.action_resize(**{message.name: message.by})
        else:
            self.action_vary(message.name)

    def action_turn(self) -> None:
        self.change(replace(self.pawns, turn=1 - self.pawns.turn))

    def action_fill(self) -> None:
        full = PawnPosition.full(self.pawns.rows, self.pawns.columns)
        self.change(replace(self.pawns, white=full.white, black=full.black))

    def action_clear(self) -> None:
        self.change(replace(self.pawns, white=0, black=0))

    def action_vary(self, variant: str) -> None:
        self.change(replace(self.pawns, **{variant: not getattr(self.pawns, variant)}))

    def action_resize(self, rows: int = 0, columns: int = 0) -> None:
        self.change(resized(self.pawns, self.pawns.rows + rows, self.pawns.columns + columns))

    def action_undo(self) -> None:
        self._walk(self._past, self._future, "There is nothing to undo.")

    def action_redo(self) -> None:
        self._walk(self._future, self._past, "There is nothing to redo.")

    def _walk(self, there: list[PawnPosition], back: list[PawnPosition], nothing: str) -> None:
        if not there:
            self.notify(nothing, severity="warning")
            return
        back.append(self.pawns)
        self.pawns = there.pop()
        self.show()

    def read(self, text: str) -> None:
        with reporting(self.app):
            self.change(read_position(text))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.read(event.text)

    def action_type(self) -> None:
        self.open(Prompt("Position", f"for example {self.pawns.text()}", read_position), self.read)

    def action_copy(self) -> None:
        self.copy(str(self.start), "Position copied as a game ID.")

    def help_rules(self) -> str:
        return HELP.format(**self.keys.all_named)

    def action_play(self) -> None:
        good, sentence = check(self.pawns)
        if not good:
            self.notify(sentence, severity="warning")
            return
        start = self.start
        seats, notes = [], []
        for seat, who in enumerate(self.session.match.seats):
            try:
                check_seat(GAME, start.parameters, seat, who, self.services.machines)
            except InputError as error:
                notes.append(f"{error} {capitalize(GAME.players.best)} takes the seat.")
                who = GAME.players.best
            seats.append(who)
        self.action_leave()
        self.session.begin(new_match(start, seats, self.services.machines, self.session.match.seed))
        for note in notes:
            self.app.notify(note, severity="warning")
