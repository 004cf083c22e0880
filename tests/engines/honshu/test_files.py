from pathlib import Path

import pytest

from arcade.engines.files import InputError
from arcade.engines.honshu.game import GAME, load
from arcade.engines.honshu.tiles import Deal, TileSet, parse_deal, parse_tiles, published_tiles, read_tiles
from arcade.engines.registry import parse_game_id
from tests.narrow import present
from tests.refusals import refused, refuses

DATA = Path(__file__).parents[2] / "data" / "honshu"


def test_packaged_tiles_match_the_published_file() -> None:
    assert published_tiles() == read_tiles(DATA / "tuiles")
    assert [tile.id for tile in published_tiles().tiles] == list(range(21))
    assert published_tiles().by_id[20].rotated(0) == ("LP", "VR", "FV")


def test_published_games_are_loaded() -> None:
    first, second = load(str(DATA / "Partie1")), load(str(DATA / "Partie2"), str(DATA / "tuiles"))
    assert (first.size, first.start.id) == (9, 0)
    assert [tile.id for tile in first.tiles] == [13, 7, 2, 17, 12, 20, 5, 18, 2, 8, 19, 3]
    assert (second.size, second.start.id) == (10, 12)
    assert len(second.hand) == 12


test_faulty_game_files_are_refused = refuses(
    lambda file: load(str(DATA / file)),
    ("grille_mauvais_format", "line 1: expected the size of the board and the number of tiles, found"),
    ("grille_mauvais_identifiant_tuile", "line 3: there is no tile 23; the tiles are 0 to 20."),
    ("grille_pas_assez_tuiles", "line 2: expected a line of 3 tile ids, found 1 number."),
    begin="File ",
)


test_faulty_tile_files_are_refused = refuses(
    lambda file: read_tiles(DATA / file),
    ("tuiles_mauvais_terrain", "line 4: 'T' is not a terrain; the terrains are P, F, L, V, R, U."),
    ("tuiles_pas_assez_tuiles", "line 5: expected the id of tile 2 of 2, found the end of the file."),
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "0",
        "-1",
        "1\n0\nPP\nPP",
        "1\n0\nPP\nPPP\nPP",
        "2\n0\nPP\nPP\nPP\n0\nPP\nPP\nPP",
        "1\n0\nPP\nPP\nPP\n9",
    ],
)
def test_malformed_tiles_are_refused_with_the_line(text: str) -> None:
    refused(r"^[A-Z][^\n]*line [0-9]+: [^\n]*\.$", parse_tiles, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9",
        "9 2\n0 1",
        "9 2\n0 1\n2 3",
        "4 1\n0\n0",
        "17 1\n0\n0",
        "9 0\n\n0",
        "9 21\n0\n0",
        "9 1\n0\n0\n0",
        "9 1\n0\n٣",
    ],
)
def test_malformed_games_are_refused_with_the_line_number(text: str) -> None:
    with pytest.raises(InputError, match=r"^[A-Z][^\n]*line [0-9]+: [^\n]*\.$"):
        parse_deal(text, published_tiles())


def test_tile_and_game_files_round_trip() -> None:
    tiles = published_tiles()
    assert parse_tiles(tiles.text()) == tiles
    deal = Deal(9, tiles.tiles[:3] + tiles.tiles[2:3], tiles.tiles[5])
    assert parse_deal(deal.text()) == deal
    published = "\n".join(deal.text().splitlines()[:3])
    assert parse_deal(published) == parse_deal(published, tiles) == deal
    assert isinstance(tiles, TileSet)


def test_unreadable_tile_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "bytes"
    file.write_bytes(b"\xff\xfe\x00")
    for path in (file, tmp_path, tmp_path / "missing"):
        refused(r"[Tt]he tile file .*\.$", read_tiles, path)
    refused(r"^Cannot read the tile file .*\.$", read_tiles, "a\0b")


def test_game_id_may_name_a_file() -> None:
    parsed = parse_game_id(f"honshu:{DATA / 'Partie1'},plains")
    assert parsed.start() == load(f"{DATA / 'Partie1'},plains")
    assert str(parsed).startswith("honshu:9x12,plains:9,plains/0UFRPVV/13VVFPRU+")
    assert parse_game_id(str(parsed)).start() == parsed.start()


def test_game_id_may_be_only_a_position() -> None:
    text = "6,plains/0PPPPPP/1VVVVVV+2FFFFFF/1r0@4,3"
    assert parse_game_id(f"honshu:{text}").start().text() == text


def test_game_file_accepts_other_tiles(tmp_path: Path) -> None:
    tiles, game = tmp_path / "tiles", tmp_path / "game"
    tiles.write_text("2\n4\nPF\nLV\nRU\n7\nVV\nVV\nVV\n")
    game.write_text("6 1\n4\n7\n")
    assert parse_game_id(f"honshu:{game},tiles={tiles}").start().text() == "6/7VVVVVV/4PFLVRU/"
    assert parse_game_id(f"honshu:{game},tiles={tiles},plains").start().text() == "6,plains/7VVVVVV/4PFLVRU/"
    assert parse_game_id(f"honshu:{game}").start().text() != "6/7VVVVVV/4PFLVRU/"
    names = {"game": f"{game},plains", "tiles": str(tiles)}
    assert (
        present(GAME.parameters.files).read(names, GAME.parameters.parse("")).text()
        == "6,plains/7VVVVVV/4PFLVRU/"
    )
