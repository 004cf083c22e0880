import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.hexapawn.course import check, put, resized
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.solver import Analysis, Goal
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, Verdict
from arcade.play.keymap import KEYS
from arcade.play.machines import Machines
from arcade.play.match import new_match
from arcade.play.scene import Cell
from arcade.play.sentences import result_sentence
from arcade.screens.hexapawn.board import Ground, PawnBoard, PawnGrid, Square, Tag, draw_square
from arcade.screens.hexapawn.screen import HexapawnScreen
from arcade.screens.hexapawn.setup import HELP, SetupBoard, SetupScreen, read_position
from arcade.store.store import Store
from arcade.widgets.forms import Dials
from arcade.widgets.panels import VerdictPanel
from tests.narrow import expect
from tests.oracle import BruteForce
from tests.refusals import refused
from tests.screens.pilots import (
    app_with,
    at_rest,
    clicked,
    plies_of,
    pressed,
    running,
    said,
    settled,
    top_screen,
)

pytestmark = pytest.mark.usefixtures("instant")

ONLY = "hexapawn:3x3:p.p/.P./P.P:w"
"""White wins at once with bxa3 or bxc3."""


def app_of(text: str = "hexapawn:3x3", *seats: str, **settings: str) -> ArcadeApp:
    return app_with(new_match(parse_game_id(text), seats or ("human", "perfect")), **settings)


def screen_of(app: ArcadeApp) -> HexapawnScreen:
    return top_screen(app, HexapawnScreen)


def board_of(app: ArcadeApp) -> PawnBoard:
    return expect(PawnBoard, screen_of(app).board)


def setup_of(app: ArcadeApp) -> SetupScreen:
    return top_screen(app, SetupScreen)


def moves_of(app: ArcadeApp) -> str:
    return " ".join(plies_of(app))


def texts(board: PawnGrid) -> dict[str, str]:
    rows, columns = board.shape
    return {
        f"{'abcdefgh'[column]}{rows - row}": board.square((row, column)).texts[0]
        for row, column in product(range(rows), range(columns))
        if board.square((row, column)).tag
    }


def targets(board: PawnGrid) -> set[Cell]:
    rows, columns = board.shape
    return {cell for cell in product(range(rows), range(columns)) if board.square(cell).target}


async def judged(pilot: Pilot[None], app: ArcadeApp) -> None:
    match = screen_of(app).match
    await settled(pilot, lambda: match.result is not None or match.analysis(match.position) is not None)


async def begun(pilot: Pilot[None], text: str, *seats: str, judging: bool = True) -> None:
    """Open a match on a new screen, on which nothing has been chosen, in the place of the one on top."""
    app = expect(ArcadeApp, pilot.app)
    app.clear_notifications()
    screen = HexapawnScreen(app.services, new_match(parse_game_id(text), seats))
    screen.session.judging = judging
    await app.switch_screen(screen)
    await settled(pilot, lambda: not screen.session.busy)


def test_setup_help_names_only_actions_with_a_key() -> None:
    assert all(KEYS[name].keys for name in re.findall(r"\{(\w+)\}", HELP))


