"""Error messages for a bad command line: one sentence that names the bad part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from arcade.engines.errors import InputError

LONGEST = 400
"""Most characters of a message; a longer one repeats a very long argument, so its middle is cut."""


def takers(command: Any, option: str, path: str = "") -> Iterator[str]:
    """The commands below a command that take an option, and the command itself."""
    if any(option in (*each.opts, *each.secondary_opts) for each in command.params):
        yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from takers(below, option, f"{path} {name}".strip())


def misplaced(error: typer.TyperException) -> str:
    """Where an option belongs that stands at another place; empty if that is not what is wrong."""
    option, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    if option is None or context is None:
        return ""
    found = list(takers(context.find_root().command, option))
    if context.parent is None and found and "" not in found:
        return f"The option {option} stands behind a command, as in arcade {found[0]} {option}."
    if context.parent is not None and found == [""]:
        return f"The option {option} stands before the command, as in arcade {option} {context.info_name}."
    return ""


def sentence(error: InputError | typer.TyperException) -> str:
    """The sentence for an error of a command or of typer."""
    if isinstance(error, InputError):
        text = str(error)
    else:
        # typer's messages may begin with a small letter. Ours never do, unless a name comes first.
        text = misplaced(error) or error.format_message().replace(". Did you mean", "; did you mean")
        text = f"{text[:1].upper()}{text[1:]}"
    text = " ".join(text.split())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
    return text if text.endswith((".", "?")) else f"{text}."
