"""The first moves on a computer without compiled kernels: `python -m benchmarks.cold GAME...`.

For each game, prints the seconds from a player's first move to the engine's reply and to the first verdict,
and whether both came before the kernels were compiled.
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
    services, threads = Services(), Threads()
    services.compiler.start(lambda: None)
    id = parse_game_id(game)
    match = new_match(id, last_players(services, id.game, id.parameters), services.machines, seed=1)
    judged: list[float] = []

    def told(scene: Scene) -> None:
        # The coach may hide the verdict.
        if session.verdict is not None and session.verdict.known:
            judged.append(time.perf_counter())

    session = Session(match, services, threads, told)
    session.open()
    session.start()
    threads.settle(lambda: match.player_to_move == HUMAN, LONG)
    moved, before = time.perf_counter(), len(match.plies)
    # The first move of Chocobar would let the engine end the match at once, without a verdict.
    session.play(match.position.moves()[1])
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
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder, "ARCADE_DATA": folder}
        command = [sys.executable, "-m", "benchmarks.cold", game]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    print(json.dumps(first_moves(sys.argv[1])))
