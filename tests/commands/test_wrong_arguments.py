"""Every command with wrong arguments of each kind: one sentence, exit code 2, nothing on standard output.

The commands and what they take are read from the command line itself, so one that is added later has to be
given its right and wrong arguments here before the tests pass.
"""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from arcade.cli import command_line, run
from arcade.engines.menace.archive import to_json
from arcade.engines.menace.machine import Machine, Options
from arcade.engines.registry import get_game, parse_game_id, rescan
from arcade.play.exchange import export_matches
from arcade.play.match import new_match
from arcade.store.store import open_store
from arcade.study.comparison import MethodRun
from tests.shell import Shell
from tests.test_registry import GAME as TREBLECROSS

HUGE = str(10**30)
LONG = "9" * 5000

MOST_SECONDS = 20.0
"""A wrong argument is refused before any work begins; counting positions is no work."""

RIGHT: dict[str, list[str]] = {
    "": [],
    "play": ["chocobar:3x4"],
    "learn": ["chocobar"],
    "keys": [],
    "picture": ["chocobar:2x2", "--output", "{new}.txt"],
    "puzzle": ["menace"],
    "tournament": ["menace", "--players", "random,perfect"],
    "compare": ["menace"],
    "verify": ["menace"],
    "serve": [],
    "games": [],
    "check": ["{treblecross.py}"],
    "stats": [],
    "where": [],
    "matches": [],
    "matches list": [],
    "matches show": ["1"],
    "matches export": ["1"],
    "matches import": ["{match}"],
    "matches delete": ["1", "--yes"],
    "warm": ["chocobar"],
    "verdict": ["chocobar:3x4"],
    "moves": ["chocobar:3x4"],
    "hint": ["chocobar:3x4"],
    "line": ["chocobar:3x4"],
    "why": ["chocobar:3x4"],
    "rules": ["chocobar"],
    "watch": ["chocobar:3x4", "--headless"],
    "chocobar": [],
    "chocobar openings": ["3x4"],
    "chocobar grundy": ["3x4"],
    "chocobar graph": ["2x2"],
    "chocobar strategy": ["{graph}"],
    "chocobar check": ["{graph}", "{strategy}"],
    "chocobar simulate": ["{graph}", "{strategy}", "{strategy}"],
    "hexapawn": [],
    "hexapawn value": ["{course}"],
    "hexapawn id": ["{course}"],
    "hexapawn solve": ["3x3", "--memory", "4"],
    "tetromino": [],
    "tetromino placements": ["4x4"],
    "tetromino value": ["4x4"],
    "honshu": [],
    "honshu solve": ["5x2#1"],
    "honshu prove": ["5x2#1"],
    "honshu deal": ["--output", "{new}"],
    "honshu score": ["5x2#1"],
    "menace": [],
    "menace train": [],
    "menace boxes": [],
    "menace show": ["alice", "........."],
    "menace export": ["alice", "{new}"],
    "menace import": ["{machine}"],
    "menace list": [],
    "menace delete": ["alice", "--yes"],
}
"""Arguments with which each command would work; in braces stands what `places` makes."""


def words(text: str) -> list[str]:
    return text.split(" ")