async def test_match_is_played_by_keys() -> None:
    async with running(app_of("hexapawn:3x3", "human", "human")) as (app, pilot):
        await pilot.press("enter", "k", "space")  # a2
        await pilot.press("w", "right", "enter", "down", "left", "enter")  # bxa2
        await pilot.press("s", "d", "enter", "w", "a", "enter")  # bxa2
        await pilot.press("up", "l", "l", "enter", "j", "enter")  # c2
        await pilot.press("left", "left", "space", "up", "space")
        assert moves_of(app) == "a2 bxa2 bxa2 c2"
        assert result_sentence(screen_of(app).match) == "Black wins: White has no legal move."
        assert said(app) == "This game is over."
        await pilot.press("u")
        assert moves_of(app) == "a2 bxa2 bxa2"
        # A move is played without a word.
        await begun(pilot, "hexapawn:3x3", "human", "perfect")
        await judged(pilot, app)
        await pressed(pilot, "enter", "up", "enter", until=lambda: len(screen_of(app).match.plies) == 2)
        assert not list(app._notifications)
        # A square that one pawn can go to may be chosen first.
        await begun(pilot, "hexapawn:3x3", "human", "human")
        await pilot.press("up", "enter")
        assert board_of(app).selected == (2, 0)
        assert moves_of(app) == ""
        await pilot.press("enter")
        assert moves_of(app) == "a2"
        # A square that only another pawn can go to selects that one.
        await begun(pilot, "hexapawn:3x3", "human", "human")
        await pilot.press("enter", "up", "right", "enter")
        assert board_of(app).selected == (2, 1)
        assert not list(app._notifications)
        # The cursor begins on a pawn that can move.
        for seats in (("human", "random"), ("random", "human")):
            await begun(pilot, "hexapawn:4x4", *seats, judging=False)
            await settled(pilot, lambda: screen_of(app).match.player_to_move == "human")
            await pilot.press("enter")
            assert board_of(app).selected is not None, seats
        # So it does when a board of other rows is shown.
        await begun(pilot, "hexapawn:4x4", "human", "human", judging=False)
        board = board_of(app)
        taller = get_game("hexapawn").parse_position(".p.p/p.../P.p./..PP/.P..:b")
        board.show(replace(board.view, position=taller, first=taller))
        assert board.cursor in {(0, 1), (0, 3), (2, 2)}


async def test_match_is_played_by_clicks() -> None:
    async with running(app_of("hexapawn:3x3:p.p/.../P.P:w")) as (app, pilot):
        await judged(pilot, app)
        for _ in range(4):
            position = screen_of(app).match.position
            if screen_of(app).match.result:
                break
            assert isinstance(position, PawnPosition)
            best = next(each.move for each in screen_of(app).match.analysis(position) or () if each.best)
            plies = len(screen_of(app).match.plies)
            for row, column in ((best.to_row - 1, best.column), (best.to_row, best.to_column)):
                region = board_of(app).region_of((2 - row, column))
                await pilot.click("#board-0", offset=(region.x + 1, region.y))
            await settled(
                pilot,
                lambda plies=plies: (  # type: ignore[misc]  # bound now, as ruff asks
                    screen_of(app).match.result is not None or len(screen_of(app).match.plies) == plies + 2
                ),
            )
            await judged(pilot, app)
        assert screen_of(app).match.result is not None


async def test_pawn_selection_and_impossible_moves_are_explained() -> None:
    async with running(app_of("hexapawn:3x3:p.p/.p./P.P:w", "human", "human")) as (app, pilot):
        board = board_of(app)
        assert "choose" not in board.prompt()
        assert "a2 or axb2" in board.prompt()
        await pilot.press("enter")
        assert board.selected == (2, 0)
        assert targets(board) == {(1, 0), (1, 1)}
        # They stand out from every other square by their ground.
        assert {
            cell for cell in product(range(3), range(3)) if board.square(cell).ground is Ground.TARGET
        } == targets(board)
        await pressed(pilot, "up", "right")
        assert "axb2  takes the pawn on b2" in screen_of(app).status()
        await pilot.press("escape")
        assert board.selected is None
        assert not targets(board)
        await pilot.press("enter")
        assert "2 pawns can go to b2" in said(app)
        await pilot.press("up", "enter")
        assert said(app) == "No pawn of White can go to b3."
        await pilot.press("left", "enter")
        assert said(app) == "The pawn on a3 belongs to Black. White is to move."
        await begun(pilot, "hexapawn:3x3:.p./p../P.P:w", "human", "human")
        await pilot.press("left", "left", "enter")
        assert said(app) == "The pawn on a1 is blocked."
        # So is a capture that is compulsory.
        await begun(pilot, "hexapawn:3x3,capture:p.p/.p./P.P:w,capture", "human", "human")
        await pilot.press("enter")
        assert targets(board_of(app)) == {(1, 1)}
        await begun(pilot, "hexapawn:3x4,capture:p..p/.p../P..P:w,capture", "human", "human")
        await pilot.press("right", "right", "right", "enter")
        assert said(app) == "White must capture, and the pawn on d1 cannot."
        # Escape puts the hint away when no pawn is selected.
        await begun(pilot, ONLY, "human", "perfect")
        await pressed(pilot, "i", until=lambda: screen_of(app).session.state.hint is not None)
        await pilot.press("i")
        assert board_of(app).square((1, 1)).ground is Ground.HINTED
        await pilot.press("enter")
        assert board_of(app).selected is not None
        await pilot.press("escape")
        assert screen_of(app).session.state.hint is not None
        await pilot.press("escape")
        assert screen_of(app).session.state.hint is None


