"""What the tests of screens share: an arcade with a match open, and waiting for it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.play.match import Match, new_match
from arcade.screens import games
from arcade.screens.match import MatchScreen
from arcade.screens.navigation import OpenMatch
from tests.narrow import expect
from tools.actions import rested as rested
from tools.actions import settled as settled

Kind = TypeVar("Kind", bound=Screen[Any])


def set_up(app: ArcadeApp, **texts: str) -> None:
    """Change settings for this run only."""
    for name, text in texts.items():
        app.services.settings = app.services.settings.changed(name, text)


def app_with(match: Match | None = None, **settings: str) -> ArcadeApp:
    """An arcade that opens with a match or the menu; nothing moves unless the settings say so."""
    app = ArcadeApp(match, warm=False)
    set_up(app, **({"calm": "on"} | settings))
    if "theme" in settings:
        app.theme = settings["theme"]
    return app


@asynccontextmanager
async def running(
    app: ArcadeApp, size: tuple[int, int] = (80, 24), **options: Any
) -> AsyncIterator[tuple[ArcadeApp, Pilot[None]]]:
    async with app.run_test(size=size, **options) as pilot:
        yield app, pilot


@asynccontextmanager
async def at_rest(
    app: ArcadeApp, size: tuple[int, int] = (80, 24), **options: Any
) -> AsyncIterator[tuple[ArcadeApp, Pilot[None]]]:
    """An arcade when nobody works on its match any more, with its pilot."""
    async with running(app, size, **options) as (_, pilot):
        await rested(pilot)
        yield app, pilot


def match_of(text: str, *seats: str) -> Match:
    """A match of a game ID, of two people unless others are named."""
    return new_match(parse_game_id(text), seats or ("human", "human"))


def app_of(text: str, *seats: str, **settings: str) -> ArcadeApp:
    """An arcade with such a match."""
    return app_with(match_of(text, *seats), **settings)


def top_screen(app: App[Any], kind: type[Kind]) -> Kind:
    assert isinstance(app.screen, kind)
    return app.screen


async def pressed(pilot: Pilot[Any], *keys: str, until: Callable[[], object] | None = None) -> None:
    """Press keys, and let the screen follow, until something is so."""
    await pilot.press(*keys)
    await (settled(pilot, until) if until else pilot.pause())


async def clicked(pilot: Pilot[Any], place: str | type[Widget] | None = None, **options: Any) -> None:
    """Click a place, and let the screen follow."""
    await pilot.click(place, **options)
    await pilot.pause()


async def resized(pilot: Pilot[Any], width: int, height: int) -> None:
    """Give the terminal another size, and let the screen follow."""
    await pilot.resize_terminal(width, height)
    await pilot.pause()


async def reached(pilot: Pilot[Any], kind: type[Kind], *keys: str) -> Kind:
    """Wait until a screen of this kind is on top, after keys that lead to it."""
    await pilot.press(*keys)
    await settled(pilot, lambda: isinstance(pilot.app.screen, kind) and pilot.app.screen.is_mounted)
    return top_screen(pilot.app, kind)


async def back_to_menu(pilot: Pilot[Any]) -> None:
    """Take away every screen over the menu."""
    while len(pilot.app.screen_stack) > 1:
        await pilot.app.pop_screen()
    await pilot.pause()


async def play_next(pilot: Pilot[Any], match: Match) -> MatchScreen:
    """Open a match on a new screen, in place of what is over the menu, and wait until nobody works on it."""
    app = expect(ArcadeApp, pilot.app)
    while len(app.screen_stack) > 1 and not isinstance(app.screen, MatchScreen):
        await app.pop_screen()
    if isinstance(app.screen, MatchScreen):
        # The menu does not come up in between, which would take as long as another arcade.
        match.guests = app.services.machines
        await app.switch_screen(games.screen_class(match.game.name)(app.services, match))
    else:
        app.open_match(OpenMatch(match))
    await rested(pilot, lambda: isinstance(app.screen, MatchScreen) and app.screen.is_mounted)
    return top_screen(app, MatchScreen)


def keys(*pressed: str) -> Callable[[Pilot[Any]], Any]:
    """Press keys, each when what the one before led to is done."""

    async def press(pilot: Pilot[Any]) -> None:
        await rested(pilot)
        for key in pressed:
            await pilot.press(key)
            await rested(pilot)

    return press


def plies_of(app: ArcadeApp) -> list[str]:
    return [str(ply.move) for ply in expect(MatchScreen, app.screen).match.plies]


def said(app: ArcadeApp) -> str:
    """The last notice."""
    return list(app._notifications)[-1].message


def painted(app: ArcadeApp) -> str:
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)
