"""What every registered game must keep to. A game from another package is taken in by being installed."""

import itertools
import random
import re
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import Game, Kind
from arcade.engines.position import Position
from arcade.engines.registry import ORDER, game_names, get_game, make_player, parse_game_id
from arcade.engines.verdict import Proof, Value, Verdict, keeps_value
from tests.narrow import present, score
from tests.oracle import BruteForce

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


def starts() -> list[tuple[str, str]]:
    return [
        (name, text)
        for name in game_names()
        for text in SMALL.get(name, [f"{name}:{get_game(name).presets[0].parameters}"])
    ]


def playouts(game: Game[Any, Any], start: Position[Any], count: int = 6) -> list[list[Position[Any]]]:
    """Random matches as the positions in them, the same ones at every run."""
    played = []
    for seed in range(count):
        rng = random.Random(seed)
        positions = [start]
        while positions[-1].outcome() is None:
            positions.append(positions[-1].play(rng.choice(positions[-1].moves())))
        played.append(positions)
    return played


def played(text: str, count: int = 6) -> list[Position[Any]]:
    """The positions of all these matches from the start that an ID names."""
    parsed = parse_game_id(text)
    return list(itertools.chain.from_iterable(playouts(parsed.game, parsed.start(), count)))


def duel(name: str, why: str) -> Game[Any, Any]:
    """The game, unless it is a race."""
    game = get_game(name)
    if game.kind is Kind.RACE:
        pytest.skip(why)
    return game


each_start = pytest.mark.parametrize(("name", "text"), starts())
each_game = pytest.mark.parametrize("name", game_names())


@each_start
def test_texts_round_trip(name: str, text: str) -> None:
    game, parsed = get_game(name), parse_game_id(text)
    for positions in playouts(game, parsed.start()):
        for position in positions:
            again = game.parse_position(position.text())
            assert again == position
            assert hash(again) == hash(position)
            assert again.text() == position.text()
            assert re.fullmatch(r"\S+", position.text())
            assert position.text().isprintable()
            assert parse_game_id(str(replace(parsed, position=position.text()))).start() == position
            for move in position.moves():
                assert game.parse_move(str(move), position) == move
                assert " " not in str(move)


@each_start
def test_ids_round_trip(name: str, text: str) -> None:
    parsed = parse_game_id(text)
    assert parse_game_id(str(parsed)).start() == parsed.start()
    start = parsed.start()
    assert parse_game_id(str(replace(parsed, position=start.text()))).start() == start


@each_start
def test_words_tell_the_positions_of_a_match_apart(name: str, text: str) -> None:
    """Who hears two positions told alike finds the same moves in both, or in a race the same map."""
    told: dict[Any, Any] = {}
    for positions in playouts(get_game(name), parse_game_id(text).start()):
        for before, after in itertools.pairwise(positions):
            assert before.describe() != after.describe()
            assert all(line.isprintable() and line for line in after.describe() + after.describe_moves())
            duel = get_game(name).kind is Kind.DUEL
            meant = set(after.moves()) if duel else str(after)
            assert told.setdefault((after.turn, *after.describe()), meant) == meant
            assert bool(after.describe_moves()) == bool(after.moves()) or not duel


@each_start
def test_legal_means_playable_and_the_rest_is_refused(name: str, text: str) -> None:
    game = get_game(name)
    for positions in playouts(game, parse_game_id(text).start()):
        everywhere = {move for position in positions for move in position.moves()}
        for position in positions:
            moves = position.moves()
            assert len(set(moves)) == len(moves)
            assert bool(moves) == (position.outcome() is None)
            for move in moves:
                position.play(move)
            for move in everywhere - set(moves):
                with pytest.raises(ValueError, match=r"[A-Z].*\.$"):
                    position.play(move)


@each_start
def test_play_leaves_the_position_alone_and_turns_alternate(name: str, text: str) -> None:
    game = get_game(name)
    for positions in playouts(game, parse_game_id(text).start()):
        for before, after in itertools.pairwise(positions):
            described = before.text()
            before.play(before.moves()[0])
            assert before.text() == described
            expected = before.turn if game.kind is Kind.RACE else 1 - before.turn
            assert after.turn == expected


