"""Chocobar as a game of the arcade: names, parameters, notation, and where its solver is."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from arcade.engines.chocobar.rules import LARGEST, Bar, Bite, parse_bar, parse_bite
from arcade.engines.game import (
    Game,
    InputError,
    Parameter,
    Parameters,
    ParameterValue,
    Preset,
    check_parameters,
    parse_size,
)

if TYPE_CHECKING:
    from arcade.engines.chocobar.solver import ChocobarSolver

_RULES = """\
A bar of chocolate lies on the table. **The square in the top left corner is poisoned.**

The two players bite in turn. A bite is made at any square that is left, and eats that square *and every
square below it and to the right of it*.

**Who is left with nothing but the poison has lost.** (The last bite, of the poison itself, is not played.)

A square is named `(row,column)`, both counted from 1 at the poisoned corner: `(4,9)` is in the fourth row
from the top, ninth from the left.

On every bar larger than one square the player who begins can win. Suppose that the second player could
always win: then also after the first player has nibbled off no more than the far corner, by some answer.
But whatever that answer leaves, the first player could have left it at once, with the same bite. So
some first bite wins, and nobody knows a rule for which one: it has to be searched for.
"""

_EFFORT = "beyond 14x14 solving takes time"


class Chocobar(Game[Bar, Bite]):
    """The game of Chomp on a bar of up to 18 rows and 18 columns."""

    name = "chocobar"
    title = "Chocobar"
    summary = "Bite the bar, leave the poison."
    rules = _RULES
    parameters = (
        Parameter("rows", "Rows", 8, 1, LARGEST, help=f"1 to {LARGEST}; {_EFFORT}"),
        Parameter("columns", "Columns", 10, 1, LARGEST, help=f"1 to {LARGEST}; {_EFFORT}"),
    )
    presets = (
        Preset("Taster, 3 by 4", "3x4"),
        Preset("Small, 5 by 6", "5x6"),
        Preset("Standard, 8 by 10", "8x10"),
        Preset("Large, 10 by 10", "10x10"),
        Preset("Family pack, 14 by 14", "14x14"),
    )

    def parse_parameters(self, text: str) -> dict[str, ParameterValue]:
        """Rows and columns from a text like `8x10`.

        Raises:
            InputError: the text is no size of a bar.
        """
        if not text:
            return check_parameters(self, {})
        rows, columns = parse_size(text, "size of the bar")
        return self._checked({"rows": rows, "columns": columns})

    def _checked(self, parameters: Parameters) -> dict[str, ParameterValue]:
        checked = check_parameters(self, parameters)
        if checked["rows"] == checked["columns"] == 1:
            raise InputError("A bar of 1x1 is only the poison; it must have at least two squares.")
        return checked

    def parameters_text(self, parameters: Parameters) -> str:
        """Rows and columns, like `8x10`."""
        return f"{parameters['rows']}x{parameters['columns']}"

    def new(self, parameters: Parameters, seed: int = 0) -> Bar:
        """The full bar.

        Raises:
            InputError: a parameter is out of its limits.
        """
        checked = self._checked(parameters)
        return Bar.full(int(checked["rows"]), int(checked["columns"]))

    def parse_position(self, text: str, parameters: Parameters | None = None) -> Bar:
        """What is left of a bar, as its row lengths from the top.

        Raises:
            InputError: which part is bad, or the bar does not fit into the size that the parameters give.
        """
        bar = parse_bar(text)
        if parameters is not None:
            checked = self._checked(parameters)
            size = self.parameters_text(checked)
            if len(bar.rows) > int(checked["rows"]):
                raise InputError(f"The bar {text!r} has {len(bar.rows)} rows, too many for a bar of {size}.")
            if bar.rows[0] > int(checked["columns"]):
                raise InputError(f"The bar {text!r} has {bar.rows[0]} columns, too many for a bar of {size}.")
        return bar

    def parse_move(self, text: str, position: Bar | None = None) -> Bite:
        """Read `(4,9)`, and also `4,9`, `4 9`, `4.9` and `(4, 9)`.

        Raises:
            InputError: the text is no bite.
        """
        return parse_bite(text)

    def parameters_of(self, position: Bar) -> dict[str, ParameterValue]:
        """The size of the smallest bar that the position fits into."""
        return {"rows": len(position.rows), "columns": position.rows[0]}

    def make_solver(self) -> ChocobarSolver:
        """A solver with no table yet."""
        from arcade.engines.chocobar.solver import ChocobarSolver

        return ChocobarSolver()

    @cached_property
    def solver(self) -> ChocobarSolver:
        """The solver of this process, which also tells Grundy numbers."""
        return self.make_solver()

    def symmetric(self, position: Bar) -> tuple[Bar, ...]:
        """The bar with rows and columns exchanged, unless that is the same bar."""
        other = position.transposed()
        return () if other == position else (other,)

    def where(self, position: Bar, move: Bite) -> str:
        """The part of the bar in which to look: a half or a quarter of what is left."""
        height, width = len(position.rows), position.rows[0]
        down = "" if height < 2 else "lower" if 2 * move.row > height else "upper"
        across = "" if width < 2 else "right" if 2 * move.column > width else "left"
        if move.row == 1 and height > 1:
            return f"Look along the top row, in its {across} half." if across else "Look along the top row."
        if move.column == 1 and width > 1:
            return (
                f"Look down the first column, in its {down} half." if down else "Look down the first column."
            )
        part = "quarter" if down and across else "half"
        return f"Look in the {down}{' ' * bool(down and across)}{across} {part} of what is left."
