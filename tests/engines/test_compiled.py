"""Kernels where the disk fails: a process of its own for each, since numba reads its folder once."""

from __future__ import annotations

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
"""

KERNEL = """
    from arcade.engines.compiled import njit

    @njit(nogil=True, cache=True)
    def double(number):
        return 2 * number
"""


@pytest.mark.parametrize(("how", "kept"), [("right", "1"), ("full", "0"), ("barred", "0"), ("torn", "1")])
def test_a_kernel_works_whatever_the_disk_does(how: str, kept: str, tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(textwrap.dedent(KERNEL))
    cache = tmp_path / "cache"
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
    }

    def run(how: str) -> str:
        program = [sys.executable, "-c", textwrap.dedent(PROGRAM), how, str(cache)]
        done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    if how == "torn":
        run("right")
        for file in [*cache.rglob("*.nbc"), *cache.rglob("*.nbi")]:
            file.write_bytes(file.read_bytes()[:-20])
    assert run(how) == f"42 {kept}\n"
