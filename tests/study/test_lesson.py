import importlib
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.game import RaceGame
from arcade.engines.honshu.game import Honshu
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.menace.machine import Options
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, get_game, installed_games
from arcade.engines.solver import Solver
from arcade.engines.verdict import Value, value_keeping_moves
from arcade.services import Services
from arcade.store.settings import AppState
from arcade.study.lessons import Lesson, LessonProgress, Task, lessons_of
from tests.narrow import expect
from tests.oracle import BruteForce
from tests.refusals import refused

TAUGHT = [game for game in installed_games() if game.teaching.lessons]
ALL = [
    pytest.param(game, each, id=f"{game.name}-{each.name}") for game in TAUGHT for each in lessons_of(game)
]


def best_end(position: Position[Any], game: RaceGame[Any, Any]) -> int:
    """The highest score at the end, straight from the rules."""
    moves = position.moves()
    if not moves:
        return game.points(position)
    return max(best_end(position.play(move), game) for move in moves)


def right_moves(game: AnyGame, lesson: Lesson, solver: Solver[Any, Any]) -> set[Any]:
    """The moves that do what a lesson's task says, found by a solver or straight from the rules."""
    position, moves = lesson.position, lesson.position.moves()
    match lesson.task:
        case Task.LEGAL:
            return set(moves)
        case Task.END:
            ends = ((move, position.play(move).outcome()) for move in moves)
            return {move for move, end in ends if end is not None and end.winner == position.turn}
        case Task.MOST:
            race = expect(Honshu, game)
            ended = {move: best_end(position.play(move), race) for move in moves}
            return {move for move in moves if ended[move] == max(ended.values())}
        case Task.LIKELY:
            most = max(lesson.beads.values())
            return {game.parse_move(text, position) for text, n in lesson.beads.items() if n == most}
    analysis = solver.moves(position, Control())
    assert all(each.verdict.value is not None for each in analysis)
    if lesson.task is Task.WIN:
        assert not any(each.verdict.remoteness == 1 for each in analysis), "some move wins at once"
        return {each.move for each in analysis if each.verdict.value is Value.WIN}
    return set(value_keeping_moves(analysis))


@pytest.mark.parametrize(("game", "lesson"), ALL)
def test_task_answers_match_the_solver(game: AnyGame, lesson: Lesson) -> None:
    assert lesson.answers == right_moves(game, lesson, game.solver)
    assert len(lesson.answers) < len(lesson.position.moves()) or lesson.task is Task.LEGAL


@pytest.mark.parametrize(("game", "lesson"), ALL)
def test_task_answers_match_brute_force(game: AnyGame, lesson: Lesson) -> None:
    brute = BruteForce()
    if not isinstance(game, RaceGame) and brute.verdict(lesson.position, Control()).known:
        assert lesson.answers == right_moves(game, lesson, brute)
    else:
        # Tetromino's full hands are too much for a brute force; Honshu's best scores are found by one above.
        assert isinstance(game, RaceGame) or lesson.name in ("place", "centre")


def test_honshu_lesson_scores_match_brute_force() -> None:
    game = expect(Honshu, get_game("honshu"))
    for lesson in lessons_of(game):
        if lesson.task is Task.MOST:
            verdict = game.solver.verdict(expect(HonshuPosition, lesson.position), Control())
            assert verdict.known
            assert verdict.json()["best"] == best_end(lesson.position, game)


def test_every_game_of_the_arcade_has_four_to_six_lessons() -> None:
    assert {game.name for game in TAUGHT} == {"chocobar", "hexapawn", "tetromino", "honshu", "menace"}
    for game in TAUGHT:
        assert 4 <= len(lessons_of(game)) <= 6
        assert game.teaching.goal.endswith(".")
        assert bool(game.teaching.picture) != bool(game.teaching.story)
        picture = game.teaching.picture.splitlines()
        assert len(picture) <= 4
        assert all(len(line) <= 30 for line in picture)
        assert all(len(thought) <= 120 for thought in game.teaching.story)
        assert "".join((game.teaching.picture, *game.teaching.story)).isascii()


def test_every_scoring_rule_of_honshu_has_a_lesson() -> None:
    names = {each.name for each in lessons_of(get_game("honshu"))}
    assert {"village", "forests", "lakes", "factories"} <= names


