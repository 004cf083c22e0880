import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Select, Static

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.kernel_compiler import KernelCompiler
from arcade.engines.menace import box as beads
from arcade.engines.menace.archive import from_json
from arcade.engines.menace.box import find_boxes
from arcade.engines.menace.machine import Machine, TrainingInterval
from arcade.engines.menace.open_box import LearningSummary, OpenBox
from arcade.engines.menace.opponents import RANDOM
from arcade.engines.menace.rules import SYMMETRIES
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.match import HUMAN, new_match
from arcade.play.scene import BoardScene
from arcade.screens.dialogs import Question
from arcade.screens.match import MatchScreen
from arcade.screens.menace.board import FULL, TicTacToeBoard, cross, mark_lines, nought
from arcade.screens.menace.boxes import BoxPanel
from arcade.screens.menace.laboratory import LaboratoryScreen
from arcade.screens.menace.open_box import REWARD_SECONDS, OpenBoxPanel
from arcade.screens.menace.screen import MenaceScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import OpenMatch
from arcade.services import Services
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
from arcade.widgets.panels import HintPanel
from benchmarks.training_by_hand import SplitMix64, play_game
from tests.narrow import expect, present
from tests.screens.pilots import (
    clicked,
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


def panel_of(app: ArcadeApp) -> OpenBoxPanel:
    return screen_of(app).query_one(OpenBoxPanel)


def text_of(panel: BoxPanel) -> str:
    return "\n".join("".join(segment.text for segment in line) for line in panel._lines)


def keep_trained(app: ArcadeApp) -> None:
    """Save MENACE after a hundred games, as a training has them, without its kernel."""
    machine, bits = app.services.machines.copy("MENACE"), SplitMix64(1)
    for games in range(1, 101):
        winner = play_game(machine, RANDOM, bits).outcome.winner
        won, tied, lost = (int(winner == each) for each in (0, None, 1))
        machine.record(TrainingInterval(games, "random", won, tied, lost, 0, machine.first))
    app.services.machines.keep(machine)


def ready(app: ArcadeApp) -> Callable[[], bool]:
    """Whether a person can move, or nobody can, and the box is on show."""

    def found() -> bool:
        screen = app.screen
        return (
            isinstance(screen, MatchScreen)
            and screen.match.player_to_move in (HUMAN, None)
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


async def test_match_played_by_keys_trains_the_machine() -> None:
    app = app_of()
    # Nothing is compiled yet, and tic-tac-toe waits for no kernel.
    app.services.compiler = KernelCompiler("")
    async with running(app) as (app, pilot):
        await settled(pilot, ready(app))
        screen = expect(MenaceScreen, screen_of(app))
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)

        # The words in the footer and under the board fit.
        footer = screen.query_one(KeyFooter)
        assert len(footer.fitting) == len(footer.entries)
        assert str(screen.query_one("#rooms", Shortcuts).render()) == "all boxes   laboratory"

        # A terminal that is too small says what it needs, and the match waits.
        await resized(pilot, 30, 10)
        assert "needs 40x20" in str(app.screen.query_one("#too-small").render())
        await pilot.resize_terminal(60, 20)
        await settled(pilot, lambda: not app.screen.query("#too-small"))
        board = expect(TicTacToeBoard, screen.board)
        assert board.fit(board.size) is not None
        assert len(screen.match.plies) == 1
        await resized(pilot, 80, 24)

        # A taken cell is refused.
        assert not app._notifications
        at = screen.match.plies[0].move.index
        board.cursor = (at // 3, at % 3)
        await pilot.press("enter")
        assert len(screen.match.plies) == 1
        assert len(app._notifications) == 1

        # The boxes show what they learn from the result.
        await play_by_keys(app, pilot)
        result = present(screen.match.result)
        shown = expect(LearningSummary, panel_of(app).shown)
        assert shown.shown >= len(shown.changes) > 0
        reward = {0: 3, 1: -1, None: 1}[result.winner]
        assert all(change.change == reward for change in shown.changes)
        text = text_of(panel_of(app))
        moved = f"{abs(reward) * len(shown.changes)} beads {'added to' if reward > 0 else 'removed from'}"
        assert moved in text
        for change in shown.changes:
            assert f"{change.before} → {change.after}" in text
        assert app.services.store.matches()[0].record.taught is True


async def test_match_played_by_clicks_trains_the_machine() -> None:
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


async def test_open_box_explains_symmetry_and_chosen_move() -> None:
    app, names = app_of(), set()
    machine: Any = Machine("MENACE")
    machine.beads[0] = beads.pack({1: 115, 4: 3})
    app.services.machines.keep(machine)

    async def begin(board: str, seed: int = 1) -> OpenBox:
        start = parse_game_id(f"menace:{board}")
        app.open_match(OpenMatch(new_match(start, ("MENACE", HUMAN), app.services.machines, seed)))
        await settled(pilot, ready(app))
        return expect(OpenBox, panel_of(app).shown)

    async with running(app) as (app, pilot):
        await settled(pilot, ready(app))
        screen, panel = screen_of(app), panel_of(app)

        # A count of three digits stands apart from its cell.
        assert "b3 115 " in text_of(panel)
        await resized(pilot, 120, 40)
        assert "b3 115 " in text_of(panel)
        assert "b2  3 " in text_of(panel)
        await resized(pilot, 80, 24)

        # The board is shown as it was played, not as it lies on the box.
        shown = await begin(".OX......", seed=5)
        draw, opening = present(shown.draw), present(shown.opening)
        assert draw.move == screen.match.plies[-1].move
        assert shown.position == screen.match.first != opening.box.position
        text = text_of(panel)
        assert opening.symmetry.name in text
        assert f"Box {opening.box.index + 1}, " in text
        assert f"{draw.total} beads" in text
        assert "%" not in text, "rounded shares may add up to 101"
        assert text.count("picked") == 1
        # A colour with few beads shows each of them, beside the name that the square has on the board.
        assert f"{draw.move}" in text
        assert dots(1, UNICODE) in text
        # The cells of the panel lie as those of the board: a bead on the left of the upper row, then marks.
        upper = text.splitlines()[2]
        assert upper[:2] == "a3"
        assert all(any(mark in part for mark in "▛▜▟▙") for part in (upper[11:21], upper[22:]))

        # Perfect play's mark is the sign and number that the overlay has, if the player may see it.
        await settled(pilot, lambda: screen.match.analysis(screen.match.first) is not None)
        signs = [UNICODE.verdict(each.verdict) for each in screen.match.analysis(screen.match.first) or []]
        assert all(sign in text_of(panel) for sign in signs)
        app.change("coach", "mistakes")
        assert not any(sign in text_of(panel) for sign in signs)
        await pressed(pilot, "v")
        assert all(sign in text_of(panel) for sign in signs)

        # How the board lies in its box is said in full.
        for _, cells in SYMMETRIES:
            seen = ["."] * 9
            for cell, mark in zip((0, 1, 5, 2), "XOXO", strict=True):
                seen[cells[cell]] = mark
            opening = present((await begin("".join(seen))).opening)
            words = text_of(panel).splitlines()[1]
            turned = opening.box.position != expect(OpenBox, panel.shown).position
            box = f"Box {opening.box.index + 1}"
            assert words.strip() == (f"{box}, {opening.symmetry.name}" if turned else box)
            assert len(words) <= panel.size.width
            names.add(opening.symmetry.name)
    assert len(names) == len(SYMMETRIES)


@pytest.mark.parametrize("number", range(8))
def test_bead_counts_follow_the_box_symmetry(number: int) -> None:
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


async def test_bead_animations_run_until_any_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert REWARD_SECONDS <= 1.0
    for name in ("REWARD_SECONDS", "PICK_SECONDS"):
        monkeypatch.setattr(f"arcade.screens.menace.open_box.{name}", 1000.0)
    monkeypatch.setattr("arcade.play.session.ENGINE_PAUSE", 0.0)
    async with running(app_of(calm="off")) as (app, pilot):
        screen, panel = screen_of(app), panel_of(app)
        board = expect(TicTacToeBoard, screen.board)

        # A bead is picked before the mark is seen.
        await settled(pilot, lambda: screen.box.picking)
        (ply,) = screen.match.plies
        assert board.view.position == screen.match.first
        assert "X picks a bead." in painted(app)
        hands = []
        while screen.box.picking:
            box = expect(OpenBox, panel.shown)
            assert box.draw is None
            hands.append(box.hand)
            panel._pick.go_on()
        # The hand goes over each of the three colours in turn, and ends at the bead that is picked.
        assert {str(hand) for hand in hands} == {"a3", "b3", "b2"}
        assert hands[-1] == ply.move
        await pilot.pause()
        assert board.view.position == screen.match.position
        assert present(expect(OpenBox, panel.shown).draw).move == ply.move

        # A key waits for no bead: it plays in the position with the machine's move.
        again = partial(new_match, screen.match.start, ("MENACE", HUMAN), app.services.machines, 5)
        app.open_match(OpenMatch(again()))
        await settled(pilot, lambda: screen.box.picking)
        screen.takes(events.Key("f12", None))
        assert board.view.position == screen.match.position != screen.match.first
        app.open_match(OpenMatch(again()))
        await settled(pilot, lambda: screen.box.picking)
        taken = screen.match.plies[0].move.index
        await pilot.press(*(["up", "left", "enter"] if taken else ["enter"]))
        assert [ply.seat for ply in screen.match.plies[:2]] == [0, 1]

        # What a match teaches is shown box by box, until any key, here one that does nothing else.
        start = parse_game_id("menace:XO.......")
        app.open_match(OpenMatch(new_match(start, ("MENACE", HUMAN), app.services.machines, 3)))
        await play_by_keys(app, pilot)

        def revealed() -> int:
            return expect(LearningSummary, panel.shown).shown

        boxes = len(screen.session.state.rewards[0].changes)
        assert boxes >= 2
        assert revealed() == 0
        await pilot.press("f12")
        assert revealed() == boxes

        def show_again() -> None:
            screen.box.moved(screen.scene, screen.scene)
            screen.show()

        show_again()
        panel._reveal.go_on()
        assert revealed() == 1
        await pilot.press("f12")
        assert revealed() == boxes

        # It ends by itself, too.
        monkeypatch.setattr("arcade.screens.menace.open_box.REWARD_SECONDS", 0.001)
        show_again()
        assert revealed() == 0
        await settled(pilot, lambda: revealed() == boxes)


async def test_empty_first_box_resigns_and_offers_fresh_beads() -> None:
    app = app_of()
    empty = app.services.machines.copy("MENACE")
    empty.beads[0] = 0
    empty.won = 7
    app.services.machines.keep(empty)
    async with app.run_test(size=(80, 24)) as pilot:
        await reached(pilot, Question)
        await reached(pilot, MenaceScreen, "enter")
        assert app.services.machines.load("MENACE").games == 7
        assert "resigns" in text_of(panel_of(app))
        await reached(pilot, Question, "p")
        await reached(pilot, MenaceScreen, "y")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 1)
        assert app.services.machines.load("MENACE").games == 0


async def test_match_without_machine_fits_every_size_and_offers_machines() -> None:
    app = app_of(HUMAN, "perfect")
    app.services.machines.keep(Machine("Bob"))
    async with running(app) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)

        # Values, hints and typed moves are those of every game.
        await pilot.press("v")
        assert len(screen.board.view.values) == 9
        await pilot.press("i", "i")
        await settled(pilot, lambda: screen.scene.hint is not None and screen.scene.hint.step == 2)
        assert screen.board.view.hinted is not None
        await pressed(
            pilot, "escape", "command:type", *"b2", "enter", until=lambda: len(screen.match.plies) == 2
        )
        # Nobody learns here, but the game is about boxes all the same.
        assert not panel_of(app).display
        assert screen.check_action("act", ("boxes",))

        screen.session.begin(new_match(parse_game_id("menace:XO..X...."), (HUMAN, "perfect")))
        for size in ((60, 20), (80, 24), (200, 60)):
            await resized(pilot, *size)
            for plain in ("off", "on"):
                app.change("ascii", plain)
                await pilot.pause()
                text = text_of_board(expect(TicTacToeBoard, screen.board))
                assert text
                assert narrow(text), size
                assert text.isascii() == (plain == "on"), size
        app.change("ascii", "off")
        await resized(pilot, 80, 24)

        # A thumbnail is drawn small.
        start = parse_game_id("menace").start()
        thumbnail = TicTacToeBoard(BoardScene(start, start), small=True)
        assert not thumbnail.can_focus
        await app.screen.mount(thumbnail)
        await pilot.pause()
        assert text_of_board(thumbnail).count(dots(1, UNICODE)) == 9
        await thumbnail.remove()

        # Seats offer the machines that fit.
        screen.session.begin(
            new_match(parse_game_id("menace"), (HUMAN, "perfect"), app.services.machines, seed=1)
        )
        await pressed(pilot, "command:seats")
        first, second = app.screen.query(Select)
        offered = [[str(value) for _, value in select._options] for select in (first, second)]
        assert "Bob" in offered[0]
        assert "MENACE" in offered[0]
        assert "Bob" not in offered[1]
        first.value = "Bob"
        await pilot.pause()
        # Bob moves first, so the seats cannot be swapped.
        await clicked(pilot, "#swap")
        await clicked(pilot, "#ok")
        assert "moving first" in str(app.screen.query_one(".error").render())
        assert (first.value, second.value) == ("perfect", "Bob")
        first.value, second.value = "Bob", HUMAN
        await reached(pilot, MenaceScreen, "ctrl+s")
        await settled(pilot, lambda: len(screen.match.plies) == 1)


