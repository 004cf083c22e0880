"""Random keys, texts, clicks, wheels and sizes, as a cat on the keyboard would make them.

What has to hold after each event is in `Watch`.
"""

import asyncio
import random
import signal
import string
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import FrameType
from typing import Any

from textual import events
from textual.pilot import Pilot

from arcade.app import ArcadeApp
from arcade.play.match import Match
from arcade.screens.match import MatchScreen
from arcade.screens.menace.laboratory import LaboratoryScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.tournament import TournamentScreen
from arcade.store.record import MatchRecord
from arcade.widgets.forms import NumberField
from tests.narrow import expect
from tests.screens.pilots import set_up
from tests.screens.starts import Start, burst, give_size, hand, key_event, resize, send, settle, until
from tools.actions import in_match
from tools.pictures import is_busy

KEYS = (
    *string.ascii_lowercase,
    *"NR0123456789",
    *("up", "down", "left", "right", "enter", "space", "escape", "tab", "shift+tab", "backspace"),
    *("home", "end", "pageup", "pagedown", "delete", "ctrl+p", "ctrl+s"),
    *("full_stop", "comma", "plus", "minus", "question_mark", "colon", "left_square_bracket"),
)
LIKELY = ("up", "down", "left", "right", "enter", "enter", "space", "u", "r", "i", "v", "tab", "escape")
SIZES = ((80, 24), (100, 30), (120, 40), (160, 50), (40, 12), (20, 5), (41, 21), (1, 1), *((80, 24),) * 5)
TEXTS = (
    *("chocobar:8x10", "menace", "hexapawn:4x4", "tetromino:4x5,IOT-LSO", "honshu:5x2#1", "(2,2)", "b3"),
    *("0.8", "perfect", "100", "-1", "0", "9" * 5000, "1,2,3,4", "3,1,-1", "cat", "MENACE", "X.O......"),
    *("1" * 40 + "x", "1" * 40, "-1_0" * 12, "+" + "7" * 17 + "e"),
    *(".p.p/pP../..PP:w", "3x3\nppp\n...\nPPP", "[b]", "[/]", "\x00\x1b[A", "ÄÖ€二", "a" * 3000, " ", "::#"),
)
DOORS = {
    *("app.command_palette", "app.settings", "app.open_id", "help", "new", "hint"),
    *map(in_match, ("new", "seats", "type", "hint")),
    *("open", "leave", "close"),
}
"""Actions that open and close screens."""
NO_KEY = "f12"
"""A key that does nothing anywhere."""
MAX_LENGTH = 60.0
"""Seconds that an event may take, on a busy machine, until the next is heard."""
ELSEWHERE = 6
"""So many events go to screens that lie over the one that is tried, before they are put away."""


async def fuzz(
    starts: Sequence[Start], seed: int, count: int, animated: bool = False
) -> tuple[Counter[str], int]:
    """Send random events to screens; whatever fails in the app, or does not hold after an event, is raised.

    Args:
        starts: the screens, each tried when the one before has had its events. A screen is opened again
            each time that an event leaves it.
        seed: of the events.
        count: how many of them meet each screen; those that meet screens over it come on top.
        animated: whether things move, and engines take a moment to answer.

    Returns:
        How many events each class of screen got, and how many times the app was made.
    """
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    left, made = [*starts], 0
    here: Counter[str] = Counter()
    while left:
        app = left[0].make(rng)
        set_up(app, calm="off" if animated else "on")
        made += 1
        try:
            async with app.run_test(size=SIZES[0]) as pilot:
                while left and app.is_running:
                    await _one_life(pilot, left[0], rng, here, count)
                    if here[left[0].screen.__name__] >= count:
                        del left[0]
                        seen += here
                        here.clear()
        except Exception as error:
            raise AssertionError(f"{left[0].name}, seed {seed}, event {here.total()}: {error!r}") from error
    return seen, made


