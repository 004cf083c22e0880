"""Every screen of the arcade, and how to come to it: where the fuzzer begins."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual import events
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.registry import game_names, get_game, parse_game_id
from arcade.play.actions import ACTIONS
from arcade.play.match import HUMAN, Match, new_match
from arcade.screens.demonstration import DemonstrationScreen
from arcade.screens.dialogs import (
    HelpScreen,
    NewMatchDialog,
    Prompt,
    Question,
    SeatsDialog,
    SettingsScreen,
)
from arcade.screens.exercises import LessonScreen, PuzzleScreen, PuzzlesDialog
from arcade.screens.games import screen_class
from arcade.screens.hexapawn.setup import SetupScreen
from arcade.screens.history import HistoryScreen, RecordsScreen
from arcade.screens.honshu.best_map import BestMapScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menace.laboratory import LaboratoryScreen
from arcade.screens.menace.machines import BoxDialog, MachinesDialog, NewMachineDialog, WallScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import (
    ChooseMatch,
    ChoosePuzzles,
    OpenLessons,
    OpenMatch,
    OpenPuzzles,
    OpenTournament,
)
from arcade.screens.tournament import NewTournamentDialog, TournamentScreen
from arcade.services import Services
from arcade.study.puzzles import STREAK, PuzzleChoice
from arcade.study.tournament import Tournament
from arcade.textual_fixes import Palette
from tests.engines.test_conformance import SMALL
from tests.narrow import expect, present
from tests.screens.pilots import Kind, top_screen
from tools.actions import act, in_match

Opening = Callable[[Pilot[Any]], Awaitable[None]]


PATIENCE = 1000
"""Rounds of the event loop that messages may take: where a timer sends more, they never end."""


async def until(pilot: Pilot[Any], done: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, f"this never came to be; on top is {pilot.app.screen}"
        await asyncio.sleep(0.005)


def key_event(key: str) -> events.Key:
    names = {"space": " ", "full_stop": ".", "comma": ",", "plus": "+", "minus": "-", "colon": ":"}
    names |= {"question_mark": "?", "left_square_bracket": "["}
    return events.Key(key, names.get(key, key if len(key) == 1 else None))


async def send(pilot: Pilot[Any], *sent: events.Event) -> None:
    """Hand events to the app as its driver does, each when the one before is worked off."""
    for each in sent:
        await burst(pilot, each)


async def burst(pilot: Pilot[Any], *sent: events.Event) -> None:
    """Hand events to the app as its driver does, all at once, and wait until they are worked off."""
    hand(pilot.app, *sent)
    await settle(pilot)


def hand(app: App[Any], *sent: events.Event) -> None:
    """Hand events to the app as its driver does, and do not wait."""
    driver = present(app._driver)
    for each in sent:
        each.set_sender(app)
        driver.process_message(each)


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until no message is left; a Pilot waits for the processor too, which takes ten times as long."""
    app, empty = pilot.app, 0
    ready: Any = asyncio.get_running_loop()
    for _ in range(PATIENCE):
        await asyncio.sleep(0)
        if not app.is_running:
            return
        # A widget with a message is about to run.
        empty = 0 if ready._ready else empty + 1
        if empty == 3:
            return


async def came(pilot: Pilot[Any], kind: type[Kind], *keys: str) -> Kind:
    """Wait until a screen of this kind is on top and at rest, after keys that lead to it."""
    await send(pilot, *map(key_event, keys))
    await until(pilot, lambda: isinstance(pilot.app.screen, kind) and pilot.app.screen.is_mounted)
    await settle(pilot)
    return top_screen(pilot.app, kind)


def give_size(app: App[Any], width: int, height: int) -> None:
    driver, size = app._driver, Size(width, height)
    expect(HeadlessDriver, driver)._size = size
    hand(app, events.Resize(size, size))


