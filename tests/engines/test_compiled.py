"""Kernels where the disk fails: a process of its own for each, since numba reads its folder once."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PROGRAM = """
    import errno, sys
    from pathlib import Path
    from numba.core import caching
    how, folder = sys.argv[1:]

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    if how == "full":
        caching.IndexDataCacheFile._save_data = full
    elif how == "barred":
        for each in caching.CacheImpl._locator_classes:
            each.ensure_cache_path = full
    from kernel import double
    print(double(21), len(list(Path(folder).rglob("*.nbc"))))
    from arcade.engines.kernel_cache import UNSAVED
    print(*(f"{unsaved}: {why}" for unsaved, why in UNSAVED.items()))
"""

KERNEL = """
    from arcade.engines.compiled import njit

    @njit(nogil=True, cache=True)
    def double(number):
        return 2 * number
"""


@pytest.mark.parametrize(("how", "kept"), [("full", "0"), ("barred", "0"), ("torn", "1")])
def test_a_kernel_works_whatever_the_disk_does(how: str, kept: str, tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(textwrap.dedent(KERNEL))
    cache = tmp_path / "cache"
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
    }

    def run(how: str) -> tuple[str, str]:
        program = [sys.executable, "-c", textwrap.dedent(PROGRAM), how, str(cache)]
        done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr, done.stderr
        first, unsaved = done.stdout.splitlines()
        return first, unsaved

    if how == "torn":
        assert run("right") == ("42 1", "")
        for file in [*cache.rglob("*.nbc"), *cache.rglob("*.nbi")]:
            file.write_bytes(file.read_bytes()[:-20])
    answer, unsaved = run(how)
    assert answer == f"42 {kept}"
    if how == "torn":
        assert not unsaved
    else:
        assert unsaved.startswith(str(cache))
        assert unsaved.endswith(
            "No space left on device" if how == "full" else "no file can be written there"
        )


def test_a_kernel_is_compiled_anew_when_a_module_that_it_uses_changes(tmp_path: Path) -> None:
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
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
    program = (
        "import time; from arcade.engines.control import PREPARATION, Control;"
        "from package.kernel import moved as kernel;"
        "PREPARATION.told = lambda: print('told ', end='');"
        "other, began = Control(), time.monotonic();"
        "control = Control().__enter__();"
        "print(kernel(1), sum(kernel.compiled.stats.cache_hits.values()), end='');"
        "assert control.seconds < (time.monotonic() - began) / 2 < other.seconds"
    )

    def run(scale: int, step: int) -> str:
        (package / "inner" / "far.py").write_text(f"SCALE = {scale}\n")
        (package / "inner" / "constants.py").write_text(f"STEP = {step}\n")
        # Bytecode of the same second and size would hide the change from Python itself.
        command = [sys.executable, "-B", "-c", program]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert run(1, 1) == "told 2 0", "its time counts for no deadline"
    assert run(1, 1) == "2 1", "nothing has changed, so nothing is compiled"
    assert run(1, 2) == "told 3 0"
    assert run(2, 2) == "told 6 0"