async def test_value_overlay_marks_pawns_and_target_squares() -> None:
    async with running(app_of("hexapawn:3x4")) as (app, pilot):
        await judged(pilot, app)
        assert texts(board_of(app)) == {}
        await pilot.press("v")
        glyphs = screen_of(app).glyphs
        win, loss = f"{glyphs.win}3", f"{glyphs.loss}3"
        # data/hexapawn: on 3x4 the a pawn wins in 5 plies and the b pawn loses in 6.
        classes = {"a1": win, "b1": glyphs.loss, "c1": glyphs.loss, "d1": win}
        assert texts(board_of(app)) == classes, "a length only for the best moves"
        await pilot.press("v")
        assert texts(board_of(app)) == {"a1": win, "b1": loss, "c1": loss, "d1": win}
        await pilot.press("enter")
        assert texts(board_of(app)) == {"a2": win}
        assert board_of(app).square((1, 0)).tag is Tag.BEST_WIN
        # The only move is marked on the board and in words.
        await begun(pilot, "hexapawn:3x4:pp.p/...p/PPP.:w", "human", "perfect")
        await judged(pilot, app)
        await pilot.press("v", "v")
        win, loss = screen_of(app).glyphs.win, screen_of(app).glyphs.loss
        # c2 loses, so that the pawn's best is its capture.
        assert texts(board_of(app)) == {"a1": f"{loss}1", "b1": f"{loss}1", "c1": f"{win}2!"}
        await pilot.press("right", "right", "enter")
        assert texts(board_of(app)) == {"c2": f"{loss}1", "d2": f"{win}2!"}
        await pressed(pilot, "right", "up")
        told = f"cxd2  {win}2  rule: No safe reply  takes the pawn on d2, only move"
        assert screen_of(app).status() == told
        # The signs can be plain characters.
        app.change("ascii", "on")
        await begun(pilot, "hexapawn:3x4", "human", "perfect")
        await judged(pilot, app)
        await pilot.press("v")
        assert texts(board_of(app))["a1"] == "+3"


class Patient(BruteForce):
    """Never done: it knows that the first move wins within 41 plies, and of the second how long it lasts."""

    asked = 0

    def solve(self, position: Any, control: Control, goal: Goal = Goal.ALL) -> Iterator[Analysis[Any, Any]]:
        if goal is not Goal.ALL:
            yield from super().solve(position, control, goal)
            return
        while not control.stopped:
            with control.within(0.05):
                verdict = self.judge(position, control)
            yield Analysis(position, verdict)
            with control.within(0.05):
                moves = self.judge_moves(position, control)
            yield Analysis(position, verdict, tuple(moves))

    def judge(self, position: Any, control: Control) -> Verdict:
        type(self).asked += 1
        while not control.stopped:
            time.sleep(0.005)
        return DuelVerdict(Proof.BOUND, Value.WIN, at_least=21, at_most=41)

    def judge_moves(self, position: Any, control: Control) -> list[MoveVerdict[Any]]:
        while not control.stopped:
            time.sleep(0.005)
        verdicts = [
            DuelVerdict(Proof.BOUND, Value.WIN, at_least=21, at_most=41),
            DuelVerdict(Proof.BOUND, Value.LOSS, at_least=12, at_most=40),
            DuelVerdict(Proof.BOUND, at_least=7),
        ]
        return [
            MoveVerdict(move, verdict)
            for move, verdict in zip(position.moves(), [*verdicts, *verdicts, *verdicts], strict=False)
        ]


