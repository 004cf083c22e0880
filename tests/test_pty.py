import os
import random
import signal
import sys
import termios
import time
from pathlib import Path

import pytest

from arcade.cli import run
from arcade.engines.kernel_compiler import fingerprint
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.match import new_match
from arcade.store.settings import SETTINGS_FILE
from arcade.store.store import open_store
from tools.emulator import Terminal
from tools.fuzz_pty import BAD, fuzz


@pytest.fixture(scope="module", autouse=True)
def warmed() -> None:
    get_game("chocobar").solver.warm()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of an arcade that knows its kernels to be compiled and whose coach shows every verdict.

    Two people play Chocobar, and a small bar needs no kernel.
    """
    with open_store(tmp_path) as store:
        store.set("warmed", fingerprint(), "state")
        store.set("coach", "open")
        store.set("seats", "chocobar=human,human", "state")
    (tmp_path / SETTINGS_FILE).write_text('[keys]\ntype = "t"\n', "utf-8")
    return tmp_path


def leave(terminal: Terminal) -> float:
    """Ask the program to end; returns the seconds it took."""
    terminal.press("\x11")
    return terminal.ended(60)


def rest(terminal: Terminal) -> bytes:
    written = b""
    deadline = time.monotonic() + 60
    while not terminal.over:
        assert time.monotonic() < deadline, "the program does not end"
        written += terminal.read(1.0)
    terminal.ended(60)
    return written


def kept_moves(folder: Path) -> list[int]:
    """How many moves each match in the store has."""
    with open_store(folder) as store:
        return [len(each.record.moves) for each in store.matches()]


def test_match_resumes_after_kill(tmp_path: Path) -> None:
    """From the very first start on, which compiles the kernels of all games or finds them compiled."""
    data = str(tmp_path)
    with Terminal(data=data) as terminal:
        terminal.wait("Chocobar")
        terminal.press("\r")
        terminal.wait("Leave your opponent")
        terminal.press("khh\r")
        terminal.wait("(3,3)")
        terminal.wait("move 2")
        os.kill(terminal.process.pid, signal.SIGKILL)
    with Terminal(data=data) as terminal:
        terminal.wait("move 2")
        terminal.wait("(3,3)")
        terminal.press("u")
        terminal.wait("move 0/2")
        terminal.press("q")
        terminal.wait("Last matches")
        leave(terminal)


def test_ctrl_c_while_quitting_causes_no_error(data: Path) -> None:
    with Terminal(data=str(data)) as terminal:
        terminal.wait("Bite the bar")
        terminal.press("qq")
        written, end = b"", time.monotonic() + 60
        # Not until nothing can be read: the terminal echoes what is sent when the program is over.
        while terminal.process.isalive() and time.monotonic() < end:
            terminal.process.send("\x03")
            written += terminal.read(0.005)
        terminal.ended(60)
    assert terminal.process.exitstatus == 0
    assert b"Traceback" not in written


def test_watch_without_terminal_is_refused() -> None:
    assert run(["watch", "chocobar:3x4"]) == 2


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1"])
def test_signals_restore_the_terminal(name: str, data: Path) -> None:
    with Terminal("play", "chocobar:3x4", data=str(data)) as terminal:
        terminal.wait("Leave your opponent")
        terminal.press("l\r")
        terminal.wait("move 1")
        os.kill(terminal.process.pid, signal.Signals[name])
        written = rest(terminal)
        assert terminal.process.exitstatus == 0
        assert b"\x1b[?1049l" in written
    assert kept_moves(data) == [1]


@pytest.mark.slow
def test_arcade_recovers_after_sigstop(
    data: Path,
) -> None:
    with Terminal(data=str(data)) as terminal:
        before = termios.tcgetattr(terminal.process.child_fd)
        terminal.wait("Bite the bar")
        for _ in range(2):
            # Output that is still on its way would look like that of the continued arcade.
            terminal.quiet(0.2)
            os.kill(terminal.process.pid, signal.SIGSTOP)
            termios.tcsetattr(terminal.process.child_fd, termios.TCSANOW, before)
            terminal.screen.reset()
            os.kill(terminal.process.pid, signal.SIGCONT)
            terminal.wait("Bite the bar")
        terminal.press("?")
        terminal.wait("Esc closes")
        leave(terminal)
        assert termios.tcgetattr(terminal.process.child_fd) == before
        assert terminal.process.exitstatus == 0


def test_hang_up_ends_arcade_and_saves_match(data: Path) -> None:
    with Terminal("play", "chocobar:3x4", data=str(data)) as terminal:
        terminal.wait("Leave your opponent")
        terminal.press("l\r")
        terminal.wait("move 1")
        terminal.hang_up()
        terminal.ended(60)
    assert kept_moves(data) == [1]


CRASHING = """
from arcade.screens.match import MatchScreen
from arcade.__main__ import main

