"""Kernels where the disk fails, and where their sources change: a process for each, forked from one.

Numba reads its folder once, and to import it takes half a second.
"""

import os
import sys
import textwrap
from pathlib import Path

import pytest

from tests.shell import program

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks processes")

FORKED = """
    import os, sys
    import numba
    from arcade.engines.control import Control, Kernels

    def forked(work):
        sys.stdout.flush()
        child = os.fork()
        if not child:
            try:
                work()
                sys.stdout.flush()
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
"""
"""Runs functions in processes that have numba and none of the kernels."""

DISK = """
    import errno
    from pathlib import Path
    from numba.core import caching
    folder = Path(sys.argv[1])

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    def run(how):
        if how == "full":
            caching.IndexDataCacheFile._save_data = full
        elif how == "barred":
            for each in caching.CacheImpl._locator_classes:
                each.ensure_cache_path = full
        from kernel import double
        control = Control(kernels=Kernels())
        print(how, double(21, control=control), len(list(folder.rglob("*.nbc"))), end=" ")
        print(*(f"{unsaved}: {why}" for unsaved, why in control.kernels.unsaved.items()))

    for how in ("full", "barred", "right", "torn"):
        if how == "torn":
            for file in [*folder.rglob("*.nbc"), *folder.rglob("*.nbi")]:
                file.write_bytes(file.read_bytes()[:-20])
        forked(lambda: run(how))
"""

KERNEL = """
    from arcade.engines.compiled import njit

    @njit(nogil=True, cache=True)
    def double(number):
        return 2 * number
"""


def printed(text: str, folder: Path, *arguments: str, **environment: str) -> list[str]:
    """The lines that a program prints which imports modules of a folder."""
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    # Bytecode of the same second and size would hide a change from Python itself.
    environment |= {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    whole = textwrap.dedent(FORKED) + textwrap.dedent(text)
    return program(whole, *arguments, environment=environment).splitlines()


@pytest.mark.slow
def test_kernel_works_despite_disk_errors(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(textwrap.dedent(KERNEL))
    cache = tmp_path / "cache"
    full, barred, right, torn = printed(DISK, tmp_path, str(cache), NUMBA_CACHE_DIR=str(cache))
    assert full.startswith(f"full 42 0 {cache}")
    assert full.endswith("No space left on device")
    assert barred.startswith(f"barred 42 0 {cache}")
    assert barred.endswith("the folder is not writable")
    assert (right, torn) == ("right 42 1 ", "torn 42 1 ")


CHANGES = """
    import time
    from pathlib import Path
    inner = Path(sys.argv[1])

    def run():
        from package.kernel import moved as kernel
        other, began = Control(), time.monotonic()
        control = Control(kernels=Kernels(lambda: print("told ", end="")))
        print(kernel(1, control=control), sum(kernel.compiled.stats.cache_hits.values()))
        assert control.seconds < (time.monotonic() - began) / 2 < other.seconds

    for scale, step in ((1, 1), (1, 1), (1, 2), (2, 2)):
        (inner / "far.py").write_text(f"SCALE = {scale}\\n")
        (inner / "constants.py").write_text(f"STEP = {step}\\n")
        forked(run)
"""


@pytest.mark.slow
def test_kernel_recompiles_when_a_used_module_changes(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "inner" / "__init__.py").touch()
    (package / "kernel.py").write_text(
        "from arcade.engines.compiled import njit\n"
        "from package.inner import far\n"
        "from .near import shift\n"
        "@njit(cache=True)\n"
        "def moved(number):\n"
        "    return far.SCALE * shift(number)\n"
    )
    (package / "near.py").write_text(
        "from arcade.engines.compiled import njit\n"
        "from package.inner.constants import STEP\n"
        "@njit()\n"
        "def shift(number):\n"
        "    return number + STEP\n"
    )
    assert printed(CHANGES, tmp_path, str(package / "inner")) == [
        "told 2 0",  # Its time counts for no deadline.
        "2 1",  # Nothing has changed, so nothing is compiled.
        "told 3 0",
        "told 6 0",
    ]
