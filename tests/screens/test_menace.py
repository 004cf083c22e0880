import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.menace import box as beads
from arcade.engines.menace.archive import from_json
from arcade.engines.menace.box import find_boxes
from arcade.engines.menace.machine import Machine
from arcade.engines.menace.rules import SYMMETRIES
from arcade.engines.menace.training import RANDOM, Training
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.warmer import Warmer
from arcade.play.boxes import OpenBox, Taught
from arcade.play.match import HUMAN, new_match
from arcade.play.scene import BoardScene
from arcade.screens import rooms
from arcade.screens.dialogs import Question
from arcade.screens.games import MenaceScreen
from arcade.screens.laboratory import LaboratoryScreen
from arcade.screens.match import MatchScreen
from arcade.screens.open_box import REWARD_SECONDS
from arcade.services import Services
from arcade.store.store import open_store
from arcade.widgets.boxes import BoxPanel
from arcade.widgets.glyphs import (
    ASCII,
    BAR,
    BEADS,
    EMPTY_GLYPHS,
    LEVELS,
    UNICODE,
    dots,
    error_glyph,
    error_percent,
)
from arcade.widgets.keys import KeyFooter, Shortcuts
from arcade.widgets.panels import HintPanel, MoveList
from arcade.widgets.tic_tac_toe_board import FULL, TicTacToeBoard, cross, mark_lines, nought
from tests.narrow import expect, present
from tests.screens.pilots import (
    at_rest,
    painted,
    pressed,
    reached,
    resized,
    rested,
    running,
    set_up,
    settled,
    top_screen,
)


def app_of(*seats: str, text: str = "menace", seed: int = 1, **settings: str) -> ArcadeApp:
    app = ArcadeApp(warm=False)
    app.opening = new_match(parse_game_id(text), seats or ("MENACE", HUMAN), app.services.machines, seed)
    set_up(app, **({"calm": "on"} | settings))
    if "theme" in settings:
        app.theme = settings["theme"]
    return app


def screen_of(app: ArcadeApp) -> MatchScreen:
    return top_screen(app, MatchScreen)


def panel_of(app: ArcadeApp) -> BoxPanel:
    return screen_of(app).query_one(BoxPanel)


def text_of(panel: BoxPanel) -> str:
    return "\n".join("".join(segment.text for segment in line) for line in panel._lines)


def ready(app: ArcadeApp) -> Callable[[], bool]:
    """Whether a person can move, or nobody can, and the box is on show."""

    def found() -> bool:
        screen = app.screen
        return (
            isinstance(screen, MatchScreen)
            and screen.match.to_move in (HUMAN, None)
            and not screen.session.busy
            and bool(screen.session.state.machines)
        )

    return found


