from collections.abc import Callable
from typing import Any
from unicodedata import east_asian_width

import pytest
from rich.segment import Segment
from textual import events
from textual.pilot import Pilot

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.tetromino.board import ORIENTATIONS, PIECES
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import DuelVerdict, Verdict
from arcade.play.keymap import DEFAULT_KEYS
from arcade.play.match import Match, new_match
from arcade.play.scene import BoardScene
from arcade.screens.tetromino import (
    SLOTS,
    WORDS,
    HandsPanel,
    Part,
    TetrominoBoard,
    TetrominoScreen,
    drawn,
    layout,
)
from arcade.widgets.keys import Shortcuts
from arcade.widgets.panels import HintPanel, VerdictPanel
from tests.narrow import expect, present
from tests.oracle import BruteForce, Slow
from tests.screens.pilots import (
    app_of,
    at_rest,
    clicked,
    plies_of,
    pressed,
    resized,
    rested,
    running,
    top_screen,
)

pytestmark = pytest.mark.usefixtures("instant")

ONE_WINS = "tetromino:4x4,LO-IS"
"""The first player wins with the O in the middle and with nothing else."""
ALL_VALUES = "tetromino:4x5,LO-OT"
"""Some first moves win, some tie, some lose."""

Compare = Callable[..., bool]


class Ignorant(BruteForce):
    """Knows nothing, at once: for boards that are too large for brute force."""

    def judge(self, position: Any, control: Control) -> Verdict:
        return DuelVerdict()


@pytest.fixture
def ignorant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("tetromino").__dict__, "solver", Ignorant())


def screen_of(app: ArcadeApp) -> TetrominoScreen:
    return top_screen(app, TetrominoScreen)


def board_of(app: ArcadeApp) -> TetrominoBoard:
    return expect(TetrominoBoard, screen_of(app).board)


def held(app: ArcadeApp) -> str:
    board = board_of(app)
    return str(board.move_at(board.cursor))


def rows_of(widget: Any) -> list[str]:
    return ["".join(segment.text for segment in widget.render_line(y)) for y in range(widget.size.height)]


