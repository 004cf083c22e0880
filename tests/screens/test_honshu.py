import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import pytest
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import Input, Static

from arcade.app import ArcadeApp
from arcade.engines.control import BEST, BOUND, Control
from arcade.engines.game import Limits
from arcade.engines.honshu import Honshu
from arcade.engines.honshu.rules import HonshuPosition, Move, shape
from arcade.engines.players import RandomPlayer
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.solver import V
from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.play.match import Mark, Match, new_match
from arcade.play.scene import BoardScene, scene_of
from arcade.play.state import State
from arcade.screens import games as registry
from arcade.screens import rooms
from arcade.screens.honshu import BestMapScreen, HandBox, HonshuScreen, first_difference
from arcade.screens.match import MatchScreen
from arcade.screens.menu import Card, MenuScreen
from arcade.screens.study import PuzzlesDialog
from arcade.study.puzzles import Mode, PuzzleChoice
from arcade.widgets.glyphs import ASCII, UNICODE
from arcade.widgets.honshu import (
    CORNERS,
    TERRAINS,
    Hand,
    HonshuMap,
    ScoreTable,
    draw_face,
    held_face,
    laid_face,
    resting_face,
)
from arcade.widgets.keys import Shortcuts, TitleBar
from arcade.widgets.panels import HintPanel, MoveList, VerdictPanel, score_bar
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


async def test_a_whole_race_by_keys() -> None:
    async with at_rest(app_of()) as (app, pilot):
        while position_of(app).outcome() is None:
            move = sampled(position_of(app))
            await bring(pilot, move)
            assert board_of(app).move_at(board_of(app).cursor) == move
            await pilot.press("enter" if len(position_of(app).laid) % 2 else "space")
            await rested(pilot)
            assert position_of(app).laid[-1] == move
        result = present(screen_of(app).match.result)
        assert result.scores == (position_of(app).score.total, position_of(app, 1).score.total)


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


async def test_a_whole_race_by_clicks() -> None:
    async with at_rest(app_of()) as (app, pilot):
        hand = screen_of(app).query_one("#side-hand").query_one(Hand)
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


async def test_the_wheel_and_the_words_turn_the_tile() -> None:
    async with at_rest(app_of()) as (app, pilot):
        board = board_of(app)
        wheel = (3, 3, 0, 1, 0, False, False, False)
        for kind, expected in ((events.MouseScrollDown, 1), (events.MouseScrollUp, 0)):
            board.post_message(kind(board, *wheel))
            await pilot.pause()
            assert board.rotation == expected
        words = screen_of(app).query_one("#side-hand Shortcuts", Static)
        line = str(words.render())
        await pilot.click("#side-hand Shortcuts", offset=(line.index("turn"), 0))
        await clicked(pilot, "#side-hand Shortcuts", offset=(line.index("next"), 0))
        assert (board.rotation, board.index) == (1, 1)


async def test_tiles_are_taken_by_their_numbers() -> None:
    async with at_rest(app_of("honshu:9x12#1")) as (app, pilot):
        taken = []
        for key in ("1", "1", "1", "1", "3", "left_square_bracket", "tab", "0"):
            await pilot.press(key)
            taken.append(present(board_of(app).tile).id)
        assert taken == [10, 11, 12, 1, 3, 2, 3, 3]
        assert "begins with 0" in next(note.message for note in app._notifications)


async def test_the_tile_in_hand_tells_legality_and_the_change_by_rule() -> None:
    async with at_rest(app_of()) as (app, pilot):
        board, screen = board_of(app), screen_of(app)
        legal = position_of(app).moves()[0]
        await bring(pilot, legal)
        change = position_of(app).score_change(legal)
        assert screen.status().startswith(f"{legal}  {change.total:+d}" if change.total else f"{legal}  0")
        assert f"tile {legal.tile}" in str(screen.query_one(ScoreTable).content)
        assert not [face for face in board._marked.values() if face.sign]
        await pilot.press(*["up"] * 3, *["left"] * 4)
        pointed = present(board.move_at(board.cursor))
        assert position_of(app).placement_error(pointed)
        assert "must cover" in screen.status()
        assert "does not fit" in str(screen.query_one(ScoreTable).content)
        assert {face.sign for face in board._marked.values()} == {UNICODE.threw}
        await pilot.press("enter")
        assert position_of(app).laid == ()


async def test_the_tile_stays_on_the_board_when_it_is_turned_at_the_rim() -> None:
    async with at_rest(app_of()) as (app, pilot):
        await pilot.press(*["right"] * 4, *["up"] * 4)
        board = board_of(app)
        assert board.cursor == (0, 4)
        await pilot.press("e")
        assert board.cursor == (0, 3)
        await pilot.press("E", "right")
        assert board.cursor == (0, 4)


