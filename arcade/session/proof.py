"""Prove the verdict of the position on the board again, beside the match."""

from collections.abc import Callable

from arcade.engines.registry import GameID
from arcade.engines.wording import moves
from arcade.proof.checker import WORDS
from arcade.proof.verify import Evidence, verify
from arcade.session.jobs import Job
from arcade.session.session import Session

SECONDS = 30.0


def prove(session: Session, told: Callable[[str], object]) -> None:
    """Start to prove the verdict and tell what was found; a move on the board calls it off.

    In a match whose verdicts are hidden this counts as help.
    """
    if not session.mode.revealed:
        session.note_values()
    parsed = GameID.of(session.match.game, session.mode.branch)

    def answer(found: Evidence) -> None:
        session.jobs.drop("proof")
        told(f"{WORDS[found.agrees]}: {found.finding}")

    def work(job: Job) -> None:
        job.tell(answer, verify(parsed, job.control, seconds=SECONDS, length=moves))

    session.jobs.start("proof", work)
