"""Tournaments between engines from the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.common import (
    GameIDArgument,
    JsonOption,
    MoveSecondsOption,
    TilesOption,
    check_text,
    named,
    out,
    print_json,
    read_id,
    say,
    show_progress,
    whole,
)

if TYPE_CHECKING:
    from arcade.match.record import MatchRecord
    from arcade.study.tournament import Tournament

app = typer.Typer(rich_markup_mode=None)


@app.command()
def tournament(
    gameid: GameIDArgument,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            metavar="A,B,...",
            callback=check_text,
            help="Who plays, e.g. beginner,club,perfect; by default the names from beginner to perfect.",
        ),
    ] = "",
    rounds: Annotated[int, whole("--rounds", "How often each pair meets with both sides.", 1)] = 1,
    seed: Annotated[int, whole("--seed", "Random seed of choices and deals.")] = 0,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Only neighbours in the list of players meet.")
    ] = False,
    workers: Annotated[
        int | None, whole("--workers", "Matches at a time; one for each core by default.", 1, 1000)
    ] = None,
    seconds: MoveSecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let players meet each other, and rate them. The same command goes on where it was stopped."""
    from arcade.engines.control import Control
    from arcade.engines.players import PERFECT, RUNGS
    from arcade.matchbox.machines import Machines
    from arcade.store.store import open_store
    from arcade.study.crew import cores
    from arcade.study.tournament import Tournament

    start = read_id(gameid, tiles)
    known = [each.name for each in start.game.player_kinds if each.name in (*RUNGS, PERFECT.name)]
    names = players.split(",") if players else known
    with open_store() as store, Control() as control:
        played = Tournament(start, names, rounds, seed, ladder, Machines(lambda: store), seconds)
        played.restore(store)
        if played.records and not played.finished:
            say(f"{played.progress} were played before; the rest follows.")

        def finished(number: int, record: MatchRecord) -> None:
            played.records[number] = record
            show_progress(played.progress)

        try:
            played.play(control, workers or cores(), store, finished)
        except KeyboardInterrupt:
            show_progress("")
            _print(played, as_json)
            say(f"{played.progress} are played and saved. The same command goes on from there.")
            raise
        show_progress("")
        _print(played, as_json)


def _print(played: Tournament, as_json: bool) -> None:
    if as_json:
        print_json(tournament_json(played))
    else:
        out(*played.lines())


def tournament_json(played: Tournament) -> dict[str, Any]:
    cross = played.cross()
    return {
        **named(played.start),
        "kind": played.kind,
        "rounds": played.rounds,
        "seed": played.seed,
        "matches": len(played.schedule),
        "played": len(played.records),
        "table": [
            {
                "player": each.player,
                "score": each.score,
                "played": each.played,
                "rating": each.rating,
                "low": each.low,
                "high": each.high,
            }
            for each in played.standings()
        ],
        "results": {
            one: {other: cross[i][j] for j, other in enumerate(played.players) if i != j}
            for i, one in enumerate(played.players)
        },
    }