async def play_by_keys(app: ArcadeApp, pilot: Pilot[None]) -> None:
    screen = screen_of(app)
    await settled(pilot, ready(app))
    while screen.match.result is None:
        to = screen.match.position.moves()[0].index
        board = expect(TicTacToeBoard, screen.board)
        row, column = board.cursor
        keys = ["down" if to // 3 > row else "up"] * abs(to // 3 - row)
        keys += ["l" if to % 3 > column else "a"] * abs(to % 3 - column)
        await pilot.press(*keys, "enter")
        await settled(pilot, ready(app))


async def test_a_whole_game_by_keys_teaches_the_machine() -> None:
    async with running(app_of()) as (app, pilot):
        screen = expect(MenaceScreen, screen_of(app))
        await play_by_keys(app, pilot)
        result = present(screen.match.result)
        shown = expect(Taught, panel_of(app).shown)
        assert shown.shown >= len(shown.changes) > 0
        reward = {0: 3, 1: -1, None: 1}[result.winner]
        assert all(change.change == reward for change in shown.changes)
        assert f"{reward:+d}" in text_of(panel_of(app))
        assert "1 game" in text_of(panel_of(app))
    with open_store() as store:
        kept = from_json(store.machines()["MENACE"])
        assert kept.games == 1
        assert store.matches()[0].record.taught is True
        fresh: Any = Machine("MENACE")
        changed = [at for at, word in enumerate(kept.beads) if word != fresh.beads[at]]
        assert len(changed) == len(shown.changes)


async def test_a_whole_game_by_clicks() -> None:
    async with running(app_of(seed=2)) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, ready(app))
        while screen.match.result is None:
            to = screen.match.position.moves()[-1].index
            board: Any = screen.board
            await pilot.click("#board-0", offset=board.region_of((to // 3, to % 3)).center)
            await settled(pilot, ready(app))
        assert screen.match.taught
        # The words under the board lead to the boxes, as a click on the open box does.
        await pilot.click(BoxPanel)
        await settled(pilot, lambda: type(app.screen).__name__ == "WallScreen")
        await pilot.click("#filters", offset=(16, 0))
        await pilot.press("q")
        await pilot.click("#rooms", offset=(20, 0))
        await settled(pilot, lambda: type(app.screen).__name__ == "LaboratoryScreen")
        await reached(pilot, MenaceScreen, "q")


async def test_a_taken_cell_and_a_finished_board_are_refused() -> None:
    async with running(app_of()) as (app, pilot):
        await settled(pilot, ready(app))
        screen = screen_of(app)
        at = screen.match.plies[0].move.index
        board: Any = screen.board
        board.cursor = (at // 3, at % 3)
        await pilot.press("enter")
        assert len(screen.match.plies) == 1
        assert len(app._notifications) == 1


async def test_the_open_box_says_how_the_move_came_about() -> None:
    async with running(app_of(text="menace:.OX......", seed=5)) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, ready(app))
        shown = expect(OpenBox, panel_of(app).shown)
        assert shown.draw is not None
        assert shown.draw.move == screen.match.plies[-1].move
        assert shown.position == screen.match.first
        assert shown.opening is not None
        text = text_of(panel_of(app))
        # The board as it was played, not as it lies on the box.
        assert shown.opening.box.position != screen.match.first
        assert shown.opening.symmetry.name in text
        assert f"box {shown.opening.box.index + 1} of 304" in text
        assert f"{shown.draw.count / shown.draw.total:.0%}" in text
        assert text.count("picked") == 1
        # A colour with few beads shows each of them, beside the name that the square has on the board.
        assert f"{shown.draw.move}" in text
        assert dots(1, UNICODE) in text
        # Perfect play's mark: the sign and number that the overlay has.
        await settled(pilot, lambda: screen.match.analysis(screen.match.first) is not None)
        for each in screen.match.analysis(screen.match.first) or []:
            assert UNICODE.verdict(each.verdict) in text
        # The cells of the panel lie as those of the board: a bead on the left of the upper row, then marks.
        upper = text_of(panel_of(app)).splitlines()[2]
        assert upper[:2] == "a3"
        assert all(any(mark in part for mark in "▛▜▟▙") for part in (upper[11:21], upper[22:]))


async def test_the_open_box_keeps_the_truth_to_itself_until_the_player_asks() -> None:
    """Where the machine's move loses the next one wins, so its value is as good as a hint."""
    async with running(app_of(text="menace:.OX......", seed=5, coach="mistakes")) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, ready(app))
        await settled(pilot, lambda: screen.match.analysis(screen.match.first) is not None)
        signs = [UNICODE.verdict(each.verdict) for each in screen.match.analysis(screen.match.first) or []]
        assert not any(sign in text_of(panel_of(app)) for sign in signs)
        await pressed(pilot, "v")
        assert all(sign in text_of(panel_of(app)) for sign in signs)


@pytest.mark.parametrize("number", range(8))
async def test_the_shown_counts_are_those_of_the_box_seen_through_the_symmetry(number: int) -> None:
    """The oracle: the beads of the box's own cells, moved by the symmetry as a plain table."""
    boxes = find_boxes("menace", "", 0, Machine("any").options.box_set, True)
    machine: Any = Machine("Marked")
    home = boxes.by_text["XO......."]
    machine.beads[home.index] = beads.pack({slot: slot + 1 for slot in home.moves})
    cells = SYMMETRIES[number][1]
    seen = ["."] * 9
    for cell, mark in enumerate("XO......."):
        seen[cells[cell]] = mark
    shown = OpenBox.now(machine, parse_game_id("menace:" + "".join(seen)).start())
    assert shown.opening is not None
    counts = {move.index: beads.count(shown.word, slot) for move, slot in shown.opening.slots.items()}
    assert counts == {cells[slot]: slot + 1 for slot in home.moves}


async def test_how_the_board_lies_in_its_box_is_said_in_full() -> None:
    app, names = app_of("MENACE", HUMAN), set()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, ready(app))
        for _, cells in SYMMETRIES:
            seen = ["."] * 9
            for cell, mark in zip((0, 1, 5, 2), "XOXO", strict=True):
                seen[cells[cell]] = mark
            start = parse_game_id(f"menace:{''.join(seen)}")
            rooms.open_match(app, new_match(start, ("MENACE", HUMAN), app.services.machines))
            await settled(pilot, ready(app))
            shown = expect(OpenBox, panel_of(app).shown)
            assert shown.opening is not None
            words = text_of(panel_of(app)).splitlines()[1]
            assert words.startswith(f"Box {shown.opening.symmetry.name}")
            assert len(words) <= panel_of(app).size.width
            names.add(shown.opening.symmetry.name)
    assert len(names) == len(SYMMETRIES)


async def test_a_count_of_three_digits_stands_apart_from_its_cell() -> None:
    app = app_of("MENACE", HUMAN)
    machine: Any = Machine("MENACE")
    machine.beads[0] = beads.pack({1: 115, 4: 3})
    app.services.machines.keep(machine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, ready(app))
        assert "b3 115 " in text_of(panel_of(app))
        await resized(pilot, 120, 40)
        assert re.search(r"b3 115 +97%", text_of(panel_of(app)))
        assert re.search(r"b2  3 +3%", text_of(panel_of(app)))


async def test_the_lesson_is_shown_box_by_box_and_can_be_skipped() -> None:
    assert REWARD_SECONDS <= 0.2
    async with running(app_of(seed=3, text="menace:XO.......")) as (app, pilot):
        await play_by_keys(app, pilot)
        screen = screen_of(app)
        boxes = len(screen.session.state.rewards[0].changes)
        assert boxes >= 2
        set_up(app, calm="off")

        def revealed() -> int:
            return expect(Taught, screen.box.shown).shown

        screen.box.moved(screen.scene, screen.scene)
        screen.show()
        assert revealed() == 0
        await settled(pilot, lambda: 0 < revealed() < boxes)
        await pilot.press("enter")
        assert revealed() == boxes
        screen.box.moved(screen.scene, screen.scene)
        screen.show()
        await settled(pilot, lambda: revealed() == boxes, seconds=boxes * 0.2 + 1)


async def test_beads_move_after_the_last_move_until_any_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.screens.open_box.REWARD_SECONDS", 1000.0)
    async with running(app_of(seed=3, text="menace:XO.......", calm="off")) as (app, pilot):
        await play_by_keys(app, pilot)
        box, changes = screen_of(app).box, screen_of(app).session.state.rewards[0].changes
        assert len(changes) >= 2
        assert expect(Taught, box.shown).shown == 0
        # A key that does nothing else.
        await pilot.press("f12")
        assert expect(Taught, box.shown).shown == len(changes)


async def test_a_match_teaches_once_even_when_it_is_played_to_an_end_again() -> None:
    async with running(app_of()) as (app, pilot):
        await play_by_keys(app, pilot)
        await pilot.press("u")
        await settled(pilot, ready(app))
        assert isinstance(panel_of(app).shown, OpenBox)
        await play_by_keys(app, pilot)
    with open_store() as store:
        assert from_json(store.machines()["MENACE"]).games == 1


async def test_watching_two_machines_shows_the_box_of_the_last_move_and_teaches_both() -> None:
    async with running(app_of("MENACE", "MENACE", seed=4)) as (app, pilot):
        screen = screen_of(app)
        screen.session.state = replace(screen.session.state, speed=5)
        await settled(pilot, lambda: len(screen.session.state.machines) == 2)
        await pilot.press("full_stop")
        await settled(pilot, lambda: len(screen.match.plies) == 1 and not screen.session.busy)
        shown = expect(OpenBox, panel_of(app).shown)
        assert shown.machine.name == "MENACE"
        assert shown.draw is not None
        await pilot.press("full_stop")
        await settled(pilot, lambda: len(screen.match.plies) == 2 and not screen.session.busy)
        shown = expect(OpenBox, panel_of(app).shown)
        assert shown.machine.name == "MENACE-O"
        await pressed(pilot, "p", until=lambda: screen.match.result is not None)
    with open_store() as store:
        assert store.machine_names() == ["MENACE", "MENACE-O"]


async def test_an_empty_first_box_refuses_and_fresh_beads_are_offered() -> None:
    app = app_of()
    empty = app.services.machines.copy("MENACE")
    empty.beads[0] = 0
    empty.won = 7
    app.services.machines.keep(empty)
    async with app.run_test(size=(80, 24)) as pilot:
        await reached(pilot, Question)
        await reached(pilot, MenaceScreen, "q")
        assert app.services.machines.load("MENACE").games == 7
        assert "resigns" in text_of(panel_of(app))
        await reached(pilot, Question, "p")
        await reached(pilot, MenaceScreen, "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 1)
        assert app.services.machines.load("MENACE").games == 0


async def test_a_machine_that_has_gone_leaves_its_seat_to_others() -> None:
    app = app_of()
    app.services.machines.keep(Machine("Bob"))
    present(app.opening).sit(0, "Bob")
    app.services.store.delete_machine("Bob")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: bool(app._notifications))
        assert any("Bob" in note.message for note in app._notifications)
        screen = screen_of(app)
        screen.match.sit(0, "perfect")
        await pressed(pilot, "p", until=lambda: len(screen.match.plies) == 1)


async def test_undo_while_the_machine_waits_to_move() -> None:
    async with running(app_of()) as (app, pilot):
        await settled(pilot, ready(app))
        set_up(app, calm="off")
        screen = screen_of(app)
        await pilot.press("up", "enter") if not screen.match.position.board >> 2 & 3 else None  # type: ignore[attr-defined]  # it is tic-tac-toe's
        plies = len(screen.match.plies)
        await pilot.press("u")
        assert len(screen.match.plies) < max(plies, 2)
        await pilot.press("q")


async def test_values_hints_and_typed_moves() -> None:
    async with running(app_of(HUMAN, "perfect")) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pilot.press("v")
        assert len(screen.board.view.values) == 9
        await pilot.press("i", "i")
        await settled(
            pilot, lambda: screen.session.state.hint_step == 2 and screen.session.state.hint is not None
        )
        assert screen.board.view.hinted is not None
        await pressed(
            pilot, "escape", "command:type", *"b2", "enter", until=lambda: len(screen.match.plies) == 2
        )
        # Nobody learns here, but the game is about boxes all the same.
        assert not panel_of(app).display
        assert screen.check_action("boxes", ())


async def test_a_tiny_terminal_says_what_it_needs_and_keeps_the_state() -> None:
    async with running(app_of()) as (app, pilot):
        await settled(pilot, ready(app))
        await resized(pilot, 30, 10)
        assert "needs 60x20" in str(app.screen.query_one("#too-small").render())
        await pilot.resize_terminal(60, 20)
        await settled(pilot, lambda: not app.screen.query("#too-small"))
        board: Any = screen_of(app).board
        assert board.fit(board.size) is not None
        assert len(screen_of(app).match.plies) == 1


@pytest.mark.usefixtures("instant")
async def test_her_sits_at_hexapawn_and_learns() -> None:
    async with running(app_of(HUMAN, "HER", text="hexapawn:3x3")) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: bool(screen.session.state.machines))
        await pilot.press("command:type", *"b2", "enter")
        await settled(pilot, ready(app))
        assert expect(OpenBox, panel_of(app).shown).draw is not None
        assert "of 19" in text_of(panel_of(app))
        while screen.match.result is None:
            screen.session.play(screen.match.position.moves()[0])
            await settled(pilot, ready(app))
        won = screen.match.result.winner == 1
        assert isinstance(panel_of(app).shown, Taught)
    with open_store() as store:
        her = from_json(store.machines()["HER"])
        assert (her.won, her.lost) == (int(won), int(not won))


