import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
import typer

from arcade.cli import command_line, run
from arcade.commands.common import run_interruptible, say_preparing, sentence
from arcade.commands.full_screen import in_text_mode
from arcade.commands.lazy import COMMANDS
from arcade.engines.control import Control, Kernels
from arcade.engines.files import InputError
from arcade.engines.players import PerfectPlayer
from arcade.engines.registry import game_names, get_game, parse_game_id
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, ScoreVerdict, Value
from arcade.play.match import Match
from arcade.store.store import open_store
from tests.narrow import present
from tests.shell import Shell, python
from tools.emulator import Terminal


def test_verdict_json_has_the_expected_keys_and_result(shell: Shell) -> None:
    found = shell.json("verdict", "chocobar:8x10")
    words = "game id parameters position value remoteness at_least at_most proof reason source positions"
    assert list(found) == [*words.split(), "nodes", "seconds"]
    known = tuple(found[word] for word in ("game", "value", "remoteness", "proof"))
    assert known == ("chocobar", "win", 45, "exact")


def test_standard_bar_has_exactly_two_winning_bites(shell: Shell) -> None:
    found = shell.json("moves", "chocobar:8x10")
    assert len(found) == 79
    winning = {each["move"]: each for each in found if each["value"] == "win"}
    assert list(winning) == ["(4,9)", "(5,6)"]
    assert (winning["(5,6)"]["remoteness"], winning["(5,6)"]["best"]) == (45, True)
    assert (winning["(4,9)"]["remoteness"], winning["(4,9)"]["best"]) == (55, False)


def test_moves_option_plays_moves_before_verdict(shell: Shell) -> None:
    found = shell.json("verdict", "chocobar:8x10", "--moves", "(5,6) 1,2")
    assert (found["value"], found["remoteness"]) == ("win", 1)


