"""The methods of the documents side by side with the solvers."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from arcade.commands.contests import app
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import OUT_OF_TIME, Work
from arcade.engines.registry import get_game, parse_game_id
from arcade.study import comparison
from arcade.study.comparison import Trial, boards_of, chart, compare, methods_of, picture, table_lines


def works(board: str, seconds: float | None = None) -> dict[str, Work]:
    """What each method finds on a board, here."""
    start = parse_game_id(board)
    found = {}
    for method in methods_of(start.game)[0]:
        method.warm()
        with Control(seconds) as control:
            found[method.name] = method.run(start.start(), control)
    return found


@pytest.mark.parametrize(
    "board", ["chocobar:3x4", "chocobar:4x4", "hexapawn:3x3", "hexapawn:3x4", "tetromino:4x4"]
)
def test_all_methods_find_the_same(board: str) -> None:
    found = works(board)
    # What stands as printed in a report says what it misses; what has learnt says how much.
    own = [name for name in found if name.endswith("-as-printed")]
    assert len({found[name].answer for name in found if name not in own}) == 1
    assert not any(each.gave_up for each in found.values())
    assert all(each.positions for each in found.values())


def test_the_solver_finds_the_best_map_and_nobody_more_than_its_bound() -> None:
    found = works("honshu:5x2#1")
    scores = {name: int(work.answer.split()[1]) for name, work in found.items()}
    solved = found["solver"].answer
    assert scores["greedy"] <= scores["mixed"] <= scores["solver"] == max(scores.values())
    assert scores["solver"] <= int(solved.split()[-1])


@pytest.mark.parametrize(
    ("board", "method", "why"),
    [
        ("hexapawn:5x5", "naive", OUT_OF_TIME),
        ("tetromino:5x8", "plain", OUT_OF_TIME),
        ("tetromino:7x8", "plain", "takes boards of at most 54 cells"),
        ("chocobar:6x6", "arrays", OUT_OF_TIME),
        # Nor does the solver get away with what theory says of a square.
        ("chocobar:14x14", "solver", OUT_OF_TIME),
        ("chocobar:13x13", "winning-strategy", "would take 3.4 GiB"),
        ("chocobar:16x16", "packed", "a bar of 16x16 does not fit into 64 bits"),
    ],
)
def test_a_method_says_why_it_gave_up(board: str, method: str, why: str) -> None:
    start = parse_game_id(board)
    run = next(each for each in methods_of(start.game)[0] if each.name == method)
    run.warm()
    with Control(0.01) as control:
        work = run.run(start.start(), control)
    assert work.answer == ""
    assert work.gave_up.startswith(why)


def test_who_has_given_up_is_not_tried_on_later_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def fake(board: str, method: str, *_: object) -> Trial:
        tried.append((board, method))
        return Trial(board, method, gave_up=OUT_OF_TIME if method == "naive" else "")

    monkeypatch.setattr(comparison, "_tried", fake)
    with Control() as control:
        game = get_game("hexapawn")
        trials = list(compare(game, boards_of(game, ["3x3", "4x4"]), 1, control))
    assert [(each.board, each.method) for each in trials] == tried
    assert [name for board, name in tried if board == "hexapawn:4x4"] == ["list", "map", "solver"]


def test_a_cancel_ends_it_at_once() -> None:
    with Control() as control:
        game = get_game("hexapawn")
        assert list(compare(game, ["hexapawn:6x6"], 60, control, lambda *_: control.cancel())) == []
        assert control.seconds < 30


def test_the_command_prints_json_and_a_table() -> None:
    result = CliRunner().invoke(app, ["compare", "menace", "--json"])
    trials = json.loads(result.stdout)["trials"]
    assert [(each["method"], each["positions"]) for each in trials] == [
        ("tree", 549_946),
        ("table", 765),
        ("graph", 765),
        ("all-symmetries", 549_946),
        ("arcade", 304),
    ]
    assert all(each["seconds"] > 0 and each["gave_up"] == "" for each in trials)
    assert [each.pop("id") for each in trials] == ["menace"] * 5
    lines = table_lines([Trial(**each) for each in trials])
    assert lines[0].split() == ["board", "method", "seconds", "positions", "MiB", "answer"]
    assert [line.split()[1] for line in lines[1:]] == [each["method"] for each in trials]


def test_a_bar_is_longer_by_a_step_for_each_factor_of_ten() -> None:
    trials = [Trial(f"chocobar:{size}x{size}", "m", "win", 10.0**size) for size in (-3, -2, -1)]
    bars = [line.count("#") for line in chart([*trials, Trial("chocobar:9x9", "m", gave_up="out of time")])]
    assert bars == [0, 0, 10, 15, 20, 0]
    assert chart(trials[:1])[-1].endswith("# 0.001 s")


def test_the_picture_is_an_svg_file_with_every_method() -> None:
    pytest.importorskip("matplotlib")
    trials = [
        Trial(f"hexapawn:{size}", name, "win", 0.1) for size in ("3x3", "4x4") for name in ("map", "solver")
    ]
    text = picture(trials, get_game("hexapawn")).decode()
    assert text.startswith("<?xml")
    assert all(word in text for word in ("map", "solver", "3x3", "4x4", "Hexapawn"))
    assert picture(trials, get_game("hexapawn")).decode() == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["graph"], "no other methods"),
        (["chess"], "no game 'chess'"),
        (["hexapawn", "3x99"], "Columns must be 1 to 32"),
        (["hexapawn", "3x3", "x"], "'x'"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["compare", *arguments])
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