def cell_text(app: ArcadeApp, name: str) -> str:
    """What is written in the middle of a cell such as "b2", or its hatching."""
    board = board_of(app)
    region = board.region_of((board.position.height - int(name[1:]), ord(name[0]) - ord("a")))
    text = rows_of(board)[region.y + (region.height - 1) // 2][region.x : region.right - 1].strip()
    return text.strip(f" {board.glyphs.hatch}") or text


def keys_of(app: ArcadeApp) -> str:
    panel = screen_of(app).query_one(HandsPanel)
    return rows_of(panel)[layout(panel.own).index((Part.KEYS, panel.own))]


def wheel(widget: Any, kind: type[events.MouseEvent]) -> None:
    widget.post_message(kind(widget, 2, 2, 0, 0, 0, False, False, False))


async def click_cell(pilot: Pilot[None], app: ArcadeApp, name: str) -> None:
    board = board_of(app)
    cell = board.position.height - int(name[1:]), ord(name[0]) - ord("a")
    await pilot.click("#board-0", offset=board.region_of(cell).offset)
    await rested(pilot)


def left_of(panel: HandsPanel, piece: str) -> int:
    """The first column of a piece's place, with the gaps as wide as the panel allows."""
    gap = max(1, (panel.size.width - sum(SLOTS.values())) // (len(SLOTS) - 1))
    return sum(
        width + gap for each, width in SLOTS.items() if list(SLOTS).index(each) < list(SLOTS).index(piece)
    )


async def click_piece(pilot: Pilot[None], app: ArcadeApp, piece: str, player: int) -> None:
    panel = screen_of(app).query_one(HandsPanel)
    x = left_of(panel, piece) + 1
    await clicked(pilot, "#hands", offset=(x, layout(panel.own).index((Part.UPPER, player))))


async def click_word(pilot: Pilot[None], word: str) -> None:
    labels = [f"{DEFAULT_KEYS.label(name)} {shown}".strip() for name, shown, _ in WORDS]
    x = sum(len(each) + 2 for each in labels[: labels.index(word)])
    await clicked(pilot, "#hands", offset=(x, len(layout(0)) - 1))


async def begun(pilot: Pilot[None], text: str, *seats: str, judging: bool = True) -> None:
    """Open a match on a new screen, on which nothing has been chosen, in the place of the one on top."""
    app = expect(ArcadeApp, pilot.app)
    app.clear_notifications()
    screen = TetrominoScreen(app.services, new_match(parse_game_id(text), seats or ("human", "human")))
    screen.session.judging = judging
    await app.switch_screen(screen)
    await rested(pilot)


def notes(app: ArcadeApp) -> list[str]:
    return [note.message for note in app._notifications]


async def test_match_is_played_by_keys_and_by_clicks() -> None:
    async with running(app_of(ONE_WINS)) as (app, pilot):
        assert screen_of(app).board.has_focus
        await pilot.press("3", "h", "enter")
        # The other hand has no O, so its first piece is held where it fits, beside the same cell.
        assert held(app) == "I1@b1"
        await pilot.press("space", "w", "up", "k", "enter")
        await rested(pilot)
        assert plies_of(app) == ["O1@b2", "I1@b1", "L2@b4"]
        ended = str(screen_of(app).query_one(VerdictPanel).content)
        assert "First wins: Second has no piece that fits" in ended
        await pilot.press("u", "u", "full_stop")
        assert plies_of(app) == ["O1@b2", "I1@b1"]
        assert "L" in held(app)
        # The same by clicks.
        await begun(pilot, ONE_WINS)
        await click_piece(pilot, app, "O", 0)
        await click_cell(pilot, app, "b2")
        await click_piece(pilot, app, "I", 1)
        await click_cell(pilot, app, "b1")
        for _ in range(4):
            await click_word(pilot, "e rotate")
        await click_cell(pilot, app, "b4")
        assert plies_of(app) == ["O1@b2", "I1@b1", "L2@b4"]
        assert screen_of(app).match.result is not None
        # An engine answers, and the hand comes back.
        await begun(pilot, ONE_WINS, "human", "perfect")
        await pilot.press("3", "h", "enter")
        await rested(pilot, lambda: len(plies_of(app)) == 2)
        assert plies_of(app)[1].startswith("I")
        assert held(app).startswith("L")
        assert [str(laid) for laid in board_of(app).position.laid] == plies_of(app)
        # The next piece is held where it fits, near the last.
        await begun(pilot, "tetromino:4x5,LOT-IOS", "human", "random", judging=False)
        await pilot.press("h", "enter")
        await rested(pilot, lambda: len(plies_of(app)) == 2)
        board = board_of(app)
        assert board.cursor == (1, 1)
        assert board.position.fits(present(board.move_at(board.cursor)))


async def test_illegal_placement_is_refused_and_replies_are_counted() -> None:
    async with running(app_of(ONE_WINS)) as (app, pilot):
        await pilot.press("5")
        assert held(app)[0] == "L"
        assert notes(app) == ["The T is not in this hand. Choose another piece."]
        app.clear_notifications()
        await pilot.press("3", "h")
        assert screen_of(app).status() == "Leaves 4 replies"
        await pilot.press("enter", "k", "enter")
        assert plies_of(app) == ["O1@b2"]
        assert screen_of(app).status() == "Does not fit: b2 is covered"
        assert notes(app) == ["The piece does not fit here. Move it or rotate it."]
        await pilot.press("j", "j", "enter", *"kkk")
        assert screen_of(app).status() == "Leaves no reply"
        await begun(pilot, "tetromino:3x7,O-O")
        await pilot.press(*"jjjj", "enter", *"kkkkkkk")
        assert screen_of(app).status().endswith("Places the last piece")
        # A board may be too narrow for a piece as it is turned.
        await begun(pilot, "tetromino:3x7,I-O")
        assert held(app)[:2] == "I2"
        await pilot.press("e", "enter")
        assert plies_of(app) == []
        assert "sticks out of the board" in screen_of(app).status()
        assert notes(app) == ["The piece does not fit here. Move it or rotate it."]
        await pilot.press("e", "enter")
        assert len(plies_of(app)) == 1


@pytest.mark.usefixtures("ignorant")
async def test_pieces_are_chosen_rotated_and_moved_by_keys() -> None:
    async with running(app_of("tetromino:5x8")) as (app, pilot):
        # The rim pushes the piece in, and no key is lost.
        await pilot.press(*"hhhhh")
        assert held(app) == "I1@b4"
        await pilot.press("l")
        assert held(app) == "I1@c4"
        await pilot.press("e", *"kkkkkkkkk")
        assert held(app) == "I2@c7"
        await pilot.press("j")
        assert held(app) == "I2@c6"
        # A piece keeps its place while it is turned, and as it was turned when it is taken again.
        await begun(pilot, "tetromino:5x8")
        await pilot.press("2")
        shown = [held(app)]
        for key in ("e", "e", "f", "E"):
            await pilot.press(key)
            shown.append(held(app))
        assert [text[:2] for text in shown] == ["L2", "L3", "L4", "L6", "L5"]
        assert len({text[2:] for text in shown}) == 1
        for key, piece in (("tab", "O"), ("tab", "S"), ("tab", "T"), ("tab", "I"), ("5", "T"), ("4", "S")):
            await pilot.press(key)
            assert held(app)[0] == piece
        await pilot.press("2")
        assert held(app)[:2] == "L6"
        # A tiny terminal keeps the piece in hand.
        await pilot.press("k")
        before = held(app)
        await resized(pilot, 30, 8)
        assert app.screen.query("#too-small")
        await resized(pilot, 80, 24)
        assert held(app) == before
        # A piece is taken as the hand shows it.
        await begun(pilot, "tetromino:5x8")
        board, panel = board_of(app), screen_of(app).query_one(HandsPanel)

        def in_hand(piece: str) -> set[tuple[int, int]]:
            """The cells of one of the first player's pieces as they are drawn in the hand."""
            left = left_of(panel, piece)
            rows = [row[left : left + SLOTS[piece]] for row in rows_of(panel)[1:3]]
            return {(x, y) for y, row in enumerate(rows) for x in range(4) if row[2 * x : 2 * x + 1] == "["}

        for piece, turns in (("L", ("", "e", "f")), ("I", ("", "e"))):
            for each in turns:
                await pilot.press("4")
                cells = in_hand(piece)
                await pilot.press(str(PIECES.index(piece) + 1))
                over = present(board.move_at(board.cursor))
                left, top = min(x for x, _ in over.cells), max(y for _, y in over.cells)
                assert {(x - left, top - y) for x, y in over.cells} == cells == in_hand(piece)
                await pilot.press(*each)


@pytest.mark.usefixtures("ignorant")
async def test_pieces_are_rotated_and_moved_by_mouse() -> None:
    async with at_rest(app_of("tetromino:5x8")) as (app, pilot):
        # The piece follows the mouse.
        board = board_of(app)
        await pilot.hover("#board-0", offset=board.region_of((2, 1)).offset)
        assert held(app) == "I1@b6"
        await pilot.hover("#board-0", offset=board.region_of((7, 0)).offset)
        assert held(app) == "I1@b1"
        # The wheel and the words turn it.
        await pilot.press("2")
        wheel(board_of(app), events.MouseScrollDown)
        await pilot.pause()
        assert held(app)[:2] == "L3"
        wheel(screen_of(app).query_one(HandsPanel), events.MouseScrollUp)
        await pilot.pause()
        assert held(app)[:2] == "L2"
        await click_piece(pilot, app, "L", 0)
        assert held(app)[:2] == "L8"
        await click_word(pilot, "f flip")
        assert held(app)[:2] == "L2"
        await click_word(pilot, "f flip")
        assert held(app)[:2] == "L8"
        await click_piece(pilot, app, "T", 1)
        assert held(app)[:2] == "L8"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("5x8", "I1@c4"),
        ("5x8:...../...../...../..#../..#../..#../..#../.....:ILOST-LOST:1", "I1@c6"),
        ("5x8:...../...../#####/#####/#####/#####/#####/.....:ILOST-ILOST:1", "I1@c1"),
        ("3x7,I-O", "I2@b4"),
        ("4x4:####/..##/..##/####:ILO-O:1", "O1@a2"),
    ],
)
def test_first_held_piece_starts_at_a_legal_place(text: str, first: str) -> None:
    position = parse_game_id(f"tetromino:{text}").start()
    board = TetrominoBoard(BoardScene(position, position, playable=True))
    assert str(board.move_at(board.cursor)) == first


