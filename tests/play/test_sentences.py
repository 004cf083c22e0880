"""Sentences about a match: who resigned alone, what a file's mark says, and a bound that was lowered."""

import pytest

from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.play.files import load
from arcade.play.match import HUMAN, Mark, new_match
from arcade.play.sentences import best_sentence, end_sentences, fault_sentence, result_sentence
from tests.narrow import present

MARKED = """[Match "1"] [Start "hexapawn:4x4"] [Player1 "human"] [Player2 "casual"]
1. b2! 2. d3= 3. c2?? *"""


def test_resigned_solo_map_shows_no_score() -> None:
    match = new_match(parse_game_id("honshu:5x6#3"), (HUMAN,))
    match.resign(0)
    assert result_sentence(match, to_person=True) == "You resigned."
    assert result_sentence(match) == "Left resigned."


def test_duel_mistake_from_file_mentions_no_points() -> None:
    assert fault_sentence(load(MARKED), 2) == "Your move gave away the win or the tie."


@pytest.mark.parametrize(("more", "praise"), [(30, ""), (0, " You reached it."), (1, " You made 92% of it.")])
def test_best_sentence_uses_lowest_bound_and_praises_good_score(
    monkeypatch: pytest.MonkeyPatch, more: int, praise: str
) -> None:
    match = new_match(parse_game_id("honshu:5x6#3"), (HUMAN,))
    while not match.finished:
        match.play(match.position.moves()[0])
    found = present(match.ending).scores[0] + more
    start = ScoreVerdict(Proof.BOUND, best=found, bound=found + 9)
    match.record_verdict(match.first, start)
    lowered = ScoreVerdict(Proof.EXACT, best=found, bound=found)
    monkeypatch.setattr(match.game.solver, "with_known_bounds", lambda position, verdict: lowered)
    assert best_sentence(match, start) == f"Best known {found}, upper bound {found}.{praise}"


@pytest.mark.parametrize(
    ("marks", "told"),
    [
        ((), ""),
        ((Mark.GOOD,), "Your move was best."),
        ((Mark.BLUNDER,), "Your move was not best."),
        ((Mark.ONLY, Mark.GOOD), "Both your moves were best."),
        ((Mark.ONLY, Mark.GOOD, Mark.GOOD), "All your moves were best."),
        ((Mark.BLUNDER, Mark.INACCURACY), "None of your moves was best."),
        ((Mark.BLUNDER, Mark.GOOD), "1 of your 2 moves was best."),
        ((Mark.ONLY, Mark.BLUNDER, Mark.GOOD), "2 of your 3 moves were best."),
    ],
)
def test_end_card_describes_accuracy_in_words(marks: tuple[Mark, ...], told: str) -> None:
    match = new_match(parse_game_id("chocobar:8x8"), (HUMAN, "club"))
    for mark in marks or (None,):
        match.play(match.position.moves()[-1])
        match.line[-1].mark = mark
        match.play(match.position.moves()[-1])
    match.resign(1)
    assert end_sentences(match) == ("You win: Second resigned.", "", told)


def test_end_card_mentions_a_single_mistake_only_once() -> None:
    match = new_match(parse_game_id("chocobar:4x5"), (HUMAN, "beginner"))
    for move, mark in (("(1,2)", Mark.BLUNDER), ("(2,1)", Mark.ONLY)):
        match.play(match.game.parse_move(move, match.position))
        match.line[-1].mark = mark
    result, turning, played = end_sentences(match)
    assert result.startswith("You lose: ")
    assert "with move 1" in turning
    assert not played


def test_immediate_reason_mentions_no_move_count() -> None:
    game = get_game("hexapawn")
    with Control() as control:
        # Whatever White plays, a black pawn can run.
        why = present(
            game.explanations.reasons.explain(game.parse_position("pp./.p./P.P:w"), control, moved=True)
        )
    assert len(why.line) == 1
    assert why.sentence() == (
        "Every move loses. For example, if White plays axb2, Black can play a2. Then White's only move is "
        "c2. Black answers with a1, which gets a pawn across."
    )
