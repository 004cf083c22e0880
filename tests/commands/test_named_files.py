"""What is a file and what is not, and ~ in the path of one: the same in every command."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arcade.engines.files import looks_like_file
from arcade.engines.game_files import VARIABLE
from arcade.engines.registry import game_names, get_game, parse_game_id, rescan
from arcade.matches import match_from
from arcade.play.files import is_name, write_file
from arcade.play.match import Match, new_match
from arcade.services import Services
from tests.refusals import refused
from tests.shell import Shell

DATA = Path(__file__).parents[1] / "data"
BOARD = (DATA / "hexapawn" / "Config3x4_1").read_text()
DEAL = (DATA / "honshu" / "Partie1").read_text()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    return folder


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Other tests do not know the games that a test has named."""
    yield
    monkeypatch.undo()
    rescan()


def test_slash_or_extension_marks_a_file_name() -> None:
    assert all(map(looks_like_file, ("./4x4", "~/x", "folder/", "x.match", ".x.txt")))
    assert not any(map(looks_like_file, ("4x4", "9x12,plains", "", "X.O......")))


@pytest.mark.parametrize("name", game_names())
def test_game_id_is_never_read_as_a_file_in_the_current_folder(name: str) -> None:
    game = get_game(name)
    texts = ["", *game.parameters.boards]
    firsts = [parse_game_id(f"{name}:{text}") for text in texts]
    ids = [name, *(f"{name}:{text}" for text in texts), *(str(first.at(first.start())) for first in firsts)]
    before = [str(parse_game_id(id)) for id in ids]
    for text in {*ids, *texts, *(id.partition(":")[2] for id in ids)}:
        if text and "/" not in text:
            Path(text).write_text("not a board")
    assert [str(parse_game_id(id)) for id in ids] == before
    assert not any(map(is_name, ids))
    record = new_match(parse_game_id(ids[1])).record()
    assert str(Match.from_record(record).start) == record.start


def test_bare_file_name_error_suggests_a_path(shell: Shell, services: Services) -> None:
    Path("board").write_text(BOARD)
    Path("deal").write_text(DEAL)
    for command, way in {
        (
            "verdict",
            "hexapawn:board",
        ): "Hexapawn has no board 'board'. To open a file with that name, write ./board.",
        ("honshu", "score", "deal,plains"): "To open a file with that name, write ./deal,plains.",
        ("play", "board"): "Unknown game 'board'. To open a file with that name, write ./board.",
        ("picture", "board", "-o", "x.txt"): "To open a file with that name, write ./board.",
    }.items():
        assert way in shell.refused(*command)
    assert "write ./board" in refused("To open a file with that name", match_from, services, "board")
    assert parse_game_id("hexapawn:./board").position == ".p.p/pPP./P..P:w"
    assert parse_game_id("honshu:./deal,plains").parameters["plains"]


def test_typed_position_is_not_read_as_a_file(services: Services) -> None:
    start = match_from(services, ".p.p/pP../..PP:w", get_game("hexapawn")).start
    assert str(start) == "hexapawn:3x4:.p.p/pP../..PP:w"
    Path("mine.match").write_text("")
    refused("expected the version of the format", match_from, services, "mine.match", get_game("hexapawn"))


def test_tilde_expands_to_home_folder_in_file_arguments(shell: Shell, home: Path, here: Path) -> None:
    (home / "board").write_text(BOARD)
    match = new_match(parse_game_id("hexapawn:3x3"))
    match.play(match.position.moves()[0])
    assert write_file("~/mine", match.record()) == "~/mine.match"
    for command in (
        ["hexapawn", "value", "~/board"],
        ["hexapawn", "id", "~/board"],
        ["verdict", "hexapawn:~/board"],
        ["honshu", "deal", "-o", "~/deal", "--size", "5x2"],
        ["honshu", "score", "~/deal"],
        ["picture", "honshu:~/deal", "--output", "~/picture.txt"],
        ["honshu", "deal", "-o", "~/other", "--size", "5x2", "--tiles", str(DATA / "honshu" / "tuiles")],
        ["chocobar", "graph", "2x2", "-o", "~/graph"],
        ["chocobar", "strategy", "~/graph", "-o", "~/strategy"],
        ["chocobar", "check", "~/graph", "~/strategy"],
        ["verdict", "graph:~/graph"],
        ["verify", "hexapawn:3x3", "--certificate", "~/certificate"],
        ["verify", "--check", "~/certificate"],
        ["menace", "export", "MENACE", "~/bob"],
        ["menace", "import", "~/bob", "--name", "ann"],
        ["matches", "import", "~/mine.match"],
        ["matches", "export", "--file", "~/matches"],
    ):
        shell(*command)
    written = "board deal picture.txt other graph strategy certificate bob matches mine.match"
    assert {file.name for file in home.iterdir()} == {*written.split()}
    assert not [*here.iterdir()]
    assert is_name("~/board")


@pytest.mark.usefixtures("forgotten")
def test_tilde_expands_to_home_folder_in_folder_arguments(
    shell: Shell, home: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text("utf-8")
    (home / "mine").mkdir()
    (home / "mine" / "treblecross.py").write_text(page.split("```python\n")[1].split("```")[0])
    monkeypatch.delenv("ARCADE_DATA")
    for before in (["--data=~/arc"], []):
        assert shell.json(*before, "where")["file"] == str(home / "arc" / "arcade.sqlite")
        monkeypatch.setenv("ARCADE_DATA", "~/arc")
    monkeypatch.setenv(VARIABLE, "")
    assert "treblecross: " in shell("--games", "~/mine", "games")[0]
    monkeypatch.setenv(VARIABLE, "~/mine")
    rescan()
    assert "treblecross: " in shell("games")[0]
    monkeypatch.setenv(VARIABLE, "")
    assert shell("check", "~/mine/treblecross.py")[0].startswith("Checked on ")
    assert not [*here.iterdir()]


def test_where_prints_an_absolute_path(shell: Shell, here: Path) -> None:
    assert shell.json("--data=mine", "where")["folder"] == str(here / "mine")
