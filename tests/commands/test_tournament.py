import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from arcade.commands.tournament import app
from arcade.engines.registry import parse_game_id
from arcade.store.store import Store
from arcade.study.tournament import ROUNDS, Tournament
from tests.shell import Shell
from tests.study.test_tournament import played
from tests.waiting import wait_for

FIELD = ("beginner", "perfect", "random")
CALL = ["hexapawn:3x3", "--players", ",".join(FIELD), "--seed", "7", "--workers", "1"]


def whole(rounds: int) -> Tournament:
    tournament = Tournament(parse_game_id("hexapawn:3x3"), FIELD, rounds, 7)
    played(tournament)
    return tournament


def found(output: str, rounds: int) -> dict[str, Any]:
    """The JSON of a finished tournament, compared with one that was played here in one go."""
    told: dict[str, Any] = json.loads(output)
    expected = whole(rounds)
    assert [tuple(each.values()) for each in told["table"]] == [
        (
            *(each.player, each.score, each.played, each.rating, each.low, each.high),
            *(each.best_rank, each.worst_rank),
        )
        for each in expected.standings()
    ]
    names = ["player", "score", "played", "rating", "low", "high", "best_rank", "worst_rank"]
    assert list(told["table"][0]) == names
    cross = expected.cross()
    for i, one in enumerate(FIELD):
        assert told["results"][one] == {other: cross[i][j] for j, other in enumerate(FIELD) if i != j}
    assert (told["matches"], told["played"]) == (6 * rounds, 6 * rounds)
    return told


def kept(store: Store) -> int:
    return sum(store.tournaments().values())


def begun(store: Store, *more: str) -> subprocess.Popen[str]:
    """A tournament that nobody waits for the end of, when two of its matches are in the store."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arcade", "tournament", *CALL, "--rounds", "300", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: kept(store) >= 2 or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    return process


@pytest.mark.slow
def test_killed_tournament_resumes(store: Store) -> None:
    with begun(store) as process:
        own = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
    assert len(own) == 1
    # Nobody is left behind.
    wait_for(lambda: not Path(f"/proc/{own[0]}").exists())
    before = kept(store)
    assert 2 <= before < 1_800
    rounds = before // 6 + 2
    result = CliRunner().invoke(app, [*CALL, "--rounds", str(rounds), "--json"])
    assert (result.exit_code, result.stderr) == (
        0,
        f"{before} of {6 * rounds} matches were already played. Continuing with the rest.\n",
    )
    found(result.stdout, rounds)
    # All is there already.
    result = CliRunner().invoke(app, [*CALL, "--rounds", "1"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == whole(1).lines()


@pytest.mark.slow
def test_ctrl_c_saves_played_matches(store: Store) -> None:
    with begun(store, "--json") as process:
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert process.returncode == 130
    told = json.loads(output)
    assert told["played"] == kept(store) < told["matches"] == 1_800
    assert errors == (
        "1,800 matches to play. Press Ctrl+C to stop; finished matches are saved.\n"
        f"{kept(store)} of 1,800 matches played and saved. Run the same command again to continue.\n"
        "arcade: stopped.\n"
    )


def test_standings_list_every_player_with_rating_and_points() -> None:
    tournament = whole(2)
    lines = tournament.lines()
    assert lines[0] == "hexapawn:3x3, round robin, seed 7: 12 of 12 matches"
    for each, line in zip(tournament.standings(), lines[3:6], strict=True):
        words = line.split()
        assert words[1:7] == [
            each.rank,
            each.player,
            *(f"{round(number):+}" for number in (each.rating, each.low, each.high)),
            f"{each.score:g}/{each.played}",
        ]
        assert words[7:].count(".") == 1
    assert lines[6:] == ["", *tournament.equal_ranks(tournament.standings())]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hexapawn", "--players", "perfect"], "at least 2 players"),
        (["hexapawn", "--players", "perfect,"], "Unknown player ''"),
        (["hexapawn", "--rounds", "0"], "Wrong value for --rounds: expected a whole number from 1"),
        (["hexapawn", "--workers", "x"], "Wrong value for --workers"),
        (["hexapawn", "--seed", "1.5"], "Wrong value for --seed"),
        (["chess"], "Unknown game 'chess'"),
    ],
)
def test_invalid_tournament_arguments_are_refused(arguments: list[str], message: str, shell: Shell) -> None:
    assert message in shell.refused("tournament", *arguments)


@pytest.mark.parametrize("command", [["tournament", *CALL, "--rounds", "1"], ["compare", "hexapawn", "3x3"]])
def test_process_crash_at_start_is_reported_in_one_sentence(
    command: list[str], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = [sys.executable, "-c", "raise SystemExit(3)"]
    monkeypatch.setattr("arcade.engines.worker_process.python_command", lambda *_: ends)
    said = shell(*command, code=1)[1].splitlines()[-1]
    assert said in (
        "arcade: A process working on arcade.study.tournament:matches ended with code 3.",
        "arcade: The method naive failed on hexapawn:3x3.",
    )


def test_default_number_of_rounds_matches_the_screens() -> None:
    default = {each.name: each.default for each in get_command(app).params}["rounds"]
    assert default == ROUNDS
