"""Files that a person names, on the command line or in a dialog."""

from __future__ import annotations

from pathlib import Path

from arcade.engines.game import InputError


def write_file(name: str | Path, text: str, mode: str = "w") -> None:
    """Write a file that was named by a person.

    Raises:
        InputError: it cannot be written, and why.
        FileExistsError: it is there already and `mode` is "x".
    """
    try:
        with Path(name).open(mode, encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise
    except OSError as error:
        raise InputError(f"The file {str(name)!r} cannot be written: {error.strerror}.") from None
    except ValueError as error:
        raise InputError(f"The file {str(name)!r} cannot be written: {error}.") from None


def read_file(name: str | Path, most: int) -> str:
    """The text of a file that was named by a person; no more of it than so many characters.

    Raises:
        InputError: it cannot be read or is no text.
    """
    try:
        with Path(name).open(encoding="utf-8") as source:
            return source.read(most)
    except OSError as error:
        raise InputError(f"The file {str(name)!r} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is refused: it is no text: {error.reason} at byte {error.start}.") from None
    except ValueError as error:
        raise InputError(f"The file {str(name)!r} cannot be read: {error}.") from None