async def test_board_symbols_show_fit_pieces_and_dead_cells() -> None:
    async with running(app_of(ONE_WINS)) as (app, pilot):
        await pilot.press("3", "h")
        assert [cell_text(app, cell) for cell in ("b2", "c2", "b3", "c3", "a1")] == [
            *"OOOO",
            "\N{BULLET OPERATOR}",
        ]
        await pilot.press("enter", "k")
        assert [cell_text(app, cell) for cell in ("a2", "b2", "d2")] == ["\N{BALLOT X}"] * 3
        await pilot.press("j")
        assert [cell_text(app, cell) for cell in ("a1", "b1", "b2")] == ["i", "i", "[O]"]
        # Laid pieces keep their outline.
        await begun(pilot, ONE_WINS)
        await pilot.press("3", "h", "enter", "j", "enter", "e", *"kkk")
        board = board_of(app)
        numbers = {
            name: (ord(name[0]) - ord("a")) + 4 * (int(name[1]) - 1) for name in ("b1", "b2", "c2", "b3")
        }
        assert board._wall(numbers["b1"], numbers["b2"])
        assert not board._wall(numbers["b2"], numbers["c2"])
        assert not board._wall(numbers["b2"], numbers["b3"])
        assert "OO" in str(board.view.position).replace(" ", "")
        assert str(board.view.position).splitlines()[3] == " 1 i i i i"
        # A pasted position knows no pieces, only that cells are covered.
        await pressed(pilot, "command:open_match", *board.position.text(), "enter")
        assert str(board_of(app).view.position).splitlines()[3] == " 1 # # # #"
        # Dead cells are hatched on request.
        await begun(pilot, "tetromino:4x4:..#./.##./####/....:L-I:1")
        await pilot.press(*"jjj")
        hatch = screen_of(app).glyphs.hatch
        assert hatch not in cell_text(app, "d4")
        await pilot.press("command:dead_cells")
        assert set(cell_text(app, "d4")) == {hatch}
        assert hatch not in cell_text(app, "a1")
        await pilot.press("command:dead_cells")
        assert hatch not in cell_text(app, "d4")


