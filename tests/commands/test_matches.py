import io
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arcade.commands.text_mode import text_mode_services
from arcade.engines.registry import parse_game_id
from arcade.play import exchange
from arcade.play.match import new_match
from arcade.store.file import FILE_NAME
from arcade.store.record import Coach
from arcade.store.store import open_store
from arcade.study.statistics import statistics
from tests.shell import Shell


def save(start: str, seats: tuple[str, ...], resigned: int = 0, helped: bool = False) -> int:
    match = new_match(parse_game_id(start), seats)
    match.play(match.position.moves()[0])
    match.resign(resigned)
    with open_store() as store:
        return store.save_match(replace(match.record(), coach=Coach.QUIET, takebacks=int(helped)))[0]


@pytest.fixture
def saved() -> list[int]:
    return [
        save("chocobar:3x4", ("human", "club")),
        save("chocobar:3x4", ("depth:3", "human"), helped=True),
        save("menace", ("human", "perfect"), 1),
    ]


def test_matches_are_listed_and_filtered(saved: list[int], shell: Shell) -> None:
    def numbers(*options: str) -> list[int]:
        return [each["number"] for each in shell.json("matches", "list", *options)]

    assert numbers() == saved[::-1]
    assert numbers("--game", "chocobar", "--unaided") == saved[:1]
    assert numbers("--ended", "won") == [saved[2], saved[1]]
    assert numbers("--search", "depth 3x4") == saved[1:2]
    out, err = shell("matches", "list", "--limit", "1")
    assert len(out.splitlines()) == 1
    assert "MENACE, won" in out
    assert err == "3 matches in all. Use --limit to show more.\n"
    assert shell("matches", "list", "--ended", "unfinished") == ("", "No matches found.\n")
    assert "with help" in shell("matches", "list", "--game", "chocobar")[0].splitlines()[0]


def test_match_is_shown_with_its_moves(saved: list[int], shell: Shell) -> None:
    out, _ = shell("matches", "show", str(saved[1]))
    assert "chocobar:3x4\nseats: depth:3, human\nmoves: " in out
    assert "Help: 1 move taken back." in out
    found = shell.json("matches", "show", str(saved[1]))
    assert (found["start"], found["seen"], len(found["moves"])) == ("chocobar:3x4", "win", 1)