@pytest.mark.usefixtures("instant")
async def test_hexapawn_without_a_machine_has_no_boxes() -> None:
    async with at_rest(app_of(HUMAN, "perfect", text="hexapawn:3x3")) as (app, pilot):
        await reached(pilot, MatchScreen, "command:boxes")
        assert not screen_of(app).query_one("#rooms").display


async def test_seats_offer_the_machines_that_fit() -> None:
    app = app_of(HUMAN, "perfect")
    app.services.machines.keep(Machine("Bob"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, "command:seats")
        offered: list[list[str]] = []
        for select in app.screen.query("Select"):
            options: Any = select
            offered.append([str(value) for _, value in options._options])
        assert "Bob" in offered[0]
        assert "MENACE" in offered[0]
        assert "Bob" not in offered[1]
        first: Any = app.screen.query("Select").first()
        first.value = "Bob"
        await pilot.pause()
        # Bob moves first, so the seats cannot be swapped.
        await pilot.click("#swap")
        assert "moving first" in str(app.screen.query_one(".error").render())
        second: Any = app.screen.query("Select").last()
        second.value = HUMAN
        await pilot.click("#ok")
        await reached(pilot, MenaceScreen)
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 1)


def narrow(text: str) -> bool:
    return all(unicodedata.east_asian_width(each) in ("N", "Na") for each in text)


