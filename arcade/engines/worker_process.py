"""Run worker processes, even in a Textual app. They answer in lines of JSON and end with their parent."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

POLL_INTERVAL = 0.05
PRIORITY = 10
"""Niceness of a worker on Unix, so that the process that draws the screen has priority."""
_DIE_WITH_PARENT = 1

HOME = Path(__file__).parents[2]
"""Folder that contains the package."""

Answers = queue.SimpleQueue[tuple["WorkerProcess", str]]
"""A queue of output lines, each with its worker. An empty line means that the worker has ended."""


def python_command(module: str) -> list[str]:
    """Return a command that runs a module with the import path of this process.

    `python -m` would search the current folder first.
    """
    path = [*filter(os.path.isabs, sys.path), str(HOME)]
    run = f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return [sys.executable, "-P", "-c", f"import runpy, sys; sys.path[:] = {path!a}; {run}"]


class WorkerProcess:
    """A process that runs a module that calls `worker_main`. Raises OSError if it cannot start."""

    def __init__(self, module: str, answers: Answers | None = None) -> None:
        self.answers: Answers = queue.SimpleQueue() if answers is None else answers
        self.process = subprocess.Popen(
            python_command(module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="ascii",
            errors="replace",
            # Ctrl+C must reach only the parent.
            start_new_session=True,
        )
        if sys.platform != "win32":
            # `preexec_fn` can deadlock in a process with threads.
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.process.pid, PRIORITY)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.answers.put((self, line))
        self.answers.put((self, ""))

    def send(self, question: object) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(f"{json.dumps(question)}\n")
            self.process.stdin.flush()

    def line(self) -> str | None:
        """Return the next line, or "" at the end. If no line arrives within `POLL_INTERVAL`, return None."""
        with suppress(queue.Empty):
            return self.answers.get(timeout=POLL_INTERVAL)[1]
        return None

    @property
    def code(self) -> int:
        """The exit status, which is negative after a signal."""
        return self.process.wait()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def worker_main(answer: Callable[[Any], object]) -> None:
    """Answer questions from standard input until the parent ends. Text printed by `answer` goes to stderr."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        # The thread below cannot end the process while no Python code runs.
        import ctypes  # loads ctypes

        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    output = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    questions: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            questions.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    try:
        while True:
            output.write(f"{json.dumps(answer(json.loads(questions.get())))}\n")
            output.flush()
    except BaseException:
        traceback.print_exc()
        # A normal exit would wait for the thread that reads.
        os._exit(1)
