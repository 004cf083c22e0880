import gc

import pytest

from arcade.startup import importing
from tests.shell import program, python


def test_garbage_collector_is_enabled_again_after_imports() -> None:
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
import os
from arcade.startup import importing
gc.unfreeze()
with importing():
    import decimal
    assert gc.get_freeze_count() == 0
assert gc.get_freeze_count() > 0
"""
    program(code)


def test_numba_variables_do_not_disable_the_compiler() -> None:
    """In a process of its own, because numba reads them when it is imported."""
    code = """
import os, sys
from arcade.__main__ import main
sys.argv = ["arcade", "--version"]
try:
    main()
except SystemExit:
    import numba
    assert not numba.config.DISABLE_JIT
    assert numba.config.NUMBA_NUM_THREADS > 0
    assert numba.config.CACHE_DIR == "/elsewhere"
"""
    wrong = {"NUMBA_DISABLE_JIT": "1", "NUMBA_NUM_THREADS": "0", "NUMBA_OPT": "x"}
    assert python("-c", code, environment=wrong | {"NUMBA_CACHE_DIR": "/elsewhere"}).stderr == ""
