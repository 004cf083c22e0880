import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arcade
from arcade.engines.files import InputError
from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import Value
from arcade.matches import match_from
from arcade.play import files as match_file
from arcade.play.headless import play_to_end
from arcade.play.machines import Machines
from arcade.play.match import HUMAN, Mark, new_match
from arcade.play.sentences import result_sentence
from arcade.services import Services
from arcade.store.record import Coach, MatchRecord
from arcade.store.store import Store
from tests.refusals import refused, refuses
from tests.store.test_record import ALONE, GOING_ON, RESIGNED, WON

PRINTABLE = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=' "\\{}[]!?=.'), max_size=12
)
WORDS = PRINTABLE.map(lambda text: " ".join(text.split()))
COUNT = st.integers(0, 10**12)


@st.composite
def records(draw: st.DrawFn) -> MatchRecord:
    moves = tuple(draw(st.lists(PRINTABLE | st.sampled_from(["*", "end", "1.", "b2!"]), max_size=6)))
    each = len(moves)
    seats = draw(st.lists(PRINTABLE | st.just(HUMAN), min_size=1, max_size=2))
    marks = draw(st.lists(st.sampled_from(["", *Mark]), min_size=each, max_size=each))
    comments = draw(st.just([""] * each) | st.lists(WORDS, min_size=each, max_size=each))
    lost = draw(st.just([0] * each) | st.lists(st.integers(0, 10**6), min_size=each, max_size=each))
    player = PRINTABLE.filter(lambda name: name.strip() and "," not in name)
    players = draw(st.just([]) | st.lists(player, min_size=each, max_size=each))
    resigned = draw(st.none() | st.integers(0, len(seats) - 1))
    result = draw(st.sampled_from([None, *Value]))
    if resigned is not None:
        result = (Value.WIN if resigned else Value.LOSS) if len(seats) == 2 else Value.TIE
    points = st.lists(st.integers(-(10**6), 10**6), min_size=len(seats), max_size=len(seats))
    scores = () if result is None else tuple(draw(st.just([]) | points))
    name = draw(st.sampled_from(["chocobar", "honshu", "graph"]))
    return MatchRecord(
        game=name,
        start=name + draw(st.just("") | PRINTABLE.map(":{}".format)),
        seed=draw(st.integers(-(10**30), 10**30)),
        taught=draw(st.booleans()),
        seats=tuple(seats),
        moves=moves,
        marks=tuple(marks),
        played=each if result is not None else draw(st.integers(0, each)),
        hints=tuple(draw(st.lists(COUNT, min_size=len(seats), max_size=len(seats)))),
        takebacks=draw(COUNT),
        values=draw(COUNT),
        coach=draw(st.sampled_from(Coach)),
        resigned=resigned,
        result=result,
        scores=scores,
        comments=tuple(comments) if any(comments) else (),
        lost=tuple(lost) if any(lost) else (),
        players=tuple(players),
    )


@settings(max_examples=60, deadline=None)
@given(records(), st.booleans())
def test_match_file_round_trips_even_on_one_line(record: MatchRecord, one_line: bool) -> None:
    text = match_file.write(record)
    assert match_file.read(text.replace("\n", " ") if one_line else text) == record.shown()
    assert MatchRecord.from_json(record.to_json()) == record


@settings(max_examples=10, deadline=None)
@given(
    st.lists(records(), min_size=2, max_size=3),
    st.lists(st.none() | st.integers(0, 10**12).map(lambda quarter: quarter / 4), min_size=3, max_size=3),
)
def test_file_with_several_matches_round_trips(several: list[MatchRecord], times: list[float | None]) -> None:
    text = "".join(map(match_file.write, several, times))
    shown = [record.shown() for record in several]
    assert list(match_file.read_with_dates(text)) == list(zip(shown, times, strict=False))


