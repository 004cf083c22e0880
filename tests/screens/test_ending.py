"""The end of a match lights up on the board, and any key ends that at once."""

import asyncio
import random
import re
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from arcade.engines.control import Control
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.registry import parse_game_id
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.play.headless import look_back
from arcade.play.match import Match, new_match
from arcade.play.scene import BoardScene
from arcade.screens.exercises import LessonScreen
from arcade.screens.games import screen_class
from arcade.screens.match import MatchScreen
from arcade.textual_fixes import Palette
from arcade.widgets.board import EndFrame
from arcade.widgets.panels import VerdictPanel
from tests.screens.pilots import app_with, play_next, pressed, reached, running, set_up, settled
from tests.screens.starts import hand, settle


def played(text: str, *words: str) -> Match:
    """A match of two people, or of one who lays tiles, after these moves; without any, to some end."""
    start = parse_game_id(text)
    match = new_match(start, ("human",) if start.game.name == "honshu" else ("human", "human"))
    for word in words:
        match.play(match.game.parse_move(word, match.position))
    rng = random.Random(text)
    while not words and not match.finished:
        match.play(rng.choice(match.position.moves()))
    return match


def frames_of(match: Match) -> list[EndFrame]:
    board = screen_class(match.game.name).BOARD
    last = match.plies[-1].move
    return list(board(BoardScene(match.position_of(0), match.first, last=last)).end_frames())


def squares(match: Match) -> list[set[Any]]:
    return [set(frame.squares) for frame in frames_of(match)]


def test_last_chocolate_falls_and_poison_stays() -> None:
    *fall, one, dark, two = squares(played("chocobar:4x5", "2,2", "1,3", "2,1", "1,2"))
    assert fall == [{(0, 1)}, {(1, 1)}, {(2, 1)}, {(3, 1)}], "down to the lowest row"
    assert (one, dark, two) == ({(0, 0)}, set(), {(0, 0)})


def test_pawn_that_gets_across_lights_up() -> None:
    # From b2 to b1, the lowest line of the board.
    across = squares(played("hexapawn:3x3", "b2", "axb2", "cxb2", "cxb2", "a2", "b1"))
    assert across == [{(1, 1)}, {(2, 1)}, set(), {(2, 1)}]


def test_blocked_pawns_light_up() -> None:
    blocked = played("hexapawn:3x3:.p./.../.P.:w", "b2")
    assert blocked.winner == "White"
    assert squares(blocked) == [{(0, 1)}, set(), {(0, 1)}]


