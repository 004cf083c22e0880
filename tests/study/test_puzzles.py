import json
import time
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.match import HUMAN, Mark, Match, new_match
from arcade.services import Services
from arcade.studies import mistakes_of, puzzle_round
from arcade.study.puzzle_generator import mistakes
from arcade.study.puzzles import (
    DAILY,
    MODES,
    PRACTICE,
    STREAK,
    Mode,
    PuzzleAttempt,
    PuzzleChoice,
    PuzzleRun,
    clock_text,
    grade_on,
    parse_day,
    today,
)
from tests.narrow import expect, present
from tests.refusals import refused

MENACE = get_game("menace")


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def begun(mode: Mode, clock: Clock | None = None, **given: Any) -> PuzzleRun:
    day = date(2026, 11, 22) if mode is DAILY else None
    begun = PuzzleRun(PuzzleChoice(MENACE, mode, **given), 7, day=day, clock=clock or Clock())
    following(begun)
    return begun


def following(played: PuzzleRun) -> None:
    played.begin(present(played.make(Control())))


def attempt_of(played: PuzzleRun) -> PuzzleAttempt:
    assert played.attempt is not None
    return played.attempt


def wrong(played: PuzzleRun) -> Any:
    step = attempt_of(played).step
    return next(move for move in step.position.moves() if move != step.move)


def solve(played: PuzzleRun) -> None:
    attempt = attempt_of(played)
    while not attempt.done:
        assert played.play(attempt.step.move)
        attempt.reply()


def test_daily_puzzle_result_has_time_and_mistakes() -> None:
    clock = Clock()
    played = begun(DAILY, clock)
    attempt = attempt_of(played)
    assert attempt.puzzle.grade == grade_on(date(2026, 11, 22)) == 5
    start = attempt.position
    clock.now += 5
    assert not played.play(wrong(played))
    assert attempt.position == start, "a mistake changes nothing"
    assert attempt.wrong_words()
    clock.now += 60
    solve(played)
    assert played.over
    assert attempt.mistakes == 1
    assert not attempt.solved
    line = played.line()
    assert line == "solver-arcade, MENACE daily 2026-11-22, grade 5 of 5: solved in 1:05, 1 wrong"
    result = played.result(3.0)
    assert (result.mode, result.day, result.solved, result.seconds) == ("daily", "2026-11-22", False, 65.0)


def test_opponent_replies_before_the_next_move() -> None:
    played = begun(PRACTICE, grade=5)
    for _ in range(20):
        if len(attempt_of(played).puzzle.steps) > 1:
            break
        following(played)
    attempt = attempt_of(played)
    first = attempt.step
    assert played.play(first.move)
    assert attempt.replying
    assert not played.play(attempt.position.moves()[0]), "it is not the person's turn"
    assert not attempt.mistakes
    attempt.reply()
    assert attempt.last == first.reply
    assert attempt.position == attempt.step.position
    assert attempt.index == 1


def test_streak_gets_harder_and_ends_at_first_mistake() -> None:
    played = begun(STREAK)
    grades = []
    for _ in range(5):
        grades.append(attempt_of(played).puzzle.grade)
        assert not played.help(), "nothing helps"
        solve(played)
        assert not played.over
        following(played)
    assert grades == [1, 1, 2, 2, 3]
    assert not played.play(wrong(played))
    assert played.over
    assert attempt_of(played).done
    assert played.solved == 5
    assert "streak: 5 puzzles solved" in played.line()


def test_puzzle_round_ends_at_its_mistake_limit() -> None:
    played = begun(replace(STREAK, max_mistakes=3))
    for mistake in range(3):
        assert not played.over
        played.play(wrong(played))
        assert played.mistakes == mistake + 1
        if not played.over:
            following(played)
    assert played.over


def test_failed_puzzle_accepts_no_further_move() -> None:
    played = begun(replace(STREAK, max_mistakes=3))
    for _ in range(2):
        played.play(wrong(played))
    assert played.mistakes == 1


def test_round_time_counts_only_thinking() -> None:
    clock = Clock()
    played = begun(STREAK, clock)
    clock.now += 100
    played.watch.stop()
    assert played.paused
    clock.now += 1000
    assert not played.play(wrong(played)), "nobody plays while the clock stands still"
    assert not played.mistakes
    played.watch.run()
    solve(played)
    clock.now += 1000
    following(played)
    clock.now += 81
    assert played.watch.seconds == 181, "making a puzzle takes no time"
    assert played.seconds == 81
    assert played.line() == "solver-arcade, MENACE streak: 1 puzzle solved in 3:01"