def test_lesson_beads_match_a_real_machine() -> None:
    """A fresh box by its stage, and what the default rewards make of it."""
    recipe, lessons = Options(), {each.name: each for each in lessons_of(get_game("menace"))}
    won, _, lost = recipe.rewards
    reward, loss = lessons["reward"], lessons["loss"]
    fresh = {name: recipe.first_beads[stage] for name, stage in (("reward", 2), ("loss", 2))}
    moves = [str(move) for move in reward.position.moves()]
    assert reward.beads == {move: fresh["reward"] + won * (move == "a2") for move in moves}
    emptied = {str(move): 0 for move in loss.position.moves()} | {"b3": fresh["loss"]}
    assert loss.beads == emptied
    assert (fresh["loss"] / -lost) * (len(emptied) - 1) == 8, "the text says eight lost games"
    # The beads agree with the truth: what the boxes have learned is right.
    for lesson in (reward, loss):
        assert lesson.answers <= set(
            value_keeping_moves(get_game("menace").solver.moves(lesson.position, Control()))
        )
    assert sum(lessons["box"].beads.values()) == 12, "the text says twelve"


def test_game_without_lessons_has_no_course() -> None:
    game = get_game("graph")
    assert lessons_of(game) == ()
    refused("no lessons", LessonProgress, game)


def test_course_starts_at_first_unfinished_lesson() -> None:
    game = get_game("chocobar")
    names = [each.name for each in lessons_of(game)]
    assert LessonProgress(game).index == 0
    assert LessonProgress(game, frozenset(names[:2])).index == 2
    assert LessonProgress(game, frozenset(names)).index == 0


def test_only_right_move_changes_the_board() -> None:
    course = LessonProgress(get_game("chocobar"))
    start = course.position
    wrong = course.game.parse_move("(1,3)", start)
    assert not course.play(wrong)
    assert course.position == start
    assert course.tried == wrong
    right = course.game.parse_move("(1,2)", start)
    assert course.play(right)
    assert course.solved
    assert course.tried is None
    assert course.position == start.play(right)
    assert course.play(wrong), "nothing more is asked"
    assert course.position == start.play(right)


def test_course_navigation_stops_at_its_ends() -> None:
    course = LessonProgress(get_game("hexapawn"))
    course.go(-1)
    assert course.index == 0
    course.play(next(iter(course.lesson.answers)))
    course.go(1)
    assert (course.index, course.solved) == (1, False)
    course.go(len(course.lessons) - 2)
    assert course.last
    course.go(1)
    assert course.last


def test_finished_lessons_are_remembered() -> None:
    services = Services(warm=False)
    assert services.learned("chocobar") == frozenset()
    services.has_learned("chocobar", "poison")
    services.has_learned("hexapawn", "block")
    services.has_learned("chocobar", "poison")
    services.close()
    again = Services(warm=False)
    assert again.state.learned == "chocobar:poison hexapawn:block"
    assert again.learned("chocobar") == {"poison"}
    again.close()
    assert AppState.from_texts({}).learned == ""


GOOD = """
[one]
title = "T"
position = "chocobar:1x3"
say = "S"
ask = "A"
task = "end"
answers = ["(1,2)"]
why = "W"
wrong = "N"
"""

BAD = {
    "nonsense": ("x = ", "Cannot read the lessons"),
    "no table": ("one = 1", "'one' of Chocobar: it must be an object, not 1"),
    "no title": (GOOD.replace("title", "name"), "'one' of Chocobar: title is missing"),
    "no such task": (
        GOOD.replace('"end"', '"dance"'),
        'task must be one of legal, .*, not "dance"',
    ),
    "bad position": (GOOD.replace("1x3", "0x3"), "Lesson 'one' of Chocobar: "),
    "another game": (GOOD.replace("chocobar:1x3", "hexapawn").replace("(1,2)", "a2"), "position of Hexapawn"),
    "illegal answer": (GOOD.replace("(1,2)", "(2,2)"), "only legal moves"),
    "no answers": (GOOD.replace('answers = ["(1,2)"]', ""), "'answers' is required"),
    "beads without a move": (GOOD + "beads = { z9 = 3 }", "Lesson 'one' of Chocobar"),
    "beads without a number": (
        GOOD + 'beads = { "(1,2)" = "many" }',
        r'beads\["\(1,2\)"\] must .* number, not "many"',
    ),
    "answers are no list": (GOOD.replace('["(1,2)"]', "3"), "answers must be a list or null, not 3"),
}


@pytest.mark.parametrize("case", BAD)
def test_invalid_lesson_file_error_names_the_problem(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, said = BAD[case]
    package = tmp_path / f"taught_{case.replace(' ', '_')}"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from arcade.engines.chocobar.game import Chocobar\n\nclass Own(Chocobar):\n    pass\n"
    )
    (package / "lessons.toml").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    refused(said, lessons_of, importlib.import_module(package.name).Own())
