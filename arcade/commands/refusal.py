"""What a person is told of a command line that is wrong: one sentence, with the part that is bad."""

from __future__ import annotations

import re

import typer

from arcade.engines.game import InputError

LONGEST = 400
"""Characters of a sentence; what is longer has repeated a very long argument, whose middle is left out."""

_WORDS = (
    (r"Input should be a valid integer\b.*", "must be a whole number"),
    (r"Unable to parse input string as an integer\b.*", "must be a smaller number"),
    (r"Input should be a valid number\b.*", "must be a number"),
    (r"Input should be greater than or equal to (\S+)", r"must be at least \1"),
    (r"Input should be less than or equal to (\S+)", r"must be at most \1"),
    (r"Input should be (.*)", r"must be \1"),
    (r"Value error, embedded null byte", "must not hold a zero byte"),
)
"""How the library that reads the command line says what it expected, and how we say it."""


def sentence(error: InputError | typer.TyperException) -> str:
    """The sentence for an error of a command, or of the library that reads the command line."""
    text = str(error) if isinstance(error, InputError) else _own_words(error.format_message())
    text = " ".join(text.split())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
    text = f"{text[:1].upper()}{text[1:]}".replace(". Did you mean", "; did you mean")
    return text if text.endswith((".", "?")) else f"{text}."


def _own_words(text: str) -> str:
    found = re.fullmatch(r"Invalid value for ('.*?'): (.*)", text, re.DOTALL)
    if found is None:
        return text
    name = found[1].replace("'", "")
    for expected, words in _WORDS:
        ours = re.fullmatch(expected, found[2].strip().rstrip("."), re.DOTALL)
        if ours is not None:
            return f"The value of {name} {ours.expand(words)}"
    return f"The value of {name} is bad: {found[2]}"
