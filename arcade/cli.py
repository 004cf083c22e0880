"""The command line. Results go to standard output, messages to standard error."""

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
from typing import Annotated, Any

import typer

from arcade import __version__
from arcade.commands import (
    analysis,
    compare,
    own_games,
    puzzle,
    saved,
    tournament,
    verify,
)
from arcade.commands.common import (
    check_ending,
    check_file,
    input_lines,
    load_app_state,
    load_machines,
    open_store,
    print_and_flush,
    print_error,
    print_json,
    print_line,
    run_interruptible,
    sentence,
    showing_progress,
    write_file,
)
from arcade.commands.lazy import LazyGroup
from arcade.commands.options import (
    MAX_NUMBER,
    Ascii,
    AsJson,
    Force,
    GameId,
    Moves,
    PlainText,
    Seconds,
    check_utf8,
    complete_game,
    parse_seconds,
    whole_number,
)
from arcade.engines.files import InputError, ProcessError
from arcade.engines.game import RaceGame
from arcade.engines.kernel_compiler import compile_kernels
from arcade.engines.move_lists import play_words
from arcade.engines.parameters import Parameter
from arcade.engines.registry import (
    ORDER,
    AnyGame,
    commands_help,
    failing_file,
    get_game,
    installed_games,
    listed_games,
    load_errors,
    parse_game_id,
    random_seed,
)
from arcade.engines.seats import player_kinds
from arcade.play import files as match_file
from arcade.play.match import HUMAN, Match, min_players, new_match, suggested_players
from arcade.startup import STOPPED, at_terminal, importing, interruptible
from arcade.web import LOOPBACK


class Shade(StrEnum):
    DARK = "dark"
    LIGHT = "light"


