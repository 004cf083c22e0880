"""`arcade watch`: show matches between engines in the app, or print their moves."""

from collections import Counter
from functools import partial
from typing import Annotated, Any

import typer

from arcade.commands.common import (
    id_json,
    interruptible_work,
    print_line,
    print_result,
    say_preparing,
    showing_progress,
)
from arcade.commands.full_screen import open_app
from arcade.commands.machines import load_machines
from arcade.commands.options import Ascii, AsJson, ChoiceSeed, GameId, check_utf8, parse_seconds, whole_number
from arcade.engines.files import InputError
from arcade.engines.registry import parse_game_id
from arcade.engines.wording import quantity
from arcade.play.headless import look_back, play_to_end
from arcade.play.keymap import DEFAULT_KEYS
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.scene import EndScene, scene_of
from arcade.play.state import State

app = typer.Typer(rich_markup_mode=None)


@app.command()
def watch(
    game_id: GameId,
    seats: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            callback=check_utf8,
            help="Engines that play, for example beginner,club or depth:3,perfect.",
        ),
    ] = "",
    count: Annotated[
        int,
        typer.Option(
            "--matches",
            "--games",
            metavar="N",
            parser=whole_number(1, 1_000_000_000),
            help="Number of matches.",
        ),
    ] = 1,
    seed: ChoiceSeed = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="Print the moves instead of opening the app.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", parser=parse_seconds, help="Time limit for each move (requires --headless)."
        ),
    ] = None,
    as_json: AsJson = False,
    ascii: Ascii = False,
) -> None:
    """Watch engines play each other. With --headless, print their moves as text."""
    parsed = parse_game_id(game_id)
    players = seats.split(",") if seats else [parsed.game.players.best, "random"]
    if HUMAN in players:
        raise InputError("The command arcade watch accepts engines only. To play yourself, use arcade play.")
    if seconds is not None and not (headless or as_json):
        raise InputError("--seconds requires --headless.")
    with load_machines() as machines:
        match = new_match(parsed, players, machines, seed)
        if headless or as_json:
            watch_headless(match, count, seconds, as_json)
            return
    match.matches_left = count - 1
    open_app("--headless to print the moves", opening=match, ascii=ascii)


def watch_headless(first: Match, count: int, seconds: float | None, as_json: bool) -> None:
    """Play matches without saving them or training machines. Each match uses the next seed.

    `seconds` is the time limit for each move.
    """
    players = list(first.seats)
    matches: list[Match] = []

    def progress() -> str:
        match = matches[-1]
        return f"match {len(matches)} of {count}, {quantity(len(match.moves), 'move')}"

    try:
        for number in range(count):
            matches.append(new_match(first.start, players, first.guests, first.seed + number))
            with showing_progress(progress):
                play_to_end(matches[-1], seconds, say_preparing)
            if not as_json:
                _print_match(matches[-1], len(matches), seconds, alone=count == 1)
    except KeyboardInterrupt:
        if not as_json and not matches[-1].finished:
            _print_match(matches[-1], len(matches), seconds, alone=False)
        _print_matches(first, matches, as_json)
        raise
    _print_matches(first, matches, as_json)


def _print_match(match: Match, number: int, seconds: float | None, alone: bool) -> None:
    scene = scene_of(match, State(keys=DEFAULT_KEYS))
    moves = " ".join(move.text for move in scene.moves)
    result = scene.verdict.result if isinstance(scene.verdict, EndScene) else "Not finished."
    print_line(f"{number}. {'  '.join(filter(None, [moves, result]))}", flush=True)
    if alone:
        with interruptible_work(
            partial(look_back, match, seconds=seconds),
            lambda control: f"reviewing the moves, {control.seconds:.0f} s",
        ):
            for move in scene_of(match, State(keys=DEFAULT_KEYS)).moves:
                if move.mistake:
                    print_line(f"Move {move.number}: {move.mistake}")


def _print_matches(first: Match, matches: list[Match], as_json: bool) -> None:
    played = []
    results: Counter[str] = Counter()
    for match in matches:
        result = match.result
        game: dict[str, Any] = {
            "moves": [str(move) for move in match.moves],
            "winner": None if result is None else result.winner,
            "reason": "not finished" if result is None else result.reason,
        }
        if result is not None:
            if result.scores:
                game["scores"] = list(result.scores)
            winner = "tie" if result.winner is None else match.game.sides[result.winner]
            if len(match.seats) == 1:
                winner = "played"
            results[winner] += 1
        played.append(game)
    seats = list(first.seats)
    says = {"tie": "tied", "played": "finished"} | {
        side: f"won by {side} ({seat})" for side, seat in zip(first.game.sides, seats, strict=False)
    }
    summary = (
        ", ".join(f"{number:,} {says[name]}" for name, number in results.most_common()) or "none finished"
    )
    print_result(
        as_json,
        {**id_json(first.start), "seats": seats, "matches": played, "summary": dict(results)},
        f"{quantity(len(matches), 'match', 'matches')}: {summary}.",
    )
