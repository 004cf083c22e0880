"""Commands that analyse positions, and `arcade rules`."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

import typer

from arcade.commands.common import (
    id_json,
    interruptible_work,
    print_error,
    print_json,
    print_line,
    print_result,
    read_start,
)
from arcade.commands.options import AsJson, GameId, GameName, Moves, Seconds
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.reasons import Explanation, Rule
from arcade.engines.registry import AnyGame, GameID, get_game
from arcade.engines.verdict import DuelVerdict, Hint, MoveVerdict, Proof, ScoreVerdict, Verdict
from arcade.engines.wording import address, capitalize

Answer = TypeVar("Answer")

app = typer.Typer(rich_markup_mode=None)

LINE_SECONDS = 0.5
"""Default time limit in seconds for extending a hint's line."""


@contextmanager
def analysed(
    game_id: str,
    moves: str,
    seconds: float | None,
    work: Callable[[AnyGame, Position[Any], Control], Answer],
) -> Iterator[tuple[GameID, Position[Any], Answer]]:
    """Yield the game ID, the position and the result of `work` or, after Ctrl+C, the result so far."""
    parsed, position = read_start(game_id, moves)
    solver = parsed.game.solver
    with interruptible_work(
        lambda control: work(parsed.game, position, control),
        solver.progress,
        seconds,
        effort=solver.effort(position),
    ) as answer:
        yield parsed, position, answer


def headline(parsed: GameID, position: Position[Any], verdict: Verdict) -> str:
    sides = parsed.game.sides
    return verdict.sentence(sides[position.turn], sides[1 - position.turn])


