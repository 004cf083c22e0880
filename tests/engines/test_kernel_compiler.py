import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.control import Control, Kernels
from arcade.engines.files import InputError
from arcade.engines.kernel_compiler import KernelCompiler, compile_kernels, fingerprint
from arcade.engines.registry import game_modules, get_game
from arcade.engines.worker_process import WorkerProcess
from benchmarks.cold import in_a_fresh_process
from tests.refusals import failing
from tests.waiting import wait_for

GAME = "honshu"


def test_time_limit_starts_after_compilation() -> None:
    control, would_end = Control(0.3), time.monotonic() + 0.3

    class Compiling(KernelCompiler):
        """Is ready when the time for the work would have run out."""

        def ready(self, game: str) -> bool:
            return time.monotonic() > would_end

    assert Compiling("").wait(GAME, control)
    assert not control.stopped
    assert control.remaining is not None
    assert control.remaining > 0.1
    control.close()


def test_cancelled_work_does_not_wait_for_compilation() -> None:
    with Control() as control:
        control.cancel()
        assert not KernelCompiler("").wait(GAME, control)
        assert not KernelCompiler(None).wait(GAME, control)


def stand_in(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Let a program run in place of the compiler."""
    started = subprocess.Popen

    def fake(_: list[str], **options: Any) -> subprocess.Popen[str]:
        assert "preexec_fn" not in options, "where threads run the worker may stand still for ever"
        return started([sys.executable, "-c", program], **options)

    monkeypatch.setattr(subprocess, "Popen", fake)


def test_requested_game_is_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    class Recorded(WorkerProcess):
        def __init__(self, module: str) -> None:
            asked.append([])
            super().__init__(module)

        def send(self, question: object) -> None:
            asked[-1].append(str(question))
            super().send(question)

    monkeypatch.setattr("arcade.engines.kernel_compiler.WorkerProcess", Recorded)
    # Says that a game is ready, but at first never comes to an end with Hexapawn.
    stand_in(
        monkeypatch,
        "import sys, time\n"
        "lines = []\n"
        "for line in sys.stdin:\n"
        "    lines.append(line)\n"
        "    if 'hexapawn' in line and any('chocobar' in each for each in lines): time.sleep(60)\n"
        "    print(line, end='', flush=True)\n",
    )
    compiler = KernelCompiler("")
    compiler.start(lambda: None)
    with Control(20) as control:
        assert compiler.wait("chocobar", control)
        assert compiler.wait(GAME, control)
        assert compiler.wait("hexapawn", control)
    while compiler.status:
        time.sleep(0.01)
    assert compiler.finished
    assert [names[0] for names in asked] == ["chocobar", GAME]
    assert "chocobar" not in asked[1]


def niceness(pid: int) -> int:
    try:
        return os.getpriority(os.PRIO_PROCESS, pid)
    except ProcessLookupError:
        return -1


def test_compiler_runs_at_low_priority_without_preexec_function(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_in(monkeypatch, "import time; print('\"chocobar\"', flush=True); time.sleep(60)")
    compiler = KernelCompiler("")
    compiler.start(lambda: None)
    try:
        with Control(20) as control:
            assert compiler.wait("chocobar", control)
        assert compiler._worker is not None
        if sys.platform != "win32":
            # The first worker may have answered just when the second one took its place.
            wait_for(lambda: compiler._worker is not None and niceness(compiler._worker.process.pid) >= 10)
    finally:
        compiler.stop()


def test_compile_failure_does_not_block_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", failing(FileNotFoundError()))
    compiler = KernelCompiler("")
    compiler.start(lambda: None)
    with Control(10) as control:
        assert compiler.wait(GAME, control)
    assert not compiler.finished


@pytest.mark.parametrize(
    "said", ["", "hello", "[]", '"poker"'], ids=["nothing", "text", "list", "other name"]
)
def test_unexpected_compiler_output_does_not_block_jobs(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, f"print({said!r}, flush=True)")
    compiler = KernelCompiler("")
    compiler.start(lambda: None)
    with Control(10) as control:
        assert compiler.wait(GAME, control)
    assert not compiler.finished


def test_error_before_compiler_start_does_not_block_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.engines.kernel_compiler.fingerprint", failing(PermissionError()))
    monkeypatch.setattr("threading.excepthook", lambda _: None)
    compiler = KernelCompiler("")
    compiler.start(lambda: None)
    with Control(10) as control:
        assert compiler.wait(GAME, control)
    assert not compiler.finished
    assert not compiler.status


def test_unsaved_kernels_are_not_marked_as_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def warm(kernels: Kernels) -> None:
        kernels.unsaved["/full"] = "No space left on device"

    monkeypatch.setattr(get_game("menace").solver, "warm", warm)
    with pytest.raises(InputError, match="Cannot save the compiled solvers in '/full'"):
        compile_kernels("menace")


def test_changed_external_game_changes_the_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "foreign"
    package.mkdir()
    (package / "__init__.py").touch()
    kernel = package / "kernel.py"
    kernel.write_text("STEP = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = fingerprint()
    modules = game_modules()
    monkeypatch.setattr("arcade.engines.kernel_compiler.game_modules", lambda: modules | {"foreign.game"})
    installed = fingerprint()
    assert installed != before
    kernel.write_text("STEP = 10\n")
    assert fingerprint() != installed
    # As some editors mark a file that is open.
    (package / ".#kernel.py").symlink_to("somebody@somewhere.1")
    assert fingerprint()


LEFT_OUT = """
import sys
from arcade.engines.compiled import Kernel
from arcade.engines.registry import game_names, get_game
for name in game_names():
    get_game(name).solver.warm()
modules = [module for name, module in sys.modules.items() if name.startswith("arcade.")]
kernels = {each for module in modules for each in vars(module).values() if isinstance(each, Kernel)}
called = [each for each in kernels if each._entry]
ready = [each for each in called if each.loaded and len(each.compiled.signatures) == 1]
print(len(called), *(each.__name__ for each in called if each not in ready))
"""


def test_precompilation_covers_every_kernel() -> None:
    found = subprocess.run([sys.executable, "-c", LEFT_OUT], capture_output=True, text=True, check=True)
    number, *left_out = found.stdout.split()
    assert int(number) >= 11
    assert left_out == []


@pytest.mark.slow
@pytest.mark.parametrize("game", ["chocobar", "tetromino"])
def test_first_move_does_not_wait_for_compilation(game: str) -> None:
    found = in_a_fresh_process(game)
    assert not found["compiled"], "the answer and the verdict came before the kernels were compiled"
    assert not found["numba"]
