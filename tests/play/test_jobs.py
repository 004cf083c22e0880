import threading
from typing import Any

import pytest

from arcade.play.jobs import Job, Jobs, Threads
from tests.play.here import Here


def jobs_of(runner: Here | Threads) -> tuple[Jobs, list[BaseException]]:
    failures: list[BaseException] = []
    return Jobs(runner, failures.append), failures


def test_here_everything_runs_in_its_order_when_asked() -> None:
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


def test_here_stops_when_it_is_enough() -> None:
    here = Here()
    found: list[int] = []

    def again() -> None:
        found.append(0)
        here.run(again)

    here.run(again)
    here.settle(lambda: len(found) == 5)
    assert len(found) == 5


def test_a_new_job_takes_the_place_of_the_one_before() -> None:
    here = Here()
    jobs, _ = jobs_of(here)
    found: list[int] = []
    jobs.start("a", lambda job: job.tell(found.append, 1))
    jobs.start("a", lambda job: job.tell(found.append, 2))
    jobs.start("b", lambda job: job.tell(found.append, 3))
    here.settle()
    assert found == [2, 3]


def test_an_answer_that_nobody_wants_any_more_is_dropped() -> None:
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


def test_stopping_all_but_one_group() -> None:
    jobs, _ = jobs_of(Here())
    for group in ("a", "b"):
        jobs.start(group, lambda job: None)
    control = jobs.controls["b"]
    jobs.stop(but="b")
    assert list(jobs.controls) == ["b"]
    assert not control.stopped


@pytest.mark.parametrize("runner", [Here, Threads])
def test_what_a_job_raises_is_told_and_the_job_is_over(runner: Any) -> None:
    made = runner()
    jobs, failures = jobs_of(made)

    def work(job: Job) -> None:
        raise ValueError("broken")

    jobs.start("a", work)
    made.settle(lambda: bool(failures), *([10] if runner is Threads else []))
    assert str(failures[0]) == "broken"
    assert not jobs.controls


def test_a_job_that_was_dropped_fails_in_silence() -> None:
    here = Here()
    jobs, failures = jobs_of(here)

    def work(job: Job) -> None:
        raise ValueError("broken")

    jobs.start("a", work)
    jobs.drop("a")
    here.settle()
    assert failures == []


def test_threads_say_when_no_answer_comes() -> None:
    with pytest.raises(TimeoutError, match=r"No answer has come for 0.01 seconds\."):
        Threads().settle(lambda: False, 0.01)


def test_a_thread_is_called_back_later() -> None:
    threads = Threads()
    found: list[int] = []
    threads.later(0.01, lambda: found.append(1))
    threads.settle(lambda: bool(found), 10)
