import json
from dataclasses import replace
from typing import Any

import pytest

from arcade.engines.files import InputError
from arcade.engines.registry import AnyGame, GameID, installed_games
from arcade.engines.verdict import Value
from arcade.play.match import new_match
from arcade.store.record import MAX_LENGTH, Coach, Mark, MatchRecord
from tests.refusals import refused

WON = MatchRecord(
    game="chocobar",
    start="chocobar:2x2",
    seed=5,
    taught=False,
    seats=("human", "perfect"),
    moves=("(2,2)", "(1,2)", "(2,1)"),
    marks=(Mark.ONLY, "", Mark.GOOD),
    played=3,
    hints=(1, 0),
    takebacks=2,
    values=1,
    coach=Coach.MISTAKES,
    resigned=None,
    result=Value.WIN,
)
GOING_ON = replace(WON, played=1, result=None)
RESIGNED = replace(WON, moves=("(2,2)",), marks=("",), played=1, resigned=1)
ALONE = replace(WON, seats=("human",), hints=(0,), result=Value.TIE)


@pytest.mark.parametrize("record", [WON, GOING_ON, RESIGNED, ALONE])
def test_record_round_trips_through_json(record: MatchRecord) -> None:
    assert MatchRecord.from_json(record.to_json()) == record


def test_first_version_record_gets_default_values() -> None:
    old = json.loads(WON.to_json())
    del old["seed"], old["taught"]
    assert MatchRecord.from_json(json.dumps(old)) == replace(WON, seed=0)


@pytest.mark.parametrize(
    ("seats", "person"),
    [
        (("human", "perfect"), 0),
        (("MENACE", "human"), 1),
        (("human", "human"), None),
        (("random", "perfect"), None),
        (("human",), None),
    ],
)
def test_person_is_seat_of_human_against_engine(seats: tuple[str, ...], person: int | None) -> None:
    assert replace(WON, seats=seats).person == person


MISSING = object()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("game", each) for each in (MISSING, None, 7, "hexapawn", "choco\x1bbar")),
        *(("start", each) for each in (MISSING, None, ["chocobar"], "hexapawn:3x3", "chocobar:\x07")),
        *(("seed", each) for each in (None, "1", 1.5, True)),
        *(("taught", each) for each in (None, 0, "no")),
        *(("seats", each) for each in (MISSING, None, "human", [], ["human"] * 3, [7, 7], ["human", "\x9b"])),
        *(("moves", each) for each in (MISSING, None, "x", {"a": 1}, [None] * 3, ["(2,2)"], ["\u202e"] * 3)),
        *(("marks", each) for each in (MISSING, None, [""], [7] * 3, ["brilliant"] * 3, [[]] * 3)),
        *(("played", each) for each in (MISSING, None, -1, -1_000_000_000, 2, 4, 10**30, 1e300, True, "3")),
        *(("hints", each) for each in (MISSING, None, [0], [0, -1], [0, "1"], [True, False])),
        *(("resigned", each) for each in (MISSING, 0, 2, 7, -1, "0", True, [])),
        *(("result", each) for each in (MISSING, "banana", 1, [], {}, True)),
    ],
)
def test_damaged_record_is_refused_with_message(name: str, value: object) -> None:
    damaged: dict[str, Any] = json.loads(WON.to_json()) | {name: value}
    if value is MISSING:
        del damaged[name]
    with pytest.raises(InputError, match=r"^The saved match is damaged: .*\.$") as caught:
        MatchRecord.from_json(json.dumps(damaged))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "record",
    [
        replace(RESIGNED, result=None),
        replace(RESIGNED, result=Value.LOSS),
        replace(RESIGNED, result=Value.TIE),
        replace(RESIGNED, resigned=0),
        replace(ALONE, resigned=0, result=Value.WIN),
        replace(ALONE, resigned=1),
    ],
)
def test_contradictory_result_is_refused(record: MatchRecord) -> None:
    with pytest.raises(InputError, match="'result' does not match"):
        MatchRecord.from_json(record.to_json())


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "7", '"text"', "NaN", "[" * 100_000, '{"a":' * 100_000, "9" * 5000, "\udcff"],
    ids=lambda text: text[:5],
)
def test_invalid_record_text_is_refused(text: str) -> None:
    refused(r"^The saved match is damaged: it (is not|must be an object).*\.$", MatchRecord.from_json, text)


def test_overlong_record_is_refused() -> None:
    with pytest.raises(InputError, match="the limit is 1,000,000"):
        MatchRecord.from_json(WON.to_json() + " " * MAX_LENGTH)


SIZES = {
    "hexapawn:4x4": "4x4",
    "hexapawn:4x4,misere": "4x4,misere",
    "hexapawn:4x4:pppp/..../P.../.PPP:b": "4x4",
    "chocobar:3x4:2.2.2": "3x4",
    "tetromino:5x6:...../...../...../...../...../####.:LOST-ILOST:2": "5x6",
    "honshu:9x6#3": "9x6",
    "honshu:7x6,lakes2#20261126": "7x6,lakes2",
    "menace": "",
    "menace:X.O......": "",
    "menace:.........": "",
    "graph:example": "example",
    "graph:example:2": "example",
    "nowhere:3x3:xyz": "3x3",
}


@pytest.mark.parametrize("start", SIZES)
def test_size_is_the_board_without_position_and_seed(start: str) -> None:
    assert replace(WON, game=start.partition(":")[0], start=start).size == SIZES[start]


@pytest.mark.parametrize("game", installed_games(), ids=lambda game: game.name)
def test_match_counts_only_from_start_with_unchanged_players(game: AnyGame) -> None:
    """Of every game, on every board that it offers."""
    for preset in game.parameters.presets:
        start = GameID(
            game, game.parameters.parse(preset.parameters), seed=7 if game.parameters.seeded else None
        )
        first = start.start()
        record = new_match(start, seed=1).record()
        assert record.size == game.parameters.text(start.parameters)
        assert record.counts
        later = GameID.of(game, first.play(first.moves()[0]))
        assert not replace(record, start=str(later)).counts
        # A first position may be written out, but a written deal could come from anywhere.
        typed = replace(record, start=str(start.at(first)))
        assert typed.counts == (first == game.new(start.parameters))
        assert typed.size == record.size
        assert not replace(record, moves=("x",), marks=("",), players=("perfect",)).counts


@pytest.mark.parametrize("players", [("human", "perfect", "human"), ("?", "?", "human")])
def test_changing_players_counts_as_help(players: tuple[str, ...]) -> None:
    alone = replace(WON, hints=(0, 0), takebacks=0, values=0)
    assert alone.unaided
    assert alone.counts
    changed = replace(alone, players=players)
    assert not changed.unaided
    assert not changed.counts
    assert MatchRecord.from_json(changed.to_json()) == changed
