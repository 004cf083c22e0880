"""The command line. Results go to standard output, messages to standard error."""

import os
import sys
from functools import cache
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from arcade import __version__
from arcade.commands.common import print_error, print_line, sentence
from arcade.commands.full_screen import open_app
from arcade.commands.lazy import COMMANDS, MATCHES, LazyCommand, LazyGroup
from arcade.commands.options import Ascii, PlainText
from arcade.engines.files import InputError, ProcessError
from arcade.engines.registry import ORDER, commands_help, failing_file, take_folder
from arcade.startup import STOPPED, interruptible

app = typer.Typer(
    help="Small games of strategy against opponents that have solved them.",
    rich_markup_mode=None,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def not_loaded() -> None:
    """Do nothing. This is a placeholder: `LazyCommand` calls the real function of the command."""


for name, lazy in COMMANDS.items():
    app.command(name, short_help=lazy.summary, cls=LazyCommand)(not_loaded)
app.add_typer(typer.Typer(), name="matches", help=MATCHES, cls=LazyGroup)
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
        # The app's helper process reads the environment, too.
        if not data or "\0" in data:
            raise InputError(
                f"Invalid data folder {data!r}: a name cannot be empty or contain a null character."
            )
        os.environ["ARCADE_DATA"] = data
    if own is not None:
        take_folder(own)
    given = {"ascii": ascii, "plain": plain, "headless": plain}
    context.default_map = dict.fromkeys(command_line().commands, given)
    if context.invoked_subcommand is None and plain:
        from arcade.commands.menu import menu_in_text_mode  # loads text mode

        menu_in_text_mode(ascii, do)
    elif context.invoked_subcommand is None:
        open_app(ascii=ascii)


@cache
def command_line() -> Any:
    return typer.main.get_command(app)


def do(arguments: list[str]) -> Any:
    """Run a command and return its exit code. A return value that is not an integer means 0.

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
    """Run a command line and return its exit code. If it is invalid, print a sentence and return 2."""
    for stream in (sys.stdout, sys.stderr):
        # Escape characters that the terminal's encoding lacks.
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
