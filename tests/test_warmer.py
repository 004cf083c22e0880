"""Waiting for kernels that compile beside the app."""

from __future__ import annotations

from arcade.engines.control import Control
from arcade.warmer import Warmer

GAME = "honshu"


def test_the_time_for_work_begins_when_its_kernels_are_compiled() -> None:
    control = Control(0.3)

    class Compiling(Warmer):
        """Is ready when the time for the work would have run out."""

        def ready(self, game: str) -> bool:
            return control.stopped

    assert Compiling("", lambda: None).wait(GAME, control)
    assert not control.stopped
    assert control.remaining is not None and control.remaining > 0.1
    control.close()


def test_nobody_waits_for_cancelled_work() -> None:
    with Control() as control:
        control.cancel()
        assert not Warmer("", lambda: None).wait(GAME, control)
        assert not Warmer(None, lambda: None).wait(GAME, control)