@pytest.mark.parametrize(
    ("start", "seats"),
    [
        ("chocobar:4x5", ("perfect", "fallible:3")),
        ("hexapawn:4x4", ("casual", "club")),
        ("tetromino:4x4", ("greedy", "random")),
        ("honshu:6x4#5", ("beginner", "in-order")),
        ("honshu:6x3#5", ("random",)),
        ("menace:X........", ("random", "matchboxes:1")),
        ("graph", ("perfect", "random")),
    ],
)
def test_match_of_each_game_reopens_and_refuses_changed_move(start: str, seats: tuple[str, ...]) -> None:
    match = play_to_end(new_match(parse_game_id(start), seats, seed=3))
    match.plies[1].comment = "what a move {here}"
    text = match_file.write(match.record())
    again = arcade.read_match(text)
    assert arcade.write_match(match) == text
    assert again.record() == match.record()
    assert again.imported
    assert result_sentence(again) == result_sentence(match)
    assert again.plies[1].comment == "what a move {here}"
    wrong = text.replace(f"3. {match.moves[2]}", f"3. {match.moves[0]}")
    refused(f"^Move 3, '{re.escape(str(match.moves[0]))}', cannot be played: .*[.]$", match_file.load, wrong)


def test_written_match_file_has_the_expected_text() -> None:
    record = replace(WON, comments=("", "too {greedy}", ""), marks=(Mark.ONLY, Mark.BLUNDER, ""))
    assert match_file.write(record) == (
        '[Match "1"]\n[Start "chocobar:2x2"]\n[Player1 "human"]\n[Player2 "perfect"]\n[Seed "5"]\n'
        '[Coach "mistakes"]\n[Hints "1 0"]\n[TakenBack "2"]\n[ValuesSeen "1"]\n[Taught "no"]\n\n'
        "1. (2,2)! 2. (1,2)?? {too {greedy\\}} 3. (2,1) 1-0\n"
    )
    assert match_file.write(GOING_ON).endswith('[Played "1"]\n\n1. (2,2) 2. (1,2) 3. (2,1) *\n')
    assert '[Resigned "2"]' in match_file.write(RESIGNED)
    handed_over = replace(WON, players=("human", "perfect", "beginner"))
    assert '[PlayedBy "human,perfect,beginner"]' in match_file.write(handed_over)
    assert match_file.write(ALONE).endswith("end\n")


def test_handwritten_match_file_is_accepted() -> None:
    text = (
        '{by hand} [Match "1"] [Event "a club"] [Start "hexapawn:3x3"]'
        '[Player1 "human"][Player2 "MENACE"] b2 axb2 *'
    )
    refused("expected the version of the format", match_file.load, text)
    match = match_file.load(text.removeprefix("{by hand} "), Machines(Store.in_memory))
    assert [str(move) for move in match.moves] == ["b2", "axb2"]
    assert match.seats == [HUMAN, "MENACE"]
    assert not match.taught


FINE = match_file.write(WON)


@pytest.mark.parametrize(
    ("harm", "line", "said"),
    [
        (('[Match "1"]\n', ""), 1, "expected the version of the format"),
        (('"1"', '"2"'), 1, "the header Match must be 1"),
        (('"chocobar:2x2"', "chocobar"), 2, "a missing bracket"),
        (("[Match", '[Event "early"] [Match'), 1, "expected the version of the format"),
        (("[Seed", '[Time "2026-02-30T00:00:00Z"]\n[Seed'), 5, "the header Time must be a time like"),
        (("[Seed", '[Time "1969-02-20T00:00:00Z"]\n[Seed'), 5, "the header Time must be a time like"),
        (("[Seed", '[Time "2026-02-20T00:00:00"]\n[Seed'), 5, "the header Time must be a time like"),
        (("[Start", "[Other"), 1, "the header Start is missing"),
        (('Seed "5"', 'Seed "five"'), 5, "the header Seed must be a whole number, not 'five'"),
        (('"mistakes"', '"strict"'), 6, "the header Coach must be one of quiet"),
        (('"1 0"', '"1 x"'), 7, "a whole number for each player"),
        (('"no"', '"maybe"'), 10, "must be yes or no"),
        (("[Seed", "[Coach"), 6, "the header Coach is given twice"),
        (("2. ", "4. "), 12, "expected move 2, found '4.'"),
        (("(2,2)!", "(2,2)!?"), 12, "has an unknown sign"),
        (("(2,2)", "{open (2,2)"), 12, "a missing bracket"),
        (("1-0", ""), 12, "expected the result of the match"),
        (("1-0", "1-0 (1,1)"), 12, "expected nothing after the result 1-0"),
        (("1-0", '1-0 [More "x"]'), 12, "the header More must be before the first move"),
    ],
)
def test_match_file_error_names_its_line(harm: tuple[str, str], line: int, said: str) -> None:
    text = FINE.replace(*harm, 1)
    with pytest.raises(InputError) as caught:
        match_file.read(text)
    assert str(caught.value).startswith(f"The match cannot be read. Line {line}: ")
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")