def test_last_piece_lights_up_cell_by_cell() -> None:
    match = played("tetromino:4x5")
    after, before = match.position, match.before(len(match.plies) - 1)
    assert isinstance(after, Tetrominoes)
    assert isinstance(before, Tetrominoes)
    new = after.occupied & ~before.occupied
    height, width = after.height, after.width
    place = {(height - 1 - at // width, at % width) for at in range(height * width) if new >> at & 1}
    lit = squares(match)
    assert [len(each) for each in lit] == [1, 2, 3, 4]
    assert lit[-1] == place


def test_three_in_a_row_lights_up_unlike_a_tie() -> None:
    assert squares(played("menace", "b2", "a1", "c1", "b1", "c2", "a3", "c3")) == [
        {(0, 2)},
        {(0, 2), (1, 2)},
        {(0, 2), (1, 2), (2, 2)},
    ]
    assert not frames_of(played("menace", *["b2", "a1", "a2", "c2", "c1", "a3", "b3", "b1", "c3"]))


POINTS = {"village": 1, "forests": 2}
"""Points of each lit cell by the rule book."""


@pytest.mark.parametrize("seed", range(6))
def test_map_groups_light_up_and_scores_add_up(seed: int) -> None:
    match = played(f"honshu:8x9#{seed}")
    position = match.position_of(0)
    assert isinstance(position, HonshuPosition)
    *rules, last = frames_of(match)
    total = 0
    for frame in rules:
        rule, points = re.findall(r"(\w+) (\d+)", frame.words)[-1]
        total += int(points)
        letters = {position.terrain_at(row, column) for row, column in frame.squares}
        kind = {"village": {"V"}, "forests": {"F"}, "lakes": {"L"}, "factories": {"R", "U"}}[rule.lower()]
        assert letters == kind
        if rule.lower() in POINTS:
            assert POINTS[rule.lower()] * len(frame.squares) == int(points)
        if rule == "Village":
            assert joined(set(frame.squares)), "only the largest village counts"
    assert last.words.endswith(f"= {total}")
    assert total == match.position_of(0).outcome().score  # type: ignore[union-attr]  # the match is over
    assert not last.squares


def joined(cells: set[tuple[int, int]]) -> bool:
    reached = {min(cells)}
    while new := {
        (row + down, column + right)
        for row, column in reached
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
    } & (cells - reached):
        reached |= new
    return reached == cells


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end lights up for so long that only something else can end it."""
    monkeypatch.setattr("arcade.screens.match.END_SECONDS", 1000.0)


def lit(screen: MatchScreen) -> set[Any]:
    return set(screen.board.view.squares)


async def ended(pilot: Pilot[None]) -> MatchScreen:
    """A match that a move has just ended, with its first frame lit."""
    screen = await play_next(pilot, played("chocobar:2x2", "2,2", "2,1"))
    await settled(pilot, lambda: screen.session.verdict)
    screen.session.play(screen.match.position.moves()[0])
    await settled(pilot, lambda: lit(screen) == {(0, 1)})
    return screen


def is_dark(screen: MatchScreen) -> bool:
    return not lit(screen) and not screen._lights.left


@pytest.mark.usefixtures("instant", "slow")
async def test_input_during_end_highlight_works_at_once() -> None:
    async with running(app_with(calm="off")) as (app, pilot):
        screen = await ended(pilot)
        await pressed(pilot, "full_stop", "comma")
        assert len(screen.match.plies) == 2, "the key has gone back a move"
        assert is_dark(screen)

        screen = await ended(pilot)
        await pressed(pilot, "A")
        assert not screen.match.plies
        assert is_dark(screen)

        screen = await ended(pilot)
        # As a terminal sends a click: a Pilot hands its own to the screen, past the app.
        for kind in (events.MouseDown, events.MouseUp):
            hand(app, kind(None, 70, 0, 0, 0, 1, False, False, False, 70, 0))
            await settle(pilot)
        await settled(pilot, lambda: isinstance(app.screen, Palette))
        assert is_dark(screen)


@pytest.mark.usefixtures("instant", "slow")
async def test_end_highlight_needs_a_final_move_and_animation() -> None:
    async with running(app_with(calm="off")) as (app, pilot):

        async def stays_dark(screen: MatchScreen) -> None:
            await settled(pilot, lambda: screen.match.finished)
            await asyncio.sleep(0)
            await pilot.pause()
            assert is_dark(screen)

        await stays_dark(await play_next(pilot, played("chocobar:2x2", "2,2", "2,1", "1,2")))

        screen = await play_next(pilot, played("chocobar:2x2", "2,2", "2,1"))
        screen.session.do("resign")
        await stays_dark(screen)

        set_up(app, calm="on")
        screen = await play_next(pilot, played("chocobar:2x2", "2,2", "2,1"))
        screen.session.play(screen.match.position.moves()[0])
        await stays_dark(screen)


@pytest.mark.usefixtures("instant")
async def test_end_highlight_fades_and_card_offers_a_lesson(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[set[Any]] = []
    frames = MatchScreen._show_frame

    def seen(screen: MatchScreen) -> None:
        frames(screen)
        shown.append(lit(screen))

    monkeypatch.setattr(MatchScreen, "_show_frame", seen)
    monkeypatch.setattr("arcade.screens.match.END_SECONDS", 0.1)
    async with running(app_with(calm="off")) as (app, pilot):
        screen = await play_next(pilot, played("chocobar:2x2", "2,2", "2,1"))
        screen.session.play(screen.match.position.moves()[0])
        await settled(pilot, lambda: screen.match.finished and not screen._lights.left)
        assert shown == [{(0, 1)}, {(1, 1)}, {(0, 0)}, set(), {(0, 0)}, set()]

        # Who has lost twice in the same way is offered the lesson about it.
        for _ in range(2):
            lost = new_match(parse_game_id("chocobar:2x2"), ("human", "casual"), app.services.machines)
            for word in ("1,2", "2,1"):
                lost.play(lost.game.parse_move(word, lost.position))
            look_back(lost, Control())
            app.services.store.save_match(lost.record())
        monkeypatch.setattr("arcade.screens.match.ENTER_REST", 0.0)
        said = (await play_next(pilot, lost)).query_one(VerdictPanel)
        await settled(pilot, lambda: "Enter lesson: Two arms" in str(said.content))
        lesson = await reached(pilot, LessonScreen, "enter")
        assert lesson.scene.heading.endswith(": Two arms.")


@pytest.mark.usefixtures("instant")
async def test_enter_takes_the_first_action_on_the_card_but_not_at_once() -> None:
    async with running(app_with()) as (_, pilot):
        match = new_match(parse_game_id("chocobar:2x2"), ("human", "beginner"))
        for word in ("2,2", "2,1"):
            match.play(match.game.parse_move(word, match.position))
        screen = await play_next(pilot, match)
        # A second press of Enter behind the last move is not meant for the card.
        await pressed(pilot, "right", "enter", "enter", until=lambda: screen.match.finished)
        await pressed(pilot, "enter")
        assert screen.match is match
        assert "Enter harder" in str(screen.query_one(VerdictPanel).content)
        screen._rests_until = 0.0
        await pressed(pilot, "enter", until=lambda: screen.match is not match)
        assert screen.match.seats == ["human", "casual"]

        # Where the cursor means a move, Enter tries it out.
        screen.session.do("resign")
        screen._rests_until = screen._takes_enter = 0.0
        await pressed(pilot, "left", "right", "enter", until=lambda: screen.session.state.tried)
