"""Chocobar as a game of the arcade."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from arcade.engines.chocobar import SUMMARY, TITLE
from arcade.engines.chocobar.reasons import RULES
from arcade.engines.chocobar.reference_methods import COMPARISON
from arcade.engines.chocobar.rules import SIDES, Bar, Bite, parse_bar
from arcade.engines.encoding import Encoding
from arcade.engines.explanations import Explanations
from arcade.engines.files import InputError, package_text
from arcade.engines.game import Game
from arcade.engines.parameters import Parameter, Parameters, ParameterSet, ParameterValue, Preset
from arcade.engines.players import Players
from arcade.engines.position import Symmetries, Symmetry
from arcade.engines.reasons import Rule
from arcade.engines.teaching import PathStep, Practice, Teaching
from arcade.engines.verdict import HintRegion, Squares

if TYPE_CHECKING:
    from arcade.engines.chocobar.solver import ChocobarSolver


_BITE = re.compile(r"(?P<open>\()?\s*(?P<row>\d{1,3})(?:\s*[,.;]\s*|\s+)(?P<column>\d{1,3})\s*(?(open)\))")


class ChocobarParameters(ParameterSet[Bar]):
    def check(self, parameters: Parameters) -> dict[str, ParameterValue]:
        checked = super().check(parameters)
        if checked["rows"] == checked["columns"] == 1:
            raise InputError("A 1x1 bar is only the poison. A bar must have at least two squares.")
        return checked

    def of(self, position: Bar) -> dict[str, ParameterValue]:
        return {"rows": len(position.rows), "columns": position.rows[0]}


class ChocobarSymmetries(Symmetries[Bar, Bite]):
    def quick_canonical(self, position: Bar) -> Bar:
        return Bar(max(position.rows, position.transposed().rows))

    def transforms(self, position: Bar) -> list[Symmetry[Bar, Bite]]:
        def mirrored(_: Bar, bite: Bite) -> Bite:
            return Bite(bite.column, bite.row)

        return [Symmetry("mirrored on the diagonal", Bar.transposed, mirrored)]

    def images(self, position: Bar) -> list[Bar]:
        bars = (position, position.transposed())
        images = dict.fromkeys(Bar(each.rows, turn) for each in bars for turn in (0, 1))
        return [each for each in images if each != position]


class ChocobarEncoding(Encoding[Bar, Bite]):
    def features(self, position: Bar, start: Bar) -> list[int]:
        eaten = [0] * (len(start.rows) - len(position.rows))
        return [*position.rows, *eaten, position.turn]


class ChocobarExplanations(Explanations[Bar, Bite]):
    def load_rules(self) -> Sequence[Rule[Bar]]:
        return RULES

    def squares_of(self, position: Bar, move: Bite) -> Squares:
        return ((move.row - 1, move.column - 1),)

    def hint_region(self, position: Bar, move: Bite) -> HintRegion:
        height, width = len(position.rows), position.rows[0]
        down, rows = _half(height, move.row, "upper", "lower")
        across, columns = _half(width, move.column, "left", "right")
        if move.row == 1 and height > 1:
            rows = range(1)
            says = f"Look in the {across} half of the top row." if across else "Look along the top row."
        elif move.column == 1 and width > 1:
            columns = range(1)
            says = f"Look in the {down} half of the first column." if down else "Look down the first column."
        elif down or across:
            part = "quarter" if down and across else "half"
            says = f"Look in the {down}{' ' * bool(down and across)}{across} {part} of the remaining bar."
        else:
            says = "Look in the middle of the bar."
        squares = ((row, column) for row in rows for column in columns if column < position.rows[row])
        return HintRegion(says, tuple(square for square in squares if square != (0, 0)))


def _half(length: int, place: int, first: str, second: str) -> tuple[str, range]:
    """Return the name and the indices of the half that contains `place`, which counts from 1.

    If `place` is the middle, return "" and all indices.
    """
    middle = length // 2
    if 2 * place == length + 1:
        return "", range(length)
    return (second, range(length - middle, length)) if 2 * place > length else (first, range(middle))


class ChocobarPlayers(Players[Bar, Bite]):
    lookahead = (2, 4, 5, 6)  # no limited player comes near Perfect; see `python -m tools.ladder`


class Chocobar(Game[Bar, Bite]):
    name = "chocobar"
    title = TITLE
    summary = SUMMARY
    sides = SIDES
    parameters = ChocobarParameters(
        known=(
            Parameter("rows", "Rows", 8, 1, 18, help="1 to 18; beyond 14x14 solving takes time"),
            Parameter("columns", "Columns", 10, 1, 18, help="1 to 18; beyond 14x14 solving takes time"),
        ),
        presets=(
            Preset("Taster, 3 by 4", "3x4"),
            Preset("Small, 5 by 6", "5x6"),
            Preset("Standard, 8 by 10", "8x10"),
            Preset("Large, 10 by 10", "10x10"),
            Preset("Family pack, 14 by 14", "14x14"),
        ),
    )
    teaching = Teaching(
        rules=package_text(__package__, "rules.md"),
        goal="Leave your opponent the poison.",
        picture="""\
X # # # #   X is the poison.
# # * . .   A bite at * eats
# # . . .   the dots too.""",
        lessons="lessons.toml",
    )
    practice = Practice(
        path=(
            PathStep("4x5", 0, "beginner"),
            PathStep("5x6", 0, "casual"),
            PathStep("6x7", 0, "club"),
            PathStep("6x7", 0, "expert"),
            PathStep("3x4", 0, "perfect"),
        ),
        puzzle_boards=("3x5", "4x5", "5x6", "6x8", "8x10"),
        grade_thresholds=(600, 2500, 8000, 25000),
    )
    symmetries = ChocobarSymmetries()
    encoding = ChocobarEncoding()
    reference_methods = COMPARISON

    def start(self, parameters: Parameters, seed: int) -> Bar:
        return Bar.full(int(parameters["rows"]), int(parameters["columns"]))

    def parse_position(self, text: str, parameters: Parameters | None = None) -> Bar:
        bar = parse_bar(text)
        if parameters is not None:
            checked = self.parameters.check(parameters)
            size = self.parameters.text(checked)
            if len(bar.rows) > int(checked["rows"]):
                raise InputError(f"The bar {text!r} has {len(bar.rows)} rows, too many for a bar of {size}.")
            if bar.rows[0] > int(checked["columns"]):
                raise InputError(f"The bar {text!r} has {bar.rows[0]} columns, too many for a bar of {size}.")
        return bar

    def parse_move(self, text: str, position: Bar | None = None) -> Bite:
        """Read a bite, written as `(4,9)`, `4,9`, `4 9`, `4.9` or `(4, 9)`."""
        found = _BITE.fullmatch(text.strip())
        if found is None:
            raise InputError(f"The bite {text!r} must be a row and a column counted from 1, like (4,9).")
        bite = Bite(int(found["row"]), int(found["column"]))
        if not (bite.row and bite.column):
            raise InputError(f"The bite {text!r} contains 0, but rows and columns are counted from 1.")
        return bite

    @cached_property
    def solver(self) -> ChocobarSolver:
        from arcade.engines.chocobar.solver import ChocobarSolver  # loads NumPy

        return ChocobarSolver()

    @cached_property
    def explanations(self) -> Explanations[Bar, Bite]:
        return ChocobarExplanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def players(self) -> Players[Bar, Bite]:
        return ChocobarPlayers(lambda: self.solver)


GAME = Chocobar()