@each_game
def test_seeds_reproduce(name: str) -> None:
    game = get_game(name)
    parameters = game.parse_parameters("")
    assert game.new(parameters, 5) == game.new(parameters, 5)
    if game.chance:
        assert any(game.new(parameters, 5) != game.new(parameters, seed) for seed in range(6, 10))


@each_start
def test_a_verdict_follows_from_those_after_it(name: str, text: str, control: Control) -> None:
    game = duel(name, "a race has no value")
    for position in played(text):
        verdict = game.solver.verdict(position, control)
        assert verdict.proof is Proof.EXACT
        assert position.outcome() is None or verdict.remoteness == 0
        if position.outcome() is None:
            after = [
                game.solver.verdict(position.play(move), control).before_move() for move in position.moves()
            ]
            best = max(after, key=lambda each: each.preference)
            assert (verdict.value, verdict.remoteness) == (best.value, best.remoteness)


@each_start
def test_verdicts_agree_with_the_brute_force(name: str, text: str, control: Control) -> None:
    game = duel(name, "a race has an oracle of its own")
    oracle = BruteForce()
    for position in played(text):
        found, expected = game.solver.verdict(position, control), oracle.verdict(position, control)
        assert (found.value, found.remoteness) == (expected.value, expected.remoteness)


@each_start
def test_a_match_stays_within_all_moves_and_as_many_features(name: str, text: str) -> None:
    game = duel(name, "only duels are learned")
    start = parse_game_id(text).start()
    moves, count = list(game.all_moves(start)), len(game.features(start, start))
    assert len(set(moves)) == len(moves)
    seen: dict[tuple[int, ...], Any] = {}
    for positions in playouts(game, start):
        for position in positions:
            assert set(position.moves()) <= set(moves)
            features = tuple(game.features(position, start))
            assert len(features) == count
            assert min(features) >= 0
            assert seen.setdefault(features, position) == position


@each_start
def test_analysis_agrees_with_the_verdict(name: str, text: str) -> None:
    game = get_game(name)
    # A busy machine may need more time for a duel; a race's search would need all that it gets.
    with Control(3 if game.kind is Kind.RACE else None) as control:
        for positions in playouts(game, parse_game_id(text).start(), 3):
            for position in positions[:-1]:
                analysis = game.solver.analyse(position, control)
                assert [each.move for each in analysis] == list(position.moves())
                verdict = game.solver.verdict(position, control)
                if game.kind is Kind.DUEL:
                    best = {(each.verdict.value, each.verdict.remoteness) for each in analysis if each.best}
                    assert best == {(verdict.value, verdict.remoteness)}


@each_start
def test_symmetric_positions_share_a_verdict(name: str, text: str, control: Control) -> None:
    game = duel(name, "a race's verdict may be a bound that depends on the search")
    for position in played(text, 3):
        verdict = game.solver.verdict(position, control)
        for other in game.symmetric(position):
            found = game.solver.verdict(other, control)
            assert (found.value, found.remoteness) == (verdict.value, verdict.remoteness)


@each_start
def test_hints_are_legal_and_keep_the_value(name: str, text: str) -> None:
    game = get_game(name)
    last_moves = 0
    with Control(5) as control:
        for position in played(text, 2):
            hint = game.hint(position, control)
            assert (hint is None) == (position.outcome() is not None)
            if hint is None:
                continue
            assert str(hint.move) not in hint.where
            assert hint.where.endswith(".")
            assert hint.why.endswith(".")
            end = position
            for move in hint.line:
                end = end.play(move)
            assert end.outcome() is not None
            if game.kind is Kind.DUEL:
                assert hint.move in keeps_value(game.solver.analyse(position, control))
            else:
                found = score(hint.verdict).best
                assert game.points(end) == found
                following = [position.play(move) for move in position.moves()]
                if all(each.outcome() for each in following):
                    assert found == max(game.points(each) or 0 for each in following)
                    last_moves += 1
        assert game.kind is Kind.DUEL or last_moves


