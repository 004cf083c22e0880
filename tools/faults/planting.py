"""Faults as data, a copy of the project to plant them in, and a run of the tests there."""

from __future__ import annotations

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The project."""
LISTS = Path(__file__).parent
"""Where the faults are, one file for each game."""


class FaultError(Exception):
    """A list of faults, or the project itself, does not allow a run; the message is a sentence."""


@dataclass(frozen=True)
class Fault:
    """One mistake that a programmer could make."""

    game: str
    number: int
    """Its place in the list of its game, from 1."""
    name: str
    """What is wrong, in a few words."""
    file: str
    """From the project's folder."""
    old: str
    """What stands there, once."""
    new: str
    """What the mistake makes of it."""
    guard: str = ""
    """A test that has caught it, from the folder of the tests; tried before all others."""

    def __str__(self) -> str:
        return f"{self.game}-{self.number}"

    def planted(self, text: str) -> str:
        """The file's text with the fault in it.

        Raises:
            FaultError: the old text does not occur exactly once.
        """
        count = text.count(self.old)
        if count != 1:
            where = f"Fault {self.number} of {self.game}"
            raise FaultError(f"{where}: {self.old!r} must occur once in {self.file}, not {count} times.")
        return text.replace(self.old, self.new)


def games() -> list[str]:
    """The games that have a list of faults."""
    return sorted(path.stem for path in LISTS.glob("*.toml"))


def read_faults(game: str) -> list[Fault]:
    """The faults of a game.

    Raises:
        FaultError: there is no list for it.
    """
    if game not in games():
        raise FaultError(f"There are no faults for {game!r}; there are some for {', '.join(games())}.")
    listed = tomllib.loads((LISTS / f"{game}.toml").read_text("utf-8"))["fault"]
    return [Fault(game, number, **each) for number, each in enumerate(listed, 1)]


def tests_of(game: str) -> list[str]:
    """What pytest is told to run for a game: the engine's tests, those that all share, and the command's."""
    commands = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(f"tests/commands/test_{game}*.py"))
    shared = [f"tests/engines/test_{name}.py" for name in ("players", "control", "conformance")]
    return [f"tests/engines/{game}", *shared, *commands, "-k", f"{game} or not conformance"]


@dataclass(frozen=True)
class Outcome:
    """How a run of the tests went."""

    caught: str
    """The test that failed, or what else went wrong; empty when all tests passed."""
    seconds: float
    output: str


class Copy:
    """The project's tracked files as they are now, in a folder of their own.

    Args:
        folder: an empty one.
        seed: of the tests that draw their examples at random.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.root = folder / "project"
        self._caches = folder / "kernels"
        self._seed = seed
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
        )
        for name in listed.stdout.split("\0"):
            source, target = ROOT / name, self.root / name
            if name and source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        self._compiled = compiled_from(self.root)
        self._check()

    def _environment(self, cache: Path) -> dict[str, str]:
        # Nothing compiled is kept beside the sources: a fault that comes and goes within a second and changes
        # no length would leave Python's own cache stale.
        return os.environ | {
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(cache),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(cache / "examples"),
        }

    def _check(self) -> None:
        """Make sure that the tests will see the copy, and not the project as it is installed."""
        code = "import arcade, tests; print(arcade.__file__); print(tests.__file__)"
        found = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.root,
            env=self._environment(self._caches),
            check=True,
            capture_output=True,
            text=True,
        )
        for file in found.stdout.split():
            if not Path(file).is_relative_to(self.root):
                raise FaultError(f"The tests would see {file} instead of the copy in {self.root}.")

    @contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """The copy with a fault in it."""
        path = self.root / fault.file
        before, times = path.read_text("utf-8"), path.stat()
        path.write_text(fault.planted(before), "utf-8")
        try:
            yield
        finally:
            path.write_text(before, "utf-8")
            # As if it had never been touched: what was compiled from it is good again.
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def run(self, game: str, fault: Fault | None, limit: float) -> Outcome:
        """Run the test that should catch a fault, then a game's others, those that measure no times first.

        numba's cache notices a change in a kernel's own file only, not in what that calls or reads elsewhere.
        So a fault in any file that kernels are compiled from has a cache of its own; the others share the
        one of the copy without a fault.
        """
        own = fault is not None and fault.file in self._compiled
        cache = self._caches / (str(fault) if own else game)
        started = time.monotonic()
        output = ""
        runs = [[*tests_of(game), "-m", marked] for marked in ("not timed", "timed")]
        if fault and fault.guard:
            runs.insert(0, [f"tests/{fault.guard}"])
        for run in runs:
            left = limit - (time.monotonic() - started)
            code, printed = self._pytest(run, cache, left)
            output += printed
            caught = caught_by(code, printed)
            if caught:
                break
        shutil.rmtree(cache / "examples", ignore_errors=True)
        if own:
            shutil.rmtree(cache, ignore_errors=True)
        return Outcome(caught, time.monotonic() - started, output)

    def _pytest(self, arguments: Sequence[str], cache: Path, limit: float) -> tuple[int | None, str]:
        """The exit code, None at the time limit, and what was printed."""
        cache.mkdir(parents=True, exist_ok=True)
        log = cache / "output"
        options = ["-x", "-v", "--tb=line", "-p", "no:cacheprovider", f"--hypothesis-seed={self._seed}"]
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", "pytest", *options, *arguments],
                cwd=self.root,
                env=self._environment(cache),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code: int | None = process.wait(max(limit, 1))
            except subprocess.TimeoutExpired:
                code = None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        return code, log.read_text("utf-8", errors="replace")


def caught_by(code: int | None, printed: str) -> str:
    """Which test caught the fault, from the exit code and the output of pytest; empty when none did."""
    if code == 0:
        return ""
    running = re.findall(r"^(tests/\S+::.*?) *$", printed, re.MULTILINE)
    where = running[-1].removesuffix(" ") if running else "the start"
    if code is None:
        return f"hangs in {where}"
    if code < 0:
        return f"crashes in {where}"
    failed = re.findall(r"^(?:FAILED|ERROR) (tests/.*?)(?: - .*)?$", printed, re.MULTILINE)
    if code in (1, 2) and failed:
        return str(failed[-1])
    raise FaultError(f"pytest ended with exit code {code}:\n{printed[-2000:]}")


def compiled_from(root: Path) -> set[str]:
    """The files that kernels are compiled from: those with kernels, and all that these import."""
    imported = {
        str(path.relative_to(root)): set(_imports(root, path)) for path in root.glob("arcade/engines/**/*.py")
    }
    kernel = re.compile(r"^@(?:\w+\.)?njit\b", re.MULTILINE)
    found = {name for name in imported if kernel.search((root / name).read_text("utf-8"))}
    waiting = list(found)
    while waiting:
        fresh = imported.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return found


def _imports(root: Path, path: Path) -> Iterator[str]:
    """The project's files that a file imports from."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        else:
            continue
        for name in names:
            file = f"{name.replace('.', '/')}.py"
            if (root / file).is_file():
                yield file
