"""Games of other packages that bring no screen of their own: the plain screen and its list of moves."""

from functools import partial

import pytest
from textual import events
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.screens import demonstration, exercises, games, match_opening
from arcade.screens.match import MatchScreen
from arcade.widgets.board import ListBoard
from tests.narrow import expect
from tests.screens.pilots import app_with, match_of, play_next, plies_of, running, settled
from tests.screens.starts import came, hand, key_event, send, settle, until

pytestmark = pytest.mark.usefixtures("instant")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat all games as if they came from other packages."""
    for module in (demonstration, exercises, games, match_opening):
        monkeypatch.setattr(module, "screen_class", lambda name: MatchScreen)


def opened(app: ArcadeApp, text: str) -> bool:
    return isinstance(app.screen, MatchScreen) and str(app.screen.match.start).startswith(text)


async def test_opening_more_games_does_not_stack_screens() -> None:
    async with running(app_with(match_of("chocobar:3x4"))) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MatchScreen) and app.screen.is_mounted)
        for text in ("hexapawn:3x3", "chocobar:2x2", "menace", "hexapawn:3x3"):
            hand(app, key_event("command:open_match"), events.Paste(text), key_event("enter"))
            await settled(pilot, partial(opened, app, text))
            assert len(app.screen_stack) == 2
        await send(pilot, key_event("q"))
        assert len(app.screen_stack) == 1


async def test_move_is_chosen_from_the_list() -> None:
    async with running(app_with(match_of("chocobar:3x4"))) as (app, pilot):
        screen = await came(pilot, MatchScreen)
        screen.board.focus()
        move = screen.match.position.moves()[1]
        await send(pilot, *map(key_event, ("home", "down", "enter")))
        assert plies_of(app) == [str(move)]

        # A row of a position that has gone is no move.
        screen = await play_next(pilot, match_of("chocobar:3x4"))
        rows = screen.board.query_one(OptionList)
        last = rows.option_count - 1
        option = rows.get_option_at_index(last)
        for message in (OptionList.OptionHighlighted, OptionList.OptionSelected):
            screen.session.play(screen.match.position.moves()[-1])
            rows.post_message(message(rows, option, last))
            await settle(pilot)
        assert len(plies_of(app)) == 2
        assert rows.option_count <= last

        # The row under the cursor stays when the values come.
        screen = await play_next(pilot, match_of("chocobar:3x4"))
        board = expect(ListBoard, screen.board)
        board.focus()
        await send(pilot, *map(key_event, ("home", "down", "down", "v")))
        await settled(pilot, lambda: bool(board.view.values))
        assert board.query_one(OptionList).highlighted == 2
