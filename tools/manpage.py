"""Write the manual page docs/arcade.1 from the commands: `make man`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from arcade import __version__
from arcade.cli import command_line

PAGE = Path(__file__).parent.parent / "docs" / "arcade.1"

HEAD = f"""\
.TH ARCADE 1 "" "solver-arcade {__version__}" "User Commands"
.SH NAME
arcade \\- small games of strategy against opponents that have solved them
.SH SYNOPSIS
.B arcade
[\\fIOPTION\\fR]... [\\fICOMMAND\\fR [\\fIARGUMENT\\fR]...]
.SH DESCRIPTION
Without a command, the menu of the games opens in the terminal.
"""

TAIL = """\
.SH EXIT STATUS
0 after success, 2 for a bad argument or file, 130 after Ctrl+C, 1 for any other failure.
.SH ENVIRONMENT
.TP
.B ARCADE_DATA
The folder of matches, settings and machines, as with \\fB\\-\\-data\\fR.
.TP
.B TERM
In a terminal that is \\fBdumb\\fR, matches and lessons use text mode.
"""


def escaped(text: str) -> str:
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return re.sub(r"^([.'])", r"\\&\1", text)


def parameters(command: Any) -> Iterator[str]:
    context = typer.Context(command)
    for each in command.params:
        record = each.get_help_record(context)
        if record is not None:
            names = each.metavar if each.param_type_name == "argument" and each.metavar else record[0]
            yield f".TP\n.B {escaped(names)}\n{escaped(record[1])}\n"


def commands(group: Any, prefix: str = "") -> Iterator[str]:
    for name, command in group.commands.items():
        called = f"{prefix}{name}"
        yield f".SS {escaped(called)}\n{escaped(command.help or '')}\n"
        yield from parameters(command)
        if hasattr(command, "commands"):
            yield from commands(command, f"{called} ")


def page() -> str:
    root: Any = command_line()
    return "".join([HEAD, ".SH OPTIONS\n", *parameters(root), ".SH COMMANDS\n", *commands(root), TAIL])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
