"""Verify a verdict in the background of a match."""

from collections.abc import Callable
from typing import Any

from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID
from arcade.engines.wording import full_moves
from arcade.play.jobs import Job, Jobs
from arcade.proof.checker import WORDS
from arcade.proof.verify import Verification, verify

SECONDS = 30.0

GROUP = "proof"


def prove(jobs: Jobs, game: AnyGame, position: Position[Any], told: Callable[[str], object]) -> None:
    parsed = GameID.of(game, position)

    def answer(found: Verification) -> None:
        jobs.drop(GROUP)
        told(f"{WORDS[found.agrees]}: {found.finding}")

    def work(job: Job) -> None:
        job.tell(answer, verify(parsed, job.control, seconds=SECONDS, length=full_moves))

    jobs.start(GROUP, work)
