"""`arcade menace` as a person uses it, on a store of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from arcade.commands.menace import app
from arcade.engines.files import InputError
from arcade.engines.menace import box as beads
from arcade.engines.menace.archive import from_json, to_json
from arcade.engines.menace.box import BoxSet, find_boxes
from arcade.engines.menace.machine import AnyMachine
from arcade.engines.menace.presets import BUILT_IN
from arcade.engines.registry import game_names
from arcade.store.store import open_store

needs_hexapawn = pytest.mark.skipif("hexapawn" not in game_names(), reason="Hexapawn is not installed")


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def run(*words: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(app, list(words), input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def run_json(*words: str) -> Any:
    return json.loads(run(*words, "--json").stdout)


def kept(name: str) -> AnyMachine:
    with open_store() as store:
        return from_json(store.machines()[name])


def train(*words: str) -> Result:
    """Train in one step; what was learned is kept after each."""
    return run("train", "--step", "1000", *words)


def test_train_prints_shares_and_the_first_box() -> None:
    found = run_json("train", "--opponent", "random", "--games", "10000", "--seed", "1", "--beads", "4,3,2,1")
    assert found["games"] == found["won"] + found["tied"] + found["lost"] == 10_000
    assert sum(found["shares"].values()) == pytest.approx(1)
    assert found["first"]["........."].keys() == {"a3", "b3", "b2"}
    assert found["history"][-1]["games"] == 10_000
    assert found["now"]["random"]["win"] > 0.7
    assert (found["ended"], found["machine"], found["refuses"]) == ("all games were played", None, False)
    printed = run("train", "--games", "500").stdout
    assert "won" in printed
    assert "first box .........: a3" in printed
    assert run_json("list") == {"machines": []}


def test_training_is_reproducible_by_seed() -> None:
    words = ("train", "--opponent", "0.8", "--games", "3000", "--seed", "7")
    assert run_json(*words) == run_json(*words)
    assert run_json(*words) != run_json(*words[:-1], "8")


def test_saved_machine_continues_training() -> None:
    train("--games", "1000", "--save", "bob", "--beads", "scroggs")
    train("--games", "500", "--save", "bob", "--opponent", "perfect")
    machine = kept("bob")
    assert machine.games == 1500
    assert {step.opponent for step in machine.history} == {"random", "perfect"}
    with pytest.raises(InputError, match="created with different options"):
        train("--save", "bob", "--beads", "4,3,2,1")
    assert kept("bob").games == 1500
    train("--save", "bob", "--beads", "4,3,2,1", "--fresh", "--games", "10")
    assert kept("bob").games == 10
    train("--save", "bob", "--fresh", "--games", "20")
    assert kept("bob").games == 20
    assert kept("bob").options.first_beads == (4, 3, 2, 1), "fresh beads, not another machine"


def test_two_machines_train_each_other() -> None:
    train("--games", "500", "--save", "anne")
    before = kept("anne").beads
    train("--games", "500", "--save", "otto", "--second", "--opponent", "anne")
    assert kept("anne").beads == before
    train("--games", "500", "--save", "otto", "--opponent", "anne", "--both")
    assert kept("anne").games == kept("otto").games == 1000
    with pytest.raises(InputError, match="both move first"):
        train("--opponent", "anne", "--games", "10")


def test_averages_of_runs_match_single_runs() -> None:
    words = "train --opponent perfect --games 300 --step 100"
    averaged = run_json(*words.split(), "--runs", "8")
    singles = [run_json(*words.split(), "--seed", str(seed)) for seed in range(1, 9)]
    assert (averaged["runs"], averaged["seed"], averaged["games"]) == (8, 1, 300)
    assert averaged["refused"] == sum(single["refuses"] for single in singles) > 0
    ties = [100 * step["shares"]["tied"] for step in averaged["history"]]
    assert sum(ties) == pytest.approx(sum(single["tied"] for single in singles) / 8)
    for move, count in averaged["history"][-1]["first"]["........."].items():
        assert count == pytest.approx(sum(single["first"]["........."][move] for single in singles) / 8)
    printed = run(*words.split(), "--runs", "8").stdout.splitlines()
    assert printed[0] == "8 runs of 300 games against perfect, seeds from 1"
    kind, share, *_ = printed[2].split()
    assert kind == "tied"
    assert float(share.rstrip("%")) == pytest.approx(sum(ties) / 3, abs=0.06)
    assert printed[-1] == f"first box empty after {averaged['refused']} of 8 runs"


def test_empty_first_box_is_reported() -> None:
    result = train("--opponent", "perfect", "--games", "1000", "--save", "sad")
    assert "refuses to play" in result.stderr
    assert run_json("list")["machines"][0]["refuses"] is True
    assert "refuses to play" in train("--games", "10", "--save", "sad").stderr


@pytest.mark.parametrize("count", [287, 304, 338])
def test_boxes_command_lists_each_box_set(count: int) -> None:
    found = run_json("boxes", "--set", str(count))["boxes"]
    assert len(found) == count
    assert found[0]["beads"] == {"a3": 4, "b3": 4, "b2": 4}
    assert found[0]["perfect"]["b2"] == {"value": "tie", "remoteness": 9, "best": True}
    assert found[0]["error"] == 0


def test_boxes_command_shows_the_beads_of_a_machine() -> None:
    train("--games", "100", "--save", "bob")
    machine = kept("bob")
    found = run_json("boxes", "bob")["boxes"]
    assert [sum(box["beads"].values()) for box in found] == [beads.total(word) for word in machine.beads]
    assert run("boxes", "bob", "--set", "304").stdout.count("\n") == 304
    with pytest.raises(InputError, match="created with different options"):
        run("boxes", "bob", "--set", "287")


def test_show_command_turns_the_box_to_match_the_board() -> None:
    train("--games", "100", "--save", "bob")
    turned = run_json("show", "bob", "......X.O")
    plain = run_json("show", "bob", "X.O......")
    assert turned["box"] == plain["box"] == "X.O......"
    assert turned["symmetry"] != plain["symmetry"] == "as it is"
    assert sorted(each["beads"] for each in turned["moves"]) == sorted(
        each["beads"] for each in plain["moves"]
    )
    assert {each["move"] for each in turned["moves"]} == {"a3", "b3", "c3", "a2", "b2", "c2", "b1"}
    assert sum(each["chance"] for each in plain["moves"]) == pytest.approx(1)
    assert "box X.O......" in run("show", "bob", "X.O......").stdout
    assert run_json("show", "bob", "XOXOOX.XO")["box"] is None
    for board, says in (("XXXOO....", "over"), ("X........", "O's turn"), ("zz", "Cell 1")):
        with pytest.raises(InputError, match=says):
            run("show", "bob", board)


def test_export_and_import_give_the_same_machine(tmp_path: Path) -> None:
    train("--games", "300", "--save", "bob")
    text = to_json(kept("bob"))
    run("export", "bob", "bob.json")
    assert (tmp_path / "bob.json").read_text() == text
    assert run("export", "bob", "-").stdout == text
    with pytest.raises(InputError, match="already exists"):
        run("export", "bob", "bob.json")
    run("import", "bob.json", "--name", "copy")
    assert kept("copy").beads == kept("bob").beads
    run("delete", "bob", "--yes")
    assert run_json("import", "bob.json")["games"] == 300
    assert to_json(kept("bob")) == text
    run("delete", "copy", "--yes")
    assert [each["name"] for each in run_json("list")["machines"]] == ["bob"]


def test_repeated_machine_import_changes_nothing() -> None:
    train("--games", "300", "--save", "bob")
    run("export", "bob", "bob.json")
    text = to_json(kept("bob"))
    assert run("import", "bob.json").stderr == "bob, which has played 300 games, is already saved.\n"
    assert run_json("import", "bob.json")["games"] == 300
    for said in ("Imported copy", "is already saved"):
        assert said in run("import", "bob.json", "--name", "copy").stderr
    assert to_json(kept("bob")) == text
    # Another machine of that name is not replaced unasked.
    train("--games", "10", "--save", "bob")
    with pytest.raises(InputError, match="The machine bob already exists"):
        run("import", "bob.json")
    assert "Imported bob" in run("import", "bob.json", "--force").stderr
    assert to_json(kept("bob")) == text


def test_damaged_machine_file_changes_nothing(tmp_path: Path) -> None:
    train("--games", "300", "--save", "bob")
    text = to_json(kept("bob"))
    bad = tmp_path / "bad.json"
    for content in (text[:5000], text.replace('"b3": ', '"b3": 999', 1), ""):
        bad.write_text(content)
        with pytest.raises(InputError, match=r"^Cannot import 'bad.json': .*\.$"):
            run("import", "bad.json", "--force")
    bad.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8 text"):
        run("import", "bad.json")
    with pytest.raises(InputError, match="Cannot read"):
        run("import", "missing.json")
    assert to_json(kept("bob")) == text
    assert len(run_json("list")["machines"]) == 1


def test_damaged_machine_is_reported_in_the_list() -> None:
    train("--games", "10", "--save", "bob")
    with open_store() as store:
        store.save_machine("worse", "{")
    assert [("error" in each) for each in run_json("list")["machines"]] == [False, True]
    assert "worse: damaged" in run("list").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("train", "--beads", "0"),
        ("train", "--rewards", "1,2"),
        ("train", "--set", "305"),
        ("train", "--opponent", "1.5"),
        ("train", "--opponent", "nobody"),
        ("train", "--save", "a b"),
        ("train", "--save", "perfect"),
        ("train", "--game", "honshu"),
        ("train", "--game", "chess"),
        ("train", "--preset", "nobody"),
        ("train", "--overflow", "drop"),
        ("show", "nobody", "........."),
        ("export", "nobody", "file"),
        ("delete", "nobody"),
        ("boxes", "nobody"),
    ],
)
def test_invalid_input_is_refused_in_one_sentence(words: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=r"^[A-Z][^\n]*\.$"):
        run(*words)


@pytest.mark.parametrize(
    ("option", "says"), [("--save=bob", "--runs cannot be"), ("--fresh", "--fresh requires")]
)
def test_runs_option_cannot_save_a_machine(option: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        run("train", "--runs", "3", option)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--opponent", "nobody"), "You can also train against random, perfect, or 0.8"),
        (("--rewards", "a"), "as in 3,1,-1."),
        (("--beads", "a"), "as in 4,3,2,1."),
        (("--both",), "--both requires a machine as opponent"),
        (("--both", "--runs", "2"), "--both requires a machine as opponent"),
    ],
)
def test_invalid_training_option_error_says_what_was_expected(words: tuple[str, ...], says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        run("train", *words)


@needs_hexapawn
def test_her_preset_can_be_trained_and_saved() -> None:
    words = "train --preset her --opponent perfect --games 200 --step 200 --save her"
    found = run_json(*words.split())
    assert found["now"]["perfect"]["win"] == pytest.approx(1)
    assert len(run_json("boxes", "her")["boxes"]) == 19
    assert len(run_json("boxes", "--game", "hexapawn:3x3")["boxes"]) == 19
    expected = len(find_boxes("hexapawn", "4x3", 1, BoxSet.ALL, True).boxes)
    assert len(run_json("boxes", "--game", "hexapawn:4x3")["boxes"]) == expected
    shown = run_json("show", "her", "ppp/P../.PP:b")
    assert {each["value"] for each in shown["moves"]} <= {"win", "loss"}


@pytest.mark.slow
@needs_hexapawn
def test_kill_9_loses_at_most_the_running_training_step(tmp_path: Path) -> None:
    """Killed at an arbitrary moment of a training, the store has a whole machine with whole steps."""
    code = "from arcade.commands.menace import app; app()"
    step = 20_000
    game = ("--game", "hexapawn:3x3")
    words = ["train", *game, "--games", "1000000000", "--step", str(step), "--save", "bob"]
    process = subprocess.Popen([sys.executable, "-c", code, *words], env=os.environ, cwd=tmp_path)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with open_store() as store:
            if "bob" in store.machine_names() and from_json(store.machines()["bob"]).games > 5 * step:
                break
        time.sleep(0.05)
    seen = kept("bob").games
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    machine = kept("bob")
    assert machine.games >= seen > 5 * step
    assert machine.games % step == 0
    assert sum(each.played for each in machine.history) == machine.games
    train(*game, "--games", "10", "--save", "bob")
    assert kept("bob").games == machine.games + 10


@pytest.mark.slow
@needs_hexapawn
def test_ctrl_c_saves_finished_training_steps(tmp_path: Path) -> None:
    code = "from arcade.commands.menace import app; app()"
    words = ["train", "--game", "hexapawn:3x3", "--games", "1000000000", "--step", "2000"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words, "--save", "bob", "--json"],
        env=os.environ,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with open_store() as store:
            if "bob" in store.machine_names():
                break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    found = json.loads(output)
    assert found["ended"] == "cancelled"
    assert 0 < found["games"] < 1_000_000_000
    assert kept("bob").games % 2_000 == 0


FOUNDING = [each.name for each in BUILT_IN]


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUNDING)
def test_untrained_built_in_machine_can_be_exported_but_not_deleted(name: str, tmp_path: Path) -> None:
    run("export", name, "file")
    written = from_json((tmp_path / "file").read_text())
    founder = next(each for each in BUILT_IN if each.name == name)
    assert (written.name, written.options, written.games) == (name, founder.options, 0)
    assert to_json(written) == run("export", name, "-").stdout
    assert len(run_json("boxes", name)["boxes"]) == len(written.boxes.boxes)
    assert run_json("list")["machines"] == []
    with pytest.raises(InputError, match=f"^{name} has not been trained yet"):
        run("delete", name)


def test_built_in_machine_box_is_shown() -> None:
    assert run_json("show", "MENACE", ".........")["moves"][0]["beads"] == 4


@needs_hexapawn
def test_built_in_machine_is_trained_in_its_own_role() -> None:
    found = run_json("train", "--save", "HER", "--games", "50")
    assert (found["game"], found["id"], found["machine"]) == ("hexapawn", "hexapawn:3x3", "HER")
    assert kept("HER").games == found["games"]
    train("--save", "HER", "--games", "1", "--opponent", "perfect")
    train("--save", "MENACE", "--games", "50", "--opponent", "MENACE-O", "--both")
    assert kept("MENACE").games == kept("MENACE-O").games == 50
    with pytest.raises(InputError, match="Use --yes"):
        run("delete", "HER")
    run("delete", "HER", "--yes")
    assert len(run_json("list")["machines"]) == 2


@needs_hexapawn
@pytest.mark.parametrize(
    "words",
    [
        ("train", "--save", "HER", "--game", "menace", "--fresh"),
        ("train", "--save", "MENACE", "--second", "--fresh"),
        ("import", "file", "--name", "HER"),
        ("import", "file", "--name", "MENACE-O"),
    ],
)
def test_built_in_machine_name_is_reserved_for_its_role(words: tuple[str, ...]) -> None:
    run("export", "MENACE", "file")
    with pytest.raises(InputError, match=r"plays .* and moves .*\)\. Choose another name"):
        run(*words)
    assert run_json("list")["machines"] == []


def test_closed_standard_input_is_reported() -> None:
    done = subprocess.run(
        f"{sys.executable} -m arcade menace import - <&-", shell=True, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == "arcade: There is no standard input to read. Name a file.\n"


@pytest.mark.parametrize("name", ["é", "1x", "", "a b", "x" * 41])
def test_invalid_machine_name_error_lists_allowed_characters(name: str) -> None:
    with pytest.raises(InputError, match=r"must start with a letter and may have up to 40"):
        run("train", "--save", name, "--games", "10")