def test_every_sign_is_one_column_wide_and_has_a_twin_in_ascii() -> None:
    assert narrow("".join((BAR, *BEADS, *EMPTY_GLYPHS, *(sign for _, *signs in LEVELS for sign in signs))))
    for size in range(1, 12):
        for draw in (cross, nought):
            for plain in (False, True):
                lines = draw(size, plain)
                assert len({len(line) for line in lines}) == 1
                assert narrow("".join(lines))
                assert not plain or "".join(lines).isascii()
    for width, height in ((48, 24), (36, 18), (30, 15), *TicTacToeBoard.CELL_SIZES):
        for mark in (1, 2):
            for plain in (False, True):
                lines = tuple(mark_lines(mark, width, height, plain))
                assert [len(line) for line in lines] == [width] * height
                assert FULL not in "".join(lines) or not plain
    for error in (None, 0.0, 0.005, 0.1, 0.3, 0.6, 1.0):
        assert len(error_glyph(error, UNICODE)) == len(error_glyph(error, ASCII)) == 1
        assert error_glyph(error, ASCII).isascii()
        assert len(error_percent(error)) == 4
    unlike = {error_glyph(error, UNICODE) for error in (None, 0.0, 0.1, 0.3, 0.6, 1.0)}
    assert len(unlike) == 6


