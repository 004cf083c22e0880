"""What the shell commands share: options, checks, output, and work that Ctrl+C stops."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from io import TextIOWrapper
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NoReturn,
    TextIO,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import typer
from typer.core import TyperCommand, TyperGroup

from arcade.engines.control import Control
from arcade.engines.files import InputError, check_writable, is_there, package_table, write_bytes
from arcade.engines.position import P, Position
from arcade.engines.registry import GameID, game_names, get_game, parse_game_id, whole_id
from arcade.engines.wording import capital, listed, printable
from arcade.startup import end_in_compiler

if TYPE_CHECKING:
    from arcade.engines.crew import Crew
    from arcade.play.machines import Machines
    from arcade.services import Services
    from arcade.store.settings import AppState
    from arcade.store.store import Store


LONGEST_LINE = 10_000
LONGEST = 400
"""Most characters of a message; a longer one repeats a very long argument, so its middle is cut."""
MOST_SECONDS = 1e9
"""Longest deadline, some thirty years: timers cannot wait much longer."""
MOST = 10**18
PATIENCE, SHOWN_EVERY = 1.0, 0.5
"""Seconds of silence after which a command shows what it is doing, and seconds until it shows more."""

LIMITS: list[float] = []
"""The time limits of this command; a message says from when they count."""

C = TypeVar("C", bound=Callable[..., Any])


TOLD: dict[str, dict[str, Any]] = package_table(__package__, "commands.toml")


def _parser(
    name: str, read: Callable[[str], Any], expected: str, low: float = -math.inf, high: float = math.inf
) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        with suppress(ValueError):
            value = read(text)
            if isinstance(value, str) or low <= value <= high:
                if read is float:
                    LIMITS.append(value)
                return value
        # pydantic, which calls the parsers, would reword a ValueError.
        raise typer.TyperException(f"The value of {name} must be {expected}.")

    return parse


def _check_text(text: str | None) -> str | None:
    """Raises InputError if the bytes on the command line are not UTF-8."""
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        raise InputError(f"The name {text!r} is not UTF-8 text.") from None
    return text


def _game_names(incomplete: str) -> list[str]:
    return [name for name in game_names() if name.startswith(incomplete)]


def _annotated(kind: Any, name: str, words: Mapping[str, Any]) -> Any:
    called = [words["argument"]] if "argument" in words else words.get("names") or [f"--{name}"]
    said = " or ".join(called)
    single = kind
    while inner := [each for each in get_args(single) if each is not NoneType]:
        single = inner[0]
    how: dict[str, Any] = {"metavar": words.get("metavar"), "help": words.get("help")}
    if single is int:
        low, high = words.get("low", -MOST), words.get("high", MOST)
        expected = f"a whole number from {low:,} to {high:,}"
        how |= {"metavar": "N", "parser": _parser(said, int, expected, low, high)}
    elif single is float:
        expected = f"a number from 0 to {MOST_SECONDS:,.0f}"
        how |= {"metavar": "S", "parser": _parser(said, float, expected, 0, MOST_SECONDS)}
    elif issubclass(single, StrEnum):
        how |= {"metavar": "|".join(single), "parser": _parser(said, single, " or ".join(single))}
    elif "utf8" in words:
        how["callback"] = _check_text
    if "game" in words:
        how["autocompletion"] = _game_names
    if "argument" in words:
        return Annotated[kind, typer.Argument(**how | {"metavar": called[0]})]
    return Annotated[kind, typer.Option(*called, **how)]


@contextmanager
def crew(workers: int | None, cluster: str | None) -> Iterator[Crew]:
    from arcade.engines.crew import Cluster, Processes

    if cluster is None:
        yield Processes(workers)
    elif workers is not None:
        raise InputError("Give --workers or --cluster, not both.")
    else:
        with Cluster(cluster) as connected:
            yield connected


def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A parameter whose type is a dataclass stands for its fields, arguments and options in their order."""
    types = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in types.items() if is_dataclass(kind)}
    parameters: list[Parameter] = []

    def take(owner: Any, name: str, kind: Any, default: Any) -> None:
        places = (_place(owner), _place(owner).partition(".")[0], "everywhere")
        tables = [TOLD.get(place, {}) for place in places]
        words = next((table[name] for table in tables if name in table), None)
        if words is not None and get_origin(kind) is not Annotated:
            kind = _annotated(kind, name, words)
        parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind))

    for name, parameter in signature(command).parameters.items():
        if name not in groups:
            take(command, name, types[name], parameter.default)
            continue
        of_fields = get_type_hints(groups[name])
        for option in fields(groups[name]):
            default = Parameter.empty if option.default is MISSING else option.default
            take(groups[name], option.name, of_fields[option.name], default)

    @wraps(command)
    def run(**values: Any) -> Any:
        for name, group in groups.items():
            values[name] = group(**{option.name: values.pop(option.name) for option in fields(group)})
        return command(**values)

    described: Any = run
    described.__signature__ = Signature(parameters)
    described.__annotations__ = {}
    return run


