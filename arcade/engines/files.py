"""Read files with a size limit, and write them atomically."""

import errno
import os
import shutil
import stat
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from arcade.engines.wording import capitalize


class InputError(ValueError):
    """Raised for invalid input. The message says where the problem is and what was expected."""


class ProcessError(RuntimeError):
    """Raised if a worker process ends early."""


def package_text(package: str, name: str) -> str:
    # `importlib.resources` would delay the first paint.
    return Path(import_module(package).__path__[0], name).read_text("utf-8")


def package_table(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads(package_text(package, name))


MAX_BYTES = 4_000_000

_STREAMS = ("/dev", "/dev/fd", "/proc/self/fd")
"""Folders of standard streams. Text is appended there, because other programs may also write to a stream."""


def named_path(name: str | Path) -> Path:
    """Return the path for a name, with ~ expanded to the home folder."""
    return Path(os.path.expanduser(name))


def looks_like_file(text: str) -> bool:
    """Return True if a text has a path separator or a suffix.

    It does not matter whether the file exists: a file called 4x4 must not change what hexapawn:4x4 means.
    """
    return "/" in text or os.sep in text or len(os.path.splitext(text)[1]) > 1


def data_folder() -> Path:
    """Return the data folder: `ARCADE_DATA` if set, otherwise the platform's default."""
    named = os.environ.get("ARCADE_DATA")
    if named:
        return named_path(named)
    import platformdirs  # loads platformdirs

    return platformdirs.user_data_path("solver-arcade", appauthor=False)


@contextmanager
def _failing_to(verb: str, called: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise InputError(f"Cannot {verb} {called}: {error.strerror}.") from None
    except ValueError:
        raise InputError(f"Cannot {verb} {called}: this is not a valid file name.") from None


def read_text(name: str | Path | None, what: str = "file", most: int = MAX_BYTES) -> str:
    """Read UTF-8 text from a file or stream, or from standard input if `name` is None.

    Raises InputError if the text cannot be read or decoded, or has more than `most` bytes (`MAX_BYTES` for a
    stream). Error messages call the file `what`.
    """
    called = "standard input" if name is None else f"the {what} {str(name)!r}"
    if name is None and sys.stdin is None:
        raise InputError("There is no standard input to read. Name a file.")
    with _failing_to("read", called):
        if name is None:
            data, limit = sys.stdin.buffer.read(MAX_BYTES + 1), MAX_BYTES
        else:
            with named_path(name).open("rb") as file:
                data, limit = _read(file, most)
    if len(data) > limit:
        raise InputError(f"{capitalize(called)} is larger than the limit of {limit // 1_000_000} MB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            f"{capitalize(called)} is not UTF-8 text: line {line} has an invalid byte."
        ) from None


def _read(file: BinaryIO, most: int) -> tuple[bytes, int]:
    about = os.fstat(file.fileno())
    if not stat.S_ISREG(about.st_mode):
        return file.read(MAX_BYTES + 1), MAX_BYTES
    return file.read(min(most, max(about.st_size, MAX_BYTES)) + 1), most


def check_writable(name: str | Path) -> None:
    """Raise InputError if the file cannot be written."""
    with _failing_to("write", f"the file {str(name)!r}"):
        path = Path(os.path.realpath(named_path(name)))
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        os.stat(f"{path.parent}/")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def is_there(name: str | Path) -> bool:
    """Return whether writing to this name would replace a file. Pipes and devices are never replaced."""
    return not _is_stream(name) and os.path.isfile(os.path.realpath(named_path(name)))


def _is_stream(name: str | Path) -> bool:
    return os.path.dirname(os.path.abspath(named_path(name))) in _STREAMS


def write_text(name: str | Path, text: str, replace: bool = True) -> None:
    write_bytes(name, text.encode("utf-8"), replace)


def write_new(name: str | Path, text: str) -> None:
    """Write a new file. Raises InputError if the file already exists or cannot be written."""
    try:
        write_text(name, text, replace=False)
    except FileExistsError:
        raise InputError(f"The file {str(name)!r} already exists. Choose another name.") from None


def write_bytes(name: str | Path, data: bytes, replace: bool = True) -> None:
    """Write a file atomically. Pipes and devices are written to directly.

    Raises FileExistsError if the file exists and `replace` is False, and InputError if writing fails.
    """
    with _failing_to("write", f"the file {str(name)!r}"):
        path = Path(os.path.realpath(named_path(name)))
        if not replace and is_there(name):
            raise FileExistsError
        if _is_stream(name) or (path.exists() and not path.is_file()):
            with named_path(name).open("ab") as file:
                file.write(data)
        else:
            _put(path, data, replace)


def _put(path: Path, data: bytes, replace: bool) -> None:
    there = path.exists()
    if there and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    beside = path.with_name(f".{os.urandom(8).hex()}.part")
    file = beside.open("xb")
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if there:
            with suppress(OSError):
                shutil.copymode(path, beside)
        if replace:
            beside.replace(path)
        else:
            _link(path, beside)
    finally:
        beside.unlink(missing_ok=True)


def _link(path: Path, beside: Path) -> None:
    """Move a new file into place with a hard link, which never replaces a file. If that fails, rename it."""
    try:
        path.hardlink_to(beside)
    except FileExistsError:
        raise
    except OSError:
        beside.replace(path)
