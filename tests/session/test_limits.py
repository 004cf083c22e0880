"""No work of a session outlasts its time limit."""

import time

import pytest

from arcade.engines.registry import parse_game_id
from arcade.match.match import HUMAN, Match
from arcade.session.jobs import Action, Jobs, Threads
from arcade.session.proof import prove
from tests.session.test_session import Front

LIMIT = 0.3
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


@pytest.mark.timed
@pytest.mark.parametrize("board", BOARDS)
def test_work_of_a_session_ends_at_the_limit(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Jobs, "most_seconds", LIMIT)
    start = parse_game_id(board)
    start.game.solver.warm()
    seats = {"duel": (HUMAN, "perfect"), "race": (HUMAN,)}[start.game.kind]
    runner = Stopwatch()
    front = Front(Match(start, seats), runner=runner)
    session, proved = front.session, list[str]()
    for do in (
        session.set_to_work,
        lambda: session.do("hint"),
        lambda: prove(session.jobs, start.game, session.mode.branch, proved.append),
        lambda: session.play(session.match.position.moves()[0]),
    ):
        do()
        front.settle()
    session.stop()
    assert session.failure is None
    assert proved
    assert max(runner.took) < MOST
