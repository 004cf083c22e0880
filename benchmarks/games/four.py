"""Four in a row on a small board: a plain implementation without optimisations.

4 columns of 5 cells have 1,706,255 positions, as J. Tromp has counted (tromp.github.io/c4/c4.html).
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

from arcade.engines.game import Game
from arcade.engines.parameters import Parameter, Parameters, ParameterSet, Preset
from arcade.engines.position import Outcome, Position
from arcade.engines.teaching import Teaching


@dataclass(frozen=True)
class Grid(Position[int]):
    cells: str
    """Rows from the bottom: x, o, and a dot."""
    columns: int
    turn: int = 0

    def moves(self) -> list[int]:
        if self.won():
            return []
        return [number + 1 for number, cell in enumerate(self.cells[-self.columns :]) if cell == "."]

    def play(self, move: int) -> "Grid":
        if move not in self.moves():
            raise ValueError(f"Column {move} is full or does not exist.")
        at = self.cells.index(".", move - 1)
        while (at - move + 1) % self.columns:
            at = self.cells.index(".", at + 1)
        cells = self.cells[:at] + "xo"[self.turn] + self.cells[at + 1 :]
        return Grid(cells, self.columns, 1 - self.turn)

    def won(self) -> bool:
        cells, piece = self.cells, "ox"[self.turn]
        return any(
            cells[a] == cells[b] == cells[c] == cells[d] == piece
            for a, b, c, d in lines(self.columns, len(cells) // self.columns)
        )

    def outcome(self) -> Outcome | None:
        if self.won():
            return Outcome(1 - self.turn, f"{Four.sides[1 - self.turn]} has four in a row")
        return None if "." in self.cells else Outcome(None, "The board is full")

    def __str__(self) -> str:
        rows = [self.cells[at : at + self.columns] for at in range(0, len(self.cells), self.columns)]
        return "\n".join(reversed(rows))


@cache
def lines(columns: int, rows: int) -> list[tuple[int, ...]]:
    steps = product(range(columns), range(rows), [(1, 0), (0, 1), (1, 1), (-1, 1)])
    return [
        tuple((y + i * up) * columns + x + i * right for i in range(4))
        for x, y, (right, up) in steps
        if 0 <= x + 3 * right < columns and y + 3 * up < rows
    ]


class Four(Game[Grid, int]):
    name = "four"
    title = "Four in a row"
    summary = "Drop pieces into columns; four in a row win."
    teaching = Teaching(
        "The players drop a piece in turn into a column that is not full. It falls down as far as it can. "
        "The first player with four in a row, in a line across, up or along a diagonal, wins."
    )
    parameters = ParameterSet(
        known=(Parameter("columns", "Columns", 4, 4, 9), Parameter("rows", "Rows", 4, 4, 9)),
        presets=(Preset("Small", "4x4"), Preset("Tall", "4x5"), Preset("Usual", "7x6")),
    )

    def start(self, parameters: Parameters, seed: int) -> Grid:
        columns = int(parameters["columns"])
        return Grid("." * (columns * int(parameters["rows"])), columns)


GAME = Four()
