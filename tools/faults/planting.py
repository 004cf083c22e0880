"""Faults as data, and test runs in a copy of the project."""

from __future__ import annotations

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
LISTS = Path(__file__).parent


class FaultError(Exception):
    """A list of faults or the project prevents a run."""


@dataclass(frozen=True)
class Fault:
    game: str
    number: int
    """From 1."""
    name: str
    file: str
    old: str
    """The correct text, which occurs once."""
    new: str
    guard: str = ""
    """Relative to the tests folder; runs first."""

    def __str__(self) -> str:
        return f"{self.game}-{self.number}"

    def planted(self, text: str) -> str:
        """Raises FaultError if the old text does not occur exactly once."""
        count = text.count(self.old)
        if count != 1:
            where = f"Fault {self.number} of {self.game}"
            raise FaultError(f"{where}: {self.old!r} must occur once in {self.file}, not {count} times.")
        return text.replace(self.old, self.new)


def games() -> list[str]:
    return sorted(path.stem for path in LISTS.glob("*.toml"))


def read_faults(game: str) -> list[Fault]:
    if game not in games():
        raise FaultError(f"Unknown game {game!r}. Choose from {', '.join(games())}.")
    listed = tomllib.loads((LISTS / f"{game}.toml").read_text("utf-8"))["fault"]
    return [Fault(game, number, **each) for number, each in enumerate(listed, 1)]


def tests_of(game: str) -> list[str]:
    commands = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(f"tests/commands/test_{game}*.py"))
    shared = [f"tests/engines/test_{name}.py" for name in ("players", "control", "conformance")]
    learning = ["tests/engines/menace"] if game == "menace" else []
    return [f"tests/engines/{game}", *learning, *shared, *commands, "-k", f"{game} or not conformance"]


@dataclass(frozen=True)
class Outcome:
    caught: str
    """The failed test or another problem, or ""."""
    seconds: float
    output: str


class Copy:
    """The project's tracked files with uncommitted changes, in an empty folder.

    `seed` is for tests with random examples.
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
        self._check()

    def _environment(self, cache: Path) -> dict[str, str]:
        # Write no bytecode: a brief fault of the same length would leave the cache stale.
        return os.environ | {
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(cache),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(cache / "examples"),
        }

    def _check(self) -> None:
        """The tests must use the copy, not the installed project."""
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
        path = self.root / fault.file
        before, times = path.read_text("utf-8"), path.stat()
        path.write_text(fault.planted(before), "utf-8")
        try:
            yield
        finally:
            path.write_text(before, "utf-8")
            # Restore the file's time, so that its kernels stay valid.
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def run(self, game: str, fault: Fault | None, limit: float) -> Outcome:
        """Run the test that should catch a fault, then the game's other tests, timed ones last.

        Each run starts with a copy of the compiled kernels.
        """
        cache = self._caches / game
        if fault is not None:
            sound, cache = cache, self._caches / str(fault)
            if sound.is_dir():
                shutil.copytree(sound, cache)
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
        if fault is not None:
            shutil.rmtree(cache, ignore_errors=True)
        return Outcome(caught, time.monotonic() - started, output)

    def _pytest(self, arguments: Sequence[str], cache: Path, limit: float) -> tuple[int | None, str]:
        """Exit code (None at the limit) and output."""
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
    """Return the failed test, or ""."""
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
