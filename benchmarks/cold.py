"""The first moves on a machine where nothing is compiled: `python -m benchmarks.cold GAME...`.

Prints for each game the seconds from a person's first move until an engine has answered, and until there is a
verdict; and whether all this came before the kernels were compiled.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from arcade.engines.registry import parse_game_id
from arcade.matches import last_players
from arcade.play.jobs import Threads
from arcade.play.match import HUMAN, new_match
from arcade.play.scene import Scene
from arcade.play.session import Session
from arcade.services import Services

LONG = 60.0


def first_moves(game: str) -> dict[str, Any]:
    """Play the first moves of a game as it is offered to a newcomer, with kernels that compile beside it."""
    services, threads = Services(), Threads()
    services.compiler.start(lambda: None)
    id = parse_game_id(game)
    match = new_match(id, last_players(services, id.game, id.parameters), services.machines, seed=1)
    judged: list[float] = []

    def told(scene: Scene) -> None:
        # The coach may hide the verdict that has been found.
        if session.verdict is not None and session.verdict.known:
            judged.append(time.perf_counter())

    session = Session(match, services, threads, told)
    session.open()
    session.start()
    threads.settle(lambda: match.player_to_move == HUMAN, LONG)
    moved, before = time.perf_counter(), len(match.plies)
    session.play(match.position.moves()[0])
    threads.settle(lambda: len(match.plies) > before + 1, LONG)
    answered = time.perf_counter()
    threads.settle(lambda: bool(judged), LONG)
    found = {
        "answer": answered - moved,
        "verdict": max(0.0, judged[0] - moved),
        "compiled": services.compiler.ready(game),
        "numba": "numba" in sys.modules,
    }
    session.stop()
    services.close()
    return found


def in_a_fresh_process(game: str) -> dict[str, Any]:
    """`first_moves` where nothing is compiled and nothing is saved."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder, "ARCADE_DATA": folder}
        command = [sys.executable, "-m", "benchmarks.cold", game]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    print(json.dumps(first_moves(sys.argv[1])))
