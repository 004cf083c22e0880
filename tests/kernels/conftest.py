"""With PLAIN_KERNELS=1 these tests run kernels as plain Python: `make coverage` counts their lines so."""

import os
from functools import cache
from typing import Any

from arcade.engines.compiled import Kernel

if os.environ.get("PLAIN_KERNELS") == "1":

    @cache
    def plain(kernel: Kernel) -> Any:
        # They look for a stop often enough to do it in a small case.
        return kernel.interpreted(_POLL=20, POLL=20)

    Kernel.__call__ = lambda self, *arguments, control=None: plain(self)(*arguments)  # type: ignore[method-assign]
