"""`arcade matches`, `arcade stats` and `arcade where` as a person uses them."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arcade.cli import run
from arcade.engines.registry import parse_game_id
from arcade.match.match import Match
from arcade.match.record import Coach
from arcade.store.file import FILE_NAME
from arcade.store.store import open_store
from arcade.study.statistics import statistics


def save(start: str, seats: tuple[str, ...], resigned: int = 0, helped: bool = False) -> int:
    match = Match(parse_game_id(start), seats)
    match.play(match.position.moves()[0])
    match.resign(resigned)
    with open_store() as store:
        return store.save_match(replace(match.record(), coach=Coach.QUIET, takebacks=int(helped)))[0]


@pytest.fixture
def saved() -> list[int]:
    return [
        save("chocobar:3x4", ("human", "club")),
        save("chocobar:3x4", ("sees:3", "human"), helped=True),
        save("menace", ("human", "perfect"), 1),
    ]


def shell(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    """What a command writes to standard output and to standard error."""
    assert run(list(words)) == code, capsys.readouterr()
    return capsys.readouterr()


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(shell(capsys, *words, "--json")[0])


def test_matches_are_listed_and_found(saved: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    def numbers(*options: str) -> list[int]:
        return [each["number"] for each in as_json(capsys, "matches", "list", *options)]

    assert numbers() == saved[::-1]
    assert numbers("--game", "chocobar", "--unaided") == saved[:1]
    assert numbers("--ended", "won") == [saved[2], saved[1]]
    assert numbers("--search", "sees 3x4") == saved[1:2]
    out, err = shell(capsys, "matches", "list", "--limit", "1")
    assert len(out.splitlines()) == 1
    assert "MENACE, won" in out
    assert err == "3 matches in all; --limit shows more.\n"
    assert shell(capsys, "matches", "list", "--ended", "unfinished") == ("", "There is no such match.\n")
    assert "with help" in shell(capsys, "matches", "list", "--game", "chocobar")[0].splitlines()[0]


def test_a_match_is_shown_with_its_moves(saved: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = shell(capsys, "matches", "show", str(saved[1]))
    assert "chocobar:3x4\nseats: sees:3, human\nmoves: " in out
    assert "Help: 1 move taken back." in out
    found = as_json(capsys, "matches", "show", str(saved[1]))
    assert (found["start"], found["seen"], len(found["moves"])) == ("chocobar:3x4", "win", 1)


def test_matches_go_to_a_file_and_come_back(
    saved: list[int], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.match"
    assert shell(capsys, "matches", "export", "--file", str(file))[1] == "Exported 3 matches.\n"
    assert "already a file" in shell(capsys, "matches", "export", "--file", str(file), code=2)[1]
    one, _ = shell(capsys, "matches", "export", str(saved[0]))
    assert one.count("[Match ") == 1
    monkeypatch.setenv("ARCADE_DATA", str(tmp_path / "other"))
    assert as_json(capsys, "matches", "import", str(file)) == {"imported": 3, "known": 0}
    told = "Imported 0 matches; 3 matches were there already.\n"
    assert shell(capsys, "matches", "import", str(file))[1] == told
    file.write_text(file.read_text() + '[Match "1"]\n')
    _, err = shell(capsys, "matches", "import", str(file), code=2)
    assert err.startswith("arcade: Nothing is imported, because of match 4: ")
    assert len(as_json(capsys, "matches", "list")) == 3


class AtTerminal(io.StringIO):
    """Standard input as somebody types it."""

    def isatty(self) -> bool:
        return True


def test_deleting_asks_once_and_is_undone(
    saved: list[int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def left() -> list[int]:
        return [each["number"] for each in as_json(capsys, "matches", "list")]

    for answer, expected in (("n\n", saved[::-1]), ("y\n", saved[1:][::-1])):
        monkeypatch.setattr("sys.stdin", AtTerminal(answer))
        out, err = shell(capsys, "matches", "delete", str(saved[0]))
        assert (out, err.count("?")) == ("", 1)
        assert left() == expected
    shell(capsys, "matches", "delete", "--undo")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert "--yes" in shell(capsys, "matches", "delete", str(saved[0]), code=2)[1]
    assert "no match 99" in shell(capsys, "matches", "delete", str(saved[0]), "99", "--yes", code=2)[1]
    assert left() == saved[::-1]
    shell(capsys, "matches", "delete", str(saved[0]), str(saved[2]), "--yes")
    assert left() == saved[1:2]
    assert shell(capsys, "matches", "delete", "--undo")[1] == "Restored 2 matches.\n"
    assert left() == saved[::-1]
    assert shell(capsys, "matches", "delete", "--undo")[1] == "There is nothing to bring back.\n"
    assert "numbers" in shell(capsys, "matches", "delete", code=2)[1]


@pytest.mark.parametrize("words", [("show", "99"), ("show", "x"), ("list", "--game", "go"), ("export", "99")])
def test_what_is_not_there_is_said(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    out, err = shell(capsys, "matches", *words, code=2)
    assert out == ""
    assert err.count("\n") == 1


def test_the_records_are_those_of_the_store(saved: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    found = {each["game"]: each for each in as_json(capsys, "stats")}
    assert found["chocobar"]["all"]["all"] == {"won": 1, "tied": 0, "lost": 1}
    assert found["chocobar"]["unaided"]["by_opponent"] == {"club": {"won": 0, "tied": 0, "lost": 1}}
    with open_store() as store:
        assert [each.json() for each in statistics(store)] == list(found.values())
    out, _ = shell(capsys, "stats")
    rows = [line.split() for line in out.splitlines()]
    assert ["against", "Sees", "3", "1", "0", "0", "0", "0", "0"] in rows
    assert ["longest", "1", "0"] in rows


def test_nothing_played_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert shell(capsys, "stats") == ("", "You have not finished a match yet.\n")


def test_where_the_data_are(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell(capsys, "where") == (f"{data_folder / FILE_NAME}\n", "")
    assert as_json(capsys, "where") == {
        "folder": str(data_folder),
        "file": str(data_folder / FILE_NAME),
        "bytes": None,
    }
