"""Open all screens except matches. The menu's first paint needs none of these screens."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.message import Message

from arcade.matches import match_from
from arcade.play.match import Match
from arcade.screens.base import ArcadeScreen, arcade_of, open_screen, reporting, services_of
from arcade.screens.demonstration import DemonstrationScreen
from arcade.screens.dialogs import HelpScreen, NewMatchDialog, Prompt, Question, SettingsScreen
from arcade.screens.exercises import LessonScreen, PuzzleScreen, PuzzlesDialog
from arcade.screens.history import HistoryScreen, RecordsScreen
from arcade.screens.match import MatchScreen
from arcade.screens.match_opening import MatchOpener
from arcade.screens.navigation import (
    ChooseMatch,
    ChoosePuzzles,
    Demonstrate,
    OpenHistory,
    OpenLessons,
    OpenMatch,
    OpenPuzzles,
    OpenRecords,
    OpenTeaching,
    OpenTournament,
)
from arcade.studies import map_of_day, puzzle_round
from arcade.study.lessons import LessonProgress
from arcade.study.puzzles import PRACTICE, PuzzleChoice, today


class Opener:
    def __init__(self, app: App[Any], matches: MatchOpener) -> None:
        self._app = app
        self._matches = matches
        self._services = services_of(app)

    def open(self, message: Message) -> None:
        match message:
            case ChooseMatch():
                self.choose_match(message)
            case OpenLessons():
                self.open_lessons(message)
            case OpenTeaching():
                self.open_teaching(message)
            case ChoosePuzzles():
                self.choose_puzzles(message)
            case OpenPuzzles():
                self.open_puzzles(message)
            case OpenTournament():
                self.open_tournament(message)
            case OpenRecords():
                open_screen(self._app, RecordsScreen())
            case OpenHistory():
                open_screen(self._app, HistoryScreen())
            case Demonstrate():
                open_screen(self._app, DemonstrationScreen(message.games))

    def open_id(self) -> None:
        game = screen.match.game if isinstance(screen := self._app.screen, MatchScreen) else None

        def read(text: str) -> Match:
            return match_from(self._services, text, game)

        prompt = Prompt("Game ID, position, match or file", "for example chocobar:8x10", read)
        open_screen(self._app, prompt, lambda text: self._matches.open_match(OpenMatch(read(text))))

    def open_settings(self) -> None:
        open_screen(self._app, SettingsScreen())

    def show_help(self, screen: ArcadeScreen) -> None:
        open_screen(self._app, HelpScreen(screen))

    def choose_match(self, message: ChooseMatch) -> None:
        def chosen(match: Match) -> None:
            self._services.remember_seats(match)
            self._matches.open_match(OpenMatch(match))

        open_screen(self._app, NewMatchDialog(message.game, message.like), chosen)

    def open_lessons(self, message: OpenLessons) -> None:
        game = message.game
        with reporting(self._app):
            screen = LessonScreen(
                self._services, LessonProgress(game, self._services.learned(game.name), message.first)
            )
            arcade_of(self._app).opened = game.name
            if isinstance(self._app.screen, LessonScreen) and self._app.screen.game is not game:
                self._app.pop_screen()
            again = ChooseMatch(game)
            open_screen(
                self._app, screen, otherwise=lambda: self.choose_match(again) if screen.ended else None
            )

    def open_teaching(self, message: OpenTeaching) -> None:
        game, found = message.match.game, self._services.teaching(message.match)
        if found is None or found.lesson:
            self.open_lessons(OpenLessons(game, found.lesson if found else ""))
        else:
            self.open_puzzles(OpenPuzzles(PuzzleChoice(game, PRACTICE, rule=found.rule)))

    def choose_puzzles(self, message: ChoosePuzzles) -> None:
        open_screen(
            self._app, PuzzlesDialog(message.game), lambda choice: self.open_puzzles(OpenPuzzles(choice))
        )

    def open_puzzles(self, message: OpenPuzzles) -> None:
        choice = message.choice
        if choice.mode.daily and choice.game.practice.daily_board:
            with reporting(self._app):
                self._matches.open_match(OpenMatch(*map_of_day(self._services, choice.game, today())))
            return
        screen = PuzzleScreen(self._services, puzzle_round(self._services, choice))
        if isinstance(self._app.screen, PuzzleScreen):
            self._app.switch_screen(screen)
        else:
            open_screen(self._app, screen)

    def open_tournament(self, message: OpenTournament) -> None:
        from arcade.screens.tournament import TournamentScreen  # loads NumPy

        open_screen(self._app, TournamentScreen(message.game))

    def confirm_leaving(self, question: str) -> None:
        open_screen(self._app, Question(question), lambda yes: self._app.exit() if yes else None)