async def test_unsolved_board_shows_bounds_and_stays_playable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(get_game("hexapawn").__dict__, "solver", Patient())
    async with running(app_of("hexapawn:8x8")) as (app, pilot):
        screen = screen_of(app)
        screen.session._engine._move_seconds = 0.2
        await pressed(pilot, "v", until=lambda: bool(texts(board_of(app))))
        words = texts(board_of(app))
        assert [words["a1"], words["b1"], words["c1"]] == ["▴", "▾", "?"]
        await pilot.press("v")
        words = texts(board_of(app))
        assert [words["a1"], words["b1"], words["c1"]] == ["▴<21", "▾>6", "?"]
        await settled(pilot, lambda: "in 11 to 21 moves" in str(screen.query_one(VerdictPanel).content))
        assert "Proved bounds" in str(screen.query_one(VerdictPanel).content)
        asked = Patient.asked
        await settled(pilot, lambda: Patient.asked > asked)
        # The engine answers when its time is over, though nothing is solved.
        await pressed(pilot, "enter", "up", "enter", until=lambda: len(screen.match.plies) == 2)
        assert screen.session.busy
        # Waiting for the solver would never end.
        await pilot.press("q")


def squares() -> list[Square]:
    grounds = (Ground.PLAIN, Ground.HINTED)
    return [
        Square(pawn, dark, ground, cursor, target, tag, ("▾>30!", "▾") if tag else (), plain=False)
        for pawn, dark, ground, cursor, target, tag in product(
            "Pp.", (False, True), grounds, (False, True), (False, True), (None, Tag.LOSS)
        )
    ]


@pytest.mark.parametrize("size", [(36, 18), (28, 14), (16, 8), *PawnGrid.CELL_SIZES])
def test_squares_fill_their_cells_in_every_terminal(size: tuple[int, int]) -> None:
    width, height = size
    for square in squares():
        lines = draw_square(square, width, height)
        assert len(lines) == height
        for line in lines:
            text = "".join(segment.text for segment in line)
            assert len(text) == width
            assert all(unicodedata.east_asian_width(character) in ("N", "Na") for character in text)


@pytest.mark.parametrize("size", [(36, 18), (28, 14), (16, 8), *PawnGrid.CELL_SIZES])
def test_ascii_squares_contain_only_ascii(size: tuple[int, int]) -> None:
    for pawn, cursor, target in product("Pp.", (False, True), (False, True)):
        square = Square(pawn, False, cursor=cursor, target=target, plain=True)
        for line in draw_square(square, *size):
            assert all(segment.text.isascii() for segment in line)


@pytest.mark.parametrize("size", [(36, 18), (28, 14), (16, 8), *PawnGrid.CELL_SIZES])
@pytest.mark.parametrize("plain", [False, True])
def test_pawns_differ_in_shape(size: tuple[int, int], plain: bool) -> None:
    """Without colour: filled characters are told from empty ones by what is drawn as a blank."""

    def shape(pawn: str) -> list[str]:
        lines = draw_square(Square(pawn, False, plain=plain), *size)
        ground = draw_square(Square(".", False, plain=plain), *size)[0][0].style
        return [
            "".join(
                "#" * len(each.text) if each.text.isspace() and each.style != ground else each.text
                for each in line
            )
            for line in lines
        ]

    assert len({tuple(shape(pawn)) for pawn in "Pp."}) == 3


async def test_boards_fit_80x24_or_scroll() -> None:
    async with running(app_of("hexapawn:3x3", "human", "human")) as (app, pilot):
        screen_of(app).session.judging = False
        for size in ("2x32", "8x8", "4x8", "20x3", "2x1"):
            screen_of(app).session.begin(new_match(parse_game_id(f"hexapawn:{size}"), ("human", "human")))
            await pilot.pause()
            assert board_of(app).fit(board_of(app).size) is not None
            rows, columns = map(int, size.split("x"))
            shown = ["".join(segment.text for segment in board_of(app).render_line(y)) for y in range(21)]
            assert any(line.strip().startswith("a") for line in shown), size
            assert any(line.strip().startswith(f"{rows} ") for line in shown), size
            assert str(board_of(app).view.position).count("P") == columns
        # A board that is too tall follows the cursor, and shows each move.
        screen_of(app).session.begin(new_match(parse_game_id("hexapawn:32x2"), ("human", "human")))
        board: Any = board_of(app)

        def rows_in_sight() -> set[str]:
            lines = [board.render_line(y).text.split() for y in range(board.size.height)]
            return {line[0] for line in lines if line}

        await settled(pilot, lambda: {"1", "a"} <= rows_in_sight())
        assert "32" not in rows_in_sight()
        await pressed(pilot, *["up"] * 31, until=lambda: "32" in rows_in_sight())
        assert "1" not in rows_in_sight()
        screen_of(app).session.play(board.position.moves()[0])
        await settled(pilot, lambda: {"1", "2"} <= rows_in_sight())
        # A click means the square that is seen there.
        await pilot.click(board, offset=board.region_of((30, 1)).center)
        assert board.cursor == (30, 1)


