"""What 500 situations of a match show, recorded as text."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from arcade.engines.registry import get_game, parse_game_id
from arcade.play.host import Host
from arcade.play.match import HUMAN, new_match
from arcade.play.scene import HintScene, MoveScene, Scene
from tests.play.front import Front
from tests.screens.honshu_fake import InstantRace

pytestmark = pytest.mark.usefixtures("instant")

HINT = ("hint", "hint", "hint")
SCRIPTS = {
    "duel": (*HINT, "forward", "forward", "back", "put_away", "values", "values", "values", "other_board"),
    "after": ("back", "back", "forward", "try 0", "undo", "review", "try 0", "put_away", "restart"),
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


RECORDED = (
    *("new", "undo", "redo", "hint", "values", "graph", "seats", "coach", "pause", "forward", "back"),
    *("review", "again", "other_side", "lesson", "source", "faster", "slower", "other_board"),
    *("projector", "boxes", "laboratory", "type", "copy", "write", "resign", "restart", "replay"),
    *("put_away", "prove"),
)
"""The actions in the snapshot. A new one is tested in `test_actions.py`, and changes no situation here."""


def shown(scene: Scene) -> list[str]:
    """Title, players, verdict, hint, status, offers, moves and which recorded actions are possible."""
    parts = {
        "title": f"{scene.title} | {scene.progress}",
        "players": "\n".join(
            f"{'>' if player.to_move else ' '} {player.side:<8}{player.name}{player.notes}"
            for player in scene.players
        ),
        "verdict": texts(scene.verdict),
        "hint": "" if scene.hint is None else texts(scene.hint),
        "status": scene.status,
        "offers": ", ".join(f"{word} ({name})" for name, word in scene.offers),
        "footer": " ".join(scene.footer),
        "board": scene.board.position.text(),
        "squares": " ".join(f"{row},{column}" for row, column in sorted(scene.board.squares)),
        "moves": "\n".join(map(move_text, scene.moves)),
        "variation": "" if scene.variation is None else " ".join(scene.variation.moves),
        "chart": scene.chart.hidden,
        "values": " ".join(
            f"{each.move}:{each.verdict.value or each.verdict}" for each in scene.board.values
        ),
        "lengths": "all" if scene.board.lengths else "",
        "actions": " ".join(name for name in RECORDED if name not in scene.refusals),
    }
    return [f"{name}: {line}".rstrip() for name, part in parts.items() for line in part.split("\n")]


def move_text(move: MoveScene) -> str:
    undone = "" if move.played else " (taken back)"
    return f"{move.number}. {move.sentence}{undone} {move.mark or ''} {move.lost or ''}"


def texts(part: Any) -> str:
    """The texts of a part of a scene that are not empty, each with its name."""
    values = {each.name: getattr(part, each.name) for each in fields(part)}
    if isinstance(part, HintScene):
        # A front end shows no more than was asked for.
        asked = ("where", "move", "why")[: part.step]
        values = {name: value for name, value in values.items() if name in asked}
    told = [f"{name}={value}" for name, value in values.items() if isinstance(value, str) and value]
    return "\n".join([type(part).__name__, *told])


def take(front: Front, step: str) -> None:
    session = front.session
    word, _, number = step.partition(" ")
    if word in ("play", "try"):
        moves = list(session.branch.moves())
        if moves:
            session.play(moves[int(number) % len(moves)])
    elif word == "other_board":
        if word not in session.scene.refusals:
            session.look_at(1 - session.scene.main)
    else:
        session.do(step)
    front.settle()


def steps_of(text: str) -> Sequence[str]:
    return text.format(**{name: ", ".join(steps) for name, steps in SCRIPTS.items()}).split(", ")


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join((case[1], case[0], *case[2])))
def test_situation_matches_its_snapshot(
    case: tuple[str, str, tuple[str, ...], str],
    snapshot: SnapshotAssertion,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coach, start, seats, steps = case
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())
    host = Host()
    host.settings = host.settings.changed("coach", coach)
    front = Front(new_match(parse_game_id(start), seats, seed=5), host)
    front.session.open()
    front.session.start()
    front.settle()
    lines: list[str] = []
    before: list[str] = []
    for step in ("open", *steps_of(steps)):
        if step != "open":
            take(front, step)
        now = shown(front.session.scene)
        lines += [f"== {step}", *(line for line in now if line not in before)]
        before = now
    assert lines == snapshot