test_contradictory_or_invalid_headers_are_refused = refuses(
    lambda harm: match_file.read(FINE.replace(harm[0], harm[1], 1)),
    (('"1 0"', '"1 0 0"'), "its field 'hints' must have one value for each seat"),
    (('"1 0"', '"1 -1"'), "hints[1] must be a whole number from 0 to "),
    (("[Seed", '[Played "9"]\n[Seed'), "'played' is greater"),
    (("[Seed", '[Resigned "1"]\n[Seed'), "does not match the last position"),
    (('"human"', '"hu\x1bman"'), "seats[0] must be printable text"),
    (("(2,1)=", "(2,1)= {bell \x07}"), "comments[2] must be printable text"),
    begin="The match cannot be read: ",
)


def test_empty_match_file_is_refused() -> None:
    refused("Line 1: expected the version of the format", match_file.read, " \n")


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_damaged_match_file_never_crashes_the_reader(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(FINE)))
    much: Any = data.draw(st.integers(0, 9))
    text = FINE[:at] + data.draw(st.text(max_size=4)) + FINE[at + much :]
    with suppress(InputError):
        match_file.load(text)


@pytest.mark.parametrize("coach", Coach)
def test_running_match_file_has_marks_only_with_open_coach(coach: Coach) -> None:
    record = replace(GOING_ON, marks=(Mark.BLUNDER, Mark.HINTED, Mark.ONLY), coach=coach, lost=(3, 0, 0))
    text = match_file.write(record)
    if coach is Coach.OPEN:
        assert text.endswith('[Lost "3 0 0"]\n[Played "1"]\n\n1. (2,2)?? 2. (1,2)=? 3. (2,1)! *\n')
    else:
        assert text.endswith('[Taught "no"]\n[Played "1"]\n\n1. (2,2) 2. (1,2)=? 3. (2,1) *\n')
    for shown in (replace(record, seats=("random", "perfect")), replace(record, result=Value.WIN, played=3)):
        assert "(2,2)??" in match_file.write(shown), "nobody plays it"


def test_file_with_wrong_players_is_refused() -> None:
    text = match_file.write(replace(WON, players=("human", "perfect", "human")))
    refused("'players' must be a name", match_file.read, text.replace("human,perfect,human", "human,,human"))
    refused("one value for each move", match_file.read, text.replace("human,perfect,human", "human"))


def test_match_continued_from_file_does_not_count(services: Services) -> None:
    text = """[Match "1"] [Start "menace"] [Player1 "MENACE"] [Player2 "human"] [Coach "quiet"]
        1. b2 2. a3 3. b1 4. b3 5. c1 *"""
    match = match_from(services, text)
    for move in ("c3",):
        match.play(match.game.parse_move(move))
    record = match.record()
    assert (match.winner, record.players) == ("O", ("?",) * 5 + ("human",))
    assert not record.unaided
    assert not record.counts
    services.save_match(match, None)
    assert services.challenge_wins(match.game) == 0
    assert services.machines.load("MENACE").games == 0, "its beads were not drawn here"