async def click_word(pilot: Pilot[None], word: str) -> None:
    lines = str(pilot.app.screen.query_one("#controls", Static).content).splitlines()
    y = next(number for number, line in enumerate(lines) if word in line)
    await clicked(pilot, "#controls", offset=(lines[y].index(word), y))


async def test_position_is_set_up_by_keys_and_played() -> None:
    async with running(app_of("hexapawn:3x3", "perfect", "human")) as (app, pilot):
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 1)
        await pilot.press("command:edit")
        await pilot.press("command:clear", "command:more_rows", "command:more_columns")
        assert setup_of(app).pawns.text() == "..../..../..../....:b"
        await pilot.press("1", "up", "enter", "right", "enter", "enter", "up", "2", "0", "command:turn")
        assert setup_of(app).pawns.text() == "..../..../Pp../P...:w"
        await pilot.press("u", "u", "full_stop", "command:misere", "command:capture")
        assert setup_of(app).pawns.text() == "..../..../Pp../P...:b,misere,capture"
        await pilot.press("command:misere", "command:capture", "command:turn", "p")
        match = screen_of(app).match
        assert str(match.start) == "hexapawn:4x4:..../..../Pp../P...:w"
        assert match.seats == ["perfect", "human"]
        await settled(pilot, lambda: len(match.plies) == 1)
        # What is no position of a game is said and not played.
        await begun(pilot, "hexapawn:3x3", "human", "perfect")
        await pilot.press("command:edit", "up", "up", "1")
        words = "White has a pawn on its last row (a3)"
        assert words in str(setup_of(app).query_one("#controls", Static).content)
        await pilot.press("p")
        assert words in said(app)
        await pilot.press("command:clear", "p")
        assert said(app) == "White to move has no move: the game would be over."
        assert setup_of(app).pawns.text() == ".../.../...:w"
        await pilot.press("q")
        assert screen_of(app).match.position.text() == "ppp/.../PPP:w"


async def test_position_is_set_up_by_mouse_paste_or_typing() -> None:
    async with running(app_of("hexapawn:3x3")) as (app, pilot):
        await pilot.press("command:edit")
        setup = setup_of(app)
        board = setup.query_one(SetupBoard)
        await click_word(pilot, "clear")
        for cell, clicks in (((2, 0), 1), ((1, 1), 2), ((0, 0), 3)):
            for _ in range(clicks):
                region = board.region_of(cell)
                await pilot.click("#setup", offset=(region.x + 1, region.y))
        assert setup.pawns.text() == ".../.p./P..:w"
        dials = setup.query_one(Dials)
        middle, right = dials.size.width // 2, dials.size.width - 1
        for line in (2, 3, 4):
            await pilot.click(Dials, offset=(middle, line))
        assert setup.pawns.text() == ".../.p./P..:b,misere,capture"
        await click_word(pilot, "undo")
        await click_word(pilot, "redo")
        await pilot.click(Dials, offset=(right, 0))
        assert setup.pawns.size == "4x3"
        await click_word(pilot, "play from here")
        assert screen_of(app).match.first.text() == ".../.../.p./P..:b,misere,capture"
        await begun(pilot, "hexapawn:3x3", "human", "perfect")
        await pilot.press("command:edit")
        setup = setup_of(app)
        app.post_message(events.Paste("3\n4\n p p\npP\n  PP\n"))
        await settled(pilot, lambda: setup.pawns.text() == ".p.p/pP../..PP:w")
        await pilot.press("command:type", *"p.p/.../P.P:b", "enter")
        assert setup.pawns.text() == "p.p/.../P.P:b"
        await pilot.press("command:type", *"p.p/.../Q.P", "enter")
        assert "Row 3 from the top" in str(app.screen.query_one(".error", Static).content)
        await pilot.press("escape")
        assert setup.pawns.text() == "p.p/.../P.P:b"
        await pilot.press("y", "u")
        assert app.clipboard == "hexapawn:3x3:p.p/.../P.P:b"
        assert setup.pawns.text() == ".p.p/pP../..PP:w"


