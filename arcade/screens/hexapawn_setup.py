"""The board for setting up a Hexapawn position."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from arcade.engines.files import InputError
from arcade.engines.hexapawn import GAME
from arcade.engines.hexapawn.course import check, put, read_course, resized
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.registry import GameID, parse_game_id
from arcade.engines.wording import capital
from arcade.match.match import Match, check_seat
from arcade.screens.base import ArcadeScreen, reporting
from arcade.screens.dialogs import ask
from arcade.session.session import Session
from arcade.widgets.board import BoardView, Cell
from arcade.widgets.glyphs import Glyphs
from arcade.widgets.keys import TitleBar, bindings
from arcade.widgets.pawn_board import PawnGrid

_NEXT = {".": "P", "P": "p", "p": "."}


class SetupBoard(PawnGrid):
    DOUBLE_CLICKS = True

    BINDINGS = bindings("SetupBoard")

    @dataclass
    class Edited(Message):
        row: int
        column: int
        pawn: str
        """"P", "p" or "."."""

    def chosen(self, cell: Cell) -> None:
        self._put(cell, _NEXT[self.pawns.square(*self.square_of(cell))])

    def action_put(self, pawn: str) -> None:
        self._put(self.cursor, pawn)

    def _put(self, cell: Cell, pawn: str) -> None:
        self.post_message(self.Edited(*self.square_of(cell), pawn))


_WIDEST = 10
_KEYS_AT = 14
"""Columns from the start of a row's button to its keys."""


def _button(text: str, action: str, style: str = "$foreground on $panel-lighten-1") -> Content:
    return Content.styled(f" {text} ", style).stylize(Style.from_meta({"@click": f"screen.{action}"}))


def _row(name: str, *parts: Content | str, keys: str) -> Content:
    control = Content.assemble(*parts)
    space = " " * max(1, _KEYS_AT - control.cell_length)
    return Content.assemble((f"{name:<10}", "$faint"), control, space, (keys, "$faint"))


def _stepper(name: str, value: int, less: str, more: str, keys: str) -> Content:
    return _row(name, _button("-", less), f" {value:>2}  ", _button("+", more), keys=keys)


def _switch(name: str, value: str, action: str, key: str) -> Content:
    return _row(name, _button(f"{value:<{_WIDEST}}", action), keys=key)


def _actions(*actions: tuple[str, str, str]) -> Content:
    parts = []
    for action, words, key in actions:
        parts += [_button(f"{words:<{_WIDEST}}", action), Content.styled(f" {key}  ", "$faint")]
    return Content.assemble(*parts)


class SetupPanel(Static):
    def show(self, board: PawnPosition, start: GameID, glyphs: Glyphs) -> None:
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
            button = _button(f"{glyphs.turn} Play from here", "play", "bold on $primary 35%")
            lines += [Content(), Content.assemble(button, ("  p", "$faint"))]
        lines += [Content(), Content.assemble((str(start), "$faint"))]
        self.update(Content("\n").join(lines))


def read_position(text: str) -> PawnPosition:
    """Read the arcade's notation, a game ID, one row per line, or a course's file; raises InputError."""
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
    HELP = "Set up a position"

    BINDINGS = bindings("SetupScreen")

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
                yield SetupPanel(id="controls")

    def on_mount(self) -> None:
        self.query_one(SetupBoard).focus()
        self.show()

    @property
    def start(self) -> GameID:
        parameters = GAME.parameters_of(self.pawns)
        first = self.pawns == GAME.new(parameters)
        return GameID(GAME, parameters, None if first else self.pawns.text())

    def view(self) -> BoardView:
        return BoardView(self.pawns, self.pawns, own=True)

    def show(self) -> None:
        self.query_one(SetupBoard).show(self.view())
        self.query_one(TitleBar).show("Hexapawn: set up a position", self.pawns.size)
        self.query_one(SetupPanel).show(self.pawns, self.start, self.glyphs)

    def change(self, board: PawnPosition) -> None:
        if board != self.pawns:
            self._past.append(self.pawns)
            self._future.clear()
            self.pawns = board
            self.show()

    def on_setup_board_edited(self, message: SetupBoard.Edited) -> None:
        self.change(put(self.pawns, message.row, message.column, message.pawn))

    def action_turn(self) -> None:
        self.change(replace(self.pawns, turn=1 - self.pawns.turn))

    def action_fill(self) -> None:
        full = PawnPosition.full(self.pawns.rows, self.pawns.columns)
        self.change(replace(self.pawns, white=full.white, black=full.black))

    def action_clear(self) -> None:
        self.change(replace(self.pawns, white=0, black=0))

    def action_vary(self, variant: str) -> None:
        self.change(replace(self.pawns, **{variant: not getattr(self.pawns, variant)}))

    def action_resize(self, rows: int, columns: int) -> None:
        self.change(resized(self.pawns, self.pawns.rows + rows, self.pawns.columns + columns))

    def action_undo(self) -> None:
        self._walk(self._past, self._future, "There is nothing to undo.")

    def action_redo(self) -> None:
        self._walk(self._future, self._past, "There is nothing to redo.")

    def _walk(self, there: list[PawnPosition], back: list[PawnPosition], nothing: str) -> None:
        if not there:
            self.notify(nothing)
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
        ask(self, "Position", f"for example {self.pawns.text()}", self.read, read_position)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(str(self.start))
        self.notify("The position was copied as a game ID.")

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
                notes.append(f"{error} {capital(GAME.best_player)} takes the seat.")
                who = GAME.best_player
            seats.append(who)
        self.action_leave()
        self.session.begin(Match(start, seats, self.services.machines, self.session.match.seed))
        for note in notes:
            self.app.notify(note, severity="warning")