app = typer.Typer(
    help="Small games of strategy against opponents that have solved them.",
    rich_markup_mode=None,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (analysis, puzzle, own_games, saved, tournament, compare, verify):
    app.add_typer(module.app)
for name in ORDER:
    about = commands_help(name)
    if about:
        app.add_typer(typer.Typer(), name=name, help=about, cls=LazyGroup)


@app.callback(invoke_without_command=True)
def arcade(
    context: typer.Context,
    data: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Store matches, settings and machines in this folder."),
    ] = None,
    own: Annotated[
        str | None,
        typer.Option(
            "--games", metavar="FOLDER", help="Also load games from this folder (this runs their code)."
        ),
    ] = None,
    ascii: Ascii = False,
    plain: PlainText = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Open the menu if no command is given; with --plain, in text mode."""
    if version:
        print_line(f"solver-arcade {__version__}")
        raise typer.Exit
    if data is not None:
        # The app's helper process reads the environment too.
        if not data or "\0" in data:
            raise InputError(f"Invalid data folder name: {data!r}.")
        os.environ["ARCADE_DATA"] = data
    if own is not None:
        own_games.take_folder(own)
    given = {"ascii": ascii, "plain": plain, "headless": plain}
    context.default_map = dict.fromkeys(command_line().commands, given)
    if context.invoked_subcommand is None and plain:
        menu_in_text_mode(ascii)
    elif context.invoked_subcommand is None:
        open_app(ascii=ascii)


def menu_in_text_mode(ascii: bool) -> None:
    from arcade.commands.text_mode import play_usual_match  # not at every start
    from arcade.text.dialogue import LEAVE  # not at every start

    offered = listed_games()
    for game in offered:
        print_and_flush(f"{game.name}: {game.summary}")
    print_and_flush(
        "Type a game's name to play it. Other commands: learn GAME, puzzle GAME, play (resume), help, quit."
    )
    for line in input_lines():
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
                    play_usual_match(usual[0])
                else:
                    do(["--plain", *["--ascii"] * ascii, *words])
            except (InputError, typer.TyperException) as error:
                print_and_flush(sentence(error))
            print_and_flush("Type a game, a command, help or quit.")


def open_app(**options: Any) -> None:
    """Open the app. Raises InputError without a terminal."""
    if not at_terminal() and "TEXTUAL_DRIVER" not in os.environ:
        raise InputError(
            "The arcade needs an interactive terminal. Try arcade --plain for text mode, or arcade --help."
        )
    with importing():
        from arcade.app import ArcadeApp  # loads Textual

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        # The app's event loop replaces only this handler.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    ArcadeApp(**options).run()


ChoiceSeed = Annotated[
    int | None,
    typer.Option(metavar="N", parser=whole_number(), help="Random seed of the players' choices."),
]


@app.command()
def play(
    game_id: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE",
            autocompletion=complete_game,
            help="Game ID such as chocobar:8x10, or a match file (default: your last match).",
        ),
    ] = "",
    seats: Annotated[
        str,
        typer.Option(
            metavar="A,B", callback=check_utf8, help="Players, for example human,beginner or depth:3,perfect."
        ),
    ] = "",
    moves: Moves = "",
    seed: ChoiceSeed = None,
    plain: PlainText = False,
    ascii: Ascii = False,
) -> None:
    """Play a match. Use --plain for text mode."""
    match = opened(game_id, seats, moves, seed) if game_id else None
    if not in_text_mode(plain):
        open_app(opening=match, ascii=ascii)
        return
    from arcade.commands.text_mode import play_match, resume_last_match  # not at every start

    if match is None:
        resume_last_match()
    else:
        play_match(match)


def opened(game_id: str, seats: str, moves: str, seed: int | None) -> Match:
    """Return the match that the arguments of `arcade play` describe. Raises InputError."""
    with load_machines() as machines:
        if match_file.is_name(game_id):
            if seats or moves or seed is not None:
                raise InputError("A match file already contains players and moves. Remove the other options.")
            match = match_file.read_file(game_id, machines)
            match.note_unseen()
            return match
        parsed = parse_game_id(game_id)
        if seed is None and parsed.seed is None:
            seed = random_seed()
        if seats:
            seated: Sequence[str] = seats.split(",")
        else:
            last = load_app_state().seats_of(parsed.game.name)
            seated = suggested_players(last, parsed.game, parsed.parameters, machines)
        match = new_match(parsed, seated, machines, seed)
    # In a race, each player moves on their own board.
    play_words(moves, lambda word: match.play(parsed.game.parse_move(word, match.position)))
    match.note_unseen()
    return match


def in_text_mode(plain: bool) -> bool:
    """Return whether to use text mode: on request, or without an interactive terminal."""
    return plain or sys.stdin is None or not sys.stdin.isatty() or os.environ.get("TERM") == "dumb"


@app.command()
def learn(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME", autocompletion=complete_game, help="Name of the game, for example hexapawn."
        ),
    ] = ORDER[0],
    plain: Annotated[bool, typer.Option("--plain", help="Take the lessons in text mode.")] = False,
    ascii: Ascii = False,
) -> None:
    """Learn a game. Use --plain for text mode."""
    from arcade.study.lessons import LessonProgress  # not at every start

    game = get_game(name)
    # Report errors in the lessons before the screen opens.
    LessonProgress(game)
    if not in_text_mode(plain):
        open_app(learning=game, ascii=ascii)
        return
    from arcade.commands.text_mode import take_lessons  # not at every start

    take_lessons(game)


@app.command()
def picture(
    game_id: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE|NUMBER",
            autocompletion=complete_game,
            help="Game ID such as chocobar:8x10, a match file, or the number of a saved match.",
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="A .svg or .txt file; with --animate .svg.",
        ),
    ],
    animate: Annotated[
        bool, typer.Option("--animate", help="Show the whole match, with the mark of each move.")
    ] = False,
    moves: Moves = "",
    values: Annotated[bool, typer.Option("--values", help="Show the value of every move.")] = False,
    seconds: Seconds = 10.0,
    theme: Annotated[Shade, typer.Option(help="Colour theme.")] = Shade.DARK,
    force: Force = False,
    ascii: Ascii = False,
) -> None:
    """Draw a position, or animate a match."""
    endings = (".svg",) if animate else (".svg", ".txt")
    ending = check_ending(output, *endings, extra=" with --animate" if animate else "")
    if animate and values:
        raise InputError("--values cannot be combined with --animate.")
    check_file(output, force)
    match = _pictured(game_id, moves)
    named = game_id.isdecimal() or match_file.is_name(game_id)
    revealed = not named or match.record().revealed
    if values and not revealed:
        raise InputError(
            "--values requires a finished match, because the values would be help that does not count. "
            "Finish the match first, or remove --values."
        )
    if not revealed:
        match = Match.from_record(match.record().shown(), match.guests)
    if animate and not match.line:
        raise InputError("--animate requires a match with moves.")
    with importing():
        from arcade.play.headless import look_back  # not at every start
        from arcade.screens import picture as drawing  # loads Textual
        from arcade.screens.svg import svg  # loads Textual

    if animate:
        if revealed:
            run_interruptible(
                partial(look_back, match), lambda control: f"reviewing the moves, {control.seconds:.0f} s"
            )
        frames, ground = drawing.render_animation(match, theme, ascii)
    else:
        known = []
        if values:
            seen, solver = match.position_of(drawing.shown_board(match)), match.game.solver
            known = run_interruptible(lambda control: solver.moves(seen, control), solver.progress, seconds)
        frames, ground = drawing.render_image(match, known, theme, ascii)
    with showing_progress(lambda: "drawing the picture"):
        content = svg(frames, ground) if ending == ".svg" else frames[0].text()
    write_file(output, content, force)


def _pictured(game_id: str, moves: str) -> Match:
    seats = ""
    if game_id.isdecimal():
        if moves:
            raise InputError("--moves requires a game ID: a saved match already contains its moves.")
        if int(game_id) > MAX_NUMBER:
            raise InputError(f"Unknown match {game_id}. Run arcade matches list to see the numbers.")
        with open_store() as store, load_machines() as machines:
            return Match.from_record(store.match(int(game_id)).record, machines)
    if not match_file.is_name(game_id):
        seats = ",".join([HUMAN] * min_players(parse_game_id(game_id).game))
    return opened(game_id, seats, moves, None)


def preset_ids(game: AnyGame) -> list[str]:
    return [f"{game.name}:{board}".removesuffix(":") for board in game.parameters.boards]


def game_json(game: AnyGame) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "summary": game.summary,
        "kind": "race" if isinstance(game, RaceGame) else "duel",
        "parameters": [parameter_json(parameter) for parameter in game.parameters],
        "presets": preset_ids(game),
        "players": [kind.name for kind in player_kinds(game)],
    }


def parameter_json(parameter: Parameter) -> dict[str, Any]:
    described = asdict(parameter)
    if type(parameter.default) is not int:
        del described["low"], described["high"]
    return {key: value for key, value in described.items() if value not in ("", ())}


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games with their parameters, presets and players."""
    installed = installed_games()
    for complaint in load_errors():
        print_error(complaint)
    if as_json:
        print_json([game_json(game) for game in installed])
        return
    for number, game in enumerate(installed):
        if number:
            print_line("")
        print_line(f"{game.name}: {game.summary}")
        for parameter in game.parameters:
            limits = f"{parameter.low} to {parameter.high}, " if type(parameter.default) is int else ""
            print_line(f"  {parameter.name}: {limits}default {parameter.default}")
        print_line(f"  presets: {', '.join(preset_ids(game))}")
        print_line("  players:")
        width = max(len(kind.name) for kind in player_kinds(game))
        print_line(*(f"    {kind.name:{width}}  {kind.summary}" for kind in player_kinds(game)))


@app.command()
def warm(
    only: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", autocompletion=complete_game, help="Compile only these games."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compile the solvers ahead of time."""
    took, unsaved = {}, ""
    # Check all names before compiling the first game.
    for game in [get_game(name) for name in only or ()] or installed_games():
        started = time.perf_counter()
        try:
            with showing_progress(partial("compiling the solver of {}".format, game.title)):
                compile_kernels(game.name)
        except InputError as error:
            unsaved = str(error)
        took[game.name] = round(time.perf_counter() - started, 3)
        if not as_json:
            print_line(f"{game.name} ready in {took[game.name]:.1f} s", flush=True)
    if as_json:
        print_json(took)
    if unsaved:
        print_error(f"arcade: {unsaved}")
        raise typer.Exit(1)


@app.command()
def watch(
    game_id: GameId,
    seats: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            callback=check_utf8,
            help="Engines that play, for example beginner,club or depth:3,perfect.",
        ),
    ] = "",
    count: Annotated[
        int,
        typer.Option(
            "--matches",
            "--games",
            metavar="N",
            parser=whole_number(1, 1_000_000_000),
            help="Number of matches.",
        ),
    ] = 1,
    seed: ChoiceSeed = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="Print the moves instead of opening the app.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", parser=parse_seconds, help="Time limit for each move (requires --headless)."
        ),
    ] = None,
    as_json: AsJson = False,
    ascii: Ascii = False,
) -> None:
    """Watch engines play each other. With --headless, print their moves as text."""
    from arcade.commands.watch import watch_headless  # not at every start

    parsed = parse_game_id(game_id)
    players = seats.split(",") if seats else [parsed.game.players.best, "random"]
    if HUMAN in players:
        raise InputError("The command arcade watch accepts engines only. To play yourself, use arcade play.")
    if seconds is not None and not (headless or as_json):
        raise InputError("--seconds requires --headless.")
    with load_machines() as machines:
        match = new_match(parsed, players, machines, seed)
        if headless or as_json:
            watch_headless(match, count, seconds, as_json)
            return
    match.matches_left = count - 1
    open_app(opening=match, ascii=ascii)