SIZES = words(f"cat 0x0 -1x3 8 8x x 8x10x12 1e3x3 {HUGE}x3 {LONG}x3 ²x3 8x10: 8x10:cat 8x10:{LONG}")
SIZES += ["", *words("3x4:9.9.9 3x4:-1 \0 ÄÖ€ 3x4#5")]
BOARDS = words(f"cat 0x0 -1x3 4x 99x99 {HUGE}x3 {LONG}x3 ²x4 4x4,QQQ 4x4,ILO 4x4:cat 4x4::: \0 ÄÖ€ 4x4#5")
BOARDS += [f"4x4:{LONG}"]
GAME_IDS = ["", "Chocobar:3x4 3x4", *words("cat : # \0 ÄÖ€ chocobar#1 menace#1")]
GAME_IDS += words("hexapawn:0x0 hexapawn:3x3:cat")
GAME_IDS += [*(f"chocobar:{size}" for size in SIZES if size not in ("", "8x10:"))]
GAME_IDS += words(f"hexapawn:99x99 hexapawn:3x3,cat hexapawn:3x3,misere,misere hexapawn:{LONG}x3 hexapawn#1")
GAME_IDS += ["hexapawn:3x3:ppp/.../PPP:z", "hexapawn:4x4:ppp/.../PPP:w"]
GAME_IDS += [*(f"tetromino:{board}" for board in BOARDS), "tetromino#1", "tetromino:5x8,ILO-IST-LOS"]
GAME_IDS += words("menace:cat menace:XXX...... menace:XOXOXOXOXO menace:XXXX..... menace:3x3")
GAME_IDS += words(f"honshu:0x0 honshu:cat honshu:5x2#cat honshu:5x2#{LONG} honshu:5x2#1.5 honshu:99x99")
GAME_IDS += words("honshu:5x2,cat honshu:5x2:cat honshu:{missing} honshu:{folder} honshu:{binary}")
GAME_IDS += words("graph:cat graph:{missing} graph:{folder} graph:{binary}")
READ = ["{missing}", "{folder}", "{binary}", "{unreadable}", "{empty}", "{text}", "{long}", "\0", ""]
WRITE = ["{missing}/file", "{folder}", "{text}/file", "\0", "", "a" * 5000]
COUNTS = ["0", "-1", "1.5", "cat", "", "ÄÖ€", "nan", HUGE, LONG]
SEEDS = ["1.5", "cat", "", "nan", "inf", LONG, "0x"]
SECONDS = ["-1", "-0.001", "nan", "-nan", "inf", "-inf", "1e30", "1e308", "1e400", HUGE, "cat", "", "1:30"]
MOVES = ["cat", "(0,0)", "(99,99)", "(1,2", "(-1,1)", f"({LONG},1)", "ÄÖ€", "\0", "(2,2) (2,2)", "(2,2) cat"]
SEATS = words("cat cat,random perfect:1,random fallible:0,random fallible:10,random fallible:-1,random")
SEATS += words(f"fallible:cat,random fallible:{LONG},random random random,random,random , random,")
SEATS += words("random,,random RANDOM,random ÄÖ€,random fallible:²,random fallible:,random")
NUMBERS = ["cat", "1,2,cat", ",", "", "1.5,2,3", f"{HUGE},1,1", f"{LONG},1,1", "²,1,1"]
NAMES = ["nobody", "", "ÄÖ€", "\0", "a b", "a" * 5000, "../alice"]

WRONG: dict[str, list[str]] = {
    "game_id": GAME_IDS,
    "size": SIZES,
    "bar": SIZES,
    "board": BOARDS,
    "game": [*BOARDS[:-1], *words("{missing} {folder} {binary} {unreadable} {empty} 5x2#cat 5x2#-")],
    "--moves": MOVES,
    "moves": ["cat", "9r9@1,1", "1r0@99,99", "1r0@-1,0", f"1r0@{LONG},0", "ÄÖ€", "\0"],
    "--seats": SEATS,
    "--seconds": SECONDS,
    "--games": COUNTS,
    "--matches": COUNTS,
    "--count": [*COUNTS, "1001"],
    "--grade": [*COUNTS, "6"],
    "--daily": ["cat", "", "2026-02-30", "2026-1-1", "20260101", "2026-W01-1", HUGE, LONG, "ÄÖ€", "\0"],
    "--step": COUNTS,
    "--runs": [*COUNTS, "1001"],
    "--first": ["-1", "1.5", "cat", "", LONG],
    "--seed": SEEDS,
    "--tiles": READ,
    "file": READ,
    "strategy_file": READ,
    "first": READ,
    "second": READ,
    "--output": WRITE,
    "-o": WRITE,
    "only": ["cat", "", "CHOCOBAR", "chocobar:3x4", "\0"],
    "--theme": ["cat", "", "DARK", "\0"],
    "--storage": ["cat", "", "LIST", "\0"],
    "--method": ["cat", "", "SOLVER", "\0"],
    "--size": ["cat", "0x0", "-1x3", "9", f"{HUGE}x3", f"{LONG}x3", "²x3", "9x12,cat", "99x99", "\0"],
    "--opponent": ["cat", "", "1.5", "-0.1", "nan", "inf", "nobody", LONG, "ÄÖ€"],
    "--beads": [*NUMBERS, "-1,1,1,1", "200,1,1,1", "0"],
    "--rewards": [*NUMBERS, "1,2", "1,2,3,4", "1000,1,1"],
    "--set": ["cat", "", "0", "305", LONG],
    "--overflow": ["cat", "", "STOP"],
    "--game": ["cat", "", "hexapawn:cat", "hexapawn:0x0", "chocobar:3x4", "menace:3x3", f"hexapawn:{LONG}x3"],
    "--preset": ["cat", "", "MICHIE"],
    "--save": ["", "ÄÖ€", "\0", "a b", "a" * 5000, "../alice", "human", "random", "0.8"],
    "--name": ["", "ÄÖ€", "\0", "a b", "a" * 5000, "../alice", "human", "random", "0.8"],
    "name": NAMES,
    "--ended": ["cat", "", "WON", "\0"],
    "--search": ["\0", "4x4 \x1b[2J"],
    "--limit": COUNTS,
    "--players": [each for each in SEATS if each != "random,random,random"],
    "--rounds": COUNTS,
    "--workers": COUNTS,
    "--cluster": ["nowhere", "no://such", "tcp://\x1b[31m:8786"],
    "--memory": [*COUNTS, "3"],
    "--threads": [*COUNTS, "65"],
    "--svg": WRITE,
    "--depth": ["-1", "1.5", "cat", "", "1001", LONG],
    "--certificate": WRITE,
    "--check": [each for each in READ if each],
    "--host": ["0.0.0.0", "cat", "\0"],
    "--port": [*COUNTS, "65536"],
    "boards": ["cat", "0x0", "-1x3", f"{HUGE}x3", "\0"],
    "--file": WRITE,
    "number": [*COUNTS, "99"],
    "numbers": [*COUNTS, "99"],
    "--data": ["{text}", "{text}/folder", "\0", "", "a" * 300, "a" * 5000],
}
"""Wrong values of each argument and option, by its name on the command line."""

