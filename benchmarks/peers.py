"""The same games in other programs: `python -m benchmarks.peers`.

easyAI and OpenSpiel are installed into a temporary folder. If that fails, the row reports it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time

from arcade.engines.control import Control
from arcade.engines.hexapawn.game import GAME as HEXAPAWN
from arcade.engines.menace.game import GAME as MENACE
from arcade.engines.registry import AnyGame
from benchmarks.table import Row, show

_EASY = """
import time
from easyAI import Human_Player, TranspositionTable, solve_with_depth_first_search
from easyAI.games.Hexapawn import Hexapawn
class Board(Hexapawn):
    def ttentry(self):
        return str(([sorted(each.pawns) for each in self.players], self.current_player))
    def scoring(self):
        return -100 if self.lose() else 0
board = Board([Human_Player(), Human_Player()], size=({rows}, {columns}))
started = time.perf_counter()
solve_with_depth_first_search(board, win_score=90, tt=TranspositionTable())
print(time.perf_counter() - started)
"""

_SPIEL = """
import time
import pyspiel
from open_spiel.python.algorithms import minimax
game = pyspiel.load_game("tic_tac_toe")
started = time.perf_counter()
value, _ = minimax.alpha_beta_search(game)
print(value, time.perf_counter() - started)
"""


def _other(package: str, code: str) -> float | str:
    """The code's last word in seconds, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-P", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, "--target", folder, package], capture_output=True).returncode:
            return f"{package} cannot be installed here"
        program = f"import sys; sys.path.insert(0, {folder!r})\n{code}"
        done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True)
        return float(done.stdout.split()[-1]) if done.returncode == 0 else f"{package} does not run here"


def _ours(game: AnyGame, parameters: str) -> float:
    """The best of five with empty tables."""
    start = game.new(game.parameters.parse(parameters))
    took = []
    for _ in range(5):
        solver = type(game)().solver
        solver.warm()
        started = time.perf_counter()
        with Control() as control:
            solver.verdict(start, control)
        took.append(time.perf_counter() - started)
    return min(took)


def rows() -> list[Row]:
    found: list[Row] = []
    for height, width in ((4, 4), (4, 5)):
        code, ours = _EASY.format(rows=height, columns=width), _ours(HEXAPAWN, f"{height}x{width}")
        found.append(
            _row(f"solve Hexapawn {height}x{width}, compared with easyAI with a table", "easyAI", code, ours)
        )
    what = "solve tic-tac-toe, compared with OpenSpiel's alpha-beta search"
    found.append(_row(what, "open_spiel", _SPIEL, _ours(MENACE, "")))
    return found


def _row(what: str, package: str, code: str, ours: float) -> Row:
    other = _other(package, code)
    if isinstance(other, str):
        return (what, other, "")
    return (what, f"{ours / other:.6f}x of {other:.3f} s", "")


if __name__ == "__main__":
    show(rows())
