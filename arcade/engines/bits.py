"""Bit counts for kernels: one machine instruction each, which numba has no public name for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from arcade.engines.compiled import Linkable


class Instruction(Linkable):
    """A machine instruction on a 64-bit word, which gives a number.

    Args:
        name: of the method that emits it, of llvmlite's builder.
        plain: the same for a Python number.
        arguments: more arguments, as constants of one bit.
    """

    def __init__(self, name: str, plain: Callable[[int], int], *arguments: int) -> None:
        self._name = name
        self._plain = plain
        self._arguments = arguments

    @cached_property
    def compiled(self) -> Any:
        """An intrinsic of numba."""
        from llvmlite import ir
        from numba import types
        from numba.extending import intrinsic

        more = [ir.Constant(ir.IntType(1), each) for each in self._arguments]

        def typed(_context: Any, word: Any) -> Any:
            def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
                return getattr(builder, self._name)(arguments[0], *more)

            return types.int64(word), generate

        return intrinsic(typed)

    def interpreted(self, **constants: Any) -> Callable[..., Any]:
        """The plain function."""
        return self

    def __call__(self, word: Any) -> int:
        """The number, in plain Python."""
        return self._plain(int(word))


_UNDEFINED_FOR_ZERO = 1

popcount = Instruction("ctpop", int.bit_count)
"""The number of set bits in a 64-bit word."""

trailing_zeros = Instruction("cttz", lambda word: (word & -word).bit_length() - 1, _UNDEFINED_FOR_ZERO)
"""The index of the lowest set bit, 0 to 63; the word must not be 0."""

leading_zeros = Instruction("ctlz", lambda word: 64 - word.bit_length(), _UNDEFINED_FOR_ZERO)
"""The number of clear bits above the highest set bit, 0 to 63; the word must not be 0."""