async def test_the_next_tile_is_in_hand_when_one_is_laid_and_the_same_when_it_is_taken_back() -> None:
    async with at_rest(app_of()) as (app, pilot):
        second = position_of(app).hand[1]
        move = next(move for move in position_of(app).moves() if move.tile == second.id)
        await bring(pilot, move, "enter")
        await rested(pilot)
        assert board_of(app).tile == position_of(app).hand[1]
        await pilot.press("u")
        await rested(pilot)
        assert second in position_of(app).hand
        assert screen_of(app).match.to_move == "human"
        await pilot.press("full_stop", "full_stop")
        await rested(pilot)
        assert position_of(app).laid == (move,)
        assert len(screen_of(app).match.plies) == 2


async def test_best_and_bound_stand_beside_the_map_and_in_the_bar() -> None:
    async with at_rest(app_of()) as (app, _):
        found = score(InstantRace().verdict(position_of(app), Control()))
        panel = str(screen_of(app).query_one(VerdictPanel).content)
        assert f"Left: best {found.best}, bound {found.bound}" in panel
        assert f"Up to {ROOM} more" in panel
        bar = panel.splitlines()[1]
        assert [int(word) for word in bar.split()] == [found.score, found.best, found.bound]


async def test_a_map_that_beats_the_search_is_the_best_known() -> None:
    async with at_rest(app_of()) as (app, pilot):
        screen = screen_of(app)
        while position_of(app).outcome() is None:
            screen.session.play(sampled(position_of(app)))
            await rested(pilot)
        highest = present(screen.match.best_of(screen.match.first))
        assert highest >= max(present(screen.match.result).scores)
        for found in (highest - 1, highest + 1):
            verdict = ScoreVerdict(Proof.BOUND, best=found, bound=highest + 9)
            screen.match.learn_verdict(screen.match.first, verdict)
            screen.session.refresh()
            panel = str(screen.query_one(VerdictPanel).content)
            assert f"Best known {max(found, highest)}, bound {highest + 9}." in panel


@pytest.mark.parametrize(
    ("score", "best", "bound"), [(0, 1, 2), (5, 84, 92), (84, 84, 84), (1, 2, 400), (0, 399, 400)]
)
def test_the_bar_is_as_wide_as_its_panel_and_names_its_ends(score: int, best: int, bound: int) -> None:
    text = str(score_bar(ScoreVerdict(best=best, bound=bound, score=score), 30))
    assert len(text) == 30
    named = [score, best] if best == bound else [score, best, bound]
    assert [int(word) for word in text.split()] == named


class Waiting(InstantRace):
    """Searches until it is cancelled, also when its time is up: the machine may be slow."""

    def __init__(self) -> None:
        self.asked: list[HonshuPosition] = []
        self.controls: list[Control] = []
        self.go = threading.Event()

    def verdict(self, position: HonshuPosition, control: Control) -> ScoreVerdict:
        control.cells[BEST], control.cells[BOUND] = 17, 34
        self.controls.append(control)
        self.asked.append(position)
        while not control.cancelled and not self.go.is_set():
            time.sleep(0.005)
        return super().verdict(position, control)


async def test_the_bar_moves_while_the_solver_runs_and_the_search_outlives_the_others_ply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver = Waiting()
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", solver)
    async with running(app_of()) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: bool(solver.asked))
        screen.session.refresh()
        panel = screen.query_one(VerdictPanel)
        assert "best 17, bound 34" in str(panel.content)
        solver.controls[-1].cells[BEST] = 25
        screen.session.refresh()
        assert "best 25, bound 34" in str(panel.content)
        board_of(app).post_message(HonshuMap.Play(board_of(app), position_of(app).moves()[0]))
        await settled(pilot, lambda: len(screen.match.plies) == 2)
        await settled(pilot, lambda: len(solver.asked) == 2)
        # The first search was stopped, as its map has changed; the second is of the person's new map, and
        # the engine's ply did not end it.
        assert solver.controls[0].cancelled
        assert solver.asked[1] == position_of(app)
        assert not solver.controls[1].stopped
        solver.go.set()
        await rested(pilot)
        assert "bound 34" not in str(panel.content)


class Falling(InstantRace):
    """Its bound falls by one for each time that it is let go."""

    def __init__(self) -> None:
        self.control: Control | None = None
        self.steps = threading.Semaphore(0)
        self.fallen = 0

    def prove(self, first: HonshuPosition, folder: Path, control: Control) -> Iterator[None]:
        self.control = control
        while not control.stopped:
            if self.steps.acquire(timeout=0.005):
                self.fallen += 1
                yield

    def sharpened(self, position: HonshuPosition, verdict: V) -> V:
        if not self.fallen or not isinstance(verdict, ScoreVerdict) or verdict.best is None:
            return verdict
        return replace(verdict, bound=verdict.best + ROOM - self.fallen, reason="SAT proof")


