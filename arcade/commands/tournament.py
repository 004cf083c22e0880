"""`arcade tournament`: engines play each other and are rated."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.common import (
    id_json,
    open_pool,
    open_store,
    print_error,
    print_result,
    showing_progress,
)
from arcade.commands.options import (
    AsJson,
    Cluster,
    GameId,
    MoveSeconds,
    Workers,
    check_utf8,
    whole_number,
)
from arcade.engines.control import Control
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import parse_game_id
from arcade.engines.seats import player_kinds
from arcade.engines.wording import matches
from arcade.play.machines import Machines

if TYPE_CHECKING:
    from arcade.store.record import MatchRecord
    from arcade.study.tournament import Tournament

app = typer.Typer(rich_markup_mode=None)


@app.command()
def tournament(
    game_id: GameId,
    players: Annotated[
        str,
        typer.Option(
            metavar="A,B,...",
            callback=check_utf8,
            show_default="beginner to perfect",
            help="Engines, for example beginner,club,perfect.",
        ),
    ] = "",
    rounds: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=whole_number(1, 10_000),
            help="Number of rounds. In a round, each pair plays twice, once on each side.",
        ),
    ] = 10,
    seed: Annotated[
        int, typer.Option(metavar="N", parser=whole_number(), help="Random seed for choices and deals.")
    ] = 0,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Pair only players who are adjacent in the list.")
    ] = False,
    workers: Workers = None,
    cluster: Cluster = None,
    seconds: MoveSeconds = None,
    as_json: AsJson = False,
) -> None:
    """Run a rated tournament between engines. Run the command again to resume it."""
    from arcade.study.tournament import Tournament  # loads NumPy

    start = parse_game_id(game_id)
    rungs = [kind.name for kind in player_kinds(start.game) if kind.name in (*RUNGS, PERFECT.name)]
    names = players.split(",") if players else rungs
    with open_store() as store, Control() as control:
        machines = Machines(lambda: store)
        played = Tournament(start, names, rounds, seed, ladder, machines, seconds)
        played.restore(store)

        def finished(number: int, record: "MatchRecord") -> None:
            played.records[number] = record

        try:
            with open_pool(workers, cluster) as pool:
                if played.records and not played.finished:
                    print_error(f"{played.progress} were already played. Continuing with the rest.")
                elif not played.finished:
                    to_play = matches(len(played.schedule))
                    print_error(f"{to_play} to play. Press Ctrl+C to stop; finished matches are saved.")
                with showing_progress(lambda: played.progress):
                    played.play(control, pool, store, finished)
        except KeyboardInterrupt:
            # A match may have been saved but not reported yet.
            played.restore(store)
            _print(played, as_json)
            print_error(f"{played.progress} played and saved. Run the same command again to continue.")
            raise
        _print(played, as_json)


def _print(played: "Tournament", as_json: bool) -> None:
    print_result(as_json, tournament_json(played), *played.lines())


def tournament_json(played: "Tournament") -> dict[str, Any]:
    cross = played.cross()
    return {
        **id_json(played.start),
        "kind": played.kind,
        "rounds": played.rounds,
        "seed": played.seed,
        "matches": len(played.schedule),
        "played": len(played.records),
        "table": [asdict(standing) for standing in played.standings()],
        "results": {
            one: {other: cross[i][j] for j, other in enumerate(played.players) if i != j}
            for i, one in enumerate(played.players)
        },
    }