def test_puzzle_mode_descriptions_fit_their_column() -> None:
    assert len({mode.name for mode in MODES}) == len(MODES)
    assert all(len(mode.line.format(grade=5)) < 32 for mode in MODES)


def test_hint_has_two_steps_and_is_reported() -> None:
    played = begun(PRACTICE, grade=1)
    move = str(attempt_of(played).step.move)
    where, which = played.help(), played.help()
    assert move not in where
    assert move in which
    solve(played)
    assert not attempt_of(played).solved
    assert "with a hint" in played.line()
    assert "with a hint" not in begun(PRACTICE).line()


def test_result_does_not_reveal_the_solution() -> None:
    for mode in MODES:
        played = begun(mode)
        puzzle = attempt_of(played).puzzle
        solve(played)
        line = played.line()
        assert "\n" not in line
        assert not any(str(step.move) in line for step in puzzle.steps)
        assert puzzle.start.text() not in line


def test_round_repeats_no_puzzle_until_all_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.study.puzzle_generator.MAX_WALKS", 150)
    played = begun(PRACTICE, grade=5)
    seen = []
    for _ in range(40):
        seen.append(MENACE.symmetries.canonical(attempt_of(played).puzzle.start))
        if seen[-1] in seen[:-1]:
            break
        following(played)
    assert len(set(seen)) > 10
    known = PuzzleRun(
        PuzzleChoice(MENACE, PRACTICE, 5), 7, known=[str(begun(PRACTICE, grade=5).result(0).puzzle)]
    )
    following(known)
    assert MENACE.symmetries.canonical(attempt_of(known).puzzle.start) != seen[0]


def test_daily_grades_rise_over_the_week() -> None:
    monday = date(2026, 11, 23)
    grades = [grade_on(monday + timedelta(each)) for each in range(7)]
    assert grades == sorted(grades)
    assert set(grades) == {1, 2, 3, 4, 5}


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="only POSIX can change the time zone of a process")
def test_daily_puzzle_is_the_same_in_every_time_zone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found, clocks = [], []
    before = datetime.now(UTC).date()
    try:
        for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            clocks.append(time.localtime().tm_gmtoff)
            assert run(["puzzle", "menace", "--daily", "--json"]) == 0
            found.append(json.loads(capsys.readouterr().out))
    finally:
        monkeypatch.undo()
        time.tzset()
    # 25 hours lie between these clocks, so they never show the same date.
    assert clocks[0] - clocks[1] == 25 * 3600
    after = datetime.now(UTC).date()
    assert {each[0]["day"] for each in found} <= {before.isoformat(), after.isoformat()}
    if before == after:
        assert found[0] == found[1]
        assert found[0][0]["grade"] == grade_on(today())


def test_invalid_day_is_refused() -> None:
    assert parse_day("2026-11-22") == date(2026, 11, 22)
    for text in ("", "2026-02-30", "22.11.2026", "tomorrow", "2026-11-22T00:00"):
        refused("expected a date", parse_day, text)


