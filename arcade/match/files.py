"""Match files: matches as text that people and programs read and write; docs/match-files.md explains them.

White space only separates, so a match can also be pasted as one line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from arcade.engines.files import InputError, read_text, write_new
from arcade.engines.registry import Guests, game_names
from arcade.engines.verdict import Value
from arcade.match.match import Match
from arcade.match.record import LONGEST, Coach, Mark, MatchRecord

VERSION = 1
"""The version of the format that `write` writes."""

SIGNS = {Mark.ONLY: "!", Mark.KEPT: "=", Mark.THREW: "??", Mark.LOST: "?", Mark.HINTED: "=?"}
"""What follows a move whose quality is known."""

ENDS = {"1-0": Value.WIN, "0-1": Value.LOSS, "1/2-1/2": Value.TIE, "end": Value.TIE, "*": None}
"""The last word of a match, and the result for the first player."""

ENDING = ".match"
"""The ending of the names of match files."""

OPENING = "[Match "
"""How the text of a match begins."""

WIDTH = 90
"""The columns of a line of moves."""

_TOKEN = re.compile(
    r'\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]'
    r"|\{(?P<comment>(?:[^}\\]|\\.)*)\}"
    r'|"(?P<quoted>(?:[^"\\]|\\.)*)"(?P<sign>[!=?]*)(?=\s|\{|$)'
    r'|(?P<word>[^\s\[\]{}"]+)',
    re.DOTALL,
)
_SPACE = re.compile(r"\s*")
_INTEGER = re.compile("-?[0-9]{1,1000}")
_NUMBER = re.compile(r"([0-9]{1,9})\.")
_PLAIN = re.compile(r'[^\s\[\]{}"\\]*[^\s\[\]{}"\\!=?]')


def write(record: MatchRecord, time: float | None = None) -> str:
    """A match as text, from which `read` gives an equal record.

    Args:
        record: the match.
        time: when it was played, in seconds since the epoch; None to leave it out.
    """
    headers = {
        "Match": str(VERSION),
        **({} if time is None else {"Time": _moment(time)}),
        "Start": record.start,
        **{f"Player{seat}": who for seat, who in enumerate(record.seats, 1)},
        "Seed": str(record.seed),
        "Coach": record.coach.value,
        "Hints": " ".join(map(str, record.hints)),
        "TakenBack": str(record.takebacks),
        "ValuesSeen": str(record.values),
        "Taught": "yes" if record.taught else "no",
    }
    if record.scores:
        headers["Scores"] = " ".join(map(str, record.scores))
    if record.lost:
        headers["Lost"] = " ".join(map(str, record.lost))
    if record.played < len(record.moves):
        headers["Played"] = str(record.played)
    if record.resigned is not None:
        headers["Resigned"] = str(record.resigned + 1)
    lines = [f'[{name} "{_escaped(value, chr(34))}"]' for name, value in headers.items()]
    return "\n".join([*lines, "", *_wrapped(_words(record))]) + "\n"


def _moment(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).isoformat().replace("+00:00", "Z")


def _words(record: MatchRecord) -> Iterator[str]:
    """The moves with their numbers, signs and comments, then the end."""
    comments = record.comments or ("",) * len(record.moves)
    for number, (move, mark, comment) in enumerate(zip(record.moves, record.marks, comments, strict=True), 1):
        plain = _PLAIN.fullmatch(move) and not _NUMBER.fullmatch(move) and move not in ENDS
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


@dataclass(frozen=True, slots=True)
class _Token:
    line: int
    kind: str
    """The name of its group in `_TOKEN`."""
    text: str
    extra: str = ""
    """The value of a header, or the sign of a quoted move."""


def _tokens(text: str) -> Iterator[_Token]:
    """The parts of a text.

    Raises:
        InputError: a bracket or a quotation mark is wrong.
    """
    at, line = 0, 1
    text = text.rstrip()
    while at < len(text):
        space = _SPACE.match(text, at)
        assert space is not None
        line += space[0].count("\n")
        at = space.end()
        found = _TOKEN.match(text, at)
        if found is None:
            raise _bad(
                line,
                f"{text[at : at + 20]!r} is no header, move or comment; a bracket may be open",
            )
        kind = found.lastgroup or ""
        if kind == "value":
            yield _Token(line, "header", found["name"], _plain(found["value"]))
        elif kind == "sign":
            yield _Token(line, "quoted", _plain(found["quoted"]), found["sign"])
        else:
            yield _Token(line, kind, _plain(found[kind]) if kind == "comment" else found[kind])
        line += found[0].count("\n")
        at = found.end()


def _bad(line: int, reason: str) -> InputError:
    return InputError(f"The match cannot be read: line {line}: {reason}.")


def read(text: str) -> MatchRecord:
    """Read the text of one match. Only a replay checks whether its moves are legal; `load` does both.

    Raises:
        InputError: the line, what is wrong and what was expected.
    """
    records = read_all(text)
    if len(records) != 1:
        raise InputError(f"One match was expected, but there are {len(records)}.")
    return records[0]


def read_all(text: str) -> list[MatchRecord]:
    """Read matches that follow one another, each from its header Match to its end.

    Raises:
        InputError: the line, what is wrong and what was expected.
    """
    return [record for record, _ in read_dated(text)]


def read_dated(text: str) -> Iterator[tuple[MatchRecord, float | None]]:
    """Read matches as `read_all` does, each when it is asked for, with the time when it was played.

    Yields:
        The matches, each with seconds since the epoch; None where the time is not said.

    Raises:
        InputError: the line, what is wrong and what was expected.
    """
    tokens: list[_Token] = []
    for token in _tokens(text):
        begins = (token.kind, token.text) == ("header", "Match")
        if begins and tokens:
            yield _record(tokens)
            tokens = []
        if not begins and not tokens:
            raise _bad(token.line, f'a match begins with its version, [Match "{VERSION}"]')
        tokens.append(token)
    if not tokens:
        raise _bad(1, f'a match begins with its version, [Match "{VERSION}"]')
    yield _record(tokens)


def _record(tokens: list[_Token]) -> tuple[MatchRecord, float | None]:
    """The match of some tokens, and its time.

    Raises:
        InputError: see `read`.
    """
    headers: dict[str, _Token] = {}
    moves: list[str] = []
    marks: list[str] = []
    comments: list[str] = []
    end: _Token | None = None
    for token in tokens:
        number = _NUMBER.fullmatch(token.text) if token.kind == "word" else None
        if token.kind == "header":
            if token.text in headers:
                raise _bad(token.line, f"the header {token.text} stands there twice")
            if moves:
                raise _bad(token.line, f"the header {token.text} stands after a move")
            headers[token.text] = token
        elif token.kind == "comment":
            if moves and end is None:
                comments[-1] = " ".join(f"{comments[-1]} {token.text}".split())
        elif end is not None:
            raise _bad(token.line, f"{token.text!r} stands after the end, {end.text}")
        elif token.kind == "word" and token.text in ENDS:
            end = token
        elif number:
            if int(number[1]) != len(moves) + 1:
                raise _bad(token.line, f"move {len(moves) + 1} was expected, not number {token.text}")
        else:
            move, mark = _move(token)
            moves.append(move)
            marks.append(mark)
            comments.append("")
    if end is None:
        raise _bad(tokens[-1].line, f"the end is missing, which is one of {', '.join(ENDS)}")
    read = _Headers(headers)
    return _checked(read, moves, marks, comments, end), read.time("Time")


def _move(token: _Token) -> tuple[str, str]:
    move, sign = token.text, token.extra
    if token.kind == "word":
        move = token.text.rstrip("".join(SIGNS.values()))
        sign = token.text[len(move) :]
    if not sign:
        return move, ""
    mark = next((mark for mark, known in SIGNS.items() if known == sign), None)
    if mark is None or (not move and token.kind == "word"):
        raise _bad(
            token.line, f"{token.text!r} has an unknown sign; the signs are {' '.join(SIGNS.values())}"
        )
    return move, mark.value


class _Headers:
    """The headers of a match, each read as what it must be."""

    def __init__(self, headers: dict[str, _Token]) -> None:
        self._headers = headers

    def text(self, name: str, missing: str | None = None) -> str:
        token = self._headers.get(name)
        if token is None and missing is None:
            raise _bad(self._headers["Match"].line, f"the header {name} is missing")
        return token.extra if token is not None else missing or ""

    def number(self, name: str, missing: int | None = None) -> int:
        text = self.text(name, None if missing is None else str(missing))
        if not _INTEGER.fullmatch(text):
            raise self.bad(name, "a whole number")
        return int(text)

    def numbers(self, name: str, missing: str, each: str = "player") -> list[int]:
        words = self.text(name, missing).split()
        if not all(map(_INTEGER.fullmatch, words)):
            raise self.bad(name, f"a whole number for each {each}")
        return list(map(int, words))

    def time(self, name: str) -> float | None:
        if name not in self._headers:
            return None
        try:
            moment = datetime.fromisoformat(self.text(name))
            if moment.tzinfo is None or moment.timestamp() < 0:
                raise ValueError
        except (ValueError, OverflowError):
            raise self.bad(name, "a time like 2026-01-31T21:14:00Z") from None
        return moment.timestamp()

    def bad(self, name: str, expected: str) -> InputError:
        token = self._headers[name]
        return _bad(token.line, f"the header {name} must be {expected}, not {token.extra!r}")

    def __contains__(self, name: str) -> bool:
        return name in self._headers


def _checked(
    headers: _Headers, moves: list[str], marks: list[str], comments: list[str], end: _Token
) -> MatchRecord:
    """The record of what was read.

    Raises:
        InputError: a header is missing or wrong, or they contradict one another.
    """
    if headers.number("Match") != VERSION:
        raise headers.bad("Match", f"{VERSION}, the version that this arcade reads")
    start = headers.text("Start")
    seats = [headers.text("Player1")]
    if "Player2" in headers:
        seats.append(headers.text("Player2"))
    hints = headers.numbers("Hints", "0 " * len(seats))
    if headers.text("Coach", Coach.OPEN) not in list(Coach):
        raise headers.bad("Coach", f"one of {', '.join(Coach)}")
    if headers.text("Taught", "no") not in ("yes", "no"):
        raise headers.bad("Taught", "yes or no")
    data = {
        "game": re.split("[:#]", start, maxsplit=1)[0],
        "start": start,
        "seed": headers.number("Seed", 0),
        "taught": headers.text("Taught", "no") == "yes",
        "seats": seats,
        "moves": moves,
        "marks": marks,
        "comments": comments if any(comments) else [],
        "played": headers.number("Played", len(moves)),
        "hints": hints,
        "scores": headers.numbers("Scores", ""),
        "lost": headers.numbers("Lost", "", "move"),
        "takebacks": headers.number("TakenBack", 0),
        "values": headers.number("ValuesSeen", 0),
        "coach": headers.text("Coach", Coach.OPEN),
        "resigned": headers.number("Resigned") - 1 if "Resigned" in headers else None,
        "result": ENDS[end.text],
    }
    return MatchRecord.from_data(data, "The match cannot be read")


def is_name(text: str) -> bool:
    """Whether a text names a match file, and no game."""
    name = re.split("[:#]", text.strip(), maxsplit=1)[0]
    return name not in game_names() and (text.endswith(ENDING) or os.path.isfile(text))


def read_file(name: str, guests: Guests | None = None) -> Match:
    """Read the file of one match and replay it; see `load`.

    Raises:
        InputError: the file cannot be read, or what `load` says.
    """
    return load(read_text(os.path.expanduser(name), "match file"), guests)


def write_file(name: str, record: MatchRecord) -> str:
    """Write a match to a new file; a name without an ending gets `ENDING`.

    Returns:
        The name of the file.

    Raises:
        InputError: there is such a file already, or it cannot be written.
    """
    name = os.path.expanduser(with_ending(name))
    write_new(name, write(record))
    return name


def with_ending(name: str) -> str:
    return name if os.path.splitext(name)[1] else name + ENDING


def load(text: str, guests: Guests | None = None) -> Match:
    """Read the text of one match and replay it, checking every move.

    A finished match is `Match.foreign`: it is no match of this store, and teaches none of its machines.

    Args:
        text: the text.
        guests: who may sit there; a match can be looked at without them.

    Raises:
        InputError: the text is no match, or a move is wrong, which the message names by its number.
    """
    if len(text) > LONGEST:
        raise InputError(f"The match has {len(text):,} characters; the limit is {LONGEST:,}.")
    if guests is None:
        from arcade.matchbox.machines import Machines
        from arcade.store.store import Store

        guests = Machines(Store.in_memory)
    match = Match.from_record(read(text), guests)
    match.foreign = match.finished
    return match
