"""Run the quick tests with the oldest and newest allowed dependencies on each Python version: `make matrix`.

The tests of the screens are left out, since their snapshots depend on the version of Textual, and so are
timed tests.
"""

from pathlib import Path

import nox

nox.options.default_venv_backend = "uv"

PYTHONS = nox.project.python_versions(nox.project.load_toml("pyproject.toml"))


@nox.session(python=PYTHONS)
@nox.parametrize("resolution", ["lowest-direct", "highest"])
def tests(session: nox.Session, resolution: str) -> None:
    session.install("--resolution", resolution, "--requirements", "pyproject.toml", "--group", "dev", ".")
    # Use separate caches.
    caches = Path(session.create_tmp()).resolve()
    session.run(
        *("pytest", "-m", "not timed", "--ignore", "tests/screens", "-p", "no:cacheprovider", "-n", "2"),
        *session.posargs,
        env={"NUMBA_CACHE_DIR": f"{caches}/numba", "PYTHONPYCACHEPREFIX": f"{caches}/bytecode"},
    )
