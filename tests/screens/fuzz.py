"""Random keys, clicks, wheels and sizes, as a cat on the keyboard would make them."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from typing import Any

from textual import events
from textual.pilot import Pilot

from arcade.app import ArcadeApp

KEYS = (
    *string.ascii_lowercase,
    *"NR123456789",
    *(
        "up",
        "down",
        "left",
        "right",
        "enter",
        "space",
        "escape",
        "tab",
        "shift+tab",
        "backspace",
        "home",
        "end",
    ),
    *(
        "full_stop",
        "comma",
        "plus",
        "minus",
        "question_mark",
        "colon",
        "left_square_bracket",
        "pageup",
        "delete",
    ),
)
LIKELY = ("up", "down", "left", "right", "enter", "enter", "space", "u", "r", "i", "v", "tab", "escape")
SIZES = ((80, 24), (100, 30), (120, 40), (160, 50), (40, 12), (20, 5), (61, 21), (80, 24))


async def fuzz(make: Callable[[], ArcadeApp], seed: int, count: int) -> int:
    """Send random events to an app; an exception in it is raised here.

    Args:
        make: makes the app, again each time that an event ends it.
        seed: of the events.
        count: how many of them.

    Returns:
        How many times the app was made.
    """
    rng = random.Random(seed)
    made = 0
    while count > 0:
        app = make()
        made += 1
        async with app.run_test(size=SIZES[0]) as pilot:
            while count > 0 and app.is_running:
                count -= 1
                try:
                    await _one(pilot, rng)
                except Exception as error:
                    if app.is_running:
                        raise AssertionError(f"seed {seed}, {count} events left: {error!r}") from error
                    break
    return made


async def _one(pilot: Pilot[Any], rng: random.Random) -> None:
    app = pilot.app
    drawn = rng.random()
    if drawn < 0.75:
        await pilot.press(rng.choice(LIKELY if rng.random() < 0.5 else KEYS))
    elif drawn < 0.97:
        place = (rng.randrange(app.size.width), rng.randrange(app.size.height))
        if rng.random() < 0.15:
            wheel = rng.choice((events.MouseScrollUp, events.MouseScrollDown))
            app.screen._forward_event(wheel(None, *place, 0, 0, 0, False, False, False, *place))
        elif rng.random() < 0.3:
            await pilot.hover(offset=place)
        else:
            await pilot.click(offset=place, button=rng.choice((1, 1, 1, 3)))
    else:
        await pilot.resize_terminal(*rng.choice(SIZES))
    if rng.random() < 0.1:
        await pilot.pause(0.02)
