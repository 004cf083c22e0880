"""What 500 situations of a match show, recorded as text: the redesign of a match must not change it."""

from collections.abc import Sequence

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from arcade.engines.registry import get_game, parse_game_id
from arcade.play.actions import ACTIONS
from arcade.play.match import HUMAN, new_match
from arcade.screens.match import MatchScreen
from arcade.widgets.keys import TitleBar
from arcade.widgets.panels import HintPanel, MoveList, SeatsPanel, VerdictPanel
from tests.narrow import expect
from tests.screens.honshu_fake import InstantRace
from tests.screens.pilots import app_with, rested, running

pytestmark = pytest.mark.usefixtures("instant")

HINT = ("hint", "hint", "hint")
SCRIPTS = {
    "duel": (*HINT, "forward", "forward", "back", "put_away", "values", "values", "other_board"),
    "after": ("back", "back", "forward", "try 0", "undo", "review", "try 0", "put_away", "source", "restart"),
    "watch": ("forward", "forward", "hint", "back", "values", "faster", "slower"),
}

DUELS = {
    "chocobar:3x4": "play 10, {duel}, play 1, undo, redo, undo, play 0, resign, {after}, other_side",
    "hexapawn:3x3": "play 0, play 1, {duel}, undo, play 2, play 0, undo, resign, {after}, again",
    "tetromino:4x5": "play 30, {duel}, play 5, undo, redo, resign, {after}, faster",
    "menace": "play 0, {duel}, play 3, play 5, play 2, play 1, play 0, {after}, slower",
    "graph": "play 0, {duel}, play 0, undo, resign, {after}, again",
}
RACE = "play 10, {duel}, play 0, undo, redo, play 4, values, resign, {after}, again"

CASES: list[tuple[str, str, tuple[str, ...], str]] = [
    *(
        (coach, start, (HUMAN, "perfect") if coach != "open" else (HUMAN, HUMAN), steps)
        for start, steps in DUELS.items()
        for coach in ("quiet", "mistakes", "open")
    ),
    ("open", "hexapawn:3x3", ("perfect", "beginner"), "{watch}"),
    ("quiet", "chocobar:3x4", ("random", "random"), "{watch}"),
    ("quiet", "honshu:9x9#3", (HUMAN, "random"), RACE),
    ("mistakes", "honshu:9x9#3", (HUMAN,), RACE),
    ("open", "honshu:9x9#3", (HUMAN, HUMAN), RACE),
    ("open", "honshu:9x9#3", ("random", "random"), "{watch}"),
    ("mistakes", "hexapawn:3x3:.p./PP./...:b", (HUMAN, HUMAN), "hint, play 0, back, resign"),
]


def shown(screen: MatchScreen) -> list[str]:
    """Title, players, verdict, hint, status line, moves and actions, as a person sees them."""
    hint = screen.query_one(HintPanel)
    moves = screen.query_one(MoveList)
    parts = {
        "title": " | ".join(screen.query_one(TitleBar)._words[:2]),
        "players": str(screen.query_one(SeatsPanel).content),
        "verdict": str(screen.query_one(VerdictPanel).content),
        "hint": str(hint.content) if hint.display else "",
        "status": str(screen.query_one("#status").content),  # type: ignore[attr-defined]  # a Static
        "board": repr(screen.scene.boards[screen.scene.main].position.text()),
        "moves": "\n".join("".join(text for text, _ in row).rstrip() for row in moves.rows(screen.scene)),
        "actions": " ".join(name for name in ACTIONS if name not in screen.scene.refusals),
    }
    return [f"{name}: {line}".rstrip() for name, part in parts.items() for line in part.split("\n")]


async def take(pilot: Pilot[None], step: str) -> None:
    screen = expect(MatchScreen, pilot.app.screen)
    word, _, number = step.partition(" ")
    if word in ("play", "try"):
        moves = list(screen.session.branch.moves())
        if moves:
            screen.session.play(moves[int(number) % len(moves)])
    elif word in ("values", "source", "other_board"):
        if screen.refusal(word) is None:
            await screen.run_action(word)
    else:
        screen.session.do(step)
    await rested(pilot)
    screen.show()


def steps_of(text: str) -> Sequence[str]:
    return text.format(**{name: ", ".join(steps) for name, steps in SCRIPTS.items()}).split(", ")


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join((case[1], case[0], *case[2])))
async def test_a_situation_shows_what_was_recorded(
    case: tuple[str, str, tuple[str, ...], str],
    snapshot: SnapshotAssertion,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coach, start, seats, steps = case
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())
    match = new_match(parse_game_id(start), seats, seed=5)
    lines = []
    async with running(app_with(match, coach=coach), (100, 40)) as (app, pilot):
        await rested(pilot)
        before: list[str] = []
        for step in ("open", *steps_of(steps)):
            if step != "open":
                await take(pilot, step)
            now = shown(expect(MatchScreen, app.screen))
            lines += [f"== {step}", *(line for line in now if line not in before)]
            before = now
    assert lines == snapshot