def _place(owner: Any) -> str:
    return f"{owner.__module__.rpartition('.')[2]}.{owner.__name__}"


def command(
    app: typer.Typer, name: str | None = None, cls: type[TyperCommand] | None = None
) -> Callable[[C], C]:
    def add(function: C) -> C:
        app.command(name, cls=cls, help=TOLD[_place(function)]["help"])(with_options(function))
        return function

    return add


@dataclass(frozen=True)
class PositionQuestion:
    gameid: str
    moves: str = ""
    seconds: float | None = None
    tiles: str | None = None
    as_json: bool = False


class Group(TyperGroup):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args:
            raise InputError(f"Name a command of {ctx.command_path}: {listed(list(self.commands), 'or')}.")
        return super().parse_args(ctx, args)


def commands(help: str) -> typer.Typer:
    return typer.Typer(cls=Group, help=help, rich_markup_mode=None)


def out(*lines: str, flush: bool = False) -> None:
    for line in lines:
        _write(sys.stdout, "\t".join(printable(cell) for cell in line.split("\t")))
    if flush and sys.stdout is not None:
        sys.stdout.flush()


def out_text(text: str) -> None:
    if text:
        out(*text.removesuffix("\n").split("\n"))


def say_line(text: str) -> None:
    out(text, flush=True)


def input_lines() -> Iterator[str]:
    """The lines of standard input as they come; a very long one comes in parts.

    They are without the byte order mark with which some programs begin.
    """
    # Not again after the first line of the menu.
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors != "replace":
        sys.stdin.reconfigure(errors="replace")
    while sys.stdin is not None and (line := sys.stdin.readline(LONGEST_LINE)):
        yield line.removeprefix("\ufeff")


@contextmanager
def services_of_lines() -> Iterator[Services]:
    from arcade.services import Services

    services = Services(warm=False)
    try:
        yield services
    finally:
        waits = not services.retry()
        if waits:
            say(f"{services.unwritten} Waiting to save what you did; Ctrl+C ends this.")
        not_saved = services.close(LOCK_SECONDS)
        if not_saved or waits:
            say(not_saved or "Everything is saved now.")


def say(text: str) -> None:
    _write(sys.stderr, printable(text))


def _write(file: TextIO | None, line: str) -> None:
    if file is not None:
        file.write(f"{line}\n")


