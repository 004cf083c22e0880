"""Matches between engines in child processes, so that all cores play and a cancel takes effect at once.

A child reads one line of JSON for each match and writes one. It ends by itself when its parent has ended,
however that happened, because then its input ends. It is no process pool, so it also works under Textual.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.registry import parse_game_id
from arcade.match.match import Match
from arcade.match.record import MatchRecord
from arcade.matchbox.machines import Machines
from arcade.session.alone import play_out

LOOK_SECONDS = 0.05
"""Seconds between two looks at whether the work is cancelled."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A match to be played."""

    start: str
    """The game ID of its start."""
    seats: tuple[str, str]
    seed: int
    """The random seed of the players' choices."""
    seconds: float | None = None
    """Time limit for one move; None for the game's own limit."""


class Copies:
    """Saved machines by name, for a process that does not open the store."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def machines(self, name: str | None = None) -> dict[str, str]:
        return {each: text for each, text in self.texts.items() if name in (None, each)}

    def save_machine(self, name: str, machine: str) -> None:
        """Save nothing: nobody learns here."""

    def replace_machine(self, name: str, before: str | None, machine: str) -> None:
        """Save nothing."""

    def close(self) -> None:
        """Nothing is open."""


def play_here(errand: Errand, machines: Machines) -> MatchRecord:
    """Play a match in this process.

    Raises:
        InputError: somebody cannot play.
        RuntimeError: an engine has failed.
    """
    match = Match(parse_game_id(errand.start), errand.seats, machines, errand.seed)
    return play_out(match, errand.seconds).record()


class _Child:
    """A child process, and the number of the match that it plays."""

    def __init__(self, texts: Mapping[str, str], answers: queue.SimpleQueue[tuple[_Child, str]]) -> None:
        self.number = 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arcade.study.crew"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="ascii",
            # Ctrl+C goes to the parent alone.
            start_new_session=True,
        )
        self._answers = answers
        self._write(dict(texts))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._answers.put((self, line))
        self._answers.put((self, ""))

    def _write(self, value: object) -> None:
        assert self.process.stdin is not None
        # If the child has ended, the reader tells of it.
        with suppress(BrokenPipeError):
            self.process.stdin.write(f"{json.dumps(value)}\n")
            self.process.stdin.flush()

    def send(self, number: int, errand: Errand) -> None:
        """Let it play a match."""
        self.number = number
        self._write(asdict(errand))

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()


def cores() -> int:
    """How many processes can play at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_all(
    errands: Iterable[tuple[int, Errand]], texts: Mapping[str, str], workers: int, control: Control
) -> Generator[tuple[int, MatchRecord]]:
    """Play matches; yields each with its number when it is over.

    Args:
        errands: the matches with their numbers, begun in this order.
        texts: the saved machines by name, as texts; they do not learn.
        workers: the number of child processes; 0 plays in this process.
        control: stops the work; matches that are going on are dropped, but in this process played to the end.

    Raises:
        InputError: somebody cannot play.
        RuntimeError: an engine has failed, or a process has ended.
    """
    waiting = iter(errands)
    if not workers:
        machines = Machines(lambda: Copies(texts))
        for number, errand in waiting:
            if control.stopped:
                return
            yield number, play_here(errand, machines)
        return
    answers: queue.SimpleQueue[tuple[_Child, str]] = queue.SimpleQueue()
    children: list[_Child] = []
    try:
        for each in islice(waiting, workers):
            children.append(_Child(texts, answers))
            children[-1].send(*each)
        busy = len(children)
        while busy and not control.stopped:
            try:
                child, line = answers.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                continue
            number, record = child.number, _read_answer(child, line)
            following = next(waiting, None)
            if following is None:
                busy -= 1
            else:
                child.send(*following)
            yield number, record
    finally:
        for child in children:
            child.end()


def _read_answer(child: _Child, line: str) -> MatchRecord:
    if not line:
        raise RuntimeError(f"A process that plays matches has ended with code {child.process.wait()}.")
    answer = json.loads(line)
    if "refused" in answer:
        raise InputError(answer["refused"])
    if "failed" in answer:
        raise RuntimeError(answer["failed"])
    return MatchRecord.from_json(answer["record"])


def _answer(line: str, machines: Machines) -> dict[str, Any]:
    asked = json.loads(line)
    errand = Errand(asked["start"], tuple(asked["seats"]), asked["seed"], asked["seconds"])
    try:
        return {"record": play_here(errand, machines).to_json()}
    except InputError as error:
        return {"refused": str(error)}
    except Exception as error:
        return {"failed": repr(error)}


def main() -> None:
    """Be a child: play what standard input asks for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            lines.put(line)
        # The parent has ended.
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    copies = Copies(json.loads(lines.get()))
    machines = Machines(lambda: copies)
    while True:
        sys.stdout.write(f"{json.dumps(_answer(lines.get(), machines))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
