"""Moves that are tried out in a finished match, as a variation of it."""

from arcade.play.match import HUMAN
from tests.narrow import present
from tests.play.front import Front, front_of


def reviewed() -> Front:
    """A finished match at its first position, in which two other moves are tried out."""
    front = front_of("chocobar:3x4", HUMAN, HUMAN).play("1,2", "3,1", "2,1").do("restart")
    return front.play("3,4", "2,2")


def shown(front: Front) -> tuple[str, tuple[str, ...], int]:
    scene = front.session.scene
    variation = present(scene.variation)
    return scene.progress, variation.moves, variation.tried


def test_tried_moves_are_shown_as_a_variation() -> None:
    front = reviewed()
    scene = front.session.scene
    assert shown(front) == ("variation, move 2", ("(3,4)", "(2,2)"), 2)
    assert scene.shown == 0
    assert [move.text for move in scene.moves] == ["(1,2)", "(3,1)", "(2,1)"]
    assert str(scene.board.last) == "(2,2)"
    assert [player.to_move for player in scene.players] == [True, False]
    front.play("1,2", "2,1")
    assert [player.to_move for player in front.session.scene.players] == [False, False], "it has ended"


def test_stepping_back_and_forward_keeps_the_variation() -> None:
    front = reviewed().do("back")
    assert shown(front) == ("variation, move 1", ("(3,4)", "(2,2)"), 1)
    assert [player.to_move for player in front.session.scene.players] == [False, True]
    assert shown(front.do("back")) == ("move 0/3", ("(3,4)", "(2,2)"), 0)
    front.do("forward").do("forward")
    assert shown(front) == ("variation, move 2", ("(3,4)", "(2,2)"), 2)
    assert "forward" in front.session.scene.refusals
    front.session.go_to(0, tried=1)
    assert shown(front.settle())[2] == 1


def test_different_move_starts_a_new_variation() -> None:
    front = reviewed().do("back").do("back").play("3,4")
    assert shown(front)[1:] == (("(3,4)", "(2,2)"), 1), "the same variation continues"
    assert shown(front.play("1,4"))[1:] == (("(3,4)", "(1,4)"), 2)
    assert shown(front.do("undo"))[1:] == (("(3,4)",), 1)


def test_variation_ends_when_the_match_continues() -> None:
    assert reviewed().do("put_away").session.scene.variation is None
    front = reviewed()
    front.session.go_to(1)
    assert front.settle().session.scene.variation is None
    assert front.session.scene.progress == "move 1/3"
