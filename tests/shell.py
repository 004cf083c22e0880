"""Command lines as a shell runs them."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

import pytest

from arcade.cli import run


class Shell:
    """Runs command lines in this process and returns what they write."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str, code: int = 0) -> tuple[str, str]:
        self.capsys.readouterr()
        assert run(list(words)) == code, self.capsys.readouterr()
        return self.capsys.readouterr()

    def json(self, *words: str, code: int = 0) -> Any:
        return json.loads(self(*words, "--json", code=code)[0])

    def refused(self, *words: str) -> str:
        """The one sentence by which a command line is refused."""
        out, error = self(*words, code=2)
        assert out == ""
        assert error.startswith("arcade: ")
        assert error.count("\n") == 1
        return error


def python(
    *arguments: str, code: int = 0, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """What a Python of its own has written, which ended by a code."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def program(text: str, *arguments: str, **options: Any) -> str:
    """What a program in Python has printed."""
    return python("-c", textwrap.dedent(text), *arguments, **options).stdout
