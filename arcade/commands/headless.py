"""Matches of engines against each other, played without a screen."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

from arcade.commands.common import print_json
from arcade.engines.control import Control
from arcade.engines.game import Kind
from arcade.engines.registry import GameID

if TYPE_CHECKING:
    from arcade.machines import Machines


def watch_headless(
    parsed: GameID,
    players: list[str],
    machines: Machines,
    count: int,
    seed: int,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Play matches and print them. Nothing of them is kept, so machines do not learn."""
    from arcade.match import Match

    played = []
    results: Counter[str] = Counter()
    for number in range(count):
        match = Match(parsed, players, machines)
        rng = random.Random(f"{seed}/{number}")
        while match.to_move is not None:
            with Control(seconds) as control:
                move = match.player().choose(match.position, rng, control)
            if move is None:
                match.resign(match.turn)
            else:
                match.play(move)
        result = match.result
        assert result is not None
        winner = "tie" if result.winner is None else match.game.sides[result.winner]
        if result.winner is None and match.game.kind is Kind.RACE and len(players) == 1:
            winner = "played"
        results[winner] += 1
        game: dict[str, Any] = {
            "moves": [str(ply.move) for ply in match.plies],
            "winner": result.winner,
            "reason": result.termination.value,
        }
        if result.scores:
            game["scores"] = list(result.scores)
        played.append(game)
        if not as_json:
            print(
                f"{number + 1}. {' '.join(str(ply.move) for ply in match.plies)}  {match.describe_result()}"
            )
    if as_json:
        print_json({"game": str(parsed), "seats": players, "matches": played, "summary": dict(results)})
        return
    print(
        f"{count} played, {','.join(players)}: "
        + ", ".join(f"{name} {number}" for name, number in results.most_common())
    )
