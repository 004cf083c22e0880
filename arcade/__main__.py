"""The command `arcade`. If it cannot open the menu or a match directly, it parses the command line."""

import os
import sys


def leave_out_current_folder() -> None:
    """Keep Python from importing from the current folder, unless the arcade is in it."""
    # `python -m` puts it first. An empty entry of PYTHONPATH, as in $PYTHONPATH:more, means it too.
    first = __name__ == "__main__" and not sys.flags.safe_path
    if first or "" in (os.environ.get("PYTHONPATH") or "/").split(os.pathsep):
        try:
            here = os.getcwd()
        except OSError:
            return
        if here in sys.path and here != os.path.dirname(os.path.dirname(__file__)):
            sys.path.remove(here)


leave_out_current_folder()

from arcade.startup import at_terminal, importing  # noqa: E402


def opened(arguments: list[str]) -> bool:
    """Open the menu or, for `play ID`, a match. Return False if this fails or there are other arguments.

    This avoids parsing a command line, which would take a fifth of the start-up time.
    """
    if arguments and (len(arguments) != 2 or arguments[0] != "play" or arguments[1].startswith("-")):
        return False
    with importing():
        from arcade.app import ArcadeApp  # loads Textual
        from arcade.engines.files import InputError  # loads tomllib

    try:
        app = ArcadeApp()
    except InputError:
        return False
    if arguments:
        try:
            with importing():
                from arcade.matches import match_from  # loads the game
                from arcade.screens import match_opening  # noqa: F401  # loads the match screen

                app.opening = match_from(app.services, arguments[1])
        except InputError:
            app.services.close()
            return False
    app.run()
    return True


def main() -> None:
    package = os.path.dirname(__file__)
    if not os.path.isdir(package):
        archive = os.path.dirname(package)
        sys.stderr.write(f"arcade: Cannot run from the archive {archive!r}. Unpack it, or install it.\n")
        sys.exit(2)
    # At Textual's default of 60 paints per second, a key waits up to 17 ms. An idle screen is never painted.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    # Some Numba settings, such as no compiler or no threads, would stop the arcade.
    for name in {name for name in os.environ if name.startswith("NUMBA_")} - {"NUMBA_CACHE_DIR"}:
        del os.environ[name]
    if at_terminal() and opened(sys.argv[1:]):
        return
    with importing():
        from arcade.cli import run  # loads Typer

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