@app.command()
def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = LOOPBACK[0],
    port: Annotated[
        int, typer.Option(metavar="N", parser=whole_number(1, 65_535), help="Port to listen on.")
    ] = 8000,
) -> None:
    """Serve the arcade as a web page for browsers on this computer."""
    if host not in LOOPBACK:
        raise InputError(
            f"--host: expected 127.0.0.1, localhost or ::1, found {host!r}, because the page has access to "
            "your files. To let others in, use an authenticating proxy; see docs/hosting.md."
        )
    try:
        from arcade.web.server import serve as serve_pages  # loads aiohttp
    except ImportError:
        raise InputError("arcade serve needs textual-serve: pip install 'solver-arcade[serve]'.") from None
    serve_pages(host, port)


@cache
def command_line() -> Any:
    return typer.main.get_command(app)


def do(arguments: list[str]) -> Any:
    """Run the command and return its exit code; any other return value means 0.

    Raises InputError, TyperException or KeyboardInterrupt.
    """
    code = command_line()(arguments, prog_name="arcade", standalone_mode=False)
    if code == STOPPED:
        # Typer returns this after Ctrl+C.
        raise KeyboardInterrupt
    return code


def drop_output() -> None:
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: list[str]) -> int:
    """Run a command line and return the exit code. Invalid input prints one sentence and returns 2."""
    for stream in (sys.stdout, sys.stderr):
        # Escape characters that are missing from the terminal's encoding, for example as \\xd7.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with interruptible():
            code = do(arguments)
            if sys.stdout is not None:
                sys.stdout.flush()
    except (InputError, typer.TyperException) as error:
        print_error(f"arcade: {sentence(error)}")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print_error("arcade: stopped.")
        return STOPPED
    except ProcessError as error:
        print_error(f"arcade: {error}")
        return 1
    except BrokenPipeError:
        # The reader, such as head, has closed the pipe.
        drop_output()
        return 0
    except OSError as error:
        drop_output()
        try:
            os.getcwd()
        except OSError:
            print_error("arcade: The current directory no longer exists. Change to another one.")
            return 2
        if error.filename is not None:
            print_error(f"arcade: Cannot use {str(error.filename)!r}: {error.strerror}.")
            return 2
        # Standard output failed, for example on a full disk.
        print_error(f"arcade: Cannot write the output: {error.strerror}.")
        return 1
    except Exception as error:
        said = failing_file(error)
        if not said:
            raise
        print_error(f"arcade: {said}")
        return 1
    return code if isinstance(code, int) else 0
