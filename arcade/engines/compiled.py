"""Kernels: functions that numba compiles when they are first called, and that also run as plain Python."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from arcade.engines.control import PREPARATION

_LINKING = threading.RLock()


class Linkable(ABC):
    """Something that a kernel can call."""

    @property
    @abstractmethod
    def compiled(self) -> Any:
        """What numba calls; importing numba takes a third of a second, so only now it is."""

    @abstractmethod
    def interpreted(self, **constants: Any) -> Callable[..., Any]:
        """The same as plain Python: a hundred times slower, but ready at once.

        Args:
            constants: replace the constants of the function's module, e.g. how often it looks for a stop.
        """


class Kernel(Linkable):
    """A function for numba. Calling it compiles it, or loads it from the cache on disk.

    Args:
        function: calls only functions that numba knows, and `Linkable` ones.
        entry: whether Python calls it, and not only other kernels.
        options: of `numba.njit`.
    """

    def __init__(self, function: Any, entry: bool, options: dict[str, Any]) -> None:
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__wrapped__ = function
        self._entry = entry
        self._options = options
        self._dispatcher: Any = None

    @property
    def compiled(self) -> Any:
        """Numba's dispatcher."""
        if self._dispatcher is None:
            with PREPARATION, _LINKING:
                if self._dispatcher is None:
                    from arcade.engines.kernel_cache import dispatcher

                    linked = self._linked(lambda called: called.compiled, {})
                    self._dispatcher = dispatcher(linked, self._entry, self._options)
        return self._dispatcher

    def interpreted(self, **constants: Any) -> Callable[..., Any]:
        """The function as plain Python, like all kernels that it calls; numbers may wrap around."""
        linked = self._linked(lambda called: called.interpreted(**constants), constants)
        if not self._entry:
            return linked
        import numpy as np

        def wrapping(*arguments: Any) -> Any:
            with np.errstate(over="ignore"):
                return linked(*arguments)

        return wrapping

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function; one that is part of others cannot be called from Python."""
        return self.compiled(*arguments)

    def _linked(self, face: Callable[[Linkable], Any], constants: Mapping[str, Any]) -> Any:
        """A copy of the function that calls one face of everything that it calls."""
        function: Any = self.__wrapped__
        known = function.__globals__
        names = {name: known[name] for name in function.__code__.co_names if name in known}
        faces = {name: face(each) for name, each in names.items() if isinstance(each, Linkable)}
        copy = FunctionType(
            function.__code__, {**known, **constants, **faces}, function.__name__, function.__defaults__
        )
        copy.__module__, copy.__qualname__, copy.__doc__ = (
            function.__module__,
            function.__qualname__,
            function.__doc__,
        )
        return copy


def njit(cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make a kernel of a function.

    Args:
        cache: whether Python calls it and it is cached on disk; works without a writable folder too.
        options: of `numba.njit`.
    """
    return lambda function: Kernel(function, cache, options)