def show_progress(text: str) -> None:
    """Show progress on one line of a terminal, nowhere else. An empty text clears the line."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{printable(text)}")
        sys.stderr.flush()


def print_json(value: object) -> None:
    # Delete is the only control character that json does not escape.
    _write(sys.stdout, json.dumps(value, indent=2).replace("\x7f", "\\u007f"))


def answer(as_json: bool, value: object, *lines: str, said: str = "") -> None:
    if as_json:
        print_json(value)
        return
    out(*lines)
    if said:
        say(said)


def named(parsed: GameID) -> dict[str, str]:
    return {"game": parsed.game.name, "id": str(parsed)}


def check_ending(name: str, *endings: str, extra: str = "") -> str:
    stem, ending = os.path.splitext(name)
    if ending.lower() not in endings:
        known = f"{listed(endings, 'or')}{extra}"
        raise InputError(f"The name of the picture {name!r} must end in {known}, for example {stem}.svg.")
    return ending.lower()


def check_file(name: str, force: bool) -> None:
    """Raises InputError, before the work, if its result cannot be written to this file."""
    check_writable(name)
    if is_there(name) and not force:
        _refuse_file(name)


def write_file(name: str, content: str | bytes, force: bool) -> None:
    """Write a file completely or not at all; only with `force` in place of another."""
    try:
        write_bytes(name, content if isinstance(content, bytes) else content.encode(), replace=force)
    except FileExistsError:
        _refuse_file(name)


def _refuse_file(name: str) -> NoReturn:
    raise InputError(f"There is already a file {name!r}. Choose another name, or add --force.") from None


def read_id(text: str, tiles: str | None = None, game: str = "") -> GameID:
    """Read a game ID, with the file of --tiles; one for a command of `game` may omit its name."""
    text = text.strip()
    if game and not text:
        raise InputError(f"The game ID is empty; write {game} for the default game.")
    text = whole_id(text, game) if game else text
    if tiles is None:
        return parse_game_id(text)
    name = re.split("[:#]", text, maxsplit=1)[0]
    tiled = get_game(name)
    return GameID.of(tiled, tiled.load(text[len(name) + 1 :], tiles))


def start_of(text: str, moves: str, tiles: str | None) -> tuple[GameID, Position[Any]]:
    parsed = read_id(text, tiles)
    position = parsed.start()
    return parsed, position.after(parsed.game.parse_moves(moves, position))


def read_position(text: str, kind: type[P], game: str, tiles: str | None = None) -> P:
    position = read_id(text, tiles, game).start()
    assert isinstance(position, kind)
    return position


def check_memory(wanted: int, way_out: str = "") -> None:
    """Raises InputError, which may name a way out, if this machine is known to have fewer bytes of memory."""
    if not hasattr(os, "sysconf"):
        return
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if wanted > there:
        takes = f"This takes {wanted / 1e6:,.0f} MB of memory; this machine has {there / 1e6:,.0f}"
        raise InputError(f"{takes}. {way_out}".rstrip())


TELL_SECONDS = 1.0
"""After so long a command says that it waits."""

LOCK_SECONDS = 30.0
"""How long a command waits for another program that has locked the saved games."""


def kept_store() -> Store:
    """The store of a command, which says so when it waits for a lock."""
    from arcade.store.store import open_store

    told = False

    def wait(seconds: float) -> bool:
        nonlocal told
        if seconds >= TELL_SECONDS and not told:
            told = True
            say("Waiting for another program, which has locked the saved games.")
        return seconds < LOCK_SECONDS

    return open_store(wait=wait)


def kept_machines() -> closing[Machines]:
    from arcade.play.machines import Machines

    return closing(Machines(kept_store))


def kept_state() -> AppState:
    """Nothing if the store cannot be read, which the app will say."""
    from arcade.store.settings import AppState
    from arcade.store.store import StoreError

    try:
        with kept_store() as store:
            return AppState.from_texts(store.words("state"))
    except StoreError:
        return AppState()


def takers(command: Any, option: str, path: str = "") -> Iterator[str]:
    if any(option in (*taken.opts, *taken.secondary_opts) for taken in command.params):
        yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from takers(below, option, f"{path} {name}".strip())


def usage_sentence(error: Any) -> str:
    """What typer says, with the place and what was expected there."""
    said: str = error.format_message().replace(". Did you mean", "; did you mean").rstrip(".")
    said = said.replace("requires an argument", "needs a value after it")
    option, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    if context is None:
        return said
    place, named, above = context.command_path, context.info_name, context.parent
    paths = list(takers(context.find_root().command, option)) if option else []
    if above is None and paths and "" not in paths:
        return f"The option {option} comes after a command, as in arcade {paths[0]} {option}"
    if above is not None and paths == [""]:
        return f"The option {option} comes before the command, as in arcade {option} {named}"
    if said.startswith("No such option"):
        return f"{said}; {place} --help lists its options"
    if said.startswith("No such command") and not said.endswith("?"):
        names = listed(list(context.command.commands), "or")
        return f"{said}; {place} {f'takes {names}' if above else '--help lists them'}"
    if said.startswith("Got unexpected extra"):
        usage = " ".join([place, *context.command.collect_usage_pieces(context)])
        extra = said.partition("(s) (")[2].removesuffix(")")
        return f"The extra {extra!r} has no meaning here: write {re.sub('[{}]', '', usage)}"
    return f"{said} of {place}: {error.param.help}" if said.startswith("Missing") else said


def sentence(error: InputError | typer.TyperException) -> str:
    # typer's messages may begin with a small letter. Ours never do, unless a name comes first.
    text = str(error) if isinstance(error, InputError) else capital(usage_sentence(error))
    text = " ".join(text.split())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
    return text if text.endswith((".", "?")) else f"{text}."


T = TypeVar("T")


@contextmanager
def watched(
    work: Callable[[Control], T],
    progress: Callable[[Control], str],
    seconds: float | None = None,
    *,
    effort: str = "",
    kept: bool = False,
) -> Iterator[T]:
    """Run work in its own thread, since a kernel in the main thread would delay Ctrl+C, and yield its result.

    When it takes longer than a second, it says `effort` and shows progress. After Ctrl+C the body gets what
    was found by then, unless that was nothing, and KeyboardInterrupt follows; `kept` says that the work can
    be continued later. Any exception of the work is raised here.
    """
    from concurrent.futures import ThreadPoolExecutor, wait

    def do(control: Control) -> T:
        with control.working():
            return work(control)

    interrupted = False
    with Control(seconds) as control, ThreadPoolExecutor(1) as threads:
        result = threads.submit(do, control)
        try:
            wait([result], PATIENCE)
            if effort and not result.done():
                say(effort)
            while not result.done():
                show_progress(progress(control))
                wait([result], SHOWN_EVERY)
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
        # What was found by then was not enough, or differs.
        if not interrupted:
            raise
    if interrupted:
        if kept:
            say("Stopped. Everything proved so far is saved; run the same command again to continue.")
        raise KeyboardInterrupt


def run_watched(
    work: Callable[[Control], T],
    progress: Callable[[Control], str],
    seconds: float | None = None,
    *,
    effort: str = "",
) -> T:
    """Like `watched`, for work of which nothing is known before its end."""
    with watched(work, progress, seconds, effort=effort) as result:
        found = result
    return found


@contextmanager
def telling(progress: Callable[[], str]) -> Iterator[None]:
    """Show progress when the body takes longer than a second; for work that Ctrl+C ends without a thread."""
    ended = threading.Event()

    def tell() -> None:
        wait = PATIENCE
        while not ended.wait(wait):
            show_progress(progress())
            wait = SHOWN_EVERY

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
        show_progress("")
