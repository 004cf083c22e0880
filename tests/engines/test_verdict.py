import pytest

from arcade.engines.verdict import (
    DuelVerdict,
    MoveVerdict,
    Proof,
    ScoreVerdict,
    Value,
    Verdict,
    mark_best,
    only_move,
    value_keeping_moves,
)
from arcade.engines.wording import capitalize, full_moves, moves, plies, quantity

WIN, LOSS, TIE = Value.WIN, Value.LOSS, Value.TIE
EXACT, BOUND = Proof.EXACT, Proof.BOUND


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        (DuelVerdict(EXACT, WIN, 11), "White wins in 11 plies"),
        (DuelVerdict(EXACT, LOSS, 1), "Black wins in 1 ply"),
        (DuelVerdict(EXACT, TIE, 8), "A tie in 8 plies"),
        (DuelVerdict(EXACT, TIE), "A tie"),
        (DuelVerdict(EXACT, WIN, 0), "White won"),
        (DuelVerdict(EXACT, LOSS, 0), "Black won"),
        (DuelVerdict(EXACT, TIE, 0), "A tie"),
        (DuelVerdict(BOUND, WIN), "White wins"),
        (DuelVerdict(BOUND, WIN, at_least=9, at_most=21), "White wins in 9 to 21 plies"),
        (DuelVerdict(BOUND, WIN, at_least=1, at_most=21), "White wins within 21 plies"),
        (DuelVerdict(BOUND, WIN, at_most=21), "White wins within 21 plies"),
        (DuelVerdict(BOUND, LOSS, at_least=8, at_most=20), "Black wins in 8 to 20 plies"),
        (DuelVerdict(BOUND, LOSS, at_least=8), "Black wins in at least 8 plies"),
        (DuelVerdict(BOUND, TIE, at_least=8, at_most=20), "A tie in 8 to 20 plies"),
        (DuelVerdict(BOUND, at_least=5), "With best play the game lasts at least 5 plies"),
        (DuelVerdict(), "Not known yet"),
        (ScoreVerdict(EXACT, best=50, bound=50, score=3), "3 now, best possible 50"),
        (ScoreVerdict(BOUND, best=50, bound=60, score=3), "3 now, best found 50, upper bound 60"),
        (ScoreVerdict(BOUND, bound=60, score=12), "12 now, upper bound 60"),
        (ScoreVerdict(BOUND, bound=60), "Upper bound 60"),
        (ScoreVerdict(BOUND, best=50), "Best found 50"),
        (ScoreVerdict(score=3), "3 now"),
        (ScoreVerdict(), "Not known yet"),
    ],
)
def test_verdict_sentences_have_the_expected_wording(verdict: Verdict, sentence: str) -> None:
    assert verdict.sentence("White", "Black") == sentence


def test_verdict_sentence_addresses_the_player() -> None:
    assert DuelVerdict(EXACT, WIN, 3).sentence("You", "Perfect") == "You win in 3 plies"
    assert DuelVerdict(EXACT, LOSS, 2).sentence("You", "Perfect") == "Perfect wins in 2 plies"
    assert DuelVerdict(EXACT, LOSS, 0).sentence("You", "Perfect") == "Perfect won"


def test_verdict_prints_as_sentence_with_proof() -> None:
    assert str(DuelVerdict(EXACT, WIN, 11, sides=("White", "Black"))) == "White wins in 11 plies (proved)."
    assert str(DuelVerdict(BOUND, LOSS)) == "The other player wins (proved bounds)."
    assert str(MoveVerdict("b2", DuelVerdict())) == "b2: Not known yet (not proved)."


@pytest.mark.parametrize(
    ("nodes", "seconds", "work"),
    [
        (43758, 0.273, "43,758 positions in 0.27 s"),
        (1, 0.5, "1 position in 0.50 s"),
        (1, 0.0001, "1 position at once"),
        (298, 0.0049, "298 positions at once"),
    ],
)
def test_provenance_reports_positions_and_time(nodes: int, seconds: float, work: str) -> None:
    verdict = DuelVerdict(EXACT, WIN, 9, source="a table", nodes=nodes, seconds=seconds)
    assert verdict.provenance() == f"proved; a table; {work}"
    assert DuelVerdict(EXACT, WIN, 9, reason="known").provenance() == "proved; known"