def test_output_includes_every_proven_bound(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a solver says; the real one may prove more or less in a second."""
    limits = DuelVerdict(Proof.BOUND, Value.WIN, at_least=9, at_most=21, reason="so it is", source="a table")
    start = parse_game_id("hexapawn:8x8")
    moves = [MoveVerdict(start.start().moves()[0], limits, True), MoveVerdict("b2", DuelVerdict(at_least=7))]
    monkeypatch.setattr(start.game.solver, "verdict", lambda position, control: limits)
    monkeypatch.setattr(start.game.solver, "moves", lambda position, control: moves)
    found = shell.json("verdict", "hexapawn:8x8")
    first, second = shell.json("moves", "hexapawn:8x8")
    for each in (found, first):
        assert (each["value"], each["remoteness"], each["proof"]) == ("win", None, "bound")
        assert (each["at_least"], each["at_most"]) == (9, 21)
        assert (each["reason"], each["source"]) == ("so it is", "a table")
    assert (first["best"], second["best"], second["value"], second["at_least"]) == (True, False, None, 7)
    said = ("White wins in 9 to 21 plies.\n", "Proved bounds; so it is; a table.\n")
    assert shell("verdict", "hexapawn:8x8") == said
    assert shell("moves", "hexapawn:8x8")[0] == f"* {moves[0].move}  win 9-21\n  b2  unknown >=7\n"


def test_race_json_has_score_bounds(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = ScoreVerdict(Proof.BOUND, best=50, bound=60, score=4, reason="so it is", source="a search")
    solver = get_game("honshu").solver
    moves = [MoveVerdict("first", limits, True), MoveVerdict("second", ScoreVerdict(Proof.BOUND, bound=60))]
    monkeypatch.setattr(solver, "verdict", lambda position, control: limits)
    monkeypatch.setattr(solver, "moves", lambda position, control: moves)
    found = shell.json("verdict", "honshu:9x12#1")
    assert (found["best"], found["bound"], found["score"], found["proof"]) == (50, 60, 4, "bound")
    assert (found["reason"], found["source"]) == ("so it is", "a search")
    first, second = shell.json("moves", "honshu:9x12#1")
    assert (first["score"], first["bound"], first["best"], first["reason"]) == (50, 60, True, "so it is")
    assert (second["score"], second["bound"], second["best"]) == (None, 60, False)


@pytest.mark.slow
def test_hint_on_board_with_book_has_the_value(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("commands.analysis", "engines.explanations"):
        monkeypatch.setattr(f"arcade.{module}.LINE_SECONDS", 0.1)
    hint = shell.json("hint", "hexapawn:8x7")
    assert (hint["move"], hint["value"], hint["remoteness"], hint["proof"]) == ("b2", "win", 51, "exact")
    assert hint["line"][:2] == ["b2", "b7"]
    lines = shell("hint", "hexapawn:8x7")[0].splitlines()
    assert lines[0] == "Look at column b."
    assert lines[1].startswith("Play b2. ")
    assert lines[2].startswith("With b2: White wins in 51 plies. Best line: b2")


def test_hint_on_unsolved_board_is_marked_as_not_proved(shell: Shell) -> None:
    hint = shell.json("hint", "hexapawn:8x8", "--seconds", "0.2")
    assert (hint["value"], hint["proof"]) == (None, "estimate")
    assert hint["line"] == [hint["move"]]
    lines = shell("hint", "hexapawn:8x8", "--seconds", "0.2")[0].splitlines()
    assert lines[1].startswith(f"Play {hint['move']}. This is not proved. ")


def test_hint_and_line_moves_lead_to_the_end(shell: Shell) -> None:
    hint = shell.json("hint", "chocobar:5x6")
    assert hint["move"] == "(3,4)"
    assert hint["move"] not in hint["where"]
    for line in (hint["line"], shell.json("line", "chocobar:5x6")["line"]):
        end = shell.json("verdict", "chocobar:5x6", "--moves", " ".join(line))
        assert (end["value"], end["remoteness"]) == ("loss", 0)


def test_results_go_to_stdout_and_details_to_stderr(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["verdict", "chocobar:3x4"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "First wins in 7 plies.\n"
    assert captured.err.startswith("Proved")


def test_verdict_with_tiny_time_limit_is_not_exact(shell: Shell) -> None:
    found = shell.json("verdict", "chocobar:18x17", "--moves", "(9,9)", "--seconds", "0.01")
    assert found["proof"] != "exact"
    assert found["remoteness"] is None


def test_solver_compilation_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    say_preparing.cache_clear()

    def work(control: Control) -> int:
        for _ in range(2):
            control.kernels.preparing()
        return 1

    assert run_interruptible(work, lambda control: "") == 1
    assert capsys.readouterr().err == (
        "Compiling the solver (first run). The time limit starts when it is ready.\n"
    )


def test_headless_matches_are_reproducible_by_seed(shell: Shell) -> None:
    line = "watch chocobar:5x6 --seats perfect,random --games 5 --headless --seed"
    arguments = [*line.split(" "), "3"]
    first = shell.json(*arguments)
    assert first == shell.json(*arguments)
    assert first["summary"] == {"First": 5}
    assert shell.json(*arguments[:-1], "4")["matches"] != first["matches"]
    lines = shell(*arguments)[0].splitlines()
    assert len(lines) == 6
    assert lines[-1] == "5 matches: 5 won by First (perfect)."


def test_headless_watch_of_one_match_lists_mistakes(shell: Shell) -> None:
    line = ["watch", "menace", "--seats", "perfect,random", "--headless", "--seed", "3"]
    moves, mistake, summary = shell(*line)[0].splitlines()
    assert moves.startswith("1. ")
    assert moves.endswith("  Perfect wins: X has three in a row.")
    assert mistake.startswith("Move 2: Random gave away the tie with ")
    assert summary == "1 match: 1 won by X (perfect)."
    assert "gave away" not in shell(*line, "--games", "2")[0]


def test_games_lists_presets_parameters_and_players(shell: Shell) -> None:
    found = {each["game"]: each for each in shell.json("games")}
    chocobar = found["chocobar"]
    assert chocobar["presets"][2] == "chocobar:8x10"
    assert [each["name"] for each in chocobar["parameters"]] == ["rows", "columns"]
    ladder = ["beginner", "casual", "club", "expert", "perfect"]
    assert chocobar["players"] == [*ladder, "depth", "rules", "fallible", "random", "winning-strategy"]
    said, _ = shell("games")
    assert "chocobar: Bite the bar" in said
    assert "    beginner  Sees a win or loss 2 moves ahead.\n" in said


def test_warm_reports_unwritable_cache_folder(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def warm(kernels: Kernels) -> None:
        kernels.unsaved["/full"] = "No space left on device"

    monkeypatch.setattr(get_game("menace").solver, "warm", warm)
    out, error = shell("warm", "menace", code=1)
    assert out.startswith("menace ready in ")
    assert error == (
        "arcade: Cannot save the compiled solvers in '/full': No space left on device. They will be "
        "compiled again at the next start. To avoid this, set NUMBA_CACHE_DIR to another folder.\n"
    )


def test_warm_reports_each_ready_game(shell: Shell) -> None:
    assert shell("warm", "chocobar")[0].startswith("chocobar ready in ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verdict"], "'ID'"),
        (["verdict", "chess:8x8"], "chess"),
        (["verdict", "chocobar:0x10"], "Rows"),
        (["verdict", "chocobar:8x10:9.10"], "9"),
        (["verdict", "chocobar:3x3:3.3.3.3"], "4 rows"),
        (["verdict", "chocobar:8x10#3"], "Remove"),
        (["verdict", "chocobar:8x10", "--moves", "(1,2) (8,8)"], "Move 2, '(8,8)'"),
        (["verdict", "chocobar:8x10", "--moves", "castle"], "'castle'"),
        (["verdict", "chocobar:8x10", "--seconds", "soon"], "seconds"),
        (["verdict", "chocobar:8x10", "--seconds", "-1"], "seconds"),
        (["verdict", "chocobar:8x10", "--loud"], "--loud"),
        (["moves", "chocobar:"], None),
        (["hint", "chocobar:2x2:1"], "over"),
        (["watch", "chocobar:3x4", "--seats", "perfect", "--headless"], "2 players"),
        (["watch", "chocobar:3x4", "--seats", "human,perfect", "--headless"], "engines"),
        (["watch", "chocobar:3x4", "--seconds", "3"], "--headless"),
        (["picture", "1", "--moves", "a1", "-o", "new.txt"], "saved match"),
        (["picture", "9" * 20, "-o", "new.txt"], "Unknown match 99999"),
        (["watch", "chocobar:3x4", "--seats", "fallible:10,random", "--headless"], "1 to 9"),
        (["watch", "chocobar:3x4", "--seats", "perfect:3,random", "--headless"], "perfect:3"),
        (["watch", "chocobar:3x4", "--games", "0", "--headless"], "games"),
        (["watch", "chocobar:3x4", "--matches", "0", "--headless"], "--matches"),
        (["warm", "menace", "poker"], "poker"),
        (["verdict"], "'ID' of arcade verdict: Game ID of the position, such as chocobar:8x10"),
        (
            ["verdict", "a", "b", "c"],
            "Unexpected argument 'b c'. Usage: arcade verdict [OPTIONS] ID.",
        ),
        (["chocobar", "dance"], "arcade chocobar takes openings, grundy"),
        (["chocobar", "grundy", "hexapawn:3x3"], "Expected a chocobar board"),
        (["compare", "hexapawn", "chocobar:3x4"], "Expected a hexapawn board"),
        (["compare", "hexapawn", "nofile"], "Unknown board 'nofile'. Write a board like 4x4."),
        (["compare", "menace", "--svg", "x.png"], "must end in .svg"),
        (["honshu", "score", "9x12#5", f"7r2@{'9' * 30},5"], "The row in '7r2@99999"),
        (
            ["puzzle", "chocobar", "--daily", "yesterday"],
            "Wrong value for --daily: expected a date like 2026-11-22",
        ),
        (["menace", "train", "--fresh"], "--fresh requires --save NAME"),
        (["dance"], "dance"),
        (["watch", "chocobar:3x4"], "terminal"),
        (["play"], "No unfinished match"),
        ([], "terminal"),
    ],
)
def test_invalid_arguments_give_one_sentence_and_exit_code_2(
    arguments: list[str], said: str | None, shell: Shell
) -> None:
    if said is None:
        shell(*arguments)
    else:
        assert said in shell.refused(*arguments)


def test_error_sentence_preserves_names() -> None:
    assert sentence(InputError("alice.json is no machine.")) == "alice.json is no machine."
    assert sentence(InputError("alice plays\n menace")) == "alice plays menace."
    assert sentence(typer.BadParameter("too long")) == "Invalid value: too long."
    with pytest.raises(typer.TyperException) as caught:
        command_line()(["nonsense"], standalone_mode=False)
    assert "No such command 'nonsense'; " in sentence(caught.value)


def test_data_option_sets_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("ARCADE_DATA", "before")
    assert run(["--data", str(tmp_path), "games"]) == 0
    assert os.environ["ARCADE_DATA"] == str(tmp_path)


def redirected_arcade(arguments: str) -> subprocess.CompletedProcess[str]:
    """The arcade as run by a shell with these redirections."""
    return subprocess.run(
        f"{sys.executable} -m arcade {arguments}", shell=True, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", ["games", "verdict menace --json", "menace boxes"])
def test_output_to_full_disk_is_reported(command: str) -> None:
    done = redirected_arcade(f"{command} > /dev/full")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "arcade: Cannot write the output: No space left on device."
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("games <&-", 0),
        ("games >&-", 0),
        ("hexapawn value <&-", 2),
        ("nonsense 2>&-", 2),
    ],
)
def test_closed_standard_streams_cause_no_traceback(arguments: str, code: int) -> None:
    done = redirected_arcade(arguments)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were a terminal for keys."""
    monkeypatch.setattr("arcade.commands.play.in_text_mode", lambda plain: plain)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("command", ["play chocobar:3x4", "watch chocobar:3x4 --seats perfect,random"])
@pytest.mark.parametrize("where", ["before", "after", "nowhere"])
def test_ascii_option_works_before_or_after_command(
    command: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    for module in ("play", "watch"):
        where_opened = f"arcade.commands.{module}.open_app"
        monkeypatch.setattr(where_opened, lambda *_, opening, ascii: asked.append(ascii))
    line = {"before": f"--ascii {command}", "after": f"{command} --ascii", "nowhere": command}[where]
    assert run(line.split()) == 0
    assert asked == [where != "nowhere"]


@pytest.mark.usefixtures("keys")
def test_play_reuses_last_seats_unless_seats_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Match] = []
    monkeypatch.setattr("arcade.commands.play.open_app", lambda opening, ascii: opened.append(opening))
    assert run(["play", "tetromino:4x4"]) == 0
    with open_store() as store:
        store.set("seats", "tetromino=human,depth:3", "state")
    assert run(["play", "tetromino:4x4"]) == 0
    assert run(["play", "tetromino:4x4", "--seats", "human,club"]) == 0
    assert [each.seats for each in opened] == [["beginner", "human"], ["human", "depth:3"], ["human", "club"]]


@pytest.mark.usefixtures("keys")
def test_play_opens_without_usable_data_folder(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Match] = []
    monkeypatch.setattr("arcade.commands.play.open_app", lambda opening, ascii: opened.append(opening))
    data_folder.write_text("no folder")
    assert run(["play", "chocobar:3x4"]) == 0
    assert opened[0].seats == ["human", "beginner"]


ALL_OF_THEM = """
import sys
from arcade.__main__ import main

code, *lines = sys.argv[1:]
for line in lines:
    sys.argv = ["arcade", *line.split()]
    try:
        main()
    except SystemExit as end:
        assert end.code == (2 if "nix" in line else int(code))
    else:
        raise AssertionError("the program goes on")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_ascii_locale_causes_no_traceback(environment: dict[str, str]) -> None:
    commands = ("--help", "games", "menace list", "hint tetromino:4x4", "honshu score 5x2#1", "verdict nix€")
    assert "Traceback" not in python("-c", ALL_OF_THEM, "0", *commands, environment=environment).stderr


STOPPED_AT = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Finder(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.argv = ["arcade", "verdict", "hexapawn:5x5"]
from arcade.__main__ import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("module", ["arcade.cli", "typer", "arcade.commands.analysis", "numpy", "numba"])
def test_ctrl_c_during_import_ends_the_program(module: str) -> None:
    done = python("-c", STOPPED_AT.replace("MODULE", repr(module)), code=130)
    assert (done.stdout, done.stderr) == ("", "arcade: stopped.\n")


COMPILES = """
from arcade.commands.common import run_interruptible
def compiles(control):
    import os, signal, time
    time.sleep(0.2)  # until the main thread waits
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(30)
__name__ = "numba.core"
run_interruptible(compiles, lambda control: "")
"""


def test_ctrl_c_does_not_wait_for_compiler_thread() -> None:
    assert python("-c", COMPILES, code=130).stderr == "arcade: stopped.\n"


def test_ctrl_c_stops_watched_match_during_a_move(monkeypatch: pytest.MonkeyPatch, shell: Shell) -> None:
    """Kernels ignore Ctrl+C, so the move is chosen in a thread that is told to stop."""
    stopped = threading.Event()

    def thinks(player: object, position: object, rng: object, control: Control) -> None:
        signal.pthread_kill(present(threading.main_thread().ident), signal.SIGINT)
        while not control.stopped:
            time.sleep(0.01)
        stopped.set()

    monkeypatch.setattr(PerfectPlayer, "choose", thinks)
    known = "1. Not finished.\n1 match: none finished.\n"
    assert shell("watch", "chocobar:3x4", "--headless", code=130) == (known, "arcade: stopped.\n")
    assert stopped.wait(60)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("redirected", "commands"),
    [
        ("</dev/null", ("", "watch chocobar:3x4")),
        ("<&-", ("",)),
        (">/dev/null", ("", "play chocobar:3x4")),
        (">&-", ("",)),
        ("2>/dev/null", ("", "learn chocobar")),
    ],
)
def test_screens_require_terminal_for_input_and_output(
    redirected: str, commands: tuple[str, ...], tmp_path: Path
) -> None:
    """Even if there is a terminal for everything else; the app would wait forever for a key."""
    line = f"{shlex.join([sys.executable, '-c', ALL_OF_THEM, '2', *commands])} {redirected}"
    with Terminal("-c", f"{line}; echo code $?", data=str(tmp_path), command=("sh",)) as terminal:
        terminal.wait("code 0")
        said = " ".join(terminal.text.split()).count("needs an interactive terminal")
        assert said == (0 if "2>" in redirected else len(commands))
        assert "Traceback" not in terminal.text


def typed(monkeypatch: pytest.MonkeyPatch, text: bytes | None) -> None:
    """Standard input is no terminal but a text, or nothing."""
    monkeypatch.setattr("sys.stdin", None if text is None else TextIOWrapper(BytesIO(text), "utf-8"))


def test_match_without_terminal_input_uses_text_mode(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, b"\xff\x1b[2J\n2,2\r\nquit\n")
    said, errors = shell("play", "chocobar:3x3", "--seats", "human,random", "--seed", "4")
    assert "You play (2,2).\nRow 2 has one square left.\n" in said
    assert "\x1b" not in said
    assert not errors
    typed(monkeypatch, b"look")
    assert "You play (2,2).\nSecond plays " in shell("play")[0]


def test_text_mode_menu_runs_games_and_commands(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is a game or a command; after it the menu goes on."""
    played = "chocobar\nquit\nchocobar:3x3 --seats human,random\n2,2\nquit\n"
    played += 'watch chocobar:1x2\nlearn chocobar\nquit\nline chocobar:3x3 --moves "2,2 3,1"\n'
    wrong = "\x1b[2J\nverdict nix\nplay nix\ngames --nix\n"
    typed(monkeypatch, f"{played}{wrong}verdict chocobar:1x2\n\nQUIT\ngames".encode())
    said, errors = shell("--plain")
    assert said.startswith("chocobar: Bite the bar, but not the poison.\n")
    for part in (
        "\nChocobar 4x5.\nYou are First.\n",
        "You play (2,2).\n",
        "\n1. (1,2)",
        "\nLesson 1 of ",
        "No such command '\\x1b[2J'; arcade --help lists them.\n",
        "Unknown game 'nix'",
        "No such option: --nix",
        "First wins in 1 ply.\n",
        "\n(1,3) (1,2) (2,1)\n",
    ):
        assert said.count(part) >= 1, part
    assert said.endswith("Type a game, a command, help or quit.\n")
    assert "presets" not in said
    assert "Traceback" not in errors


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("command", ["play chocobar:3x4", "learn chocobar", "puzzle chocobar --seed 1"])
def test_plain_option_works_before_or_after_command(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []
    for line in (f"--plain {command}", f"{command} --plain"):
        typed(monkeypatch, b"look\n")
        assert run(line.split()) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--seats human,club", "The option --seats comes after a command, as in arcade play --seats."),
        ("--headless", "The option --headless comes after a command, as in arcade watch --headless."),
        ("games --data x", "The option --data comes before the command, as in arcade --data games."),
        ("games --version", "The option --version comes before the command, as in arcade --version games."),
        ("games --seats x", "No such option: --seats; arcade games --help lists its options."),
        ("--data", "Option '--data' needs a value after it."),
    ],
)
def test_misplaced_option_error_names_the_right_place(
    arguments: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments.split()) == 2
    assert capsys.readouterr() == ("", f"arcade: {said}\n")


