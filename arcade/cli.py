"""The command line. Results go to standard output, everything else to standard error."""

from __future__ import annotations

import itertools
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from functools import cache, partial
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import typer

from arcade import __version__
from arcade.commands import (
    chocobar,
    contests,
    hexapawn,
    honshu,
    kept,
    menace,
    own_games,
    questions,
    tetromino,
)
from arcade.commands import common as shell
from arcade.commands.common import input_lines, out, say_line
from arcade.engines.control import PREPARATION
from arcade.engines.files import InputError, ProcessError
from arcade.engines.move_lists import play_words
from arcade.engines.parameters import Parameter
from arcade.engines.registry import (
    ORDER,
    AnyGame,
    complaints,
    drawn_seed,
    failing_file,
    get_game,
    installed_games,
    listed_games,
    look_again,
)
from arcade.startup import STOPPED, at_terminal, importing, interruptible
from arcade.web import LOOPBACK

if TYPE_CHECKING:
    from arcade.play.match import Match

app = typer.Typer(
    help="Small games of strategy against opponents that have solved them.",
    rich_markup_mode=None,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
@shell.with_options
def arcade(
    context: typer.Context,
    data: str | None = None,
    own: str | None = None,
    ascii: bool = False,
    plain: bool = False,
    kiosk: bool = False,
    visitor: str | None = None,
    version: bool = False,
) -> None:
    """Without a command: open the menu, with --plain in lines."""
    if version:
        out(f"solver-arcade {__version__}")
        raise typer.Exit
    if data is not None:
        # In the environment, so that the app's helper process sees it too.
        if not data or "\0" in data:
            raise InputError(f"The data folder {data!r} cannot be used: this is not a possible folder name.")
        os.environ["ARCADE_DATA"] = data
        look_again()
    if own is not None:
        own_games.take_folder(own)
    given = {"ascii": ascii, "plain": plain, "headless": plain}
    context.default_map = dict.fromkeys(command_line().commands, given)
    if visitor is not None and not kiosk:
        raise InputError("--visitor is for --kiosk.")
    if kiosk:
        if context.invoked_subcommand is not None or plain:
            raise InputError("--kiosk opens the menu on a screen; it takes no command and no --plain.")
        from arcade.kiosk import close_off, visitors_folder

        folder = None if visitor is None else visitors_folder(visitor)
        close_off()
        open_app(ascii=ascii, kiosk=True, folder=folder)
    elif context.invoked_subcommand is None and plain:
        menu_in_lines(ascii)
    elif context.invoked_subcommand is None:
        open_app(ascii=ascii)
    else:
        own_games.decide_at_terminal()


def menu_in_lines(ascii: bool) -> None:
    from arcade.plain.dialogue import LEAVE

    typed = ""

    def ask(question: str) -> str:
        nonlocal typed
        say_line(f"{question} Type yes or no.")
        typed = next(input_lines(), "")
        return typed

    own_games.decide(ask)
    offered = listed_games()
    for game in offered:
        say_line(f"{game.name}: {game.summary}")
    say_line("Type a game to play it, or a command: learn GAME, puzzle GAME, play to go on, help or quit.")
    # Who did not answer has typed a command.
    other = [typed] if typed.strip().lower() not in own_games.ANSWERS else []
    for line in itertools.chain(other, input_lines()):
        quoted = re.findall(r'(?:"[^"]*"|\S)+', line.removeprefix("arcade "))
        words = [word.replace('"', "") for word in quoted]
        if line.strip().lower() in LEAVE:
            break
        if words == ["help"]:
            words = ["--help"]
        elif words and re.split("[:#]", words[0])[0] in (game.name for game in offered):
            words.insert(0, "play")
        if words:
            try:
                usual = [game for game in offered if words == ["play", game.name]]
                if usual:
                    play_in_lines(usual[0])
                else:
                    do(["--plain", *["--ascii"] * ascii, *words])
            except (InputError, typer.TyperException) as error:
                say_line(shell.sentence(error))
            say_line("Type a game, a command, help or quit.")


def open_app(**options: Any) -> None:
    """Open the app; raises InputError where there is no terminal."""
    if not at_terminal() and "TEXTUAL_DRIVER" not in os.environ:
        raise InputError(
            "The arcade's screens need a terminal for keys and display; arcade --plain opens the arcade "
            "without them, in lines; arcade --help lists more."
        )
    with importing():
        from arcade.app import ArcadeApp

    PREPARATION.told = lambda: None
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        # The app's event loop replaces only this handler.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    ArcadeApp(**options).run()


class Shade(StrEnum):
    DARK = "dark"
    LIGHT = "light"


@shell.command(app)
def play(
    gameid: str = "",
    seats: str = "",
    moves: str = "",
    seed: int | None = None,
    tiles: str | None = None,
    plain: bool = False,
    ascii: bool = False,
) -> None:
    match = opened(gameid, seats, moves, seed, tiles) if gameid else None
    if in_lines(plain):
        play_in_lines(match)
    else:
        open_app(opening=match, ascii=ascii)


def opened(gameid: str, seats: str, moves: str, seed: int | None, tiles: str | None) -> Match:
    """The match that the arguments of `arcade play` name; raises InputError."""
    from arcade.play import files as match_file
    from arcade.play.match import new_match, offered_seats

    with shell.kept_machines() as machines:
        if match_file.is_name(gameid):
            if seats or moves or seed is not None or tiles is not None:
                raise InputError("A match file has its own players and moves; name it alone.")
            match = match_file.read_file(gameid, machines)
            match.note_unseen()
            return match
        parsed = shell.read_id(gameid, tiles)
        if seed is None and parsed.seed is None:
            seed = drawn_seed()
        if seats:
            seated: Sequence[str] = seats.split(",")
        else:
            last = shell.kept_state().seats_of(parsed.game.name)
            seated = offered_seats(last, parsed.game, parsed.parameters, machines)
        match = new_match(parsed, seated, machines, seed)
    # In a race each seat plays on a board of its own.
    play_words(moves, lambda word: match.play(parsed.game.parse_move(word, match.position)))
    match.note_unseen()
    return match


def in_lines(plain: bool) -> bool:
    """Whether to play in lines: if asked to, without a terminal for keys, and on one that only prints."""
    return plain or sys.stdin is None or not sys.stdin.isatty() or os.environ.get("TERM") == "dumb"


def play_in_lines(match: Match | AnyGame | None) -> None:
    """Play a match, a game's usual one, or go on with the last one; raises InputError where there is none."""
    from arcade.plain.match import MatchDialogue
    from arcade.play.match import Match

    with shell.services_of_lines() as services:
        if match is None:
            dialogue = MatchDialogue.last(services, say_line)
        else:
            match = match if isinstance(match, Match) else services.usual_match(match)
            match.guests = services.machines
            dialogue = MatchDialogue(match, services, say_line)
        dialogue.run(input_lines())


@shell.command(app)
def learn(name: str = ORDER[0], plain: bool = False, ascii: bool = False) -> None:
    from arcade.study.lessons import Course

    game = get_game(name)
    # What is wrong with them is said before the screen opens.
    Course(game)
    if not in_lines(plain):
        open_app(learning=game, ascii=ascii)
        return
    from arcade.plain.study import LessonDialogue

    with shell.services_of_lines() as services:
        course = Course(game, services.learned(game.name))
        LessonDialogue(course, services, say_line).run(input_lines())


@shell.command(app)
def picture(
    gameid: str,
    output: str,
    animate: bool = False,
    moves: str = "",
    tiles: str | None = None,
    values: bool = False,
    seconds: float | None = 10.0,
    theme: Shade = Shade.DARK,
    force: bool = False,
    ascii: bool = False,
) -> None:
    from arcade.play import files as match_file
    from arcade.play.match import Match

    endings = (".svg",) if animate else (".svg", ".txt")
    ending = shell.check_ending(output, *endings, extra=" with --animate" if animate else "")
    if animate and values:
        raise InputError("--values is for a picture of one position, without --animate.")
    shell.check_file(output, force)
    match = _pictured(gameid, moves, tiles)
    named = gameid.isdecimal() or match_file.is_name(gameid)
    revealed = not named or match.record().revealed
    if values and not revealed:
        raise InputError(
            "This match is still being played, and --values would be help that is not counted; "
            "finish it first, or leave --values out."
        )
    if not revealed:
        match = Match.from_record(match.record().shown(), match.guests)
    if animate and not match.line:
        raise InputError("There is no move to show; --animate needs a match with moves.")
    with importing():
        from arcade.play.headless import look_back
        from arcade.screens import picture as drawing
        from arcade.screens.svg import svg

    if animate:
        if revealed:
            shell.run_watched(
                partial(look_back, match), lambda control: f"looking at the moves, {control.seconds:.0f} s"
            )
        frames, ground = drawing.moving(match, theme, ascii)
    else:
        known = []
        if values:
            seen, solver = match.position_of(drawing.shown_board(match)), match.game.solver
            known = shell.run_watched(lambda control: solver.moves(seen, control), solver.progress, seconds)
        frames, ground = drawing.still(match, known, theme, ascii)
    with shell.telling(lambda: "drawing the picture"):
        content = svg(frames, ground) if ending == ".svg" else frames[0].text()
    shell.write_file(output, content, force)


def _pictured(gameid: str, moves: str, tiles: str | None) -> Match:
    from arcade.play import files as match_file
    from arcade.play.match import HUMAN, Match, fewest_seats

    seats = ""
    if gameid.isdecimal():
        if moves or tiles is not None:
            raise InputError(
                f"{'--moves' if moves else '--tiles'} is for a game ID; a saved match has its own."
            )
        if int(gameid) > shell.MOST:
            raise InputError(f"There is no match {gameid}.")
        with shell.kept_store() as store, shell.kept_machines() as machines:
            return Match.from_record(store.match(int(gameid)).record, machines)
    if not match_file.is_name(gameid):
        seats = ",".join([HUMAN] * fewest_seats(shell.read_id(gameid, tiles).game))
    return opened(gameid, seats, moves, None, tiles)


def preset_ids(game: AnyGame) -> list[str]:
    return [f"{game.name}:{preset.parameters}".removesuffix(":") for preset in game.presets]


def game_json(game: AnyGame) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "summary": game.summary,
        "kind": game.kind.value,
        "parameters": [parameter_json(parameter) for parameter in game.parameters],
        "presets": preset_ids(game),
        "players": [kind.name for kind in game.player_kinds],
    }


