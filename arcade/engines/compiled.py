"""Kernels: compiled once and kept on disk; in memory only, where nothing can be written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import FunctionCache


class KernelCache(FunctionCache):
    """Numba's cache on disk; when the disk fails, the kernel is compiled all the same."""

    def load_overload(self, signature: Any, target: Any) -> Any:
        """What is kept for a signature, or None: also when it is torn, of whatever kind the error is."""
        load: Any = super().load_overload
        forget: Any = self.flush
        try:
            return load(signature, target)
        except Exception:
            with suppress(OSError):
                forget()
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled, if that can be done."""
        save: Any = super().save_overload
        with suppress(OSError):
            save(signature, compiled)


def njit(cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """As `numba.njit`, whose cache raises where it cannot be written."""

    def decorate(function: Callable[..., Any]) -> Any:
        kernel = numba.njit(**options)(function)
        kept: Any = KernelCache
        if cache:
            # Numba says RuntimeError when it finds no folder at all to write to.
            with suppress(RuntimeError):
                kernel._cache = kept(function)
        return kernel

    return decorate
