import importlib
import random
import sys

import pytest
from pettingzoo.test import api_test, seed_test

import arcade
from arcade.adapters import pettingzoo
from arcade.engines.verdict import Value
from tests.narrow import present
from tests.refusals import refused

DUELS = ("chocobar:5x6", "hexapawn:4x4", "tetromino:4x5", "menace")


# Its test wants arrays; positions of these games are tuples of parts with their own spaces.
@pytest.mark.filterwarnings("ignore:Observation::pettingzoo")
@pytest.mark.parametrize("game_id", DUELS)
def test_environment_passes_pettingzoo_api_and_seed_tests(game_id: str) -> None:
    api_test(pettingzoo.env(game_id), num_cycles=200)
    seed_test(lambda: pettingzoo.env(game_id), num_cycles=50)


@pytest.mark.parametrize("game_id", DUELS)
def test_rewards_follow_from_the_outcome(game_id: str) -> None:
    env, rng = pettingzoo.env(game_id), random.Random(1)
    for _ in range(20):
        env.reset()
        while env.position.outcome() is None:
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(rng.choice([number for number, legal in enumerate(mask) if legal]))
        expected = {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[present(env.position.outcome()).winner]
        assert [env.rewards[agent] for agent in pettingzoo.AGENTS] == expected
        assert all(env.terminations.values())


def test_illegal_action_loses_the_game() -> None:
    env = pettingzoo.env("menace:X........")
    env.reset()
    assert env.agent_selection == "player_1"
    legal = env.observe("player_1")["action_mask"]
    env.moves.append(None)
    env.step(len(legal))
    assert env.rewards == {"player_0": 1, "player_1": -1}


def test_environment_position_can_be_solved_and_rendered() -> None:
    env = pettingzoo.env("hexapawn:4x4", render_mode="ansi")
    env.reset()
    assert arcade.verdict(env.position).value is Value.WIN
    assert "P P P P" in str(env.render())


def test_race_environment_is_refused() -> None:
    refused("not a duel", pettingzoo.env, "honshu:6x3#1")


@pytest.mark.parametrize("missing", ["pettingzoo", "gymnasium"])
def test_missing_package_error_names_the_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, pettingzoo.__name__)
    with pytest.raises(
        ImportError, match=r"^This adapter needs more packages: pip install 'solver-arcade\[pettingzoo\]'\.$"
    ):
        importlib.import_module(pettingzoo.__name__)
