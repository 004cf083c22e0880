"""Why a position has its value, and a game's rules of play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import typer

from arcade.commands import common as shell
from arcade.commands.questions import asked, headline, verdict_json
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, get_game

app = typer.Typer(rich_markup_mode=None)


@shell.command(app)
def why(question: shell.PositionQuestion) -> None:
    def work(game: AnyGame, position: Position[Any], control: Control) -> Any:
        if not game.rules_of_play():
            raise InputError(f"{game.title} has no rules of play yet; arcade hint says which move is best.")
        return game.solver.verdict(position, control), game.reasons.why(position, control)

    parsed, position, (verdict, reason) = asked(question, work)
    first = f"{headline(parsed, position, verdict)}."
    answer: dict[str, Any] = {"verdict": verdict_json(parsed, position, verdict)}
    if reason is None:
        from arcade.engines.reasons import NO_REASON

        unknown = dict.fromkeys(("rule", "position", "value"))
        known = {**answer, "distance": None, "line": [], **unknown, "says": NO_REASON}
        shell.answer(question.as_json, known, first, NO_REASON)
        return
    sides = parsed.game.sides
    says = reason.sentence(sides[position.turn], sides[1 - position.turn])
    line = [str(move) for move in reason.line]
    there = replace(parsed, position=reason.position.text(), seed=None)
    known = {
        **answer,
        "distance": reason.distance,
        "line": line,
        "rule": reason.rule.id if reason.rule else "end",
        "position": str(there),
        "value": reason.value.value,
        "says": says,
    }
    lines = [f"It goes on like this: {' '.join(line)}."] if line else []
    there_says = [reason.case.says] if line else []
    shell.answer(question.as_json, known, first, says, *lines, *there_says)


@shell.command(app)
def rules(name: str, as_json: bool = False) -> None:
    game = get_game(name)
    found = game.rules_of_play()
    if not found:
        raise InputError(f"{game.title} has no rules of play.")
    shell.answer(
        as_json,
        [rule.json() for rule in found],
        *(f"{rule.value.value:4}  {rule.says} ({rule.strength})" for rule in found),
    )
