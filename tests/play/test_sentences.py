"""Sentences about a match: who resigned alone, what a file's mark says, and a bound that was lowered."""

import pytest

from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.play.files import load
from arcade.play.match import HUMAN, new_match
from arcade.play.sentences import best_sentence, fault_sentence, result_sentence
from tests.narrow import present

MARKED = """[Match "1"] [Start "hexapawn:4x4"] [Player1 "human"] [Player2 "casual"]
1. b2! 2. d3= 3. c2?? *"""


def test_resigned_solo_map_shows_no_score() -> None:
    match = new_match(parse_game_id("honshu:5x6#3"), (HUMAN,))
    match.resign(0)
    assert result_sentence(match, to_person=True) == "You resigned."
    assert result_sentence(match) == "Left resigned."


def test_duel_mistake_from_file_mentions_no_points() -> None:
    assert fault_sentence(load(MARKED), 2) == "Your move c2 gave away the win or the tie."


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
    assert best_sentence(match, start) == f"Best known {found}, bound {found}.{praise}"


def test_immediate_reason_mentions_no_move_count() -> None:
    game = get_game("hexapawn")
    with Control() as control:
        # Whatever White plays, a black pawn can run.
        why = present(
            game.explanations.reasons.explain(game.parse_position("pp./.p./P.P:w"), control, moved=True)
        )
    assert len(why.line) == 1
    assert why.sentence() == (
        "Every move loses. After a2: Black's pawn on b2 is passed, so nothing can stop it. "
        "It needs 1 step, White's foremost pawn 1, and it is Black's move."
    )
