"""Lessons and puzzles: a position on the board, and beside it a task and what came of the last try."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from copy import copy
from datetime import timedelta
from functools import partial
from typing import Any, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, listed_games
from arcade.play.jobs import Job
from arcade.play.scene import BoardScene
from arcade.screens.base import ArcadeScreen, Dialog
from arcade.screens.games import screen_class
from arcade.screens.navigation import ChoosePuzzles, OpenPuzzles
from arcade.store.store import PuzzleResult
from arcade.study.daily import strip
from arcade.study.lessons import Course
from arcade.study.making import GRADES, Puzzle
from arcade.study.puzzles import Attempt, Disproof, Mode, PuzzleChoice, Round, clock_text, grade_on, today
from arcade.widgets.board import Board, bead_colour
from arcade.widgets.forms import next_of
from arcade.widgets.glyphs import dots
from arcade.widgets.keys import Shortcut, Shortcuts, TitleBar, shortcut


class TaskScreen(ArcadeScreen):
    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game

    @property
    def board(self) -> Board:
        return self.query_one("#board", Board)

    def body(self) -> ComposeResult:
        played_on = screen_class(self.game.name)
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield played_on.BOARD(self.view(), id="board")
                yield Static(id="status")
            with Vertical(id="side"):
                if played_on.HAND is not None:
                    yield played_on.HAND(id="hand")
                with VerticalScroll(id="task", can_focus=False):
                    yield Static(id="text")
                yield Shortcuts(id="actions")

    def on_mount(self) -> None:
        self.call_after_refresh(self.show)

    @abstractmethod
    def view(self) -> BoardScene: ...

    @abstractmethod
    def words(self) -> list[Content]:
        """The task and what came of the last try, in paragraphs."""

    @abstractmethod
    def actions(self) -> Iterator[Shortcut]: ...

    def help_rules(self) -> str:
        return f"{super().help_rules()}# {self.game.title}\n\n{self.game.rules}"

    def text(self) -> Content:
        return Content("\n\n").join(self.words())

    def show(self) -> None:
        if not self.alive:
            return
        self.board.show(self.view())
        self.query_one("#text", Static).update(self.text())
        self.query_one("#task").scroll_home(animate=False)
        self.query_one("#actions", Shortcuts).show(*self.actions())
        self.show_hand()
        self.show_status()
        self.show_title()
        self.refresh_bindings()

    def show_hand(self) -> None:
        hand: Any
        for hand in self.query("#hand"):
            hand.show(self.board)

    def show_status(self) -> None:
        words = self.board.advice() if self.board.view.playable else ""
        pointed = self.board.pointed
        if words and pointed is not None:
            words = "  ".join(filter(None, [str(pointed), self.board.describe(pointed)]))
        self.query_one("#status", Static).update(Content(words))

    def how(self) -> Content:
        return Content.styled(f"Move: {' '.join(self.board.how.split())}", "$faint")

    def right(self, words: str) -> Content:
        return Content.assemble((f"{self.glyphs.win} Right. ", "bold $win"), words)

    def wrong(self, move: Any, words: str) -> Content:
        return Content.assemble((f"Not {move}. ", "bold $loss"), words)

    def on_board_pointed(self) -> None:
        self.show_status()
        self.show_hand()

    async def action_on_board(self, action: str) -> None:
        await self.board.run_action(action)


class LessonScreen(TaskScreen):
    HELP = "Lessons"

    def __init__(self, course: Course) -> None:
        super().__init__(course.game)
        self.course = course
        self.ended = False
        """Whether the person went on from the last lesson to a match."""

    def view(self) -> BoardScene:
        course = self.course
        return BoardScene(course.position, course.lesson.position, not course.solved, last=course.answer)

    def show_title(self) -> None:
        place = f"{self.course.index + 1} of {len(self.course.lessons)}"
        self.query_one(TitleBar).show(f"Learn {self.game.title}", place)

    def words(self) -> list[Content]:
        course, lesson = self.course, self.course.lesson
        parts = [Content.styled(f"{course.index + 1}. {lesson.title}", "bold $primary"), Content(lesson.say)]
        if lesson.beads:
            parts.append(Content("\n").join(self._beads()))
        if course.solved:
            return [*parts, self.right(lesson.why)]
        tried = self.how() if course.tried is None else self.wrong(course.tried, lesson.wrong)
        return [*parts, Content.styled(lesson.ask, "bold $secondary"), tried]

    def _beads(self) -> list[Content]:
        lesson, dark = self.course.lesson, self.app.current_theme.dark
        lines = []
        for text, count in lesson.beads.items():
            slot = self.game.move_index(lesson.position, self.game.parse_move(text, lesson.position))
            colour = bead_colour(slot, dark).get_truecolor().hex
            lines.append(Content.assemble((f"{text}  ", "$faint"), (dots(count, self.glyphs) or "-", colour)))
        return lines

    def actions(self) -> Iterator[Shortcut]:
        course = self.course
        if course.solved:
            yield Shortcut("Enter", "play a match" if course.last else "next lesson", "go_on")
            if course.lesson.rule:
                yield shortcut("new", "more", "more")
            return
        if course.index:
            yield shortcut("back", "previous", "go(-1)")
        if not course.last:
            yield shortcut("forward", "next", "go(1)")
        yield shortcut("leave", "leave")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "go_on":
            return self.course.solved
        if action == "more":
            return self.course.solved and bool(self.course.lesson.rule)
        if action == "go":
            return 0 <= self.course.index + cast(int, parameters[0]) < len(self.course.lessons)
        return True

    def on_board_play(self, message: Board.Play) -> None:
        course = self.course
        if course.solved or message.move is None or message.position != course.position:
            return
        if course.play(message.move):
            self.services.has_learned(self.game.name, course.lesson.name)
        self.show()

    def action_more(self) -> None:
        choice = PuzzleChoice(self.game, Mode.PRACTICE, rule=self.course.lesson.rule)
        self.post_message(OpenPuzzles(choice))

    def action_go(self, by: int) -> None:
        self.course.go(by)
        self.show()

    def action_go_on(self) -> None:
        if self.course.last:
            self.ended = True
            self.action_leave()
        else:
            self.action_go(1)


REPLY_SECONDS = 0.6
"""Seconds before the other side answers, so that a person sees their own move first."""
REFUTED_SECONDS = 1.5
TICK_SECONDS = 0.25

NAMES = {Mode.DAILY: "today's puzzle", Mode.STREAK: "streak", Mode.RUSH: "rush", Mode.PRACTICE: "practice"}


def own_result(result: PuzzleResult | None) -> str:
    if result is None:
        return "new"
    return f"solved in {clock_text(result.seconds)}" if result.solved else "needed help or a second try"


class PuzzlesDialog(Dialog[PuzzleChoice]):
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
        daily = {result.day: result for result in results if result.mode == Mode.DAILY}
        practice = [result for result in results if result.mode == Mode.PRACTICE]
        best = {mode: self.services.state.best_of(name, mode) for mode in (Mode.STREAK, Mode.RUSH)}
        day = today()
        week = self.services.week(game, day) if game.day_board else {}
        today_line = (f"Today's puzzle, grade {grade_on(day)}", own_result(daily.get(day.isoformat())))
        if week:
            today_line = ("Today's map, for everybody", str(week[day] or "new"))
        lines = [
            today_line,
            ("Streak, to the first mistake", f"best {best[Mode.STREAK]}" if best[Mode.STREAK] else ""),
            ("Rush, three minutes", f"best {best[Mode.RUSH]}" if best[Mode.RUSH] else ""),
        ]
        self.choices = [PuzzleChoice(game, mode) for mode in (Mode.DAILY, Mode.STREAK, Mode.RUSH)]
        for grade in GRADES:
            ease = {GRADES[0]: ", easy", GRADES[-1]: ", hard"}.get(grade, "")
            done = [result for result in practice if result.grade == grade]
            solved = f"{sum(result.solved for result in done)} of {len(done)} solved" if done else ""
            lines.append((f"Practice, grade {grade}{ease}", solved))
            self.choices.append(PuzzleChoice(game, Mode.PRACTICE, grade))
        lines.append(("Practice, from your mistakes", ""))
        self.choices.append(PuzzleChoice(game, Mode.PRACTICE, own=True))
        listed = self.query_one(OptionList)
        at = listed.highlighted or 0
        listed.set_options(Option(f"{what:<32}{state}") for what, state in lines)
        listed.highlighted = at
        listed.focus()
        self.query_one("#week", Static).update(
            Content(f"This week, in % of the best\n{strip(week)}") if week else self._week(daily)
        )

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


class PuzzleScreen(TaskScreen):
    HELP = "Puzzles"

    def __init__(self, round: Round) -> None:
        super().__init__(round.game)
        self.round = round
        self.trouble = ""
        self._ticking: Timer | None = None
        self._shown = self.game.new({})
        self._refuting: Position[Any] | None = None
        """For a moment on the board: what follows a wrong move."""

    def on_mount(self) -> None:
        if self.round.mode is Mode.RUSH:
            self._ticking = self.set_interval(TICK_SECONDS, self._tick, pause=True)
        self._next()

    def on_unmount(self) -> None:
        self.services.leave_puzzle(self.round)

    def _next(self) -> None:
        round = self.round
        round.attempt = None

        def work(job: Job) -> None:
            puzzle = round.make(job.control) if job.ready(self.game) else None
            if puzzle is not None:
                job.tell(self._made, puzzle)

        self.jobs.start("puzzle", work)
        self.show()

    def _made(self, puzzle: Puzzle) -> None:
        self.jobs.drop("puzzle")
        self.round.begin(puzzle)
        self._shown = puzzle.start
        if not self.is_active:
            self.round.pause()
        if self._ticking is not None:
            self._ticking.resume()
        self.show()

    def failed(self, error: BaseException) -> None:
        if not isinstance(error, InputError):
            raise error
        self.trouble = str(error)
        self.show()

    @property
    def attempt(self) -> Attempt | None:
        return self.round.attempt

    def view(self) -> BoardScene:
        attempt = self.attempt
        if attempt is None or self.round.paused:
            first = self.game.new({})
            return BoardScene(first, first)
        missed = attempt.done and attempt.position == attempt.step.position
        hinted = attempt.step.move if missed or (attempt.help == 2 and not attempt.replying) else None
        playable = not attempt.done and not attempt.replying
        start, own = attempt.puzzle.start, not attempt.done
        if self._refuting is not None:
            return BoardScene(self._refuting, start, last=attempt.refuted.line[-1])
        return BoardScene(attempt.position, start, playable, hinted=hinted, last=attempt.last, own=own)

    def show_title(self) -> None:
        round, attempt = self.round, self.attempt
        state = [{Mode.DAILY: f"{round.day:%A} {round.day:%d %B}" if round.day else ""}.get(round.mode, "")]
        if round.mode is Mode.RUSH:
            state.append(clock_text(round.seconds_left))
        if round.mode.counts:
            state.append(f"{round.solved} solved")
        if attempt is not None:
            state.append(f"grade {attempt.puzzle.grade} of 5")
        busy = self.services.warmer.status if attempt is None else ""
        title = f"{self.game.title}: {NAMES[round.mode]}"
        self.query_one(TitleBar).show(title, ", ".join(filter(None, state)), busy)

    def words(self) -> list[Content]:
        attempt, round = self.attempt, self.round
        if self.trouble:
            return [Content(self.trouble)]
        if attempt is None:
            return [Content.styled("A new puzzle is being made, and proved.", "$faint")]
        if round.paused:
            return [Content.styled("The clock is stopped.", "bold $secondary")]
        if not attempt.done:
            puzzle = attempt.puzzle
            parts = [Content.styled(puzzle.task, "bold $secondary")]
            count = len(puzzle.steps)
            if attempt.replying:
                parts.append(self.right(f"{self._other()} is thinking."))
            elif attempt.tried is not None:
                parts.append(self.wrong(attempt.tried, f"{attempt.wrong_words()} Try again."))
            elif attempt.index:
                reply = puzzle.steps[attempt.index - 1].reply
                said = "" if reply is None else f"{self._other()} plays {reply}. "
                parts.append(self.right(f"{said}Now find the next move."))
            if count > 1:
                parts.append(Content.styled(f"Move {attempt.index + 1} of {count}", "$faint"))
            if round.help_words():
                parts.append(Content.styled(round.help_words(), "$primary"))
            elif not attempt.index and attempt.tried is None:
                moves = f"{len(attempt.step.analysis)} moves are possible; only one is good."
                parts += [Content.styled(moves, "$faint"), self.how()]
            return parts
        parts = []
        if attempt.tried is not None:
            words = f"{attempt.wrong_words()} The right move was {attempt.step.move}."
            parts.append(self.wrong(attempt.tried, words))
        elif attempt.expired:
            parts.append(Content("Time is up."))
        else:
            parts.append(self.right(attempt.right_words()))
        if not round.mode.counts:
            parts.append(Content(attempt.sight_words()))
        return [*parts, *self._summary()]

    def _summary(self) -> list[Content]:
        round = self.round
        if round.mode.counts and not round.over:
            return [Content(f"{round.solved} solved so far.")]
        best = self.services.state.best_of(self.game.name, round.mode)
        parts = [Content.styled(round.line(), "$faint")]
        if round.mode.counts:
            parts.insert(0, Content.styled(f"{round.solved} solved. Your best is {best}.", "bold"))
        elif round.over and not self._later_games():
            played = "You have played all of today's puzzles. Come back tomorrow."
            parts.insert(0, Content.styled(played, "bold"))
        return parts

    def _other(self) -> str:
        assert self.attempt is not None
        return self.game.sides[1 - self.attempt.puzzle.start.turn]

    def actions(self) -> Iterator[Shortcut]:
        attempt, round = self.attempt, self.round
        done = attempt is not None and attempt.done and not round.paused
        if done:
            following = self._following()
            if following is not None:
                yield Shortcut("Enter", following[0], "go_on")
            yield shortcut("copy", "copy")
        elif round.paused:
            yield shortcut("pause", "go on")
        elif attempt is not None:
            if round.mode is Mode.RUSH:
                yield shortcut("pause", "pause")
            if not round.mode.counts:
                yield shortcut("hint", "hint", "help_me")
        yield shortcut("new", "others", "others")
        if not done:
            yield shortcut("leave", "leave")

    def _following(self) -> tuple[str, Callable[[], object]] | None:
        if not self.round.over:
            return "next", self._next
        if self.round.mode is not Mode.DAILY:
            return "again", partial(self.post_message, OpenPuzzles(self.round.choice))
        for game in self._later_games():
            return game.title, partial(self.post_message, OpenPuzzles(PuzzleChoice(game, Mode.DAILY)))
        return None

    def _later_games(self) -> list[AnyGame]:
        games, results = listed_games(), self.services.puzzle_results(day=today().isoformat())
        at = games.index(self.game) + 1 if self.game in games else 0
        done = {self.game.name, *(result.game for result in results)}
        done |= {game.name for game in games if game.day_board and self.services.week(game, today())[today()]}
        return [game for game in (*games[at:], *games[:at]) if game.name not in done]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        attempt, round = self.attempt, self.round
        if action in ("go_on", "copy"):
            return attempt is not None and attempt.done
        if action == "help_me":
            return not round.mode.counts and attempt is not None and not attempt.done
        return round.mode is Mode.RUSH and not round.over if action == "pause" else True

    def on_board_play(self, message: Board.Play) -> None:
        attempt = self.attempt
        meant = self.view().playable and message.move is not None
        if attempt is None or not meant or message.position != attempt.position:
            return
        right = self.round.play(message.move)
        if not right and self.round.mode is not Mode.RUSH:
            # The attempt goes on while another thread looks at what was wrong with it.
            wrong = copy(attempt)
            self.jobs.start(
                "refutation",
                lambda job: job.tell(self._refuted, attempt, wrong.tried, wrong.refutation(job.control)),
            )
        if attempt.done:
            self.services.save_puzzle(self.round)
            if self.round.mode is Mode.RUSH and attempt.solved and not self.round.over:
                # Nobody wants to lose time between two puzzles.
                self._next()
            else:
                self.show()
            return
        self.show()
        if attempt.replying:
            if self.services.settings.animated:
                self.later(REPLY_SECONDS, lambda: self._reply(attempt))
            else:
                self._reply(attempt)

    def _refuted(self, attempt: Attempt, tried: Any, refuted: Disproof) -> None:
        self.jobs.drop("refutation")
        if attempt is not self.attempt or attempt.tried != tried:
            return
        attempt.refuted = refuted
        if refuted.line and self.services.settings.animated:
            self._refuting = attempt.step.position.after((tried, *refuted.line))
            self.later(REFUTED_SECONDS, self._back)
        self.show()

    def _back(self) -> None:
        self._refuting = None
        self.show()

    def _reply(self, attempt: Attempt) -> None:
        if attempt is self.attempt:
            attempt.reply()
            self.show()

    def _tick(self) -> None:
        if self.round.look():
            if self.attempt is not None:
                self.services.save_puzzle(self.round)
            self.show()
        if self.round.watch.running:
            self.show_title()
        elif self._ticking is not None:
            self._ticking.pause()

    def on_screen_suspend(self) -> None:
        if self.round.watch.running:
            self.round.pause()

    def on_screen_resume(self) -> None:
        if self.round.paused and self.round.mode is not Mode.RUSH:
            self.round.pause()
        self.show()

    def action_pause(self) -> None:
        self.round.pause()
        if self._ticking is not None:
            self._ticking.resume()
        self.show()
        self.board.focus()

    def action_help_me(self) -> None:
        self.round.help()
        self.show()

    def action_copy(self) -> None:
        self.copy(self.round.line(), "Your result is copied as one line.")

    def action_others(self) -> None:
        self.post_message(ChoosePuzzles(self.game))

    def action_go_on(self) -> None:
        following = self._following()
        if following is not None:
            following[1]()
