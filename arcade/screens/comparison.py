"""Methods side by side on the same boards: a row for each as soon as it has finished, and how time grows."""

import time
from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import DataTable, Static

from arcade.engines.reference_methods import SolvingMethod
from arcade.engines.registry import AnyGame, listed_games
from arcade.engines.wording import quantity
from arcade.play.jobs import Job
from arcade.play.keymap import default_key
from arcade.screens.base import ArcadeScreen, already_running
from arcade.screens.dialogs import Prompt
from arcade.study import comparison
from arcade.study.comparison import FOUND, HEADS, NUMBERS, Trial, boards_of, methods_of, size_of
from arcade.widgets.forms import Dial, Dials, next_of
from arcade.widgets.glyphs import ASCII, BAR
from arcade.widgets.keys import TitleBar

LIMITS = (1, 2, 5, 10, 30, 60)
"""Time limits in seconds to choose from."""

TELL_SECONDS = 1.0
"""Least seconds between two reports on one method."""


class ComparisonScreen(ArcadeScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("pause"), "start", "Start", tooltip="Run the methods on the boards", id="pause"),
        Binding("space", "start", "Start", show=False),
        Binding(
            default_key("stop"), "stop", "Stop", tooltip="Stop at once; the finished rows stay", id="stop"
        ),
        Binding(
            default_key("copy"), "copy", "Copy", tooltip="Copy the table and the chart as text", id="copy"
        ),
    ]

    HELP = "Comparing methods"
    ASKED: ClassVar[Mapping[str, str]] = {"compare": "The comparison"}

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.games = [own for own in listed_games() if own.reference_methods().methods]
        self.game = game if game in self.games else self.games[0]
        self.seconds = LIMITS[2]
        self.trials: list[Trial] = []
        self.now = ""
        """What is done now, or how it ended; empty before the first run."""
        self.sizes: Sequence[str] = self.usual

    @property
    def methods(self) -> Sequence[SolvingMethod]:
        return comparison.chosen(self.game, ())

    @property
    def usual(self) -> Sequence[str]:
        return methods_of(self.game).boards

    def body(self) -> ComposeResult:
        with Vertical(id="comparison"):
            yield Dials()
            yield Static(id="now", markup=False)
            yield DataTable[Text](cursor_type="row")
            with VerticalScroll(id="chart", can_focus=True):
                yield Static()

    def on_mount(self) -> None:
        table = self.table
        for number, head in enumerate(HEADS):
            table.add_column(_cell(number, head))

    def on_screen_resume(self) -> None:
        self.show()

    @property
    def table(self) -> DataTable[Text]:
        return self.query_one(DataTable)

    def show_title(self) -> None:
        state = quantity(len(self.trials), "row") if self.trials else ""
        busy = self.services.compiler.status if self.busy else ""
        self.query_one(TitleBar).show(f"Compare  {self.game.title}", state, busy)

    def show(self) -> None:
        if not self.is_mounted or not self.is_active:
            return
        boards = " ".join(self.sizes) or "the only one"
        self.query_one(Dials).show(
            [
                Dial("game", "Game", self.game.title),
                Dial("boards", "Boards", boards, typed=True),
                Dial("seconds", "At most", f"{self.seconds} s for each method on each board"),
            ]
        )
        self.show_title()
        self.show_progress()
        self._show_rows()
        self.query_one("#chart Static", Static).update(self._chart() if self.trials else self._summaries())
        self.refresh_bindings()

    def show_progress(self) -> None:
        work = f"{self.keys.named('pause')} runs {quantity(len(self.methods), 'method')} on each board."
        self.query_one("#now", Static).update(self.now or work)

    def _show_rows(self) -> None:
        table = self.table
        table.display = bool(self.trials)
        known = table.row_count
        if known > len(self.trials):
            table.clear()
            known = 0
        follows = table.cursor_row >= known - 1
        for trial in self.trials[known:]:
            table.add_row(*(_cell(number, text) for number, text in enumerate(comparison.cells(trial))))
        if follows and self.trials[known:]:
            table.move_cursor(row=len(self.trials) - 1)

    def _summaries(self) -> Content:
        lines = [
            Content.assemble((method.name, "bold $primary"), f": {comparison.described(method)}")
            for method in self.methods
        ]
        return Content("\n").join([*lines, *self._found()])

    def _found(self) -> list[Content]:
        found = comparison.found_lines(self.game, self.trials)
        return [Content(), Content.styled(FOUND, "$faint"), *map(Content, found)] if found else []

    def _chart(self) -> Content:
        mark = "#" if self.glyphs is ASCII else BAR
        title, *lines = comparison.chart(self.trials, mark)
        parts = [Content.styled(title, "$faint")]
        for line in lines:
            bars = Content(line).highlight_regex(f"(?<= ){mark}+", style="$primary")
            parts.append(bars if line.startswith(" ") else Content.styled(line, "bold $primary"))
        details = map(Content, comparison.detail_lines(self.trials))
        return Content("\n").join([*parts, *self._found(), *details])

    def on_dials_turned(self, message: Dials.Turned) -> None:
        if self.busy:
            self.notify(already_running("comparison", self.keys), severity="warning")
        elif message.name == "game":
            self.game = next_of(self.games, self.game, message.by)
            self.sizes, self.trials, self.now = self.usual, [], ""
        elif message.name == "boards":
            own = self.sizes != self.usual[: len(self.sizes)]
            count = len(self.usual) if own else len(self.sizes) + message.by
            self.sizes = self.usual[: max(count, 1)]
        else:
            at = LIMITS.index(self.seconds) + message.by
            self.seconds = LIMITS[min(max(at, 0), len(LIMITS) - 1)]
        self.show()

    def on_dials_asked(self) -> None:
        if self.busy:
            self.notify(already_running("comparison", self.keys), severity="warning")
            return

        def answered(text: str) -> None:
            self.sizes = tuple(text.split())
            self.show()

        question = f"Boards of {self.game.title}, from small to large"
        example = f"for example {' '.join(self.usual[:3])}".rstrip()
        self.open(Prompt(question, example, lambda text: boards_of(self.game, text.split())), answered)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "start":
            return not self.busy
        if action == "stop":
            return self.busy
        return bool(self.trials) if action == "copy" else True

    def action_start(self) -> None:
        boards = boards_of(self.game, self.sizes)
        self.trials, self.now = [], "Starting."
        game, seconds, pace = self.game, self.seconds, self.services.settings.pace(TELL_SECONDS)

        def work(job: Job) -> None:
            at, began, told = ("", ""), 0.0, 0.0

            def tell(board: str, method: str) -> None:
                nonlocal at, began, told
                now = time.monotonic()
                if at != (board, method):
                    at, began, told = (board, method), now, 0.0
                if now - told >= pace:
                    told = now
                    job.tell(self._working, board, method, int(now - began))

            if self.services.compiler.wait(game.name, job.control):
                for trial in comparison.compare(game, boards, seconds, job.control, tell):
                    job.tell(self._add, trial)
            job.tell(self._ended, "Stopped: the time is up." if job.control.stopped else "Finished.")

        self.jobs.start("compare", work)
        self.show()

    def _working(self, board: str, method: str, seconds: int) -> None:
        work = f"{method} is at work, {seconds} s of {self.seconds} s."
        self.now = f"{size_of(board)}: {work} {self.keys.named('stop')} stops."
        if self.is_active:
            self.show_progress()

    def _add(self, trial: Trial) -> None:
        self.trials.append(trial)
        self.show()

    def _ended(self, how: str) -> None:
        self.jobs.drop("compare")
        self.now = f"{how} {self.keys.named('pause')} runs it again; Tab goes to the rows and to the chart."
        self.show()

    def failed(self, error: BaseException) -> None:
        super().failed(error)
        self._ended("Stopped.")

    def action_stop(self) -> None:
        if self.busy:
            self._ended("Stopped.")

    def action_copy(self) -> None:
        lines = comparison.report_lines(self.game, self.trials)
        self.copy("\n".join(lines), "The table and the chart are copied as text.")


def _cell(column: int, text: str) -> Text:
    return Text(text, justify="right" if column in NUMBERS else "left")
