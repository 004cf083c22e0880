"""Scenes: what a match shows, without a terminal."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.game import RaceGame
from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.play.keymap import DEFAULT_KEYS
from arcade.play.marks import ScoreRow
from arcade.play.match import HUMAN, Mark, Match, new_match
from arcade.play.scene import (
    CoachScene,
    EndScene,
    QuestionScene,
    RaceVerdictScene,
    VerdictScene,
    scene_of,
)
from arcade.play.state import State
from arcade.store.record import Coach

STARTS = ("chocobar:3x4", "hexapawn:3x3", "tetromino:4x4", "honshu:6x3#5", "menace", "graph")


def seats_of(start: str) -> tuple[str, ...]:
    return (HUMAN,) if isinstance(parse_game_id(start).game, RaceGame) else (HUMAN, HUMAN)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(STARTS), st.lists(st.integers(0, 1000), max_size=8), st.integers(0, 3), st.booleans())
def test_scene_depends_only_on_record_and_state(
    start: str, choices: list[int], undone: int, revealed: bool
) -> None:
    match = new_match(parse_game_id(start), seats_of(start))
    for choice in choices:
        if not match.finished:
            moves = match.position.moves()
            match.play(moves[choice % len(moves)])
    for _ in range(undone):
        match.undo()
    again = Match.from_record(match.record())
    if match.finished:
        # The record of a finished match is always complete.
        for _ in range(len(match.undone)):
            again.undo()
    state = State(keys=DEFAULT_KEYS, coach=Coach.OPEN if revealed else Coach.QUIET)
    scene = scene_of(match, state)
    assert scene == scene_of(again, state)
    assert scene.revealed == (revealed or match.finished)
    assert [move.text for move in scene.moves] == [str(ply.move) for ply in match.line]
    assert [move.played for move in scene.moves].count(True) == scene.shown == len(match.plies)
    assert sum(player.to_move for player in scene.players) == (match.result is None)
    assert scene.over == (match.result is not None)


@pytest.mark.parametrize("start", STARTS)
def test_hidden_scene_reveals_no_values(start: str) -> None:
    match = new_match(parse_game_id(start), seats_of(start))
    match.play(match.position.moves()[0])
    match.plies[0].mark, match.plies[0].lost = Mark.BLUNDER, 3
    hidden = scene_of(match, State(keys=DEFAULT_KEYS, coach=Coach.QUIET))
    assert hidden.verdict == CoachScene()
    assert {(move.mark, move.lost) for move in hidden.moves} == {(None, 0)}
    assert not hidden.boards[0].values
    assert all(isinstance(row, ScoreRow) and row.best is None for row in hidden.chart.rows)
    shown = scene_of(match, State(keys=DEFAULT_KEYS))
    assert (shown.moves[0].mark, shown.moves[0].lost) == (Mark.BLUNDER, 3)


def test_scene_verdict_kind_fits_the_situation() -> None:
    duel, race = (
        new_match(parse_game_id(start), seats_of(start)) for start in ("chocobar:3x4", "honshu:6x3#5")
    )
    assert scene_of(duel, State(keys=DEFAULT_KEYS)).verdict == VerdictScene()
    assert scene_of(race, State(keys=DEFAULT_KEYS)).verdict == VerdictScene(working="Analysing the map.")
    verdict = ScoreVerdict(Proof.BOUND, best=20, bound=30, score=4)
    limits = scene_of(race, State(keys=DEFAULT_KEYS), verdict).verdict
    assert isinstance(limits, RaceVerdictScene)
    assert (limits.text, limits.note) == ("Best 20, upper bound 30", "Up to 10 more may be possible.")
    duel.play(duel.position.moves()[0])
    question = scene_of(duel, State(keys=DEFAULT_KEYS, question=0)).verdict
    assert isinstance(question, QuestionScene)
    assert question.task == "Find a better move than First's."
    duel.resign(1)
    ended = scene_of(duel, State(keys=DEFAULT_KEYS)).verdict
    assert isinstance(ended, EndScene)
    assert "resigned" in ended.result


def test_finished_scene_explains_last_mistake() -> None:
    match = new_match(parse_game_id("chocobar:3x4"), (HUMAN, HUMAN))
    for _ in range(2):
        match.play(match.position.moves()[-1])
    match.plies[0].mark = Mark.BLUNDER
    match.undo()
    assert scene_of(match, State(keys=DEFAULT_KEYS)).verdict == VerdictScene()
    match.redo()
    match.resign(0)
    match.undo()
    seen = scene_of(match, State(keys=DEFAULT_KEYS)).verdict
    assert isinstance(seen, VerdictScene)
    assert seen.comment == f"First gave away {match.stakes} with {match.plies[0].move}."
    assert scene_of(match, State(keys=DEFAULT_KEYS, coach=Coach.QUIET)).verdict == VerdictScene()


def test_scene_is_immutable() -> None:
    match = new_match(parse_game_id("chocobar:3x4"), (HUMAN, HUMAN))
    scene = scene_of(match, State(keys=DEFAULT_KEYS))
    with pytest.raises(dataclasses.FrozenInstanceError):
        scene.title = "Another"  # type: ignore[misc]  # this is what must fail