async def test_the_ceiling_falls_while_one_plays_until_one_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Falling()
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", solver)
    async with running(app_of("honshu:7x6#7", ceilings="on")) as (app, pilot):
        panel = screen_of(app).query_one(VerdictPanel)
        await settled(pilot, lambda: solver.control is not None)
        await settled(pilot, lambda: f"Up to {ROOM} more" in str(panel.content))
        solver.steps.release()
        await settled(pilot, lambda: f"At most {ROOM - 1} more: SAT proof." in str(panel.content))
        board_of(app).post_message(HonshuMap.Play(board_of(app), position_of(app).moves()[0]))
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        solver.steps.release()
        await settled(pilot, lambda: f"At most {ROOM - 2} more: SAT proof." in str(panel.content))
        assert solver.control is not None
        assert not solver.control.stopped
        screen_of(app).action_leave()
        await settled(pilot, lambda: not isinstance(app.screen, HonshuScreen))
        assert solver.control.cancelled


async def test_the_help_alone_says_how_to_get_the_sat_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.screens.honshu.available", lambda: False)
    async with at_rest(app_of("honshu:7x6#7", ceilings="on")) as (app, _):
        assert not app._notifications
        assert "solver-arcade[prove]" in expect(MatchScreen, app.screen).help_rules()


