"""Kernels: functions that numba compiles and that can also run as interpreted Python."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, update_wrapper
from types import FunctionType
from typing import Any

from arcade.engines.control import Control, Kernels

_LINKING = threading.RLock()


class Linkable(ABC):
    @property
    @abstractmethod
    def compiled(self) -> Any:
        """The function that numba calls. The first access imports numba, which takes a third of a second."""

    @abstractmethod
    def interpreted(self, **constants: Any) -> Callable[..., Any]:
        """Return the function as interpreted Python, about a hundred times slower.

        `constants` replace module constants of the same names.
        """


class Kernel(Linkable):
    """A function that numba compiles on its first call, or loads from disk if it is cached.

    A kernel may call only functions that numba supports and other `Linkable` functions. Python code may call
    only `entry` kernels.
    """

    def __init__(self, function: Any, entry: bool, options: dict[str, Any]) -> None:
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__wrapped__ = function
        self._entry = entry
        self._options = options
        self._dispatcher: Any = None
        self._prepared = False

    @property
    def compiled(self) -> Any:
        return self._dispatching(Kernels())

    def _dispatching(self, kernels: Kernels) -> Any:
        if self._dispatcher is None:
            with _LINKING:
                if self._dispatcher is None:
                    from arcade.engines.kernel_cache import dispatcher  # loads numba

                    linked = self._linked(lambda called: called.compiled, {})
                    self._dispatcher = dispatcher(linked, self._entry, self._options, kernels)
        return self._dispatcher

    @property
    def loaded(self) -> bool:
        """True if a call does not have to wait for the compiler."""
        return self._prepared

    def interpreted(self, **constants: Any) -> Callable[..., Any]:
        linked = self._linked(lambda called: called.interpreted(**constants), constants)
        if not self._entry:
            return linked
        import numpy as np  # loads NumPy

        def wrapping(*arguments: Any, control: Control | None = None) -> Any:
            with np.errstate(over="ignore"):
                return linked(*arguments)

        return wrapping

    def __call__(self, *arguments: Any, control: Control | None = None) -> Any:
        """Run the kernel. The first call compiles it while the clock of `control` is stopped."""
        if not self._prepared:
            self._prepare(arguments, Control() if control is None else control)
        return self._dispatcher(*arguments)

    def _prepare(self, arguments: tuple[Any, ...], control: Control) -> None:
        with control.paused(), _LINKING:
            if not self._prepared:
                from arcade.engines.kernel_cache import compile_for  # loads numba

                compile_for(self._dispatching(control.kernels), arguments)
                self._prepared = True

    def _linked(self, face: Callable[[Linkable], Any], constants: Mapping[str, Any]) -> Any:
        function: Any = self.__wrapped__
        known = function.__globals__
        names = {name: known[name] for name in function.__code__.co_names if name in known}
        faces = {name: face(each) for name, each in names.items() if isinstance(each, Linkable)}
        copy = FunctionType(
            function.__code__, {**known, **constants, **faces}, function.__name__, function.__defaults__
        )
        return update_wrapper(copy, function, updated=())


def njit(cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that turns a function into a kernel, with the options of `numba.njit`.

    If `cache` is True, Python can call the kernel, and its machine code is cached on disk. `allocates=False`
    speeds up calls of a kernel that makes no arrays.
    """
    return lambda function: Kernel(function, cache, options)


class Instruction(Linkable):
    """A machine instruction on a 64-bit word. The function `plain` computes the same result in Python.

    `name` is the name of the instruction in llvmlite. `arguments` are additional one-bit constants.
    """

    def __init__(self, name: str, plain: Callable[[int], int], *arguments: int) -> None:
        self._name = name
        self._plain = plain
        self._arguments = arguments

    @cached_property
    def compiled(self) -> Any:
        from llvmlite import ir  # loads numba
        from numba import types  # loads numba
        from numba.extending import intrinsic  # loads numba

        more = [ir.Constant(ir.IntType(1), each) for each in self._arguments]

        def typed(_context: Any, word: Any) -> Any:
            def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
                return getattr(builder, self._name)(arguments[0], *more)

            return types.int64(word), generate

        return intrinsic(typed)

    def interpreted(self, **constants: Any) -> Callable[..., Any]:
        return self

    def __call__(self, word: Any) -> int:
        return self._plain(int(word))


_UNDEFINED_FOR_ZERO = 1

popcount = Instruction("ctpop", int.bit_count)

trailing_zeros = Instruction("cttz", lambda word: (word & -word).bit_length() - 1, _UNDEFINED_FOR_ZERO)
"""The number of trailing zero bits of a word, which must not be 0."""

leading_zeros = Instruction("ctlz", lambda word: 64 - word.bit_length(), _UNDEFINED_FOR_ZERO)
"""The number of leading zero bits of a word, which must not be 0."""
