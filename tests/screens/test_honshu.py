import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import pytest
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import Input, Static

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.honshu.game import GAME, load
from arcade.engines.honshu.rules import HonshuPosition, Move, shape
from arcade.engines.players import RandomPlayer
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.solver import V
from arcade.engines.verdict import ScoreVerdict
from arcade.play.keymap import DEFAULT_KEYS
from arcade.play.match import Mark, Match, new_match
from arcade.play.scene import BoardScene, scene_of
from arcade.play.state import State
from arcade.screens import games as registry
from arcade.screens.exercises import PuzzlesDialog
from arcade.screens.honshu.best_map import BestMapScreen, first_difference
from arcade.screens.honshu.board import (
    CORNERS,
    TERRAINS,
    HonshuMap,
    draw_face,
    held_face,
    laid_face,
    resting_face,
)
from arcade.screens.honshu.panels import Hand, HandBox, ScoreTable
from arcade.screens.honshu.screen import HonshuScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menu import Card, MenuScreen
from arcade.screens.navigation import OpenMatch, OpenPuzzles
from arcade.study.puzzles import DAILY, PuzzleChoice
from arcade.widgets.glyphs import ASCII, UNICODE
from arcade.widgets.keys import Shortcuts, TitleBar
from arcade.widgets.panels import HintPanel, MoveListPanel, VerdictPanel, score_bar
from arcade.widgets.tables import RaceTable, ScoreGraph
from tests.narrow import expect, present, score
from tests.screens.honshu_fake import ROOM, InstantRace, best_line
from tests.screens.pilots import (
    app_with,
    at_rest,
    clicked,
    keys,
    painted,
    pressed,
    reached,
    resized,
    rested,
    running,
    said,
    settled,
    top_screen,
)

DATA = Path(__file__).parents[1] / "data" / "honshu"
SMALL = "honshu:6x3#7"
WIDE, MIDDLE, NARROW = (120, 40), (100, 30), (80, 24)

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())


def app_of(text: str = SMALL, *seats: str, **settings: str) -> ArcadeApp:
    return app_with(new_match(parse_game_id(text), seats or ("human", "random")), **settings)


def race_table(screen: HonshuScreen) -> RaceTable:
    assert isinstance(screen.table, RaceTable)
    return screen.table


def screen_of(app: ArcadeApp) -> HonshuScreen:
    return top_screen(app, HonshuScreen)


def board_of(app: ArcadeApp) -> HonshuMap:
    return screen_of(app).map


def position_of(app: ArcadeApp, seat: int = 0) -> HonshuPosition:
    return expect(HonshuPosition, screen_of(app).match.position_of(seat))


async def opened(pilot: Pilot[None], match: Match) -> HonshuScreen:
    """Leave the match on the screen, and open another on a screen of its own."""
    await reached(pilot, MenuScreen, "q")
    expect(ArcadeApp, pilot.app).open_match(OpenMatch(match))
    return await reached(pilot, HonshuScreen)


def judge_nothing(app: ArcadeApp) -> None:
    """From now on the solver looks at no map: a test of keys or of a layout would wait for it."""
    screen_of(app).session.judging = False


async def bring(pilot: Pilot[None], move: Move, *then: str) -> None:
    """Bring a placement under the cursor by keys, each way of moving used in turn; then press others."""
    board = board_of(pilot.app)  # type: ignore[arg-type]  # it is the arcade
    at = next(index for index, tile in enumerate(board.position.hand) if tile.id == move.tile)
    steps = at - board.index
    await pilot.press(*["right_square_bracket" if steps > 0 else "shift+tab"] * abs(steps))
    await pilot.press(*["e"] * ((move.rotation - board.rotation) % 4))
    down, right = move.row - board.cursor[0], move.column - board.cursor[1]
    keys = ("down", "j", "s") if down > 0 else ("up", "k", "w")
    await pilot.press(*(keys[number % 3] for number in range(abs(down))))
    keys = ("right", "l", "d") if right > 0 else ("left", "h", "a")
    await pilot.press(*(keys[number % 3] for number in range(abs(right))), *then)


