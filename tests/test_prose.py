"""The check of the project's English."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import prose

ALLOWED = f"Word{' word' * (prose.MAX_WORDS - 1)}"
LONG = f"{ALLOWED} word"


def complaints(folder: Path, name: str, text: str) -> list[tuple[int, str]]:
    file = folder / name
    file.write_text(text, "utf-8")
    return [each for passage in prose.passages(file) for each in prose.complaints(passage)]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.md", "One line.\n\nThe match goes on.\n", 3),
        ("a.py", 'print("The match goes on.")\n', 1),
        ("a.py", "x = 1\n# The match goes on.\n", 2),
        ("a.py", '"""The match\n\ngoes on."""\n', 3),
        ("a.toml", 'title = "x"\nsay = "The match goes on."\n', 2),
    ],
)
def test_phrase_to_avoid_is_found_in_prose(tmp_path: Path, name: str, text: str, line: int) -> None:
    assert complaints(tmp_path, name, text) == [(line, "'goes on': continues, resumes")]


@pytest.mark.parametrize(
    "words", ["Whoever wins", "so many moves", "a match begins anew", "x, else y", "it was said"]
)
def test_every_listed_phrase_is_found(tmp_path: Path, words: str) -> None:
    assert len(complaints(tmp_path, "a.md", f"{words}.\n")) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"Short.\n\n{LONG}.\n"),
        ("a.py", f'\n\nx = ("{LONG[:60]}"\n    "{LONG[60:]}")\n'),
        ("a.py", f'\n\n"""{LONG}."""\n'),
    ],
)
def test_sentence_that_is_too_long_is_found_with_its_line(tmp_path: Path, name: str, text: str) -> None:
    ((line, complaint),) = complaints(tmp_path, name, text)
    assert line == 3
    assert complaint.startswith(f"a sentence of {prose.MAX_WORDS + 1} words: Word word")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"{ALLOWED}. {ALLOWED}.\n"),
        ("a.md", f"Run `goes on`:\n\n    nobody goes on\n    {LONG}\n\n    nobody\n\nThe end.\n"),
        ("a.md", f"Run:\n\n```\nnobody goes on {LONG}\n```\n"),
        ("a.py", 'WORDS = "whoever goes on"  # quotation\n'),
        ("a.py", f'PROGRAM = """\nimport sys\nsys.exit("nobody") {LONG}\n"""\n'),
        ("a.toml", 'words = "whoever goes on"  # quotation\n'),
    ],
)
def test_code_and_quotations_are_skipped(tmp_path: Path, name: str, text: str) -> None:
    assert complaints(tmp_path, name, text) == []


def test_text_after_code_is_checked(tmp_path: Path) -> None:
    text = "Run:\n\n    nobody\n\nNobody.\n\n```\nnobody\n```\nNobody.\n"
    assert [line for line, _ in complaints(tmp_path, "a.md", text)] == [5, 10]


def test_exit_code_reports_whether_problems_were_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text("A match.\n", "utf-8")
    bad.write_text("Nobody plays.\n", "utf-8")
    monkeypatch.setattr(sys, "argv", ["prose", str(good)])
    assert prose.main() == 0
    monkeypatch.setattr(sys, "argv", ["prose", str(good), str(bad)])
    assert prose.main() == 1
    assert "bad.md:1: 'Nobody'" in capsys.readouterr().out
