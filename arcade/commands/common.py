"""Helpers for the shell commands: output, files, the store, errors, and work that Ctrl+C can stop."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import typer

from arcade.engines.control import Control, Kernels
from arcade.engines.files import InputError, check_writable, is_there, write_bytes
from arcade.engines.move_lists import parse_moves
from arcade.engines.position import P, Position
from arcade.engines.registry import GameID, parse_game_id, parse_id_for
from arcade.engines.wording import capitalize, join_words, printable
from arcade.engines.workers import DaskPool, LocalPool
from arcade.startup import end_in_compiler
from arcade.store import store as stores
from arcade.store.settings import AppState

if TYPE_CHECKING:
    from arcade.engines.workers import WorkerPool

MAX_LINE_LENGTH = 10_000
MAX_MESSAGE_LENGTH = 400
"""Maximum length of an error message in characters. Longer messages are cut in the middle."""
PROGRESS_DELAY, PROGRESS_INTERVAL = 1.0, 0.5
"""Seconds before a command first shows its progress, and between two reports."""


@contextmanager
def open_pool(workers: int | None, cluster: str | None) -> Iterator[WorkerPool]:
    if cluster is None:
        yield LocalPool(workers)
    elif workers is not None:
        raise InputError("--workers cannot be combined with --cluster.")
    else:
        with DaskPool(cluster) as connected:
            yield connected


def print_line(*lines: str, flush: bool = False) -> None:
    """Print lines with control characters escaped, except for tabs."""
    for line in lines:
        _write(sys.stdout, "\t".join(printable(cell) for cell in line.split("\t")))
    if flush and sys.stdout is not None:
        sys.stdout.flush()


def print_text(text: str) -> None:
    if text:
        print_line(*text.removesuffix("\n").split("\n"))


def print_and_flush(text: str) -> None:
    print_line(text, flush=True)


def input_lines() -> Iterator[str]:
    """Yield the lines of standard input as they arrive. Split very long lines.

    A byte order mark, which some programs write first, is left out.
    """
    # A stream cannot be reconfigured after reading.
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors != "replace":
        sys.stdin.reconfigure(errors="replace")
    while sys.stdin is not None and (line := sys.stdin.readline(MAX_LINE_LENGTH)):
        yield line.removeprefix("\ufeff")


def print_error(text: str) -> None:
    _write(sys.stderr, printable(text))


def _write(file: TextIO | None, line: str) -> None:
    if file is not None:
        file.write(f"{line}\n")


def show_progress(text: str) -> None:
    """Show progress in a terminal, on one line. An empty text clears the line."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{printable(text)}")
        sys.stderr.flush()


@cache
def say_preparing() -> None:
    print_error("Compiling the solver (first run). The time limit starts when it is ready.")


def print_json(value: object) -> None:
    # json escapes every control character except Delete.
    _write(sys.stdout, json.dumps(value, indent=2).replace("\x7f", "\\u007f"))


def print_result(as_json: bool, value: object, *lines: str, said: str = "") -> None:
    if as_json:
        print_json(value)
        return
    print_line(*lines)
    if said:
        print_error(said)


def id_json(parsed: GameID) -> dict[str, str]:
    return {"game": parsed.game.name, "id": str(parsed)}


def check_ending(name: str, *endings: str, extra: str = "") -> str:
    stem, ending = os.path.splitext(name)
    if ending.lower() not in endings:
        known = f"{join_words(endings, 'or')}{extra}"
        raise InputError(f"The name of the picture, {name!r}, must end in {known}, for example {stem}.svg.")
    return ending.lower()


def check_file(name: str, force: bool) -> None:
    """Raise InputError if `write_file` would fail for this file. Call this before a long computation."""
    check_writable(name)
    if is_there(name) and not force:
        _refuse_file(name)


def write_file(name: str, content: str | bytes, force: bool) -> None:
    """Write a file completely or not at all. Replace an existing file only if `force` is True."""
    try:
        write_bytes(name, content if isinstance(content, bytes) else content.encode(), replace=force)
    except FileExistsError:
        _refuse_file(name)


def _refuse_file(name: str) -> NoReturn:
    raise InputError(f"{name!r} already exists. Choose another name or use --force.") from None


def read_start(text: str, moves: str) -> tuple[GameID, Position[Any]]:
    parsed = parse_game_id(text)
    position = parsed.start()
    return parsed, position.after(parse_moves(parsed.game, moves, position))


def read_position(text: str, kind: type[P], game: str) -> P:
    if not text.strip():
        raise InputError(f"The game ID is empty. Write {game} for the default board.")
    position = parse_game_id(parse_id_for(text.strip(), game)).start()
    assert isinstance(position, kind)
    return position


def check_memory(wanted: int, way_out: str = "") -> None:
    """Raise InputError if this computer is known to have less memory than `wanted` bytes."""
    if not hasattr(os, "sysconf"):
        return
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if wanted > there:
        takes = f"This needs {wanted / 1e6:,.0f} MB of memory, but this computer has {there / 1e6:,.0f} MB"
        raise InputError(f"{takes}. {way_out}".rstrip())


NOTICE_SECONDS, LOCK_SECONDS = 1.0, 30.0
"""Seconds to wait for a locked data file before a notice, and before giving up."""


def open_store() -> stores.Store:
    told = False

    def wait(seconds: float) -> bool:
        nonlocal told
        if seconds >= NOTICE_SECONDS and not told:
            told = True
            print_error("Waiting for another program that has locked your data file.")
        return seconds < LOCK_SECONDS

    return stores.open_store(wait=wait)


