import threading
import time

import pytest

from arcade.engines.control import STOP, TIMED_OUT, Control
from tests.waiting import wait_for


def test_deadline_sets_the_stop_flag_without_polling() -> None:
    with Control(0.02) as control:
        wait_for(lambda: control.cells[STOP] == TIMED_OUT)
        assert not control.cancelled


def test_subtask_deadline_does_not_stop_later_work() -> None:
    with Control() as control:
        with control.within(0.02):
            wait_for(lambda: control.cells[STOP] == TIMED_OUT)
        assert not control.stopped
        assert control.remaining is None
        with control.within(10):
            assert not control.stopped


@pytest.mark.parametrize("part", [None, 10])
def test_subtask_deadline_never_exceeds_the_total(part: float | None) -> None:
    with Control(0.02) as control:
        with control.within(part):
            wait_for(lambda: control.cells[STOP] == TIMED_OUT)
        assert control.stopped
        with control.within(part):
            assert control.stopped


def test_nested_subtasks_respect_every_deadline() -> None:
    with Control(60) as control:
        with control.within(0):
            with control.within(10):
                assert control.stopped
            assert control.stopped
        assert not control.stopped


def test_zero_deadline_stops_a_kernel_at_once() -> None:
    with Control(0) as control:
        assert control.cells[STOP] == TIMED_OUT


def test_cancelled_work_stays_cancelled_in_a_subtask(control: Control) -> None:
    control.cancel()
    with control.within(10):
        assert control.cancelled
    assert control.cancelled
    assert control.remaining is None


def test_deadline_of_a_finished_subtask_has_no_effect() -> None:
    with Control() as control:
        with control.within(0.02):
            pass
        time.sleep(0.06)  # nothing can be waited for
        assert control.cells[STOP] == 0


LIMIT, LATER = 0.2, 0.3
"""A limit in seconds that a busy machine does not use up before the clock is stopped, and a time after it."""


def test_time_limits_pause_while_waiting_for_a_compiler() -> None:
    with Control(LIMIT) as control:
        with control.paused():
            time.sleep(LATER)  # nothing can be waited for: the deadline must pass without effect
            assert not control.stopped
            assert control.seconds < LIMIT
        wait_for(lambda: control.cells[STOP] == TIMED_OUT)


def test_compilation_does_not_pause_time_limits_of_other_work() -> None:
    ended, begun = threading.Event(), threading.Event()

    def compile_long() -> None:
        with Control(LIMIT) as own, own.paused():
            begun.set()
            ended.wait(60)
            assert not own.stopped

    compiling = threading.Thread(target=compile_long)
    compiling.start()
    begun.wait(60)
    try:
        with Control(LATER) as control:
            wait_for(lambda: control.cells[STOP] == TIMED_OUT, 5)
    finally:
        ended.set()
        compiling.join()


def test_compiling_in_a_helper_does_not_use_up_its_time_limit() -> None:
    with Control(LIMIT) as control:
        waited = []

        def help_along() -> None:
            with control.paused():
                time.sleep(LATER)  # nothing can be waited for: the deadline must pass without effect
                waited.append(control.stopped)

        helper = threading.Thread(target=help_along)
        helper.start()
        helper.join()
        assert waited == [False]
