"""Make false certificates and check that all are rejected: `python -m tools.forge [COUNT] [--seed N]`.

The truth comes from complete searches of small boards, never from the checker.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

import typer

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.registry import GameID, parse_game_id
from arcade.engines.verdict import Value
from arcade.proof.checker import FORMAT, Result, check, read, solve

DUELS = ("hexapawn:3x3", "hexapawn:2x3", "chocobar:3x3", "chocobar:2x4", "menace:XO.......", "graph")
RACES = tuple(f"honshu:5x1#{seed}" for seed in range(6))
NUMBERS = (None, True, 0, -1, 1, 2, 1.5, float("inf"), float("nan"), 10**30)
STRANGE: tuple[Any, ...] = (*NUMBERS, "", "x", "tie", [], [[]], {})

Document = dict[str, Any]


@cache
def truth(text: str) -> dict[Position[Any], Result]:
    with Control() as control:
        known = solve(parse_game_id(text).start(), control)
    assert known is not None
    return known


@cache
def results(game: str) -> list[tuple[Value, int]]:
    """Of all unfinished positions of a duel's small boards, for both sides."""
    tables = [truth(text) for text in DUELS if text.startswith(game)]
    found = {result for table in tables for at, result in table.items() if at.outcome() is None}
    return [*found, *((value.reversed, plies) for value, plies in found)]


@cache
def layouts(text: str) -> dict[str, int]:
    start, found = parse_game_id(text).start(), dict[str, int]()
    waiting = [("", start)]
    for line, position in waiting:
        outcome = position.outcome()
        if outcome is not None and outcome.score is not None:
            found[line.strip()] = outcome.score
        waiting += [(f"{line} {move}", position.play(move)) for move in position.moves()]
    return found


def holds(claim: Document, result: Result) -> bool:
    """`result` is for the claim's side."""
    value, plies = result
    if claim["value"] == "win":
        return value is Value.WIN and (claim["plies"] is None or plies <= claim["plies"])
    if claim["value"] == "loss" and claim["plies"] is not None:
        return value is not Value.LOSS or plies >= claim["plies"]
    return value is not Value.LOSS


def honest(text: str, at: Position[Any] | None, document: Document) -> bool:
    """True if every claim is true and not empty; `at` is None in a race."""
    try:
        if at is None:
            return bool(document["claims"]) and all(map(scored(text), document["claims"]))
        value, plies = truth(text)[at]
        for claim in document["claims"]:
            side, count = claim["side"], claim["plies"]
            if "bound" in claim or type(count) not in (int, type(None)) or type(side) is not int:
                return False
            if claim["value"] == "tie" and count is not None:
                return False
            mine = {at.turn: value, 1 - at.turn: value.reversed}[side]
            says = Value(claim["value"]) is Value.WIN or not all(
                holds(claim, each) for each in results(text.partition(":")[0])
            )
            if not says or not holds(claim, (mine, plies)):
                return False
        return bool(document["claims"])
    except (KeyError, TypeError, ValueError):
        return False


def scored(text: str) -> Callable[[Document], bool]:
    parsed, known = parse_game_id(text), layouts(text)
    argument = parsed.game.explanations.score_argument(parsed.start())

    def true(claim: Document) -> bool:
        best, bound = claim["best"], claim["bound"]
        if any(type(each) not in (int, type(None)) for each in (best, bound)):
            return False
        reached = best is None or known.get(claim["line"]) == best
        limited = bound is None or max(known.values()) <= bound <= argument["limit"]
        says = best is not None or (bound is not None and not claim["line"])
        return bool(reached and limited and says and claim["argument"] == argument)

    return true


def number(rng: random.Random, value: str, plies: int) -> int | None:
    """Plies near the true ones, sometimes invalid."""
    if rng.random() < 0.05:
        return rng.choice((None, 0, 1, -plies))
    if value == "tie" or (value == "win" and rng.random() < 0.2):
        return None
    return max(1 + (value == "loss"), plies + rng.choice((0, 0, 1, -1, 2, -2)))


