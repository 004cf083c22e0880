import os
import queue
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import pytest

from arcade.engines.worker_process import Answers, WorkerProcess
from tests.waiting import wait_for

MODULE = """
import os, sys, time
from arcade.engines.worker_process import worker_main

def answer(question):
    if question == "print":
        print("not ours")
        os.write(1, b"nor this\\n")
    if question == "fail":
        raise ValueError("this")
    if question == "sleep":
        time.sleep(60)
    return [question, os.getpid()]

worker_main(answer)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "echoing.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    # For a parent that is a process of its own.
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}")
    return "echoing"


def next_line(worker: WorkerProcess) -> str:
    while (line := worker.line()) is None:
        pass
    return line


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def is_zombie(pid: int) -> bool:
    """Whether a process of Linux has ended and nobody has asked how, as where process 1 does not."""
    with suppress(OSError):
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    return False


def test_child_answers_in_order_without_stray_output(module: str) -> None:
    with WorkerProcess(module) as worker:
        worker.send("print")
        worker.send({"a": ["ü"]})
        assert next_line(worker) == f'["print", {worker.process.pid}]\n'
        assert next_line(worker) == f'[{{"a": ["\\u00fc"]}}, {worker.process.pid}]\n'
        assert worker.line() is None
    assert not runs(worker.process.pid)


def test_children_share_an_answer_queue(module: str) -> None:
    answers: Answers = queue.SimpleQueue()
    with WorkerProcess(module, answers) as one, WorkerProcess(module, answers) as other:
        one.send(1)
        other.send(2)
        found = dict(answers.get() for _ in range(2))
        assert found == {one: f"[1, {one.process.pid}]\n", other: f"[2, {other.process.pid}]\n"}


@pytest.mark.parametrize(("question", "code"), [("fail", 1), ("sleep", -signal.SIGTERM)])
def test_exited_worker_returns_empty_line(module: str, question: str, code: int) -> None:
    with WorkerProcess(module) as worker:
        worker.send(question)
        if question == "sleep":
            worker.process.terminate()
        assert next_line(worker) == ""
        assert worker.code == code
        worker.send("more")


def test_busy_child_is_ended_at_once(module: str) -> None:
    with WorkerProcess(module) as worker:
        worker.send("sleep")
        began = time.monotonic()
    assert time.monotonic() - began < 30
    assert not runs(worker.process.pid)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_child_ignores_interrupt_of_its_parent(module: str) -> None:
    with WorkerProcess(module) as worker:
        worker.send(1)
        next_line(worker)
        os.kill(worker.process.pid, signal.SIGINT)
        worker.send(2)
        assert next_line(worker).startswith("[2,")
        assert os.getpgid(worker.process.pid) != os.getpgid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("question", [1, "sleep"], ids=["waiting", "busy"])
def test_child_dies_with_its_parent(module: str, question: object) -> None:
    program = f"""
        import json, time
        from arcade.engines.worker_process import WorkerProcess
        worker = WorkerProcess({module!r})
        worker.send(0)
        while not worker.line(): pass
        worker.send({question!r})
        print(worker.process.pid, flush=True)
        time.sleep(60)
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout as lines:
        worker = int(lines.readline())
    assert runs(worker)
    parent.kill()
    parent.wait()
    wait_for(lambda: not runs(worker) or is_zombie(worker))
