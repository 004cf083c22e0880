import asyncio
import random
import signal

import pytest
from textual import events
from textual.drivers.linux_driver import LinuxDriver

from arcade.terminal.driver import PASTE, PASTED, Driver, Input
from tools.fuzz_pty import BAD


def keys(heard: Input, sent: bytes) -> list[str]:
    return [each.key for each in heard.feed(sent) if isinstance(each, events.Key)]


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
def test_a_key_after_bytes_that_make_no_sense_is_heard(sent: bytes) -> None:
    heard = Input()
    list(heard.feed(sent))
    assert keys(heard, b"x")[-1:] == ["x"]


def test_a_mouse_event_after_a_size_of_zero_pixels_has_its_place() -> None:
    (event,) = Input().feed(BAD["a size of zero pixels"])
    assert isinstance(event, events.MouseMove)
    assert (event.x, event.y) == (4, 4)


@pytest.mark.parametrize("code", range(128, 136))
def test_a_side_button_of_the_mouse_is_not_the_left_one(code: int) -> None:
    assert not list(Input().feed(f"\x1b[<{code};5;5M\x1b[<{code};5;5m".encode()))


def test_only_the_operating_system_tells_the_size() -> None:
    assert not list(Input().feed(b"\x1b[48;36;110;720;1100t\x1b[?2048;1$y"))


def test_a_character_may_come_in_two_pieces() -> None:
    heard = Input()
    assert keys(heard, b"\xc3") == []
    assert keys(heard, b"\xa4") == ["ä"]


def test_the_end_of_a_paste_may_come_in_two_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.constants.ESCAPE_DELAY", 0.0)
    for cut in range(1, len(PASTED)):
        heard = Input()
        assert not [*heard.feed(f"{PASTE}text{PASTED[:cut]}".encode()), *heard.tick()]
        (pasted, key) = heard.feed(f"{PASTED[cut:]}x".encode())
        assert isinstance(pasted, events.Paste)
        assert isinstance(key, events.Key)
        assert (pasted.text, key.key) == ("text", "x")


def test_keys_are_heard_again_after_a_paste_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Input()
    assert keys(heard, f"{PASTE}text".encode()) == []
    monkeypatch.setattr("arcade.terminal.driver.PASTE_SECONDS", 0.0)
    (pasted,) = heard.tick()
    assert isinstance(pasted, events.Paste)
    assert pasted.text == "text"
    assert keys(heard, b"x") == ["x"]


def test_a_beginning_of_a_paste_in_two_pieces_is_no_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser takes its first half for keys, so an Escape after it must not wait."""
    monkeypatch.setattr("textual.constants.ESCAPE_DELAY", 0.0)
    heard = Input()
    list(heard.feed(PASTE[:4].encode()))
    list(heard.tick())
    assert keys(heard, PASTE[4:].encode() + b"\x1b")[-1:] == ["tilde"]
    assert [event.key for event in heard.tick() if isinstance(event, events.Key)] == ["escape"]


def test_no_bytes_are_too_strange() -> None:
    rng = random.Random(1)
    pieces = [
        *BAD.values(),
        *(b"\x1b", b"[", b"O", b"<", b"?", b";", b":", b"~", b"u", b"t", b"R", b"M", b"m", b"A", b"$y"),
        *(b"\x1b[", b"\x1b[200~", b"\x1b[201~", b"\x1b[I", b"\x1b[<", b"\x1b[48;", b"\x1b[?2026;"),
        *(str(number).encode() for number in (0, 1, 2, 5, 48, 57399, 1114112, 10**25)),
        *(bytes([number]) for number in range(128, 256)),
    ]
    for _ in range(500):
        heard = Input()
        for _ in range(rng.randrange(1, 30)):
            list(heard.feed(rng.choice(pieces)))
            list(heard.tick())
        # Ends what may have been begun: a character, a sequence, a pasted text.
        assert keys(heard, b"\x1b[201~\x1b[201~x")[-1:] == ["x"]


def test_a_size_that_comes_when_the_arcade_has_ended_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def start() -> None:
        Driver.start_application_mode(Driver.__new__(Driver))

    monkeypatch.setattr(LinuxDriver, "start_application_mode", lambda _: None)
    asyncio.run(start())
    signal.raise_signal(signal.SIGWINCH)