def book(rng: random.Random, text: str, side: int, value: str) -> list[list[Any]]:
    known = truth(text)
    entries = []
    odd, all_true = rng.choice((0, 0.02, 0.2)), rng.random() < 0.7
    for at, (_, plies) in rng.sample(list(known.items()), min(len(known), rng.choice((0, 3, 30, 300)))):
        if at.outcome() is not None or (at.turn != side and rng.random() >= odd / 10):
            continue
        move = min(at.moves(), key=lambda move: known[at.play(move)][0] is not Value.LOSS)
        if rng.random() < odd:
            move = rng.choice((None, *at.moves()))
        count = number(rng, value, plies) if rng.random() < odd else None if value == "tie" else max(2, plies)
        if all_true and not holds({"value": value, "plies": count}, known[at]):
            continue
        entries.append([at.text(), move and str(move), count])
    return entries


def about_duel(rng: random.Random, text: str) -> tuple[Position[Any], list[Document]]:
    at, (_, plies) = rng.choice(list(truth(text).items()))
    claims = []
    for side in rng.choice(((0,), (1,), (0, 1), (0,), (1,), (0, 1), (0,), (1,), ())):
        value = rng.choice(list(Value)).value
        listed = book(rng, text, side, value)
        claims.append({"side": side, "value": value, "plies": number(rng, value, plies), "book": listed})
    return at, claims


def about_race(rng: random.Random, text: str) -> list[Document]:
    parsed, (line, score) = parse_game_id(text), rng.choice(list(layouts(text).items()))
    top = max(layouts(text).values())
    argument = parsed.game.explanations.score_argument(parsed.start())
    if rng.random() < 0.1:
        argument = {**argument, rng.choice(list(argument)): rng.randint(0, top)}
    best = rng.choice((None, score, score, score - 1, score + 1, top + 1, 0))
    limit = argument["limit"]
    bound = rng.choice((None, top, top - 1, top - 2, score - 1, limit, limit + 1, 10**6))
    listed = "" if best is None or rng.random() < 0.1 else line
    return [{"best": best, "line": listed, "bound": bound, "argument": argument}]


def made(rng: random.Random) -> tuple[str, bool]:
    """A certificate, and whether all its claims are true and not empty."""
    race = rng.random() < 0.1
    text = rng.choice(RACES if race else DUELS)
    parsed, at = parse_game_id(text), None
    if race:
        claims = about_race(rng, text)
    else:
        at, claims = about_duel(rng, text)
        parsed = GameID(parsed.game, parsed.parameters, at.text())
    if rng.random() < 0.03:
        # Claims about the other kind of game.
        claims = about_duel(rng, DUELS[0])[1] if race else about_race(rng, RACES[0])
    document: Document = {"format": FORMAT, "game": str(parsed), "claims": claims}
    if rng.random() < 0.15:
        spoil(rng, document)
    return json.dumps(document), honest(text, at, document)


def spoil(rng: random.Random, inside: Any) -> None:
    while isinstance(inside, (dict, list)) and inside:
        key = rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if not isinstance(inside[key], (dict, list)) or not inside[key] or rng.random() < 0.1:
            if isinstance(inside, dict) and rng.random() < 0.2:
                del inside[key]
            else:
                inside[key] = rng.choice(STRANGE)
            return
        inside = inside[key]


def tried(text: str) -> str:
    """Return "refused", "differs", "in part" or "accepted"."""
    try:
        certificate = read(text)
    except InputError:
        return "refused"
    with Control() as control:
        return {True: "accepted", False: "differs", None: "in part"}[check(certificate, control).agrees]


def forge(count: int, seed: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Return results of `count` false certificates, of true ones, and the false ones accepted."""
    rng = random.Random(seed)
    false, true, accepted = Counter[str](), Counter[str](), list[str]()
    while false.total() < count:
        text, right = made(rng)
        fate = tried(text)
        (true if right else false)[fate] += 1
        if fate == "accepted" and not right:
            accepted.append(text)
    return false, true, accepted


def main(
    count: Annotated[int, typer.Argument(help="Number of false certificates.")] = 12_000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
) -> None:
    false, true, accepted = forge(count, seed)
    for name, counts in (("false", false), ("true", true)):
        words = ", ".join(f"{number:,} {fate}" for fate, number in counts.most_common())
        print(f"{counts.total():,} {name} certificates: {words}")
    for text in accepted:
        print(f"ACCEPTED: {text}")
    raise typer.Exit(bool(accepted))


if __name__ == "__main__":
    typer.run(main)
