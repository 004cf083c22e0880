import threading
from typing import Any

import pytest

from arcade.play.jobs import Job, Jobs, Threads
from tests.play.here import Here


def jobs_of(runner: Here | Threads) -> tuple[Jobs, list[BaseException]]:
    failures: list[BaseException] = []
    return Jobs(runner, failures.append), failures


def test_here_runner_runs_pending_work_only_on_settle() -> None:
    here = Here()
    jobs, _ = jobs_of(here)
    found: list[Any] = []
    jobs.start("a", lambda job: job.tell(found.append, 1))
    here.later(5, lambda: found.append(2))
    call_off = here.later(5, lambda: found.append(3))
    call_off()
    assert found == []
    here.settle()
    assert sorted(found) == [1, 2]


def test_settle_stops_when_condition_holds() -> None:
    here = Here()
    found: list[int] = []

    def again() -> None:
        found.append(0)
        here.run(again)

    here.run(again)
    here.settle(lambda: len(found) == 5)
    assert len(found) == 5


def test_new_job_replaces_previous_job_of_its_group() -> None:
    here = Here()
    jobs, _ = jobs_of(here)
    found: list[int] = []
    jobs.start("a", lambda job: job.tell(found.append, 1))
    jobs.start("a", lambda job: job.tell(found.append, 2))
    jobs.start("b", lambda job: job.tell(found.append, 3))
    here.settle()
    assert found == [2, 3]


def test_answer_of_stopped_job_is_dropped() -> None:
    threads = Threads()
    jobs, _ = jobs_of(threads)
    told = threading.Event()
    found: list[int] = []

    def work(job: Job) -> None:
        job.tell(found.append, 1)
        told.set()

    jobs.start("a", work)
    assert told.wait(10)
    jobs.stop()
    jobs.start("b", lambda job: job.tell(found.append, 2))
    threads.settle(lambda: 2 in found, 10)
    assert found == [2]


def test_stop_can_leave_one_group_running() -> None:
    jobs, _ = jobs_of(Here())
    for group in ("a", "b"):
        jobs.start(group, lambda job: None)
    control = jobs.controls["b"]
    jobs.stop(but="b")
    assert list(jobs.controls) == ["b"]
    assert not control.stopped


@pytest.mark.parametrize("runner", [Here, Threads])
def test_job_exception_is_reported_and_ends_job(runner: Any) -> None:
    made = runner()
    jobs, failures = jobs_of(made)

    def work(job: Job) -> None:
        raise ValueError("broken")

    jobs.start("a", work)
    made.settle(lambda: bool(failures), *([10] if runner is Threads else []))
    assert str(failures[0]) == "broken"
    assert not jobs.controls


def test_dropped_job_fails_silently() -> None:
    here = Here()
    jobs, failures = jobs_of(here)

    def work(job: Job) -> None:
        raise ValueError("broken")

    jobs.start("a", work)
    jobs.drop("a")
    here.settle()
    assert failures == []


def test_threads_runner_raises_if_settle_times_out() -> None:
    with pytest.raises(TimeoutError, match=r"No answer for 0.01 seconds\."):
        Threads().settle(lambda: False, 0.01)


def test_threads_runner_runs_a_delayed_action() -> None:
    threads = Threads()
    found: list[int] = []
    threads.later(0.01, lambda: found.append(1))
    threads.settle(lambda: bool(found), 10)
