"""Drive the arcade in tests by the names of its actions."""

import time
from collections.abc import Callable

from textual.dom import DOMNode
from textual.keys import key_to_character
from textual.pilot import Pilot

from arcade.play.keymap import KEYLESS
from arcade.screens.match import MatchScreen

NAMED = {"enter": "\r", "plus": "+", "minus": "-", "slash": "/", "delete": "\x1b[3~"}
"""Bytes of keys whose characters Textual does not provide."""


def in_match(name: str) -> str:
    return f"act('{name}')"


async def act(pilot: Pilot[None], *actions: str) -> None:
    """Press the key of each action, for example "hint" or "go(0, 1)". Raises AssertionError without a key."""
    for action in actions:
        bound = pilot.app.screen.active_bindings
        wanted = (action, in_match(action))
        keys = [key for key, each in bound.items() if each.enabled and each.binding.action in wanted]
        where = type(pilot.app.screen).__name__
        assert keys, f"no key does {action!r} on {where}; its actions: {offered(pilot)}"
        await pilot.press(keys[0])


def offered(pilot: Pilot[None]) -> str:
    bound = pilot.app.screen.active_bindings.values()
    return ", ".join(sorted({each.binding.action for each in bound if each.enabled}))


def typed(place: type[DOMNode], *actions: str) -> str:
    """Return what to type for actions of a screen, widget or app. Raises AssertionError without a key."""
    return "".join(_typed(place, action) for action in actions)


def _typed(place: type[DOMNode], action: str) -> str:
    for key, binding in place._merged_bindings or ():
        if binding.action in (action, in_match(action)):
            if key.startswith("ctrl+"):
                return chr(ord(key[-1]) & 0x1F)
            if key.startswith(KEYLESS):
                return f":{binding.description}\r"
            if text := NAMED.get(key) or key_to_character(key):
                return text
    raise AssertionError(f"no key that can be typed does {action!r} in {place.__name__}")


async def settled(pilot: Pilot[None], until: Callable[[], object], seconds: float = 20.0) -> None:
    """Until a condition holds and the screen shows its effects."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "the condition does not become true"
        await pilot.pause(0.01)
    await pilot.pause()


async def rested(pilot: Pilot[None], until: Callable[[], object] = lambda: True) -> None:
    """Until a condition holds and no work on the match is left."""
    await pilot.pause()
    await settled(
        pilot,
        lambda: until() and not (isinstance(pilot.app.screen, MatchScreen) and pilot.app.screen.session.busy),
    )