async def test_the_board_at_every_size() -> None:
    async with running(app_of(HUMAN, "perfect", text="menace:XO..X....")) as (app, pilot):
        for plain in ("off", "on"):
            app.change("ascii", plain)
            for size in ((60, 20), (80, 24), (100, 30), (120, 40), (200, 60)):
                await resized(pilot, *size)
                board: Any = screen_of(app).board
                assert board._cells
                cells = board._cells.values()
                drawn = "".join(segment.text for cell in cells for line in cell for segment in line)
                assert narrow(drawn), size
                assert plain == "off" or drawn.isascii(), size


async def test_the_thumbnail_is_drawn_small() -> None:
    async with running(app_of()) as (app, pilot):
        await settled(pilot, ready(app))
        start = parse_game_id("menace").start()
        board = TicTacToeBoard(BoardScene(start, start), small=True)
        assert not board.can_focus
        await app.screen.mount(board)
        await pilot.pause()
        drawn: Any = board
        text = "".join(segment.text for cell in drawn._cells.values() for line in cell for segment in line)
        assert text.count(dots(1, UNICODE)) == 9


Compare = Callable[..., bool]


@pytest.fixture
def known() -> None:
    """Every position is known, so that no picture says how many had to be searched."""
    start = parse_game_id("menace")
    start.game.solver.verdict(start.start(), Control())


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("look", ["80x24", "120x40", "plain"])
def test_a_match_in_a_picture(snap_compare: Compare, look: str) -> None:
    settings = {"ascii": "on"} if look == "plain" else {}
    size = (120, 40) if look == "120x40" else (80, 24)
    theme = {"theme": "arcade-light"} if look == "120x40" else {}
    app = app_of(text="menace:.OX......", seed=5, **settings, **theme)

    async def before(pilot: Pilot[None]) -> None:
        await settled(pilot, ready(app))
        await pilot.press("up", "left")
        await settled(pilot, ready(app))

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.usefixtures("known")
def test_a_lesson_in_a_picture(snap_compare: Compare) -> None:
    app = app_of(seed=3, text="menace:XO.......")

    async def before(pilot: Pilot[None]) -> None:
        await play_by_keys(app, pilot)
        moves = app.screen.query_one(MoveList)
        await rested(pilot, lambda: moves.scroll_y == moves.max_scroll_y > 0)

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


