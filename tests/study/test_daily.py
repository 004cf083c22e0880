import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.match import Match, new_match
from arcade.services import Services
from arcade.studies import map_of_day
from arcade.study.daily import DayScore, chat_text, day_of, days_of_week, deal_of, score_of, strip
from arcade.text.match import MatchDialogue
from tests.narrow import expect
from tests.screens.honshu_fake import InstantRace

HONSHU = get_game("honshu")
DAY = date(2026, 11, 26)
"""A Thursday."""
MONDAY = date(2026, 11, 23)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best map is whatever is found soon."""
    monkeypatch.setattr("arcade.study.daily.PAR_SECONDS", 0.1)
    monkeypatch.setattr("arcade.play.jobs.Control", lambda *_: Control(0.1))


def played(day: date, *seats: str) -> Match:
    """A finished match at the map of a day, always with the same placements."""
    match = new_match(deal_of(HONSHU, day), seats or ("human",))
    while not match.finished:
        match.play(match.position.moves()[0])
    return match


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    services = Services(tmp_path, warm=False)
    yield services
    services.close()


def test_date_determines_the_deal() -> None:
    start = deal_of(HONSHU, DAY)
    assert str(start) == "honshu:7x6#20261126"
    assert parse_game_id("honshu:7x6#20261126").start() == start.start()
    month = {deal_of(HONSHU, DAY + timedelta(number)).start() for number in range(31)}
    assert len(month) == 31, "each day has its own"


def test_only_solo_human_match_is_map_of_the_day() -> None:
    assert day_of(new_match(deal_of(HONSHU, DAY), ["human"])) == DAY
    for text, seats in (
        ("honshu:7x6#20261126", ["human", "perfect"]),
        ("honshu:7x6#20261126", ["perfect"]),
        ("honshu:7x6#20261131", ["human"]),
        ("honshu:7x6#5", ["human"]),
        ("honshu:9x6#20261126", ["human"]),
        ("hexapawn:3x3", ["human", "human"]),
    ):
        assert day_of(new_match(parse_game_id(text), seats)) is None, (text, seats)
    exact = replace(deal_of(HONSHU, DAY), position=deal_of(HONSHU, DAY).start().text(), seed=None)
    assert day_of(new_match(exact, ["human"])) is None


def test_chat_drawing_has_one_square_per_cell() -> None:
    position = expect(HonshuPosition, played(DAY).position)
    rows = HONSHU.explanations.chat_drawing(position).split("\n")
    assert [len(row) for row in rows] == [7] * 7
    named = dict(zip("🟨🟩🟦🟥⬜🟪⬛", "PFLVRU.", strict=True))
    # The plain drawing of the map, which other tests know, is the oracle.
    assert [" ".join(named[square] for square in row) for row in rows] == str(position).splitlines()


def test_week_runs_from_monday_to_sunday() -> None:
    assert days_of_week(DAY) == [MONDAY + timedelta(number) for number in range(7)]
    assert days_of_week(MONDAY) == days_of_week(MONDAY + timedelta(6)) == days_of_week(DAY)
    week = dict.fromkeys(days_of_week(DAY)) | {MONDAY: DayScore(36, 40), DAY: DayScore(7, 7)}
    assert strip(week).split("\n") == ["Mon Tue Wed Thu Fri Sat Sun", " 90   -   - 100   -   -   -"]


def test_first_finished_map_of_the_day_counts(services: Services) -> None:
    assert map_of_day(services, HONSHU, DAY)[1] is None
    begun = new_match(deal_of(HONSHU, DAY), ["human"])
    begun.play(begun.position.moves()[0])
    saved, _ = services.save_match(begun, None)
    match, again = map_of_day(services, HONSHU, DAY)
    assert again == saved, "one goes on where one was"
    assert match.moves == begun.moves
    while not begun.finished:
        begun.play(begun.position.moves()[0])
    saved, _ = services.save_match(begun, saved)
    better = new_match(deal_of(HONSHU, DAY), ["human"])
    while not better.finished:
        position = expect(HonshuPosition, better.position)
        better.play(max(position.moves(), key=lambda move: position.score_change(move).total))
    assert score_of(better).points > score_of(begun).points
    services.save_match(better, None)
    services.save_match(played(MONDAY, "human", "random"), None)
    week = services.week(HONSHU, DAY)
    assert {day for day, score in week.items() if score is not None} == {DAY}
    assert map_of_day(services, HONSHU, DAY)[1] == saved
    services.store.save_best_score(str(begun.start), 99)
    assert services.week(HONSHU, DAY)[DAY] == DayScore(score_of(begun).points, 99)


def test_chat_text_has_score_map_and_week() -> None:
    match = played(DAY)
    week = dict.fromkeys(days_of_week(DAY)) | {
        MONDAY: DayScore(40, 40),
        MONDAY + timedelta(1): DayScore(36, 40),
        MONDAY + timedelta(2): DayScore(35, 40),
        MONDAY + timedelta(3): DayScore(0, 0),
    }
    score = expect(HonshuPosition, match.position).score.total
    end = expect(HonshuPosition, match.position)
    for _ in range(3):
        match.undo()
    # The finished map is copied even while an earlier position is on show.
    head, *drawn, days = chat_text(match, DAY, week).splitlines()
    assert head == f"solver-arcade, Honshu 2026-11-26: {score} of {score}"
    assert "\n".join(drawn) == HONSHU.explanations.chat_drawing(end)
    assert days == "🟩🟨🟧🟩⬛⬛⬛ Monday to Sunday"
    match.hints[0] = 2
    assert chat_text(match, DAY, week).splitlines()[0] == f"{head}, hints 2"


def test_puzzle_command_prints_map_with_best_layout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["puzzle", "honshu", "--daily", "2026-11-26", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["id"], found["day"]) == ("honshu:7x6#20261126", "2026-11-26")
    position = expect(HonshuPosition, parse_game_id(found["id"]).start())
    for word in found["moves"]:
        position = position.play(HONSHU.parse_move(word))
    assert position.score.total == found["best"] <= found["bound"]
    assert run(["puzzle", "honshu", "--daily", "2026-11-26"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "Honshu, daily map, 2026-11-26"
    assert shown[-1] == found["id"]


def test_map_of_the_day_is_playable_in_text_mode(
    services: Services, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(HONSHU.__dict__, "solver", InstantRace())
    match, saved = map_of_day(services, HONSHU, DAY)
    said: list[str] = []

    def person() -> Iterator[str]:
        yield "result"
        assert "Finish the map to see your result." in said
        for _ in range(6):
            yield str(match.position.moves()[0])
        yield "result"
        yield "quit"

    MatchDialogue(match, services, said.append, saved).run(person())
    score = services.week(HONSHU, DAY)[DAY]
    assert f"Daily map of 2026-11-26: {score}. Type result to share it in a chat." in said
    assert f"Thursday: {score}." in said
    assert f"solver-arcade, Honshu 2026-11-26: {score}" in said


def test_puzzle_command_opens_map_in_text_mode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert run(["puzzle", "honshu", "--daily", "2026-11-26", "--plain"]) == 0
    assert capsys.readouterr().out.startswith("Honshu 7x6. This is the daily map of 2026-11-26.\nPlace ")


def test_map_partly_played_by_engine_does_not_count(services: Services) -> None:
    begun = new_match(deal_of(HONSHU, DAY), ["human"])
    begun.play(begun.position.moves()[0])
    begun.set_player(0, "random")
    begun.play(begun.position.moves()[0])
    begun.set_player(0, "human")
    while not begun.finished:
        begun.play(begun.position.moves()[0])
    assert day_of(begun) is None
    services.save_match(begun, None)
    assert map_of_day(services, HONSHU, DAY)[1] is None
    assert not any(services.week(HONSHU, DAY).values())