act = MatchScreen.action_act

def crash(self, name):
    if name == "copy":
        raise RuntimeError("what nobody has thought of")
    return act(self, name)

MatchScreen.action_act = crash
main()
"""
"""An arcade with a fault in it."""


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("play", "chocobar:3x4"), ()])
def test_crash_sets_exit_code_and_saves_match(arguments: tuple[str, ...], data: Path) -> None:
    if not arguments:
        # The menu opens with the match that was on the screen.
        match = new_match(parse_game_id("chocobar:3x4"), ("human", "human"))
        match.play(match.game.parse_move("(3,4)", match.position))
        with open_store(data) as store:
            store.set("in_play", str(store.save_match(match.record())[0]), "state")
    command = (sys.executable, "-c", CRASHING)
    with Terminal(*arguments, data=str(data), command=command, lines=50) as terminal:
        if arguments:
            terminal.wait("move 0")
            terminal.press("t(3,4)\r")
        terminal.wait("move 1")
        terminal.press("y")
        written = rest(terminal)
        assert terminal.process.exitstatus == 1
        assert b"\x1b[?1049l" in written
        assert b"what nobody has thought of" in written
    assert kept_moves(data) == [1]


def test_keypress_redraws_only_changed_cells(data: Path) -> None:
    with Terminal("play", "chocobar:3x4", data=str(data)) as terminal:
        terminal.wait("move 0")
        # The first key closes the welcome.
        terminal.press("h")
        terminal.quiet(1.0)
        before = terminal.written
        terminal.press("h")
        terminal.quiet(1.0)
        # Textual alone writes more than 500 bytes.
        assert 0 < terminal.written - before < 1000


@pytest.mark.slow
def test_malformed_input_does_not_crash(data: Path) -> None:
    with Terminal("play", "chocobar:3x4", data=str(data)) as terminal:
        terminal.wait("move 0")
        for sent in BAD.values():
            terminal.press(sent)
            terminal.press("lh")
        terminal.press("t(3,4)\r")
        terminal.wait("move 1")
        leave(terminal)
        assert terminal.process.exitstatus == 0


@pytest.mark.slow
def test_random_bytes_and_resizes_do_not_crash() -> None:
    assert fuzz("chocobar", random.Random(2), 20)


def test_keys_typed_ahead_reach_newly_opened_screens(data: Path) -> None:
    with Terminal(data=str(data)) as terminal:
        terminal.wait("Chocobar")
        # To the next card and back, its match, and a typed move.
        terminal.press("\x1b[C\x1b[D\rt(3,3)\r")
        terminal.wait("move 2")
        assert "Chocobar" in terminal.text
        assert "(3,3)" in terminal.text


@pytest.mark.slow
def test_two_arcades_on_one_match_save_both_continuations(data: Path) -> None:
    def type_moves(terminal: Terminal, first: int, *moves: str) -> None:
        for number, move in enumerate(moves, first):
            terminal.press("t")
            terminal.wait("for example")
            terminal.press(f"{move}\r")
            terminal.wait(f"move {number}")
            terminal.wait(lambda text: "for example" not in text)

    with Terminal("play", "chocobar:4x5", "--seats", "human,human", data=str(data)) as one:
        one.wait("move 0")
        type_moves(one, 1, "(4,5)")
        with Terminal(data=str(data)) as two:
            two.wait("Chocobar 4x5, move 1")
            two.press("p")
            two.wait("move 1")
            type_moves(one, 2, "(4,4)")
            type_moves(two, 2, "(3,5)", "(2,5)")
            type_moves(one, 3, "(4,3)")
            leave(two)
        leave(one)
    with open_store(data) as store:
        kept = {tuple(each.record.moves) for each in store.matches()}
        assert kept == {
            ("(4,5)", "(4,4)", "(4,3)"),
            ("(4,5)", "(3,5)", "(2,5)"),
        }
        assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
