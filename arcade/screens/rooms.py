"""The doors between the screens; each imports its screen when it is opened, as the first paint needs few."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual.app import App
from textual.screen import Screen

from arcade.engines.registry import AnyGame
from arcade.screens.base import Arcade, open_screen, reporting
from arcade.services import Services
from arcade.store.store import Saved, SavedAs

if TYPE_CHECKING:
    from arcade.engines.menace.machine import AnyMachine
    from arcade.play.match import Match
    from arcade.study.puzzles import PuzzleChoice


def services_of(app: App[Any]) -> Services:
    return cast(Arcade, app).services


def game_on(screen: Screen[Any]) -> AnyGame | None:
    from arcade.screens.match import MatchScreen

    return screen.match.game if isinstance(screen, MatchScreen) else None


def choose_match(app: App[Any], game: AnyGame, like: Match | None = None) -> None:
    from arcade.screens.dialogs import NewMatchDialog

    def chosen(match: Match) -> None:
        services_of(app).remember_seats(match)
        open_match(app, match)

    open_screen(app, NewMatchDialog(game, like), chosen)


def open_match(app: App[Any], match: Match, saved: SavedAs | None = None, watch: bool = False) -> None:
    """Play a match, which replaces the one on the screen; `watch`: show it, finished, from its first move."""
    from arcade.screens.games import screen_class
    from arcade.screens.match import MatchScreen

    services, screen = services_of(app), app.screen
    match.guests = services.machines
    if not isinstance(screen, MatchScreen):
        opened = screen_class(match.game.name)(services, match, saved)
        opened.replays = watch
        app.push_screen(opened)
    elif saved is not None:
        # A second click on a match in the list.
        return
    elif screen.match.game is match.game:
        screen.session.begin(match)
    else:
        services.remember(in_play="")
        app.switch_screen(screen_class(match.game.name)(services, match))


def open_saved(app: App[Any], saved: Saved) -> bool:
    """Open a saved match; returns whether it can be replayed, and says why not."""
    with reporting(app):
        open_match(app, services_of(app).reopened(saved), (saved.id, saved.revision))
        return True
    return False


def open_id(app: App[Any]) -> None:
    from arcade.screens.dialogs import Prompt

    services, game = services_of(app), game_on(app.screen)

    def read(text: str) -> Match:
        return services.match_from(text, game)

    prompt = Prompt("Game ID, position, match or file", "for example chocobar:8x10", read)
    open_screen(app, prompt, lambda text: open_match(app, read(text)))


def learn(app: App[Any], game: AnyGame, first: str = "") -> None:
    from arcade.screens.study import LessonScreen
    from arcade.study.lessons import Course

    with reporting(app):
        screen = LessonScreen(Course(game, services_of(app).learned(game.name), first))
        if isinstance(app.screen, LessonScreen) and app.screen.game is not game:
            app.pop_screen()
        open_screen(app, screen, otherwise=lambda: choose_match(app, game) if screen.ended else None)


def learn_from(app: App[Any], match: Match) -> None:
    """Open what teaches a rule of play that a person missed in a match, else the lessons of its game."""
    from arcade.study.puzzles import Mode, PuzzleChoice

    found = services_of(app).teaching(match)
    if found is None or found.lesson:
        learn(app, match.game, found.lesson if found else "")
    else:
        play_puzzles(app, PuzzleChoice(match.game, Mode.PRACTICE, rule=found.rule))


def choose_puzzles(app: App[Any], game: AnyGame) -> None:
    from arcade.screens.study import PuzzlesDialog

    open_screen(app, PuzzlesDialog(game), partial(play_puzzles, app))


def play_puzzles(app: App[Any], choice: PuzzleChoice) -> None:
    from arcade.screens.study import PuzzleScreen
    from arcade.study.puzzles import Mode, today

    if choice.mode is Mode.DAILY and choice.game.day_board:
        with reporting(app):
            open_match(app, *services_of(app).map_of_day(choice.game, today()))
        return
    screen = PuzzleScreen(services_of(app).puzzle_round(choice))
    if isinstance(app.screen, PuzzleScreen):
        app.switch_screen(screen)
    else:
        open_screen(app, screen)


def open_tournament(app: App[Any], game: AnyGame) -> None:
    from arcade.screens.tournament import TournamentScreen

    open_screen(app, TournamentScreen(game))


def open_comparison(app: App[Any], game: AnyGame) -> None:
    from arcade.screens.comparison import ComparisonScreen

    open_screen(app, ComparisonScreen(game))


def open_boxes(
    app: App[Any],
    game: str,
    machine: str | AnyMachine | None = None,
    in_play: int | None = None,
    closed: Callable[[], None] = lambda: None,
) -> None:
    from arcade.screens.machines import WallScreen

    open_screen(app, WallScreen(game, machine, in_play), otherwise=closed)


def open_laboratory(
    app: App[Any], game: str, machine: str | None = None, closed: Callable[[], None] = lambda: None
) -> None:
    from arcade.screens.laboratory import LaboratoryScreen

    open_screen(app, LaboratoryScreen(game, machine), otherwise=closed)
