"""The same work here, in processes, and on a dask cluster of a scheduler and two workers."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.honshu.formula import max_score
from arcade.engines.honshu.game import GAME
from arcade.engines.honshu.upper_bound import UpperBoundProof
from arcade.engines.registry import parse_game_id
from arcade.engines.workers import DaskPool, LocalPool, WorkerPool, run_job
from arcade.study.tournament import Tournament
from tests.narrow import present
from tests.refusals import refused
from tests.waiting import wait_for

TASK = "tests.engines.halves:halves"


def questions(count: int, first: int = 0) -> list[tuple[int, int]]:
    return [(number, number) for number in range(first, first + count)]


CLUSTER = """
import asyncio, os, sys
from distributed import Scheduler, Worker

async def run(kind, **options):
    async with kind(scheduler_file=sys.argv[1], dashboard=False, **options) as node:
        await node.finished()

workers = []
for _ in range(2):
    workers.append(os.fork())
    if not workers[-1]:
        asyncio.run(run(Worker, nthreads=1))
        os._exit(0)
print(*workers, flush=True)
asyncio.run(run(Scheduler, host="127.0.0.1", port=0))
"""
"""A scheduler and two workers, forked because to import dask takes long."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler, and the process IDs of its two workers with one thread each."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    scheduler = subprocess.Popen(
        [sys.executable, "-c", CLUSTER, str(file)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    workers: list[int] = []
    try:
        workers += map(int, present(scheduler.stdout).readline().split())
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        yield json.loads(file.read_text())["address"], workers
    finally:
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        scheduler.kill()
        scheduler.communicate()


def test_worker_processes_answer_like_the_main_process() -> None:
    with Control() as control:
        here = dict(LocalPool(0).work(TASK, 7, questions(20), control))
        there = dict(LocalPool(2).work(TASK, 7, questions(20), control))
    assert {number: half for number, (half, _) in there.items()} == {
        number: half for number, (half, _) in here.items()
    }
    assert {id for _, id in here.values()} == {os.getpid()}
    assert len({id for _, id in there.values()}) == 2


@pytest.mark.parametrize("count", [0, 1])
def test_worker_errors_are_raised_in_the_caller(count: int) -> None:
    with Control() as control:
        with pytest.raises(InputError, match="No half of 500"):
            list(LocalPool(count).work(TASK, 7, questions(5, 498), control))
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            list(LocalPool(count).work(TASK, 7, questions(5, 698), control))
    assert run_job("0", TASK, "7", 1)["refused"].startswith("A worker has arcade ")


def test_killed_process_is_reported_and_cancel_ends_all_processes() -> None:
    with Control() as control:
        answers = LocalPool(2).work(TASK, 7, questions(100_000, 1_000), control)
        _, (_, killed) = next(answers)
        os.kill(killed, signal.SIGKILL)
        with pytest.raises(RuntimeError, match="ended with code -9"):
            list(answers)
        answers = LocalPool(2).work(TASK, 7, questions(100_000, 1_000), control)
        ids = {next(answers)[1][1] for _ in range(20)}
        control.cancel()
        assert not list(answers)
    assert not [id for id in ids if Path(f"/proc/{id}").exists()]


def test_cluster_results_match_local_results(cluster: tuple[str, list[int]], control: Control) -> None:
    start = GAME.new(GAME.parameters.parse("5x2"), 3)
    tournaments = [Tournament(parse_game_id("hexapawn:3x3"), ("beginner", "perfect"), 3) for _ in range(2)]
    with DaskPool(cluster[0]) as pool:
        pools: tuple[WorkerPool, WorkerPool] = (pool, LocalPool(0))
        proofs = [UpperBoundProof(start, 0, (), max_score(start)) for _ in range(2)]
        for proof, played, who in zip(proofs, tournaments, pools, strict=True):
            assert list(proof.tighten(control, who))
            played.play(control, who)
    assert tournaments[0].records == tournaments[1].records
    assert proofs[0].bound == proofs[1].bound == proofs[0].best == proofs[1].best


def test_killed_worker_causes_no_lost_or_duplicate_results(
    cluster: tuple[str, list[int]], control: Control
) -> None:
    address, workers = cluster
    with DaskPool(address) as pool:
        pool.client.wait_for_workers(2)
        answers = pool.work(TASK, 7, questions(200, 1_000), control)
        told = [next(answers) for _ in range(40)]
        assert {id for _, (_, id) in told} == set(workers)
        os.kill(workers[0], signal.SIGKILL)
        told += answers
    assert sorted(number for number, _ in told) == list(range(1_000, 1_200))
    assert all(half == number // 2 for number, (half, _) in told)
    assert told[-1][1][1] == workers[1]
    with DaskPool(address) as pool:
        answers = pool.work(TASK, 7, questions(100_000, 1_000), control)
        next(answers)
        control.cancel()
        assert not list(answers)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "no://such", "tcp://\x1b[31m:8786"])
def test_unreachable_scheduler_is_reported(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.engines.workers.CONNECT_SECONDS", 0.5)
    refused("No dask scheduler answers at", DaskPool, address)
