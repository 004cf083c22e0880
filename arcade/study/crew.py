"""Matches between engines in child processes, so that all cores play and a cancel takes effect at once."""

from __future__ import annotations

import json
import os
import queue
from collections.abc import Generator, Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from arcade.engines.child import LOOK_SECONDS, Answers, Child, serve
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.registry import parse_game_id
from arcade.match.match import Match
from arcade.match.record import MatchRecord
from arcade.matchbox.machines import Machines
from arcade.session.alone import play_out
from arcade.store.store import Store


@dataclass(frozen=True, slots=True)
class Assignment:
    """A match to be played."""

    start: str
    seats: tuple[str, str]
    seed: int
    seconds: float | None = None
    """Time limit for one move; None for the game's own limit."""

    def play(self, machines: Machines) -> MatchRecord:
        """Play the match in this process.

        Raises:
            InputError: somebody cannot play.
            RuntimeError: an engine has failed.
        """
        match = Match(parse_game_id(self.start), self.seats, machines, self.seed)
        return play_out(match, self.seconds).record()


def _machines(texts: Mapping[str, str]) -> Machines:
    """Machines by name in a store of their own; nobody learns here."""
    store = Store.in_memory()
    for name, text in texts.items():
        store.save_machine(name, text)
    return Machines(lambda: store)


def cores() -> int:
    """How many processes can play at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_all(
    assignments: Iterable[tuple[int, Assignment]], texts: Mapping[str, str], workers: int, control: Control
) -> Generator[tuple[int, MatchRecord]]:
    """Play matches; yields each with its number when it is over.

    Args:
        assignments: the matches with their numbers, begun in this order.
        texts: the saved machines by name, as texts; they do not learn.
        workers: the number of child processes; 0 plays in this process.
        control: stops the work; matches that are going on are dropped, but in this process played to the end.

    Raises:
        InputError: somebody cannot play.
        RuntimeError: an engine has failed, or a process has ended.
    """
    waiting = iter(assignments)
    if not workers:
        machines = _machines(texts)
        for number, assignment in waiting:
            if control.stopped:
                return
            yield number, assignment.play(machines)
        return
    answers: Answers = queue.SimpleQueue()
    playing: dict[Child, int] = {}
    try:
        for number, assignment in islice(waiting, workers):
            child = Child("arcade.study.crew", answers)
            playing[child] = number
            child.send((dict(texts), asdict(assignment)))
        busy = len(playing)
        while busy and not control.stopped:
            try:
                child, line = answers.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                continue
            number, record = playing[child], _record(child, line)
            following = next(waiting, None)
            if following is None:
                busy -= 1
            else:
                playing[child], assignment = following
                child.send((None, asdict(assignment)))
            yield number, record
    finally:
        for child in playing:
            child.end()


def _record(child: Child, line: str) -> MatchRecord:
    if not line:
        raise RuntimeError(f"A process that plays matches has ended with code {child.code}.")
    answer = json.loads(line)
    if "refused" in answer:
        raise InputError(answer["refused"])
    if "failed" in answer:
        raise RuntimeError(answer["failed"])
    return MatchRecord.from_json(answer["record"])


class _Player:
    """What a child knows between its matches."""

    machines: Machines

    def answer(self, question: tuple[dict[str, str] | None, dict[str, Any]]) -> dict[str, str]:
        """Play a match; the first one comes with the texts of the machines."""
        texts, match = question
        if texts is not None:
            self.machines = _machines(texts)
        try:
            record = Assignment(**match | {"seats": tuple(match["seats"])}).play(self.machines)
            return {"record": record.to_json()}
        except InputError as error:
            return {"refused": str(error)}
        except Exception as error:
            return {"failed": repr(error)}


if __name__ == "__main__":
    serve(_Player().answer)
