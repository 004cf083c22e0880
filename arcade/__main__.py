"""The command `arcade`: without arguments it opens the menu directly, else it reads the command line."""

from __future__ import annotations

import os
import sys

from arcade.terminal.startup import at_terminal, importing


def main() -> None:
    # Textual's limit of paints per second; at its default of 60 a key waits up to 17 ms for its paint.
    # An idle screen is never painted.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    # Numba's settings are for people who write kernels; some, e.g. no compiler or no threads, stop it.
    for name in {name for name in os.environ if name.startswith("NUMBA_")} - {"NUMBA_CACHE_DIR"}:
        del os.environ[name]
    if len(sys.argv) == 1 and at_terminal():
        # A shortcut to the menu: reading the command line would take a fifth of the start.
        with importing():
            from arcade.app import ArcadeApp

        ArcadeApp().run()
        return
    with importing():
        from arcade.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