def parameter_json(parameter: Parameter) -> dict[str, Any]:
    described = asdict(parameter)
    if type(parameter.default) is not int:
        del described["low"], described["high"]
    return {key: value for key, value in described.items() if value not in ("", ())}


@shell.command(app)
def games(as_json: bool = False) -> None:
    installed = installed_games()
    for complaint in complaints():
        shell.say(complaint)
    if as_json:
        shell.print_json([game_json(game) for game in installed])
        return
    for number, game in enumerate(installed):
        if number:
            out("")
        out(f"{game.name}: {game.summary}")
        for parameter in game.parameters:
            limits = f"{parameter.low} to {parameter.high}, " if type(parameter.default) is int else ""
            out(f"  {parameter.name}: {limits}default {parameter.default}")
        out(f"  presets: {', '.join(preset_ids(game))}")
        out("  players:")
        width = max(len(kind.name) for kind in game.player_kinds)
        out(*(f"    {kind.name:{width}}  {kind.summary}" for kind in game.player_kinds))


@shell.command(app)
def warm(only: list[str] | None = None, as_json: bool = False) -> None:
    from arcade.engines.warmer import warmed

    took, unsaved = {}, ""
    # A wrong name is refused before the first compiles.
    for game in [get_game(name) for name in only or ()] or installed_games():
        started = time.perf_counter()
        try:
            with shell.telling(partial("compiling the solver of {}".format, game.title)):
                warmed(game.name)
        except InputError as error:
            unsaved = str(error)
        took[game.name] = round(time.perf_counter() - started, 3)
        if not as_json:
            out(f"{game.name} ready in {took[game.name]:.1f} s", flush=True)
    if as_json:
        shell.print_json(took)
    if unsaved:
        shell.say(f"arcade: {unsaved}")
        raise typer.Exit(1)