async def resize(pilot: Pilot[Any], width: int, height: int) -> None:
    give_size(pilot.app, width, height)
    # Textual tells a screen its size a moment later.
    await until(pilot, lambda: pilot.app.screen._compositor.size == (width, height))
    await settle(pilot)


@dataclass(frozen=True)
class Start:
    """A screen, and how to come to it."""

    name: str
    screen: type[Screen[Any]]
    open: Opening
    """From the menu, or from `below`."""
    match: Callable[[random.Random], Match] | None = None
    """The match that the app is begun with; None for the menu."""
    below: type[Screen[Any]] = MenuScreen
    """The screen that it lies over."""

    def make(self, rng: random.Random) -> ArcadeApp:
        """The app; without a match the screen has yet to be opened."""
        return ArcadeApp(self.match(rng) if self.match else None, warm=False)


def small_match(name: str, rng: random.Random, seats: tuple[str, ...] = ()) -> Match:
    """A match of a game that is soon over, with anybody in the seats."""
    who = ("human", "human", get_game(name).players.best, "random", "fallible:3")
    seated = seats or (rng.choice(who), rng.choice(who))
    return new_match(parse_game_id(rng.choice(SMALL.get(name, [name]))), seated, None, rng.randrange(1000))


def _matches() -> list[Start]:
    found = []
    for name in game_names():
        if name not in SMALL:
            continue

        async def opened(pilot: Pilot[Any], name: str = name) -> None:
            app = expect(ArcadeApp, pilot.app)
            match = small_match(name, random.Random(len(app.services.store.matches(50))))
            app.open_match(OpenMatch(match))
            await until(pilot, lambda: isinstance(app.screen, MatchScreen) and app.screen.is_mounted)

        found.append(Start(name, screen_class(name), opened, partial(small_match, name)))
    return found


def _over_match(
    name: str,
    screen: type[Screen[Any]],
    action: str,
    game: str = "menace",
    seats: tuple[str, ...] = ("human", "random"),
) -> Start:
    """A screen that an action of a match's screen opens."""

    async def opened(pilot: Pilot[Any]) -> None:
        app = expect(ArcadeApp, pilot.app)
        if not isinstance(app.screen, MatchScreen):
            app.open_match(OpenMatch(small_match(game, random.Random(1), seats)))
            await until(pilot, lambda: isinstance(app.screen, MatchScreen) and app.screen.is_mounted)
        below = expect(MatchScreen, app.screen)
        if below.match.player_to_move != HUMAN:
            below.session.begin(small_match(game, random.Random(1), seats))
        await app.screen.run_action(in_match(action) if action in ACTIONS else action)
        await until(pilot, lambda: isinstance(app.screen, screen) and app.screen.is_mounted)

    return Start(name, screen, opened, below=screen_class(game))


def _over(
    name: str,
    screen: type[Screen[Any]],
    push: Callable[[ArcadeApp], object],
    *then: str,
    below: type[Screen[Any]] = MenuScreen,
) -> Start:
    """A screen that is reached from the menu, by actions after something was opened."""

    async def opened(pilot: Pilot[Any]) -> None:
        app = expect(ArcadeApp, pilot.app)
        if below is MenuScreen or not isinstance(app.screen, below):
            push(app)
        for action in then:
            await until(
                pilot, lambda: app.screen.is_mounted and getattr(app.screen, "machine", app) is not None
            )
            await settle(pilot)
            await act(pilot, action)
        await until(pilot, lambda: isinstance(app.screen, screen) and app.screen.is_mounted)

    return Start(name, screen, opened, below=below)


def _choose(name: str, app: ArcadeApp) -> None:
    app.opener.choose_match(ChooseMatch(get_game(name)))


def _learn(name: str, app: ArcadeApp) -> None:
    app.opener.open_lessons(OpenLessons(get_game(name)))


def finished_tournament(services: Services, players: tuple[str, ...], rounds: int = 1) -> Tournament:
    start = parse_game_id("hexapawn:3x3")
    tournament = Tournament(start, players, rounds, 7, machines=services.machines)
    tournament.play(Control(), store=services.store)
    return tournament


