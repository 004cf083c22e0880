"""What is said and offered when a match has ended, and what counts as help."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import Value, value_keeping_moves
from arcade.engines.wording import capitalize
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.mistakes import reason_told
from arcade.play.offers import end_offers
from arcade.play.scene import CoachScene, EndScene, QuestionScene
from arcade.play.sentences import (
    accuracy_sentence,
    comment_sentence,
    end_sentences,
    fault_sentence,
    full_fault_sentence,
    full_turning_sentence,
    help_sentence,
    opening_verdict_sentence,
    star_words,
    turning_sentence,
)
from arcade.services import Services
from arcade.store.record import Coach
from arcade.study.lessons import LessonProgress, teaching
from tests.narrow import present
from tests.oracle import BruteForce
from tests.play.front import Front


def front_of(text: str, *seats: str, services: Services | None = None) -> Front:
    front = Front(new_match(parse_game_id(text), seats, seed=1), services)
    front.session.start()
    return front.settle()


def to_the_end(front: Front) -> Front:
    """Play the first legal move until the match is over."""
    while not front.session.match.finished:
        front.session.play(front.session.match.position.moves()[0])
        front.settle()
    return front


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("hexapawn:3x3", (HUMAN, "perfect")),
        ("hexapawn:3x3", ("perfect", HUMAN)),
        ("tetromino:4x4", (HUMAN, "perfect")),
    ],
)
def test_defeat_is_blamed_on_the_start_only_if_it_was_lost(text: str, seats: tuple[str, str]) -> None:
    front = to_the_end(front_of(text, *seats))
    match, side = front.session.match, seats.index(HUMAN)
    assert present(match.ending).winner == 1 - side
    value = BruteForce().verdict(match.first, Control()).value
    said = opening_verdict_sentence(match, None)
    if (value is Value.LOSS) == (match.first.turn == side):
        mine = len([ply for ply in match.line if ply.seat == side])
        name = match.game.sides[side]
        title = f"{match.game.title} {text.partition(':')[2]}"
        assert said == f"{name} cannot win {title} against Perfect. You held out for {mine} moves."
    else:
        assert not said
        assert match.decisive_mistake() is not None


def test_turning_point_sentence_names_the_player() -> None:
    front = front_of("chocobar:2x2", HUMAN, "perfect").play("1,2")
    match = front.session.match
    turned = present(match.decisive_mistake())
    assert turning_sentence(match, turned) == "You gave the win away with move 1: (2,2) was right."
    assert full_turning_sentence(match, turned).startswith(
        "You gave the win away with (1,2) instead of (2,2), move 1: your opponent replied with (2,1)"
    )
    assert accuracy_sentence(match) == "Best moves: You 0 of 1, Perfect 1 of 1."
    match.seats = ["beginner", HUMAN]
    assert turning_sentence(match, 0).startswith("Beginner gave the win away with move 1")


def test_second_loss_in_a_row_offers_matching_lesson(services: Services) -> None:
    cards = []
    for _ in range(2):
        front = front_of("chocobar:2x2", HUMAN, "perfect", services=services).play("1,2")
        assert front.session.match.winner == "Second"
        cards.append(end_offers(front.session.match, front.session.state))
    assert cards[0][0] == ("again", "rematch")
    assert "lesson" not in dict(cards[0])
    missed = ("punishment", "what you missed")
    assert cards[0][1] == missed
    assert cards[1] == [("lesson", "lesson: Two arms"), missed, ("again", "rematch")]
    course = LessonProgress(
        get_game("chocobar"), first=present(services.teaching(front.session.match)).lesson
    )
    assert course.lesson.title == "Two arms"
    front = front_of("chocobar:2x2", HUMAN, "beginner", services=services)
    front.session.match.resign(1)
    front.session.save()
    assert "lesson" not in dict(end_offers(front.session.match, front.session.state))


@pytest.mark.parametrize(
    ("start", "other", "last", "star", "aided"),
    [
        ("chocobar:4x5", "beginner", "2,1", "a star for step 1 of 5", "Help: 1 hint, so no star."),
        ("chocobar:4x5", "beginner", "3,1", "", "Help: 1 hint."),
        ("chocobar:4x4", "beginner", "2,1", "", "Help: 1 hint."),
        ("chocobar:4x5", "casual", "2,1", "", "Help: 1 hint."),
    ],
)
def test_won_path_step_shows_star_or_help(start: str, other: str, last: str, star: str, aided: str) -> None:
    match = new_match(parse_game_id(start), (HUMAN, other))
    for text in ("1,2", "4,1", last, *["2,1"] * (last == "3,1")):
        match.play(match.game.parse_move(text, match.position))
    assert match.finished
    assert star_words(match) == star
    assert end_sentences(match)[2] == (f"{capitalize(star)}." if star else "")
    assert help_sentence(match) == ("" if star else "You played without help.")
    match.hints[0] = 1
    assert (star_words(match), help_sentence(match)) == ("", aided)
    assert end_sentences(match)[2] == ("No star: 1 hint." if star else "")


def test_end_card_praises_a_win_kept_from_the_start() -> None:
    front = front_of("chocobar:2x2", HUMAN, "perfect").play("2,2", "2,1", "1,2")
    match = front.session.match
    assert match.winner == "First"
    assert opening_verdict_sentence(match, None) == "You kept the win from the start."
    assert accuracy_sentence(match) == "Best moves: You 2 of 2, Perfect 1 of 1."


@pytest.mark.parametrize(
    ("game", "seats", "reason", "told"),
    [
        (
            "chocobar:4x5",
            (HUMAN, "club"),
            "First can play (3,1) and leave two rows.",
            "You can play (3,1) and leave two rows.",
        ),
        (
            "chocobar:4x5",
            ("club", HUMAN),
            "First plays (3,1) and leaves two rows.",
            "Your opponent plays (3,1) and leaves two rows.",
        ),
        (
            "chocobar:4x5",
            (HUMAN, HUMAN),
            "First plays (3,1) and leaves two rows.",
            "First plays (3,1) and leaves two rows.",
        ),
        (
            "hexapawn:4x4",
            (HUMAN, "club"),
            "White plays b2, and Black has no move left.",
            "You play b2, and Black has no move left.",
        ),
        (
            "hexapawn:4x4",
            (HUMAN, "club"),
            "White's pawn on b3 runs: it wins.",
            "Your pawn on b3 runs: it wins.",
        ),
        (
            "hexapawn:4x4",
            (HUMAN, "club"),
            "After each move of White, Black wins.",
            "After each move of yours, Black wins.",
        ),
        ("menace", (HUMAN, "club"), "X reaches b2 and O passes.", "You reach b2 and O passes."),
        ("menace", ("club", HUMAN), "a3 blocks O. O has two cells.", "a3 blocks you. You have two cells."),
    ],
)
def test_reason_addresses_only_human_as_you(
    game: str, seats: tuple[str, str], reason: str, told: str
) -> None:
    match = new_match(parse_game_id(game), seats)
    match.play(match.position.moves()[0])
    match.line[0].reason = reason
    assert reason_told(match, 0) == told


def test_losses_without_missed_rule_offer_easier_step_first(services: Services) -> None:
    for _ in range(2):
        front = front_of("chocobar:5x6", HUMAN, "casual", services=services)
        front.session.play(front.session.match.position.moves()[-1])
        front.session.match.resign(0)
        front.session.save()
    front.session.match.line[0].rule = ""
    front.session.go_to(1)
    offers = end_offers(front.session.match, front.session.state)
    assert offers == [("slower", "easier"), ("punishment", "what you missed"), ("again", "rematch")]


def test_missed_rule_without_lesson_offers_practice() -> None:
    chocobar = get_game("chocobar")
    assert teaching(chocobar, []) is None
    assert present(teaching(chocobar, ["one-inside"])).words.startswith("practise: One inside. Leave")
    found = present(teaching(chocobar, ["one-inside", "equal-arms"]))
    assert (found.words, found.rule) == ("lesson: Two arms", "equal-arms")


@pytest.mark.parametrize("moves", [(), ("2,3",)])
def test_requested_hint_counts_even_when_leaving_at_once(services: Services, moves: tuple[str, ...]) -> None:
    front = front_of("chocobar:3x4", HUMAN, "perfect", services=services).play(*moves)
    front.session.do("hint")
    # Not even an answer has come.
    front.session.stop()
    (saved,) = services.store.matches()
    assert saved.record.hints == (1, 0)
    assert not saved.record.unaided
    again = Match.from_record(saved.record)
    assert again.hints == [1, 0]
    assert not again.finished


def test_match_end_by_move_is_published_once() -> None:
    def ended(front: Front) -> int:
        pairs = pairwise(front.scenes)
        return sum(
            now.finished and not before.finished and now.shown == before.shown + 1 for before, now in pairs
        )

    front = front_of("chocobar:2x2", HUMAN, HUMAN).play("2,2", "2,1")
    assert ended(front) == 0
    front.play("1,2")
    assert ended(front) == 1
    front.session.go_to(1)
    front.session.go_to(3)
    assert ended(front) == 1, "looking back plays nothing"
    resigned = front_of("chocobar:2x2", HUMAN, HUMAN).play("2,2")
    resigned.session.do("resign")
    assert resigned.session.match.finished
    assert ended(resigned) == 0


@pytest.mark.parametrize(
    ("text", "seats", "winner"),
    [
        ("menace", ("MENACE", HUMAN), 1),
        ("hexapawn:3x3", (HUMAN, "HER"), 0),
        ("menace", ("MENACE", "random"), 0),
        ("menace", (HUMAN, HUMAN), 0),
    ],
)
def test_beating_a_built_in_machine_offers_the_path(
    services: Services, text: str, seats: tuple[str, str], winner: int
) -> None:
    match = new_match(parse_game_id(text), seats, services.machines, seed=1)
    front = Front(match, services)
    match.resign(1 - winner)
    offered = dict(end_offers(front.session.match, front.session.state))
    alone = seats.count(HUMAN) == 1
    assert offered.get("faster") == ("next: Beginner" if alone else None)
    assert "slower" not in offered
    if alone:
        front.session.do("faster")
        assert sorted(front.session.match.seats) == ["beginner", HUMAN]
        assert front.session.match.game is match.game


def test_solo_map_offers_first_path_step_without_star(services: Services) -> None:
    def offered() -> str | None:
        match = new_match(parse_game_id("honshu:5x1#1"), [HUMAN], services.machines)
        front = to_the_end(Front(match, services))
        return dict(end_offers(front.session.match, front.session.state)).get("faster")

    assert offered() == "next: Beginner"
    services.settings = replace(services.settings, coach=Coach.QUIET)
    for opponent in ("beginner", "casual"):
        won = Front(new_match(parse_game_id("honshu:9x6#1"), (HUMAN, opponent), services.machines), services)
        won.session.play(won.session.match.position.moves()[0])
        won.session.match.resign(1)
        won.session.save()
    assert offered() == "next: Club"


LOST_BAR = ("2,2", "4,1", "1,2", "2,1")


def lost_bar(**options: Any) -> Front:
    """A match in which the player gave the win away with the third move, and Beginner took it."""
    match = new_match(parse_game_id("chocobar:4x5"), (HUMAN, "beginner"), seed=1)
    for text in LOST_BAR:
        match.play(match.game.parse_move(text, match.position))
    front = Front(match, **options)
    front.session.judge()
    return front.settle()


def test_end_card_names_opponent_reply_and_better_move() -> None:
    front = lost_bar()
    end = front.session.scene.verdict
    assert isinstance(end, EndScene)
    assert end.turning == "You gave the win away with move 3: (1,4) was right."
    assert end.why == (
        "You gave the win away with (1,2) instead of (1,4), move 3:"
        " your opponent replied with (2,1), which leaves you only the poison."
        " Rule: Only the poison. One row or column left? Bite everything except the poison."
    )
    assert end.played == "None of your moves was best."
    front.do("review")
    assert isinstance(front.session.scene.verdict, QuestionScene)
    front.play("2,1")
    assert front.said[-1] == (
        "(2,1) was Beginner's answer. If you play it first, it gives away the win, too."
        " Your opponent can reply with (1,2), which leaves you only the poison. Try another move."
    )
    front.play("3,1")
    assert front.said[-1].startswith("(3,1) gives away the win, too. Your opponent can reply with ")
    front.play("1,4")
    assert front.said[-1] == (
        "Yes, (1,4) is better. After (1,2): your opponent can reply with (2,1), which leaves you only "
        "the poison. Rule: Only the poison. One row or column left? Bite everything except the poison."
    )


def test_review_marks_missed_move_except_in_mistake_practice() -> None:
    front = lost_bar()
    session = front.session
    assert (session.scene.board.hinted, session.scene.board.missed) == (None, False)
    session.go_to(2)
    front.settle()
    board = session.scene.board
    assert (str(board.hinted), board.missed) == ("(1,4)", True)
    session.go_to(3)
    front.settle()
    assert not session.scene.board.missed, "the answer was right"
    front.do("review")
    assert session.scene.shown == 2
    assert session.scene.board.hinted is None
    assert not any("Better" in move.mistake for move in session.scene.moves)


def test_mistake_comment_names_reply_and_better_move() -> None:
    match = lost_bar().session.match
    assert comment_sentence(match, 2) == (
        "You gave away the win with (1,2)."
        " Your opponent replied with (2,1), which leaves you only the poison. Better: (1,4)."
        " Rule: Only the poison. One row or column left? Bite everything except the poison."
    )
    assert comment_sentence(match, 3) == ""
    # The marks of a file come without analysis.
    again = Match.from_record(match.record())
    assert "which leaves you only the poison. Rule: Only the poison." in comment_sentence(again, 2)


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("chocobar:4x5", (HUMAN, "perfect")),
        ("hexapawn:4x4", (HUMAN, "perfect")),
        ("tetromino:4x4", (HUMAN, "perfect")),
        ("menace", ("perfect", HUMAN)),
    ],
)
def test_coach_names_the_reply_and_no_better_move(text: str, seats: tuple[str, str]) -> None:
    front = Front(new_match(parse_game_id(text), seats, seed=1))
    match, person = front.session.match, seats.index(HUMAN)
    with Control(60) as control:
        while True:
            judged = list(match.game.solver.moves(match.position, control))
            right = value_keeping_moves(judged)
            wrong = next((each.move for each in judged if each.move not in right), None)
            if match.turn == person and wrong is not None and len(judged) < 10 * len(right):
                break
            match.play(right[0])
    match.play(wrong)
    front.session.judge()
    front.settle()
    other = "our opponent" if "First" in match.game.sides else match.game.sides[1 - person]
    said = fault_sentence(match, len(match.plies) - 1)
    assert said.startswith("Your move gave away the ")
    assert other in said.partition(". ")[2]
    assert "Better" not in said
    full = full_fault_sentence(match, len(match.plies) - 1)
    assert full.startswith(said.partition(". Rule: ")[0])
    assert len(full) > len(said)
    coached = [scene.verdict.mistake for scene in front.scenes if isinstance(scene.verdict, CoachScene)]
    assert not any("Better" in mistake for mistake in coached)
    comment = comment_sentence(match, len(match.plies) - 1)
    better = match.words(next(each.move for each in judged if each.best))
    assert f"Better: {better}. Rule: " in comment