OF_ONE_COMMAND: dict[tuple[str, str], list[str]] = {
    ("", "--games"): ["{missing}", "{text}", "\0", ""],
    ("watch", "--seats"): [*SEATS, "human,random", "random,human"],
    ("menace show", "board"): ["", *words(f"cat XXX...... X........ XOX XXXX..... XOXOXOXOX {LONG} \0")],
    ("menace export", "file"): [each for each in WRITE if each] + ["{text}"],
    ("matches list", "--game"): ["cat", "CHOCOBAR", "chocobar:3x4", "\0"],
    ("matches export", "--game"): ["cat", "CHOCOBAR", "chocobar:3x4", "\0"],
    ("menace boxes", "name"): [each for each in NAMES if each] + [""],
}
"""Where a name means something else, or more is wrong, at one command."""


def walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    yield " ".join(path), command
    for name, below in getattr(command, "commands", {}).items():
        yield from walk(below, (*path, name))


COMMANDS = dict(walk(command_line()))


def parameters(command: str) -> list[Any]:
    """What a command takes, without switches."""
    return [each for each in COMMANDS[command].params if not getattr(each, "is_flag", False)]


def wrong_of(command: str, parameter: Any) -> list[str]:
    name = parameter.opts[0]
    return OF_ONE_COMMAND.get((command, name), WRONG.get(name, []))


CASES = [
    pytest.param(command, parameter, id=f"{command} {parameter.opts[0]}")
    for command in RIGHT
    for parameter in (parameters(command) if command else ())
]


def test_every_parameter_is_tested_with_a_wrong_value() -> None:
    assert set(COMMANDS) == set(RIGHT)
    missing = [
        (command, each.opts[0])
        for command in COMMANDS
        for each in parameters(command)
        if not wrong_of(command, each)
    ]
    assert not missing, "these have no wrong values in WRONG"


@cache
def machine(name: str) -> str:
    return to_json(Machine[Any, Any](name, Options()))


@cache
def contents() -> dict[str, bytes]:
    """What is in the files that `places` makes, by their names there."""
    from arcade.engines.chocobar.graph import Convention, Storage, bar_graph, fastest_strategy, strategy_text

    graph = bar_graph(2, 2, Convention.IS, Storage.LIST)
    assert graph is not None
    return {
        "graph": graph.text(Storage.LIST).encode(),
        "strategy": strategy_text(fastest_strategy(graph)).encode(),
        "course": b"3\n3\nppp\n   \nPPP\n",
        "machine": machine("bob").encode(),
        "binary": bytes(range(256)) * 40,
        "empty": b"",
        "text": b"These are no numbers.\n" * 3,
        "long": b"9" * 100_000 + b"\n",
        "treblecross.py": TREBLECROSS.encode(),
    }


