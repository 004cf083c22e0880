"""Match files, in the format of docs/match-files.md.

White space only separates tokens. If a text is invalid, the message of the InputError gives the line and
what was expected there.
"""

import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from arcade.engines.files import InputError, looks_like_file, read_text, write_new
from arcade.engines.registry import game_names
from arcade.engines.seats import Guests
from arcade.engines.verdict import Value
from arcade.play.match import Match
from arcade.store.record import MAX_LENGTH, Coach, Mark, MatchRecord

VERSION = 1
SIGNS = {Mark.ONLY: "!", Mark.GOOD: "=", Mark.BLUNDER: "??", Mark.INACCURACY: "?", Mark.HINTED: "=?"}

ENDS = {"1-0": Value.WIN, "0-1": Value.LOSS, "1/2-1/2": Value.TIE, "end": Value.TIE, "*": None}
"""Words that can end the move list, each with the result for the first player; None if unfinished."""

ENDING = ".match"
OPENING = "[Match "

WIDTH = 90

_TOKEN = re.compile(
    r'\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]'
    r"|\{(?P<comment>(?:[^}\\]|\\.)*)\}"
    r'|"(?P<quoted>(?:[^"\\]|\\.)*)"(?P<sign>[!=?]*)(?=\s|\{|$)'
    r'|(?P<word>[^\s\[\]{}"]+)',
    re.DOTALL,
)
_SPACE = re.compile(r"\s*")
_MOVE_NUMBER = re.compile(r"([0-9]{1,9})\.")
_PLAIN = re.compile(r'[^\s\[\]{}"\\]*[^\s\[\]{}"\\!=?]')


class _Kind(NamedTuple):
    expected: str
    text: Callable[[Any], str]
    value: Callable[[str], Any]


def _whole(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,1000}", text):
        raise ValueError
    return int(text)


def _numbers(each: str) -> _Kind:
    return _Kind(
        f"a whole number for each {each}",
        lambda numbers: " ".join(map(str, numbers)),
        lambda text: [_whole(word) for word in text.split()],
    )


def _version(text: str) -> int:
    if text != str(VERSION):
        raise ValueError
    return VERSION


def _seconds(text: str) -> float:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or moment.timestamp() < 0:
        raise ValueError
    return moment.timestamp()


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


_ANSWERS = ("no", "yes")
_VERSION = _Kind(f"{VERSION}, the version that this arcade reads", str, _version)
_TIME = _Kind("a time like 2026-01-31T21:14:00Z", _moment, _seconds)
_NUMBER = _Kind("a whole number", str, _whole)
_SEAT = _Kind("a whole number", lambda seat: str(seat + 1), lambda text: _whole(text) - 1)
_HEADERS = {
    "Seed": ("seed", _NUMBER),
    "Coach": ("coach", _Kind(f"one of {', '.join(Coach)}", str, Coach)),
    "Hints": ("hints", _numbers("player")),
    "TakenBack": ("takebacks", _NUMBER),
    "ValuesSeen": ("values", _NUMBER),
    "Taught": ("taught", _Kind("yes or no", _ANSWERS.__getitem__, lambda text: _ANSWERS.index(text) == 1)),
    "Scores": ("scores", _numbers("player")),
    "Lost": ("lost", _numbers("move")),
    "Played": ("played", _NUMBER),
    "Resigned": ("resigned", _SEAT),
    "PlayedBy": ("players", _Kind("names separated by commas", ",".join, lambda text: text.split(","))),
}
"""Optional headers in the order of the file, each with its field of `MatchRecord` and its type of value."""


def write(record: MatchRecord, time: float | None = None) -> str:
    """Return the text of a match file. `read` turns this text into `record.shown()`.

    `time` is the time of the match, in seconds since the epoch.
    """
    record = record.shown()
    headers = {"Match": str(VERSION)}
    if time is not None:
        headers["Time"] = _TIME.text(time)
    headers["Start"] = record.start
    headers |= {f"Player{seat}": who for seat, who in enumerate(record.seats, 1)}
    for name, (field, kind) in _HEADERS.items():
        value = getattr(record, field)
        if value not in ((), None) and (field, value) != ("played", len(record.moves)):
            headers[name] = kind.text(value)
    lines = [f'[{name} "{_escaped(value, chr(34))}"]' for name, value in headers.items()]
    return "\n".join([*lines, "", *_wrapped(_words(record))]) + "\n"