def test_pasted_position_is_saved_and_resumed() -> None:
    match = new_match(parse_game_id("tetromino:4x4:..../.##./.##./####:L-S:1"), ("human", "human"))
    match.play(match.game.parse_move("L2@b4", match.position))
    again = Match.from_record(match.record())
    assert str(again.start) == str(match.start)
    assert again.moves == match.moves
    assert again.position == match.position


@pytest.mark.usefixtures("ignorant")
async def test_both_hands_are_drawn_beside_every_board() -> None:
    async with at_rest(app_of("tetromino:4x4,ILOST-IS")) as (app, pilot):
        rows = rows_of(screen_of(app).query_one(HandsPanel))
        assert rows[1].count("[]") + rows[2].count("[]") == 20
        assert rows[5].count("[]") + rows[6].count("[]") == 8
        assert keys_of(app).split() == f"{screen_of(app).glyphs.turn}1 I 2 L 3 O 4 S 5 T".split()
        await pilot.press("3", "enter")
        rows = rows_of(screen_of(app).query_one(HandsPanel))
        assert rows[1].count("[]") + rows[2].count("[]") == 16
        assert keys_of(app).split()[1:] == ["I", "4", "S"]
        # Used pieces stay as dim shapes.
        panel = screen_of(app).query_one(HandsPanel)
        dot = screen_of(app).glyphs.dot
        used = [each for y in (1, 2) for each in panel.render_line(y) if each.text == f"{dot} "]
        assert len(used) == 4
        left = [each for y in (1, 2) for each in panel.render_line(y) if each.text == "[]"]

        def light(segment: Segment) -> int:
            assert segment.style
            assert segment.style.bgcolor
            return sum(segment.style.bgcolor.get_truecolor())

        assert max(map(light, used)) < min(map(light, left)) / 2
        # A hand has its owner's name, and only one's own has keys.
        await begun(pilot, "tetromino:4x4,ILOST-IS", "random", "human")
        await rested(pilot, lambda: len(plies_of(app)) == 1)
        rows = rows_of(screen_of(app).query_one(HandsPanel))
        assert rows[0].split() == ["First", "Random"]
        assert rows[3].split()[-2:] == ["Second", "You"]
        assert "1 I" in rows[6]
        assert [number for number, row in enumerate(rows) if "4 S" in row] == [6]
        assert not screen_of(app).query_one("#seats").display
        # Boards fit 80x24 with the hands.
        for size in ("5x8", "6x8", "4x10", "8x8", "10x4", "4x16", "21x3"):
            screen_of(app).session.begin(new_match(parse_game_id(f"tetromino:{size}"), ("human", "human")))
            await pilot.pause()
            assert "needs" not in "".join(rows_of(board_of(app))), size
            hands = screen_of(app).query_one(HandsPanel).region
            assert hands.height == 8
            assert hands.width >= 34
            assert hands.bottom < 24
        # A board without room is copied as it is.
        await begun(pilot, "tetromino:5x8")
        await resized(pilot, 1, 1)
        screen = screen_of(app)
        screen.session.play(screen.match.position.moves()[0])
        assert str(screen.board.view.position).count("I") == 4


