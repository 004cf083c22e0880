import random
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from arcade.app import ArcadeApp
from arcade.commands.common import read_position
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.registry import get_game, parse_game_id
from arcade.match.match import Match
from arcade.matchbox.machines import Machines
from arcade.screens.match import MatchScreen
from arcade.screens.menu import Card
from arcade.session.warmer import fingerprint
from arcade.store.store import Store, open_store
from benchmarks import first_minutes, kernels, peers, screens, table, tetromino
from benchmarks.__main__ import ALL
from tests.actions import act, typed
from tests.emulator import Terminal
from tests.narrow import expect
from tests.screens.pilots import app_with, plies_of, settled
from tools import honshu_facts, kill, ladder, level, memory, pictures, puzzles, results

IN_PARTS = ("tetromino", "peers", "kernels", "first_minutes")
"""Benchmarks that have no small run."""


@pytest.mark.parametrize("name", [name for name in ALL if name not in IN_PARTS])
def test_a_benchmark_runs(name: str) -> None:
    rows = import_module(f"benchmarks.{name}").rows(quick=True)
    assert rows
    assert all(what and measured for what, measured, _ in rows)


def test_a_benchmark_is_quick_when_told(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys, "argv", ["menace", "--quick"])
    table.main(lambda quick: [("quick", str(quick), "")])
    assert "quick  True" in capsys.readouterr().out


def test_tetromino_is_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tetromino, "SIZES", (("4x4", 1, "12", ""),))
    rows = tetromino._boards(tetromino._compiled(str(tmp_path)))
    assert [what for what, *_ in rows] == ["value of the empty 4x4 board", "  against C, same method"]


def test_peers_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess((), 1))
    assert [measured for _, measured, _ in peers.rows()] == [
        "easyAI cannot be installed here",
        "easyAI cannot be installed here",
        "open_spiel cannot be installed here",
    ]


def test_kernels_are_timed() -> None:
    assert kernels.compiled("menace")["all"] >= 0


def test_the_first_minutes_after_the_installation(data_folder: Path) -> None:
    with open_store(data_folder) as store:
        store.set_state("warmed", fingerprint())
        store.set("coach", "open")
    with Terminal(data=str(data_folder)) as terminal:
        terminal.wait("Bite the bar")
        assert len(first_minutes.first_match(terminal)) == 3


@pytest.mark.parametrize("name", screens.MOVES)
async def test_the_actions_of_a_first_move_play_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatchScreen, "set_to_work", lambda _: None)
    start, actions = screens.MOVES[name]
    id, _, seats = start.partition(" --seats ")
    guests = Machines(Store.in_memory)
    app = app_with(Match(parse_game_id(id), seats.split(",") if seats else None, guests))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = expect(MatchScreen, app.screen)
        await settled(pilot, lambda: screen.session.mode.move_refusal is None)
        await act(pilot, *actions)
        await settled(pilot, lambda: bool(plies_of(app)))


def test_a_killed_arcade_keeps_what_it_showed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random.Random, "uniform", lambda *_: 0.1)
    monkeypatch.setattr(kill, "GAMES", ("menace",))
    for seed in range(3):
        what, shown, kept = kill.killed(seed, str(tmp_path / str(seed)))
        assert kept >= shown, what


def test_the_ladder_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "NAMES", ("casual", "perfect"))
    monkeypatch.setattr(ladder, "cores", lambda: 0)
    assert list(ladder.rows([get_game("menace")], 2))[2].startswith("| MENACE | ")


def test_a_level_is_estimated() -> None:
    assert level.estimate("menace", 3, 2)


@pytest.mark.parametrize("name", ["chocobar", "tetromino", "honshu"])
def test_puzzles_are_confirmed(name: str) -> None:
    assert puzzles.main(name, 1, 0)


def test_results_are_extended() -> None:
    known = results.solve("chocobar:2x3", 5.0, {})
    assert known["proved"]
    assert "| 2x3 |" in "\n".join(results.page({"chocobar": {"chocobar:2x3": known}}))


def test_a_fact_of_honshu_is_proved() -> None:
    ceiling = honshu_facts._prove(read_position("honshu:9x2#1", HonshuPosition, "honshu"), None, 5.0)
    assert honshu_facts._fact("honshu:9x2#1", ceiling).best == ceiling.best


async def test_memory_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "GAMES", {"menace": ("casual", "casual")})
    await memory.play(0)


# The driver.


async def test_an_action_that_nobody_offers_is_named() -> None:
    async with ArcadeApp(warm=False).run_test() as pilot:
        with pytest.raises(
            AssertionError, match=r"no key does 'hint' on MenuScreen; its actions: .*settings"
        ):
            await act(pilot, "hint")


def test_what_to_type_follows_the_bindings() -> None:
    assert typed(MatchScreen, "hint", "forward", "faster") == "i.+"
    assert typed(ArcadeApp, "quit") == "\x11"
    assert typed(Card, "open") == "\r"
    with pytest.raises(AssertionError, match="no key that can be typed does 'fly' in Card"):
        typed(Card, "fly")


@pytest.fixture
def shell() -> Iterator[Terminal]:
    """A program that says hello and waits."""
    with Terminal(data="", command=("sh", "-c", "echo hello; sleep 60")) as terminal:
        yield terminal


def test_what_is_waited_for_in_vain_is_named(shell: Terminal) -> None:
    shell.wait("hello")
    with pytest.raises(AssertionError, match=r"waited \d+\.\d s for 'bye' on the screen; there is\nhello"):
        shell.wait("bye", 0.1)
    with pytest.raises(AssertionError, match=r"for the end of the program; there is\nhello"):
        shell.ended(0.1)


# Pictures.


def test_a_picture_is_made(tmp_path: Path) -> None:
    assert pictures.main(["menu", "board-menace"], tmp_path) == 0
    assert "Chocobar" in (tmp_path / "menu.svg").read_text("utf-8")
    assert (tmp_path / "board-menace.svg").exists()


@pytest.mark.parametrize(
    ("picture", "wrong"),
    [
        (pictures.Picture("menu", "chocobar:18x2", size=(60, 20)), "it shows 'The board needs 7x19'"),
        (pictures.Picture("menu", size=(40, 10)), "it shows 'This screen needs 60x20'"),
        (pictures.Picture("menu", "menace", actions=("type",)), "a dialog lies over it"),
        (pictures.Picture("menu", "menace", actions=("copy",)), "a notice lies over it"),
        (
            pictures.Picture("menu", "menace", actions=("of an earlier edition",)),
            "no key does 'of an earlier",
        ),
    ],
)
def test_a_picture_that_is_not_right_is_not_written(
    picture: pictures.Picture,
    wrong: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(pictures, "PICTURES", (picture,))
    assert pictures.main(["menu"], tmp_path) == 1
    assert f"menu: not written, because {wrong}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_screen_that_is_never_complete_makes_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pictures, "LONGEST", 0.2)
    monkeypatch.setattr(Card, "ask_for_picture", lambda _: None)
    assert pictures.main(["menu"], tmp_path) == 1
    assert "it is not complete after 0.2 s; there is" in capsys.readouterr().err


def test_a_picture_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert pictures.main(["nothing"]) == 2
    assert "There is no picture 'nothing'; the pictures are menu, " in capsys.readouterr().err
