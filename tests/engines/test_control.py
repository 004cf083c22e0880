import time

from arcade.engines.control import PREPARATION, STOP, TIMED_OUT, Control
from tests.waiting import wait_for


def test_a_deadline_reaches_the_cells_without_a_question() -> None:
    with Control(0.02) as control:
        wait_for(lambda: control.cells[STOP] == TIMED_OUT)
        assert not control.cancelled


def test_work_in_slices_goes_on_after_a_deadline() -> None:
    with Control(0) as control:
        assert control.stopped
        control.renew(10)
        assert not control.stopped
        control.renew(0.02)
        wait_for(lambda: control.cells[STOP] == TIMED_OUT)
        control.renew(None)
        assert not control.stopped
        assert control.remaining is None


def test_cancelled_work_is_not_renewed(control: Control) -> None:
    control.cancel()
    control.renew(10)
    assert control.cancelled
    assert control.remaining is None


def test_a_new_deadline_replaces_the_old_one() -> None:
    with Control(0.05) as control:
        control.renew(10)
        time.sleep(0.1)  # nothing can be waited for: the old deadline must pass without effect
        assert not control.stopped


def test_no_time_limit_counts_while_kernels_are_compiled() -> None:
    with PREPARATION:
        control = Control(0.02)
        time.sleep(0.06)  # nothing can be waited for: the deadline must pass without effect
        assert not control.stopped
    wait_for(lambda: control.cells[STOP] == TIMED_OUT)
