"""The quick tests with the oldest and newest allowed dependencies, on each supported Python: `make matrix`.

The screens are left out, since their snapshots hold what one Textual draws, and so is what is timed.
"""

import nox

nox.options.default_venv_backend = "uv"

PYTHONS = nox.project.python_versions(nox.project.load_toml("pyproject.toml"))


@nox.session(python=PYTHONS)
@nox.parametrize("resolution", ["lowest-direct", "highest"])
def tests(session: nox.Session, resolution: str) -> None:
    session.install("--resolution", resolution, "--requirements", "pyproject.toml", "--group", "dev", ".")
    # Keep this out of the caches of the tested folder.
    caches = session.create_tmp()
    session.run(
        *("pytest", "-m", "not timed", "--ignore", "tests/screens", "-p", "no:cacheprovider", "-n", "2"),
        *session.posargs,
        env={"NUMBA_CACHE_DIR": f"{caches}/numba", "PYTHONPYCACHEPREFIX": f"{caches}/bytecode"},
    )
