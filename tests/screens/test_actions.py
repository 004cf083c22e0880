import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widgets import Static

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.play.actions import ACTIONS
from arcade.play.keymap import DEFAULT_KEYS, KEYLESS
from arcade.play.machines import Machines
from arcade.play.match import HUMAN, new_match
from arcade.play.state import SPEEDS
from arcade.screens.dialogs import HelpScreen
from arcade.screens.match import MatchScreen
from arcade.store.store import Store
from arcade.widgets.keys import KeyFooter
from tests.narrow import expect
from tests.play.test_actions import mode, seen
from tests.screens.pilots import app_with, play_next, pressed, rested, running
from tools.actions import in_match

pytestmark = pytest.mark.usefixtures("instant", "instant_race")

HERE = {"graph", "boxes", "laboratory", "put_away", "write"}
"""What also depends on the screen: its size, its machines, what it tells a newcomer, and where files go."""

STEPS = 14
"""Of a walk, with the end of the match in the middle."""

WALK = (
    *("hint", "hint", "hint", "forward", "forward", "back", "undo", "redo", "review", "restart"),
    *("put_away", "values", "pause", "replay", "faster", "other_board", "graph", "coach"),
)
"""What a walk does: nothing that opens a dialog or another screen."""


def clicked(screen: MatchScreen) -> Iterator[str]:
    for widget in screen.query(Static):
        if widget.display and widget.is_attached:
            for strip in widget.render_lines(Region(0, 0, *widget.size)):
                for segment in strip:
                    meta = segment.style.meta if segment.style else {}
                    if "@click" in meta:
                        yield str(meta["@click"]).removeprefix("screen.")


def check(screen: MatchScreen) -> set[str]:
    """All that offers something offers the same, which is what the session can do; returns words to click."""
    possible = ACTIONS.keys() - screen.scene.refusals.keys()
    offered = {name for name in ACTIONS if screen.check_action("act", (name,))}
    assert offered - HERE == possible - HERE
    active = screen.active_bindings
    enabled = {bound.binding.action for bound in active.values() if bound.enabled}
    keys = {name for name in ACTIONS if in_match(name) in enabled}
    assert keys <= offered
    for name in offered - keys:
        # The board has the key for itself, or the game for an action of its own.
        assert all(active[key].enabled for key in DEFAULT_KEYS.of(name))
    footer = {entry.description for entry in screen.query_one(KeyFooter).entries if entry.enabled}
    shown = {ACTIONS[name].word for name in screen.scene.footer if name in keys}
    assert footer & {action.word for action in ACTIONS.values()} == shown
    commands = {command.help.partition(" (")[0] for command in screen.commands()}
    assert {ACTIONS[name].help for name in keys} <= commands
    helps = {words for _, words in HelpScreen(screen).rows}
    assert {ACTIONS[name].help for name in keys if DEFAULT_KEYS.of(name)} <= helps
    for name in ACTIONS.keys() - offered:
        assert ACTIONS[name].help not in commands | helps
    clickable = set(clicked(screen))
    words = {name for name in ACTIONS if in_match(name) in clickable}
    assert words <= offered
    return words


async def walk(pilot: Pilot[Any], start: str, *seats: str) -> None:
    """Do what the session offers and what it does not, and check each time that all agree."""
    rng = random.Random(start)
    app = expect(ArcadeApp, pilot.app)
    screen = await play_next(pilot, new_match(parse_game_id(start), seats, Machines(Store.in_memory), seed=1))
    screen.session.state = replace(screen.session.state, speed=len(SPEEDS) - 2)
    modes: set[str] = set()
    words: set[str] = set()
    for step in range(STEPS):
        session = screen.session
        modes.add(mode(session))
        words |= check(screen)
        assert app.screen is screen
        if step == STEPS // 2 and not session.match.finished:
            session.match.resign(0)
            session.come_back()
        elif session.scene.move_refusal is None and rng.random() < 0.3:
            session.play(rng.choice(session.branch.moves()))
        else:
            name = rng.choice(WALK)
            before, refusal = seen(session), screen.refusal(name)
            app.clear_notifications()
            await pressed(pilot, [*DEFAULT_KEYS.of(name), f"{KEYLESS}{name}"][0])
            if refusal is not None:
                assert seen(session) == before, name
                assert {note.message for note in app._notifications} == {refusal} - {""}, name
        await rested(pilot)
    assert modes & {"over", "trying out", "line"}, (start, seats)
    assert len(words) > 3, (start, seats)


async def test_screen_offers_only_available_actions() -> None:
    async with running(app_with(), size=(100, 30)) as (_, pilot):
        await walk(pilot, "chocobar:2x3", HUMAN, "perfect")
        await walk(pilot, "chocobar:2x3", "random", "random")
        await walk(pilot, "hexapawn:3x3", HUMAN, "club")
        await walk(pilot, "menace", "MENACE", HUMAN)
        await walk(pilot, "honshu:6x3#7", HUMAN, "random")
        await walk(pilot, "honshu:6x3#7", HUMAN, HUMAN)