@each_start
def test_lines_are_as_long_as_promised(name: str, text: str) -> None:
    game = get_game(name)
    start = parse_game_id(text).start()
    with Control(5) as control:
        line = game.solver.line(start, control)
        verdict = game.solver.verdict(start, control)
    if game.kind is Kind.DUEL:
        assert len(line) == verdict.remoteness
    for move in line:
        start = start.play(move)
    outcome = present(start.outcome())
    if game.kind is Kind.DUEL:
        winner = {Value.WIN: 0, Value.LOSS: 1, Value.TIE: None}[verdict.value or Value.TIE]
        turn = parse_game_id(text).start().turn
        assert outcome.winner == (winner if winner is None else winner ^ turn)


@each_start
def test_every_player_plays_legally_and_by_its_seed(name: str, text: str) -> None:
    game = get_game(name)
    start = parse_game_id(text).start()
    for kind in game.player_kinds:
        notation = kind.name if kind.argument is None else f"{kind.name}:{kind.argument.low}"
        player = make_player(game, notation)
        chosen = []
        for _ in range(2):
            rng, position, moves = random.Random(3), start, []
            while position.outcome() is None:
                with Control(0.5 if game.kind is Kind.RACE else None) as control:
                    move = player.choose(position, rng, control)
                assert move in position.moves()
                moves.append(move)
                position = position.play(move)
            chosen.append(moves)
        assert chosen[0] == chosen[1] or game.kind is Kind.RACE


@pytest.mark.parametrize("name", [name for name in game_names() if name in LARGE])
@pytest.mark.timed
def test_cancel_is_prompt(name: str) -> None:
    """The limit is for a machine that does nothing else, so the best of a few tries counts."""
    game = get_game(name)
    position = parse_game_id(LARGE[name]).start()
    game.solver.warm()
    assert min(seconds_to_cancel(game, position) for _ in range(3)) < 0.2


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
def test_a_deadline_is_kept(name: str) -> None:
    game = get_game(name)
    position = parse_game_id(LARGE[name]).start()
    game.solver.warm()
    started = time.perf_counter()
    with Control(0.3) as control:
        verdict = game.solver.verdict(position, control)
    assert time.perf_counter() - started < 0.8
    assert verdict.proof is not Proof.EXACT


@each_game
@pytest.mark.parametrize(
    "bad", ["0x0", "-1x3", "999x999", "3", "axb", "3x3,nonsense", "3x3:::", "3x3:zzz", "#x"]
)
def test_bad_ids_get_one_sentence(name: str, bad: str) -> None:
    if bad == "3" and name not in ORDER:
        pytest.skip("a game with one number to choose takes it")
    with pytest.raises(InputError) as caught:
        parse_game_id(f"{name}:{bad}")
    message = str(caught.value)
    assert message[0].isupper()
    assert message.endswith(".")
    assert "\n" not in message


@each_game
@pytest.mark.parametrize("bad", ["", "??", "((", "a" * 50, "1", "(0,0)", "é"])
def test_bad_moves_get_one_sentence(name: str, bad: str) -> None:
    if bad == "1" and name not in ORDER:
        pytest.skip("a game whose moves are numbers takes it")
    game = get_game(name)
    position = game.new(game.parse_parameters(""))
    with pytest.raises(ValueError, match=r"[A-Z].*\.$"):
        position.play(game.parse_move(bad, position))


@each_game
def test_a_game_describes_itself(name: str) -> None:
    game = get_game(name)
    assert game.name == name
    assert game.title
    assert game.summary.endswith(".")
    assert len(game.rules) > 100
    for preset in game.presets:
        assert game.new(game.parse_parameters(preset.parameters)).moves()
        assert game.parameters_text(game.parse_parameters(preset.parameters)) == preset.parameters