@shell.command(app)
def watch(
    gameid: str,
    seats: str = "",
    count: int = 1,
    seed: int | None = None,
    headless: bool = False,
    seconds: float | None = None,
    tiles: str | None = None,
    as_json: bool = False,
    ascii: bool = False,
) -> None:
    from arcade.play.match import HUMAN, new_match

    parsed = shell.read_id(gameid, tiles)
    players = seats.split(",") if seats else [parsed.game.best_player, "random"]
    if HUMAN in players:
        raise InputError("Only engines can sit in arcade watch; use arcade play to play yourself.")
    if seconds is not None and not (headless or as_json):
        raise InputError("--seconds is for --headless.")
    with shell.kept_machines() as machines:
        match = new_match(parsed, players, machines, seed)
        if headless or as_json:
            contests.watch_headless(match, count, seconds, as_json)
            return
    match.to_come = count - 1
    open_app(opening=match, ascii=ascii)


@shell.command(app)
def serve(host: str = LOOPBACK[0], port: int = 8000, kiosk: bool = False, most: int = 8) -> None:
    if host not in LOOPBACK and not kiosk:
        raise InputError(
            "Only arcade serve --kiosk may be reached from other machines: without --kiosk, a visitor can "
            "read and write your files."
        )
    if kiosk:
        from arcade.kiosk import check_limits

        check_limits()
    try:
        from arcade.web.server import serve as serve_pages
    except ImportError:
        raise InputError("This needs textual-serve: pip install 'solver-arcade[serve]'.") from None
    serve_pages(kiosk, host, port, most)


