import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Size

from arcade.app import ArcadeApp
from arcade.commands.common import read_position
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.kernel_compiler import fingerprint
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.machines import Machines
from arcade.play.match import new_match
from arcade.screens import picture
from arcade.screens.match import MatchScreen
from arcade.screens.menu import Card
from arcade.store.store import Store, open_store
from arcade.widgets.board import GridBoard
from benchmarks import first_minutes, kernels, peers, screens, table, tetromino
from benchmarks.__main__ import ALL
from benchmarks.watch import figures, slower
from tests.narrow import expect
from tests.screens.honshu_fake import InstantRace
from tests.screens.pilots import app_with, plies_of, settled
from tools import honshu_facts, kill, ladder, level, memory, pictures, puzzles, results
from tools.actions import act, typed
from tools.emulator import Terminal
from tools.manpage import PAGE, page

APART = ("tetromino", "peers", "kernels", "screens", "first_minutes")
"""Benchmarks that have tests of their own."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ALL if name not in APART])
def test_every_benchmark_returns_measurements(name: str) -> None:
    rows = import_module(f"benchmarks.{name}").rows(quick=True)
    assert rows
    assert all(what and measured for what, measured, _ in rows)


@pytest.mark.slow
def test_app_responds_while_solving_and_idles_at_rest() -> None:
    """How soon is a matter of the benchmark; without a free thread it would be half a minute."""
    measured = {what.partition(": ")[2]: figure.split()[0] for what, figure, _ in screens.rows(quick=True)}
    assert float(measured["key to paint while busy (chocobar:17x17), median"]) < 5_000
    assert float(measured["quit while busy (chocobar:17x17)"]) < 5
    assert measured["bytes per second at rest"] == "0"
    assert float(measured["processor use at rest"]) < 4


def test_quick_option_reaches_the_benchmark(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys, "argv", ["menace", "--quick"])
    table.main(lambda quick: [("quick", str(quick), "")])
    assert "quick  True" in capsys.readouterr().out


@pytest.mark.slow
def test_tetromino_benchmark_compares_speed_with_c(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tetromino, "SIZES", (("4x4", 1, "12", ""),))
    rows = tetromino._boards(tetromino._compiled(str(tmp_path)))
    assert [what for what, *_ in rows] == [
        "value of the empty board, 4x4",
        "time compared with C, same method, 4x4",
    ]


def test_peer_benchmark_reports_libraries_that_cannot_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess((), 1))
    assert [measured for _, measured, _ in peers.rows()] == [
        "easyAI cannot be installed here",
        "easyAI cannot be installed here",
        "open_spiel cannot be installed here",
    ]


def test_kernel_compilation_is_timed() -> None:
    assert kernels.compiled("menace")["all"] >= 0


@pytest.mark.slow
def test_first_match_after_installation_is_measured(data_folder: Path) -> None:
    with open_store(data_folder) as store:
        store.set("warmed", fingerprint(), "state")
        store.set("coach", "open")
    with Terminal(data=str(data_folder)) as terminal:
        terminal.wait("Bite the bar")
        assert len(first_minutes.first_match(terminal)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", screens.MOVES)
async def test_benchmark_actions_play_the_first_move(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatchScreen, "start_analysis", lambda _: None)
    # It would look for two seconds at each question, and nothing here waits for what it finds.
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())
    start, actions = screens.MOVES[name]
    id, _, seats = start.partition(" --seats ")
    guests = Machines(Store.in_memory)
    app = app_with(new_match(parse_game_id(id), seats.split(",") if seats else None, guests))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = expect(MatchScreen, app.screen)
        await settled(pilot, lambda: screen.session.scene.move_refusal is None)
        await act(pilot, *actions)
        await settled(pilot, lambda: bool(plies_of(app)))


@pytest.mark.slow
def test_everything_shown_is_saved_before_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random.Random, "uniform", lambda *_: 0.1)
    monkeypatch.setattr(kill, "GAMES", ("menace",))
    for seed in range(3):
        what, shown, kept = kill.killed(seed, str(tmp_path / str(seed)))
        assert kept >= shown, what


def test_path_benchmark_reports_percentages() -> None:
    row = list(ladder.path_rows([get_game("menace")], 2))[2]
    assert row.startswith("| MENACE | ")
    assert row.count("%") == 4


def test_opponent_benchmark_has_a_row_for_each_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "NAMES", ("casual", "perfect"))
    assert list(ladder.rows([parse_game_id("menace")], 2))[2].startswith("| MENACE | ")
    board = list(ladder.rows([parse_game_id("hexapawn:3x3")], 2, seconds=0.1))
    assert board[2].startswith("| Hexapawn 3x3 | 2, 4, 6, 8 | ")


def test_level_estimate_is_measured() -> None:
    far, rungs = level.measured("menace", 2, 2)
    assert len(far) == 2
    assert set(rungs) == {1, 2}


@pytest.mark.parametrize("name", ["chocobar", "tetromino", "honshu"])
def test_puzzles_are_confirmed(name: str) -> None:
    assert puzzles.main(name, 1, 0)


def test_results_page_retries_timeouts_and_reports_differences() -> None:
    known = results.solve("chocobar:2x3", 5.0, {})
    assert known["proved"]
    assert "| 2x3 |" in "\n".join(results.page({"chocobar": {"chocobar:2x3": known}}))
    # What ran out of time is tried again.
    assert results.solve("chocobar:2x3", 5.0, {"verdict": [None, None]})["verdict"] == known["verdict"]
    menace = {"best": [], "moves": 2}
    for verdict, said in ((["tie", None], "agrees"), (["tie", 9], "agrees"), (["win", 1], "DIFFERS: tie")):
        (row,) = list(results.duel_rows("menace", {"menace": menace | {"verdict": verdict}}))[2:]
        assert f"| {said} |" in row
    opening = next(text for text, said in results.sources().items() if said == "win 1")
    (row,) = list(results.duel_rows("chocobar", {opening: menace | {"verdict": ["win", 15]}}))[2:]
    assert "DIFFERS: win 1" in row


def test_honshu_fact_has_the_best_score_of_its_proof() -> None:
    proof = honshu_facts._prove(read_position("honshu:9x2#1", HonshuPosition, "honshu"), None, 5.0)
    assert honshu_facts._fact("honshu:9x2#1", proof).best == proof.best


@pytest.mark.slow
async def test_memory_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "GAMES", {"chocobar:2x3": ("casual", "casual")})
    await memory.play(0)


async def test_unknown_action_error_lists_available_actions() -> None:
    async with ArcadeApp(warm=False).run_test() as pilot:
        with pytest.raises(
            AssertionError, match=r"no key does 'hint' on MenuScreen; its actions: .*settings"
        ):
            await act(pilot, "hint")


def test_typed_keys_follow_the_bindings() -> None:
    assert typed(MatchScreen, "hint", "forward", "faster") == "i.+"
    assert typed(ArcadeApp, "quit") == "\x11"
    assert typed(Card, "open") == "\r"
    assert typed(MatchScreen, "graph") == ":Graph\r"
    with pytest.raises(AssertionError, match="no key that can be typed does 'fly' in Card"):
        typed(Card, "fly")


@pytest.fixture
def shell() -> Iterator[Terminal]:
    with Terminal(data="", command=("sh", "-c", "echo hello; sleep 60")) as terminal:
        yield terminal


def test_timeout_error_names_the_awaited_text(shell: Terminal) -> None:
    shell.wait("hello")
    with pytest.raises(AssertionError, match=r"waited \d+\.\d s for 'bye' on the screen; there is\nhello"):
        shell.wait("bye", 0.1)
    with pytest.raises(AssertionError, match=r"for the end of the program; there is\nhello"):
        shell.ended(0.1)


@pytest.mark.slow
def test_pictures_are_written_as_svg(tmp_path: Path) -> None:
    assert pictures.main(["menu", "board-menace", "match"], tmp_path) == 0
    assert "Chocobar" in (tmp_path / "menu.svg").read_text("utf-8")
    assert (tmp_path / "board-menace.svg").exists()
    assert "@keyframes" in (tmp_path / "match.svg").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        (pictures.Picture("menu", "chocobar:18x2", size=(60, 20)), "it shows only a part of the board"),
        (pictures.Picture("menu", size=(30, 10)), "it shows 'This screen needs 40x20'"),
        (pictures.Picture("menu", "menace", actions=("type",)), "a dialog lies over it"),
        (pictures.Picture("menu", "menace", actions=("copy",)), "a notice lies over it"),
        (
            pictures.Picture("menu", "menace", actions=("of an earlier edition",)),
            "no key does 'of an earlier",
        ),
    ],
)
def test_incorrect_picture_is_not_written(
    shown: pictures.Picture,
    wrong: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(pictures, "PICTURES", (shown,))
    assert pictures.main(["menu"], tmp_path) == 1
    assert f"menu: not written, because {wrong}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_picture_of_oversized_board_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GridBoard, "size_in", lambda *_: Size(30, 4))
    monkeypatch.setattr(picture, "HEIGHTS", (4, 4))
    for name in ("board-chocobar", "match"):
        with pytest.raises(RuntimeError, match="could not be drawn"):
            pictures.main([name], tmp_path)
    assert not list(tmp_path.iterdir())


def test_incomplete_screen_makes_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pictures, "MAX_SECONDS", 0.2)
    monkeypatch.setattr(Card, "add_picture", lambda _: None)
    assert pictures.main(["menu"], tmp_path) == 1
    assert "it is not complete after 0.2 s; there is" in capsys.readouterr().err


def test_unknown_picture_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert pictures.main(["nothing"]) == 2
    assert "Unknown picture 'nothing'. Choose from menu, " in capsys.readouterr().err


KEPT = """\
# Benchmark results