async def _one_life(
    pilot: Pilot[Any], start: Start, rng: random.Random, seen: Counter[str], count: int
) -> None:
    app = expect(ArcadeApp, pilot.app)
    watch, elsewhere = Watch(app), 0
    while app.is_running and seen[start.screen.__name__] < count:
        elsewhere = 0 if isinstance(app.screen, start.screen) else elsewhere + 1
        if elsewhere and (
            elsewhere > ELSEWHERE or not any(isinstance(each, start.screen) for each in app.screen_stack)
        ):
            # No key acts on a screen that there is no room for.
            await usual_size(pilot)
            if not await _back(pilot, start):
                await start.open(pilot)
            elsewhere = 0
        seen[type(app.screen).__name__] += 1
        event = "nothing"
        try:
            with _watched():
                event = await _one(pilot, rng)
                if app.is_running:
                    await watch.check(pilot)
        except Exception as error:
            if app.is_running or app._exception is not None:
                raise AssertionError(f"after {event}: {error!r}") from error
            return
    if app.is_running:
        await watch.at_the_end(pilot)


async def usual_size(pilot: Pilot[Any]) -> None:
    if pilot.app.size != SIZES[0]:
        await resize(pilot, *SIZES[0])


async def _back(pilot: Pilot[Any], start: Start) -> bool:
    """Leave screens, as a person would, until the wanted one, or one that it opens over, is on top."""
    app = pilot.app

    def occupied() -> bool:
        """Whether the screen on top opens nothing, because a training or a tournament runs in it."""
        top = app.screen
        if isinstance(top, TournamentScreen):
            return top.control is not None
        return isinstance(top, LaboratoryScreen) and top.busy

    while occupied() or not isinstance(app.screen, start.screen | start.below | MenuScreen):
        await _leave(pilot)
    return isinstance(app.screen, start.screen)


async def _leave(pilot: Pilot[Any]) -> None:
    """Leave the screen on top by Escape or q, a few times: the first may close a list that is open on it."""
    app = pilot.app
    top = app.screen
    for key in ("escape", "q") * 3:
        if app.screen is top:
            await send(pilot, key_event(key))
    # A training is ended first.
    await until(pilot, lambda: app.screen is not top)


@contextmanager
def _watched() -> Iterator[None]:
    """Fail when the app hangs; where its loop never pauses nothing else would be run."""

    def fail(_: int, __: FrameType | None) -> None:
        raise AssertionError("the arcade hears nothing")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, MAX_LENGTH)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


async def _one(pilot: Pilot[Any], rng: random.Random) -> str:
    """Send one event; returns what it was."""
    app = pilot.app
    drawn = rng.random()
    if drawn < 0.03:
        return await _doors(pilot, rng)
    if drawn < 0.72:
        keys: list[str] = [rng.choice(LIKELY if rng.random() < 0.5 else KEYS)]
        if rng.random() < 0.1:
            # Faster than the screen: the same key again, or another, while the first is not yet worked off.
            keys.append(rng.choice((*keys, *LIKELY)))
        await burst(pilot, *map(key_event, keys))
        return " ".join(keys)
    if drawn < 0.76:
        text = rng.choice(TEXTS)
        await send(pilot, events.Paste(text))
        return f"paste {text[:40]!r}"
    if drawn < 0.78 and isinstance(app.focused, NumberField):
        # A person's hand lies on a key.
        text = rng.choice("0123456789-_+") * rng.randrange(20, 60) + rng.choice("xe.,-")
        await burst(pilot, *map(key_event, text))
        return f"type {text!r}"
    if drawn < 0.97:
        at = (rng.randrange(max(app.size.width, 1)), rng.randrange(max(app.size.height, 1)))
        return await _mouse(pilot, rng, at)
    size = rng.choice(SIZES)
    await resize(pilot, *size)
    return f"size {size}"


async def _doors(pilot: Pilot[Any], rng: random.Random) -> str:
    """Screens that open and close while the terminal changes its size, at any moment."""
    app, done = pilot.app, []
    for _ in range(rng.randrange(2, 9)):
        if not app.is_running:
            break
        if rng.random() < 0.5:
            bound = app.screen.active_bindings.items() if app.screen_stack else ()
            key = rng.choice(["escape", *(key for key, each in bound if each.binding.action in DOORS)])
            hand(app, key_event(key))
            done.append(key)
        else:
            size = rng.choice(SIZES)
            give_size(app, *size)
            done.append(str(size))
        await asyncio.sleep(rng.choice((0, 0.01, 0.08)) * rng.random())
    await settle(pilot)
    return " ".join(done)


