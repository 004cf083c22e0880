"""Puzzles: which ones a person wants, and a puzzle on the board with its task beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.files import InputError
from arcade.engines.registry import AnyGame, installed_games
from arcade.screens.base import Dialog
from arcade.screens.requests import OpenPuzzles, PlayPuzzles
from arcade.screens.study import TaskScreen
from arcade.session.jobs import Job, Jobs
from arcade.store.store import PuzzleResult
from arcade.study.course import Attempt, Mode, PuzzleChoice, Round, clock_text, grade_on, today
from arcade.study.making import GRADES, Puzzle
from arcade.widgets.board import Board, BoardView
from arcade.widgets.keys import KeyWord, KeyWords, TitleBar

HELP = """\
# Puzzles

Each puzzle is a position with **exactly one good move**, proved by the solver. Find it and play it on the
board. The other side then answers as well as it can, and you find the next move, until the point is made.

* **Today's puzzle** is the same for everybody, one for each game. Monday's is the easiest, Sunday's the
  hardest.
* A **streak** gets harder and harder. It ends with the first mistake.
* A **rush** lasts three minutes. The third mistake ends it. **p** stops the clock.
* **Practice** has no end: choose a grade, or puzzles from matches in which you made a mistake.

**i** tells where to look, then the move; not in a streak or a rush. **y** copies your result as one line,
which does not tell the solution.

