"""What a certificate claims about a position, and how it is written; the checker reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from arcade.engines.position import Position
from arcade.engines.registry import GameID
from arcade.engines.verdict import Value, plies

FORMAT = "solver-arcade certificate 1"


def many(count: int, what: str) -> str:
    """A number of things, e.g. "1 position" or "1,368 moves"."""
    return f"{count:,} {what}{'s' * (count != 1)}"


@dataclass
class Claim:
    """A side gets at least `value`: a win within `plies`, a tie, or no loss before `plies`."""

    side: int
    """0 for the first player, 1 for the second."""
    value: Value
    plies: int | None
    """None for a tie, and for a win without a limit."""
    book: dict[Position[Any], tuple[Any, int | None]] = field(default_factory=dict)
    """For positions in which the side moves: its move, None if left open, and the plies it has left."""

    def sentence(self, sides: tuple[str, str]) -> str:
        """The claim in words, e.g. "White wins within 19 plies"."""
        name = sides[self.side]
        if self.value is Value.WIN:
            return f"{name} wins" if self.plies is None else f"{name} wins within {plies(self.plies)}"
        return f"{name} does not lose" + (f" before ply {self.plies}" if self.plies is not None else "")


@dataclass
class ScoreClaim:
    """Some moves reach a final score, and none reaches more than a bound."""

    best: int | None
    """The final score after `line`; None if no line is known."""
    line: list[Any]
    bound: int | None
    argument: dict[str, int]
    """The numbers of `HasLimit.limit`; empty for a game without."""

    def sentence(self, sides: tuple[str, str]) -> str:
        """The claim in words; a race has no sides."""
        reached = "" if self.best is None else f"{self.best} points can be reached"
        limited = "" if self.bound is None else f"nothing exceeds {self.bound} points"
        return " and ".join(filter(None, [reached, limited]))


def as_text(parsed: GameID, claims: list[Claim | ScoreClaim]) -> str:
    """A certificate as JSON, with one entry of a book on each line."""
    game, written = GameID(parsed.game, parsed.parameters, parsed.start().text()), []
    for claim in claims:
        known: dict[str, Any] = dict(vars(claim))
        if isinstance(claim, Claim):
            del known["book"]
            entries = [
                json.dumps([position.text(), move and str(move), plies])
                for position, (move, plies) in claim.book.items()
            ]
            written.append(json.dumps(known)[:-1] + ', "book": [\n' + ",\n".join(entries) + "\n]}")
        else:
            known["line"] = " ".join(map(str, claim.line))
            written.append(json.dumps(known))
    head = json.dumps({"format": FORMAT, "game": str(game)})
    return f'{head[:-1]}, "claims": [\n' + ",\n".join(written) + "\n]}\n"
