"""What the arcade fixes in Textual: each test fails without its fix."""

import io
import os
import random
import threading
from types import SimpleNamespace
from typing import Any

import pyte
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual._compositor import LayoutUpdate
from textual.app import ComposeResult
from textual.drivers._writer_thread import WriterThread
from textual.geometry import Region
from textual.notifications import Notification
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import OptionList, Static

from arcade.textual_fixes import (
    PASTE,
    PASTED,
    ChangedCells,
    FixedApp,
    FixedDriver,
    FixedNotification,
    FixedScreen,
    TerminalCell,
    TerminalInput,
)
from tools.fuzz_pty import BAD


def keys(heard: TerminalInput, sent: bytes) -> list[str]:
    return [each.key for each in heard.feed(sent) if isinstance(each, events.Key)]


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
def test_key_after_malformed_bytes_is_read(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.constants.ESCAPE_DELAY", 0.0)
    heard = TerminalInput()
    list(heard.feed(sent))
    list(heard.tick())
    assert keys(heard, b"x")[-1:] == ["x"]


def test_mouse_position_survives_size_of_zero_pixels() -> None:
    (event,) = TerminalInput().feed(BAD["a size of zero pixels"])
    assert isinstance(event, events.MouseMove)
    assert (event.x, event.y) == (4, 4)


def test_size_reports_in_the_input_are_ignored() -> None:
    assert not list(TerminalInput().feed(b"\x1b[48;36;110;720;1100t\x1b[?2048;1$y"))


def test_character_split_in_two_is_read() -> None:
    heard = TerminalInput()
    assert keys(heard, b"\xc3") == []
    assert keys(heard, b"\xa4") == ["ä"]


def test_paste_end_split_in_two_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.constants.ESCAPE_DELAY", 0.0)
    for cut in range(1, len(PASTED)):
        heard = TerminalInput()
        assert not [*heard.feed(f"{PASTE}text{PASTED[:cut]}".encode()), *heard.tick()]
        (pasted, key) = heard.feed(f"{PASTED[cut:]}x".encode())
        assert isinstance(pasted, events.Paste)
        assert isinstance(key, events.Key)
        assert (pasted.text, key.key) == ("text", "x")


def test_unterminated_paste_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = TerminalInput()
    assert keys(heard, f"{PASTE}text".encode()) == []
    monkeypatch.setattr("arcade.textual_fixes.PASTE_SECONDS", 0.0)
    (pasted,) = heard.tick()
    assert isinstance(pasted, events.Paste)
    assert pasted.text == "text"
    assert keys(heard, b"x") == ["x"]


def test_paste_start_split_in_two_is_no_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser takes its first half for keys, so an Escape after it must not wait."""
    monkeypatch.setattr("textual.constants.ESCAPE_DELAY", 0.0)
    heard = TerminalInput()
    list(heard.feed(PASTE[:4].encode()))
    list(heard.tick())
    assert keys(heard, PASTE[4:].encode() + b"\x1b")[-1:] == ["tilde"]
    assert [event.key for event in heard.tick() if isinstance(event, events.Key)] == ["escape"]


def test_random_malformed_bytes_do_not_block_input() -> None:
    rng = random.Random(1)
    pieces = [
        *BAD.values(),
        *(b"\x1b", b"[", b"O", b"<", b"?", b";", b":", b"~", b"u", b"t", b"R", b"M", b"m", b"A", b"$y"),
        *(b"\x1b[", b"\x1b[200~", b"\x1b[201~", b"\x1b[I", b"\x1b[<", b"\x1b[48;", b"\x1b[?2026;"),
        *(str(number).encode() for number in (0, 1, 2, 5, 48, 57399, 1114112, 10**25)),
        *(bytes([number]) for number in range(128, 256)),
    ]
    for _ in range(500):
        heard = TerminalInput()
        for _ in range(rng.randrange(1, 30)):
            list(heard.feed(rng.choice(pieces)))
            list(heard.tick())
        # Ends what may have been begun: a character, a sequence, a pasted text.
        assert keys(heard, b"\x1b[201~\x1b[201~x")[-1:] == ["x"]


def ends(work: Any) -> bool:
    """Whether work ends soon, in a thread that does not keep the process."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(5)
    return not thread.is_alive()


def test_app_exits_at_end_of_input() -> None:
    driver, asked = FixedDriver.__new__(FixedDriver), list[Any]()
    driver.fileno, end = os.pipe()
    os.close(end)
    driver.exit_event = threading.Event()
    app: Any = SimpleNamespace(call_later=asked.append, exit="exit")
    driver._app = app
    assert ends(driver.run_input_thread)
    assert asked == ["exit"]
    os.close(driver.fileno)


def test_driver_does_not_wait_for_finished_writer_thread() -> None:
    driver = FixedDriver.__new__(FixedDriver)
    driver._writer_thread = WriterThread(io.StringIO())

    def write() -> None:
        for _ in range(100):
            driver.write("lost")
        driver.close()

    assert ends(write)


class Listed(FixedApp):
    # No more than its border.
    CSS = "OptionList { height: 2; }"

    def get_default_screen(self) -> Screen[None]:
        return FixedScreen()

    def compose(self) -> ComposeResult:
        yield Static("Title")
        yield OptionList("one", "two")


async def test_page_keys_in_a_list_without_room_do_nothing() -> None:
    app = Listed()
    async with app.run_test() as pilot:
        app.query_one(OptionList).focus()
        await pilot.press("pagedown", "pageup")
        assert app.is_running


async def test_click_on_removed_but_painted_widget_does_nothing() -> None:
    app = Listed()
    async with app.run_test() as pilot:
        title = app.query_one(Static)
        x, y = title.region.offset
        with app.batch_update():
            await title.remove()
            assert app.screen.get_widget_at(x, y)[0] is title
            await app.on_event(events.MouseDown(None, x, y, 0, 0, 1, False, False, False, x, y))
        await pilot.pause()
        assert app.is_running


Shown = dict[int, dict[int, TerminalCell]]

COLUMNS, LINES = 24, 4

COLOURS = st.sampled_from([None, "#102030", "#e8e4dc", "red", "bright_blue", "color(141)"])
STYLES = st.one_of(
    st.none(),
    st.builds(
        Style,
        color=COLOURS,
        bgcolor=COLOURS,
        bold=st.booleans(),
        italic=st.booleans(),
        underline=st.booleans(),
        reverse=st.booleans(),
    ),
)
TEXTS = st.text(st.sampled_from("ab  ▟∙-"), min_size=1, max_size=6)
SEGMENTS = st.lists(st.tuples(TEXTS, STYLES).map(lambda drawn: Segment(*drawn)), min_size=1, max_size=4)


@st.composite
def updates(draw: st.DrawFn) -> LayoutUpdate:
    region = draw(
        st.builds(
            Region, st.integers(0, COLUMNS - 1), st.integers(0, LINES - 1), st.just(COLUMNS), st.just(LINES)
        )
    )
    region = region.intersection(Region(0, 0, COLUMNS, LINES))
    strips = [[Strip(draw(SEGMENTS)).crop_extend(0, region.width, None)] for _ in range(region.height)]
    return LayoutUpdate(list(strips), region)


def shown(screen: pyte.Screen) -> list[list[tuple[Any, ...]]]:
    return [
        [
            (
                cell.data,
                cell.bg,
                cell.underscore,
                cell.reverse,
                (cell.fg, cell.bold, cell.italics)
                if cell.data != " " or cell.underscore or cell.reverse
                else None,
            )
            for cell in (screen.buffer[y][x] for x in range(COLUMNS))
        ]
        for y in range(LINES)
    ]


@given(st.lists(updates(), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None, phases=(Phase.explicit, Phase.generate))
def test_painter_output_matches_textual(drawn: list[LayoutUpdate]) -> None:
    # Textual keeps a style's sequence for the first kind of colours that is asked for, so there is only one.
    console = Console(color_system="truecolor")
    known: Shown = {}
    ours, theirs = pyte.Screen(COLUMNS, LINES), pyte.Screen(COLUMNS, LINES)
    our_stream, their_stream = pyte.Stream(ours), pyte.Stream(theirs)
    for update in drawn:
        their_stream.feed(update.render_segments(console))
        our_stream.feed(ChangedCells(update, known).render_segments(console))
        assert shown(ours) == shown(theirs)
        # Nothing is written twice.
        assert ChangedCells(update, known).render_segments(console) == ""


def painted(known: Shown, *texts: str) -> str:
    strips = [[Strip([Segment(text)])] for text in texts]
    update = LayoutUpdate(list(strips), Region(0, 0, COLUMNS, len(texts)))
    return ChangedCells(update, known).render_segments(Console(color_system="truecolor"))


def test_only_changed_cells_are_written() -> None:
    known: Shown = {}
    painted(known, "move 1 of the match")
    assert painted(known, "move 2 of the match") == "\x1b[1;6H2"
    assert painted(known, "rove 2 of the watch") == "\x1b[1;1Hr\x1b[1;15Hw"


def test_wide_character_is_written_whole() -> None:
    known: Shown = {}
    painted(known, "a日b")
    assert painted(known, "axyb") == "\x1b[1;2Hxy"
    assert painted(known, "a日c") == "\x1b[1;2H日c"
    # The accent belongs to the letter before it.
    assert painted(known, "e\u0301bcd") == "\x1b[1;1He\u0301bcd"


def test_calm_screen_uses_256_colours() -> None:
    update = LayoutUpdate([[Strip([Segment("x", Style(color="#e3a857"))])]], Region(0, 0, 1, 1))
    console = Console(color_system="truecolor")
    assert "38;2;" in ChangedCells(update, {}).render_segments(console)
    assert "38;5;" in ChangedCells(update, {}, few=True).render_segments(console)


async def test_notice_that_expires_before_its_toast_does_not_block_the_app(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A toast reads the clock after the check that its notice has not expired."""
    monkeypatch.setattr(Notification, "has_expired", property(lambda _: False))
    monkeypatch.setattr(FixedNotification, "has_expired", property(lambda _: False))
    app = FixedApp()
    async with app.run_test(notifications=True) as pilot:
        app.notify("gone", timeout=-1)
        await pilot.pause()
        assert app.is_running
