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

from arcade.engines.child import Answers, Child
from tests.waiting import wait_for

MODULE = """
import os, sys, time
from arcade.engines.child import serve

def answer(question):
    if question == "print":
        print("not ours")
        os.write(1, b"nor this\\n")
    if question == "fail":
        raise ValueError("this")
    if question == "sleep":
        time.sleep(60)
    return [question, os.getpid()]

serve(answer)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "echoing.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    # For a parent that is a process of its own.
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}")
    return "echoing"


def next_line(child: Child) -> str:
    while (line := child.line()) is None:
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


def test_lines_are_answered_in_their_order_without_output_of_others(module: str) -> None:
    with Child(module) as child:
        child.send("print")
        child.send({"a": ["ü"]})
        assert next_line(child) == f'["print", {child.process.pid}]\n'
        assert next_line(child) == f'[{{"a": ["\\u00fc"]}}, {child.process.pid}]\n'
        assert child.line() is None
    assert not runs(child.process.pid)


def test_several_children_share_a_queue(module: str) -> None:
    answers: Answers = queue.SimpleQueue()
    with Child(module, answers) as one, Child(module, answers) as other:
        one.send(1)
        other.send(2)
        found = dict(answers.get() for _ in range(2))
        assert found == {one: f"[1, {one.process.pid}]\n", other: f"[2, {other.process.pid}]\n"}


@pytest.mark.parametrize(("question", "code"), [("fail", 1), ("sleep", -signal.SIGTERM)])
def test_a_child_that_ends_is_told_by_an_empty_line_and_takes_no_more_questions(
    module: str, question: str, code: int
) -> None:
    with Child(module) as child:
        child.send(question)
        if question == "sleep":
            child.process.terminate()
        assert next_line(child) == ""
        assert child.code == code
        child.send("more")


def test_a_busy_child_is_ended_at_once(module: str) -> None:
    with Child(module) as child:
        child.send("sleep")
        began = time.monotonic()
    assert time.monotonic() - began < 30
    assert not runs(child.process.pid)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_child_ignores_the_interrupt_of_its_parent(module: str) -> None:
    with Child(module) as child:
        child.send(1)
        next_line(child)
        os.kill(child.process.pid, signal.SIGINT)
        child.send(2)
        assert next_line(child).startswith("[2,")
        assert os.getpgid(child.process.pid) != os.getpgid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("question", [1, "sleep"], ids=["waiting", "busy"])
def test_a_child_dies_with_its_parent(module: str, question: object) -> None:
    program = f"""
        import json, time
        from arcade.engines.child import Child
        child = Child({module!r})
        child.send(0)
        while not child.line(): pass
        child.send({question!r})
        print(child.process.pid, flush=True)
        time.sleep(60)
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout as lines:
        child = int(lines.readline())
    assert runs(child)
    parent.kill()
    parent.wait()
    wait_for(lambda: not runs(child) or is_zombie(child))
