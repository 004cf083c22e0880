import io
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arcade.engines.files import MAX_BYTES, InputError, read_text, write_text
from tests.refusals import refused
from tests.shell import python

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files and signals")


def test_text_is_read_with_or_without_bom(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes("3×3\n".encode())
    (tmp_path / "marked").write_bytes("3×3\n".encode("utf-8-sig"))
    assert read_text(tmp_path / "plain") == read_text(str(tmp_path / "marked")) == "3×3\n"


def test_file_size_limit_is_exact(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"1" * MAX_BYTES)
    assert len(read_text(path)) == MAX_BYTES
    path.write_bytes(b"1" * (MAX_BYTES + 1))
    refused(r"^The file '.*/long' is larger than the limit of 4 MB", read_text, path)
    assert len(read_text(path, most=2 * MAX_BYTES)) == MAX_BYTES + 1


def test_endless_file_is_refused() -> None:
    for most in (MAX_BYTES, 400_000_000):
        refused(
            r"^The tile file '/dev/zero' is larger than the limit", read_text, "/dev/zero", "tile file", most
        )


def test_huge_sparse_file_is_refused_without_reading(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(10**12)
    refused("larger than the limit of 4 MB", read_text, path)


@needs_posix
def test_named_pipe_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_text, args=("3\n",)).start()
    assert read_text(pipe) == "3\n"


def test_standard_input_has_the_same_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"3\n")))
    assert read_text(None) == "3\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"3" * (MAX_BYTES + 1))))
    refused(r"^Standard input is larger than the limit of 4 MB", read_text, None)
    monkeypatch.setattr(sys, "stdin", None)
    refused(r"^There is no standard input", read_text, None)


def test_invalid_utf8_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"one\ntwo\n\xe9\n")
    refused(r"is not UTF-8 text: line 3 ", read_text, tmp_path / "latin")


@pytest.mark.parametrize("name", ["", "\0", "a" * 5000, "\ud800", "none/at/all", "text/below"])
def test_impossible_file_names_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("1")
    refused(r"^Cannot read the file .*: [^.]*\.$", read_text, name)
    for replace in (True, False):
        # An empty name is the folder itself, which is there.
        with pytest.raises((InputError, FileExistsError)):
            write_text(name, "2", replace)
    assert [each.name for each in tmp_path.iterdir()] == ["text"]
    assert Path("text").read_text() == "1"


@needs_posix
def test_file_is_replaced_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "one", replace=False)
    with pytest.raises(FileExistsError):
        write_text(path, "two", replace=False)
    assert path.read_text() == "one"
    path.chmod(0o640)
    write_text(path, "three")
    assert path.read_text() == "three"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_file_created_meanwhile_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    synced = os.fsync

    def meanwhile(number: int) -> None:
        synced(number)
        path.write_text("theirs")

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(FileExistsError):
        write_text(path, "ours", replace=False)
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


def test_new_file_is_written_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    write_text(tmp_path / "file", "one", replace=False)
    assert (tmp_path / "file").read_text() == "one"
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@needs_posix
def test_symlink_survives_writing(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("one")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "two"


@needs_posix
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_streams_are_written_directly(name: str, tmp_path: Path) -> None:
    """Also where the stream leads to a file that others write to."""
    program = f"from arcade.engines.files import write_text; write_text({name!r}, 'text')"
    out = tmp_path / "out"
    subprocess.run(f'(echo before; {sys.executable} -c "{program}") >> {out}', shell=True, check=True)
    assert out.read_text() == "before\ntext"
    assert python("-c", program).stdout == "text"


KILLED = """
import os, signal, sys
from arcade.engines.files import write_text
os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)
write_text(sys.argv[1], "new" * 1000, replace=sys.argv[2] == "True")
"""


@needs_posix
@pytest.mark.parametrize("replace", [True, False])
def test_killed_write_preserves_the_previous_state(replace: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if replace:
        path.write_text("old")
    python("-c", KILLED, str(path), str(replace), code=-signal.SIGKILL)
    assert (path.read_text() if path.exists() else None) == ("old" if replace else None)


def test_full_disk_preserves_the_previous_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "file"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    refused("Cannot write .*: No space left on device", write_text, path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
