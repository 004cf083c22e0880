"""Play matches between engines without a screen."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arcade.commands.common import named, out, print_json
from arcade.engines.game import Kind
from arcade.match.match import Match
from arcade.session.alone import play_out


def watch_headless(first: Match, count: int, seconds: float | None, as_json: bool) -> None:
    """Play matches and print them. They are not saved, and machines do not learn from them.

    Args:
        first: the first match, the same as in the app; each later one has the next seed.
        count: the number of matches.
        seconds: time limit for one move.
        as_json: whether to print JSON.
    """
    players = list(first.seats)
    played = []
    results: Counter[str] = Counter()
    for number in range(count):
        match = play_out(Match(first.start, players, first.guests, first.seed + number), seconds)
        result = match.result
        assert result is not None
        winner = "tie" if result.winner is None else match.game.sides[result.winner]
        if result.winner is None and match.game.kind is Kind.RACE and len(players) == 1:
            winner = "played"
        results[winner] += 1
        game: dict[str, Any] = {
            "moves": [str(move) for move in match.moves],
            "winner": result.winner,
            "reason": result.reason,
        }
        if result.scores:
            game["scores"] = list(result.scores)
        played.append(game)
        if not as_json:
            out(f"{number + 1}. {match.moves}  {match.describe_result()}")
    if as_json:
        print_json({**named(first.start), "seats": players, "matches": played, "summary": dict(results)})
        return
    out(
        f"{count} played, {','.join(players)}: "
        + ", ".join(f"{name} {number}" for name, number in results.most_common())
    )
