import threading
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.registry import AnyGame, get_game, installed_games, parse_game_id
from arcade.services import Services
from arcade.study.lessons import LessonProgress
from arcade.study.puzzle_generator import Puzzle
from arcade.study.puzzles import DAILY, PRACTICE, PuzzleAttempt, PuzzleChoice, PuzzleRun, parse_day
from arcade.text.study import LessonDialogue, PuzzleDialogue
from tests.narrow import present


def attempt_of(dialogue: PuzzleDialogue) -> PuzzleAttempt:
    return present(dialogue.session.round.attempt)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never say that a puzzle is being made, however busy the machine is."""
    monkeypatch.setattr("arcade.text.study.PATIENCE", 600.0)


@pytest.mark.parametrize("name", [game.name for game in installed_games() if game.teaching.lessons])
def test_all_lessons_can_be_solved_in_text_mode(name: str, services: Services) -> None:
    course = LessonProgress(get_game(name))
    said: list[str] = []

    def person() -> Iterator[str]:
        for number, lesson in enumerate(course.lessons):
            assert course.index == number
            assert f"Lesson {number + 1} of {len(course.lessons)}: {lesson.title}." in said
            wrong = [move for move in lesson.position.moves() if move not in lesson.answers]
            if wrong:
                yield str(wrong[0])
                assert said[-2:] == [f"Not {wrong[0]}. {lesson.wrong}", lesson.ask]
            yield "next to nothing"
            assert said[-1] == lesson.ask
            yield "hint"
            region = dialogue.game.explanations.hint_region
            assert said[-2] in {region(lesson.position, answer).says for answer in lesson.answers}
            yield str(next(iter(lesson.answers)))
            rule = dialogue.game.explanations.shown_rule(lesson.rule)
            assert f"Right. {lesson.why}{f' Rule: {rule.motto}' if rule else ''}" in said
            yield "next"

    dialogue = LessonDialogue(course, services, said.append)
    dialogue.run(person())
    assert services.learned(name) == {lesson.name for lesson in course.lessons}
    assert said[-2] == "This is the last lesson."
    assert said[-1].startswith("That was the last lesson.")
    assert all(line and line.isprintable() for line in said)


def test_lesson_navigation_works_in_text_mode(services: Services) -> None:
    said: list[str] = []
    dialogue = LessonDialogue(LessonProgress(get_game("chocobar")), services, said.append)
    dialogue.run(iter(["back", "next", "back", "again", "9,9", "look", "quit", "next"]))
    assert said.count("This is the first lesson.") == 1
    assert sum(line.startswith("Lesson 1 of") for line in said) == 3
    assert sum(line.startswith("Lesson 2 of") for line in said) == 1
    assert any("is not on the bar" in line for line in said)


def test_look_command_repeats_the_lesson_box(services: Services) -> None:
    said: list[str] = []
    LessonDialogue(LessonProgress(get_game("menace")), services, said.append).run(
        iter([*["next"] * 3, "look"])
    )
    assert said.count("b2: seven beads.") == 2


@pytest.mark.parametrize("name", ["menace", "chocobar"])
def test_puzzles_can_be_solved_in_text_mode(
    name: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_puzzle(round: PuzzleRun, control: Control) -> None:
        raise InputError("There is no puzzle.")

    round = PuzzleRun(PuzzleChoice(get_game(name), PRACTICE), 3)
    said: list[str] = []
    dialogue = PuzzleDialogue(round, services, said.append)

    def person() -> Iterator[str]:
        for number in (1, 2):
            assert any(line.startswith(f"{round.game.title}, puzzle {number}, grade ") for line in said)
            attempt = attempt_of(dialogue)
            assert said[-1] == attempt.puzzle.task
            wrong = next(move for move in attempt.position.moves() if move != attempt.step.move)
            yield str(wrong)
            assert said[-2].startswith(f"Not {wrong}. ")
            yield "next"
            assert said[-2].startswith("Find the move first")
            yield "hint"
            yield "hint"
            assert said[-2] == f"Play {attempt.step.move}."
            while not attempt.done:
                yield str(attempt.step.move)
            assert any(line.startswith("Right. ") for line in said)
            yield str(wrong)
            assert said[-2] == "This puzzle is already over."
            if number == 2:
                monkeypatch.setattr(PuzzleRun, "make", no_puzzle)
            yield "next"

    dialogue.run(person())
    assert said[-2:] == ["There is no puzzle.", "Type next for another puzzle, or quit."]
    assert len(services.puzzle_results(name)) == 2
    assert all(line and line.isprintable() for line in said)


def test_daily_puzzle_appears_only_once(services: Services) -> None:
    round = PuzzleRun(PuzzleChoice(get_game("menace"), DAILY), day=parse_day("2026-11-22"))
    said: list[str] = []
    dialogue = PuzzleDialogue(round, services, said.append)

    def person() -> Iterator[str]:
        yield "zz"
        yield "a9"
        while not attempt_of(dialogue).done:
            yield str(attempt_of(dialogue).step.move)
        yield "result"
        yield "hint"
        yield "next"

    dialogue.run(person())
    assert said[0].startswith("MENACE, puzzle of 2026-11-22, grade ")
    assert any("solved on the first try" in line for line in said)
    assert "This puzzle is already over." in said
    assert said[-2] == "You have finished this puzzle. There is a new one each day."
    assert said[-1] == "Type quit."


def test_puzzle_command_starts_text_mode(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"board\nhint\n"), "utf-8"))
    assert run(["puzzle", "menace", "--plain", "--seed", "3"]) == 0
    assert capsys.readouterr().out.startswith("MENACE, puzzle 1, grade ")
    for wrong in (["puzzle", "--plain"], ["puzzle", "menace", "--plain", "--count", "3"]):
        assert run(wrong) == 2
        assert "--plain requires a game" in capsys.readouterr().err


def test_puzzle_command_without_arguments_asks_every_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def none(_: list[object], game: AnyGame, *__: object) -> None:
        asked.append(game.name)

    monkeypatch.setattr("arcade.commands.puzzle.make_puzzles", none)
    assert run(["puzzle"]) == 0
    assert {"chocobar", "hexapawn", "tetromino", "honshu", "menace"} <= set(asked)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("asked", "kept"), [((), []), (("hint",), [False]), (("wrong",), [False])])
def test_unfinished_daily_puzzle_with_help_is_saved_as_unsolved(
    asked: tuple[str, ...], kept: list[bool], services: Services
) -> None:
    day = parse_day("2026-11-22")
    round = PuzzleRun(PuzzleChoice(get_game("menace"), DAILY), day=day)
    dialogue = PuzzleDialogue(round, services, lambda _: None)

    def person() -> Iterator[str]:
        for word in asked:
            attempt = attempt_of(dialogue)
            wrong = next(move for move in attempt.position.moves() if move != attempt.step.move)
            yield str(wrong) if word == "wrong" else word
        yield "quit"

    dialogue.run(person())
    assert [each.solved for each in services.puzzle_results("menace", day.isoformat())] == kept


def test_seed_gives_same_puzzle_in_text_mode(
    data_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["puzzle", "menace", "--seed", "1"]) == 0
    printed = capsys.readouterr().out.splitlines()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"quit\n")))
    assert run(["puzzle", "menace", "--seed", "1", "--plain"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert set(parse_game_id(printed[-1]).start().describe()) < set(told)


def test_slow_puzzle_making_is_reported(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.text.study.PATIENCE", 0.01)
    told, make, said = threading.Event(), PuzzleRun.make, list[str]()

    def slow(round: PuzzleRun, control: Control) -> Puzzle | None:
        assert told.wait(60)
        return make(round, control)

    def say(line: str) -> None:
        said.append(line)
        if line == "Generating a puzzle.":
            told.set()

    monkeypatch.setattr(PuzzleRun, "make", slow)
    round = PuzzleRun(PuzzleChoice(get_game("menace"), PRACTICE), 1)
    PuzzleDialogue(round, services, say).run(())
    assert said.count("Generating a puzzle.") == 1
    assert said[1].startswith(f"{get_game('menace').title}, puzzle")


def test_puzzle_that_cannot_be_made_is_refused(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> Puzzle:
        raise InputError("There is none.")

    monkeypatch.setattr(PuzzleRun, "make", none)
    with pytest.raises(InputError, match="There is none"):
        PuzzleDialogue(PuzzleRun(PuzzleChoice(get_game("menace"), PRACTICE), 1), services, print).begin()