@pytest.mark.usefixtures("newcomer")
def test_the_story_in_a_picture(snap_compare: Compare) -> None:
    app = app_of(coach="mistakes")

    async def before(pilot: Pilot[None]) -> None:
        await opened_first(app, pilot)
        await pressed(pilot, "enter")

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


@pytest.mark.usefixtures("known")
def test_the_projector_in_a_picture(snap_compare: Compare) -> None:
    app = app_of(coach="mistakes")
    machine = app.services.machines.copy("MENACE")
    Training(machine, RANDOM, 100, seed=1).run(Control())
    app.services.machines.keep(machine)

    async def before(pilot: Pilot[None]) -> None:
        await settled(pilot, ready(app))
        await pressed(pilot, "command:projector")
        await settled(pilot, lambda: "100 games" in painted(app))

    assert snap_compare(app, terminal_size=(200, 60), run_before=before)


async def test_nobody_waits_for_kernels_that_tic_tac_toe_does_not_need() -> None:
    app = app_of("MENACE", HUMAN)
    # Nothing is compiled yet.
    app.services.warmer = Warmer("")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await settled(pilot, lambda: screen.match.to_move == HUMAN)
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)


async def test_the_footer_fits_in_the_least_terminal() -> None:
    async with running(app_of("MENACE", HUMAN)) as (app, pilot):
        await settled(pilot, ready(app))
        footer = screen_of(app).query_one(KeyFooter)
        assert len(footer.fitting) == len(footer.entries)
        rooms = str(screen_of(app).query_one("#rooms", Shortcuts).render())
        assert rooms == "all boxes   laboratory   projector"


@pytest.mark.parametrize(("text", "seats"), [("hexapawn:3x3", (HUMAN, "HER")), ("menace", ("MENACE", HUMAN))])
async def test_the_laboratory_is_offered(text: str, seats: tuple[str, str]) -> None:
    async with at_rest(app_of(*seats, text=text)) as (app, pilot):
        assert "laboratory" in str(app.screen.query_one("#rooms", Static).render())
        await reached(pilot, LaboratoryScreen, "command:laboratory")


@pytest.fixture
def newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Services, "knows", lambda self, game: game in self.state.played.split())


def box_in_sight(app: ArcadeApp) -> bool:
    """Whether all of the open box can be seen: two lines of words, and three for each row."""
    box, told = panel_of(app).region, screen_of(app).query_one("#hint-scroll").region
    return box.height == 11 and not box.overlaps(told) and told.bottom <= app.size.height - 1


