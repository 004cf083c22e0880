"""Pictures of matches, drawn by the game's board without a terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.widgets import Static

from arcade.engines.verdict import MoveVerdict
from arcade.play.keymap import DEFAULT_KEYS
from arcade.play.match import HUMAN, Mark, Match
from arcade.play.punishment import Still
from arcade.play.scene import BoardScene, EndScene, Scene, VerdictScene, scene_of, still_board
from arcade.play.state import State
from arcade.screens.games import screen_class
from arcade.screens.svg import Frame
from arcade.textual_fixes import check_variables
from arcade.widgets.board import Board
from arcade.widgets.glyphs import glyphs_of
from arcade.widgets.panels import MARK_COLOURS, PlyRows, SeatsPanel, ValueGraph
from arcade.widgets.tables import ScoreGraph
from arcade.widgets.themes import THEMES

AREA = Size(80, 24)
"""Maximum columns and lines of a board, unless the board needs more."""

BOARD_AREA, SIDE = Size(48, 21), 38
"""Maximum area of a board beside panels, and the panels' width in columns."""

HEIGHTS = (14, 22)
"""Minimum and maximum lines of a match. A board may need more."""

WORDS = 7

MOVE, MISTAKE, END = 1.0, 3.0, 6.0
"""Seconds for which a move, a mistake and the end are shown."""

REPLAY = State(keys=DEFAULT_KEYS, replaying=True)


class BoardImage(App[list[Frame]]):
    CSS = f"""
    #side {{ width: {SIDE}; padding: 0 0 0 2; }}
    #words {{ height: auto; min-height: {WORDS}; padding: 1 0; }}
    PlyRows {{ scrollbar-size-vertical: 0; }}
    #marks {{ height: auto; padding: 0 0 1 0; }}
    """
    AUTO_FOCUS: ClassVar[str | None] = None
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, board: Board, theme: str, ascii: bool) -> None:
        check_variables()
        # Textual would load the driver named in TEXTUAL_DRIVER.
        super().__init__(driver_class=HeadlessDriver)
        self.board = board
        self.ascii = ascii
        self.frames: list[Frame] = []
        for known in THEMES:
            self.register_theme(known)
        self.theme = f"arcade-{theme}"
        self.steps = self.scenes()

    def compose(self) -> ComposeResult:
        yield self.board

    def scenes(self) -> Iterator[float]:
        """Prepare each frame and yield its duration in seconds."""
        yield END

    def drawn(self, size: Size) -> list[Frame]:
        self.run(headless=True, size=(size.width, size.height))
        if not self.frames:
            raise RuntimeError("The board could not be drawn.")
        return self.frames

    def on_ready(self) -> None:
        if self.board.fit(self.board.size) is None:
            self.exit()
        else:
            self._next()

    def _next(self) -> None:
        seconds = next(self.steps, None)
        if seconds is None:
            self.exit()
        else:
            self.call_after_refresh(self._take, seconds)

    def _take(self, seconds: float) -> None:
        self.frames.append(Frame.of(self.screen, seconds))
        self._next()

    @property
    def ground(self) -> str:
        return self.theme_variables["background"].lower()


class MatchDrawing(BoardImage):
    def __init__(self, match: Match, theme: str, ascii: bool) -> None:
        self.match = match.copied()
        while self.match.undo():
            pass
        super().__init__(_board(self.match), theme, ascii)

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield self.board
            with Vertical(id="side"):
                yield SeatsPanel(id="seats")
                yield Static(id="words")
                yield Static(id="marks")
                yield ValueGraph() if self.board.view.points is None else ScoreGraph()

    def scenes(self) -> Iterator[float]:
        match, board = self.match, shown_board(self.match)
        yield self._show(scene_of(match, REPLAY))
        while match.redo():
            scene = scene_of(match, REPLAY)
            if scene.moves[scene.shown - 1].board == board or not match.undone:
                yield self._show(scene)

    def _show(self, scene: Scene) -> float:
        glyphs = glyphs_of(self)
        self.board.show(_shown(self.match, scene))
        self.query_one(SeatsPanel).show(scene.players)
        self.query_one(PlyRows).show(scene, marked=True)
        played = scene.moves[: scene.shown]
        words = Content.styled(scene.title, "bold")
        if isinstance(scene.verdict, EndScene):
            end = scene.verdict
            told = [(end.result, "bold"), *((text, "") for text in (end.turning, end.played) if text)]
            words = Content("\n").join(Content.styled(*each) for each in told)
        elif played:
            last = played[-1]
            said = scene.verdict.comment if isinstance(scene.verdict, VerdictScene) else ""
            head = f"{last.number}. {last.words} {glyphs.mark(last.mark)}"
            words = Content.assemble((head, _style(last.mark)), "\n", said)
        self.query_one("#words", Static).update(words)
        signs = [(glyphs.mark(move.mark), _style(move.mark)) for move in played]
        self.query_one("#marks", Static).update(Content.assemble(*signs))
        if scene.shown == len(scene.moves):
            return END
        return MISTAKE if played and played[-1].mark and played[-1].mark.bad else MOVE


class PunishmentDrawing(BoardImage):
    def __init__(self, match: Match, stills: Sequence[Still], theme: str, ascii: bool) -> None:
        self.match = match
        self.stills = stills
        board: Board = screen_class(match.game.name).BOARD(still_board(match, stills[0]))
        super().__init__(board, theme, ascii)

    def scenes(self) -> Iterator[float]:
        for still in self.stills:
            self.board.show(still_board(self.match, still))
            yield still.seconds


def _style(mark: Mark | None) -> str:
    return f"bold ${MARK_COLOURS.get(mark, 'faint')}"


def _shown(match: Match, scene: Scene) -> BoardScene:
    return replace(scene.boards[shown_board(match)], own=False, review=False)


def _board(match: Match, values: Sequence[MoveVerdict[Any]] = ()) -> Board:
    scene = scene_of(match, State(keys=DEFAULT_KEYS))
    board: Board = screen_class(match.game.name).BOARD(
        replace(_shown(match, scene), values=tuple(values), lengths=True)
    )
    return board


def render_image(
    match: Match, values: Sequence[MoveVerdict[Any]] = (), theme: str = "dark", ascii: bool = False
) -> tuple[list[Frame], str]:
    """Draw a position in the theme "dark" or "light". Return its frame and the background colour."""
    app = BoardImage(_board(match, values), theme, ascii)
    return app.drawn(app.board.size_in(AREA)), app.ground


def render_animation(match: Match, theme: str = "dark", ascii: bool = False) -> tuple[list[Frame], str]:
    app = MatchDrawing(match, theme, ascii)
    board = app.board.size_in(BOARD_AREA)
    fewest, most = HEIGHTS
    height = max(board.height, min(len(match.line) + WORDS + 6, most), fewest)
    return app.drawn(Size(board.width + SIDE, height)), app.ground


def render_punishment(
    match: Match, stills: Sequence[Still], theme: str = "dark", ascii: bool = False
) -> tuple[list[Frame], str]:
    app = PunishmentDrawing(match, stills, theme, ascii)
    return app.drawn(app.board.size_in(AREA)), app.ground


def shown_board(match: Match) -> int:
    return match.board_of(match.seats.index(HUMAN)) if HUMAN in match.seats else 0