@pytest.fixture(autouse=True, scope="module")
def forgotten() -> Iterator[None]:
    """Other tests do not know the game that `arcade check` has loaded."""
    yield
    rescan()


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files to name, and with a store that has a machine and a match."""
    folder = tmp_path_factory.mktemp("original")
    with open_store(folder / "data") as store:
        store.save_machine("alice", machine("alice"))
        id, _ = store.save_match(new_match(parse_game_id("chocobar:3x4")).record())
        match = export_matches([store.match(id)])
    for name, content in (contents() | {"match": match.encode()}).items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    return folder


@pytest.fixture
def places(tmp_path: Path, data_folder: Path, original: Path) -> dict[str, str]:
    """Files and folders to name."""
    copytree(original, tmp_path, dirs_exist_ok=True)
    (tmp_path / "data").rename(data_folder)
    found = {name: str(tmp_path / name) for name in (*contents(), "match", "folder", "missing", "new")}
    # A file that cannot be read, whoever runs this: its first page is no memory.
    return found | {"unreadable": "/proc/self/mem"}


def arguments(command: str, name: str, value: str, places: dict[str, str]) -> list[str]:
    """A command line with one wrong value."""
    right = list(RIGHT[command])
    if name.startswith("-"):
        if name in right:
            at = right.index(name)
            del right[at : at + 2]
        given = [*right, f"{name}={value}" if name.startswith("--") else f"{name}{value}"]
        if name == "-o":
            given = [*right, name, value]
    else:
        takes = [each.opts[0] for each in parameters(command) if not each.opts[0].startswith("-")]
        at = takes.index(name)
        options = right[len(takes) :] if command != "honshu deal" else right
        words = [*right[:at], value, *right[at + 1 : len(takes)]]
        # After the two dashes nothing is an option.
        given = [*options, "--", *words]
    return [*command.split(), *(fill(each, places) for each in given)]


def fill(text: str, places: dict[str, str]) -> str:
    return re.sub(r"\{([\w.]+)\}", lambda found: places[found[1]], text)


def refused(given: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command line that is wrong; returns its one sentence."""
    # What is not refused would perhaps work for years: as by Ctrl+C it is stopped, which is no exit code 2.
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        code = run(given)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    output, errors = capsys.readouterr()
    assert code == 2, given
    assert output == "", given
    assert errors.count("\n") == 1
    assert "Traceback" not in errors
    assert "4300" not in errors
    for word in ("Input should", "Invalid value", "value error"):
        assert word not in errors
    sentence = re.fullmatch(r"arcade: ([A-Z/\"'-].*[.?])\n", errors, re.DOTALL)
    assert sentence, errors
    assert len(errors) < 1000
    return sentence[1]


