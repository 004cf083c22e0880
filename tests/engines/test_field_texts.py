"""Positions without a text of their own: any frozen fields come back, and stand in a game ID."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.cli import run
from arcade.engines import registry
from arcade.engines.control import Control
from arcade.engines.explanations import Explanations
from arcade.engines.field_texts import read_fields, write_fields
from arcade.engines.game import Game
from arcade.engines.parameters import Parameter, Parameters, ParameterSet
from arcade.engines.position import Outcome, Position
from arcade.engines.registry import GameID, parse_game_id
from arcade.engines.teaching import Teaching
from arcade.engines.verdict import HintRegion
from arcade.play import files as match_file
from arcade.play.match import new_match
from arcade.proof.conformance import (
    BrokenError,
    GameUnderTest,
    SkippedError,
    check_hints,
    check_players,
    check_round_trips,
    check_verdicts_by_search,
)
from tests.refusals import refused


class Mood(Enum):
    CALM = 1
    ANGRY = 2


@dataclass(frozen=True)
class Fields:
    word: str
    number: int
    share: float
    yes: bool
    last: tuple[str, int] | None
    rows: tuple[tuple[int | str, ...], ...]
    seen: frozenset[str | int]
    mood: Mood | None


@settings(max_examples=75, deadline=None)
@given(
    st.builds(
        Fields,
        word=st.text(),
        number=st.integers(),
        share=st.floats(allow_nan=False),
        yes=st.booleans(),
        last=st.none() | st.tuples(st.text(), st.integers()),
        rows=st.lists(st.lists(st.integers() | st.text(), max_size=3).map(tuple), max_size=3).map(tuple),
        seen=st.frozensets(st.text() | st.integers(), max_size=3),
        mood=st.none() | st.sampled_from(Mood),
    )
)
def test_fields_round_trip_as_shell_safe_text(position: Fields) -> None:
    text = write_fields(position)
    assert read_fields(text, Fields) == position
    # No space, no control character, nothing that a shell takes for something else.
    assert text.isprintable()
    assert shlex.quote(text) == text


GOOD = "=ab/7/2.5/True/None/@0/+0/Mood.CALM"


@pytest.mark.parametrize(
    "bad",
    [
        *(
            "",
            "=ab",
            GOOD + "/1",
            GOOD.replace("7", "07"),
            GOOD.replace("7", "=7"),
            GOOD.replace("7", "True"),
        ),
        *(GOOD.replace("CALM", "LOUD"), GOOD.replace("Mood", "Path"), GOOD.replace("None", "@2,1,=a")),
        *(GOOD.replace("@0", "@1," * 5_000 + "@0"), GOOD.replace("@0", "@1,1"), GOOD.replace("@0", "@0,")),
        *(GOOD.replace("+0", "+2,2,1"), GOOD.replace("+0", "+1,1.5"), GOOD.replace("ab", "%61b")),
        *(GOOD.replace("ab", "%FF"), GOOD.replace("7", "9" * 5000), GOOD.replace("@0", "@-1")),
        *(GOOD.replace("ab", "~"), GOOD.replace("@0", "@999999999"), GOOD.replace("@0", "@00")),
    ],
    ids=itertools.count(),
)
def test_malformed_field_texts_are_rejected(bad: str) -> None:
    assert write_fields(read_fields(GOOD, Fields)) == GOOD
    with pytest.raises((ValueError, LookupError, TypeError, RecursionError)):
        read_fields(bad, Fields)


@dataclass(frozen=True)
class Heaps(Position[str]):
    """Nim with two heaps, written as its page says, with fields of many kinds."""

    heaps: tuple[int, ...]
    said: str = "Take: #1 / 2\n"
    mood: Mood = Mood.CALM
    turn: int = 0

    def moves(self) -> list[str]:
        return [f"{'ab'[heap]}{take}" for heap in (0, 1) for take in range(1, self.heaps[heap] + 1)]

    def play(self, move: str) -> Heaps:
        if move not in self.moves():
            raise ValueError("Nobody can take this.")
        heap = "ab".index(move[0])
        left = (*self.heaps[:heap], self.heaps[heap] - int(move[1:]), *self.heaps[heap + 1 :])
        return Heaps(left, f"{move}: é\x1b", Mood(3 - self.mood.value), 1 - self.turn)

    def outcome(self) -> Outcome | None:
        return None if any(self.heaps) else Outcome(1 - self.turn, "No more is left")


class Two(Game[Heaps, str]):
    title = "Two heaps"
    summary = "Take the last one."
    teaching = Teaching(
        rules="There are two heaps. The players take any number from one. Who takes the last one wins."
    )
    parameters = ParameterSet[Heaps]((Parameter("left", "Left", 3, 1, 9),))

    def start(self, parameters: Parameters, seed: int) -> Heaps:
        return Heaps((int(parameters.get("left", 3)), 5))


@pytest.fixture(params=["two", "bare"])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Two]:
    two = Two()
    two.name = request.param
    if two.name == "bare":
        two.parameters = ParameterSet()
    entry = SimpleNamespace(name=two.name, module=__name__, value=f"{__name__}:GAME", load=lambda: two)
    found = registry._found() | {two.name: entry}
    registry.get_game.cache_clear()
    registry._game_of.cache_clear()
    monkeypatch.setattr(registry, "_found", lambda: found)
    yield two
    registry.get_game.cache_clear()
    registry._game_of.cache_clear()


def said(*arguments: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as output:
        assert run([*arguments]) == 0
    return output.getvalue()


def test_game_with_text_and_tuples_works_in_commands(game: Two, tmp_path: Path) -> None:
    after = game.start({}, 0).play("b1")
    id = str(GameID(game, game.parameters.parse(""), after.text()))
    assert parse_game_id(id).start() == after
    assert json.loads(said("verdict", id, "--json"))["value"] == "win"
    assert "b1" in said("hint", id)
    assert said("line", id).split()[0] == "b1"
    assert json.loads(said("verify", id, "--json"))["agrees"] is True
    made: list[Any] = json.loads(said("puzzle", game.name, "--count", "2", "--seed", "1", "--json"))
    for each in made:
        assert each["moves"][0] in map(str, parse_game_id(each["id"]).start().moves())
    file = tmp_path / "one.match"
    match = new_match(parse_game_id(id), ("human", "human"))
    match.play("a1")
    match_file.write_file(str(file), match.record())
    again = match_file.read_file(str(file))
    assert [again.start.start(), *(ply.move for ply in again.plies)] == [after, "a1"]


@pytest.mark.parametrize(
    "bad",
    [
        "@2,3,5",
        "@1,3/=x/Mood.CALM/0",
        "@2,3,=5/=x/Mood.CALM/0",
        "@2,3,5/=x/Mood.CALM/2",
        "@2,-1,0/=x/Mood.CALM/0",
    ],
)
def test_impossible_positions_are_rejected(game: Two, bad: str) -> None:
    refused(r"Write it like @2,3,5/=Take%3A%20%231%20%2F%202%0A/Mood", game.parse_position, bad)


def test_conformance_check_detects_text_that_does_not_round_trip(
    game: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = GameUnderTest(parse_game_id(game.name), Control())
    check_round_trips(trial)
    monkeypatch.setattr(Heaps, "text", lambda heaps: f"@2,{heaps.heaps[0]},5/=/Mood.CALM/{heaps.turn}")
    with pytest.raises(BrokenError, match="is parsed as"):
        check_round_trips(trial)


def test_hint_check_finds_the_move_only_as_a_whole_word(game: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = GameUnderTest(parse_game_id(game.name), Control())
    hinted = ""
    monkeypatch.setattr(Explanations, "hint_region", lambda _, __, move: HintRegion(hinted.format(move)))
    hinted = "Compare the x{}s."
    check_hints(trial)
    hinted = "Not {}?."
    with pytest.raises(BrokenError, match="gives the move away"):
        check_hints(trial)


@pytest.mark.parametrize("check", [check_players, check_verdicts_by_search])
def test_cancelled_check_starts_no_search(game: Two, check: Callable[[GameUnderTest], None]) -> None:
    trial = GameUnderTest(parse_game_id(game.name), Control())
    check(trial)
    trial.control.cancel()
    with pytest.raises(SkippedError, match="Stopped"):
        check(trial)


def test_boolean_parameters_round_trip() -> None:
    known = ParameterSet[Any]((Parameter("misere", "Last loses", False), Parameter("fast", "Fast", False)))
    for text in ("", "misere", "fast", "misere,fast"):
        given = {each.name: False for each in known} | known.parse(text)
        assert known.text(given) == text
    refused("Choose from misere, fast", known.parse, "3")
