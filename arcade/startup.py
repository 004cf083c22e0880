"""What makes the start faster."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def importing() -> Iterator[None]:
    """Import without the garbage collector, which never looks at what was imported: that stays to the end.

    Looking through it again and again took an eighth of the time to the first paint.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