@pytest.mark.parametrize(("command", "parameter"), CASES)
def test_wrong_value_of_each_parameter_is_refused(
    command: str,
    parameter: Any,
    places: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arcade.engines.workers.CONNECT_SECONDS", 0.5)
    before = {each.name for each in tmp_path.iterdir()}
    for value in wrong_of(command, parameter):
        refused(arguments(command, parameter.opts[0], value, places), capsys)
        assert {each.name for each in tmp_path.iterdir()} == before, value


WORKING = [command for command in RIGHT if command and not hasattr(COMMANDS[command], "commands")]


@pytest.mark.parametrize("command", WORKING)
def test_malformed_command_lines_are_refused(
    command: str, places: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    right = [*command.split(), *(fill(each, places) for each in RIGHT[command])]
    assert "--nonsense" in refused([*right, "--nonsense"], capsys)
    assert "-Z" in refused([*right, "-Z"], capsys)
    repeated = any(each.nargs == -1 for each in COMMANDS[command].params)
    if not repeated:
        assert "Unexpected argument" in refused([*right, *["more"] * 3], capsys)
    for each in COMMANDS[command].params:
        if each.opts[0] == "--daily":
            continue  # Its date may be left out.
        if each.opts[0].startswith("-") and not each.is_flag:
            assert each.opts[0] in refused([*right, each.opts[0]], capsys)
        elif each.opts[0].startswith("-"):
            assert each.opts[0] in refused([*right, f"{each.opts[0]}=yes"], capsys)
    if any(each.required for each in COMMANDS[command].params):
        assert "issing" in refused(command.split(), capsys)


@pytest.mark.parametrize("given", [["nonsense"], ["menace", "nonsense"], ["--nonsense"], ["Verdict"], [""]])
def test_unknown_commands_are_refused(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    refused(given, capsys)


@pytest.mark.parametrize("value", WRONG["--data"])
def test_invalid_data_folder_is_refused(
    value: str, places: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The option sets the variable, for the programs that the arcade starts.
    monkeypatch.setenv("ARCADE_DATA", "")
    refused(["--data", fill(value, places), "menace", "list"], capsys)


PRINTS_JSON = [
    command
    for command in WORKING
    if any(each.name == "as_json" for each in COMMANDS[command].params)
    and command not in ("compare", "menace train", "rules", "tournament", "warm")
]
"""The commands whose JSON is looked at; others take long, and are looked at with less to do. Rules of play
have IDs of their own."""
SMALL = {
    "compare": ["menace"],
    "menace train": ["--games", "2", "--save", "alice"],
    "tournament": ["menace", "--players", "random,perfect", "--workers", "1"],
}
OLD_NAMES = {"nodes": {"positions"}, "bar": {"position"}, "board": {"position", "id"}, "start": {"id"}}
"""What some words of earlier versions are called now; both are there."""


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in JSON."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(each)


@pytest.mark.parametrize("command", [*PRINTS_JSON, *SMALL])
def test_json_keys_have_one_meaning_everywhere(
    command: str, places: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`game` is a name alone, `id` a game ID, `positions` a number, `position` the text of one."""
    trial = MethodRun("menace", "m", "tie", 0.1)
    monkeypatch.setattr("arcade.study.comparison.compare", lambda *_: iter([trial]))
    given = SMALL.get(command, RIGHT[command])
    # Verify and the checker of strategies have an exit code for what they find.
    assert run([*command.split(), *(fill(each, places) for each in given), "--json"]) in (0, 1)
    for each in objects(json.loads(capsys.readouterr().out)):
        if "game" in each:
            get_game(each["game"])
        if "id" in each:
            assert parse_game_id(each["id"]).game.name == each.get("game", "menace")
        assert isinstance(each.get("positions", 0), int | None)
        assert isinstance(each.get("position", ""), str)
        for old, new in OLD_NAMES.items():
            assert old not in each or any(each.get(name) == each[old] for name in new), old


WRITING = {
    "verify": ["--certificate", "{text}"],
    "picture": ["--output", "{text}.svg"],
    "compare": ["--svg", "{text}.svg"],
    "chocobar graph": ["--output", "{text}"],
    "chocobar strategy": ["--output", "{text}"],
    "honshu deal": ["--output", "{text}"],
    "matches export": ["--file", "{text}"],
    "menace export": ["alice", "{text}"],
}
"""How each command names the file that it writes."""
ALREADY = "'{}' already exists. Choose another name or use --force."


def test_every_file_writing_command_has_force_option() -> None:
    forced = {name for name in COMMANDS if any(each.name == "force" for each in COMMANDS[name].params)}
    # An import replaces a machine in the store, no file.
    assert forced == {*WRITING, "menace import"}


@pytest.mark.parametrize("command", WRITING)
def test_existing_file_is_replaced_only_with_force(
    command: str, places: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "compare":
        pytest.importorskip("matplotlib")
        monkeypatch.setattr(
            "arcade.study.comparison.compare", lambda *_: iter([MethodRun("menace", "m", "tie", 0.1)])
        )
    words, file = [fill(each, places) for each in WRITING[command]], Path(fill(WRITING[command][-1], places))
    right = [fill(each, places) for each in RIGHT[command]]
    if "--output" in right or command == "menace export":
        right = right[:1] if command == "picture" else []
    given = [*command.split(), *right, *words]
    file.write_text("precious")
    assert refused(given, capsys) == ALREADY.format(file)
    assert file.read_text() == "precious"
    assert run([*given, "--force"]) == 0
    assert file.read_text() != "precious"
    assert [each for each in file.parent.iterdir() if each.suffix == ".part"] == []
    if not command.startswith(("picture", "compare")):
        # What is no file is written to without being asked, as by a shell.
        assert run([*given[:-1], "/dev/null"]) == 0


def test_group_without_command_lists_its_commands(shell: Shell) -> None:
    names = "list, show, export, import or delete"
    assert shell.refused("matches") == f"arcade: Missing command after arcade matches: {names}.\n"


def test_missing_matplotlib_is_reported_before_the_comparison(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arcade.study.comparison.find_spec", lambda name: None)
    error = shell.refused("compare", "chocobar", "2x2", "--svg", str(tmp_path / "times.svg"))
    assert error.startswith("arcade: --svg requires matplotlib")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["line", "menace:XXXOO...."], "The game is over.\n"),
        (["moves", "menace:XXXOO...."], "The game is over.\n"),
        (
            ["line", "hexapawn:8x8", "--seconds", "0"],
            "No line available: this position is not solved far enough.\n",
        ),
        (["matches", "list"], "No saved matches.\n"),
        (["matches", "list", "--game", "menace"], "No matches found.\n"),
    ],
)
def test_empty_result_is_explained(given: list[str], told: str, shell: Shell) -> None:
    assert shell(*given) == ("", told)
