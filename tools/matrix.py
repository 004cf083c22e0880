"""Run the tests with the oldest and newest allowed dependencies, on every installed Python.

`python -m tools.matrix`, or `make matrix`; some minutes for each Python. Each run has an environment of its
own in a temporary folder. What is timed is left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
OLDEST = 11
"""The minor version of the oldest Python 3 that the arcade runs on."""
NEWEST = 30
"""Minor versions below this are tried."""
TESTS = ("-m", "not timed", "-p", "no:cacheprovider", "-n", "2", "tests")


def pythons() -> Iterator[tuple[str, str]]:
    """Version and program of each Python on the search path or under pyenv that can be used."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(OLDEST, NEWEST):
        version = f"3.{minor}"
        programs = [shutil.which(f"python{version}"), *map(str, sorted(kept.glob(f"{version}.*/bin/python")))]
        for program in programs:
            # A pyenv shim may exist for a version that is not active.
            if (
                program
                and subprocess.run([program, "-c", "import venv"], capture_output=True).returncode == 0
            ):
                yield version, program
                break


def oldest(version: str) -> list[str]:
    """Constraints to the oldest allowed version of each dependency on a Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = map(Requirement, project["project"]["dependencies"] + project["dependency-groups"]["dev"])
    return [
        f"{each.name}=={next(bound.version for bound in each.specifier if bound.operator in ('==', '>='))}"
        for each in listed
        if each.marker is None or each.marker.evaluate({"python_version": version})
    ]


def tried(version: str, program: str, constraints: list[str]) -> str:
    """Install and test; returns the last line of the tests, or of what went wrong before them.

    Raises:
        subprocess.CalledProcessError: something failed; its output says what.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "constraints.txt").write_text("\n".join(constraints))
        python = str(place / "bin" / "python")
        # Keep this out of the caches of the tested folder.
        own = os.environ | {"NUMBA_CACHE_DIR": f"{folder}/numba", "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for command in (
            [program, "-m", "venv", folder],
            [*install, "pip>=25.1"],
            [
                *install,
                "--constraint",
                f"{folder}/constraints.txt",
                str(ROOT),
                "--group",
                f"{ROOT}/pyproject.toml:dev",
            ],
            [python, "-m", "pytest", *TESTS],
        ):
            done = subprocess.run(command, cwd=ROOT, env=own, check=True, capture_output=True, text=True)
        return done.stdout.rstrip().splitlines()[-1]


def main() -> int:
    """Test every pair; returns 0 if all passed."""
    failed = False
    for version, program in pythons():
        for name, constraints in (("oldest", oldest(version)), ("newest", [])):
            started = time.monotonic()
            try:
                said = tried(version, program, constraints)
            except subprocess.CalledProcessError as error:
                failed = True
                said = f"failed: {' '.join(error.cmd)}\n{error.stdout[-4000:]}{error.stderr[-4000:]}"
            print(f"Python {version}, {name}: {said} ({time.monotonic() - started:.0f} s)", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
