import shlex

import pytest

from arcade.commands.play import opened
from arcade.engines.chocobar.game import Chocobar
from arcade.engines.control import Control
from arcade.engines.move_lists import parse_moves
from arcade.engines.registry import parse_game_id
from arcade.play.headless import look_back
from arcade.play.match import Match, new_match
from arcade.play.sentences import chat_text
from arcade.store.record import Mark


def played(start: str, seats: tuple[str, ...], moves: str) -> Match:
    match = new_match(parse_game_id(start), seats)
    for move in parse_moves(match.game, moves, match.position):
        match.play(move)
    with Control() as control:
        look_back(match, control)
    return match


def test_chat_text_of_win_counts_only_human_moves() -> None:
    # On 2x2 the bite (2,2) wins; the last move leaves the poison alone.
    match = played("chocobar:2x2", ("human", "club"), "(2,2) (1,2) (2,1)")
    assert chat_text(match).splitlines() == [
        "Chocobar 2x2: I beat Club in 3 moves",
        "🟩🟩 2 of 2 right",
        "arcade play chocobar:2x2 --seats human,club --moves '(2,2) (1,2) (2,1)'",
    ]


def test_chat_text_marks_mistakes_and_reproduces_match(data_folder: object) -> None:
    match = played("chocobar:2x2", ("club", "human"), "(2,1) (1,2)")
    text = chat_text(match)
    assert text.splitlines()[0] == "Chocobar 2x2: I beat Club in 2 moves"
    assert "🟩 1 of 1 right" in text, "not Club's mistake"
    _, _, start, _, seats, _, moves = shlex.split(text.splitlines()[-1])
    again = opened(start, seats, moves, None)
    assert (again.seats, again.moves, again.winner) == (match.seats, match.moves, match.winner)
    watched = chat_text(played("chocobar:2x2", ("club", "casual"), "(2,1) (1,2)"))
    assert watched.splitlines()[:3] == [
        "Chocobar 2x2: Club against Casual. Second wins: First has nothing left but the poison.",
        "First 🟥 0 of 1 right",
        "Second 🟩 1 of 1 right",
    ]


@pytest.mark.usefixtures("instant")
def test_chat_text_of_solo_map_has_points_and_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    match = new_match(parse_game_id("honshu:6x3#5"), ("human",))
    while not match.finished:
        match.play(match.position.moves()[0])
    outcome = match.position.outcome()
    assert outcome is not None
    assert chat_text(match).splitlines()[0] == f"Honshu 6x3 #5: {outcome.score} points"
    match.plies[0].mark, match.plies[1].mark = Mark.INACCURACY, Mark.HINTED
    monkeypatch.setattr(match.game.explanations, "chat_drawing", lambda position: "🟦🟦\n🟫\x1b🟫")
    result, marks, *drawing, command = chat_text(match).splitlines()
    assert result == f"Honshu 6x3 #5: {outcome.score} points, best known {outcome.score}"
    assert marks == "🟨⬜⬜ 0 of 1 right"
    assert drawing == ["🟦🟦", "🟫\\x1b🟫"], "no control characters"
    assert command.startswith("arcade play 'honshu:6x3#5' --seats human --moves ")


def test_chat_text_of_resigned_map_has_no_points() -> None:
    for seats, told in ((("human",), "resigned"), (("human", "beginner"), "Beginner beat me in 0 moves")):
        match = new_match(parse_game_id("honshu:6x3#5"), seats)
        match.resign(0)
        assert chat_text(match).splitlines()[0] == f"Honshu 6x3 #5: {told}"


def test_chat_text_of_tie_names_no_winner() -> None:
    match = played("menace", ("human", "club"), "c1 b2 c3 c2 a2 b3 b1 a1 a3")
    assert chat_text(match).splitlines()[0] == "MENACE: Club and I tied in 9 moves"


def test_chat_drawing_is_empty_by_default() -> None:
    game = Chocobar()
    assert game.explanations.chat_drawing(game.new({})) == ""
