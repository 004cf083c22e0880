"""A position as a picture, drawn by its board without a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.console import Console
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.widget import Widget

from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.verdict import MoveVerdict
from arcade.match.match import HUMAN, Match
from arcade.screens.games import screen_class
from arcade.terminal.painter import whole
from arcade.terminal.themes import THEMES
from arcade.widgets.board import Board, BoardView

AREA = Size(80, 24)
"""Columns and lines that a board takes at most, unless it needs more."""

FONTS = '"Fira Code", "DejaVu Sans Mono", Menlo, Consolas, monospace'
"""Fonts of a picture; the reader's own, nothing is loaded."""

COLUMN, LINE, MARGIN = 12.2, 24.4, 12
"""The size of a character and the margin in a picture; the first two are those of Rich's export."""

_FORMAT = """\
<svg viewBox="0 0 @WIDTH@ @HEIGHT@" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: @FONTS@; font-size: {char_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="@WIDTH@" height="@HEIGHT@" fill="@GROUND@"/>
<g transform="translate(@MARGIN@, @MARGIN@)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


class Drawing(App[Console]):
    CSS_PATH = "../widgets/widgets.tcss"
    AUTO_FOCUS: ClassVar[str | None] = None
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, widget: Widget, theme: str, ascii: bool) -> None:
        super().__init__()
        self.widget = widget
        self.ascii = ascii
        for known in THEMES:
            self.register_theme(known)
        self.theme = f"arcade-{theme}"

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_ready(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        width, height = self.size
        console = Console(
            width=width,
            height=height,
            file=io.StringIO(),
            force_terminal=True,
            color_system="truecolor",
            legacy_windows=False,
            record=True,
        )
        console.print(whole(self.screen))
        self.exit(console)


class Picture:
    """The position of a match, in a race on the person's board or the first; themes: "dark", "light"."""

    def __init__(
        self, match: Match, values: Sequence[MoveVerdict[Any]] = (), theme: str = "dark", ascii: bool = False
    ) -> None:
        seat = shown_seat(match)
        duel = match.game.kind is Kind.DUEL
        own = [ply.move for ply in match.plies if duel or ply.seat == seat]
        view = BoardView(
            match.position_of(seat), match.first, values=tuple(values), last=own[-1] if own else None
        )
        board: Board = screen_class(match.game.name).BOARD(view)
        app = Drawing(board, theme, ascii)
        self.size = board.size_in(AREA)
        drawn = app.run(headless=True, size=(self.size.width, self.size.height))
        if drawn is None:
            raise RuntimeError("The board could not be drawn.")
        self._ground = app.theme_variables["background"]
        self._console = drawn

    def text(self) -> str:
        lines = [line.rstrip() for line in self._console.export_text(clear=False).splitlines()]
        return "\n".join(lines).strip("\n") + "\n"

    def svg(self, fonts: str = FONTS) -> str:
        frame = _FORMAT
        facts = {
            "WIDTH": f"{self.size.width * COLUMN + 2 * MARGIN:g}",
            "HEIGHT": f"{self.size.height * LINE + 2 * MARGIN:g}",
            "FONTS": fonts,
            "GROUND": self._ground,
            "MARGIN": str(MARGIN),
        }
        for name, fact in facts.items():
            frame = frame.replace(f"@{name}@", fact)
        return self._console.export_svg(title="", clear=False, code_format=frame)

    def png(self) -> bytes:
        """The picture as PNG; raises InputError where the package that draws it is missing."""
        try:
            import cairosvg
        except (ImportError, OSError):
            # It raises OSError where the system has no cairo library.
            raise InputError(
                "A picture as .png needs the package cairosvg: pip install 'solver-arcade[png]'. "
                "One as .svg needs nothing."
            ) from None
        # It looks for the first font only.
        made: bytes = cairosvg.svg2png(self.svg("monospace").encode())
        return made


def shown_seat(match: Match) -> int:
    return match.seats.index(HUMAN) if HUMAN in match.seats and match.game.kind is Kind.RACE else 0
