"""Kernels: functions that numba compiles when they are first called, and that also run as plain Python."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, update_wrapper
from types import FunctionType
from typing import Any

from arcade.engines.control import Control, Kernels

_LINKING = threading.RLock()


class Linkable(ABC):
    """Something that a kernel can call."""

    @property
    @abstractmethod
    def compiled(self) -> Any:
        """What numba calls; only here numba is imported, which takes a third of a second."""

    @abstractmethod
    def interpreted(self, **constants: Any) -> Callable[..., Any]:
        """The same as plain Python: a hundred times slower, but ready at once.

        The constants of the function's module can be replaced, e.g. how often it looks for a stop.
        """


class Kernel(Linkable):
    """A function for numba. Calling it compiles it, or loads it from the cache on disk.

    It calls only functions that numba knows, and `Linkable` ones. An `entry` is one that Python calls, and
    not only other kernels. The options are those of `numba.njit`.
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
        """Whether it has been compiled, so that a call does not have to wait."""
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
        """Call the compiled function; one that is part of others cannot be called from Python.

        The first call compiles it, which takes none of the time of the `control` that it works for.
        """
        if not self._prepared:
            self._prepare(arguments, Control() if control is None else control)
        return self._dispatcher(*arguments)

    def _prepare(self, arguments: tuple[Any, ...], control: Control) -> None:
        """Compile or load it for arguments of these types, or wait until another thread has done so."""
        with control.paused(), _LINKING:
            if not self._prepared:
                from arcade.engines.kernel_cache import compile_for  # loads numba

                compile_for(self._dispatching(control.kernels), arguments)
                self._prepared = True

    def _linked(self, face: Callable[[Linkable], Any], constants: Mapping[str, Any]) -> Any:
        """A copy of the function that calls one face of everything that it calls."""
        function: Any = self.__wrapped__
        known = function.__globals__
        names = {name: known[name] for name in function.__code__.co_names if name in known}
        faces = {name: face(each) for name, each in names.items() if isinstance(each, Linkable)}
        copy = FunctionType(
            function.__code__, {**known, **constants, **faces}, function.__name__, function.__defaults__
        )
        return update_wrapper(copy, function, updated=())


def njit(cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make a kernel of a function, with options of `numba.njit`.

    With `cache`, Python calls it and it is cached on disk; without a folder that can be written, it is
    compiled anew in each run. With `allocates=False` it makes no arrays, and its calls are faster.
    """
    return lambda function: Kernel(function, cache, options)


class Instruction(Linkable):
    """A machine instruction on a 64-bit word, which gives a number.

    `name` is that of the method of llvmlite's builder that emits it, `plain` the same for a Python number.
    Further arguments are constants of one bit.
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
"""The number of set bits in a 64-bit word."""

trailing_zeros = Instruction("cttz", lambda word: (word & -word).bit_length() - 1, _UNDEFINED_FOR_ZERO)
"""The index of the lowest set bit, 0 to 63; the word must not be 0."""

leading_zeros = Instruction("ctlz", lambda word: 64 - word.bit_length(), _UNDEFINED_FOR_ZERO)
"""The number of clear bits above the highest set bit, 0 to 63; the word must not be 0."""