async def test_ceilings_are_turned_off_and_on_among_the_commands_of_a_map(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver = Falling()
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", solver)
    monkeypatch.setattr("arcade.screens.honshu.available", lambda: True)
    async with running(app_of("honshu:7x6#7", ceilings="on")) as (app, pilot):
        await settled(pilot, lambda: solver.control is not None)
        before = present(solver.control)

        def turn(word: str) -> None:
            named = {each.title: each.callback for each in app.get_system_commands(app.screen)}
            named[f"Ceiling {word}"]()

        turn("off")
        assert before.cancelled
        assert not app.services.settings.ceilings
        turn("on")
        await settled(pilot, lambda: solver.control is not before)
        assert app.services.settings.ceilings
        await reached(pilot, MenuScreen, "q")
        assert not [each for each in app.get_system_commands(app.screen) if "Ceiling" in each.title]


@pytest.mark.timed
async def test_taking_back_and_leaving_while_an_engine_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
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
        started = time.monotonic()
        await pilot.press("q")
    # Whoever waited for the solver would wait for ever.
    assert time.monotonic() - started < 10


async def test_the_hint_ladder_and_its_line_on_the_map() -> None:
    async with at_rest(app_of()) as (app, pilot):
        screen, start = screen_of(app), position_of(app)
        best = InstantRace().line(start, Control())
        await pilot.press("i")
        await rested(pilot)
        assert str(best[0]) not in str(screen.query_one(HintPanel).content)
        await pilot.press("i")
        assert str(best[0]) in str(screen.query_one(HintPanel).content)
        assert board_of(app).view.hinted == best[0]
        await pilot.press(*["right"] * 9)
        assert UNICODE.turn in {face.sign for face in board_of(app)._marked.values()}
        await pilot.press("i", *["full_stop"] * len(best))
        shown = board_of(app).position
        assert shown.laid == tuple(best)
        assert shown.outcome() is not None
        await pilot.press("escape", "escape")
        assert board_of(app).position == start
        assert not screen.query_one(HintPanel).display


async def test_the_overlay_marks_the_best_placement_with_its_score() -> None:
    async with at_rest(app_of()) as (app, pilot):
        await pilot.press(*["up"] * 3, *["left"] * 4, "v")
        board = board_of(app)
        best = next(each for each in board.view.values if each.best)
        area = board._area(best.move)
        held = board._area(board.move_at(board.cursor))  # type: ignore[arg-type]  # a person's turn
        assert {board._marked[cell].sign for cell in set(area) - set(held)} == {UNICODE.only}
        if area[0] not in held:
            assert board._marked[area[0]].text == str(score(best.verdict).best)
        await bring(pilot, best.move)
        assert screen_of(app).status().split("  ")[1] == str(score(best.verdict).best)


async def test_placements_that_lose_points_for_sure_are_marked() -> None:
    async with at_rest(app_of()) as (app, pilot):
        analysis = present(screen_of(app).match.analysis(position_of(app)))
        lost = next(
            each.move for each in analysis if (score(each.verdict).bound or 0) < (analysis_best(analysis))
        )
        board_of(app).post_message(HonshuMap.Play(board_of(app), lost))
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        assert screen_of(app).match.plies[0].mark is Mark.THREW


def analysis_best(analysis: list[Any]) -> int:
    return max(each.verdict.best or 0 for each in analysis)


async def test_maps_lie_side_by_side_where_there_is_room() -> None:
    async with at_rest(app_of("honshu#1"), size=WIDE) as (app, pilot):
        screen = screen_of(app)

        def widths() -> list[int]:
            return [screen.query_one(f"#seat-{seat}").size.width for seat in range(2)]

        assert widths()[0] == widths()[1] > 36
        await pressed(pilot, "command:other_board")
        assert screen.session.scene.main == 0
        assert widths()[0] > 54
        await pressed(pilot, "command:other_board")
        assert screen.session.scene.main == 1
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
        await clicked(pilot, "#caption-0", offset=(str(caption.render()).index("to Right") + 2, 0))
        assert [width > 0 for width in widths()] == [False, True]
        # Nobody can place a tile on another player's map.
        await pilot.press("enter")
        assert screen.match.plies == []


@pytest.mark.parametrize("size", [9, 16])
def test_every_size_fits_the_least_terminal(size: int) -> None:
    position = parse_game_id(f"honshu:{size}x20#1").start()
    board = HonshuMap(BoardScene(position, position))
    assert board.fit(Size(46, 19)) == ((4, 2) if size == 9 else (2, 1))


async def test_hand_and_scores_are_in_sight_in_the_least_terminal() -> None:
    async with at_rest(app_of("honshu:9x12,plains,squares#1")) as (app, _):
        screen = screen_of(app)
        for widget in (screen.query_one(ScoreTable), screen.query_one("#side-hand Hand"), screen.map):
            assert widget.region.bottom <= 23
            assert widget.size.height > 0
        hand = screen.query_one("#side-hand").query_one(Hand)
        assert {hand.index_at(x, y) for x in range(32) for y in range(hand.size.height)} >= set(range(12))
        assert screen.map._cell == (4, 2)


async def test_watching_a_race_shows_both_maps_and_then_the_comparison() -> None:
    async with running(app_of(SMALL, "random", "random")) as (app, pilot):
        screen = screen_of(app)
        screen.session.state = replace(screen.session.state, speed=5)
        await pilot.pause()
        assert race_table(screen).divided.alike
        await pressed(pilot, "p", until=lambda: screen.match.result is not None)
        await rested(pilot)
        table = [line.split() for line in str(screen.query_one(ScoreTable).content).splitlines()]
        scores = [position_of(app, seat).score for seat in range(2)]
        assert " ".join(table[-1]) == "see the best map"
        for line in table[1:-1]:
            expected = [
                score.total if line[0] == "Total" else getattr(score, line[0].lower()) for score in scores
            ]
            assert [int(word) for word in line[1:3]] == expected
            ahead = expected[0] - expected[1]
            words = ["level"] if not ahead else ["Left" if ahead > 0 else "Right", f"+{abs(ahead)}"]
            assert line[3:] == words
        assert [line[0] for line in table[1:-1]] == ["Village", "Forests", "Lakes", "Factories", "Total"]
        winner, best = screen.match.result, max(score.total for score in scores)
        assert winner is not None
        panel = str(screen.query_one(VerdictPanel).content)
        assert f"{best} to " in panel or "tie" in panel


async def test_the_moves_have_a_column_a_seat_and_the_graph_a_row_a_ply() -> None:
    async with running(app_of(SMALL, "random", "random"), size=WIDE) as (app, pilot):
        screen = screen_of(app)
        for number in range(4):
            await pilot.press("full_stop")
            await settled(pilot, partial(played, screen, number + 1))
        moves, graph = screen.query_one(MoveList), screen.query_one(ScoreGraph)
        assert len(moves.rows(screen.scene)) == 2
        assert [moves.ply_at(screen.scene, x, row) for row in range(2) for x in (5, 30)] == [1, 2, 3, 4]
        rows = graph.rows(screen.scene)
        assert len(rows) == 5
        for number, ply in enumerate(screen.match.plies):
            points = position_after(screen.match, number).score.total
            assert rows[number + 1][-1][0] == f" {points}"
            assert screen.match.game.sides[ply.seat][0] in [text for text, _ in rows[number + 1]]
        await clicked(pilot, "#graph", offset=(4, 2))
        assert len(screen.match.plies) == 2


async def test_moves_and_graph_open_at_the_ply_on_the_board_and_stay_where_they_are_scrolled_to() -> None:
    match = new_match(parse_game_id("honshu:9x12#1"), ("random", "random"))
    while match.result is None:
        match.play(match.position.moves()[0])
    async with app_with(match).run_test(size=NARROW) as pilot:
        app: ArcadeApp = pilot.app  # type: ignore[assignment]  # it is the arcade
        await settled(pilot, lambda: len(screen_of(app).query(MoveList)) == 1)
        await pressed(pilot, "command:graph")
        graph, moves = screen_of(app).query_one(ScoreGraph), screen_of(app).query_one(MoveList)
        assert 0 <= graph.current_row(screen_of(app).scene) - graph.scroll_offset.y < graph.size.height
        await pressed(pilot, "command:graph")
        assert 0 <= moves.current_row(screen_of(app).scene) - moves.scroll_offset.y < moves.size.height
        # A later verdict redraws the move in its place.
        moves.scroll_to(y=0, animate=False)
        screen_of(app).show()
        await pilot.pause()
        assert moves.scroll_offset.y == 0


def played(screen: HonshuScreen, plies: int) -> bool:
    return len(screen.match.plies) == plies


def position_after(match: Match, number: int) -> HonshuPosition:
    seat = match.plies[number].seat
    count = sum(ply.seat == seat for ply in match.plies[: number + 1])
    return expect(HonshuPosition, match.history(seat)[count])


async def test_two_persons_lay_in_turn_each_on_an_own_map() -> None:
    async with at_rest(app_of(SMALL, "human", "human")) as (app, pilot):
        for seat in (0, 1, 0):
            assert screen_of(app).session.scene.main == seat
            assert board_of(app).has_focus
            await bring(pilot, position_of(app, seat).moves()[0], "enter")
            await rested(pilot)
        assert [len(position_of(app, seat).laid) for seat in range(2)] == [2, 1]


async def test_the_tile_in_hand_does_not_stay_over_the_map_that_was_left() -> None:
    async with at_rest(app_of(SMALL, "human", "human"), size=WIDE) as (app, pilot):
        left = expect(HonshuMap, screen_of(app).table.boards[0])
        await click_cell(pilot, left, position_of(app, 0).moves()[0])
        await rested(pilot)
        assert screen_of(app).table.boards[1].has_focus
        shown = [left.render_line(line) for line in range(left.size.height)]
        left.redraw()
        assert shown == [left.render_line(line) for line in range(left.size.height)]


async def test_the_other_map_says_the_way_back() -> None:
    async with at_rest(app_of(SMALL)) as (app, pilot):
        status = screen_of(app).query_one("#status", Static)
        await pilot.press("command:other_board")
        await rested(pilot)
        assert screen_of(app).session.scene.main == 1
        assert str(status.render()) == "to Left"
        await pilot.click("#status", offset=(3, 0))
        await rested(pilot)
        assert screen_of(app).session.scene.main == 0
        assert str(status.render()) != "z to Left"


async def test_the_caption_counts_along_the_line_of_a_hint() -> None:
    async with at_rest(app_of(SMALL)) as (app, pilot):
        await pressed(pilot, "i", "i", "i", until=lambda: screen_of(app).session.state.hint is not None)
        await pilot.press(*["full_stop"] * 20)
        end = expect(HonshuPosition, screen_of(app).scene.boards[screen_of(app).scene.active].position)
        assert end.outcome() is not None
        assert str(screen_of(app).query_one("#caption-0", Static).render()).split()[3] == str(end.score.total)


class TooSlow(InstantRace):
    def verdict(self, position: HonshuPosition, control: Control) -> ScoreVerdict:
        while not control.stopped:
            time.sleep(0.01)
        return super().verdict(position, control)


async def test_work_whose_time_is_over_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", TooSlow())
    monkeypatch.setattr(Honshu, "limits", Limits(verdict=0.05, review=None, hint=None))
    async with at_rest(app_of(SMALL)) as (app, _):
        assert "best" in str(screen_of(app).query_one(VerdictPanel).render())


async def test_the_scores_are_laid_out_for_the_width_that_they_have() -> None:
    async with at_rest(app_of(SMALL)) as (app, pilot):
        before = str(screen_of(app).query_one(ScoreTable).render())
        # In the least terminal a hint takes the place of the table.
        await pressed(pilot, "i", until=lambda: screen_of(app).session.state.hint is not None)
        screen_of(app).show()
        await pressed(pilot, "escape")
        assert str(screen_of(app).query_one(ScoreTable).render()) == before


async def test_no_tile_of_the_hand_stands_alone_in_a_row() -> None:
    async with at_rest(app_of("honshu:9x12#1"), size=(160, 50)) as (app, _):
        hand = screen_of(app).query_one("#under-hand").query_one(Hand)
        places = [(x, y) for y in range(hand.size.height) for x in range(hand.size.width)]
        ends = {index: y for x, y in places if (index := hand.index_at(x, y)) is not None}
        rows = [list(ends.values()).count(row) for row in sorted(set(ends.values()))]
        assert rows == [6, 6]


async def test_a_race_that_brings_no_screen_is_played_on_two_lists(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_a_race_alone() -> None:
    async with at_rest(app_of("honshu:5x1#1", "human")) as (app, pilot):
        await pilot.press("command:other_board")
        await bring(pilot, position_of(app).moves()[0], "enter")
        await rested(pilot)
        assert "The map scores" in str(screen_of(app).query_one(VerdictPanel).content)


async def test_a_match_is_opened_from_files(tmp_path: Path) -> None:
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
        assert position_of(app) == get_game("honshu").load(str(DATA / "Partie1"))
        # The match can be saved and replayed without the files.
        assert Match.from_record(screen_of(app).match.record()).position == position_of(app)


async def test_a_file_is_opened_by_its_id() -> None:
    async with at_rest(app_of()) as (app, pilot):
        await pressed(pilot, "command:open_match")
        app.screen.query_one(Input).value = f"honshu:{DATA / 'Partie2'},plains"
        await pilot.press("enter")
        await rested(pilot)
        assert position_of(app).variants == {"plains"}
        await pressed(pilot, "command:open_match")
        app.screen.query_one(Input).value = f"honshu:{DATA / 'grille_mauvais_format'}"
        await pressed(pilot, "enter")
        assert "line" in str(app.screen.query_one(".error", Static).content)


async def test_a_match_goes_on_after_the_next_start() -> None:
    async with at_rest(app_of("honshu:6x3#7", "human", "greedy")) as (app, pilot):
        board_of(app).post_message(HonshuMap.Play(board_of(app), position_of(app).moves()[0]))
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        played = [position_of(app, seat) for seat in range(2)]
    async with at_rest(ArcadeApp(warm=False)) as (app, pilot):
        assert [position_of(app, seat) for seat in range(2)] == played


@pytest.mark.parametrize("seats", [("human", "random"), ("random", "human")])
async def test_one_of_two_large_boards_keeps_the_focus(seats: tuple[str, str]) -> None:
    async with at_rest(app_of("honshu:16x20#1", *seats)) as (app, pilot):
        screen, persons = screen_of(app), seats.index("human")
        assert screen.focused is board_of(app) is screen.table.boards[persons]
        # Words that come when the focus has gone on, as on a busy screen, are not followed.
        for other in (screen.table.boards[1 - persons], board_of(app)) * 2:
            screen.post_message(events.DescendantFocus(other))
        await pilot.pause()
        assert screen.session.state.looking is None
        assert screen.focused is board_of(app) is screen.table.boards[persons]


async def test_a_tiny_terminal_says_what_it_needs_and_keeps_the_tile() -> None:
    async with at_rest(app_of()) as (app, pilot):
        await pilot.press("e", "right_square_bracket", "left")
        before = board_of(app).move_at(board_of(app).cursor)
        await resized(pilot, 30, 10)
        assert app.screen.query("#too-small")
        await resized(pilot, *NARROW)
        assert board_of(app).move_at(board_of(app).cursor) == before


async def test_the_hand_is_drawn_anew_in_other_characters() -> None:
    async with at_rest(app_of()) as (app, pilot):
        hand = screen_of(app).query_one("#side-hand").query_one(Hand)
        before = [hand.render_line(y).text for y in range(hand.size.height)]
        app.change("ascii", "on")
        await pilot.pause()
        after = [hand.render_line(y).text for y in range(hand.size.height)]
        assert before != after
        assert all(line.isascii() for line in after)
        assert len(screen_of(app).query(HandBox)) == 2


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_cell_is_as_wide_as_it_says(glyphs: Any) -> None:
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


def test_terrains_differ_by_letter_texture_and_colour() -> None:
    for width, height in ((2, 1), (4, 2)):
        textures = set()
        for letter in TERRAINS:
            lines = draw_face(laid_face(letter), width, height, UNICODE)
            text = "".join(segment.text for line in lines for segment in line)
            assert letter in text
            textures.add(text.replace(letter, ""))
        assert len(textures) == len(TERRAINS)
    assert len({terrain.ground for terrain in TERRAINS.values()}) == len(TERRAINS)


PLAYED = ("up", "enter", "3", "e", "right")


def test_a_race_at_80x24(snap_compare: Compare) -> None:
    app = app_of("honshu#1", "human", "greedy")
    assert snap_compare(app, terminal_size=NARROW, run_before=keys(*PLAYED, "v"))


def test_a_race_at_120x40_in_light_colours(snap_compare: Compare) -> None:
    app = app_of("honshu#1", "human", "greedy", theme="arcade-light")
    assert snap_compare(app, terminal_size=WIDE, run_before=keys(*PLAYED, "i", "i"))


async def test_the_bar_of_scores_follows_the_width() -> None:
    match = new_match(parse_game_id("honshu#1"), ("human", "human"))
    solver = match.game.solver
    for _ in range(16):
        match.play(solver.line(match.position, Control())[0])
    verdict = score(solver.verdict(match.position, Control()))
    async with at_rest(app_with(match), size=WIDE) as (app, pilot):
        for size in ((80, 24), (60, 20), (160, 50)):
            await resized(pilot, *size)
            panel = app.screen.query_one(VerdictPanel)
            lines = str(panel.render()).splitlines()
            assert len(lines) == 3
            assert len(lines[1]) == panel.content_size.width
            assert lines[1].split() == [str(verdict.score), str(verdict.best), str(verdict.bound)]


async def test_in_the_smallest_terminal_every_score_stands_whole() -> None:
    async with running(app_of("honshu:9x12#1", "human", "human"), size=(60, 20)) as (app, pilot):
        for variants in ("", ",lakes2,plains,factories2,squares,forests5"):
            for plies in (0, 10, 20):
                match = new_match(parse_game_id(f"honshu:9x12{variants}#1"), ("human", "human"))
                for _ in range(plies):
                    match.play(match.game.solver.line(match.position, Control())[0])
                rooms.open_match(app, match)
                await rested(pilot)
                assert screen_of(app).match is match
                for panel in (app.screen.query_one(ScoreTable), app.screen.query_one(VerdictPanel)):
                    widest = max(map(len, str(panel.render()).splitlines()))
                    assert widest <= panel.content_size.width, (variants, plies)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_hand_keeps_its_height_and_the_map_its_place(size: tuple[int, int]) -> None:
    async with at_rest(app_of("honshu:9x12#1", "human"), size=size) as (app, pilot):
        box = screen_of(app).query_one("#under-hand" if size == WIDE else "#side-hand")
        height, place = box.size.height, (board_of(app).region, board_of(app).region_of((0, 0)))
        assert height
        while position_of(app).hand and position_of(app).outcome() is None:
            assert (board_of(app).region, board_of(app).region_of((0, 0))) == place
            assert box.size.height == height
            await pilot.press("enter")
            await rested(pilot)
        assert screen_of(app).match.result is not None


def test_the_chosen_tile_is_brighter_than_every_other_of_the_hand() -> None:
    def light(face: Any) -> int:
        return sum(face.ground.get_truecolor())

    assert min(light(held_face(each)) for each in TERRAINS) > max(
        light(resting_face(each)) for each in TERRAINS
    )


async def test_a_tile_is_taken_in_hand_at_a_place_where_it_fits() -> None:
    async with at_rest(app_of("honshu:9x12#1", "human")) as (app, pilot):
        for key in ("", "tab", "tab", "enter", "5", "enter"):
            if key:
                await pilot.press(key)
                await rested(pilot)
            board = board_of(app)
            assert position_of(app).placement_error(board.move_at(board.cursor)) is None  # type: ignore[arg-type]  # a tile is held


@pytest.mark.parametrize(
    ("lost", "mark", "sign"), [(4, Mark.LOST, "-4"), (20, Mark.THREW, f"{UNICODE.threw}-20")]
)
async def test_a_few_lost_points_are_told_as_a_number(
    lost: int, mark: Mark, sign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.screens.honshu_fake.LOST", lost)
    async with at_rest(app_of("honshu:9x12#1", "human")) as (app, pilot):
        analysis = present(screen_of(app).match.analysis(position_of(app)))
        best = analysis_best(analysis)
        assert 16 < best - position_of(app).score.total <= 80
        move = next(each.move for each in analysis if (score(each.verdict).bound or 0) < best)
        board_of(app).post_message(HonshuMap.Play(board_of(app), move))
        await rested(pilot, lambda: bool(screen_of(app).match.plies))
        ply = screen_of(app).match.plies[0]
        assert (ply.mark, ply.lost) == (mark, lost)
        rows = screen_of(app).query_one(MoveList).rows(screen_of(app).scene)
        assert f" {sign}" in [text for text, _ in rows[0]]


async def test_the_options_have_names() -> None:
    titles = [each.title for each in get_game("honshu").parameters]
    assert {"Richer lakes", "Double factories", "Growing forests"} <= set(titles)


async def test_a_better_map_found_late_is_told_on_the_end_card(monkeypatch: pytest.MonkeyPatch) -> None:
    start = parse_game_id("honshu:9x12#1").start()
    assert isinstance(start, HonshuPosition)
    late = best_line(start)
    monkeypatch.setattr(InstantRace, "line", lambda solver, position, control: [])
    async with at_rest(app_of("honshu:9x12#1", "human"), size=WIDE) as (app, pilot):
        match = screen_of(app).match
        while not match.result:
            match.play(match.position.moves()[0])
        screen_of(app).session.come_back()
        await rested(pilot)
        monkeypatch.setattr(InstantRace, "line", lambda solver, position, control: list(late))
        screen = await reached(pilot, BestMapScreen, "command:best_map")
        points = screen.paths[1][-1].score.total
        assert points > screen.paths[0][-1].score.total
        await reached(pilot, HonshuScreen, "q")
        assert f"Best known {points}" in str(screen_of(app).query_one(VerdictPanel).content)
        assert sum(ply.lost for ply in match.line) == points - screen.paths[0][-1].score.total


async def test_the_best_map_is_shown_beside_one_s_own_tile_by_tile() -> None:
    async with at_rest(app_of("honshu:9x12#1", "human"), size=WIDE) as (app, pilot):
        await pilot.press("command:best_map")
        assert "when the match is over" in list(app._notifications)[-1].message
        while screen_of(app).match.result is None:
            await pilot.press("enter")
            await rested(pilot)
        made = position_of(app)
        screen = await reached(pilot, BestMapScreen, "command:best_map")
        assert "Honshu: your map" in str(screen.query_one(TitleBar).render())
        best = screen.paths[1][-1]
        assert best.score.total == max(
            made.score.total, score(InstantRace().verdict(screen.paths[0][0], Control())).best or 0
        )
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
        await reached(pilot, HonshuScreen, "q")
        assert position_of(app) == made


async def test_where_engines_played_the_map_is_not_yours() -> None:
    async with at_rest(app_with()) as (app, pilot):
        maps = [expect(HonshuPosition, parse_game_id("honshu:5x3#1").start())]
        app.push_screen(BestMapScreen(maps, maps, "Random"))
        screen = await reached(pilot, BestMapScreen)
        title = str(screen.query_one(TitleBar).render())
        assert title.startswith("Honshu: the map of Random and the best one")


def test_hints_are_counted_in_whole_words_or_not_at_all() -> None:
    match = new_match(parse_game_id("honshu:5x2#1"), ("human", "human"))
    match.hints = [12, 1]
    scene = scene_of(match, State())
    board = expect(HonshuPosition, match.first)
    for width in range(28, 60):
        rows = ScoreTable()._table(scene, board, None, UNICODE.turn, width)
        first, second = ("".join(text for text, _ in row) for row in rows[1:3])
        assert ("12 hints" in first) == ("," in first)
        assert ("1 hint " in second) == ("," in second)
    assert "12 hints" in first


@pytest.mark.parametrize("size", [NARROW, WIDE])
@pytest.mark.parametrize("seat", ["human", "random"])
async def test_two_of_one_name_are_named_apart(seat: str, size: tuple[int, int]) -> None:
    async with at_rest(app_of("honshu:9x12#1", seat, seat), size=size) as (app, _):
        table = str(screen_of(app).query_one(ScoreTable).content)
        captions = [
            str(each.content) for each in screen_of(app).query("RaceTable Shortcuts").results(Shortcuts)
        ]
        for shown in (table, "".join(captions)):
            assert "Left" in shown
            assert "Right" in shown


def halfway(position: HonshuPosition) -> Move:
    return position.moves()[len(position.moves()) // 2]


async def test_who_makes_a_map_alone_plays_against_par_and_nobody_else_does() -> None:
    async with running(app_of(SMALL, "human")) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: ", par " in painted(app))
        assert screen.heading.endswith(f" #7, par {screen.match.best_of(screen.match.first)}")
        screen.session.begin(new_match(screen.match.start, ("human",), seed=1))
        await settled(pilot, lambda: bool(screen.match.best_of(screen.match.first)))
        await settled(pilot, lambda: ", par " in painted(app))
    async with running(app_of()) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: screen.match.best_of(screen.match.first))
        assert ", par " not in painted(app)


@pytest.fixture
def thursday(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("arcade.study.puzzles", "arcade.screens.study"):
        monkeypatch.setattr(f"{module}.today", lambda: date(2026, 11, 26))


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_map_of_the_day_by_keys(thursday: None, size: tuple[int, int]) -> None:
    async with running(app_with(), size=size) as (app, pilot):
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
            await bring(pilot, halfway(position_of(app)), "enter")
            await rested(pilot)
        assert screen.query_one("#week").region
        await pressed(pilot, "y")
        points = position_of(app).score.total
        assert app.clipboard.startswith(f"solver-arcade, Honshu 2026-11-26: {points} of ")
        assert screen.match.game.chat_drawing(position_of(app)) in app.clipboard
        await reached(pilot, MenuScreen, "q")
        await reached(pilot, PuzzlesDialog, "P")
        await settled(pilot, lambda: f"Today's map, for everybody      {points} of " in painted(app))
        await reached(pilot, HonshuScreen, "enter")
        assert screen_of(app).match.finished, "it is shown again, not begun again"


async def test_the_map_of_the_day_by_the_mouse(thursday: None) -> None:
    async with running(app_with()) as (app, pilot):
        card = app.screen.query_one("#card-honshu", Card)
        await settled(pilot, lambda: "Puzzles" in str(card.border_subtitle))
        await clicked(pilot, offset=(card.region.right - 4, card.region.bottom - 1))
        await settled(pilot, lambda: isinstance(app.screen, PuzzlesDialog) and app.screen.is_mounted)
        await clicked(pilot, "OptionList", offset=(5, 0))
        await settled(pilot, lambda: isinstance(app.screen, HonshuScreen) and app.screen.is_mounted)
        await rested(pilot)
        while screen_of(app).match.result is None:
            await click_cell(pilot, board_of(app), present(board_of(app).move_at(board_of(app).cursor)))
            await rested(pilot)
        week = screen_of(app).query_one("#week")
        await clicked(pilot, "#week", offset=(2, week.content_region.y - week.region.y))
        assert app.clipboard.startswith("solver-arcade, Honshu 2026-11-26: ")


def test_the_end_of_a_map_of_the_day(snap_compare: Compare, thursday: None) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        app = expect(ArcadeApp, pilot.app)
        rooms.play_puzzles(app, PuzzleChoice(get_game("honshu"), Mode.DAILY))
        await settled(pilot, lambda: isinstance(app.screen, HonshuScreen) and app.screen.is_mounted)
        while screen_of(app).match.result is None:
            board_of(app).post_message(HonshuMap.Play(board_of(app), halfway(position_of(app))))
            await rested(pilot)

    assert snap_compare(app_with(), terminal_size=NARROW, run_before=go)