def test_every_orientation_fits_two_lines() -> None:
    for piece in PIECES:
        for orientation in range(1, len(ORIENTATIONS[piece]) + 1):
            cells = drawn(piece, orientation)
            assert len(cells) == 4
            assert {line for _, line in cells} <= {0, 1}


@pytest.mark.usefixtures("patient")
async def test_value_overlay_hint_and_review_work_on_the_board() -> None:
    async with at_rest(app_of(ALL_VALUES)) as (app, pilot):
        glyphs = screen_of(app).glyphs
        await pilot.press("v", "v", "3", *"llljjj")
        assert held(app) == "O1@c1"
        assert screen_of(app).status().startswith(f"{glyphs.tie}2  ")
        for cell, text in {
            "b2": f"{glyphs.win}2",
            "b4": f"{glyphs.win}2",
            "a3": f"{glyphs.tie}2",
            "d5": glyphs.dot,
        }.items():
            assert cell_text(app, cell) == text, cell
        await pilot.press("2")
        board = board_of(app)
        analysis = BruteForce().moves(board.position, Control())
        for each in analysis:
            if each.move.piece == "L" and each.move.orientation == 2:
                name = str(each.move)[3:]
                if cell_text(app, name) != "L":
                    assert cell_text(app, name) == glyphs.verdict(each.verdict), name
        keys = keys_of(app)
        assert f"L{glyphs.tie}2" in keys
        assert f"O{glyphs.win}" in keys
        await pilot.press("v")
        assert glyphs.tie not in "".join(rows_of(board))
        # The steps of a hint, and its line on the board.
        await begun(pilot, ONE_WINS)
        screen = screen_of(app)
        await pilot.press("i")
        await rested(pilot, lambda: screen.session.state.hint is not None)
        panel = screen.query_one(HintPanel)
        assert "Use the O." in str(panel.content)
        assert "O1@b2" not in str(panel.content)
        await pilot.press("i", "2", *"jjj")
        assert cell_text(app, "c3") == screen_of(app).glyphs.turn
        await pilot.press("i")
        assert "It wins against every defence." in str(panel.content)
        counts = []
        for key in (".", ".", ".", ","):
            await pilot.press(key)
            counts.append(len(board_of(app).position.laid))
        assert counts == [1, 2, 3, 2]
        assert plies_of(app) == []
        # The hint has room for all its steps although the hands are there.
        assert panel.region.bottom <= 23
        await pilot.press("escape", "escape")
        assert board_of(app).position.laid == ()
        assert not panel.display
        # A review says how to go on, also where an engine moved.
        match = new_match(parse_game_id("tetromino:4x5,LOT-IOS"), ("human", "random"))
        match.play(match.position.moves()[0])
        match.play(match.position.moves()[0])
        match.resign(0)
        screen.session.begin(match)
        # The review begins when the screen has been painted.
        await rested(pilot, lambda: all(ply.mark for ply in match.line))
        await pressed(pilot, "comma")
        assert screen_of(app).match.player_to_move == "random"
        status = screen_of(app).query_one("#status", Shortcuts)
        assert str(status.render()) == ", back   . on   m next mistake   t replay"
        # The piece in hand comes when somebody turns it.
        await pressed(pilot, "e")
        pointed, ways = str(status.render()).splitlines()
        assert pointed == screen_of(app).status()
        assert ways == ", back   . on   m next mistake   t replay"