def test_puzzle_command_prints_positions_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["puzzle", "menace", "--seed", "5", "--count", "3", "--grade", "2"]
    assert run([*given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) == len({each["id"] for each in found}) == 3
    for each in found:
        position = parse_game_id(each["id"]).start()
        assert each["grade"] == 2
        assert type(each["sees"]) is int
        assert len(each["replies"]) <= len(each["moves"])
        for index, text in enumerate(each["moves"]):
            position = position.play(MENACE.parse_move(text, position))
            if index < len(each["replies"]):
                position = position.play(MENACE.parse_move(each["replies"][index], position))
    assert run(given) == 0
    shown = capsys.readouterr().out
    for each in found:
        board = str(parse_game_id(each["id"]).start())
        assert f"MENACE, grade 2 of 5\n{board}\n{each['task']}\n{each['id']}\n" in shown


def test_puzzle_command_prints_players_hands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["puzzle", "tetromino", "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    assert "\nFirst holds I, O, S and T.\nSecond holds L, O, S and T.\nYou are First." in shown


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--daily", "--seed", "1"], "--daily cannot be combined"),
        (["--daily", "2026-11-22", "--grade", "1"], "--daily cannot be combined"),
        (["nonsense"], "Unknown game 'nonsense'"),
        (["menace", "--daily", "2026-11-31"], "Wrong value for --daily: expected a date"),
        (["menace", "--count", "200", "--grade", "5"], "No other puzzle of grade 5 found in MENACE"),
        (["graph", "--grade", "5"], "No puzzle of grade 5 found in Graph.\n"),
    ],
)
def test_puzzle_command_refuses_impossible_requests(
    given: list[str], says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arcade.study.puzzle_generator.MAX_WALKS", 30)
    assert run(["puzzle", *given]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert says in printed.err
    assert printed.err.count("\n") == 1


def lost_match() -> Match:
    """X, a person, lets a win slip: after a1, b1 by O and c3 would win, and then does not stop O."""
    match = new_match(parse_game_id("menace"), (HUMAN, "random"))
    for text in ("a1", "b1", "b2", "c3", "a2", "a3", "c2"):
        match.play(MENACE.parse_move(text))
    match.plies[4].mark = Mark.BLUNDER
    match.plies[5].mark = Mark.BLUNDER
    return match


def test_mistake_puzzles_start_before_the_human_mistake() -> None:
    record = lost_match().record()
    found = mistakes(MENACE, [record, record])
    assert [root.position.text() for root in found] == ["..O.X.XO."], "the engine's mistakes do not count"
    assert mistakes(get_game("hexapawn"), [record]) == []


def test_mistake_puzzles_include_matches_against_machines(services: Services) -> None:
    record = replace(lost_match().record(), seats=("human", "MENACE"))
    assert mistakes(MENACE, [record]) == []
    services.store.save_match(record)
    damaged, _ = services.store.save_match(record)
    services.store._write("UPDATE matches SET record = 'what' WHERE id = ?", damaged)
    (root,) = mistakes_of(services, MENACE)
    assert root.position.text() == "..O.X.XO."


def test_practice_starts_from_own_mistakes(services: Services) -> None:
    choice = PuzzleChoice(MENACE, PRACTICE, own=True)
    with Control() as control, pytest.raises(InputError, match="You have no mistakes in MENACE yet"):
        puzzle_round(services, choice).make(control)
    services.save_match(lost_match(), None)
    with Control() as control:
        puzzle = puzzle_round(services, choice).make(control)
    marks = zip("..O.X.XO.", str(present(puzzle).id).partition(":")[2], strict=True)
    assert all(before in (".", now) for before, now in marks)


def test_only_first_daily_result_counts_and_bests_are_saved() -> None:
    services = Services(warm=False)
    for _ in range(2):
        played = begun(DAILY)
        solve(played)
        services.save_puzzle(played)
    assert [each.solved for each in services.puzzle_results("menace")] == [True]
    for count in (2, 1):
        played = begun(STREAK)
        for _ in range(count):
            solve(played)
            services.save_puzzle(played)
            following(played)
    assert services.state.best_of("menace", "streak") == 2
    assert services.state.best_of("menace", "daily") == 0
    services.close()
    again = Services(warm=False)
    assert again.state.best_of("menace", "streak") == 2
    assert len(again.puzzle_results("menace")) == 4
    again.close()


def test_clock_shows_minutes_and_seconds() -> None:
    assert [clock_text(each) for each in (0.0, 59.9, 60, 185)] == ["0:00", "0:59", "1:00", "3:05"]


def highest(position: Any) -> int:
    """The most that can be made of a map, by trying everything."""
    ended = position.outcome()
    return ended.score if ended else max(highest(position.play(move)) for move in position.moves())


def test_wrong_placement_is_refuted_by_best_remaining_map() -> None:
    honshu = get_game("honshu")
    for seed in range(100):
        played = PuzzleRun(PuzzleChoice(honshu, PRACTICE, 1), seed)
        with Control() as control:
            played.begin(present(played.make(control)))
            attempt = attempt_of(played)
            if len(expect(HonshuPosition, attempt.position).hand) > 2:
                continue
            move = wrong(played)
            assert not played.play(move)
            refuted = attempt.refute(control)
        end = attempt.position.play(move)
        most = highest(end)
        for each in refuted.line:
            end = end.play(each)
        assert end.outcome() is not None
        assert expect(HonshuPosition, end).score.total == most < highest(attempt.position)
        assert refuted.says.endswith(f"The best map now scores {most}.")
        return
    raise AssertionError("no puzzle has so few tiles")
