"""The squares that a scene's words speak of are marked on its board."""

import pytest

from arcade.engines.registry import parse_game_id
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.scene import CoachScene, EndScene, VerdictScene
from tests.play.front import Front

pytestmark = pytest.mark.usefixtures("instant")


def front_of(text: str, *moves: str, seats: tuple[str, ...] = (HUMAN, HUMAN)) -> Front:
    match = new_match(parse_game_id(text), seats, seed=1)
    for move in moves:
        match.play(match.game.parse_move(move, match.position))
    front = Front(match)
    front.session.start()
    return front.settle()


@pytest.mark.parametrize("board", ["chocobar:3x4", "hexapawn:3x3", "menace", "honshu:6x4#1"])
def test_first_hint_step_marks_where_to_look(board: str) -> None:
    front = front_of(board)
    assert not front.session.scene.board.squares
    front.do("hint")
    hint = front.session.state.hint
    assert hint is not None
    assert front.session.scene.board.squares == set(hint.region.squares) != set()
    front.do("hint")
    assert front.session.scene.board.hinted == hint.move
    assert not front.session.scene.board.squares


def test_reason_one_move_away_marks_its_squares_at_once() -> None:
    front = front_of("chocobar:6x6:6.5.4.2")
    front.do("hint").do("hint").do("hint")
    hint = front.session.state.hint
    assert hint is not None
    assert hint.reason == 1
    assert front.session.scene.board.squares == set(hint.squares)
    assert "two rows" in hint.why
    assert (0, 3) in hint.squares
    assert (2, 1) not in hint.squares


def test_coach_marks_the_mistake_and_its_answer() -> None:
    front = front_of("chocobar:4x5", seats=(HUMAN, "perfect")).play("(3,1)")
    told = front.session.scene.verdict
    assert isinstance(told, CoachScene)
    ply = front.session.match.line[0]
    assert told.mistake
    assert ply.squares
    assert front.session.scene.board.squares == {(2, 0), *ply.squares}


def lost(board: str, *moves: str) -> Front:
    front = front_of(board, *moves, seats=(HUMAN, "perfect"))
    front.do("resign")
    assert front.session.match.finished
    return front


@pytest.mark.parametrize(
    ("board", "moves", "right", "squares"),
    [
        ("chocobar:3x4", ("(2,1)",), "(2,3) was right", {(1, 2)}),
        ("hexapawn:3x3:ppp/P../.PP:b", ("bxa2",), "", set()),
        ("menace", ("b3", "b2", "a2", "c1", "a1"), "a3 was right", {(0, 0)}),
    ],
)
def test_end_card_marks_the_right_move(
    board: str, moves: tuple[str, ...], right: str, squares: set[tuple[int, int]]
) -> None:
    scene = lost(board, *moves).session.scene
    assert isinstance(scene.verdict, EndScene)
    assert right in scene.verdict.turning
    assert scene.board.squares == squares


def test_stepping_back_to_a_mistake_explains_and_marks_it() -> None:
    front = lost("chocobar:3x4", "(2,1)", "(1,2)")
    front.session.go_to(1)
    front.settle()
    said = front.session.scene.verdict
    assert isinstance(said, VerdictScene)
    assert "(2,1)" in said.comment
    assert (1, 0) in front.session.scene.board.squares
    front.session.go_to(0)
    front.settle()
    assert not front.session.scene.board.squares


def test_squares_of_reasons_are_kept_with_a_match() -> None:
    match = lost("chocobar:3x4", "(2,1)", "(1,2)").session.match
    assert match.line[0].squares
    again = Match.from_record(type(match.record()).from_json(match.record().to_json()))
    assert [ply.squares for ply in again.line] == [ply.squares for ply in match.line]