## Hexapawn

| what | measured | limit |
|---|---:|---:|
| reference workload | 100.0 ms |  |
| solve the full board 5x5, value +19 | 3.44 ms, 12,323 positions | 0.1 s |
| solve the full board 6x6, value -30 | 0.79 s, 1,736,149 positions | 5 s |
| time compared with C, same method, 5x6 | 1.08x of 26.9 ms | 1.6x |
| peak memory for 6x7 | 1,428 MiB | 2048 MiB |
| best line, 5x5 | 200 us |  |
| proved of 8x8 after 1 s | at least 28 plies, 3,699,344 positions |  |
"""


def test_benchmark_figures_are_parsed_by_kind() -> None:
    found = figures(KEPT)
    assert found["Hexapawn", "solve the full board 6x6, value -30"] == (0.79, "time")
    assert found["Hexapawn", "time compared with C, same method, 5x6"] == (1.08, "ratio")
    assert found["Hexapawn", "peak memory for 6x7"] == (1428.0, "memory")
    assert len(found) == 6


def test_regression_check_ignores_machine_speed() -> None:
    assert slower(KEPT, KEPT) == []
    slow = KEPT.replace("100.0 ms", "200.0 ms").replace("3.44 ms", "6.9 ms").replace("0.79 s", "1.6 s")
    assert slower(KEPT, slow) == []


def test_regression_check_reports_each_kind_of_regression() -> None:
    assert slower(KEPT, KEPT.replace("0.79 s", "1.1 s").replace("3.44 ms", "4.4 ms")) == [
        "Hexapawn: solve the full board 6x6, value -30: 1.39 times what it was "
        "(1.1 s instead of 0.79 s, the reference 1.00 times as slow)."
    ]
    assert slower(KEPT, KEPT.replace("1.08x of 26.9 ms", "1.5x of 31 ms")) == [
        "Hexapawn: time compared with C, same method, 5x6: 1.39 times what it was "
        "(1.5 times instead of 1.08 times)."
    ]
    (memory,) = slower(KEPT, KEPT.replace("1,428 MiB", "2,000 MiB"))
    assert memory.startswith("Hexapawn: peak memory for 6x7: 1.40 times")
    # Half a millisecond is too short to tell.
    assert slower(KEPT, KEPT.replace("200 us", "500 us")) == []
    # On a fast day the same time is slower.
    assert len(slower(KEPT, KEPT.replace("100.0 ms", "50.0 ms"))) == 2


def told(text: str) -> list[str]:
    """The lines of a page without the names of options, which each version of typer writes in its own way."""
    return [line for line in text.splitlines() if not line.startswith(".B ")]


def test_manual_page_is_up_to_date() -> None:
    assert told(PAGE.read_text("utf-8")) == told(page()), "make man writes it again"
    assert ".SS honshu solve\n" in page()


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_manual_page_is_well_formed() -> None:
    shown = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert not shown.stderr