@pytest.mark.usefixtures("instant")
async def test_her_learns_hexapawn_and_boxes_need_a_machine() -> None:
    async with running(app_of(HUMAN, "HER", text="hexapawn:3x3")) as (app, pilot):
        screen = screen_of(app)
        await settled(pilot, lambda: bool(screen.session.state.machines))
        assert "laboratory" in str(screen.query_one("#rooms", Static).render())
        await reached(pilot, LaboratoryScreen, "command:laboratory")
        await reached(pilot, MatchScreen, "q")
        await pilot.press("command:type", *"b2", "enter")
        await settled(pilot, ready(app))
        assert expect(OpenBox, panel_of(app).shown).draw is not None
        assert "HER's first move" in text_of(panel_of(app))
        while screen.match.result is None:
            screen.session.play(screen.match.position.moves()[0])
            await settled(pilot, ready(app))
        won = screen.match.result.winner == 1
        assert isinstance(panel_of(app).shown, LearningSummary)
        her = from_json(app.services.store.machines()["HER"])
        assert (her.won, her.lost) == (int(won), int(not won))

        screen.session.begin(new_match(parse_game_id("hexapawn:3x3"), (HUMAN, "perfect")))
        await rested(pilot)
        await reached(pilot, MatchScreen, "command:boxes")
        assert not screen.query_one("#rooms").display