async def _mouse(pilot: Pilot[Any], rng: random.Random, at: tuple[int, int]) -> str:
    def mouse(kind: type[events.MouseEvent], button: int = 0) -> events.MouseEvent:
        return kind(None, *at, 0, 0, button, False, False, False, *at)

    drawn = rng.random()
    if drawn < 0.15:
        await send(pilot, mouse(rng.choice((events.MouseScrollUp, events.MouseScrollDown))))
    elif drawn < 0.4:
        await send(pilot, mouse(events.MouseMove))
    else:
        button = rng.choice((1, 1, 1, 3))
        once = (mouse(events.MouseMove), mouse(events.MouseDown, button), mouse(events.MouseUp, button))
        await burst(pilot, *once * rng.choice((1, 1, 1, 2)))
    return f"mouse at {at}"


class Watch:
    """What must hold while events come in.

    A match on the screen can be replayed from its record, is what the board shows, and is what the store
    has; a screen that was left works no more; the keys always go somewhere, and each is heard.
    """

    def __init__(self, app: ArcadeApp) -> None:
        self.app = app
        self.known: set[MatchScreen | LaboratoryScreen] = set()
        self.finished: dict[int, MatchRecord] = {}
        """What the store had of finished matches, by their ids."""
        self._checked: object = None

    async def check(self, pilot: Pilot[Any]) -> None:
        """After an event."""
        hand(self.app, key_event(NO_KEY))
        await until(pilot, lambda: not self.app.is_running or self._quiet)
        if not self.app.is_running:
            return
        stack = self.app.screen_stack
        self.known |= {each for each in stack if isinstance(each, MatchScreen | LaboratoryScreen)}
        for screen in self.known.difference(stack):
            assert not is_busy(screen), f"{screen} was left and still works"
            self.known.discard(screen)
        for below, above in pairwise(stack):
            assert type(below) is not type(above), f"{above} was opened twice"
        top = self.app.screen
        if isinstance(top, MatchScreen) and top.is_mounted:
            self._check_match(top)
        if isinstance(top, MatchScreen | MenuScreen) and top.is_current and top.focused is None:
            await send(pilot, key_event("tab"))
            assert not top.is_current or top.focused is not None, f"nothing takes the focus on {top}"

    @property
    def _quiet(self) -> bool:
        return not self.app._heard and self.app._at_rest

    def _check_match(self, screen: MatchScreen) -> None:
        match = screen.match
        record = match.record()
        for seat, board in enumerate(screen.table.boards):
            assert board.view.position == screen.session.scene.boards[seat].position, (
                "a board shows another position"
            )
        if self._checked == (screen, screen.session.saved, record):
            return
        self._checked = (screen, screen.session.saved, record)
        again = Match.from_record(record, self.app.services.machines)
        assert again.record() == record, "the match cannot be replayed"
        # Of a finished match an earlier position may be on show.
        assert match.finished or again.position == match.position, "the match is replayed to another position"
        kept = {each.id: each.record for each in self.app.services.store.matches()}
        for id, finished in self.finished.items():
            assert kept.get(id, finished) == finished, "a finished match has changed"
        self.finished |= {id: each for id, each in kept.items() if each.result is not None}
        if screen.session.saved is not None and match.line:
            assert screen.session.saved[0] in kept, "the match is not in the store"
            for key in ("start", "seed", "moves", "played", "resigned", "seats", "result", "taught"):
                stored = getattr(kept[screen.session.saved[0]], key)
                assert stored == getattr(record, key), f"the store has another {key!r}"

    async def at_the_end(self, pilot: Pilot[Any]) -> None:
        """Leave everything: at the menu no work goes on."""
        app = self.app
        await usual_size(pilot)
        while not isinstance(app.screen, MenuScreen):
            await _leave(pilot)
        await settle(pilot)
        await self.check(pilot)
        end = time.monotonic() + 10
        while any(worker.is_running for worker in app.workers) and time.monotonic() < end:
            await pilot.pause(0.05)
        running = [worker for worker in app.workers if worker.is_running]
        assert not running, f"at the menu these still work: {running}"
