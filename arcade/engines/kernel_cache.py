"""Numba's cache on disk for kernels; only `compiled` imports this, when a kernel is first compiled."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.caching import FunctionCache, IndexDataCacheFile

from arcade.engines.control import PREPARATION
from arcade.engines.sources import source_digest


class KernelCache(FunctionCache):
    """Numba's cache on disk, which compiles the kernel again when the disk fails.

    Numba recompiles a kernel when the time or size of its own file changes. A kernel also uses constants and
    functions of other modules, so this cache compares the content of all their source files.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]  # numba has no types
        stamp = source_digest(function.__module__, Path(function.__code__.co_filename))
        index: Any = IndexDataCacheFile
        self._cache_file = index(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, signature: Any, target: Any) -> Any:
        load: Any = super().load_overload
        forget: Any = self.flush
        found = None
        try:
            found = load(signature, target)
        except Exception:
            with suppress(OSError):
                forget()
        if found is None:
            PREPARATION.told()
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        save: Any = super().save_overload
        with suppress(OSError):
            save(signature, compiled)


def dispatcher(function: Any, entry: bool, options: dict[str, Any]) -> Any:
    """Numba's compiler of one function.

    Args:
        function: all functions that it calls are numba's too.
        entry: whether Python calls it. It is cached on disk. Other functions become part of their callers,
            and lack the code that Python would need to call them: a fifth of the time to compile.
        options: of `numba.njit`.
    """
    if not entry:
        options = {"no_cpython_wrapper": True, **options}
    compiler: Any = numba.njit
    kernel: Any = compiler(no_cfunc_wrapper=True, **options)(function)
    if entry:
        # RuntimeError: numba finds no folder to write to. OSError: the source is in an archive.
        kept: Any = KernelCache
        try:
            kernel._cache = kept(function)
        except (RuntimeError, OSError):
            PREPARATION.told()
    template, compiled = kernel.get_call_template, kernel.compile

    def call_template(arguments: Any, names: Any) -> Any:
        # Numba would compile a function twice: for the constant 0 that a variable has at first, and for
        # the numbers that it has later.
        return template(tuple(map(types.unliteral, arguments)), names)

    def compile_or_load(signature: Any) -> Any:
        with PREPARATION:
            return compiled(signature)

    kernel.get_call_template, kernel.compile = call_template, compile_or_load
    return kernel
