"""Wrong values of variables for Textual, files of settings for numba, and an arcade in an archive."""

import shutil
import zipapp
from pathlib import Path

import pytest
from textual import constants

import arcade
from arcade.__main__ import opened
from tests.shell import Shell, python


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("COLOR_SYSTEM", "foo", "TEXTUAL_COLOR_SYSTEM must be auto, standard, 256, truecolor or windows"),
        ("COLOR_SYSTEM", "", "TEXTUAL_COLOR_SYSTEM must be"),
        (
            "LOG_FILE",
            "/no/such/file",
            "Cannot use TEXTUAL_LOG: Cannot write the file '/no/such/file'",
        ),
        ("DRIVER", "nowhere", "TEXTUAL_DRIVER must name a Textual driver as module:class, not 'nowhere'"),
        ("DRIVER", "os:path", "TEXTUAL_DRIVER must name"),
        ("DRIVER", "os:nothing", "TEXTUAL_DRIVER must name"),
        ("DRIVER", "", "TEXTUAL_DRIVER must name"),
    ],
)
def test_invalid_textual_variable_is_refused(
    variable: str, value: str, says: str, shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(constants, variable, value)
    # Where there is no terminal, the screens open only with a driver.
    monkeypatch.setenv("TEXTUAL_DRIVER", value)
    assert says in shell.refused("watch", "menace")
    # The shortcut of the menu leaves the error to the command line.
    assert not opened([])
    picture = ["picture", "menace", "-o", str(tmp_path / "picture.txt")]
    if variable == "DRIVER":
        # Nothing is shown, so no driver is needed.
        shell(*picture)
    else:
        assert says in shell.refused(*picture)


def test_arcade_in_zip_archive_refuses_to_run(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    shutil.copytree(
        Path(arcade.__file__).parent, sources / "arcade", ignore=shutil.ignore_patterns("__pycache__")
    )
    archive = tmp_path / "arcade.zip"
    zipapp.create_archive(sources, archive, main="arcade.__main__:main")
    said = f"arcade: Cannot run from the archive {str(archive)!r}. Unpack it, or install it.\n"
    assert python(str(archive), "games", code=2).stderr == said
    search = {"PYTHONPATH": str(archive)}
    assert python("-P", "-m", "arcade", "--version", code=2, environment=search).stderr == said


def test_numba_ignores_settings_in_current_folder(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    (tmp_path / ".numba_config.yaml").write_text("cache_dir: foreign\ndisable_jit: 1\n")
    look = """
import arcade.engines.kernel_cache
from numba.core import config
print(repr(config.CACHE_DIR), config.DISABLE_JIT)
config.reload_config()
print(repr(config.CACHE_DIR), config.DISABLE_JIT)
"""
    environment = {"NUMBA_CACHE_DIR": ""}
    assert python("-P", "-c", look, cwd=tmp_path, environment=environment).stdout == "'' 0\n" * 2
