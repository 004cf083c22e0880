"""The report's figures, by its methods as its text and as its program have them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.honshu import reference_methods
from arcade.engines.honshu.game import GAME, load
from arcade.engines.honshu.reference_methods import as_coded, as_coded_move, outcomes
from arcade.engines.honshu.tiles import parse_deal
from arcade.engines.registry import parse_game_id
from arcade.engines.seats import make_player, player_kinds
from tests.engines.honshu.oracle import final_score

DATA = Path(__file__).parents[2] / "data" / "honshu"
REPORT = DATA / "PartieRapport"
METHODS = GAME.reference_methods.methods


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("in-order", "54"),
        ("expansion", "50"),
        ("greedy", "58"),
        ("in-order-as-coded", "33 reported, 31 on the map"),
        ("expansion-as-coded", "47"),
    ],
)
def test_method_results_match_the_report(name: str, answer: str) -> None:
    (method,) = (each for each in METHODS if each.name == name)
    assert method.solve(load(str(REPORT)), Control()).answer == answer


def test_methods_as_coded_place_the_expected_tiles() -> None:
    start = load(str(REPORT))
    dropping, reported = as_coded(start, False, Control())
    assert (len(dropping), reported) == (5, 33)
    again, reported = as_coded(start, True, Control())
    assert [move.tile for move in again] == [tile.id for tile in start.tiles]
    assert {move.rotation for move in (*dropping, *again)} == {reference_methods.NORTH}
    assert final_score(str(REPORT), [str(move) for move in again]) == reported == 47


@pytest.mark.parametrize("spread", [False, True])
def test_methods_as_coded_play_the_same_in_a_match(spread: bool) -> None:
    position = load(str(REPORT))
    moves, _ = as_coded(position, spread, Control())
    for move in moves:
        assert as_coded_move(spread, position, Control()) == move
        position = position.play(move)
    while position.outcome() is None:
        position = position.play(as_coded_move(spread, position, Control()))
    assert len(position.laid) == len(position.tiles)


def test_report_preset_matches_its_file() -> None:
    start = load(str(REPORT))
    assert parse_game_id("honshu:9x11,report").start() == start
    assert GAME.parameters.text(GAME.parameters.of(start)) == "9x11,report"
    # IDs from before it had a name stay good.
    assert parse_game_id(f"honshu:9x11:{start.text()}").start() == start
    with pytest.raises(InputError, match="Write 9x11,report"):
        parse_game_id("honshu:9x12,report")


def test_fourth_line_of_a_game_file_selects_the_variant(tmp_path: Path) -> None:
    file = tmp_path / "game"
    for number, name in enumerate(("lakes2", "plains", "factories2", "squares", "forests5"), 1):
        file.write_text(f"{REPORT.read_text()}\n{number}\n")
        assert load(str(file)).variants == {name}
        # Then the file's own tiles.
        deal = parse_deal(file.read_text())
        assert parse_deal(deal.text()) == deal
    assert load(f"{file},plains").variants == {"forests5", "plains"}
    with pytest.raises(InputError, match="'forests5' is given twice"):
        load(f"{file},forests5")
    for bad in ("6", "x"):
        file.write_text(f"{REPORT.read_text()}\n{bad}\n")
        with pytest.raises(InputError, match=r"line [45]: "):
            load(str(file))


def test_outcome_count_matches_the_report() -> None:
    assert f"{outcomes(9, 12):.1e}" == "6.4e+38"


def test_mixed_method_tries_more_with_fewer_placed_tiles() -> None:
    start = GAME.new(GAME.parameters.parse("5x3"), 4)
    names = [f"mixed-{rest}" for rest in (1, 2, 3)]
    works = {each.name: each.solve(start, Control()) for each in METHODS if each.name in names}
    tried = [works[name].positions or 0 for name in names]
    assert tried[0] < tried[1] < tried[2]
    scores = [int(works[name].answer) for name in names]
    assert scores == sorted(scores)


def test_reference_method_players_are_listed_last() -> None:
    names = [kind.name for kind in player_kinds(GAME)]
    methods = [method.name for method in METHODS if method.choose is not None]
    assert len(methods) == 5
    below = [name for name in methods if name != "greedy"]
    assert names[-5:] == ["mixed", *below], "greedy is Beginner"
    position = GAME.new(GAME.parameters.parse("5x3"), 4)
    for name in methods:
        assert make_player(GAME, name).choose(position, random.Random(1), Control()) in position.moves()