def text_of_board(board: Any) -> str:
    return "".join(segment.text for cell in board._cells.values() for line in cell for segment in line)


def narrow(text: str) -> bool:
    return all(unicodedata.east_asian_width(each) in ("N", "Na") for each in text)


def test_every_symbol_is_one_column_wide_with_ascii_twin() -> None:
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


Compare = Callable[..., bool]


@pytest.fixture
def known() -> None:
    """Every position is known, so that no picture says how many had to be searched."""
    start = parse_game_id("menace")
    start.game.solver.verdict(start.start(), Control())


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("look", ["80x24", "120x40", "plain"])
def test_match_screen_matches_its_picture(snap_compare: Compare, look: str) -> None:
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
def test_learning_summary_matches_its_picture(snap_compare: Compare) -> None:
    app = app_of(seed=3, text="menace:XO.......")

    async def before(pilot: Pilot[None]) -> None:
        await play_by_keys(app, pilot)
        await rested(pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


@pytest.mark.usefixtures("newcomer")
def test_story_matches_its_picture(snap_compare: Compare) -> None:
    app = app_of(coach="mistakes")

    async def before(pilot: Pilot[None]) -> None:
        await opened_first(app, pilot)
        await pressed(pilot, "enter")

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


@pytest.mark.usefixtures("known")
def test_projector_matches_its_picture(snap_compare: Compare) -> None:
    app = app_of(coach="mistakes")
    keep_trained(app)

    async def before(pilot: Pilot[None]) -> None:
        await settled(pilot, ready(app))
        await pressed(pilot, "command:projector")
        await settled(pilot, lambda: "100 games" in painted(app))

    assert snap_compare(app, terminal_size=(200, 60), run_before=before)


@pytest.fixture
def newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Services, "has_seen", lambda self, game: game in self.state.played.split())


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