def _words(record: MatchRecord) -> Iterator[str]:
    comments = record.comments or ("",) * len(record.moves)
    for number, (move, mark, comment) in enumerate(zip(record.moves, record.marks, comments, strict=True), 1):
        plain = _PLAIN.fullmatch(move) and not _MOVE_NUMBER.fullmatch(move) and move not in ENDS
        quoted = move if plain else f'"{_escaped(move, chr(34))}"'
        yield f"{number}. {quoted}{SIGNS[Mark(mark)] if mark else ''}"
        if comment:
            yield from f"{{{_escaped(comment, '}')}}}".split(" ")
    if record.result is Value.TIE and len(record.seats) == 1:
        yield "end"
    else:
        yield next(word for word, value in ENDS.items() if value is record.result)


def _wrapped(words: Iterator[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".lstrip(" ")
    yield line


def _escaped(text: str, ends: str) -> str:
    return text.replace("\\", "\\\\").replace(ends, f"\\{ends}")


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


class _Token(NamedTuple):
    line: int
    kind: str
    text: str
    extra: str = ""
    """Value of a header, or the sign after a quoted move, such as "?" for an inaccuracy."""


def _tokens(text: str) -> Iterator[_Token]:
    at, line = 0, 1
    text = text.rstrip()
    while at < len(text):
        space = _SPACE.match(text, at)
        assert space is not None
        line += space[0].count("\n")
        at = space.end()
        part = _TOKEN.match(text, at)
        if part is None:
            raise _bad(
                line,
                f"expected a header, move or comment, found {text[at : at + 20]!r}; "
                "check for a missing bracket or quotation mark",
            )
        kind = part.lastgroup or ""
        if kind == "value":
            yield _Token(line, "header", part["name"], _plain(part["value"]))
        elif kind == "sign":
            yield _Token(line, "quoted", _plain(part["quoted"]), part["sign"])
        else:
            yield _Token(line, kind, _plain(part[kind]) if kind == "comment" else part[kind])
        line += part[0].count("\n")
        at = part.end()


def _bad(line: int, reason: str) -> InputError:
    return InputError(f"The match cannot be read. Line {line}: {reason}.")


def read(text: str) -> MatchRecord:
    """Read a match. Unlike `load`, do not replay it. Raises InputError if the text is not a valid match."""
    records = [record for record, _ in read_with_dates(text)]
    if len(records) != 1:
        way_out = " Import them with arcade matches import FILE, and open one by its number." * bool(records)
        raise InputError(f"Expected one match, found {len(records)}.{way_out}")
    return records[0]


def read_with_dates(text: str) -> Iterator[tuple[MatchRecord, float | None]]:
    """Yield each match with its time in seconds since the epoch, or with None if it has no time.

    Raises InputError if the text is invalid.
    """
    tokens: list[_Token] = []
    for token in _tokens(text):
        begins = (token.kind, token.text) == ("header", "Match")
        if begins and tokens:
            yield _record(tokens)
            tokens = []
        if not begins and not tokens:
            raise _bad(token.line, f'expected the version of the format, [Match "{VERSION}"]')
        tokens.append(token)
    if not tokens:
        raise _bad(1, f'expected the version of the format, [Match "{VERSION}"]')
    yield _record(tokens)


def _record(tokens: list[_Token]) -> tuple[MatchRecord, float | None]:
    headers: dict[str, _Token] = {}
    moves: list[str] = []
    marks: list[str] = []
    comments: list[str] = []
    end: _Token | None = None
    for token in tokens:
        number = _MOVE_NUMBER.fullmatch(token.text) if token.kind == "word" else None
        if token.kind == "header":
            if token.text in headers:
                raise _bad(token.line, f"the header {token.text} is given twice")
            if moves:
                raise _bad(token.line, f"the header {token.text} must be before the first move")
            headers[token.text] = token
        elif token.kind == "comment":
            if moves and end is None:
                comments[-1] = " ".join(f"{comments[-1]} {token.text}".split())
        elif end is not None:
            raise _bad(token.line, f"expected nothing after the result {end.text}, found {token.text!r}")
        elif token.kind == "word" and token.text in ENDS:
            end = token
        elif number:
            if int(number[1]) != len(moves) + 1:
                raise _bad(token.line, f"expected move {len(moves) + 1}, found {token.text!r}")
        else:
            move, mark = _move(token)
            moves.append(move)
            marks.append(mark)
            comments.append("")
    if end is None:
        raise _bad(tokens[-1].line, f"expected the result of the match: one of {', '.join(ENDS)}")
    record = _checked(headers, moves, marks, comments, end)
    return record, _value(headers["Time"], _TIME) if "Time" in headers else None


def _move(token: _Token) -> tuple[str, str]:
    move, sign = token.text, token.extra
    if token.kind == "word":
        move = token.text.rstrip("".join(SIGNS.values()))
        sign = token.text[len(move) :]
    if not sign:
        return move, ""
    mark = next((mark for mark, known in SIGNS.items() if known == sign), None)
    if mark is None or (not move and token.kind == "word"):
        raise _bad(token.line, f"{token.text!r} has an unknown sign; use {' '.join(SIGNS.values())}")
    return move, mark.value


def _checked(
    headers: dict[str, _Token], moves: list[str], marks: list[str], comments: list[str], end: _Token
) -> MatchRecord:
    for name in ("Match", "Start", "Player1"):
        if name not in headers:
            raise _bad(headers["Match"].line, f"the header {name} is missing")
    _value(headers["Match"], _VERSION)
    start = headers["Start"].extra
    seats = [headers[name].extra for name in ("Player1", "Player2") if name in headers]
    data = {
        "game": re.split("[:#]", start, maxsplit=1)[0],
        "start": start,
        "seats": seats,
        "moves": moves,
        "marks": marks,
        "comments": comments if any(comments) else [],
        "played": len(moves),
        "hints": [0] * len(seats),
        "resigned": None,
        "result": ENDS[end.text],
    }
    for name, (field, kind) in _HEADERS.items():
        if name in headers:
            data[field] = _value(headers[name], kind)
    return MatchRecord.from_data(data, "The match cannot be read")


def _value(header: _Token, kind: _Kind) -> Any:
    try:
        return kind.value(header.extra)
    except (ValueError, OverflowError):
        raise _bad(
            header.line, f"the header {header.text} must be {kind.expected}, not {header.extra!r}"
        ) from None


def is_name(text: str) -> bool:
    """Return True if a text names a match file, not a game. Raises InputError if it could be either."""
    name = re.split("[:#]", text.strip(), maxsplit=1)[0]
    if name in game_names():
        return False
    if text.endswith(ENDING) or looks_like_file(name):
        return True
    if os.path.isfile(text):
        raise InputError(f"Unknown game {text!r}. To open a file with that name, write ./{text}.")
    return False


def read_file(name: str, guests: Guests | None = None) -> Match:
    return load(read_text(name, "match file"), guests)


def write_file(name: str, record: MatchRecord) -> str:
    """Write a new match file and return its name. A name without an extension gets `ENDING`.

    Raises InputError if the file exists or cannot be written.
    """
    name = with_ending(name)
    write_new(name, write(record))
    return name


def with_ending(name: str) -> str:
    return name if os.path.splitext(name)[1] else name + ENDING


def load(text: str, guests: Guests | None = None) -> Match:
    """Read and replay one match. A finished match is marked as `imported`.

    Raises InputError if the text is too long or invalid, or if a move is illegal.
    """
    if len(text) > MAX_LENGTH:
        raise InputError(f"The match has {len(text):,} characters. The limit is {MAX_LENGTH:,}.")
    match = Match.from_record(read(text), guests)
    match.imported = match.finished
    return match