"""

REPLY_SECONDS = 0.6
"""Seconds before the other side answers, so that a person sees their own move first."""
TICK_SECONDS = 0.25
"""Seconds between two looks at the clock of a rush."""


def count_words(results: Sequence[PuzzleResult]) -> str:
    """How many of some puzzles were solved."""
    return f"{sum(each.solved for each in results)} of {len(results)} solved" if results else ""


def own_result(result: PuzzleResult | None) -> str:
    """How a person did at the puzzle of a day."""
    if result is None:
        return "new"
    return f"solved in {clock_text(result.seconds)}" if result.solved else "needed help or a second try"


class PuzzlesDialog(Dialog[PuzzleChoice]):
    """Choose puzzles of a game."""

    CSS: ClassVar[str] = """
    PuzzlesDialog OptionList { height: auto; max-height: 12; background: $surface; border: none; padding: 0; }
    PuzzlesDialog OptionList:focus { background-tint: $surface 0%; }
    PuzzlesDialog #week { margin-top: 1; color: $faint; }
    PuzzlesDialog KeyWords { margin-top: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "other(1)", "Next game"),
        Binding("left", "other(-1)", "Previous game"),
        Binding("q,P", "close", "Close", show=False),
    ]

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game
        self.choices: list[PuzzleChoice] = []
        """What each line of the list means."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(classes="heading")
            yield OptionList(markup=False)
            yield Static(id="week")
            yield KeyWords()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(KeyWords).show(
            KeyWord("Enter", "begin", "choose"), KeyWord("Left, Right", "another game", "other(1)")
        )
        self.fill()

    def fill(self) -> None:
        """Bring the list up to date."""
        game, name = self.game, self.game.name
        self.query_one(".heading", Static).update(Content(f"Puzzles of {game.title}"))
        results = self.services.puzzle_results(name)
        daily = {each.day: each for each in results if each.mode == Mode.DAILY}
        practice = [each for each in results if each.mode == Mode.PRACTICE]
        best = {mode: self.services.state.best_of(name, mode) for mode in (Mode.STREAK, Mode.RUSH)}
        day = today()
        lines = [
            (f"Today's puzzle, grade {grade_on(day)}", own_result(daily.get(day.isoformat()))),
            ("Streak, to the first mistake", f"best {best[Mode.STREAK]}" if best[Mode.STREAK] else ""),
            ("Rush, three minutes", f"best {best[Mode.RUSH]}" if best[Mode.RUSH] else ""),
        ]
        self.choices = [PuzzleChoice(game, mode) for mode in (Mode.DAILY, Mode.STREAK, Mode.RUSH)]
        for grade in GRADES:
            ease = {GRADES[0]: ", easy", GRADES[-1]: ", hard"}.get(grade, "")
            done = [each for each in practice if each.grade == grade]
            lines.append((f"Practice, grade {grade}{ease}", count_words(done)))
            self.choices.append(PuzzleChoice(game, Mode.PRACTICE, grade))
        lines.append(("Practice, from your mistakes", ""))
        self.choices.append(PuzzleChoice(game, Mode.PRACTICE, own=True))
        listed = self.query_one(OptionList)
        at = listed.highlighted or 0
        listed.clear_options()
        listed.add_options([Option(f"{what:<32}{state}") for what, state in lines])
        listed.highlighted = at
        listed.focus()
        self.query_one("#week", Static).update(self._week(daily))

    def _week(self, daily: dict[str | None, PuzzleResult]) -> Content:
        day, glyphs = today(), self.glyphs
        words = []
        for weekday in range(7):
            each = day - timedelta(day.weekday() - weekday)
            result = daily.get(each.isoformat())
            sign, style = (
                (glyphs.dot, "$faint")
                if result is None
                else ((glyphs.win, "$win") if result.solved else (glyphs.threw, "$loss"))
            )
            here = "bold $foreground" if each == day else "$faint"
            words.append(Content.assemble((f"{each:%a} ", here), (sign, style)))
        return Content.styled("This week  ", "$faint") + Content("  ").join(words)

    def redraw(self) -> None:
        """Draw anew in other colours or characters."""
        self.fill()

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """These."""
        self.dismiss(self.choices[event.option_index])

    def action_choose(self) -> None:
        self.dismiss(self.choices[self.query_one(OptionList).highlighted or 0])

    def action_other(self, by: int) -> None:
        games = [each for each in installed_games() if each.listed]
        at = games.index(self.game) if self.game in games else 0
        self.game = games[(at + by) % len(games)]
        self.fill()


class PuzzleScreen(TaskScreen):
    """One puzzle after another.

    Args:
        round: the puzzles.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "go_on", "Go on", priority=True, tooltip="The next puzzle"),
        Binding("i", "help_me", "Hint", tooltip="Where to look, then the move"),
        Binding("p", "pause", "Pause", tooltip="Stop the clock, or let it go on"),
        Binding("y", "copy", "Copy", tooltip="Copy your result as one line, without the solution"),
        Binding("n", "others", "Others", tooltip="Choose other puzzles"),
    ]

    def __init__(self, round: Round) -> None:
        super().__init__(round.game)
        self.round = round
        self.jobs = Jobs(self, self._failed, self.services.warmer)
        self.trouble = ""
        """Why there is no puzzle."""
        self._ticking: Timer | None = None
        self._shown = self.game.new({})

    def on_mount(self) -> None:
        super().on_mount()
        if self.round.mode is Mode.RUSH:
            self._ticking = self.set_interval(TICK_SECONDS, self._tick, pause=True)
        self._next()

    def on_unmount(self) -> None:
        self.jobs.stop()
        self.services.leave_puzzle(self.round)

    def help_rules(self) -> str:
        return f"{HELP}# {self.game.title}\n\n{self.game.rules}"

    # Making.

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

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, InputError):
            raise error
        self.trouble = str(error)
        self.show()

    # What is on show.

    @property
    def attempt(self) -> Attempt | None:
        """The puzzle on show; None while the next one is made."""
        return self.round.attempt

    def view(self) -> BoardView:
        attempt = self.attempt
        if attempt is None or self.round.paused:
            first = self.game.new({})
            return BoardView(first, first)
        missed = attempt.done and attempt.position == attempt.step.position
        told = attempt.help == 2 and not attempt.replying
        hinted = attempt.step.move if missed or told else None
        playable = not attempt.done and not attempt.replying
        start, own = attempt.puzzle.start, not attempt.done
        return BoardView(attempt.position, start, playable, hinted=hinted, last=attempt.last, own=own)

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
            return [Content.styled("The clock stands still.", "bold $secondary"), Content("p goes on.")]
        puzzle = attempt.puzzle
        parts = [Content.styled(puzzle.task, "bold $secondary")]
        count = len(puzzle.steps)
        if not attempt.done:
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
        if attempt.tried is not None:
            parts.append(self.wrong(attempt.tried, f"{attempt.wrong_words()} Right was {attempt.step.move}."))
        elif attempt.position == attempt.step.position:
            parts.append(Content("The time is up."))
        else:
            parts.append(self.right(attempt.right_words()))
        if not round.mode.counts:
            parts.append(Content(attempt.sight_words()))
        return [*parts, *self._summary()]

    def _summary(self) -> list[Content]:
        """What comes of it, as a person may show it around."""
        round = self.round
        if round.mode.counts and not round.over:
            return [Content(f"{round.solved} solved so far.")]
        best = self.services.state.best_of(self.game.name, round.mode)
        parts = [Content.styled(round.line(), "$faint")]
        if round.mode.counts:
            parts.insert(0, Content.styled(f"{round.solved} solved. Your best is {best}.", "bold"))
        elif round.over and not self._later_games():
            parts.insert(
                0, Content.styled("You have played all of today's puzzles. Come back tomorrow.", "bold")
            )
        return parts

    def _other(self) -> str:
        assert self.attempt is not None
        return self.game.sides[1 - self.attempt.puzzle.start.turn]

    def ways(self) -> list[KeyWord]:
        attempt, round = self.attempt, self.round
        others = KeyWord("n", "others", "others")
        if attempt is None or round.paused:
            pause = [KeyWord("p", "go on", "pause")] * round.paused
            return [*pause, others, KeyWord("q", "leave", "leave")]
        if attempt.done:
            following = self._following()
            go_on = [KeyWord("Enter", following[0], "go_on")] if following else []
            return [*go_on, KeyWord("y", "copy", "copy"), others]
        pause = [KeyWord("p", "pause", "pause")] * (round.mode is Mode.RUSH)
        hint = [KeyWord("i", "hint", "help_me")] * (not round.mode.counts)
        return [*pause, *hint, others, KeyWord("q", "leave", "leave")]

    def _following(self) -> tuple[str, Callable[[], None]] | None:
        """What comes after the puzzle on show, in a word or two and as something to do."""
        if not self.round.over:
            return "next", self._next
        if self.round.mode is not Mode.DAILY:
            return "again", lambda: self._post(self.round.choice)
        for game in self._later_games():
            return game.title, lambda game=game: self._post(PuzzleChoice(game, Mode.DAILY))
        return None

    def _later_games(self) -> list[AnyGame]:
        """The games after this one whose puzzle of today is new."""
        done = {each.game for each in self.services.puzzle_results(day=today().isoformat())}
        games = [each for each in installed_games() if each.listed]
        at = games.index(self.game) + 1 if self.game in games else 0
        done.add(self.game.name)
        return [each for each in (*games[at:], *games[:at]) if each.name not in done]

    def _post(self, choice: PuzzleChoice) -> None:
        self.post_message(PlayPuzzles(choice))

    # What is done.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        attempt, round = self.attempt, self.round
        if action == "go_on":
            return attempt is not None and attempt.done
        if action == "help_me":
            return not round.mode.counts and attempt is not None and not attempt.done
        if action == "pause":
            return round.mode is Mode.RUSH and not round.over
        if action == "copy":
            return attempt is not None and attempt.done
        return True

    def on_board_play(self, message: Board.Play) -> None:
        attempt = self.attempt
        if attempt is None or message.move is None or message.position != attempt.position:
            return
        self.round.play(message.move)
        self._pointed = None
        if attempt.done:
            self._finished(attempt)
            return
        self.show()
        if attempt.replying:
            if self.services.settings.animated:
                self.later(REPLY_SECONDS, lambda: self._reply(attempt))
            else:
                self._reply(attempt)

    def _reply(self, attempt: Attempt) -> None:
        if attempt is self.attempt:
            attempt.reply()
            self.show()

    def _finished(self, attempt: Attempt) -> None:
        self.services.save_puzzle(self.round)
        if self.round.mode is Mode.RUSH and attempt.solved and not self.round.over:
            # Nobody wants to lose time between two puzzles.
            self._next()
        else:
            self.show()

    def _tick(self) -> None:
        """Look at the clock of a rush."""
        if self.round.look():
            if self.attempt is not None:
                self.services.save_puzzle(self.round)
            self.show()
        if self.round.watch.running:
            self.show_title()
        elif self._ticking is not None:
            self._ticking.pause()

    def on_screen_suspend(self) -> None:
        super().on_screen_suspend()
        if self.round.watch.running:
            self.round.pause()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
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
        self.app.copy_to_clipboard(self.round.line())
        self.notify("Your result is copied as one line.")

    def action_others(self) -> None:
        self.post_message(OpenPuzzles(self.game))

    def action_go_on(self) -> None:
        following = self._following()
        if following is not None:
            following[1]()


NAMES = {
    Mode.DAILY: "today's puzzle",
    Mode.STREAK: "streak",
    Mode.RUSH: "rush",
    Mode.PRACTICE: "practice",
}
"""The modes in a title."""
