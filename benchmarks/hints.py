"""Time to a hint and to a comment in a match: `python -m benchmarks.hints [--quick]`.

A club player takes the place of the person against a club player. From the third ply on, each position gets a
hint, asked for when its analysis has ended, and each mistake waits for its reason. Times are by the clock, in
a session without a screen.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from arcade.engines.control import Control
from arcade.engines.registry import parse_game_id
from arcade.engines.seats import make_player
from arcade.play.host import Host
from arcade.play.jobs import Threads
from arcade.play.match import HUMAN, new_match
from arcade.play.session import Session
from benchmarks.reasons import path_boards, times_row
from benchmarks.table import Row, main

MATCHES = 20
FIRST_PLY = 2
"""From 0."""
LIMIT = 0.5
"""Seconds for 95 of 100."""
PATIENCE = 60.0


class _Person:
    """Plays one match, and measures how long its session takes."""

    def __init__(self, board: str, seat: int, seed: int) -> None:
        game_id = parse_game_id(board)
        seats = ["club", "club"]
        seats[seat] = HUMAN
        self.match = new_match(game_id, tuple(seats), seed=seed)
        self.runner = Threads()
        self.session = Session(self.match, Host(), self.runner, lambda scene: None, lambda notice: None)
        self.player = make_player(game_id.game, "club")
        self.chance = random.Random(seed)
        self.hints: list[float] = []
        self.comments: list[float] = []

    def until(self, enough: Callable[[], bool]) -> float:
        started = time.perf_counter()
        self.runner.settle(enough, PATIENCE)
        return time.perf_counter() - started

    def play(self) -> None:
        session, match = self.session, self.match
        session.start()
        self.until(lambda: not session.busy)
        while not match.finished:
            if len(match.plies) >= FIRST_PLY:
                session.do("hint")
                self.hints.append(self.until(lambda: session.state.hint is not None))
                self.until(lambda: not session.busy)
                session.do("put_away")
            with Control() as control:
                move = self.player.choose(match.position, self.chance, control)
            session.play(move)
            self.until_comment(len(match.plies) - 1)
            self.until(lambda: not session.busy)

    def until_comment(self, number: int) -> None:
        """Wait for the mark of a ply, and for the reason of a mistake."""
        session, ply = self.session, self.match.line[number]
        waited = self.until(lambda: ply.mark is not None or not session.busy)
        if ply.mark is not None and ply.mark.bad and number >= FIRST_PLY:
            waited += self.until(lambda: bool(ply.reason) or not session.busy)
            self.comments.append(waited)


def rows(quick: bool = False) -> list[Row]:
    found = []
    for board in path_boards(quick):
        people = [_Person(board, seed % 2, seed) for seed in range(2 if quick else MATCHES)]
        for person in people:
            person.play()
        hints = [seconds for person in people for seconds in person.hints]
        comments = [seconds for person in people for seconds in person.comments]
        both = {"hint": hints, "comment": comments}
        found += [times_row(f"{board}: {what}", times, LIMIT) for what, times in both.items() if times]
    return found


if __name__ == "__main__":
    main(rows)
