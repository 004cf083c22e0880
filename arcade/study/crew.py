"""Matches between engines in child processes, so that all cores play and a cancel takes effect at once."""

from __future__ import annotations

import json
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
    start: str
    seats: tuple[str, str]
    seed: int
    seconds: float | None = None

    def play(self, machines: Machines) -> MatchRecord:
        """Play the match in this process; raises InputError if somebody cannot play."""
        match = Match(parse_game_id(self.start), self.seats, machines, self.seed)
        return play_out(match, self.seconds).record()


def _machines(texts: Mapping[str, str]) -> Machines:
    store = Store.in_memory()
    for name, text in texts.items():
        store.save_machine(name, text)
    return Machines(lambda: store)


def play_all(
    assignments: Iterable[tuple[int, Assignment]], texts: Mapping[str, str], workers: int, control: Control
) -> Generator[tuple[int, MatchRecord]]:
    """Play matches with machines that do not learn; yields each with its number when it is over.

    Without workers they are played in this process, each to its end; else those going on are dropped when
    stopped. Raises InputError if somebody cannot play, RuntimeError if an engine or a process has failed.
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
