"""What makes the start faster."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from arcade.startup import importing


def test_the_collector_works_again_after_imports_whatever_happens() -> None:
    with importing():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ModuleNotFoundError), importing():
        import arcade.nothing  # type: ignore[import-not-found]  # noqa: F401  # that is what is tried
    assert gc.isenabled()


def test_imported_objects_are_frozen() -> None:
    """In a process of its own, because the tests freeze their imports too."""
    code = """
import gc
from arcade.startup import importing
gc.unfreeze()
with importing():
    import decimal
    assert gc.get_freeze_count() == 0
assert gc.get_freeze_count() > 0
"""
    subprocess.run([sys.executable, "-c", code], check=True)