async def opened_again(app: ArcadeApp, pilot: Pilot[None], *seats: str) -> MatchScreen:
    """Leave the match on the screen, and open another on a screen of its own, as if none had been played."""
    await reached(pilot, MenuScreen, "q")
    app.services.remember(played="")
    app.open_match(OpenMatch(new_match(parse_game_id("menace"), seats, app.services.machines, 1)))
    return await reached(pilot, MatchScreen)


@pytest.mark.usefixtures("newcomer")
async def test_story_is_shown_once_before_the_first_bead() -> None:
    story = get_game("menace").teaching.story
    assert len(story) == 3
    async with running(app_of(coach="mistakes")) as (app, pilot):
        screen = await opened_first(app, pilot)
        for number, (words, key) in enumerate(zip(story, ("enter", "right", None), strict=True), 1):
            assert thought(app) == f"{words} Enter next Esc skip {number}/3"
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
        assert "R hide" in shown
        assert box_in_sight(app)

        # It is told once, as the store knows.
        assert app.services.store.words("state")["played"] == "menace:story"
        await reached(pilot, MenuScreen, "q")
        match = new_match(parse_game_id("menace"), ("MENACE", HUMAN), app.services.machines)
        app.open_match(OpenMatch(match))
        screen = await reached(pilot, MatchScreen)
        await settled(pilot, ready(app))
        assert not thought(app)
        assert len(screen.match.plies) == 1

        # Escape skips the whole story, and other keys do what they do.
        await opened_again(app, pilot, "MENACE", HUMAN)
        screen = await opened_first(app, pilot)
        await pressed(pilot, "i")
        await pressed(pilot, "p")
        assert thought(app)
        assert not screen.match.plies
        await pressed(pilot, "escape")
        await settled(pilot, ready(app))
        assert not thought(app)
        assert len(screen.match.plies) == 1

        # Without a machine nothing is told of its boxes.
        screen = await opened_again(app, pilot, "random", HUMAN)
        await settled(pilot, lambda: screen.match.plies)
        assert not thought(app)


