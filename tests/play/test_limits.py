"""No work of a session outlasts its time limit."""

import time
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.game import RaceGame
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import MoveVerdict
from arcade.play.headless import look_back, play_to_end
from arcade.play.jobs import Action, Threads
from arcade.play.match import HUMAN, new_match
from arcade.play.proof import prove
from tests.narrow import present
from tests.oracle import BruteForce
from tests.play.front import Front

LIMIT = 0.03
MOST = 5.0
"""Seconds after which work with this limit has surely ended, even on a busy machine."""


class Stopwatch(Threads):
    """Measures every piece of work."""

    def __init__(self) -> None:
        super().__init__()
        self.took: list[float] = []

    def run(self, work: Action) -> None:
        def timed() -> None:
            began = time.monotonic()
            work()
            self.took.append(time.monotonic() - began)

        super().run(timed)


BOARDS = (
    "chocobar:18x17",
    "hexapawn:8x7",
    "hexapawn:8x8",
    "honshu",
    "tetromino:6x8",
    "tetromino:6x10",
)


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_session_work_ends_at_time_limit(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.play.jobs.Control", lambda *_: Control(LIMIT))
    start = parse_game_id(board)
    start.game.solver.warm()
    seats = (HUMAN,) if isinstance(start.game, RaceGame) else (HUMAN, "perfect")
    runner = Stopwatch()
    front = Front(new_match(start, seats), runner=runner)
    session, proved = front.session, list[str]()
    for do in (
        session.start,
        lambda: session.do("hint"),
        lambda: prove(session._jobs, start.game, session.branch, proved.append),
        lambda: session.play(session.match.position.moves()[0]),
    ):
        do()
        front.settle()
    session.stop()
    assert session.failure is None
    assert proved
    assert max(runner.took) < MOST


@pytest.mark.parametrize("seconds", [0, 3])
def test_look_back_respects_time_limit_per_move(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    game, left = get_game("chocobar"), list[float]()

    class Watched(BruteForce):
        def judge_moves(self, position: Any, control: Control) -> list[MoveVerdict[Any]]:
            left.append(present(control.remaining))
            return super().judge_moves(position, control)

    monkeypatch.setitem(game.__dict__, "solver", Watched())
    match = play_to_end(new_match(parse_game_id("chocobar:2x2"), ["random", "random"]))
    left.clear()
    with Control() as control:
        look_back(match, control, seconds)
    assert left
    assert all(seconds - 1 < each <= seconds for each in left)
