from collections.abc import Iterator
from pathlib import Path

import pytest

from arcade.engines.registry import get_game, installed_games
from arcade.plain.study import LessonDialogue
from arcade.services import Services
from arcade.study.lessons import Course


@pytest.mark.parametrize("name", [game.name for game in installed_games() if game.lessons])
def test_all_lessons_are_learned_by_ear(name: str, data_folder: Path) -> None:
    services = Services(warm=False)
    course = Course(get_game(name))
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
            yield str(next(iter(lesson.answers)))
            assert f"Right. {lesson.why}" in said
            yield "next"

    LessonDialogue(course, services, said.append).run(person())
    assert services.learned(name) == {lesson.name for lesson in course.lessons}
    assert said[-2] == "There is no lesson after this one."
    assert said[-1].startswith("That was the last lesson.")
    assert all(line and line.isprintable() for line in said)
    services.close()


def test_lessons_to_and_fro() -> None:
    services = Services(warm=False)
    said: list[str] = []
    dialogue = LessonDialogue(Course(get_game("chocobar")), services, said.append)
    dialogue.run(iter(["back", "next", "back", "again", "9,9", "look", "quit", "next"]))
    services.close()
    assert said.count("There is no lesson before this one.") == 1
    assert sum(line.startswith("Lesson 1 of") for line in said) == 3
    assert sum(line.startswith("Lesson 2 of") for line in said) == 1
    assert any("is not on the bar" in line for line in said)
