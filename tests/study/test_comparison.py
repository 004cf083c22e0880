"""The methods of the documents side by side with the solvers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arcade.cli import command_line
from arcade.commands.compare import app
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.reference_methods import OUT_OF_TIME, MethodResult
from arcade.engines.registry import get_game, parse_game_id
from arcade.study import comparison
from arcade.study.comparison import (
    MethodRun,
    boards_of,
    chart,
    chosen,
    compare,
    found_lines,
    methods_of,
    picture,
    table_lines,
)


def works(board: str, seconds: float | None = None) -> dict[str, MethodResult]:
    """What each method finds on a board, here."""
    start = parse_game_id(board)
    found = {}
    for method in chosen(start.game, ()):
        method.warm()
        with Control(seconds) as control:
            found[method.name] = method.solve(start.start(), control)
    return found


@pytest.mark.parametrize("board", ["chocobar:3x4", "chocobar:4x4", "hexapawn:3x3", "tetromino:4x4"])
def test_all_methods_find_the_same_answer(board: str) -> None:
    found = works(board)
    # What stands as printed in a report says what it misses, and one program was wrong.
    own = [name for name in found if not name.endswith("-as-printed") and name != "naive-memo-as-coded"]
    assert len({found[name].answer for name in own}) == 1
    assert not any(each.gave_up for each in found.values())
    assert all(each.positions for each in found.values())


def test_honshu_solver_has_best_score_within_bound() -> None:
    found = works("honshu:5x2#1")
    scores = {name: int(work.answer.split()[0]) for name, work in found.items()}
    assert scores["greedy"] <= scores["mixed-2"] <= scores["solver"] == max(scores.values())
    # Two tiles of 5x5 have 2 (4 * 25)^2 outcomes at most.
    assert found["solver"].answer == f"{scores['solver']} of at most {scores['solver']}, in 2.0e+04 outcomes"


@pytest.mark.parametrize(
    ("board", "method", "why"),
    [
        ("hexapawn:5x5", "naive", OUT_OF_TIME),
        ("tetromino:5x8", "plain", OUT_OF_TIME),
        ("tetromino:7x8", "plain", "supports boards of up to 54 cells"),
        ("chocobar:6x6", "arrays", OUT_OF_TIME),
        # Nor does the solver get away with what theory says of a square.
        ("chocobar:14x14", "solver", OUT_OF_TIME),
        ("chocobar:13x13", "winning-strategy", "would take 3.4 GiB"),
        ("chocobar:16x16", "packed", "a bar of 16x16 does not fit into 64 bits"),
    ],
)
def test_method_reports_why_it_gave_up(board: str, method: str, why: str) -> None:
    start = parse_game_id(board)
    tried = next(each for each in methods_of(start.game)[0] if each.name == method)
    tried.warm()
    with Control(0.01) as control:
        work = tried.solve(start.start(), control)
    assert work.answer == ""
    assert work.gave_up.startswith(why)


def test_failed_method_is_skipped_on_later_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def fake(board: str, method: str, *_: object) -> MethodRun:
        tried.append((board, method))
        return MethodRun(board, method, gave_up=OUT_OF_TIME if method == "naive" else "")

    monkeypatch.setattr(comparison, "_tried", fake)
    with Control() as control:
        game = get_game("hexapawn")
        trials = list(compare(game, boards_of(game, ["3x3", "4x4"]), 1, control))
    assert [(each.board, each.method) for each in trials] == tried
    names = [method.name for method in methods_of(game).methods]
    assert [name for board, name in tried if board == "hexapawn:4x4"] == names[1:]


def test_cancel_ends_comparison_at_once() -> None:
    with Control() as control:
        game = get_game("hexapawn")
        assert list(compare(game, ["hexapawn:6x6"], 60, control, lambda *_: control.cancel())) == []
        assert control.seconds < 30


HERE = Path(__file__).parents[1] / "data"
T9 = "...../pp.pp/PPp../...P./....P:w"
COUNTED = {"successors": 3516, "successors-as-coded": 16287, "map": 1247}
REPORTED = {
    "in-order": "54",
    "expansion": "50",
    "greedy": "58",
    "in-order-as-coded": "33",
    "expansion-as-coded": "47",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "board", "key", "expected"),
    [
        ("honshu", str(HERE / "honshu/PartieRapport"), "answer", REPORTED),
        ("hexapawn", f"5x5:{T9}", "positions", {"map": 1247}),
        ("hexapawn", f"hexapawn:5x5:{T9}", "positions", {"map": 1247}),
        ("hexapawn", str(HERE / "hexapawn/Config5x5_3"), "positions", COUNTED),
    ],
)
def test_comparison_accepts_files_positions_and_ids(
    game: str, board: str, key: str, expected: dict[str, object]
) -> None:
    options = [word for name in expected for word in ("--method", name)]
    result = CliRunner().invoke(app, [game, board, *options, "--json"])
    trials = json.loads(result.stdout)["trials"]
    assert [each["method"] for each in trials] == list(expected)
    found = [each[key].split()[0] if key == "answer" else each[key] for each in trials]
    assert found == list(expected.values())


def test_compare_command_uses_the_given_tiles_file() -> None:
    board, tiles = str(HERE / "honshu/PartieRapport"), str(HERE / "honshu/tuiles")
    arguments = ["honshu", f"{board},tiles={tiles}", "--method", "greedy", "--json"]
    (trial,) = json.loads(CliRunner().invoke(app, arguments).stdout)["trials"]
    assert trial["answer"] == "58"
    assert trial["id"] == f"honshu:{board},tiles={tiles}"


def test_shell_completes_method_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMP_WORDS", "arcade compare honshu --method in")
    monkeypatch.setenv("COMP_CWORD", "4")
    monkeypatch.setenv("_ARCADE_COMPLETE", "complete_bash")
    with pytest.raises(SystemExit):
        command_line()([], prog_name="arcade")
    assert capsys.readouterr().out.split() == ["in-order", "in-order-as-coded"]


def test_reported_results_appear_next_to_measured_ones() -> None:
    def trials(board: str, *answers: str) -> list[MethodRun]:
        names = ("in-order-as-coded", "expansion-as-coded", "greedy")
        return [MethodRun(board, name, answer, 1.0) for name, answer in zip(names, answers, strict=True)]

    game = get_game("honshu")
    first, *_ = found_lines(game, trials("honshu:a", "33 reported, 31 on the map", "47", "58"))
    assert "33 in order, 47 with expansion and 58 greedily" in first
    assert first.endswith("(in-order-as-coded < expansion-as-coded < greedy): the same order on a.")
    both = [*trials("honshu:a", "1", "2", "3"), *trials("honshu:b", "3", "2", "1")]
    assert found_lines(game, both)[0].endswith("the same order on a, a different order on b.")
    # No word on boards where not all were tried.
    assert found_lines(game, both[:2])[0].endswith("points.")
    hexapawn = get_game("hexapawn")
    late = MethodRun("hexapawn:c", "naive", gave_up=OUT_OF_TIME)
    quick = [
        MethodRun("hexapawn:c", "map", "", 3.0, 5),
        MethodRun("hexapawn:c", "successors-as-coded", "", 4.0, 6),
    ]
    assert found_lines(hexapawn, [late, *quick])[0].endswith("the same order on c.")


def test_compare_command_prints_json_and_table() -> None:
    options = ["--method", "map", "--method", "map-stop", "--json", "--seconds", "60"]
    result = CliRunner().invoke(app, ["hexapawn", "3x3", *options])
    trials = json.loads(result.stdout)["trials"]
    assert [(each["method"], each["positions"]) for each in trials] == [
        ("map", 54),
        ("map-stop", 44),
    ]
    assert all(each["seconds"] > 0 and each["gave_up"] == "" for each in trials)
    assert [each.pop("id") for each in trials] == ["hexapawn:3x3"] * 2
    lines = table_lines([MethodRun(**each) for each in trials])
    assert lines[0].split() == ["board", "method", "seconds", "positions", "MiB", "answer"]
    assert [line.split()[1] for line in lines[1:]] == [each["method"] for each in trials]


def test_chart_bar_grows_one_step_per_factor_of_ten() -> None:
    trials = [MethodRun(f"chocobar:{size}x{size}", "m", "win", 10.0**size) for size in (-3, -2, -1)]
    bars = [
        line.count("#") for line in chart([*trials, MethodRun("chocobar:9x9", "m", gave_up="out of time")])
    ]
    assert bars == [0, 0, 10, 15, 20, 0]
    assert chart(trials[:1])[-1].endswith("# 0.001 s")


@pytest.mark.slow
def test_picture_is_svg_with_every_method() -> None:
    pytest.importorskip("matplotlib")
    trials = [
        MethodRun(f"hexapawn:{size}", name, "win", 0.1)
        for size in ("3x3", "4x4")
        for name in ("map", "solver")
    ]
    text = picture(trials, get_game("hexapawn")).decode()
    assert text.startswith("<?xml")
    assert all(word in text for word in ("map", "solver", "3x3", "4x4", "Hexapawn"))
    assert picture(trials, get_game("hexapawn")).decode() == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["graph"], "no methods"),
        (["chess"], "Unknown game 'chess'"),
        (["hexapawn", "3x99"], "Columns must be 1 to 32"),
        (["hexapawn", "3x3", "x"], "'x'"),
        (["hexapawn", "3x3", "--method", "list"], "Unknown method 'list' for Hexapawn. Choose from naive,"),
    ],
)
def test_invalid_compare_arguments_are_refused(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
