"""Lessons and puzzles: a board with a task beside it."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.registry import AnyGame, listed_games
from arcade.play.jobs import Notice
from arcade.play.keymap import default_key
from arcade.screens.base import ENTER, ENTER_REST, PANEL_KEYS, ArcadeScreen, Dialog
from arcade.screens.games import screen_class
from arcade.screens.navigation import ChoosePuzzles, OpenPuzzles
from arcade.services import Services
from arcade.store.store import PuzzleResult
from arcade.study.daily import Week, strip
from arcade.study.lessons import LessonProgress
from arcade.study.puzzle_generator import GRADES
from arcade.study.puzzles import DAILY, MODES, Mode, PuzzleChoice, PuzzleRun, clock_text, grade_on, today
from arcade.study.scene import Beads, Paragraph, TaskScene, Tone
from arcade.study.session import LessonSession, PuzzleSession, TaskSession
from arcade.widgets.board import Board, bead_colour
from arcade.widgets.forms import next_of
from arcade.widgets.glyphs import dots
from arcade.widgets.keys import Shortcut, Shortcuts, TitleBar, shortcut

LOOKS = {
    Tone.HEADING: "bold $primary",
    Tone.TASK: "bold $secondary",
    Tone.RIGHT: "bold $win",
    Tone.WRONG: "bold $loss",
    Tone.HINT: "$primary",
    Tone.STRONG: "bold",
    Tone.FAINT: "$faint",
}

OFFERED = {"more": "new", "others": "new"}


class ExerciseScreen(ArcadeScreen):
    BINDINGS: ClassVar[list[BindingType]] = [*PANEL_KEYS]

    PANELS = "#task"

    session: TaskSession

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game
        self._continues = False
        self._takes_enter = 0.0
        """Event time before which another Enter is ignored."""

    @property
    def scene(self) -> TaskScene:
        return self.session.scene

    @property
    def board(self) -> Board:
        return self.query_one("#board", Board)

    def body(self) -> ComposeResult:
        played_on = screen_class(self.game.name)
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield played_on.BOARD(self.scene.board, id="board")
                yield Static(id="status")
            with Vertical(id="side"):
                if played_on.HAND is not None:
                    yield played_on.HAND(id="hand")
                with VerticalScroll(id="task", can_focus=False):
                    yield Static(id="text")
                yield Shortcuts(id="actions")

    def on_mount(self) -> None:
        self.session.start()
        self.call_after_refresh(self.show)

    def on_unmount(self) -> None:
        self.session.stop()

    def takes(self, event: events.Event) -> bool:
        early = isinstance(event, events.Key) and event.key in ENTER and event.time < self._takes_enter
        return early or super().takes(event)

    def help_rules(self) -> str:
        return f"{super().help_rules()}# {self.game.title}\n\n{self.game.teaching.rules}"

    def on_notice(self, notice: Notice) -> None:
        self.notify(notice.text, severity=notice.severity, timeout=notice.seconds)

    def on_scene(self, scene: TaskScene) -> None:
        continues = "go_on" not in scene.refusals
        if continues is not self._continues:
            # Enter now means something else.
            self._takes_enter = Message().time + ENTER_REST
            self._continues = continues
        self.show()

    def show(self) -> None:
        if not self.alive:
            return
        self.board.show(self.scene.board)
        self.query_one("#text", Static).update(self.text())
        self.query_one("#task").scroll_home(animate=False)
        self.query_one("#actions", Shortcuts).show(*self.actions())
        self.show_hand()
        self.show_status()
        self.show_title()
        self.refresh_bindings()

    def show_title(self) -> None:
        busy = self.services.compiler.status if self.scene.making else ""
        self.query_one(TitleBar).show(self.scene.title, self.scene.progress, busy)

    def show_hand(self) -> None:
        hand: Any
        for hand in self.query("#hand"):
            hand.show(self.board)

    def show_status(self) -> None:
        words = self.board.prompt() if self.board.view.playable else ""
        pointed = self.board.pointed
        if words and pointed is not None:
            words = self.board.pointed_words(pointed, self.game.explanations.words_of(pointed))
        self.query_one("#status", Static).update(Content(words))

    def text(self) -> Content:
        parts = [self._written(paragraph) for paragraph in self.scene.paragraphs]
        if self.scene.fresh:
            parts.append(Content.styled(f"Move: {' '.join(self.board.how.split())}", "$faint"))
        return Content("\n\n").join(parts)

    def _written(self, paragraph: Paragraph) -> Content:
        look = LOOKS.get(paragraph.tone, "")
        if paragraph.tone is Tone.BEADS:
            return Content("\n").join(map(self._beads, paragraph.beads))
        if paragraph.lead:
            sign = f"{self.glyphs.win} " if paragraph.tone is Tone.RIGHT else ""
            return Content.assemble((f"{sign}{paragraph.lead} ", look), paragraph.text)
        return Content.styled(paragraph.text, look) if look else Content(paragraph.text)

    def _beads(self, beads: Beads) -> Content:
        colour = bead_colour(beads.slot, self.app.current_theme.dark).get_truecolor().hex
        return Content.assemble(
            (f"{beads.move}  ", "$faint"), (dots(beads.count, self.glyphs) or "-", colour)
        )

    def actions(self) -> Iterator[Shortcut]:
        for name, word in self.scene.offers:
            if name == "go_on":
                yield Shortcut("Enter", word, name)
            else:
                yield shortcut(self.keys, OFFERED.get(name, name), word, name)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action not in self.scene.refusals

    def on_board_play(self, message: Board.Play) -> None:
        board = self.scene.board
        if board.playable and message.move is not None and message.position == board.position:
            self.session.play(message.move)

    def on_board_pointed(self) -> None:
        self.show_status()
        self.show_hand()

    async def action_on_board(self, action: str) -> None:
        await self.board.run_action(action)


class LessonScreen(ExerciseScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,space", "go_on", "Continue", priority=True, tooltip="Next lesson; after the last, a match"
        ),
        Binding(default_key("forward"), "forward", "Next", tooltip="The next lesson", id="forward"),
        Binding(default_key("back"), "back", "Previous", tooltip="The previous lesson", id="back"),
        Binding(
            default_key("new"),
            "more",
            "More",
            tooltip="More positions like this one, made by the solver",
            id="new",
        ),
    ]

    HELP = "Lessons"

    session: LessonSession

    def __init__(self, services: Services, course: LessonProgress) -> None:
        super().__init__(course.game)
        self.session = LessonSession(course, services, self.on_scene, self.on_notice)
        self.ended = False

    def action_more(self) -> None:
        if self.scene.following is not None:
            self.post_message(OpenPuzzles(self.scene.following))

    def action_back(self) -> None:
        self.session.do("back")

    def action_forward(self) -> None:
        self.session.do("forward")

    def action_go_on(self) -> None:
        if self.scene.over:
            self.ended = True
            self.action_leave()
        else:
            self.session.do("go_on")


def own_result(result: PuzzleResult | None) -> str:
    if result is None:
        return "new"
    return f"solved in {clock_text(result.seconds)}" if result.solved else "not solved on the first try"


class PuzzlesDialog(Dialog[PuzzleChoice]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "other(1)", "Next game"),
        Binding("left", "other(-1)", "Previous game"),
        Binding(default_key("leave"), "close", "Close", show=False, id="leave"),
    ]

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game
        self.choices: list[PuzzleChoice] = []

    @property
    def subject(self) -> object:
        return self.game

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(classes="heading")
            yield OptionList(markup=False)
            yield Static(id="week")
            yield Shortcuts()

    def on_mount(self) -> None:
        self.query_one(Shortcuts).show(
            Shortcut("Enter", "begin", "choose"), Shortcut("Left, Right", "another game", "other(1)")
        )
        self.fill()

    def fill(self) -> None:
        game, name = self.game, self.game.name
        self.query_one(".heading", Static).update(Content(f"Puzzles of {game.title}"))
        results = self.services.puzzle_results(name)
        daily = {result.day: result for result in results if result.mode == DAILY.name}
        week = self.services.week(game, today()) if game.practice.daily_board else {}
        lines = [line for mode in MODES for line in self._lines(mode, results, week)]
        self.choices = [choice for choice, *_ in lines]
        listed = self.query_one(OptionList)
        at = listed.highlighted or 0
        listed.set_options(Option(f"{what:<32}{state}") for _, what, state in lines)
        listed.highlighted = at
        listed.focus()
        self.query_one("#week", Static).update(
            Content(f"This week, in % of the best\n{strip(week)}") if week else self._week(daily)
        )

    def _lines(
        self, mode: Mode, results: Sequence[PuzzleResult], week: Week
    ) -> Iterator[tuple[PuzzleChoice, str, str]]:
        game, day = self.game, today()
        done = [result for result in results if result.mode == mode.name]
        if mode.daily and week:
            yield PuzzleChoice(game, mode), "Today's map, for everyone", str(week[day] or "new")
        elif mode.daily:
            result = next((result for result in done if result.day == day.isoformat()), None)
            yield PuzzleChoice(game, mode), mode.line.format(grade=grade_on(day)), own_result(result)
        elif mode.graded:
            for grade in GRADES:
                ease = {GRADES[0]: ", easy", GRADES[-1]: ", hard"}.get(grade, "")
                solved = [result.solved for result in done if result.grade == grade]
                state = f"{sum(solved)} of {len(solved)} solved" if solved else ""
                yield PuzzleChoice(game, mode, grade), mode.line.format(grade=grade) + ease, state
            yield PuzzleChoice(game, mode, own=True), f"{mode.title.capitalize()}, from your mistakes", ""
        else:
            best = self.services.best_of(game.name, mode.name)
            yield PuzzleChoice(game, mode), mode.line, f"best {best}" if best else ""

    def _week(self, daily: dict[str | None, PuzzleResult]) -> Content:
        day, glyphs = today(), self.glyphs
        signs = {None: (glyphs.dot, "$faint"), True: (glyphs.win, "$win"), False: (glyphs.threw, "$loss")}
        words = []
        for weekday in range(7):
            date = day - timedelta(day.weekday() - weekday)
            result = daily.get(date.isoformat())
            sign = signs[None if result is None else result.solved]
            here = "bold $foreground" if date == day else "$faint"
            words.append(Content.assemble((f"{date:%a} ", here), sign))
        return Content.styled("This week  ", "$faint") + Content("  ").join(words)

    @on(OptionList.OptionSelected)
    def action_choose(self) -> None:
        self.dismiss(self.choices[self.query_one(OptionList).highlighted or 0])

    def action_other(self, by: int) -> None:
        self.game = next_of(listed_games(), self.game, by)
        self.fill()


class PuzzleScreen(ExerciseScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "go_on", "Continue", priority=True, tooltip="The next puzzle"),
        Binding(default_key("hint"), "hint", "Hint", tooltip="Where to look, then the move", id="hint"),
        Binding(
            default_key("copy"),
            "copy",
            "Copy",
            tooltip="Copy your result as one line, without the solution",
            id="copy",
        ),
        Binding(default_key("new"), "others", "Puzzles", tooltip="Choose other puzzles", id="new"),
    ]

    HELP = "Puzzles"

    session: PuzzleSession

    def __init__(self, services: Services, round: PuzzleRun) -> None:
        super().__init__(round.game)
        self.session = PuzzleSession(round, services, self, self.on_scene, self.on_notice)

    def on_screen_suspend(self) -> None:
        self.session.leave()

    def on_screen_resume(self) -> None:
        self.session.come_back()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "go_on" and not self.scene.done:
            return False
        return super().check_action(action, parameters)

    def action_hint(self) -> None:
        self.session.do("hint")

    def action_copy(self) -> None:
        self.copy(self.scene.result, "Result copied as one line.")

    def action_others(self) -> None:
        self.post_message(ChoosePuzzles(self.game))

    def action_go_on(self) -> None:
        if self.scene.following is not None:
            self.post_message(OpenPuzzles(self.scene.following))
        else:
            self.session.do("go_on")