def thought(app: ArcadeApp) -> str:
    """The thought of the story that is on show, to its end, with its number; empty for none."""
    told = " ".join(str(screen_of(app).query_one(HintPanel).render()).split())
    return told if "Esc skip" in told else ""


async def opened_first(app: ArcadeApp, pilot: Pilot[None]) -> MatchScreen:
    screen = screen_of(app)
    await settled(pilot, lambda: screen.session.state.machines and thought(app))
    return screen


@pytest.mark.usefixtures("newcomer")
async def test_the_first_opening_tells_three_thoughts_before_the_first_bead_is_picked() -> None:
    story = get_game("menace").story
    assert len(story) == 3
    async with running(app_of(coach="mistakes")) as (app, pilot):
        screen = await opened_first(app, pilot)
        for number, (words, key) in enumerate(zip(story, ("enter", "right", None), strict=True), 1):
            assert thought(app) == f"{words} Enter go on Esc skip {number}/3"
            assert f"{number}/3" in painted(app)
            assert box_in_sight(app)
            await rested(pilot)
            assert not screen.match.plies
            await (pilot.press(key) if key else pilot.click("#board-0", offset=(20, 8)))
            await pilot.pause()
        await settled(pilot, ready(app))
        assert not thought(app)
        assert len(screen.match.plies) == 1
        shown = painted(app)
        assert "Get three of your marks" in shown
        assert "Esc hide" in shown
        assert box_in_sight(app)
        assert app.services.state.played == "menace:story"
    # It is told once.
    async with running(app_of()) as (app, pilot):
        await settled(pilot, ready(app))
        assert not thought(app)
        assert len(screen_of(app).match.plies) == 1


@pytest.mark.usefixtures("newcomer")
async def test_in_the_least_terminal_the_story_leaves_the_open_box_in_sight() -> None:
    async with running(app_of(), (60, 20)) as (app, pilot):
        await opened_first(app, pilot)
        for number in (1, 2, 3):
            assert box_in_sight(app)
            assert f"{number}/3" in painted(app)
            await pressed(pilot, "space")
        await settled(pilot, ready(app))
        # A hint and the box have no room beside each other; the projector's view has no hints.
        assert panel_of(app).region.area == 0
        await pressed(pilot, "command:projector")
        await settled(pilot, lambda: panel_of(app).region.area)
        assert "picked" in painted(app)


@pytest.mark.usefixtures("newcomer")
async def test_escape_skips_the_whole_story_and_other_keys_do_what_they_do() -> None:
    async with running(app_of()) as (app, pilot):
        screen = await opened_first(app, pilot)
        await pressed(pilot, "i")
        await pressed(pilot, "p")
        assert thought(app)
        assert not screen.match.plies
        await pressed(pilot, "escape")
        await settled(pilot, ready(app))
        assert not thought(app)
        assert len(screen.match.plies) == 1


@pytest.mark.usefixtures("newcomer")
async def test_without_a_machine_nothing_is_told_of_its_boxes() -> None:
    async with running(app_of("random", HUMAN)) as (app, pilot):
        await settled(pilot, lambda: screen_of(app).match.plies)
        assert not thought(app)


async def test_a_bead_is_picked_before_the_mark_is_seen() -> None:
    async with running(app_of(calm="off")) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: screen.box.picking)
        (ply,) = screen.match.plies
        board = expect(TicTacToeBoard, screen.board)
        assert board.view.position == screen.match.first
        assert "X picks a bead." in painted(app)
        hands, shown = [], panel_of(app)
        while screen.box.picking:
            box = expect(OpenBox, shown.shown)
            assert box.draw is None
            hands.append(box.hand)
            screen.box._pick.go_on()
        # It goes over each of the three colours in turn, and ends at the bead that is picked.
        assert {str(hand) for hand in hands} == {"a3", "b3", "b2"}
        assert hands[-1] == ply.move
        await pilot.pause()
        assert board.view.position == screen.match.position
        assert present(expect(OpenBox, shown.shown).draw).move == ply.move


