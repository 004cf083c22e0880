"""What makes the start faster."""

from __future__ import annotations

import gc

import pytest

from arcade.startup import importing


def test_the_collector_works_again_after_imports_whatever_happens() -> None:
    with importing():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ModuleNotFoundError), importing():
        import arcade.nothing  # type: ignore[import-not-found]  # noqa: F401  # that is what is tried
    assert gc.isenabled()
    assert gc.get_freeze_count()
