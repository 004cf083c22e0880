"""Lessons and puzzles on sessions and scenes, without a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.registry import AnyGame, get_game, installed_games
from arcade.play.jobs import Notice
from arcade.play.scene import BoardScene
from arcade.services import Services
from arcade.store.settings import Settings
from arcade.store.store import PuzzleResult
from arcade.studies import puzzle_round
from arcade.study.host import StudyHost
from arcade.study.lessons import LessonProgress, lessons_of
from arcade.study.puzzle_generator import Puzzle
from arcade.study.puzzles import DAILY, MODES, PRACTICE, STREAK, Mode, PuzzleAttempt, PuzzleChoice, PuzzleRun
from arcade.study.scene import TaskScene, Tone, lesson_scene, puzzle_scene
from arcade.study.session import LessonSession, PuzzleSession, TaskSession
from tests.narrow import present
from tests.play.here import Here
from tests.study.test_puzzles import Clock

MENACE = get_game("menace")
TAUGHT = [game.name for game in installed_games() if game.teaching.lessons]
DAY = date(2026, 11, 22)


class Keeper(StudyHost):
    """Keeps in memory what a session saves."""

    def __init__(self, animated: bool = False) -> None:
        super().__init__()
        self.settings = Settings(calm=not animated)
        self.learned: list[str] = []
        self.results: list[PuzzleResult] = []
        self.left: list[PuzzleRun] = []
        self.next_game: AnyGame | None = None

    def has_learned(self, game: str, lesson: str) -> None:
        self.learned.append(lesson)

    def save_puzzle(self, played: PuzzleRun) -> None:
        self.results.append(played.result(0.0))

    def leave_puzzle(self, played: PuzzleRun) -> None:
        self.left.append(played)

    def best_of(self, game: str, mode: str) -> int:
        return sum(each.solved for each in self.results)

    def next_daily(self, game: AnyGame) -> AnyGame | None:
        return self.next_game


@cache
def puzzles(name: str, grade: int) -> tuple[Puzzle, ...]:
    """Two puzzles of a grade, the first of them with a reply if the game has any."""
    with Control() as control:
        made = PuzzleRun(PuzzleChoice(get_game(name), PRACTICE, grade), 1)
        found: list[Puzzle] = []
        for number in range(20):
            made.number = number
            found.append(present(made.make(control)))
            if number and max(len(puzzle.steps) for puzzle in found) > 1:
                break
        found.sort(key=lambda puzzle: -len(puzzle.steps))
        return tuple(found[:2])


class KnownRound(PuzzleRun):
    """Gives the same puzzles over and over."""

    puzzles: Sequence[Puzzle]

    def make(self, control: Control) -> Puzzle:
        return self.puzzles[self.number % len(self.puzzles)]


class Front:
    """Checks each scene against the state from which it is made."""

    session: TaskSession

    def __init__(self, host: StudyHost | None = None) -> None:
        self.host = host or Keeper()
        self.runner = Here()
        self.scenes: list[TaskScene] = []
        self.notices: list[Notice] = []

    def on_scene(self, scene: TaskScene) -> None:
        assert scene == self.rebuilt()
        self.scenes.append(scene)

    def rebuilt(self) -> TaskScene:
        raise NotImplementedError

    @property
    def scene(self) -> TaskScene:
        return self.session.scene

    @property
    def board(self) -> BoardScene:
        return self.scene.board

    @property
    def said(self) -> list[str]:
        said = [notice.text for notice in self.notices]
        self.notices.clear()
        return said

    def do(self, *names: str) -> None:
        for name in names:
            self.session.do(name)
            self.runner.settle()

    def play(self, move: Any) -> None:
        self.session.play(move)
        self.runner.settle()

    def step(self) -> None:
        """Run one thing of those that are due."""
        enough = iter((False, True))
        self.runner.settle(lambda: next(enough))

    def words(self, tone: Tone) -> str:
        """The paragraph of a tone."""
        return next(f"{each.lead} {each.text}".strip() for each in self.scene.paragraphs if each.tone is tone)


class LessonFront(Front):
    session: LessonSession

    def __init__(self, name: str, host: StudyHost | None = None) -> None:
        super().__init__(host)
        course = LessonProgress(get_game(name))
        self.session = LessonSession(course, self.host, self.on_scene, self.notices.append)
        self.session.start()

    def rebuilt(self) -> TaskScene:
        return lesson_scene(self.session.course, self.session.state)


class PuzzleFront(Front):
    session: PuzzleSession

    def __init__(
        self,
        mode: Mode = PRACTICE,
        host: StudyHost | None = None,
        name: str = "menace",
        grade: int = 5,
        clock: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(host)
        choice = PuzzleChoice(get_game(name), mode)
        round = KnownRound(choice, day=DAY if mode is DAILY else None, clock=clock or Clock())
        round.puzzles = puzzles(name, grade)
        self.session = PuzzleSession(round, self.host, self.runner, self.on_scene, self.notices.append)

    def started(self) -> PuzzleFront:
        self.session.start()
        self.runner.settle()
        return self

    def rebuilt(self) -> TaskScene:
        return puzzle_scene(self.session.round, self.session.state)

    @property
    def attempt(self) -> PuzzleAttempt:
        return present(self.session.round.attempt)

    @property
    def right(self) -> Any:
        return self.attempt.step.move

    @property
    def wrong(self) -> Any:
        step = self.attempt.step
        return next(move for move in step.position.moves() if move != step.move)

    def solve(self) -> None:
        attempt = self.attempt
        while not attempt.done:
            self.play(attempt.step.move)


@pytest.mark.parametrize("name", TAUGHT)
def test_each_lesson_can_be_solved_and_is_saved(name: str) -> None:
    keeper = Keeper()
    front, lessons = LessonFront(name, keeper), lessons_of(get_game(name))
    for number, lesson in enumerate(lessons):
        scene = front.scene
        assert (scene.number, scene.progress) == (number + 1, f"{number + 1} of {len(lessons)}")
        assert (scene.text, scene.task, scene.fresh) == (lesson.say, lesson.ask, True)
        assert front.words(Tone.TASK) == lesson.ask
        beads = [row for paragraph in scene.paragraphs for row in paragraph.beads]
        assert {row.move: row.count for row in beads} == lesson.beads
        wrong = min(set(lesson.position.moves()) - lesson.answers, key=str, default=None)
        if wrong is not None:
            words_of = get_game(name).explanations.words_of
            front.play(wrong)
            assert front.words(Tone.WRONG) == f"Not {words_of(wrong)}. {lesson.wrong}"
            assert front.board == scene.board, "the board is as it was"
            assert not front.scene.fresh
        assert "go_on" in front.scene.refusals
        move = min(lesson.answers, key=str)
        front.play(move)
        assert front.scene.done
        assert (front.board.position, front.board.last) == (lesson.position.play(move), move)
        assert front.words(Tone.RIGHT) == f"Right. {lesson.why}"
        assert keeper.learned == [each.name for each in lessons[: number + 1]]
        assert front.scene.over == (number + 1 == len(lessons))
        assert ("more" in dict(front.scene.offers)) == bool(lesson.rule)
        front.do("go_on")
    assert front.scene.number == len(lessons)
    assert dict(front.scene.offers)["go_on"] == "play a match"


def test_solved_lesson_accepts_no_further_move() -> None:
    front = LessonFront("chocobar")
    answer = min(front.session.course.lesson.answers, key=str)
    front.play(answer)
    solved = front.scene
    front.play(answer)
    assert front.said == ["You have already found the move."]
    assert front.scene == solved
    front.do("restart")
    assert not front.scene.done
    assert front.scene.fresh


def test_lesson_navigation_stops_at_its_ends() -> None:
    front = LessonFront("hexapawn")
    front.do("back")
    assert front.said == ["This is the first lesson."]
    front.do(*["forward"] * 10)
    assert set(front.said) == {"This is the last lesson."}
    assert front.scene.number == len(lessons_of(get_game("hexapawn")))
    front.do("back")
    assert front.scene.number == len(lessons_of(get_game("hexapawn"))) - 1


def test_hint_disappears_with_its_lesson() -> None:
    front = LessonFront("chocobar")
    lesson = front.session.course.lesson
    region = front.session.course.game.explanations.hint_region
    assert not front.scene.hint
    front.do("hint")
    assert front.scene.hint in {region(lesson.position, move).says for move in lesson.answers}
    assert front.scene.board.squares
    front.do("forward")
    assert not front.scene.hint
    assert not front.scene.board.squares


def test_illegal_move_is_refused_with_reason() -> None:
    for front in (LessonFront("menace"), PuzzleFront().started()):
        taken = next(move for move in MENACE.new({}).moves() if move not in front.board.position.moves())
        front.play(taken)
        assert len(front.said) == 1
        assert not front.scene.tries


@pytest.mark.parametrize("name", ["menace", "chocobar", "honshu"])
def test_puzzle_is_solved_and_saved(name: str) -> None:
    keeper = Keeper()
    front = PuzzleFront(host=keeper, name=name)
    assert front.scene.making
    front.session.start()
    assert front.words(Tone.FAINT) == "Generating a new puzzle…"
    front.runner.settle()
    attempt = front.attempt
    assert front.scene.number == 1
    assert front.scene.task == front.words(Tone.TASK) == attempt.puzzle.task
    assert front.scene.fresh
    assert (front.board.position, front.board.playable) == (attempt.puzzle.start, True)
    front.solve()
    assert [each.solved for each in keeper.results] == [True]
    assert front.scene.done
    assert not front.board.playable
    assert present(front.scene.answer).text == front.words(Tone.RIGHT) == f"Right. {attempt.right_words()}"
    front.play(attempt.puzzle.steps[0].move)
    assert front.said == ["This puzzle is already over."]
    front.do("go_on")
    assert front.scene.number == 2
    assert front.attempt is not attempt


@pytest.mark.parametrize("animated", [False, True])
def test_opponent_replies_after_a_pause(animated: bool) -> None:
    front = PuzzleFront(host=Keeper(animated)).started()
    start, (step, following, *_) = front.board.position, front.attempt.puzzle.steps
    other = MENACE.sides[1 - start.turn]
    front.session.play(step.move)
    if animated:
        assert front.words(Tone.RIGHT) == f"Right. {other} is thinking."
        assert front.scene.status == f"{other} is thinking."
        assert (front.board.position, front.board.playable) == (start.play(step.move), False)
        front.session.play(front.board.position.moves()[0])
        assert front.scene.tries == 1, "nobody else moves now"
        front.runner.settle()
    assert front.words(Tone.RIGHT) == f"Right. {other} plays {step.reply}. Now find the next move."
    answer = present(front.scene.answer)
    assert (answer.text, answer.reply) == (f"Right, {step.move}.", f"{other} plays {step.reply}.")
    assert (front.board.position, front.board.last) == (following.position, step.reply)
    assert front.board.playable
    assert front.scene.task == "Find the next move."


@pytest.mark.parametrize("animated", [False, True])
def test_wrong_move_refutation_appears_briefly(animated: bool) -> None:
    front = PuzzleFront(host=Keeper(animated)).started()
    before, wrong = front.board, front.wrong
    front.session.play(wrong)
    assert front.scene.status == "Looking for the refutation."
    tried = frozenset(MENACE.explanations.squares_of(before.position, wrong))
    assert front.board == replace(before, squares=tried)
    front.runner.settle()
    line = front.attempt.refuted.line
    spoken = tried.union(front.attempt.refuted.squares)
    assert spoken > tried
    shown = [scene.board for scene in front.scenes[1:] if scene.board.position != before.position]
    refuted = before.position.after((wrong, *line))
    there = BoardScene(refuted, before.first, last=line[-1], squares=spoken)
    assert shown == ([there] if animated else [])
    assert front.board == replace(before, squares=spoken)
    answer = f"Not {wrong}. {front.attempt.wrong_words()}"
    assert present(front.scene.answer).text == answer
    assert front.words(Tone.WRONG) == f"{answer} Try again."
    assert not front.session.busy


def test_refutation_of_earlier_move_is_dropped() -> None:
    front = PuzzleFront().started()
    front.session.play(front.wrong)
    attempt = front.attempt
    while not attempt.done:
        front.session.play(attempt.step.move)
    front.runner.settle()
    assert front.words(Tone.RIGHT).startswith("Right. ")
    assert not front.session.busy
    front.session.do("go_on")
    assert front.session.busy
    front.session.stop()
    front.runner.settle()
    assert front.scene.making, "nobody waits for it any more"


def test_puzzle_hint_has_two_steps() -> None:
    front = PuzzleFront().started()
    move = front.right
    front.do("hint")
    region = MENACE.explanations.hint_region(front.board.position, move)
    assert front.scene.hint == front.words(Tone.HINT) == region.says
    assert front.board.squares == set(region.squares)
    assert front.board.hinted is None
    front.do("hint", "hint")
    assert front.scene.hint == f"Play {move}."
    assert front.board.hinted == move
    front.solve()
    assert "with a hint" in front.scene.result
    front.do("hint")
    assert front.said == ["This puzzle is already over."]


def test_finished_streak_shows_the_right_move() -> None:
    front = PuzzleFront(STREAK, grade=3).started()
    front.do("hint")
    assert front.said == ["A streak has no hints. Practice has them."]
    assert front.scene.refusals["go_on"] == "Find the move first."
    front.solve()
    assert front.words(Tone.TEXT) == "1 solved so far."
    assert front.scene.following is None
    front.do("go_on")
    wrong, right = front.wrong, front.right
    front.play(wrong)
    assert front.scene.over
    assert front.board.hinted == right
    assert front.words(Tone.WRONG).endswith(f"The right move was {right}.")
    assert front.words(Tone.STRONG) == "1 solved. Your best is 1."
    assert dict(front.scene.offers)["go_on"] == "again"
    assert front.scene.following == front.session.round.choice


def test_next_puzzle_hides_the_refutation() -> None:
    front = PuzzleFront(PRACTICE, Keeper(animated=True)).started()
    front.session.play(front.wrong)
    front.runner.settle(lambda: front.session.state.refuting)
    assert front.scene.move_refusal == ""
    front.session.stop()
    front.runner.settle()
    front.session.start()
    front.runner.settle()
    assert front.board.position == front.attempt.puzzle.start


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_clock_pauses_under_another_screen(mode: Mode) -> None:
    front = PuzzleFront(mode).started()
    watch, board = front.session.round.watch, front.board
    assert watch.running
    front.session.leave()
    assert not watch.running
    assert front.board == board
    front.play(front.right)
    assert not front.scene.tries
    front.session.come_back()
    assert watch.running
    assert front.board.playable


def test_new_puzzle_waits_until_its_screen_is_visible() -> None:
    front = PuzzleFront(DAILY)
    front.session.start()
    front.session.leave()
    front.runner.settle()
    assert not front.session.round.watch.running
    front.play(front.right)
    assert not front.scene.tries
    front.session.come_back()
    assert front.board.playable
    assert front.session.round.watch.running


def test_solved_daily_puzzle_offers_another_game() -> None:
    keeper = Keeper()
    for keeper.next_game in (None, get_game("chocobar")):
        front = PuzzleFront(DAILY, keeper).started()
        assert front.scene.heading == "MENACE, puzzle of 2026-11-22, grade 5 of 5."
        assert front.scene.progress == "Sunday 22 November, grade 5 of 5"
        front.solve()
        assert front.scene.over
        assert front.scene.result in front.words(Tone.FAINT)
        if keeper.next_game is None:
            assert "Come back tomorrow." in front.words(Tone.STRONG)
            assert "go_on" not in dict(front.scene.offers)
            assert front.scene.following is None
        else:
            assert dict(front.scene.offers)["go_on"] == "Chocobar"
            assert front.scene.following == PuzzleChoice(keeper.next_game, DAILY)
        front.do("go_on")
        assert front.scene.number == 1, "there is no other one"


def test_next_daily_puzzle_skips_played_games(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [get_game(name) for name in ("chocobar", "menace", "hexapawn")]
    monkeypatch.setattr("arcade.services.listed_games", lambda: games)
    assert services.next_daily(MENACE) is games[2]
    assert services.next_daily(games[2]) is games[0]
    for game in (games[2], games[0]):
        round = puzzle_round(services, PuzzleChoice(game, DAILY))
        round.begin(puzzles("menace", 3)[0])
        services.save_puzzle(round)
    assert services.next_daily(MENACE) is None
    assert services.next_daily(games[0]) is MENACE


def test_leaving_a_round_notifies_its_host() -> None:
    keeper = Keeper()
    front = PuzzleFront(DAILY, keeper).started()
    front.play(front.wrong)
    front.session.stop()
    assert keeper.left == [front.session.round]


def test_puzzle_making_failure_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(error: Exception) -> Callable[[PuzzleRun, Control], Puzzle]:
        def make(round: PuzzleRun, control: Control) -> Puzzle:
            raise error

        return make

    front = PuzzleFront().started()
    front.solve()
    with monkeypatch.context() as patched:
        patched.setattr(KnownRound, "make", failing(InputError("There is no other.")))
        front.do("go_on")
    assert front.scene.trouble == front.words(Tone.TEXT) == "There is no other."
    assert not front.session.busy
    assert not front.scene.task
    front.do("go_on")
    assert front.scene.number == 2

    monkeypatch.setattr(KnownRound, "make", failing(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        PuzzleFront().started()


INTENTS = ("right", "wrong", "any", "hint", "go_on", "leave", "come_back", "later", "one")


@settings(max_examples=75, deadline=None)
@given(
    st.sampled_from(MODES),
    st.sampled_from([("menace", 3), ("menace", 5), ("chocobar", 3)]),
    st.booleans(),
    st.lists(st.tuples(st.sampled_from(INTENTS), st.integers(0, 60)), max_size=40),
)
def test_puzzle_stays_consistent_under_any_actions(
    mode: Mode, kind: tuple[str, int], animated: bool, intents: Sequence[tuple[str, int]]
) -> None:
    clock, keeper = Clock(), Keeper(animated)
    front = PuzzleFront(mode, keeper, *kind, clock=clock)
    session, round = front.session, front.session.round
    session.start()
    for intent, number in intents:
        attempt = round.attempt
        before = copy(attempt)
        mistakes, tries, solved = round.mistakes, front.scene.tries, round.solved
        clock.now += number
        match intent:
            case "right" | "wrong" if attempt is not None:
                session.play(front.right if intent == "right" else front.wrong)
            case "any":
                moves = front.board.position.moves()
                if moves:
                    session.play(moves[number % len(moves)])
            case "hint" | "go_on":
                session.do(intent)
            case "leave":
                session.leave()
            case "come_back":
                session.come_back()
            case "later":
                front.runner.settle()
            case "one":
                front.step()
        assert front.scene.tries >= tries
        assert (round.mistakes, round.solved) >= (mistakes, solved)
        if attempt is not None and before is not None:
            assert attempt.index >= before.index
            assert attempt.done >= before.done
            assert attempt.solved == before.solved or (attempt.done and not before.done)
            assert attempt.helped >= before.helped
            assert attempt.help >= before.help or attempt.last != before.last
        check_board(front)
    saved = [result.solved for result in keeper.results]
    assert sum(saved) == round.solved
    session.stop()
    front.runner.settle()
    assert keeper.left == [round]


def check_board(front: PuzzleFront) -> None:
    """The board shows the first position, the puzzle's own moves, or what refutes the move that was tried."""
    scene, attempt, board = front.scene, front.session.round.attempt, front.scene.board
    if scene.making or attempt is None:
        assert board.position == front.session.round.game.new({})
        assert not board.playable
        return
    legal = [attempt.puzzle.start]
    for step in attempt.puzzle.steps:
        legal.append(step.position.play(step.move))
        if step.reply is not None:
            legal.append(legal[-1].play(step.reply))
    if front.session.state.refuting:
        legal.append(attempt.step.position.after((attempt.tried, *attempt.refuted.line)))
    assert board.position in legal
    if scene.move_refusal is None:
        assert board.playable
        assert board.position == attempt.step.position
    assert scene.done == attempt.done
    assert board.hinted in (None, attempt.step.move)


LESSON_INTENTS = ("move", "go_on", "forward", "back", "restart", "hint")


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(TAUGHT),
    st.lists(
        st.tuples(
            st.sampled_from(["move", "go_on", "forward", "back", "restart", "hint"]), st.integers(0, 99)
        ),
        max_size=30,
    ),
)
def test_lesson_stays_consistent_under_any_actions(name: str, intents: Sequence[tuple[str, int]]) -> None:
    keeper = Keeper()
    front = LessonFront(name, keeper)
    course = front.session.course
    for intent, number in intents:
        before, learned = front.scene, len(keeper.learned)
        if intent == "move":
            moves = sorted(course.lesson.position.moves(), key=str)
            front.play(moves[number % len(moves)])
            assert front.scene.done >= before.done
            assert front.scene.number == before.number
        else:
            front.do(intent)
        start = course.lesson.position
        answers = [start.play(answer) for answer in course.lesson.answers] if front.scene.done else [start]
        assert front.board.position in answers
        assert front.scene == front.rebuilt()
        assert abs(front.scene.number - before.number) <= 1
        assert len(keeper.learned) - learned == (front.scene.done and not before.done)