@pytest.mark.usefixtures("newcomer")
async def test_story_fits_smallest_and_tall_terminals() -> None:
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

        app.change("coach", "mistakes")
        await resized(pilot, 80, 40)
        await opened_again(app, pilot, "MENACE", HUMAN)
        await opened_first(app, pilot)
        tall = painted(app)
        assert "one for each board" in tall
        assert "Value chart" in tall


def shown_beside_the_board(app: ArcadeApp) -> set[str | None]:
    return {child.id for child in screen_of(app).query_one("#side").children if child.region.area}


@pytest.mark.slow
async def test_projector_enlarges_board_box_and_curve() -> None:
    async with running(app_of(), (200, 60)) as (app, pilot):
        await settled(pilot, ready(app))
        screen, panel = screen_of(app), panel_of(app)
        board: Any = screen.board

        # At 200x60 board and box use the screen.
        assert board._cell == (36, 18)
        await pressed(pilot, "command:projector")
        assert board._cell == (32, 16)
        text = text_of(panel)
        # Four beads of each of three colours, two lines each; the one that was drawn has left its place.
        assert (text.count("▟  ▙"), text.count("▜  ▛")) == (11, 11)
        assert (text.count("▛  ▜"), text.count("▙  ▟")) == (1, 1)
        assert panel.size.height == 2 + 3 * 9
        for count in range(19):
            drawn = "".join(panel._beads(count, False, 18, 32, 7))
            assert (drawn.count("▟"), drawn.count("▛")) == (count, count)
        # Of more there is no room for each, so that a bar is as long as they are many.
        assert panel._beads(32, False, 64, 32, 7) == [BAR * 16] * 7
        assert panel._beads(20, True, 20, 32, 7) == [f"{dots(19, UNICODE)}∘", *[""] * 6]

        # It follows what the machine learns in the laboratory.
        await resized(pilot, 120, 40)
        await settled(pilot, lambda: "No game of MENACE is recorded yet" in painted(app))
        await reached(pilot, LaboratoryScreen, "command:laboratory")
        keep_trained(app)
        await reached(pilot, MenaceScreen, "q")
        await settled(pilot, lambda: "100 games" in painted(app))

        # It shows a hint that is asked for.
        await resized(pilot, 80, 24)
        assert shown_beside_the_board(app) == {"box", "curve"}
        await pressed(pilot, "i", until=lambda: screen.scene.hint)
        await settled(pilot, lambda: "1  Look" in painted(app) or "1  Use" in painted(app))
        assert shown_beside_the_board(app) == {"box", "curve", "hint-scroll"}
        await pressed(pilot, "escape")
        await settled(pilot, lambda: shown_beside_the_board(app) == {"box", "curve"})
        await pressed(pilot, "command:projector")

        await play_by_keys(app, pilot)
        for size in ((80, 24), (200, 60)):
            await resized(pilot, *size)
            before = screen.board.size, panel.size
            await pressed(pilot, "command:projector")
            await settled(pilot, lambda: "101 games" in painted(app))
            side = screen.query_one("#side")
            # The match is over, and the card says how.
            assert shown_beside_the_board(app) == {"verdict", "box", "curve"}
            assert abs(side.size.width + 2 - screen.query_one("#left").size.width) <= 1
            assert panel.size.width > before[1].width
            assert painted(app).count("Beads in the first box: ") == 1
            await pressed(pilot, "command:projector")
            assert (screen.board.size, panel.size) == before
            assert screen.query_one("#curve").region.area == 0


@pytest.mark.parametrize("size", [3, 4, 6, 8, 12])
@pytest.mark.parametrize("plain", [False, True])
def test_big_nought_is_round(size: int, plain: bool) -> None:
    lines = nought(size, plain)
    widths = [len(line.strip()) for line in lines]
    assert widths == widths[::-1]
    assert widths[0] < widths[1] <= widths[size // 2] == max(widths)
    # Nothing is in its middle.
    assert "  " in lines[size // 2].strip()