def load_app_state() -> AppState:
    try:
        with open_store() as store:
            return AppState.from_texts(store.words("state"))
    except stores.StoreError:
        return AppState()


def confirmed(question: str) -> bool:
    """Ask a question and return whether the answer was yes. Raises InputError if there is no terminal."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError("Cannot ask for confirmation without a terminal. Use --yes.")
    print_error(f"{question} Type y to delete, anything else to keep.")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def commands_with_option(command: Any, option: str, path: str = "") -> Iterator[str]:
    if any(option in (*taken.opts, *taken.secondary_opts) for taken in command.params):
        yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from commands_with_option(below, option, f"{path} {name}".strip())


def usage_sentence(error: Any) -> str:
    said: str = error.format_message().replace(". Did you mean", "; did you mean").rstrip(".")
    said = said.replace("requires an argument", "needs a value after it")
    option, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    if context is None:
        return said
    place, named, above = context.command_path, context.info_name, context.parent
    paths = list(commands_with_option(context.find_root().command, option)) if option else []
    if above is None and paths and "" not in paths:
        return f"The option {option} comes after a command, as in arcade {paths[0]} {option}"
    if above is not None and paths == [""]:
        return f"The option {option} comes before the command, as in arcade {option} {named}"
    if isinstance(error, typer.BadParameter) and error.param is not None and not said.startswith("Missing"):
        wrong: Any = error.param
        name = wrong.metavar if wrong.param_type_name == "argument" else " or ".join(wrong.opts)
        return f"Wrong value for {name}: {error.message.removeprefix('Value error, ')}"
    if said.startswith("No such command") and ":" in said:
        _, game_id, *_ = said.split("'")
        return f"A game ID comes after a command, as in arcade play {game_id}"
    if said == "Missing command":
        return f"Missing command after {place}: {join_words(list(context.command.commands), 'or')}"
    if said.startswith("No such option"):
        return f"{said}; {place} --help lists its options"
    if said.startswith("No such command") and not said.endswith("?"):
        names = join_words(list(context.command.commands), "or")
        return f"{said}; {place} {f'takes {names}' if above else '--help lists them'}"
    if said.startswith("Got unexpected extra"):
        usage = " ".join([place, *context.command.collect_usage_pieces(context)])
        extra = said.partition("(s) (")[2].removesuffix(")")
        return f"Unexpected argument {extra!r}. Usage: {re.sub('[{}]', '', usage)}"
    return f"{said} of {place}: {error.param.help}" if said.startswith("Missing") else said


def sentence(error: InputError | typer.TyperException) -> str:
    # Typer's messages may start with a small letter, and ours with a name.
    text = str(error) if isinstance(error, InputError) else capitalize(usage_sentence(error))
    text = " ".join(text.split())
    if len(text) > MAX_MESSAGE_LENGTH:
        text = f"{text[: MAX_MESSAGE_LENGTH // 2]} ... {text[-MAX_MESSAGE_LENGTH // 2 :]}"
    return text if text.endswith((".", "?")) else f"{text}."


T = TypeVar("T")


@contextmanager
def interruptible_work(
    work: Callable[[Control], T],
    progress: Callable[[Control], str],
    seconds: float | None = None,
    *,
    effort: str = "",
    kept: bool = False,
) -> Iterator[T]:
    """Run work in its own thread and yield its result. A kernel in the main thread would delay Ctrl+C.

    If the work takes longer than a second, `effort` is printed and progress is shown. After Ctrl+C, the
    body receives the result so far, if any, and then KeyboardInterrupt is raised. Set `kept` if results are
    saved, so that the work can be resumed. Exceptions of the work are raised in the calling thread.
    """

    interrupted = False
    with Control(seconds, Kernels(say_preparing)) as control, ThreadPoolExecutor(1) as threads:
        result = threads.submit(work, control)
        try:
            wait([result], PROGRESS_DELAY)
            if effort and not result.done():
                print_error(effort)
            while not result.done():
                show_progress(progress(control))
                wait([result], PROGRESS_INTERVAL)
        except KeyboardInterrupt:
            interrupted = True
            control.cancel()
            while not result.done():
                for frame in sys._current_frames().values():
                    end_in_compiler(frame)
                wait([result], 0.1)
        finally:
            show_progress("")
    if interrupted and result.exception() is not None:
        raise KeyboardInterrupt
    try:
        yield result.result()
    except (InputError, typer.Exit):
        # After Ctrl+C, the result so far may be too small for the body.
        if not interrupted:
            raise
    if interrupted:
        if kept:
            print_error("Stopped. Everything proved so far is saved; run the same command again to continue.")
        raise KeyboardInterrupt


def run_interruptible(
    work: Callable[[Control], T],
    progress: Callable[[Control], str],
    seconds: float | None = None,
    *,
    effort: str = "",
) -> T:
    with interruptible_work(work, progress, seconds, effort=effort) as result:
        found = result
    return found


@contextmanager
def showing_progress(progress: Callable[[], str]) -> Iterator[None]:
    """Show progress if the body takes longer than a second. Use it if Ctrl+C can stop the body."""
    ended = threading.Event()

    def tell() -> None:
        wait = PROGRESS_DELAY
        while not ended.wait(wait):
            show_progress(progress())
            wait = PROGRESS_INTERVAL

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
        show_progress("")
