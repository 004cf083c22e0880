"""Helpers that start matches, lessons and puzzles in text mode."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from arcade.commands.common import LOCK_SECONDS, input_lines, print_and_flush, print_error, say_preparing
from arcade.engines.registry import AnyGame
from arcade.matches import usual_match
from arcade.play.match import Match
from arcade.services import Services
from arcade.studies import map_of_day, puzzle_round
from arcade.study.lessons import LessonProgress
from arcade.study.puzzles import DAILY, PRACTICE, PuzzleChoice, PuzzleRun
from arcade.text.match import MatchDialogue
from arcade.text.study import LessonDialogue, PuzzleDialogue


@contextmanager
def text_mode_services() -> Iterator[Services]:
    """Yield services that compile kernels on first use. At the end, wait until everything is saved."""
    services = Services(warm=False, preparing=say_preparing)
    try:
        yield services
    finally:
        waits = not services.retry()
        if waits:
            print_error(f"{services.unwritten} Waiting to save your progress. Press Ctrl+C to give up.")
        not_saved = services.close(LOCK_SECONDS)
        if not_saved or waits:
            print_error(not_saved or "Everything is saved now.")


def play_match(match: Match) -> None:
    with text_mode_services() as services:
        match.guests = services.machines
        MatchDialogue(match, services, print_and_flush).run(input_lines())


def play_usual_match(game: AnyGame) -> None:
    with text_mode_services() as services:
        MatchDialogue(usual_match(services, game), services, print_and_flush).run(input_lines())


def resume_last_match() -> None:
    with text_mode_services() as services:
        MatchDialogue.last(services, print_and_flush).run(input_lines())


def take_lessons(game: AnyGame) -> None:
    with text_mode_services() as services:
        course = LessonProgress(game, services.learned(game.name))
        LessonDialogue(course, services, print_and_flush).run(input_lines())


def solve_puzzles(game: AnyGame, day: date | None, grade: int | None, seed: int | None) -> None:
    choice = PuzzleChoice(game, PRACTICE if day is None else DAILY, grade)
    with text_mode_services() as services:
        if day is not None and game.practice.daily_board:
            match, saved = map_of_day(services, game, day)
            MatchDialogue(match, services, print_and_flush, saved).run(input_lines())
            return
        new = day is None and seed is None
        round = puzzle_round(services, choice) if new else PuzzleRun(choice, seed or 0, day=day)
        PuzzleDialogue(round, services, print_and_flush).run(input_lines())