def test_command_announces_that_it_waits_for_a_locked_file(
    saved: list[int], shell: Shell, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arcade.commands.common.NOTICE_SECONDS", 0)
    other = sqlite3.connect(data_folder / FILE_NAME, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.2, other.close)
    timer.start()
    said = shell("matches", "delete", str(saved[0]), "--yes")[1]
    timer.join()
    assert said == "Waiting for another program that has locked your data file.\nDeleted 1 match.\n"


def test_command_gives_up_waiting_for_locked_file(
    saved: list[int], shell: Shell, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arcade.commands.common.LOCK_SECONDS", 0)
    with closing(sqlite3.connect(data_folder / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        said = shell.refused("matches", "delete", str(saved[0]), "--yes")
    assert said.endswith("could not be written: another program has locked the file.\n")


def test_interrupted_import_reports_its_progress(
    saved: list[int], shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.match"
    shell("matches", "export", "--file", str(file))
    shell("matches", "delete", *map(str, saved), "--yes")
    batch, batches = exchange._import_batch, iter([1, 2])

    def interrupted(*given: Any) -> list[bool]:
        if next(batches) == 2:
            raise KeyboardInterrupt
        return batch(*given)

    monkeypatch.setattr(exchange, "MAX_BATCH_SIZE", 1)
    monkeypatch.setattr(exchange, "_import_batch", interrupted)
    said = shell("matches", "import", str(file), code=130)[1]
    assert said == (
        "Import stopped: 1 of 3 matches saved. Import the file again for the rest.\narcade: stopped.\n"
    )
    with open_store() as store:
        assert len(store.matches()) == 1


def test_quitting_text_mode_waits_for_locked_file(
    capsys: pytest.CaptureFixture[str], data_folder: Path
) -> None:
    with text_mode_services() as services:
        match = new_match(parse_game_id("chocobar:3x4"), ("human", "human"))
        match.play(match.position.moves()[0])
        other = sqlite3.connect(data_folder / FILE_NAME, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        services.save_match(match, None)
        timer = threading.Timer(0.2, other.close)
        timer.start()
    timer.join()
    said = capsys.readouterr().err.splitlines()
    assert said[0].endswith(
        "another program has locked the file. Waiting to save your progress. Press Ctrl+C to give up."
    )
    assert said[1:] == ["Everything is saved now."]
    with open_store() as store:
        assert len(store.matches()) == 1


def test_matches_are_exported_and_imported(
    saved: list[int], shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.match"
    assert shell("matches", "export", "--file", str(file))[1] == "Exported 3 matches.\n"
    assert "already exists" in shell("matches", "export", "--file", str(file), code=2)[1]
    one, _ = shell("matches", "export", str(saved[0]), str(saved[0]))
    assert one.count("[Match ") == 1
    monkeypatch.setenv("ARCADE_DATA", str(tmp_path / "other"))
    assert shell("matches", "export") == ("", "Exported 0 matches.\n")
    assert shell.json("matches", "import", str(file)) == {"imported": 3, "known": 0}
    told = "Imported 0 matches; 3 matches were already saved.\n"
    assert shell("matches", "import", str(file))[1] == told
    file.write_text(file.read_text() + '[Match "1"]\n')
    _, err = shell("matches", "import", str(file), code=2)
    assert err.startswith("arcade: Nothing was imported. Match 4: ")
    assert len(shell.json("matches", "list")) == 3


class AtTerminal(io.StringIO):
    """Standard input as somebody types it."""

    def isatty(self) -> bool:
        return True


def test_deletion_asks_once_and_can_be_undone(
    saved: list[int], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left() -> list[int]:
        return [each["number"] for each in shell.json("matches", "list")]

    for answer, expected in (("n\n", saved[::-1]), ("y\n", saved[1:][::-1])):
        monkeypatch.setattr("sys.stdin", AtTerminal(answer))
        out, err = shell("matches", "delete", str(saved[0]))
        assert (out, err.count("?")) == ("", 1)
        assert left() == expected
    shell("matches", "delete", "--undo")
    monkeypatch.setattr("sys.stdin", AtTerminal("y\n"))
    assert shell.refused("matches", "delete", str(saved[0]), "99").startswith("arcade: Unknown match 99.")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert "--yes" in shell("matches", "delete", str(saved[0]), code=2)[1]
    assert "Unknown match 99" in shell("matches", "delete", str(saved[0]), "99", "--yes", code=2)[1]
    assert left() == saved[::-1]
    shell("matches", "delete", str(saved[0]), str(saved[2]), "--yes")
    assert left() == saved[1:2]
    assert shell("matches", "delete", "--undo")[1] == "Restored 2 matches.\n"
    assert left() == saved[::-1]
    assert shell("matches", "delete", "--undo")[1] == "No deleted matches to restore.\n"
    assert "numbers" in shell("matches", "delete", code=2)[1]


@pytest.mark.parametrize(
    "words",
    [("show", "99"), ("show", "x"), ("list", "--game", "go"), ("export", "99"), ("export", "1", "--unaided")],
)
def test_invalid_match_requests_are_refused(words: tuple[str, ...], shell: Shell) -> None:
    shell.refused("matches", *words)


def test_stats_command_shows_saved_statistics(saved: list[int], shell: Shell) -> None:
    found = {each["game"]: each for each in shell.json("stats")}
    assert found["chocobar"]["all"]["all"] == {"won": 1, "tied": 0, "lost": 1}
    assert found["chocobar"]["unaided"]["by_opponent"] == {"club": {"won": 0, "tied": 0, "lost": 1}}
    with open_store() as store:
        assert [each.json() for each in statistics(store)] == list(found.values())
    out, _ = shell("stats")
    rows = [line.split() for line in out.splitlines()]
    assert ["against", "Depth", "3", "1", "(0)", "0", "(0)", "0", "(0)"] in rows
    assert ["longest", "1", "(0)"] in rows
    told = "Chocobar: 2 matches, 1 won, 0 tied, 1 lost; 0 won without help, winning streak: 1 now, 1 at most."
    assert told in shell("stats", "--plain")[0]


def test_damaged_matches_are_counted_and_skipped(saved: list[int], shell: Shell) -> None:
    with open_store() as store, store.together() as connection:
        connection.execute("UPDATE matches SET plies = 'many' WHERE id = ?", (saved[0],))
        connection.execute("UPDATE matches SET record = 'torn' WHERE id = ?", (saved[1],))
    assert "chocobar:3x4" in shell("matches", "show", str(saved[0]))[0]
    out, err = shell("matches", "list")
    assert len(out.splitlines()) == 2
    assert err == "1 saved match is damaged and cannot be read. It stays in the data file.\n"
    out, err = shell("matches", "export")
    assert out.count("[Match ") == 2
    assert err.startswith(
        "1 saved match is damaged and cannot be read. It stays in the data file.\nExported 2 "
    )


def test_stats_command_suggests_finishing_a_match_first(shell: Shell) -> None:
    assert shell("stats") == ("", "No records yet: finish a match first.\n")


def test_where_prints_the_data_file(data_folder: Path, shell: Shell) -> None:
    assert shell("where") == (f"{data_folder / FILE_NAME}\n", "")
    assert shell.json("where") == {
        "folder": str(data_folder),
        "file": str(data_folder / FILE_NAME),
        "bytes": None,
    }


def test_unfinished_match_output_hides_mistake_marks(shell: Shell, tmp_path: Path) -> None:
    match = new_match(parse_game_id("hexapawn:4x4"), ("human", "beginner"), seed=3)
    for move in ("b2", "d3", "d2", "a3"):
        match.play(match.game.parse_move(move, match.position))
    bad = replace(match.record(), marks=("threw it away",) * 4, reasons=("This loses.",) * 4)
    with open_store() as store:
        number, _ = store.save_match(bad)
    assert shell("matches", "export")[0].endswith("1. b2 2. d3 3. d2 4. a3 *\n")
    assert shell.json("matches", "show", str(number))["marks"] == [""] * 4
    assert "threw" not in shell("matches", "show", str(number))[0]
    moving = tmp_path / "moving.svg"
    file = tmp_path / "running.match"
    shell("matches", "export", "--file", str(file))
    for source in (str(number), str(file)):
        shell("picture", source, "--animate", "-o", str(moving), "--force")
        assert "gave away" not in moving.read_text()
        assert "values would be help" in shell.refused(
            "picture", source, "--values", "-o", str(tmp_path / "x.txt")
        )
        shell("picture", source, "-o", str(tmp_path / "still.txt"), "--force")
    # An open coach counts as help and shows them anyway.
    with open_store() as store:
        store.save_match(replace(bad, coach=Coach.OPEN), number, 1)
    assert "1. b2?? 2. d3??" in shell("matches", "export")[0]
    shell("picture", str(number), "--animate", "-o", str(moving), "--force")
    assert "gave away" in moving.read_text()


def test_moves_option_earns_no_record_or_star(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that a result for a chat ends with would give its star to anyone who pastes it."""
    typed = ("play", "chocobar:4x5", "--seats", "human,beginner", "--plain", "--moves")
    monkeypatch.setattr("sys.stdin", io.StringIO("save\nquit\n"))
    out, _ = shell(*typed, "1,2 4,1 2,1")
    assert "This match was played elsewhere, so it is not saved." in out
    monkeypatch.setattr("sys.stdin", io.StringIO("2,1\nreview\nquit\n"))
    out, _ = shell(*typed, "1,2 4,1")
    assert "moves played elsewhere, so no star." in out
    with open_store() as store:
        assert len(store.matches()) == 1
        assert store.beaten("chocobar", "perfect") == set()
        assert store.win_loss_counts() == {}