def _choose_puzzles(app: ArcadeApp) -> None:
    app.opener.choose_puzzles(ChoosePuzzles(get_game("menace")))


def _tournament(app: ArcadeApp) -> None:
    finished_tournament(app.services, ("beginner", "random", "perfect"))
    app.opener.open_tournament(OpenTournament(get_game("hexapawn")))


def _puzzle(name: str, app: ArcadeApp) -> None:
    app.opener.open_puzzles(OpenPuzzles(PuzzleChoice(get_game(name), STREAK)))


async def _best_map(pilot: Pilot[Any]) -> None:
    """The best map of a race that is over; here the one that was made."""
    app = expect(ArcadeApp, pilot.app)
    if not isinstance(app.screen, MatchScreen):
        app.open_match(OpenMatch(small_match("honshu", random.Random(1), ("human",))))
        await until(pilot, lambda: isinstance(app.screen, MatchScreen) and app.screen.is_mounted)
    path = [parse_game_id(SMALL["honshu"][0]).start()]
    while path[-1].outcome() is None:
        path.append(path[-1].play(path[-1].moves()[0]))
    maps = [each for each in path if isinstance(each, HonshuPosition)]
    app.push_screen(BestMapScreen(maps, maps, "You"))
    await until(pilot, lambda: isinstance(app.screen, BestMapScreen) and app.screen.is_mounted)


async def _stay(pilot: Pilot[Any]) -> None:
    """The menu lies under everything."""


def _demonstrate(app: ArcadeApp) -> None:
    app.push_screen(DemonstrationScreen([get_game("menace")], 1))


def all_starts() -> list[Start]:
    """Every screen once; each game's new match is a start of its own."""
    return [
        Start("menu", MenuScreen, _stay),
        *_matches(),
        _over("settings", SettingsScreen, lambda app: app.action_settings()),
        _over("palette", Palette, lambda app: app.action_command_palette()),
        _over_match("help", HelpScreen, "help"),
        _over("open", Prompt, lambda app: app.action_open_id()),
        _over_match("type", Prompt, "type"),
        _over_match("resign", Question, "resign"),
        _over_match("seats", SeatsDialog, "seats"),
        *(
            _over(f"new-{name}", NewMatchDialog, partial(_choose, name))
            for name in game_names()
            if name in SMALL
        ),
        *(
            _over(f"learn-{name}", LessonScreen, partial(_learn, name))
            for name in game_names()
            if get_game(name).teaching.lessons
        ),
        _over("records", RecordsScreen, lambda app: app.push_screen(RecordsScreen())),
        _over("history", HistoryScreen, lambda app: app.push_screen(HistoryScreen())),
        _over("demonstration", DemonstrationScreen, _demonstrate),
        _over("tournament", TournamentScreen, _tournament),
        _over("new-tournament", NewTournamentDialog, _tournament, "new", below=TournamentScreen),
        _over("puzzles", PuzzlesDialog, _choose_puzzles),
        _over("puzzle", PuzzleScreen, partial(_puzzle, "menace")),
        Start("best-map", BestMapScreen, _best_map, below=screen_class("honshu")),
        _over_match("setup", SetupScreen, "edit", "hexapawn"),
        _over("wall", WallScreen, lambda app: app.push_screen(WallScreen("menace"))),
        _over("box", BoxDialog, lambda app: app.push_screen(WallScreen("menace")), "open", below=WallScreen),
        _over(
            "machines",
            MachinesDialog,
            lambda app: app.push_screen(WallScreen("menace")),
            "machine",
            below=WallScreen,
        ),
        _over("laboratory", LaboratoryScreen, lambda app: app.push_screen(LaboratoryScreen("menace"))),
        _over(
            "new-machine",
            NewMachineDialog,
            lambda app: app.push_screen(LaboratoryScreen("menace")),
            "new",
            below=LaboratoryScreen,
        ),
    ]
