from pathlib import Path
from typing import Any, cast

import pytest

import arcade
from arcade.engines.files import InputError
from arcade.engines.registry import game_of
from arcade.engines.verdict import Proof, ScoreVerdict
from tests.narrow import expect

PAGE = (Path(__file__).parent.parent / "docs" / "library.md").read_text("utf-8")
BLOCKS = [block.split("```")[0] for block in PAGE.split("```python\n")[1:]]


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_library_page_examples_run(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "docs/library.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out


def test_five_line_example_prints_expected_results(capsys: pytest.CaptureFixture[str]) -> None:
    position = arcade.load("hexapawn:4x4")
    assert str(position).splitlines()[0] == "4 p p p p"
    assert str(arcade.verdict(position, seconds=2)) == "White wins in 11 plies (proved)."
    assert [f"{each.move} {each.verdict}" for each in arcade.moves(position)][1] == (
        "b2 Black wins in 12 plies (proved)."
    )
    played = list(arcade.play_matches("hexapawn:4x4", "perfect", "random", games=5, seed=1))
    assert [match.winner for match in played] == ["White"] * 5
    assert len({str(match.moves) for match in played}) > 1
    assert str(played[0].moves) == str(
        next(arcade.play_matches("hexapawn:4x4", "perfect", "random", seed=1)).moves
    )


def test_score_verdict_prints_as_text() -> None:
    verdict = expect(ScoreVerdict, arcade.verdict(arcade.load("honshu:5x2#1"), seconds=5))
    assert str(verdict).endswith("(proved).")


def test_verdict_without_time_is_not_exact() -> None:
    assert arcade.verdict(arcade.load("hexapawn:8x8"), seconds=0).proof is not Proof.EXACT


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ((), "Add them after the game ID"),
        (("human", "random"), "Only engines"),
        (("wizard", "random"), "wizard"),
    ],
)
def test_invalid_seats_are_refused(seats: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        next(arcade.play_matches("chocobar:2x3", *seats))


def test_every_exported_name_exists() -> None:
    for name in arcade.__all__:
        assert getattr(arcade, name) is not None
    assert set(dir(arcade)) == set(arcade.__all__)
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = arcade.nothing_such


def test_game_id_instead_of_a_position_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"Make a position with arcade\.load\(GAME_ID\)"):
        arcade.verdict(cast(Any, "hexapawn:4x4"))


def test_game_of_finds_the_game_of_a_position() -> None:
    for game in arcade.games():
        assert game_of(game.new({})) is game
