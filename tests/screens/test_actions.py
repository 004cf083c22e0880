import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from textual.geometry import Region
from textual.widgets import Static

from arcade.engines.registry import get_game, parse_game_id
from arcade.play.actions import ACTIONS, FOOTER
from arcade.play.keys import keys_of
from arcade.play.machines import Machines
from arcade.play.match import HUMAN, new_match
from arcade.play.state import SPEEDS, LookingBack, MatchMode, TryingOut, WalkingLine
from arcade.screens.dialogs import HelpScreen
from arcade.screens.match import MatchScreen
from arcade.store.store import Store
from arcade.widgets.keys import KeyFooter
from tests.narrow import expect
from tests.play.test_actions import seen
from tests.screens.honshu_fake import InstantRace
from tests.screens.pilots import app_with, pressed, rested

pytestmark = pytest.mark.usefixtures("instant")

HERE = {"graph", "boxes", "laboratory", "put_away", "write"}
"""What also depends on the screen: its size, its machines, what it tells a newcomer, and where files go."""

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
    possible = {action.name for action in screen.session.actions()}
    offered = {name for name in ACTIONS if screen.check_action(name, ())}
    assert offered - HERE == possible - HERE
    active = screen.active_bindings
    keys = {bound.binding.action for bound in active.values() if bound.enabled} & set(ACTIONS)
    assert keys <= offered
    for name in offered - keys:
        # The board has the key for itself, or the game for an action of its own.
        assert all(active[key].enabled for key in keys_of(name).split(",") if key)
    footer = {entry.description for entry in screen.query_one(KeyFooter).entries if entry.enabled}
    assert footer & {ACTIONS[name].word for name in FOOTER} == {
        ACTIONS[name].word for name in keys & set(FOOTER)
    }
    commands = {command.help.partition(" (")[0] for command in screen.commands()}
    assert {ACTIONS[name].help for name in keys} <= commands
    helps = {words for _, words in HelpScreen(screen).keys}
    assert {ACTIONS[name].help for name in keys if keys_of(name)} <= helps
    for name in ACTIONS.keys() - offered:
        assert ACTIONS[name].help not in commands | helps
    words = set(clicked(screen)) & set(ACTIONS)
    assert words <= offered
    return words


@pytest.mark.parametrize(
    ("start", "seats"),
    [
        ("chocobar:2x3", (HUMAN, "perfect")),
        ("chocobar:2x3", (HUMAN, HUMAN)),
        ("chocobar:2x3", ("random", "random")),
        ("hexapawn:3x3", (HUMAN, "club")),
        ("menace", ("MENACE", HUMAN)),
        ("honshu:6x3#7", (HUMAN, "random")),
        ("honshu:6x3#7", (HUMAN, HUMAN)),
    ],
)
async def test_a_screen_offers_what_can_be_done_and_no_more(
    start: str, seats: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())
    rng = random.Random(start)
    app = app_with(new_match(parse_game_id(start), seats, Machines(Store.in_memory), seed=1))
    modes: set[type[MatchMode]] = set()
    words: set[str] = set()
    async with app.run_test(size=(100, 30)) as pilot:
        await rested(pilot)
        screen = expect(MatchScreen, app.screen)
        screen.session.state = replace(session.state, speed=len(SPEEDS) - 2)
        for step in range(40):
            session = screen.session
            modes.add(type(session.mode))
            words |= check(screen)
            assert isinstance(app.screen, MatchScreen)
            if step == 20 and not session.match.finished:
                session.match.resign(0)
                session.moved()
            elif session.scene.move_refusal is None and rng.random() < 0.3:
                session.play(rng.choice(session.branch.moves()))
            else:
                name = rng.choice(WALK)
                before, refusal = seen(session), screen.refusal(name)
                app.clear_notifications()
                await pressed(pilot, keys_of(name).partition(",")[0] or f"command:{name}")
                if refusal is not None:
                    assert seen(session) == before, name
                    assert {note.message for note in app._notifications} == {refusal} - {""}, name
            await rested(pilot)
    assert modes & {LookingBack, TryingOut, WalkingLine}
    assert len(words) > 3