async def test_a_key_waits_for_no_bead() -> None:
    async with running(app_of(calm="off", seed=5)) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: screen.box.picking)
        taken = screen.match.plies[0].move.index
        keys = ["up", "left", "enter"] if taken else ["enter"]
        await pilot.press(*keys)
        assert [ply.seat for ply in screen.match.plies[:2]] == [0, 1]


def shown_beside_the_board(app: ArcadeApp) -> set[str | None]:
    return {child.id for child in screen_of(app).query_one("#side").children if child.region.area}


async def test_the_projector_shows_a_hint_that_is_asked_for() -> None:
    async with running(app_of(seed=1)) as (app, pilot):
        await settled(pilot, ready(app))
        await pressed(pilot, "command:projector")
        assert shown_beside_the_board(app) == {"box", "curve"}
        await pressed(pilot, "i", until=lambda: screen_of(app).session.state.hint is not None)
        await settled(pilot, lambda: "Hint 1" in painted(app))
        assert shown_beside_the_board(app) == {"box", "curve", "hint-scroll"}
        await pressed(pilot, "escape")
        await settled(pilot, lambda: shown_beside_the_board(app) == {"box", "curve"})


async def test_the_projector_shows_board_box_and_curve_alone_and_large() -> None:
    async with running(app_of(seed=1)) as (app, pilot):
        await play_by_keys(app, pilot)
        screen = screen_of(app)
        for size in ((80, 24), (120, 40), (200, 60)):
            await resized(pilot, *size)
            before = screen.board.size, panel_of(app).size
            await pressed(pilot, "command:projector")
            await settled(pilot, lambda: "1 game" in painted(app))
            side = screen.query_one("#side")
            # The match is over, and the card says how.
            assert shown_beside_the_board(app) == {"verdict", "box", "curve"}
            assert abs(side.size.width + 2 - screen.query_one("#left").size.width) <= 1
            assert panel_of(app).size.width > before[1].width
            assert painted(app).count("First box: ") == 1
            await pressed(pilot, "command:projector")
            assert (screen.board.size, panel_of(app).size) == before
            assert screen.query_one("#curve").region.area == 0


async def test_the_projector_shows_what_was_learned_in_the_laboratory() -> None:
    async with running(app_of(), (120, 40)) as (app, pilot):
        await settled(pilot, ready(app))
        await pressed(pilot, "command:projector")
        await settled(pilot, lambda: "No game yet." in painted(app))
        await reached(pilot, LaboratoryScreen, "command:laboratory")
        machine = app.services.machines.copy("MENACE")
        Training(machine, RANDOM, 100, seed=1).run(Control())
        app.services.machines.keep(machine)
        await reached(pilot, MenaceScreen, "q")
        await settled(pilot, lambda: "100 games" in painted(app))


async def test_at_200x60_board_and_box_use_the_screen() -> None:
    async with running(app_of(), (200, 60)) as (app, pilot):
        await settled(pilot, ready(app))
        screen = screen_of(app)
        board: Any = screen.board
        assert board._cell == (36, 18)
        await pressed(pilot, "command:projector")
        assert board._cell == (32, 16)
        text, panel = text_of(panel_of(app)), panel_of(app)
        # Four beads of each of three colours, two lines each.
        assert (text.count("▟  ▙"), text.count("▜  ▛")) == (12, 12)
        assert panel.size.height == 2 + 3 * 9
        for count in range(19):
            drawn = "".join(panel._beads(count, 18, 32, 7))
            assert (drawn.count("▟"), drawn.count("▛")) == (count, count)
        # Of more there is no room for each, so that a bar is as long as they are many.
        assert panel._beads(32, 64, 32, 7) == [BAR * 16] * 7
        assert panel._beads(20, 20, 32, 7) == [dots(20, UNICODE), *[""] * 6]


@pytest.mark.usefixtures("newcomer")
async def test_what_a_newcomer_is_told_fits_a_tall_screen() -> None:
    async with running(app_of(coach="mistakes"), (80, 40)) as (app, pilot):
        await opened_first(app, pilot)
        tall = painted(app)
        assert "one for each board" in tall
        assert "Value graph" in tall