def test_short_help_option_works(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["-h"], ["games", "-h"], ["matches", "list", "-h"]):
        assert run(arguments) == 0
        assert "Usage: arcade" in capsys.readouterr().out


def test_text_mode_starts_on_request_or_without_usable_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert in_text_mode(True)
    assert not in_text_mode(False)
    monkeypatch.setenv("TERM", "dumb")
    assert in_text_mode(False)
    typed(monkeypatch, None)
    assert in_text_mode(False)


def test_match_file_is_saved_and_resumed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name = str(tmp_path / "one.match")
    typed(monkeypatch, f"2,2\nsave {name}\n".encode())
    assert run(["play", "chocobar:2x2", "--seats", "human,perfect", "--plain"]) == 0
    typed(monkeypatch, b"")
    assert "You play (2,2).\nSecond plays " in shell("play", name)[0]
    assert "Remove the other options" in shell("play", name, "--seats", "human,human", code=2)[1]
    text = Path(name).read_text()
    Path(name).write_text(text.replace("1. (2,2)", "1. (3,3)"))
    out, error = shell("play", name, code=2)
    assert error == "arcade: Move 1, '(3,3)', cannot be played: " + error.partition("played: ")[2]
    assert not out
    assert "No such file" in shell("play", str(tmp_path / "none.match"), code=2)[1]


