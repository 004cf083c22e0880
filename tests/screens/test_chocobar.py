from itertools import product

import pytest
from textual.geometry import Size

from arcade.app import ArcadeApp
from arcade.engines.chocobar.rules import Bite
from arcade.engines.control import Control
from arcade.engines.registry import parse_game_id
from arcade.play.match import Match, new_match
from arcade.play.scene import Cell
from arcade.screens.chocobar import ChocobarBoard
from arcade.screens.match import MatchScreen
from arcade.widgets.board import Board
from arcade.widgets.panels import HintPanel
from tests.narrow import expect
from tests.screens.pilots import app_with, at_rest, pressed, resized

pytestmark = pytest.mark.usefixtures("instant")


def match_of(text: str, moves: str = "") -> Match:
    match = new_match(parse_game_id(text), ("human", "human"))
    for move in moves.split():
        match.play(match.game.parse_move(move, match.position))
    match.learn(match.position, match.game.solver.moves(match.position, Control()))
    return match


def app_of(text: str, moves: str = "") -> ArcadeApp:
    return app_with(match_of(text, moves))


def board_of(app: ArcadeApp) -> ChocobarBoard:
    return expect(ChocobarBoard, expect(MatchScreen, app.screen).board)


def written(board: ChocobarBoard, cell: Cell, width: int = 6, height: int = 3) -> str:
    return "\n".join("".join(each.text for each in line) for line in board.draw(*cell, width, height))


def grounds(board: ChocobarBoard, cell: Cell) -> set[str]:
    return {str(each.style.bgcolor) for line in board.draw(*cell, 6, 3) for each in line if each.style}


async def test_every_square_is_drawn_and_described() -> None:
    async with at_rest(app_of("chocobar:3x4", "2,3")) as (app, pilot):
        # The cursor can be seen on every square.
        board = board_of(app)
        for size, cell in product(
            ((28, 14), *ChocobarBoard.CELL_SIZES), ((0, 0), (0, 1), (1, 1), (1, 2), (2, 3))
        ):
            board.cursor = (1, 0) if cell == (0, 0) else (0, 0)
            before = board.draw(*cell, *size)
            board.cursor = cell
            assert board.draw(*cell, *size) != before
        # The last bite is marked where it was made.
        assert "◉" in written(board, (1, 2))
        assert "◉" not in written(board, (1, 3)) + written(board, (2, 2))
        # Every square says what can be done with it.
        said = {}
        for cell in ((0, 0), (0, 1), (2, 3)):
            board.cursor = cell
            said[cell] = board.prompt()
        assert said == {
            (0, 0): "Choose a square to bite (not the poison).",
            (0, 1): "Your move.",
            (2, 3): "This square has been eaten. Choose another.",
        }
        for cell in ((0, 0), (2, 3)):
            board.cursor = cell
            await pilot.press("enter")
        notes = [each.message for each in app._notifications]
        assert notes == [
            "This square is the poison. Choose another.",
            "This square has been eaten. Choose another.",
        ]
        # In a lost bar the bite that holds out longest stands out.
        await pressed(pilot, "v")
        best = {(each.move.row - 1, each.move.column - 1) for each in board.view.values if each.best}
        others = {(each.move.row - 1, each.move.column - 1) for each in board.view.values} - best
        assert best
        assert others
        assert not set.union(*(grounds(board, cell) for cell in best)) <= set.union(
            *(grounds(board, cell) for cell in others)
        )


async def test_poison_seams_and_board_size_are_drawn() -> None:
    async with at_rest(app_of("chocobar:3x4")) as (app, pilot):
        # The poison is green and crossed out, under the cursor too.
        board = board_of(app)
        for size, board.cursor in product(((2, 1), (3, 1), (4, 2), (8, 4)), ((0, 0), (1, 1))):
            lines = board.draw(0, 0, *size)
            signs = [each for line in lines for each in line if set(each.text) & set("X▞▚")]
            assert signs
            for each in signs:
                assert each.style
                assert each.style.bgcolor
                red, green, blue = each.style.bgcolor.get_truecolor()
                assert green > max(red, blue)
        # A seam runs below every row.
        high = [each for each in ChocobarBoard.CELL_SIZES if each[1] > 1]
        for size, cell in product(high, ((0, 1), (1, 0), (1, 1))):
            assert written(board, cell, *size).endswith("_" * (size[0] - 1) + " ")
            assert "_" not in "".join(written(board, cell, *size).splitlines()[:-1])
        # The square under the cursor may be eaten meanwhile.
        screen = expect(MatchScreen, app.screen)
        screen.session.begin(match_of("chocobar:3x3"))
        board.cursor = (2, 2)
        await pilot.pause()
        pointed = Board.Pointed(board, Bite(3, 3))
        assert "Eats 1" in screen.status()
        await pressed(pilot, "i", "i", "i", until=lambda: screen.session.state.hint_whole)
        await pressed(pilot, ".", until=lambda: screen.session.state.walked == 1)
        assert "eats" not in screen.status()
        # What was pointed at before comes late.
        board.post_message(pointed)
        await pilot.pause()
        assert "eats" not in screen.status()
        # A small bar fills a large terminal.
        await resized(pilot, 160, 50)
        screen.session.begin(match_of("chocobar:5x6"))
        await pilot.pause()
        width, height = board.fit(board.size) or (0, 0)
        assert 6 * width > board.size.width * 0.8
        assert board.fit(Size(26, 8)) == (3, 1)
        assert height == width // 2


async def test_hint_panel_explains_the_board_where_its_rule_applies() -> None:
    async with at_rest(app_of("chocobar:5x6:6.5.3.3.3")) as (app, pilot):
        screen = expect(MatchScreen, app.screen)
        await pressed(pilot, "i", "i", "i", until=lambda: screen.session.state.hint_whole)
        panel = screen.query_one(HintPanel)
        assert "2  Play" in str(panel.content)
        await pressed(pilot, ".", until=lambda: screen.session.state.walked == 1)
        await pilot.pause()
        assert "2  Play" not in str(panel.content)
        assert "Rule: One apart." in str(panel.content)
        assert "Only two rows are left, with 6 and 5 squares." in str(panel.content)
