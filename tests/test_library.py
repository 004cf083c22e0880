from pathlib import Path

import pytest

import arcade
from arcade.engines.files import InputError
from arcade.engines.registry import game_of
from arcade.engines.verdict import Proof, ScoreVerdict
from tests.narrow import expect

PAGE = (Path(__file__).parent.parent / "docs" / "library.md").read_text("utf-8")
BLOCKS = [block.split("```")[0] for block in PAGE.split("```python\n")[1:]]


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_page_runs(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "docs/library.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out


def test_the_five_lines_print_what_they_promise(capsys: pytest.CaptureFixture[str]) -> None:
    position = arcade.load("hexapawn:4x4")
    assert str(position).splitlines()[0] == "4 p p p p"
    assert str(arcade.verdict(position, seconds=2)) == "White wins in 11 plies (proved)."
    assert [f"{each.move} {each.verdict}" for each in arcade.moves(position)][1] == (
        "b2 White loses in 12 plies (proved)."
    )
    played = list(arcade.play_matches("hexapawn:4x4", "perfect", "random", games=5, seed=1))
    assert [match.winner for match in played] == ["White"] * 5
    assert len({str(match.moves) for match in played}) > 1
    assert str(played[0].moves) == str(
        next(arcade.play_matches("hexapawn:4x4", "perfect", "random", seed=1)).moves
    )


def test_a_score_prints_too() -> None:
    verdict = expect(ScoreVerdict, arcade.verdict(arcade.load("honshu:5x2#1"), seconds=5))
    assert str(verdict).endswith("(proved).")


def test_no_time_gives_no_guess() -> None:
    assert arcade.verdict(arcade.load("hexapawn:8x8"), seconds=0).proof is not Proof.EXACT


@pytest.mark.parametrize(
    ("seats", "said"),
    [((), "Name the players"), (("human", "random"), "Only engines"), (("wizard", "random"), "wizard")],
)
def test_seats_that_cannot_play_are_refused(seats: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        next(arcade.play_matches("chocobar:2x3", *seats))


def test_every_name_that_is_offered_is_there() -> None:
    for name in arcade.__all__:
        assert getattr(arcade, name) is not None
    assert set(dir(arcade)) == set(arcade.__all__)
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = arcade.nothing_such


def test_positions_know_their_game() -> None:
    for game in arcade.games():
        assert game_of(game.new({})) is game
