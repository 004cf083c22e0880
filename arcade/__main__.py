"""The command `arcade`: without arguments it opens the menu at once, else it reads the command line."""

from __future__ import annotations

import os
import sys

from arcade.startup import importing


def main() -> None:
    """Run the arcade."""
    # Textual paints at most so often; at its default of 60 a key waits up to 17 ms for its paint. At rest
    # nothing is painted either way.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    if len(sys.argv) == 1 and sys.stdout is not None and sys.stdout.isatty():
        # The short way to the menu: reading the command line would cost a fifth of the start.
        with importing():
            from arcade.app import ArcadeApp

        ArcadeApp().run()
        return
    with importing():
        from arcade.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
