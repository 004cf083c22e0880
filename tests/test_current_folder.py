"""Files in the current folder never run as code of the arcade, whatever their names are."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arcade.engines import worker_process
from arcade.engines.control import Control
from arcade.engines.worker_process import WorkerProcess
from arcade.engines.workers import LocalPool

MARKS = "open({marker!r}, 'a').write(__name__)"
NAMES = ("arcade", "numba", "numpy", "random", "signal", "sqlite3", "textual", "zipfile")
"""A module of each kind that the program or Python's standard library would find here first."""


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Go to a folder whose files leave a mark if one of them runs."""
    folder, marker = tmp_path / "here", tmp_path / "ran"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(MARKS.format(marker=str(marker)))
    (folder / "foreign-1.dist-info").mkdir()
    (folder / "foreign-1.dist-info" / "entry_points.txt").write_text("[arcade.games]\nnim = random:GAME\n")
    monkeypatch.chdir(folder)
    yield marker
    assert not marker.exists(), marker.read_text()


def halved(shared: int) -> Callable[[int], int]:
    return lambda number: number // shared


def test_pool_process_imports_nothing_from_current_folder(marker: Path) -> None:
    with Control() as control:
        task = "tests.test_current_folder:halved"
        assert dict(LocalPool(1).work(task, 2, [(0, 8)], control)) == {0: 4}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "question"),
    [
        ("arcade.engines.workers", ["0", "", "", 0]),
        ("arcade.engines.kernel_compiler", "menace"),
        ("arcade.study.comparison", ["hexapawn:3x3", "map", 5]),
    ],
)
def test_helper_process_imports_nothing_from_current_folder(
    module: str, question: object, marker: Path
) -> None:
    with WorkerProcess(module) as helper:
        helper.send(question)
        while (line := helper.line()) is None:
            pass
        assert line, helper.code


def test_browser_arcade_imports_nothing_from_current_folder(marker: Path) -> None:
    server = pytest.importorskip("arcade.web.server")
    command = f"{server.arcade_command()} games"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert "hexapawn: " in done.stdout
    assert "nim: " not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", ["command", "module", "path"])
def test_command_imports_nothing_from_current_folder(how: str, marker: Path) -> None:
    if how != "command":
        # Python would import this package before the arcade can leave out the folder.
        Path("arcade.py").unlink()
    start = {"module": ["-m", "arcade"]}.get(how, ["-P", "-c", "from arcade.__main__ import main; main()"])
    # Under `make coverage`, each Python imports modules before the arcade does.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    # As `export PYTHONPATH=$PYTHONPATH:more` leaves it.
    environment |= {"PYTHONPATH": f"{os.pathsep}/nowhere"} if how == "path" else {}
    call = ["tournament", "menace", "--players", "random,beginner", "--rounds", "1", "--workers", "1"]
    done = subprocess.run(
        [sys.executable, *start, *call], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "2 of 2 matches" in done.stdout


def test_child_command_drops_relative_import_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", ".", "lib", *sys.path])
    code = worker_process.python_command("site")[3]
    assert "'', " not in code
    assert "'.'" not in code
    assert "'lib'" not in code


def test_only_the_child_module_starts_processes() -> None:
    """A second one must leave out the current folder too; textual-serve gets its command from this one."""
    starts = ("subprocess.Popen(", "subprocess.run(", "create_subprocess", "multiprocessing", "os.exec")
    package = Path(worker_process.__file__).parents[1]
    found = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if any(word in file.read_text("utf-8") for word in starts)
    }
    assert found == {"engines/worker_process.py"}