def test_initial_moves_of_race_alternate_between_seats(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each on the board of its seat, where another tile may be in the hand."""
    typed(monkeypatch, b"played")
    move = str(parse_game_id("honshu:6x3#5").start().moves()[0])
    command = ["play", "honshu:6x3#5", "--seats", "human,human", "--moves"]
    assert f"Move 2: Right plays {move}." in shell(*command, f"{move} {move}")[0]
    assert shell(*command, f"{move} {move} {move}", code=2)[1].startswith(f"arcade: Move 3, '{move}': ")


def test_learn_command_runs_lessons_in_text_mode(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, b"help\nnext\n")
    said, _ = shell("learn", "chocobar")
    assert said.startswith("Lesson 1 of ")
    assert "\nLesson 2 of " in said


@pytest.mark.usefixtures("keys")
def test_learn_opens_the_lessons_of_a_game(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("arcade.commands.play.open_app", lambda learning, ascii: asked.append(learning.name))
    assert run(["learn"]) == 0
    assert run(["learn", "honshu"]) == 0
    assert asked == ["chocobar", "honshu"]
    assert "has no lessons" in shell("learn", "graph", code=2)[1]
    assert "Unknown game 'chess'" in shell("learn", "chess", code=2)[1]
    assert len(asked) == 2


def test_missing_current_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    # Whatever asks for it, e.g. a library that is imported.
    monkeypatch.setattr(get_game("menace").solver, "verdict", lambda *_: os.getcwd())
    monkeypatch.setattr("arcade.cli.drop_output", lambda: None)
    said = shell("verdict", "menace", code=2)[1]
    assert said == "arcade: The current directory no longer exists. Change to another one.\n"


@pytest.mark.parametrize("words", ["learn", "puzzle", "warm", "warm menace", "play", "verdict", "compare"])
def test_shell_completes_game_names(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMP_WORDS", f"arcade {words} he")
    monkeypatch.setenv("COMP_CWORD", str(1 + len(words.split())))
    monkeypatch.setenv("_ARCADE_COMPLETE", "complete_bash")
    with pytest.raises(SystemExit):
        command_line()([], prog_name="arcade")
    assert capsys.readouterr().out.split() == ["hexapawn"]


def test_help_describes_option_values(shell: Shell) -> None:
    def told(command: str) -> str:
        return " ".join(shell(command, "--help")[0].split())

    assert "--seats A,B Engines that play, for example beginner," in told("watch")
    assert "human" not in told("watch")
    assert "--matches, --games N Number of matches." in told("watch")
    assert "--plain Take the lessons in text mode" in told("learn")
    assert "--plain Solve the puzzles in text mode" in told("puzzle")


def test_byte_order_mark_before_first_line_is_ignored(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, b"\xef\xbb\xbfa2\n")
    assert "You play a2." in shell("play", "hexapawn:3x3", "--plain")[0]
    typed(monkeypatch, b"\xef\xbb\xbfhexapawn\nquit\n")
    assert "You are White." in shell("--plain")[0]
    typed(monkeypatch, b"\xef\xbb\xbfnext\n")
    assert "\nLesson 2 of " in shell("learn", "chocobar", "--plain")[0]


def test_moves_copied_from_a_match_are_accepted(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, b"")
    reached = shell.json("verdict", "hexapawn:4x4", "--moves", "b2 c3 d2")["position"]
    for copied in (
        "1. b2 c3 d2",
        "1. b2 2. c3?? {This gives the win\naway.} 3. d2= *",
        "1.b2 2.c3?? 3.d2! 1-0",
    ):
        assert shell.json("verdict", "hexapawn:4x4", "--moves", copied)["position"] == reached
        seats = ("--seats", "human,human", "--plain")
        assert "two white pawns on a and c." in shell("play", "hexapawn:4x4", *seats, "--moves", copied)[0]
    assert "Move 2, 'z9': " in shell.refused("verdict", "hexapawn:4x4", "--moves", "1. b2 2. z9?? *")


def test_count_of_one_has_a_singular_noun(shell: Shell, tmp_path: Path) -> None:
    tiles, graph = tmp_path / "game.txt", tmp_path / "graph.txt"
    tiles.write_text("5\n")
    graph.write_text("vertices 2\ninitial 1\nfinal 0\nmatrix\n0 0\n")
    for words, said in (
        (("honshu", "solve", str(tiles)), "found 1 number."),
        (("verdict", "menace:X"), "found 1 cell in"),
        (("verdict", f"graph:{graph}"), "has 1 row instead of 2."),
        (("verdict", "tetromino:5x4:#/####/####/####/####"), "must have 1 cell like"),
    ):
        assert said in shell.refused(*words)
    with Control() as control:
        control.nodes = 1
        for name in game_names():
            assert "1 positions" not in get_game(name).solver.progress(control)


@pytest.mark.parametrize("name", COMMANDS)
def test_summary_of_command_is_first_sentence_of_its_help(name: str) -> None:
    command = command_line().commands[name]
    assert command.help.startswith(COMMANDS[name].summary)
