"""What every registered game must keep to. A game from another package is taken in by being installed."""

import random
import re
import threading
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.game import Game, RaceGame
from arcade.engines.menace import reference_methods
from arcade.engines.position import Position
from arcade.engines.registry import ORDER, game_names, get_game, parse_game_id
from arcade.engines.verdict import Proof, Verdict
from arcade.proof.conformance import REQUIREMENTS, GameUnderTest, Requirement, SkippedError, run_requirement
from tests.refusals import refused

SMALL = {
    "chocobar": ["chocobar:2x3", "chocobar:3x4", "chocobar:5x5"],
    "hexapawn": ["hexapawn:3x3", "hexapawn:3x4,misere", "hexapawn:4x3,capture"],
    "tetromino": ["tetromino:4x5,IOT-LSO", "tetromino:4x4"],
    "honshu": ["honshu:5x2#1", "honshu:6x3#7"],
    "menace": ["menace", "menace:XO.......", "menace:X...O...."],
}
"""Starts small enough that every position on the way is solved in an instant."""

LARGE = {
    "chocobar": "chocobar:16x17:17.17.17.17.17.17.17.17.8.8.8.8.8.8.8.8",
    "hexapawn": "hexapawn:8x8",
    "tetromino": "tetromino:8x8",
    "honshu": "honshu:16x20#1",
}
"""Starts that cannot be solved while a test waits, for the tests of cancel."""


@pytest.fixture(autouse=True, scope="module")
def learnt_once() -> Iterator[None]:
    """Keep what all four structures of MENACE have learnt; the arcade has room for two."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reference_methods, "_self_taught", cache(reference_methods._self_taught.__wrapped__))
        yield


def starts() -> list[tuple[str, str]]:
    return [
        (name, text)
        for name in game_names()
        for text in SMALL.get(name, [f"{name}:{get_game(name).parameters.presets[0].parameters}"])
    ]


@pytest.mark.parametrize("check", REQUIREMENTS, ids=lambda check: check.run.__name__)
@pytest.mark.parametrize(("name", "text"), starts())
def test_games_meet_every_requirement(name: str, text: str, check: Requirement) -> None:
    race = isinstance(get_game(name), RaceGame)
    # A busy machine may need more time for a duel; a race's search would need all that it gets.
    with Control(5 if race else None) as control:
        try:
            assert not run_requirement(check, GameUnderTest(parse_game_id(text), control))
        except SkippedError as why:
            if not race:
                raise
            pytest.skip(str(why))


@pytest.mark.parametrize("name", [name for name in game_names() if name in LARGE])
@pytest.mark.timed
def test_solver_stops_promptly_when_cancelled(name: str) -> None:
    """The limit is for a machine that does nothing else, so the best of a few tries counts."""
    game = get_game(name)
    position = parse_game_id(LARGE[name]).start()
    game.solver.warm()
    assert any(seconds_to_cancel(game, position) < 0.2 for _ in range(3))


def seconds_to_cancel(game: Game[Any, Any], position: Position[Any]) -> float:
    control = Control()
    done = threading.Event()
    found: list[Verdict] = []

    def work() -> None:
        found.append(game.solver.verdict(position, control))
        done.set()

    threading.Thread(target=work, daemon=True).start()
    # A fixed time: a search may need no kernel yet, and only a deep one can be slow to stop.
    assert not done.wait(0.2), "this start is too easy to test cancel with"
    cancelled = time.perf_counter()
    control.cancel()
    assert done.wait(5)
    took = time.perf_counter() - cancelled
    assert found[0].proof is not Proof.EXACT
    return took


@pytest.mark.parametrize("name", [name for name in game_names() if name in LARGE])
@pytest.mark.timed
def test_verdict_respects_the_deadline(name: str) -> None:
    game = get_game(name)
    position = parse_game_id(LARGE[name]).start()
    game.solver.warm()
    started = time.perf_counter()
    with Control(0.3) as control:
        verdict = game.solver.verdict(position, control)
    assert time.perf_counter() - started < 0.8
    assert verdict.proof is not Proof.EXACT


@pytest.mark.parametrize("name", ORDER)
def test_board_size_with_single_number_is_refused(name: str) -> None:
    refused(r"^[A-Z].*\.$", parse_game_id, f"{name}:3")


@pytest.mark.parametrize("name", game_names())
def test_rules_have_more_than_100_characters(name: str) -> None:
    assert len(get_game(name).teaching.rules) > 100


@pytest.mark.parametrize("name", game_names())
def test_reasons_continue_a_sentence_and_name_legal_moves(name: str) -> None:
    game, rng = get_game(name), random.Random(5)
    for seed in range(40):
        position = game.start(parse_game_id(name).parameters, seed)
        while position.outcome() is None:
            for rule in game.explanations.rules:
                match = rule.match(position)
                if match is not None:
                    first = match.says.split()[0].removesuffix("'s")
                    assert first in game.sides or first == first.lower(), match.says
                    assert set(match.moves) <= {str(move) for move in position.moves()}, match.says
                    assert all(move in match.says for move in match.moves if match.what_for), match.says
            position = position.play(rng.choice(position.moves()))


@pytest.mark.parametrize("name", game_names())
def test_rules_have_different_names_and_short_headlines(name: str) -> None:
    rules = get_game(name).explanations.rules
    assert len({rule.name for rule in rules}) == len(rules)
    for rule in rules:
        assert 1 <= len(rule.name.split()) <= 4, rule.id
        assert re.fullmatch(r"[A-Z].*\.", rule.headline), rule.id
        assert len(rule.headline.split()) <= 12, rule.id
