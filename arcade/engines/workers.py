"""Run independent jobs on this computer or on a dask cluster.

A task is written "module:function". The function takes the data that all questions share, and returns a
function that answers one question. Data, questions and answers must be valid in JSON.
"""

import json
import queue
from collections.abc import Callable, Generator, Iterable
from functools import cache, lru_cache
from importlib import import_module
from itertools import islice
from typing import Any, Self

from arcade.engines.control import Control, cores
from arcade.engines.files import InputError, ProcessError
from arcade.engines.worker_process import POLL_INTERVAL, Answers, WorkerProcess, worker_main

Questions = Iterable[tuple[int, Any]]

CONNECT_SECONDS = 5.0


@cache
def _version() -> str:
    from importlib.metadata import version  # loads email

    return version("solver-arcade")


@lru_cache(2)
def _prepared(task: str, shared: str) -> Callable[[Any], Any]:
    module, name = task.split(":")
    prepared: Callable[[Any], Any] = getattr(import_module(module), name)(json.loads(shared))
    return prepared


def run_job(version: str, task: str, shared: str, question: Any) -> dict[str, Any]:
    """Run a job. Refuse jobs from another version, because answers may differ between versions."""
    if version != _version():
        has = f"A worker has arcade {_version()}, but you run {version}."
        return {"refused": f"{has} Install the same version everywhere."}
    try:
        return {"answer": _prepared(task, shared)(question)}
    except InputError as error:
        return {"refused": str(error)}
    except Exception as error:
        return {"failed": repr(error)}


def _answer(told: dict[str, Any]) -> Any:
    if "refused" in told:
        raise InputError(told["refused"])
    if "failed" in told:
        raise RuntimeError(told["failed"])
    return told["answer"]


class LocalPool:
    """A pool of `count` processes on this computer.

    If `count` is 0, jobs run in this process and cannot be interrupted.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = cores() if count is None else count

    def work(
        self, task: str, shared: Any, questions: Questions, control: Control
    ) -> Generator[tuple[int, Any]]:
        """Yield each answer with the number of its question, in order of completion, until stopped or closed.

        Raises InputError if a job raises InputError, and RuntimeError if a job fails in another way.
        """
        call, waiting = (_version(), task, json.dumps(shared)), iter(questions)
        if not self.count:
            for number, question in waiting:
                if control.stopped:
                    return
                yield number, _answer(run_job(*call, question))
            return
        answers: Answers = queue.SimpleQueue()
        working: dict[WorkerProcess, int] = {}
        try:
            for number, question in islice(waiting, self.count):
                worker = WorkerProcess("arcade.engines.workers", answers)
                working[worker] = number
                worker.send((*call, question))
            busy = len(working)
            while busy and not control.stopped:
                try:
                    worker, line = answers.get(timeout=POLL_INTERVAL)
                except queue.Empty:
                    continue
                if not line:
                    raise ProcessError(f"A process working on {task} ended with code {worker.code}.")
                number, answer = working[worker], _answer(json.loads(line))
                following = next(waiting, None)
                if following is None:
                    busy -= 1
                else:
                    working[worker], question = following
                    worker.send((*call, question))
                yield number, answer
        finally:
            for worker in working:
                worker.end()


class DaskPool:
    """The workers of a dask scheduler. They must have the same version of the arcade as this process.

    The address is, for example, "tcp://host:8786". If a worker is lost, another worker redoes its job. Raises
    InputError if dask is missing or no scheduler answers.
    """

    def __init__(self, address: str) -> None:
        try:
            self.dask: Any = import_module("distributed")
        except ImportError:
            raise InputError("Work on a cluster needs dask: pip install 'solver-arcade[cluster]'.") from None
        try:
            self.client = self.dask.Client(address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError):
            raise InputError(
                f"No dask scheduler answers at {address!r}. Write an address like tcp://host:8786."
            ) from None

    def work(
        self, task: str, shared: Any, questions: Questions, control: Control
    ) -> Generator[tuple[int, Any]]:
        call, waiting = (_version(), task, json.dumps(shared)), iter(questions)
        working: dict[Any, int] = {}
        try:
            while not control.stopped:
                room = 2 * max(1, sum(self.client.nthreads().values())) - len(working)
                for number, question in islice(waiting, max(0, room)):
                    working[self.client.submit(run_job, *call, question, pure=False)] = number
                if not working:
                    return
                try:
                    first = self.dask.wait(list(working), POLL_INTERVAL, "FIRST_COMPLETED")
                except TimeoutError:
                    continue
                for piece in first.done:
                    if control.stopped:
                        return
                    number = working.pop(piece)
                    try:
                        told = piece.result()
                    except Exception as error:
                        raise RuntimeError(f"The cluster failed while working on {task}: {error}") from error
                    yield number, _answer(told)
        finally:
            self.client.cancel(list(working))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()


WorkerPool = LocalPool | DaskPool

if __name__ == "__main__":
    worker_main(lambda call: run_job(*call))