def verdict_json(parsed: GameID, position: Position[Any], verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON data, with the same keys for every command; see docs/commands.md."""
    whole_id = parsed.at(position)
    known = {**id_json(whole_id), "parameters": parsed.parameters, "position": whole_id.position}
    return {**known, **verdict.json(), **parsed.game.explanations.verdict_details(position, verdict)}


@app.command()
def verdict(game_id: GameId, moves: Moves = "", seconds: Seconds = None, as_json: AsJson = False) -> None:
    """Show the verdict of a position for the player to move."""

    def work(game: AnyGame, position: Position[Any], control: Control) -> Verdict:
        found: Verdict = game.solver.verdict(position, control)
        return found

    with analysed(game_id, moves, seconds, work) as (parsed, position, known):
        print_result(
            as_json,
            verdict_json(parsed, position, known),
            f"{headline(parsed, position, known)}.",
            said=f"{capitalize(known.provenance())}.",
        )


def move_json(move: MoveVerdict[Any]) -> dict[str, Any]:
    known = move.verdict.json()
    for work in ("positions", "nodes", "seconds"):
        del known[work]
    if isinstance(move.verdict, ScoreVerdict):
        # Here "best" marks the best moves, so the reachable score needs another name.
        known["score"] = known.pop("best")
    return {"move": str(move.move), **known, "best": move.best}


def verdict_word(verdict: Verdict) -> str:
    """Return a verdict as a short text, for example "win 45", or "win 9-21" if only limits are known."""
    if isinstance(verdict, ScoreVerdict):
        if verdict.best is None:
            return "unknown" if verdict.bound is None else f"at most {verdict.bound}"
        return f"{verdict.best}" if verdict.bound is None else f"{verdict.best} (bound {verdict.bound})"
    value = "unknown" if verdict.value is None else verdict.value.value
    if verdict.remoteness is not None:
        return f"{value} {verdict.remoteness}"
    if not isinstance(verdict, DuelVerdict):
        return value
    low, high = verdict.at_least or 0, verdict.at_most
    if high is not None:
        return f"{value} {low}-{high}" if low > 1 else f"{value} <={high}"
    return f"{value} >={low}" if low > 1 else value


@app.command("moves")
def list_moves(game_id: GameId, moves: Moves = "", seconds: Seconds = None, as_json: AsJson = False) -> None:
    """List legal moves with their verdicts. An asterisk (*) marks the best moves."""

    def work(game: AnyGame, position: Position[Any], control: Control) -> list[MoveVerdict[Any]]:
        return game.solver.moves(position, control)

    with analysed(game_id, moves, seconds, work) as (_, position, found):
        if position.outcome() is not None:
            print_error("The game is over.")
        width = max((len(str(move.move)) for move in found), default=0)
        print_result(
            as_json,
            [move_json(move) for move in found],
            *(
                f"{'*' if move.best else ' '} {move.move!s:<{width}}  {verdict_word(move.verdict)}"
                for move in found
            ),
        )


@app.command()
def hint(game_id: GameId, moves: Moves = "", seconds: Seconds = None, as_json: AsJson = False) -> None:
    """Give a hint: where to look, which move, and why.

    If no move can be proved in a few seconds, the hint says so. Use --seconds to search longer, for a better
    move or a longer line.
    """

    def work(game: AnyGame, position: Position[Any], control: Control) -> Hint[Any] | None:
        if position.outcome() is not None:
            raise InputError("There is no hint, because the game is already over.")
        hints = game.explanations.hints(position, control)
        given = next(hints, None)
        with control.within(LINE_SECONDS if seconds is None else None):
            more = deque(hints, maxlen=1)
        return more[0] if more else given

    with analysed(game_id, moves, seconds, work) as (parsed, position, given):
        if given is None:
            if as_json:
                print_json(None)
            print_error("You stopped before a hint was found.")
            return
        line = [str(move) for move in given.line]
        why = address(parsed.game.sides[position.turn], given.why)
        told = [given.region.says, f"{given.advice()} {why}", *filter(None, [given.rule_line])]
        proved = given.verdict.proof is not Proof.ESTIMATE
        value = headline(parsed, position, given.verdict).replace("A tie", "a tie")
        verdict = f"With {given.move}: {value}. " if proved else ""
        print_result(
            as_json,
            {
                "where": given.region.says,
                "move": str(given.move),
                "why": given.why,
                "motto": given.motto,
                "line": line,
                **given.verdict.limits(),
                "proof": given.verdict.proof.value,
            },
            *told,
            f"{verdict}{given.line_title}: {' '.join(line)}.",
        )


@app.command()
def line(game_id: GameId, moves: Moves = "", seconds: Seconds = None, as_json: AsJson = False) -> None:
    """Print best play by both sides to the end."""

    def work(game: AnyGame, position: Position[Any], control: Control) -> list[str]:
        return [str(move) for move in game.solver.line(position, control)]

    with analysed(game_id, moves, seconds, work) as (parsed, position, notations):
        if as_json or notations:
            print_result(as_json, {**id_json(parsed), "line": notations}, " ".join(notations))
        elif position.outcome() is not None:
            print_error("The game is over.")
        else:
            print_error("No line available: this position is not solved far enough.")


AllRules = Annotated[
    bool,
    typer.Option("--all", help="Include the rules that players do not see, as they are hard to remember."),
]


@app.command()
def why(
    game_id: GameId,
    moves: Moves = "",
    all_rules: AllRules = False,
    seconds: Seconds = None,
    as_json: AsJson = False,
) -> None:
    """Explain a verdict by the game's rules of thumb."""

    def judge(game: AnyGame, position: Position[Any], control: Control) -> tuple[Verdict, float]:
        if not game.explanations.rules:
            raise InputError(f"{game.title} has no rules of thumb. Use arcade hint for the best move.")
        return game.solver.verdict(position, control), control.seconds

    def explain(game: AnyGame, position: Position[Any], control: Control) -> Explanation[Any, Any] | None:
        explanations = game.explanations
        return (explanations.all_reasons if all_rules else explanations).why(position, control)

    with analysed(game_id, moves, seconds, judge) as (parsed, position, (verdict, spent)):
        if not as_json:
            print_line(f"{headline(parsed, position, verdict)}.", flush=True)
    left = None if seconds is None else max(0.0, seconds - spent)
    with analysed(game_id, moves, left, explain) as (_, _, reason):
        print_reason(as_json, parsed, position, verdict, reason)


def print_reason(
    as_json: bool,
    parsed: GameID,
    position: Position[Any],
    verdict: Verdict,
    reason: Explanation[Any, Any] | None,
) -> None:
    answer: dict[str, Any] = {"verdict": verdict_json(parsed, position, verdict)}
    if reason is None:
        says = "No explanation found in time."
        unknown = dict.fromkeys(("distance", "rule", "position", "value"))
        print_result(as_json, {**answer, **unknown, "line": [], "says": says}, says)
        return
    line = [str(move) for move in reason.line]
    says = reason.example()
    known = {
        **answer,
        "distance": reason.distance,
        "line": line,
        "rule": reason.rule.id if reason.rule else "end",
        "position": str(parsed.at(reason.position)),
        "value": reason.value.value,
        "says": says,
    }
    lines = [*filter(None, [reason.rule_line])]
    if reason.rule and not (reason.rule.teaches or line):
        lines.append("This rule does not say which move wins. Run arcade hint to see one.")
    print_result(as_json, known, says, *lines)


def listed_rule(rule: Rule[Any]) -> list[str]:
    proof = [f"    Proof: {rule.proof}"] if rule.proof else []
    return [rule.motto, f"    {rule.says} ({rule.strength})", *proof]


@app.command()
def rules(name: GameName, all_rules: AllRules = False, as_json: AsJson = False) -> None:
    """List a game's rules of thumb and how often each one holds."""
    game = get_game(name)
    found = [rule for rule in game.explanations.rules if rule.shown or all_rules]
    if not found:
        raise InputError(f"{game.title} has no rules of thumb. Use arcade hint for the best move.")
    premises = dict.fromkeys(rule.premise for rule in found)
    print_result(
        as_json,
        [rule.json() for rule in found],
        *(line for premise in premises if premise for line in [*premise.splitlines(), ""]),
        *(line for rule in found for line in listed_rule(rule)),
    )