def test_verdict_before_a_move_is_reversed_and_one_ply_longer() -> None:
    assert DuelVerdict(BOUND, WIN, at_least=2, at_most=6).before_move() == DuelVerdict(
        BOUND, LOSS, at_least=3, at_most=7
    )
    assert DuelVerdict(EXACT, TIE, 4).before_move() == DuelVerdict(EXACT, TIE, 5)
    assert DuelVerdict().before_move() == DuelVerdict()
    assert ScoreVerdict(EXACT, best=7).before_move() == ScoreVerdict(EXACT, best=7)


def test_json_contains_every_proven_bound() -> None:
    found = DuelVerdict(BOUND, LOSS, at_least=4, at_most=8, reason="why", source="where", nodes=3).json()
    assert found == {
        "value": "loss",
        "remoteness": None,
        "at_least": 4,
        "at_most": 8,
        "proof": "bound",
        "reason": "why",
        "source": "where",
        "positions": 3,
        "nodes": 3,
        "seconds": 0.0,
    }
    exact = DuelVerdict(EXACT, WIN, 5).json()
    assert exact["remoteness"] == exact["at_least"] == exact["at_most"] == 5
    score = ScoreVerdict(BOUND, best=50, bound=60, score=3).json()
    assert [score[key] for key in ("best", "bound", "score", "proof")] == [50, 60, 3, "bound"]
    assert "value" not in score


def test_preference_hurries_wins_and_delays_losses() -> None:
    worst_first: list[Verdict] = [
        DuelVerdict(EXACT, LOSS, 2),
        DuelVerdict(EXACT, LOSS, 6),
        DuelVerdict(),
        DuelVerdict(EXACT, TIE, 7),
        DuelVerdict(EXACT, TIE, 5),
        DuelVerdict(EXACT, WIN, 9),
        DuelVerdict(EXACT, WIN, 1),
    ]
    assert sorted({*worst_first}, key=lambda each: each.preference) == worst_first
    assert ScoreVerdict(best=3).preference > ScoreVerdict(best=2).preference > ScoreVerdict().preference


def best_of(*verdicts: Verdict) -> list[int]:
    return [each.move for each in mark_best(enumerate(verdicts)) if each.best]


def test_best_moves_are_never_guessed() -> None:
    loss, win = DuelVerdict(EXACT, LOSS, 4), DuelVerdict(EXACT, WIN, 3)
    assert best_of(loss, DuelVerdict()) == []
    assert best_of(win, DuelVerdict()) == [0]
    assert best_of(win, DuelVerdict(EXACT, WIN, 5), win) == [0, 2]
    assert best_of(ScoreVerdict(best=5), ScoreVerdict()) == []
    assert best_of(ScoreVerdict(best=5), ScoreVerdict(best=7)) == [1]


def test_value_keeping_moves_are_found() -> None:
    def kept(*verdicts: Verdict) -> list[int]:
        return value_keeping_moves(mark_best(enumerate(verdicts)))

    win, tie, loss = (DuelVerdict(EXACT, value, 3) for value in (WIN, TIE, LOSS))
    assert kept(win, tie, DuelVerdict(EXACT, WIN, 9), loss) == [0, 2]
    assert kept(loss, tie) == [1]
    assert kept(loss, loss) == [0, 1]
    assert kept(loss, DuelVerdict()) == [1]
    assert kept(ScoreVerdict(best=5), ScoreVerdict(best=7)) == [1]


def test_only_move_requires_other_moves_and_known_values() -> None:
    win, loss = DuelVerdict(EXACT, WIN, 3), DuelVerdict(EXACT, LOSS, 4)
    assert only_move(mark_best(enumerate([loss, win]))) == 1
    assert only_move(mark_best(enumerate([win]))) is None
    assert only_move(mark_best(enumerate([win, DuelVerdict()]))) is None
    assert only_move(mark_best(enumerate([win, win]))) is None


def test_quantities_have_correct_plurals_and_capital_letters() -> None:
    assert (plies(1), plies(0), plies(12)) == ("1 ply", "0 plies", "12 plies")
    assert (moves("2 to 4"), quantity(1, "match"), quantity(1000, "box", "boxes")) == (
        "2 to 4 moves",
        "1 match",
        "1,000 boxes",
    )
    assert (capitalize("best 3 of Honshu"), capitalize("")) == ("Best 3 of Honshu", "")
    assert DuelVerdict(EXACT, WIN, 3).sentence("You", "Perfect", full_moves) == "You win in 2 moves"
    limits = DuelVerdict(BOUND, LOSS, at_least=3, at_most=4)
    assert limits.sentence("White", "Black", full_moves) == "Black wins in 2 moves"
