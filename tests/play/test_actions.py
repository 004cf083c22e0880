import random
from collections.abc import Callable
from typing import Any

import pytest

from arcade.engines.registry import get_game
from arcade.play.actions import ACTIONS
from arcade.play.match import HUMAN
from arcade.play.moment import Moment
from arcade.play.session import _HANDLERS, Session
from tests.play.front import Front, front_of
from tests.screens.honshu_fake import InstantRace

ALWAYS = frozenset(["new", "rules", "values", "graph", "coach", "copy", "write", "prove"])
AFTER = ALWAYS | frozenset(("again", "other_side", "lesson"))
"""What can always be done, and after the end."""


@pytest.fixture(autouse=True)
def instant_race(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())


def finished(*actions: str, tried: str = "", seats: tuple[str, str] = (HUMAN, HUMAN)) -> Front:
    """A match with one mistake, the first move, after its end; then actions, and perhaps a move tried out."""
    front = front_of("chocobar:2x3", *seats).play("1,2", "2,1")
    front.session.match.seats = list(seats)
    return after(front, *actions, tried=tried)


def after(front: Front, *actions: str, tried: str = "") -> Front:
    for name in actions:
        front.session.do(name)
        front.settle()
    return front.play(tried) if tried else front


def thinking() -> Front:
    """A person has moved, and the engine thinks."""
    front = front_of("chocobar:3x4", HUMAN, "perfect")
    front.session.play(front.session.match.game.parse_move("3,4"))
    return front


def held() -> Front:
    """An engine that begins waits at the first position, to which a person has gone back."""
    return after(front_of("chocobar:3x4", "perfect", HUMAN), "restart")


def running() -> Front:
    front = front_of("chocobar:3x4", "perfect", "random")
    front.session.do("pause")
    return front


def replayed() -> Front:
    front = finished()
    front.session.do("replay")
    return front


def mode(session: Session) -> str:
    """What the player does, in a word or two."""
    state, match = session.state, session.match
    if state.walked:
        return "line"
    if state.question is not None:
        return "question"
    if state.tried:
        return "trying out"
    if state.replaying:
        return "replay"
    return "over" if match.finished else "watching" if match.watched else "playing"


STATES: dict[str, tuple[Callable[[], Front], str, str]] = {
    "at first": (front_of, "playing", "hint seats type resign"),
    "after two moves": (
        lambda: front_of().play("3,4"),
        "playing",
        "hint seats type resign undo back restart source",
    ),
    "taken back": (
        lambda: after(front_of().play("3,4"), "undo"),
        "playing",
        "hint seats type resign redo forward",
    ),
    "the engine thinks": (thinking, "playing", "seats undo back forward restart pause source"),
    "the engine is held": (held, "playing", "seats redo forward pause hint"),
    "a hint is whole": (
        lambda: after(front_of(), "hint", "hint", "hint"),
        "playing",
        "seats type resign forward put_away",
    ),
    "in a hint's line": (
        lambda: after(front_of(), "hint", "hint", "hint", "forward"),
        "line",
        "seats resign forward back restart put_away",
    ),
    "watched and paused": (
        lambda: front_of("chocobar:3x4", "perfect", "random"),
        "watching",
        "hint seats forward pause faster slower source",
    ),
    "watched": (running, "watching", "hint seats forward pause faster slower source"),
    "over": (finished, "over", "undo back restart review punishment replay source"),
    "back at the start": (
        lambda: finished("restart"),
        "over",
        "redo forward pause hint type review punishment replay source",
    ),
    "shown again": (
        replayed,
        "replay",
        "redo forward pause hint type review punishment faster slower replay source",
    ),
    "asked for better": (
        lambda: finished("review"),
        "question",
        "redo forward pause hint type review punishment put_away replay",
    ),
    "tried out": (
        lambda: finished("restart", tried="2,3"),
        "trying out",
        "undo back restart redo pause hint type review punishment put_away replay source",
    ),
    "tried out to an end": (
        lambda: finished("restart", "forward", tried="2,1"),
        "trying out",
        "undo back restart redo review punishment put_away replay source",
    ),
    "given up": (
        lambda: after(front_of("chocobar:3x4", HUMAN, "club"), "resign"),
        "over",
        "undo pause type faster slower",
    ),
    "one of two boards": (
        lambda: front_of("honshu:6x3#7", HUMAN, HUMAN),
        "playing",
        "hint seats type resign other_board",
    ),
    "one board": (lambda: front_of("honshu:6x3#7", HUMAN), "playing", "hint seats type resign"),
}


NAMED = AFTER.union(*(more.split() for _, _, more in STATES.values()))
"""The actions of which the states say when they are possible."""
WITH_A_MACHINE = {"projector", "boxes", "laboratory"}
"""These need a machine in a seat."""


def test_every_action_is_possible_in_some_state() -> None:
    assert ACTIONS.keys() == NAMED | WITH_A_MACHINE


@pytest.mark.parametrize("state", STATES)
def test_available_actions_depend_on_state(state: str) -> None:
    made, doing, more = STATES[state]
    session = made().session
    assert mode(session) == doing
    base = AFTER if session.match.finished else ALWAYS
    assert (NAMED | WITH_A_MACHINE) - session.scene.refusals.keys() == base | set(more.split())
    offered = {name for name, _ in session.scene.offers}
    assert offered <= set(ACTIONS)


def seen(session: Session) -> tuple[Any, ...]:
    match = session.match
    return (
        *(id(match), list(match.plies), list(match.undone), match.result, list(match.seats)),
        *(session.state, dict(session._jobs.controls), session._engine._call_off),
    )


WALKS: tuple[tuple[str, ...], ...] = (
    ("chocobar:2x3", HUMAN, "perfect"),
    ("chocobar:2x3", HUMAN, HUMAN),
    ("chocobar:2x3", "beginner", HUMAN),
    ("chocobar:2x3", "random", "random"),
    ("hexapawn:3x3", HUMAN, "club"),
    ("honshu:5x2#7", HUMAN, HUMAN),
    ("honshu:5x2#7", "random", HUMAN),
    ("honshu:5x2#7", HUMAN),
    ("honshu:5x2#7", "random", "random"),
)

REACHED = {"over", "trying out", "line"}
"""Modes that each walk must come to, by some seed."""
LIKELY = [*ACTIONS.values(), *[ACTIONS["hint"]] * 8, *[ACTIONS["forward"]] * 4]


@pytest.mark.parametrize("walk", WALKS, ids=" ".join)
def test_only_allowed_actions_change_the_session(walk: tuple[str, ...]) -> None:
    modes: set[str] = set()
    for seed in range(5):
        rng = random.Random(seed)
        front = front_of(*walk)
        for _ in range(80):
            session = front.session
            modes.add(mode(session))
            if session.scene.move_refusal is None and rng.random() < 0.3:
                session.play(rng.choice(session.branch.moves()))
            for action in rng.sample(LIKELY, 8):
                before, said = seen(session), len(front.said)
                refusal = action.refusal(Moment(session.match, session.state))
                session.do(action.name)
                if refusal is not None:
                    assert seen(session) == before, action.name
                    assert "".join(front.said[said:]) == refusal
                elif action.name in _HANDLERS:
                    assert seen(session) != before, action.name
                    break
            if rng.random() < 0.7:
                front.settle()
        if seed and modes >= REACHED:
            break
    assert "playing" in modes or "watching" in modes
    assert modes >= REACHED
