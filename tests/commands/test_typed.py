"""What people paste, pipe and complete: lists of moves, byte order marks, names of games."""

import random
from typing import Any

import pytest

from arcade.engines.game import move_words
from arcade.engines.registry import game_names, parse_game_id
from arcade.match import files as match_file
from arcade.match.match import Mark, Match
from tests.engines.test_conformance import SMALL
from tests.shell import Shell, python
from tests.test_cli import typed


@pytest.mark.parametrize("name", [name for name in game_names() if name in SMALL])
def test_copied_moves_of_every_game_are_read_back(name: str) -> None:
    match = Match(parse_game_id(SMALL[name][0]), ("random", "random"), seed=1)
    rng = random.Random(4)
    while not match.finished:
        match.play(rng.choice(match.position.moves()))
    for ply, mark in zip(match.line, [*Mark] * len(match.line), strict=False):
        ply.mark = mark
    copied = match_file.write(match.record()).partition("\n\n")[2]
    assert move_words(copied) == list(map(str, match.moves))


def test_copied_moves_are_pasted_into_an_option(shell: Shell) -> None:
    typed_by_hand = shell("verdict", "hexapawn:4x4", "--moves", "c2 a3")
    for pasted in ("1. c2 a3", "1. c2 2. a3 *", "1. c2?? 2. a3! 1-0"):
        assert shell("verdict", "hexapawn:4x4", "--moves", pasted)[0] == typed_by_hand[0]


def test_pasted_moves_with_a_wrong_one_name_it_by_its_number(shell: Shell) -> None:
    assert "Move 2, 'c9'" in shell.refused("verdict", "hexapawn:4x4", "--moves", "1. c2 2. c9")


def test_byte_order_mark_before_the_first_piped_line_is_ignored(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "\ufeff2,2\nquit\n".encode())
    assert "You play (2,2).\n" in shell("play", "chocobar:3x3", "--seats", "human,random")[0]


@pytest.mark.parametrize("command", ["learn", "puzzle", "warm", "rules", "compare", "matches list --game"])
def test_names_of_games_are_completed_for_every_command(command: str) -> None:
    words = f"arcade {command} h"
    environment = {
        "_ARCADE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done: Any = python("-P", "-m", "arcade", environment=environment)
    assert done.stdout.split() == ["hexapawn", "honshu"]


def test_counts_of_one_have_a_singular_noun(shell: Shell) -> None:
    assert "has 1 cell;" in shell.refused("verdict", "menace:X")


def test_help_of_watch_names_engines_only(shell: Shell) -> None:
    text = " ".join(shell("watch", "--help")[0].split())
    assert "human" not in text
    assert "--matches" in text


def test_text_mode_is_explained_where_it_is_offered(shell: Shell) -> None:
    lines = {command: " ".join(shell(command, "--help")[0].split()) for command in ("learn", "puzzle")}
    assert "Take the lessons in text mode" in lines["learn"]
    assert "Solve the puzzles of one game in text mode." in lines["puzzle"]