async def test_undo_and_quit_work_while_the_engine_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("tetromino").__dict__, "solver", Slow())
    async with running(app_of(ONE_WINS, "human", "perfect")) as (app, pilot):
        await pressed(pilot, "3", "enter", until=lambda: screen_of(app).session.busy and plies_of(app))
        # Keys that handle the piece do no harm meanwhile.
        await pilot.press("1", "e", "f", "command:dead_cells", "tab", "enter")
        assert len(plies_of(app)) == 1
        await pilot.press("u")
        assert plies_of(app) == []
        # Waiting for the solver would never end.
        await pilot.press("q")


async def test_every_character_is_one_column_wide() -> None:
    async with at_rest(app_of(ALL_VALUES)) as (app, pilot):
        for keys in ("v", "enter", "3", "e", "iii", "jenter"):
            await pilot.press(*(["enter"] if keys == "enter" else keys.removesuffix("enter")))
            await rested(pilot)
            for plain in ("on", "off"):
                app.change("ascii", plain)
                drawn = "".join(rows_of(board_of(app)) + rows_of(screen_of(app).query_one(HandsPanel)))
                assert {sign for sign in drawn if east_asian_width(sign) not in ("N", "Na")} == set()
                assert (plain == "off") or drawn.isascii()


def test_small_board_is_drawn_sideways_and_never_empty() -> None:
    position = expect(Tetrominoes, get_game("tetromino").new({}))
    board = TetrominoBoard(BoardScene(position, position), small=True)
    assert board.shape == (5, 8)
    assert board.position.occupied
    after = position.play(position.moves()[0])
    assert TetrominoBoard(BoardScene(after, position), small=True).position == after


# Pictures.

GAME_KEYS = (*"3h", "enter", *"1ell", "enter", "v", "command:dead_cells", *"2fhhj")


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("theme", ["arcade-dark", "arcade-light"])
def test_match_in_play_matches_its_picture(snap_compare: Compare, theme: str) -> None:
    app = app_of("tetromino:4x5,LOT-IOS", theme=theme)

    async def play(pilot: Pilot[None]) -> None:
        await rested(pilot)
        for key in GAME_KEYS:
            await pilot.press(key)
            await rested(pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=play)
