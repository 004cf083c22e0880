"""Error messages for a bad command line: one sentence that names the bad part."""

from __future__ import annotations

import typer

from arcade.engines.errors import InputError

LONGEST = 400
"""Most characters of a message; a longer one repeats a very long argument, so its middle is cut."""


def sentence(error: InputError | typer.TyperException) -> str:
    """The sentence for an error of a command or of typer."""
    if isinstance(error, InputError):
        text = str(error)
    else:
        # typer's messages may begin with a small letter. Ours never do, unless a name comes first.
        text = error.format_message().replace(". Did you mean", "; did you mean")
        text = f"{text[:1].upper()}{text[1:]}"
    text = " ".join(text.split())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
    return text if text.endswith((".", "?")) else f"{text}."