@pytest.mark.parametrize(
    "text",
    [
        ".p.p/pP../..PP:w",
        "hexapawn:3x4:.p.p/pP../..PP:w",
        ".p.p\npP..\n..PP:w\n",
        " .p.p\n pP..\n ..PP",
        "3\n4\n p p\npP\n  PP",
    ],
)
def test_all_position_notations_give_the_same_position(text: str) -> None:
    assert read_position(text).text() == ".p.p/pP../..PP:w"


@pytest.mark.parametrize("text", ["", "hexapawn:9x9", "chocobar:3x3", "3\n4\nQ", "ppp/..", "x" * 300])
def test_invalid_position_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as refused:
        read_position(text)
    assert "\n" not in str(refused.value)
    assert str(refused.value).endswith(".")


def test_editor_places_pawns_and_resizes_boards() -> None:
    board = put(put(PawnPosition.full(3, 3), 1, 1, "p"), 0, 0, ".")
    assert board.text() == "ppp/.p./.PP:w"
    assert resized(board, 2, 4).text() == ".p../.PP.:w"
    assert resized(PawnPosition.full(3, 3, capture=True), 4, 5) == PawnPosition.full(4, 5, capture=True)
    refused("64 squares", resized, board, 9, 8)
    assert check(board) == (True, "White to move: 2 legal moves.")
    assert check(read_position("p.p/.../.pP")) == (
        False,
        "Black has reached the last row: the game would be over.",
    )


def after(*keys: str) -> Callable[[Pilot[Any]], Any]:
    async def press(pilot: Pilot[Any]) -> None:
        app = expect(ArcadeApp, pilot.app)
        await judged(pilot, app)
        for key in keys:
            await pressed(pilot, key)
        await settled(
            pilot, lambda: not isinstance(app.screen, HexapawnScreen) or not app.screen.session.busy
        )

    return press


def test_value_overlay_matches_its_picture(snap_compare: Callable[..., bool]) -> None:
    app = app_of("hexapawn:3x4:.ppp/p.../PPP.:w", "human", "human")
    assert snap_compare(app, terminal_size=(80, 24), run_before=after("v", "enter"))


def test_ascii_board_in_light_colours_matches_its_picture(snap_compare: Callable[..., bool]) -> None:
    app = app_of("hexapawn:3x4", "human", "human", theme="arcade-light", ascii="on")
    assert snap_compare(app, terminal_size=(100, 30), run_before=after("v", "right"))


def test_position_editor_matches_its_picture(snap_compare: Callable[..., bool]) -> None:
    app = app_of("hexapawn:3x3", "human", "human")
    assert snap_compare(
        app, terminal_size=(80, 24), run_before=after("command:edit", "command:more_columns", "up", "1")
    )


async def test_machine_loses_its_seat_on_boards_it_cannot_play() -> None:
    store = Store.in_memory()
    seated = new_match(parse_game_id("hexapawn:3x3"), ("human", "HER"), Machines(lambda: store))
    async with at_rest(app_with(seated)) as (app, pilot):
        await pressed(pilot, "command:edit")
        await pressed(pilot, "command:clear", "command:fill", "p")
        assert screen_of(app).match.seats == ["human", "HER"]
        assert not list(app._notifications)
        await pressed(pilot, "command:edit")
        await pressed(pilot, "command:more_rows", "p")
        assert screen_of(app).match.seats == ["human", "perfect"]
        assert screen_of(app).match.parameters["rows"] == 4
        assert "Perfect takes the seat." in said(app)