@cache
def command_line() -> Any:
    """A game from another package adds no commands, so its name may equal that of a command."""
    app.add_typer(questions.app)
    app.add_typer(own_games.app)
    app.add_typer(kept.app)
    app.add_typer(kept.matches, name="matches")
    app.add_typer(contests.app)
    app.add_typer(questions.proofs)
    for commands in (chocobar, hexapawn, tetromino, honshu, menace):
        app.add_typer(commands.app, name=commands.__name__.rpartition(".")[2])
    return typer.main.get_command(app)


def do(arguments: list[str]) -> Any:
    """The exit code, or anything else for 0; raises InputError, TyperException or KeyboardInterrupt."""
    code = command_line()(arguments, prog_name="arcade", standalone_mode=False)
    if code == STOPPED:
        # typer's form of Ctrl+C.
        raise KeyboardInterrupt
    return code


def drop_output() -> None:
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@cache
def say_preparing() -> None:
    limited = " A time limit counts from the moment it is ready." if shell.LIMITS else ""
    shell.say(f"Preparing the solver, once.{limited}")


def run(arguments: list[str]) -> int:
    """Run a command line and return the exit code; bad input gives 2 and one sentence on standard error."""
    for stream in (sys.stdout, sys.stderr):
        # A character missing from the terminal's encoding is escaped, e.g. as \\xd7.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    PREPARATION.told = say_preparing
    shell.LIMITS.clear()
    try:
        with interruptible():
            code = do(arguments)
            if sys.stdout is not None:
                sys.stdout.flush()
    except (InputError, typer.TyperException) as error:
        shell.say(f"arcade: {shell.sentence(error)}")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        shell.say("arcade: stopped.")
        return STOPPED
    except ProcessError as error:
        shell.say(f"arcade: {error}")
        return 1
    except BrokenPipeError:
        # The reader has closed the pipe, e.g. head.
        drop_output()
        return 0
    except OSError as error:
        drop_output()
        try:
            os.getcwd()
        except OSError:
            shell.say("arcade: The current folder is no longer there. Change to another one.")
            return 2
        if error.filename is not None:
            shell.say(f"arcade: {str(error.filename)!r} cannot be used: {error.strerror}.")
            return 2
        # This is standard output, e.g. on a full disk.
        shell.say(f"arcade: The output cannot be written: {error.strerror}.")
        return 1
    except Exception as error:
        said = failing_file(error)
        if not said:
            raise
        shell.say(f"arcade: {said}")
        return 1
    return code if isinstance(code, int) else 0
