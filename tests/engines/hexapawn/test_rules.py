import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.files import InputError
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.rules import BLACK, MAX_PLIES, WHITE, PawnPosition, column_name, parse_step
from arcade.engines.move_lists import parse_moves
from arcade.engines.position import Outcome
from arcade.engines.registry import parse_game_id
from tests.engines.hexapawn.brute import replies
from tests.engines.hexapawn.positions import VARIANTS, random_board, rows_of
from tests.refusals import refused, refuses


def board(text: str) -> PawnPosition:
    return GAME.parse_position(text)


def moves(text: str) -> list[str]:
    return [str(move) for move in board(text).moves()]


def test_pgn_moves_lead_to_the_expected_position() -> None:
    start = GAME.new(GAME.parameters.parse("3x3"))
    assert start.text() == "ppp/.../PPP:w"
    position = start
    for move in parse_moves(GAME, "b2 cxb2 axb2 a2", start):
        position = position.play(move)
    # Black's last pawn stands beside White's on b2, whose way is blocked, and White's on c1 is free.
    assert position.text() == ".p./pP./..P:w"
    assert [str(move) for move in position.moves()] == ["c2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ppp/.../PPP:w", ["a2", "b2", "c2"]),
        ("ppp/.P./P.P:b", ["a2", "axb2", "c2", "cxb2"]),
        ("ppp/.P./P.P:b,capture", ["axb2", "cxb2"]),
        (".../p.p/.P.:w", ["b2", "bxa2", "bxc2"]),
        (".../ppp/PPP:w", ["axb2", "bxa2", "bxc2", "cxb2"]),
        ("p../P../...:w", []),
        ("P../p../...:b", []),
        ("P../..p/...:b,misere", []),
    ],
)
def test_sample_positions_have_the_expected_legal_moves(text: str, expected: list[str]) -> None:
    assert moves(text) == expected


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("P../..p/...:b", Outcome(WHITE, "White's pawn got across")),
        ("..p/.../p..:w", Outcome(BLACK, "Black's pawn got across")),
        ("p../P../...:w", Outcome(BLACK, "White has no legal move")),
        ("p../P../...:b", Outcome(WHITE, "Black has no legal move")),
        (".../.../...:w", Outcome(BLACK, "White has no legal move")),
        ("P../..p/...:b,misere", Outcome(BLACK, "White's pawn got across")),
        ("p../P../...:w,misere", Outcome(WHITE, "White has no legal move")),
        ("ppp/.../PPP:w", None),
    ],
)
def test_sample_positions_have_the_expected_outcomes(text: str, outcome: Outcome | None) -> None:
    assert board(text).outcome() == outcome


@given(st.randoms(use_true_random=False), st.integers(2, 6), st.integers(1, 6), st.sampled_from(VARIANTS))
@settings(max_examples=75, deadline=None)
def test_rules_match_brute_force(
    rng: random.Random, rows: int, columns: int, variant: tuple[bool, bool]
) -> None:
    position = random_board(rng, rows, columns, variant)
    assert GAME.parse_position(position.text()) == position
    expected = [] if "p" in rows_of(position)[-1] else replies(rows_of(position), position.capture)
    assert sorted(rows_of(position.play(move)) for move in position.moves()) == sorted(expected)
    for other in GAME.symmetries.images(position):
        assert other != position
        assert len(other.moves()) == len(position.moves())
    assert position.mirrored().mirrored() == position == position.turned().turned()


def test_illegal_moves_are_refused_with_a_reason() -> None:
    start = board("ppp/.P./P.P:b,capture")
    with pytest.raises(ValueError, match=r"^Black must capture here, so a2 cannot be played\.$"):
        start.play(parse_step("a2"))
    with pytest.raises(ValueError, match=r"^Black has no pawn that can play b1 here\.$"):
        start.play(parse_step("b1"))
    with pytest.raises(ValueError, match=r"^The game is over, so a2 cannot be played\.$"):
        board("P../p../...:b").play(parse_step("a2"))


@pytest.mark.parametrize("text", ["axb2", "a1xb2", "a1b2", "a1-b2", "AXB2", " axb2+ ", "axb2!?"])
def test_captures_are_parsed_in_loose_notations(text: str) -> None:
    assert str(parse_step(text)) == "axb2"


def test_bare_square_is_parsed_as_the_only_move_to_it() -> None:
    assert str(GAME.parse_move("b2", board(".../pp./P..:w"))) == "axb2"
    assert str(GAME.parse_move("b2", board(".../.p./P.P:w"))) == "b2"
    assert str(GAME.parse_move("b2", board("..../.p../PP..:w"))) == "axb2"
    assert str(GAME.parse_move("b1b2")) == "b2"