def sampled(position: HonshuPosition) -> Move:
    """A legal placement, of all tiles, rotations and places in turn."""
    return position.moves()[len(position.moves()) * (3 * len(position.laid) + 2) // 11]


async def click_cell(pilot: Pilot[None], board: HonshuMap, move: Move) -> None:
    """Click where the mouse holds the tile when its top left cell is to lie there."""
    rows, columns = shape(move.rotation)
    cell = (move.row + (rows - 1) // 2, move.column + (columns - 1) // 2)
    region = board.region_of(cell)
    await pilot.click(f"#{board.id}", offset=(region.x, region.y))


async def click_tile(pilot: Pilot[None], hand: Hand, index: int) -> None:
    at = next(
        (x, y)
        for y in range(hand.size.height)
        for x in range(hand.size.width)
        if hand.index_at(x, y) == index
    )
    await pilot.click(f"#{hand.parent.id} Hand", offset=at)  # type: ignore[union-attr]  # it has one


@pytest.mark.parametrize(
    ("score", "best", "bound"), [(0, 1, 2), (5, 84, 92), (84, 84, 84), (1, 2, 400), (0, 399, 400)]
)
def test_score_bar_fits_its_panel_and_shows_its_values(score: int, best: int, bound: int) -> None:
    text = str(score_bar(ScoreVerdict(best=best, bound=bound, score=score), 30))
    assert len(text) == 30
    named = [score, best] if best == bound else [score, best, bound]
    assert [int(word) for word in text.split()] == named


async def test_race_is_played_by_keys_and_by_clicks() -> None:
    async with at_rest(app_of()) as (app, pilot):
        judge_nothing(app)
        while position_of(app).outcome() is None:
            move = sampled(position_of(app))
            await bring(pilot, move)
            assert board_of(app).move_at(board_of(app).cursor) == move
            await pilot.press("enter" if len(position_of(app).laid) % 2 else "space")
            await rested(pilot)
            assert position_of(app).laid[-1] == move
        result = present(screen_of(app).match.result)
        assert result.scores == (position_of(app).score.total, position_of(app, 1).score.total)

        await pilot.press("A")
        await rested(pilot)
        hand = screen_of(app).query_one("#side-hand").query_one(Hand)
        assert not position_of(app).laid
        while position_of(app).outcome() is None:
            board, move = board_of(app), sampled(position_of(app))
            at = [tile.id for tile in board.position.hand].index(move.tile)
            if board.index != at:
                await click_tile(pilot, hand, at)
            while board.rotation != move.rotation:
                # A click on the tile in hand turns it.
                await click_tile(pilot, hand, at)
            await click_cell(pilot, board, move)
            await rested(pilot)
            assert position_of(app).laid[-1] == move


async def test_held_tile_rotates_and_shows_fit_and_score_change() -> None:
    async with at_rest(app_of()) as (app, pilot):
        board, screen = board_of(app), screen_of(app)

        # It stays on the board when it is turned at the rim.
        await pilot.press(*["right"] * 4, *["up"] * 4)
        assert board.cursor == (0, 4)
        await pilot.press("e")
        assert board.cursor == (0, 3)
        await pilot.press("E", "right")
        assert board.cursor == (0, 4)

        # The wheel turns it, and so does a word, beside one that takes the next tile.
        wheel = (3, 3, 0, 1, 0, False, False, False)
        for kind, expected in ((events.MouseScrollDown, 1), (events.MouseScrollUp, 0)):
            board.post_message(kind(board, *wheel))
            await pilot.pause()
            assert board.rotation == expected
        line = str(screen.query_one("#side-hand Shortcuts", Static).render())
        await pilot.click("#side-hand Shortcuts", offset=(line.index("turn"), 0))
        await clicked(pilot, "#side-hand Shortcuts", offset=(line.index("next"), 0))
        assert (board.rotation, board.index) == (1, 1)

        # A terminal that was too small for a while changes nothing.
        await pilot.press("left")
        before = board.move_at(board.cursor)
        await resized(pilot, 30, 10)
        assert app.screen.query("#too-small")
        await resized(pilot, *NARROW)
        assert board.move_at(board.cursor) == before

        # Where it fits, the change by rule is shown.
        legal = position_of(app).moves()[0]
        await bring(pilot, legal)
        change = position_of(app).score_change(legal)
        table = screen.query_one(ScoreTable)
        assert f"tile {legal.tile}" in str(table.content)
        # The table shows it, and where there is none, the line below the map.
        assert not screen.status()
        table.display = False
        assert screen.status().startswith(f"{change.total:+d}" if change.total else "0")
        table.display = True
        assert not [face for face in board._marked.values() if face.sign]

        # Where it does not fit, the reason is, and Enter lays nothing.
        await pilot.press(*["up"] * 3, *["left"] * 4)
        pointed = present(board.move_at(board.cursor))
        assert position_of(app).placement_error(pointed)
        assert "must overlap" in screen.status()
        assert "does not fit" in str(screen.query_one(ScoreTable).content)
        assert {face.sign for face in board._marked.values()} == {UNICODE.threw}
        await pilot.press("enter")
        assert position_of(app).laid == ()

        # With values shown the best placement is marked with its score.
        await pilot.press("v")
        best = next(each for each in board.view.values if each.best)
        area = board._area(best.move)
        held = board._area(present(board.move_at(board.cursor)))
        assert {board._marked[cell].sign for cell in set(area) - set(held)} == {UNICODE.only}
        if area[0] not in held:
            assert board._marked[area[0]].text == str(score(best.verdict).best)
        await bring(pilot, best.move)
        assert screen.status() == str(score(best.verdict).best)


async def test_tile_placement_and_undo_update_hand_and_bounds() -> None:
    async with at_rest(app_of()) as (app, pilot):
        screen = screen_of(app)

        # The best and the bound are in words and in the bar.
        found = score(InstantRace().verdict(position_of(app), Control()))
        panel = str(screen.query_one(VerdictPanel).content)
        assert f"Left: best {found.best}, upper bound {found.bound}" in panel
        assert f"Up to {ROOM} more" in panel
        bar = panel.splitlines()[1]
        assert [int(word) for word in bar.split()] == [found.score, found.best, found.bound]

        # When a tile is laid the next one is in hand, and the same one when it is taken back.
        second = position_of(app).hand[1]
        move = next(move for move in position_of(app).moves() if move.tile == second.id)
        await bring(pilot, move, "enter")
        await rested(pilot)
        assert board_of(app).tile == position_of(app).hand[1]
        await pilot.press("u")
        await rested(pilot)
        assert second in position_of(app).hand
        assert screen.match.player_to_move == "human"
        await pilot.press("full_stop", "full_stop")
        await rested(pilot)
        assert position_of(app).laid == (move,)
        assert len(screen.match.plies) == 2

        # The other map says the way back.
        status = screen.query_one("#status", Static)
        await pilot.press("command:other_board")
        await rested(pilot)
        assert screen.scene.main == 1
        assert str(status.render()) == "show Left"
        await pilot.click("#status", offset=(3, 0))
        await rested(pilot)
        assert screen.scene.main == 0
        assert "show Left" not in str(status.render())

        # In other characters the hand is drawn anew.
        hand = screen.query_one("#side-hand").query_one(Hand)
        before = [hand.render_line(y).text for y in range(hand.size.height)]
        app.change("ascii", "on")
        await pilot.pause()
        after = [hand.render_line(y).text for y in range(hand.size.height)]
        assert before != after
        assert all(line.isascii() for line in after)
        assert len(screen.query(HandBox)) == 2


class Falling(InstantRace):
    """Its bound falls by one for each time that it is let go."""

    def __init__(self) -> None:
        self.controls: list[Control] = []
        self.steps = threading.Semaphore(0)
        self.fallen = 0

    def prove(self, first: HonshuPosition, folder: Path, control: Control) -> Iterator[None]:
        self.controls.append(control)
        while not control.stopped:
            if self.steps.acquire(timeout=0.005):
                self.fallen += 1
                yield

    def with_known_bounds(self, position: HonshuPosition, verdict: V) -> V:
        if not self.fallen or not isinstance(verdict, ScoreVerdict) or verdict.best is None:
            return verdict
        return replace(verdict, bound=verdict.best + ROOM - self.fallen, reason="SAT proof")


async def test_upper_bound_falls_during_play_and_can_be_disabled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver = Falling()
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", solver)
    monkeypatch.setattr("arcade.screens.honshu.screen.available", lambda: False)
    async with at_rest(app_of("honshu:7x6#7", bounds="on")) as (app, pilot):
        # Without the SAT solver the help alone says how to get it.
        screen = screen_of(app)
        assert not app._notifications
        assert "solver-arcade[prove]" in screen.help_rules()
        assert not solver.controls

        # With it the upper bound of the next match is proved.
        monkeypatch.setattr("arcade.screens.honshu.screen.available", lambda: True)
        assert "solver-arcade[prove]" not in screen.help_rules()
        screen.session.begin(new_match(screen.match.start, ("human", "random")))
        await settled(pilot, lambda: solver.controls)

        # It is turned off and on among the commands.

        def turn(word: str) -> None:
            named = {each.title: each.callback for each in app.get_system_commands(app.screen)}
            named[f"Upper bound {word}"]()

        turn("off")
        assert solver.controls[0].cancelled
        assert not app.services.settings.bounds
        turn("on")
        await settled(pilot, lambda: len(solver.controls) == 2)
        assert app.services.settings.bounds

        # It falls while one plays.
        panel = screen.query_one(VerdictPanel)
        await settled(pilot, lambda: f"Up to {ROOM} more" in str(panel.content))
        solver.steps.release()
        await settled(pilot, lambda: f"Up to {ROOM - 1} more: SAT proof." in str(panel.content))
        board_of(app).post_message(HonshuMap.Play(board_of(app), position_of(app).moves()[0]))
        await settled(pilot, lambda: len(screen.match.plies) == 2)
        solver.steps.release()
        await settled(pilot, lambda: f"Up to {ROOM - 2} more: SAT proof." in str(panel.content))
        assert not solver.controls[1].stopped

        # Whoever leaves the match ends it, and its command with it.
        await reached(pilot, MenuScreen, "q")
        assert solver.controls[1].cancelled
        assert not [each for each in app.get_system_commands(app.screen) if "Upper bound" in each.title]


async def test_undo_and_quit_work_while_an_engine_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = threading.Event()

    def choose(self: object, position: Any, rng: object, control: Control) -> Any:
        thinking.set()
        while not control.stopped:
            time.sleep(0.005)
        return position.moves()[0]

    monkeypatch.setattr(RandomPlayer, "choose", choose)
    async with at_rest(app_of()) as (app, pilot):
        board_of(app).post_message(HonshuMap.Play(board_of(app), position_of(app).moves()[0]))
        await settled(pilot, thinking.is_set)
        # The person's own map stays on show, and the next tile can be tried out on it.
        assert screen_of(app).session.scene.main == 0
        await pilot.press("left")
        assert board_of(app).move_at(board_of(app).cursor) is not None
        await pilot.press("enter")
        assert len(position_of(app).laid) == 1
        await pressed(pilot, "u")
        assert position_of(app).laid == ()
        board_of(app).post_message(HonshuMap.Play(board_of(app), position_of(app).moves()[0]))
        thinking.clear()
        await settled(pilot, thinking.is_set)
        # Whoever waited for the engine would wait for ever.
        await pilot.press("q")


async def test_hint_steps_and_hint_line_appear_on_the_map() -> None:
    async with at_rest(app_of()) as (app, pilot):
        screen, start = screen_of(app), position_of(app)
        best = InstantRace().line(start, Control())

        # In the least terminal a hint takes the place of the scores, which come back in their width.
        before = str(screen.query_one(ScoreTable).render())
        await pressed(pilot, "i", until=lambda: screen.scene.hint)
        screen.show()
        assert GAME.explanations.words_of(best[0]) not in str(screen.query_one(HintPanel).content)
        await pressed(pilot, "escape")
        assert str(screen.query_one(ScoreTable).render()) == before

        # The second step names the move and marks it on the map.
        await pressed(pilot, "i", until=lambda: screen.scene.hint)
        assert GAME.explanations.words_of(best[0]) not in str(screen.query_one(HintPanel).content)
        await pilot.press("i")
        assert GAME.explanations.words_of(best[0]) in str(screen.query_one(HintPanel).content)
        assert board_of(app).view.hinted == best[0]
        await pilot.press(*["right"] * 9)
        assert UNICODE.turn in {face.sign for face in board_of(app)._marked.values()}

        # Its line leads to a full map, whose score the caption counts, and Escape back to the match.
        await pilot.press("i", *["full_stop"] * 20)
        shown = board_of(app).position
        assert shown.laid == tuple(best)
        assert shown.outcome() is not None
        caption = str(screen.query_one("#caption-0", Static).render())
        assert caption.split()[:3] == ["Left", "You", f"{shown.score.total}"], "nobody is to move there"
        await pilot.press("escape", "escape")
        assert board_of(app).position == start
        assert not screen.query_one(HintPanel).display


@pytest.mark.slow
async def test_maps_share_wide_terminals_and_own_map_has_focus() -> None:
    async with at_rest(app_of("honshu#1"), size=WIDE) as (app, pilot):
        screen = screen_of(app)

        def widths() -> list[int]:
            return [screen.query_one(f"#seat-{seat}").size.width for seat in range(2)]

        assert widths()[0] == widths()[1] > 36
        await pressed(pilot, "command:other_board")
        assert screen.scene.main == 0
        assert widths()[0] > 54
        await pressed(pilot, "command:other_board")
        assert screen.scene.main == 1
        assert widths()[1] > 54
        await pressed(pilot, "command:other_board")
        assert widths()[0] == widths()[1]
        # In the middle size the other map is small, and a click makes it the main one.
        await pilot.resize_terminal(*MIDDLE)
        await rested(pilot)
        assert widths()[0] > widths()[1] > 0
        await clicked(pilot, "#board-1")
        assert widths()[1] > widths()[0] > 0
        await pilot.press("command:other_board")
        await pilot.resize_terminal(*NARROW)
        await rested(pilot)
        assert [width > 0 for width in widths()] == [True, False]
        caption = screen.query_one("#caption-0", Static)
        await clicked(pilot, "#caption-0", offset=(str(caption.render()).index("show Right") + 2, 0))
        assert [width > 0 for width in widths()] == [False, True]
        # Nobody can place a tile on another player's map.
        await pilot.press("enter")
        assert screen.match.plies == []

        # One of two large boards keeps the focus.
        for seats in (("human", "random"), ("random", "human")):
            screen = await opened(pilot, new_match(parse_game_id("honshu:16x20#1"), seats))
            await rested(pilot)
            persons = seats.index("human")
            assert screen.focused is board_of(app) is screen.table.boards[persons], seats
            # Words that come when the focus has gone on, as on a busy screen, are not followed.
            for other in (screen.table.boards[1 - persons], board_of(app)) * 2:
                screen.post_message(events.DescendantFocus(other))
            await pilot.pause()
            assert screen.scene.looking is None
            assert screen.focused is board_of(app) is screen.table.boards[persons], seats


async def test_two_humans_take_turns_on_maps_with_their_names() -> None:
    def named_apart(app: ArcadeApp) -> None:
        table = str(screen_of(app).query_one(ScoreTable).content)
        captions = [
            str(each.content) for each in screen_of(app).query("RaceTable Shortcuts").results(Shortcuts)
        ]
        for shown in (table, "".join(captions)):
            assert "Left" in shown
            assert "Right" in shown

    async with at_rest(app_of("honshu:9x12#1", "human", "human"), size=WIDE) as (app, pilot):
        named_apart(app)
        judge_nothing(app)

        # The tile in hand does not stay over the map that was left.
        left, right = (expect(HonshuMap, board) for board in screen_of(app).table.boards)
        await click_cell(pilot, left, position_of(app, 0).moves()[0])
        await rested(pilot)
        assert right.has_focus
        shown = [left.render_line(line) for line in range(left.size.height)]
        left.redraw()
        assert shown == [left.render_line(line) for line in range(left.size.height)]

        await resized(pilot, *NARROW)
        await rested(pilot)
        named_apart(app)
        for seat in (1, 0, 1):
            assert screen_of(app).scene.main == seat
            assert board_of(app).has_focus
            await bring(pilot, position_of(app, seat).moves()[0], "enter")
            await rested(pilot)
        assert [len(position_of(app, seat).laid) for seat in range(2)] == [2, 2]

        # So are two engines.
        screen_of(app).session.begin(new_match(parse_game_id("honshu:9x12#1"), ("random", "random")))
        await rested(pilot)
        named_apart(app)
        await resized(pilot, *WIDE)
        named_apart(app)


@pytest.mark.parametrize("size", [9, 16])
def test_every_board_size_fits_the_smallest_terminal(size: int) -> None:
    position = parse_game_id(f"honshu:{size}x20#1").start()
    board = HonshuMap(BoardScene(position, position))
    assert board.fit(Size(46, 19)) == ((4, 2) if size == 9 else (2, 1))


@pytest.mark.slow
async def test_large_map_and_hand_stay_visible_and_fixed() -> None:
    async with at_rest(app_of("honshu:9x12,plains,squares#1")) as (app, pilot):
        # In the least terminal hand and scores are in sight.
        screen = screen_of(app)
        for widget in (screen.query_one(ScoreTable), screen.query_one("#side-hand Hand"), screen.map):
            assert widget.region.bottom <= 23
            assert widget.size.height > 0
        hand = screen.query_one("#side-hand").query_one(Hand)
        assert {hand.index_at(x, y) for x in range(32) for y in range(hand.size.height)} >= set(range(12))
        assert screen.map._cell == (4, 2)

        # Tiles are taken by their numbers.
        judge_nothing(app)
        screen.session.begin(new_match(parse_game_id("honshu:9x12#1"), ("human", "random")))
        await rested(pilot)
        taken = []
        for key in ("1", "1", "1", "1", "3", "left_square_bracket", "tab", "0"):
            await pilot.press(key)
            taken.append(present(board_of(app).tile).id)
        assert taken == [10, 11, 12, 1, 3, 2, 3, 3]
        assert "starts with 0" in next(note.message for note in app._notifications)

        # No tile stands alone in a row.
        await resized(pilot, 160, 50)
        hand = screen.query_one("#under-hand").query_one(Hand)
        places = [(x, y) for y in range(hand.size.height) for x in range(hand.size.width)]
        ends = {index: y for x, y in places if (index := hand.index_at(x, y)) is not None}
        assert [list(ends.values()).count(row) for row in sorted(set(ends.values()))] == [6, 6]

        await resized(pilot, *NARROW)
        screen = await opened(pilot, new_match(parse_game_id("honshu:9x12#1"), ("human",)))
        judge_nothing(app)
        # A tile is taken in hand at a place where it fits.
        for key in ("", "tab", "tab", "enter", "5", "enter"):
            if key:
                await pilot.press(key)
                await rested(pilot)
            board = board_of(app)
            assert position_of(app).placement_error(present(board.move_at(board.cursor))) is None

        # A few lost points are told as a number.
        scene, moves = screen.scene, screen.query_one(MoveListPanel)
        for lost, mark, sign in ((4, Mark.INACCURACY, "-4"), (20, Mark.BLUNDER, f"{UNICODE.threw}-20")):
            marked = replace(scene.moves[0], mark=mark, lost=lost)
            rows = moves.rows(replace(scene, moves=(marked, *scene.moves[1:])))
            assert f" {sign}" in [text for text, _ in rows[0]]

        # Neither the hand nor the map moves while the tiles are laid.
        session = screen.session
        for size, box in ((NARROW, "#side-hand"), (WIDE, "#under-hand")):
            await resized(pilot, *size)
            session.begin(new_match(session.match.start, ("human",)))
            await pilot.pause()
            shown = screen.query_one(box)
            height, place = shown.size.height, (board_of(app).region, board_of(app).region_of((0, 0)))
            assert height
            while position_of(app).hand and position_of(app).outcome() is None:
                assert (board_of(app).region, board_of(app).region_of((0, 0))) == place, size
                assert shown.size.height == height, size
                await pressed(pilot, "enter")
            assert session.match.result is not None


@pytest.mark.slow
async def test_engine_race_can_be_stepped_through_and_watched() -> None:
    async with running(app_of(SMALL, "random", "random"), size=WIDE) as (app, pilot):
        screen = screen_of(app)
        judge_nothing(app)
        screen.session.state = replace(screen.session.state, speed=5)

        # The moves have a column a seat, and the graph has a row a ply.
        for number in range(4):
            await pilot.press("full_stop")
            await settled(pilot, partial(played, screen, number + 1))
        graph, moves = screen.query_one(ScoreGraph), screen.query_one(MoveListPanel)
        assert len(moves.rows(screen.scene)) == 2
        jumps = [moves.jump_at(screen.scene, x, row) for row in range(2) for x in (5, 30)]
        assert jumps == [MoveListPanel.Jump(number) for number in (1, 2, 3, 4)]
        drawn = graph.rows(screen.scene)
        assert len(drawn) == 5
        for number, ply in enumerate(screen.match.plies):
            points = position_after(screen.match, number).score.total
            assert drawn[number + 1][-1][0] == f" {points}"
            assert screen.match.game.sides[ply.seat][0] in [text for text, _ in drawn[number + 1]]
        await clicked(pilot, "#graph", offset=(4, 2))
        assert len(screen.match.plies) == 2

        # Both maps are shown alike, and at the end the points are compared by rule.
        await resized(pilot, *NARROW)
        assert race_table(screen).divided.alike
        await pressed(pilot, "p", until=lambda: screen.match.result is not None)
        await rested(pilot)
        table = [line.split() for line in str(screen.query_one(ScoreTable).content).splitlines()]
        scores = [position_of(app, seat).score for seat in range(2)]
        # A sign is before the name of each rule.
        table = [table[0], *(line[1:] for line in table[1:-1]), table[-1]]
        for line in table[1:]:
            expected = [
                score.total if line[0] == "Total" else getattr(score, line[0].lower()) for score in scores
            ]
            assert [int(word) for word in line[1:3]] == expected
            ahead = expected[0] - expected[1]
            assert line[3:] == ([f"+{abs(ahead)}"] if ahead else ["tied"])
        assert [line[0] for line in table[1:]] == [
            "Village",
            "Forests",
            "Lakes",
            "Factories",
            "Total",
        ]
        panel = str(screen.query_one(VerdictPanel).content)
        assert f"{max(score.total for score in scores)} to " in panel or "tie" in panel

        # Moves and graph of a long match open at the ply on the board.
        match = new_match(parse_game_id("honshu:9x12#1"), ("random", "random"))
        while match.result is None:
            match.play(match.position.moves()[0])
        screen = await opened(pilot, match)
        screen.session.stop()
        await pressed(pilot, "command:graph")
        graph, moves = screen.query_one(ScoreGraph), screen.query_one(MoveListPanel)
        assert 0 <= graph.current_row(screen.scene) - graph.scroll_offset.y < graph.size.height
        await pressed(pilot, "command:graph")
        assert 0 <= moves.current_row(screen.scene) - moves.scroll_offset.y < moves.size.height
        # They stay where they are scrolled to, as a later verdict redraws the move in its place.
        moves.scroll_to(y=0, animate=False)
        screen.show()
        await pilot.pause()
        assert moves.scroll_offset.y == 0


def played(screen: HonshuScreen, plies: int) -> bool:
    return len(screen.match.plies) == plies


def position_after(match: Match, number: int) -> HonshuPosition:
    seat = match.plies[number].seat
    count = sum(ply.seat == seat for ply in match.plies[: number + 1])
    return expect(HonshuPosition, match.history(seat)[count])


async def test_race_without_own_screen_uses_two_move_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entries", lambda group: [])
    plain = registry.screen_class.__wrapped__("honshu")
    assert plain is MatchScreen
    match = new_match(parse_game_id(SMALL), ("human", "human"))
    async with running(ArcadeApp(warm=False), size=MIDDLE) as (app, pilot):
        await app.push_screen(plain(app.services, match))
        await settled(pilot, lambda: app.focused is not None)
        for seat in (0, 1, 0):
            await settled(pilot, lambda: match.analysis(match.position) is not None)
            assert app.focused is app.screen.query_one(f"#board-{seat} OptionList")
            plies = len(match.plies)
            await pilot.press("down", "enter")
            await settled(pilot, lambda: len(match.plies) == plies + 1)  # noqa: B023 - waited for at once
        assert [len(match.history(seat)) for seat in range(2)] == [3, 2]


@pytest.mark.slow
async def test_match_is_opened_from_files_and_game_id() -> None:
    async with at_rest(app_of()) as (app, pilot):
        await pressed(pilot, "n")
        app.screen.query_one("#file-game", Input).value = str(DATA / "Partie1")
        app.screen.query_one("#file-tiles", Input).value = str(DATA / "tuiles_pas_assez_tuiles")
        await pilot.click("#ok")
        assert "line 5" in str(app.screen.query_one(".error", Static).render())
        await pilot.pause()
        app.screen.query_one("#file-tiles", Input).value = str(DATA / "tuiles")
        # For a fifth of a second a button that was pressed takes no other press.
        await settled(pilot, lambda: not app.screen.query_one("#ok").has_class("-active"))
        await pilot.click("#ok")
        await rested(pilot, lambda: isinstance(app.screen, HonshuScreen))
        assert position_of(app) == load(str(DATA / "Partie1"))
        # The match can be saved and replayed without the files.
        assert Match.from_record(screen_of(app).match.record()).position == position_of(app)

        await pressed(pilot, "command:open_match")
        app.screen.query_one(Input).value = f"honshu:{DATA / 'Partie2'},plains"
        await pilot.press("enter")
        await rested(pilot)
        assert position_of(app).variants == {"plains"}
        await pressed(pilot, "command:open_match")
        app.screen.query_one(Input).value = f"honshu:{DATA / 'grille_mauvais_format'}"
        await pressed(pilot, "enter")
        assert "line" in str(app.screen.query_one(".error", Static).content)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_cell_has_the_requested_width(glyphs: Any) -> None:
    signs = ("", "+", glyphs.turn, glyphs.only, glyphs.threw)
    for letter in TERRAINS:
        for face in (laid_face(letter), held_face(letter)):
            for sign in signs:
                for width, height in (*HonshuMap.CELL_SIZES, *Hand.CELL_SIZES):
                    full = replace(face, sign=sign, corners=tuple(CORNERS), right=True, below=True)
                    for shown in (full, replace(full, text="184")):
                        lines = draw_face(shown, width, height, glyphs)
                        assert len(lines) == height
                        text = ["".join(segment.text for segment in line) for line in lines]
                        assert [len(line) for line in text] == [width] * height
                        assert all(east_asian_width(mark) in ("N", "Na") for line in text for mark in line)
                        assert glyphs is UNICODE or all(line.isascii() for line in text)


def test_terrains_differ_by_sign_and_colour() -> None:
    for (width, height), glyphs in product(((1, 1), (2, 1), (4, 2)), (UNICODE, ASCII)):
        textures = set()
        for letter, terrain in TERRAINS.items():
            lines = draw_face(laid_face(letter), width, height, glyphs)
            text = "".join(segment.text for line in lines for segment in line)
            assert terrain.sign(glyphs)[:width] in text
            assert letter not in text
            textures.add(text)
        assert len(textures) == len(TERRAINS)
    assert len({terrain.ground for terrain in TERRAINS.values()}) == len(TERRAINS)


PLAYED = ("up", "enter", "3", "e", "right")


def test_race_at_80x24_matches_its_picture(snap_compare: Compare) -> None:
    app = app_of("honshu#1", "human", "greedy")
    assert snap_compare(app, terminal_size=NARROW, run_before=keys(*PLAYED, "v"))


def test_race_in_light_colours_matches_its_picture(snap_compare: Compare) -> None:
    app = app_of("honshu#1", "human", "greedy", theme="arcade-light")
    assert snap_compare(app, terminal_size=WIDE, run_before=keys(*PLAYED, "i", "i"))


@pytest.mark.slow
async def test_scores_fit_smallest_terminal_and_bar_follows_width() -> None:
    smallest = (60, 20)
    async with running(app_of("honshu:9x12#1", "human", "human"), size=smallest) as (app, pilot):
        screen = screen_of(app)
        judge_nothing(app)
        panel = screen.query_one(VerdictPanel)
        for variants in ("", ",lakes2,plains,factories2,squares,forests5"):
            match = new_match(parse_game_id(f"honshu:9x12{variants}#1"), ("human", "human"))
            for plies in (0, 10, 20):
                while len(match.plies) < plies:
                    match.play(match.game.solver.line(match.position, Control())[0])
                verdict = score(match.game.solver.verdict(match.position, Control()))
                again = Match.from_record(match.record())
                again.record_verdict(match.position, verdict)
                screen.session.begin(again)
                await pilot.pause()
                for shown in (screen.query_one(ScoreTable), panel):
                    widest = max(map(len, str(shown.render()).splitlines()))
                    assert widest <= shown.content_size.width, (variants, plies)
                if variants or plies != 10:
                    continue
                for size in (NARROW, smallest, (160, 50), smallest):
                    await resized(pilot, *size)
                    lines = str(panel.render()).splitlines()
                    assert len(lines) == 3
                    assert len(lines[1]) == panel.content_size.width
                    assert lines[1].split() == [str(verdict.score), str(verdict.best), str(verdict.bound)]


def test_chosen_tile_is_the_brightest_in_the_hand() -> None:
    def light(face: Any) -> int:
        return sum(face.ground.get_truecolor())

    assert min(light(held_face(each)) for each in TERRAINS) > max(
        light(resting_face(each)) for each in TERRAINS
    )


def test_scoring_variants_have_titles() -> None:
    titles = [each.title for each in get_game("honshu").parameters]
    assert {"Richer lakes", "Double factories", "Growing forests"} <= set(titles)


@pytest.mark.slow
async def test_best_map_is_compared_with_own_map_by_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    start = expect(HonshuPosition, parse_game_id("honshu:7x6#1").start())
    late = best_line(start)
    monkeypatch.setattr(InstantRace, "line", lambda solver, position, control: [])
    async with at_rest(app_of("honshu:7x6#1", "human"), size=WIDE) as (app, pilot):
        await pilot.press("command:best_map")
        assert "after the match" in said(app)
        while screen_of(app).match.result is None:
            await pilot.press("enter")
            await rested(pilot)
        made, match = position_of(app), screen_of(app).match

        # A better map than the one that was made is found only when it is asked for.
        monkeypatch.setattr(InstantRace, "line", lambda solver, position, control: list(late))
        screen = await reached(pilot, BestMapScreen, "command:best_map")
        assert "Honshu: your map" in str(screen.query_one(TitleBar).render())
        best = screen.paths[1][-1]
        assert best.score.total == score(InstantRace().verdict(screen.paths[0][0], Control())).best
        assert best.score.total > made.score.total
        maps = [screen.query_one(f"#map-{number}", HonshuMap) for number in range(2)]
        assert [each.position for each in maps] == [made, best]
        at = present(first_difference(made, best))
        assert made.laid[at] not in best.laid
        assert set(made.laid[:at]) <= set(best.laid)
        assert f"move {at + 1}: tile {made.laid[at].tile}" in screen.words()
        await pilot.press("m")
        assert maps[0].position.laid == made.laid[: at + 1]
        await pilot.press("home", "right")
        assert [len(each.position.laid) for each in maps] == [1, 1]

        # The end card tells of it, and it is shown again.
        await reached(pilot, HonshuScreen, "q")
        assert position_of(app) == made
        for _ in range(2):
            told = str(screen_of(app).query_one(VerdictPanel).content)
            assert f"best known map scores {best.score.total}." in told
            assert sum(ply.lost for ply in match.line) == best.score.total - made.score.total
            assert (await reached(pilot, BestMapScreen, "command:best_map")).paths[1][-1] == best
            await reached(pilot, HonshuScreen, "q")

        # Where engines played, the map is not yours.
        app.push_screen(BestMapScreen([start], [start], "Random"))
        title = str((await reached(pilot, BestMapScreen)).query_one(TitleBar).render())
        assert title.startswith("Honshu: the map of Random and the best one")


def test_hint_count_is_shown_whole_or_omitted() -> None:
    match = new_match(parse_game_id("honshu:5x2#1"), ("human", "human"))
    match.hints = [12, 1]
    scene = scene_of(match, State(keys=DEFAULT_KEYS))
    board = expect(HonshuPosition, match.first)
    for width in range(28, 60):
        rows = ScoreTable()._table(scene, board, None, UNICODE, width)
        first, second = ("".join(text for text, _ in row) for row in rows[1:3])
        assert ("12 hints" in first) == ("," in first)
        assert ("1 hint " in second) == ("," in second)
    assert "12 hints" in first


def halfway(position: HonshuPosition) -> Move:
    return position.moves()[len(position.moves()) // 2]


async def test_only_solo_maps_are_played_against_par() -> None:
    async with running(app_of(SMALL, "human")) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: ", par " in painted(app))
        assert screen.heading.endswith(f" #7, par {screen.match.best_of(screen.match.first)}")
        screen.session.begin(new_match(screen.match.start, ("human",), seed=1))
        await settled(pilot, lambda: bool(screen.match.best_of(screen.match.first)))
        await settled(pilot, lambda: ", par " in painted(app))

        # There is no other map to show, and at the end the score is told.
        screen.session.begin(new_match(parse_game_id("honshu:5x1#1"), ("human",)))
        await pilot.press("command:other_board")
        await bring(pilot, position_of(app).moves()[0], "enter")
        await rested(pilot)
        assert "The map scores" in str(screen.query_one(VerdictPanel).content)

        screen = await opened(pilot, new_match(parse_game_id(SMALL), ("human", "random")))
        await settled(pilot, lambda: screen.match.best_of(screen.match.first))
        assert ", par " not in painted(app)


def let_it_be(day: date, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = ("arcade.study.puzzles", "arcade.studies", "arcade.screens.exercises", "arcade.screens.opening")
    for module in [import_module(name) for name in modules]:
        monkeypatch.setattr(module, "today", lambda: day)


async def test_daily_map_can_be_played_by_keys_and_mouse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_it_be(date(2026, 11, 26), monkeypatch)
    async with running(app_with(), size=WIDE) as (app, pilot):
        app.screen.query_one("#card-honshu", Card).focus()
        await reached(pilot, PuzzlesDialog, "P")
        await reached(pilot, HonshuScreen, "enter")
        screen = screen_of(app)
        assert screen.match.seats == ["human"]
        assert str(screen.match.start) == "honshu:7x6#20261126"
        await settled(
            pilot, lambda: f"26 November, par {screen.match.best_of(screen.match.first)}" in screen.heading
        )
        assert not screen.query_one("#week").display
        while screen.match.result is None:
            await pilot.press("enter")
            await rested(pilot)
        assert screen.query_one("#week").region
        await pressed(pilot, "y")
        points = position_of(app).score.total
        assert app.clipboard.startswith(f"solver-arcade, Honshu 2026-11-26: {points} of ")
        assert screen.match.game.explanations.chat_drawing(position_of(app)) in app.clipboard
        await reached(pilot, MenuScreen, "q")
        await reached(pilot, PuzzlesDialog, "P")
        await settled(pilot, lambda: f"Today's map, for everyone       {points} of " in painted(app))
        await reached(pilot, HonshuScreen, "enter")
        assert screen_of(app).match.finished, "it is shown again, not begun again"

        let_it_be(date(2026, 11, 27), monkeypatch)
        await reached(pilot, MenuScreen, "q")
        await resized(pilot, *NARROW)
        card = app.screen.query_one("#card-honshu", Card)
        await settled(pilot, lambda: "Puzzles" in str(card.border_subtitle))
        await clicked(pilot, offset=(card.region.right - 6, card.region.bottom - 1))
        await reached(pilot, PuzzlesDialog)
        await clicked(pilot, "OptionList", offset=(5, 0))
        screen = await reached(pilot, HonshuScreen)
        await settled(pilot, lambda: "27 November, par " in screen.heading)
        while screen_of(app).match.result is None:
            await click_cell(pilot, board_of(app), present(board_of(app).move_at(board_of(app).cursor)))
            await rested(pilot)
        week = screen_of(app).query_one("#week")
        await clicked(pilot, "#week", offset=(2, week.content_region.y - week.region.y))
        points = position_of(app).score.total
        assert app.clipboard.startswith(f"solver-arcade, Honshu 2026-11-27: {points} of ")
        await reached(pilot, MenuScreen, "q")
        await reached(pilot, PuzzlesDialog, "P")
        await settled(pilot, lambda: f"Today's map, for everyone       {points} of " in painted(app))


def test_daily_map_result_matches_its_picture(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    let_it_be(date(2026, 11, 26), monkeypatch)

    async def go(pilot: Pilot[Any]) -> None:
        app = expect(ArcadeApp, pilot.app)
        app.opener.open_puzzles(OpenPuzzles(PuzzleChoice(get_game("honshu"), DAILY)))
        await settled(pilot, lambda: isinstance(app.screen, HonshuScreen) and app.screen.is_mounted)
        while screen_of(app).match.result is None:
            board_of(app).post_message(HonshuMap.Play(board_of(app), halfway(position_of(app))))
            await rested(pilot)

    assert snap_compare(app_with(), terminal_size=NARROW, run_before=go)