def test_move_with_wrong_source_row_is_refused() -> None:
    start = board("ppp/.../PPP:w")
    assert GAME.parse_move("a1-a2", start) == GAME.parse_move("a2", start)
    for text, position in (("a3-a2", start), ("a3a2", start), ("a1a2", start.play(start.moves()[1]))):
        refused("a pawn moves one row forward", GAME.parse_move, text, position)


@pytest.mark.parametrize("text", ["axc2", "a1b3", "axa2", "b0", "2b", "ag2", "b2b2", "b", "a1x", "b999"])
def test_invalid_moves_are_refused(text: str) -> None:
    refused(r"^The move .*\.$", parse_step, text)


def test_columns_have_names_up_to_32() -> None:
    names = [column_name(column) for column in range(32)]
    assert names[0] == "a"
    assert names[25:] == ["z", "aa", "ab", "ac", "ad", "ae", "af"]
    wide = GAME.new(GAME.parameters.parse("2x32"))
    for position in (wide, wide.turned()):
        for move in position.moves():
            assert parse_step(str(move)) == move
    lone = PawnPosition(2, 32, 0x55555555, 0xAAAAAAAA << 32)
    assert all(move.captures and parse_step(str(move)) == move for move in lone.moves() if move.captures)
    assert sum(move.captures for move in lone.moves()) == 31


test_invalid_game_ids_are_refused = refuses(
    parse_game_id,
    ("hexapawn:9x9", "at most 64 squares, and 9x9 has 81"),
    ("hexapawn:1x4", "Rows must be 2 to 64"),
    ("hexapawn:4x4,misery", "Choose from misere, capture"),
    ("hexapawn:4x4,capture,capture", "given twice"),
    ("hexapawn:3x3:ppp/.../PPPP:w", re.compile("Row 3 from the top .* must have 3 squares")),
    ("hexapawn:3x3:ppp/..q/PPP:w", "may contain only 'P', 'p' and '.', not 'q'"),
    ("hexapawn:3x3:ppp/.../PPP:x", "must be w or b"),
    ("hexapawn:3x4:ppp/.../PPP:w", "must have 3x4 squares, not 3x3"),
    ("hexapawn:3x3:ppp/.../PPP:w,misere", "must be 3x3,misere"),
    ("hexapawn:3x3:ppp/.../PPP:w,capture", "must be 3x3,capture"),
    ("hexapawn:3x3,misere:ppp/.../PPP:w,misere,capture", "must be 3x3,misere,capture"),
    (
        "hexapawn:3x3:P../.../p..:w",
        "White has a pawn on its last row (a3), so the game is over. It cannot be White's turn.",
    ),
    (
        "hexapawn:3x3:P../.../p..:b",
        "Black has a pawn on its last row (a1), so the game is over. It cannot be Black's turn.",
    ),
    ("hexapawn:4x4#3", "has no random start"),
)


def test_position_that_could_last_too_long_is_refused() -> None:
    refused("could last", board, "/".join(["p"] * 22 + ["."] * 20 + ["P"] * 22) + ":w")


def test_position_at_the_length_limit_is_accepted() -> None:
    """White's pawns on rows 1 to 4 of 64 have 246 rows before them, a black one on row 9 has 8."""
    most = board("/".join(["."] * 55 + ["p"] + ["."] * 4 + ["P"] * 4) + ":w")
    assert most.max_plies() == MAX_PLIES == 254
    with pytest.raises(InputError, match="could last 255 moves"):
        board("/".join(["."] * 54 + ["p"] + ["."] * 5 + ["P"] * 4) + ":w")


def test_misere_is_accepted_with_or_without_accent() -> None:
    for word in ("misère", "misere"):
        assert parse_game_id(f"hexapawn:3x3,{word}").start() == PawnPosition.full(3, 3, misere=True)
        assert board(f"ppp/.../PPP:w,{word}") == PawnPosition.full(3, 3, misere=True)
    refused("given twice", parse_game_id, "hexapawn:3x3,misere,misère")


def test_parameters_supply_variant_missing_from_position() -> None:
    position = parse_game_id("hexapawn:3x3,misere,capture:ppp/.../PPP:w").start()
    assert position.text() == "ppp/.../PPP:w,misere,capture"
    assert isinstance(position, PawnPosition)
    assert GAME.parameters.text(GAME.parameters.of(position)) == "3x3,misere,capture"


def test_region_hint_names_only_the_column() -> None:
    start = GAME.new(GAME.parameters.parse("3x3"))
    assert GAME.explanations.hint_region(start, parse_step("b2")).says == "Look at column b."
    only = board(".../.../.P.:w")
    assert GAME.explanations.hint_region(only, parse_step("b2")).says == "You have only one move."


def test_invalid_letters_are_reported_before_wrong_size() -> None:
    with pytest.raises(InputError, match=r"Row 1 from the .* may contain only 'P', 'p' and '\.', not 'g'"):
        GAME.parse_position("garbage here")
