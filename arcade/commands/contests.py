"""Engines that play without a screen or are timed: matches, tournaments, and methods side by side."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands import common as shell
from arcade.commands.common import out, print_json, say, show_progress
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import get_game
from arcade.engines.wording import amount

if TYPE_CHECKING:
    from arcade.play.match import Match
    from arcade.store.record import MatchRecord
    from arcade.study.comparison import Trial
    from arcade.study.tournament import Tournament

app = typer.Typer(rich_markup_mode=None)


def watch_headless(first: Match, count: int, seconds: float | None, as_json: bool) -> None:
    """Nothing is saved or learned; each later match has the next seed. `seconds` limits one move."""
    from arcade.play.headless import play_out
    from arcade.play.match import new_match

    players = list(first.seats)
    matches: list[Match] = []

    def progress() -> str:
        match = matches[-1]
        return f"match {len(matches)} of {count}, {amount(len(match.moves), 'move')}"

    try:
        for number in range(count):
            matches.append(new_match(first.start, players, first.guests, first.seed + number))
            with shell.telling(progress):
                play_out(matches[-1], seconds)
            if not as_json:
                _print_match(matches[-1], len(matches), seconds, alone=count == 1)
    except KeyboardInterrupt:
        if not as_json and not matches[-1].finished:
            _print_match(matches[-1], len(matches), seconds, alone=False)
        _print_matches(first, matches, as_json)
        raise
    _print_matches(first, matches, as_json)


def _print_match(match: Match, number: int, seconds: float | None, alone: bool) -> None:
    """Print the moves and the result of a match; of one that is alone also what its mistakes were."""
    from arcade.play.headless import look_back
    from arcade.play.sentences import comment_sentence, result_sentence

    result = result_sentence(match) if match.finished else "Not finished."
    out(f"{number}. {'  '.join(filter(None, [str(match.moves), result]))}", flush=True)
    if alone:
        with shell.watched(
            partial(look_back, match, seconds=seconds),
            lambda control: f"looking at the moves, {control.seconds:.0f} s",
        ):
            comments = ((at, comment_sentence(match, at)) for at in range(len(match.line)))
            out(*(f"Move {at + 1}: {comment}" for at, comment in comments if comment))


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
    summary = ", ".join(f"{name} {number}" for name, number in results.most_common()) or "no result"
    shell.answer(
        as_json,
        {**shell.named(first.start), "seats": seats, "matches": played, "summary": dict(results)},
        f"{results.total()} played, {','.join(seats)}: {summary}",
    )


@shell.command(app)
def tournament(
    gameid: str,
    players: str = "",
    rounds: int = 1,
    seed: int = 0,
    ladder: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    seconds: float | None = None,
    tiles: str | None = None,
    as_json: bool = False,
) -> None:
    from arcade.play.machines import Machines
    from arcade.study.tournament import Tournament

    start = shell.read_id(gameid, tiles)
    rungs = [kind.name for kind in start.game.player_kinds if kind.name in (*RUNGS, PERFECT.name)]
    names = players.split(",") if players else rungs
    with shell.kept_store() as store, Control() as control:
        machines = Machines(lambda: store)
        played = Tournament(start, names, rounds, seed, ladder, machines, seconds)
        played.restore(store)
        if played.records and not played.finished:
            say(f"{played.progress} were played before; the rest follows.")

        def finished(number: int, record: MatchRecord) -> None:
            played.records[number] = record

        try:
            with shell.telling(lambda: played.progress), shell.crew(workers, cluster) as crew:
                played.play(control, crew, store, finished)
        except KeyboardInterrupt:
            # It may have come after a match was saved and before that was told.
            played.restore(store)
            _print(played, as_json)
            say(f"{played.progress} are played and saved. The same command goes on from there.")
            raise
        _print(played, as_json)


def _print(played: Tournament, as_json: bool) -> None:
    shell.answer(as_json, tournament_json(played), *played.lines())


def tournament_json(played: Tournament) -> dict[str, Any]:
    cross = played.cross()
    return {
        **shell.named(played.start),
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


def _method_names(ctx: typer.Context, incomplete: str) -> list[str]:
    from arcade.study.comparison import methods_of

    # A line that ends in the middle of an option is not taken apart further.
    game = ctx.params["game"] or next(iter(ctx.args), "")
    with suppress(InputError):
        names = [method.name for method in methods_of(get_game(game)).methods]
        return [name for name in names if name.startswith(incomplete)]
    return []


@shell.command(app)
def compare(
    game: str,
    boards: list[str] | None = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            metavar="NAME",
            autocompletion=_method_names,
            help="Only this method; repeat it for more.",
        ),
    ] = None,
    tiles: str | None = None,
    seconds: float = 10.0,
    picture: str | None = None,
    force: bool = False,
    as_json: bool = False,
) -> None:
    from arcade.study import comparison

    compared = get_game(game)
    if picture is not None:
        shell.check_ending(picture, ".svg")
        comparison.check_picture()
        shell.check_file(picture, force)
    chosen = comparison.chosen(compared, methods or ())
    ids = comparison.boards_of(compared, boards or comparison.methods_of(compared).boards)
    if tiles is not None:
        ids = [str(shell.read_id(each, tiles)) for each in ids]
    if not as_json:
        for method in chosen:
            say(f"{method.name}: {comparison.described(method)}")
    for method in chosen:
        with shell.telling(partial("preparing {}".format, method.name)):
            method.warm()
    trials: list[Trial] = []
    with Control() as control:
        try:
            for trial in comparison.compare(
                compared,
                ids,
                seconds,
                control,
                lambda board, name: show_progress(f"{board}, {name}"),
                methods or (),
            ):
                trials.append(trial)
        finally:
            show_progress("")
            if as_json:
                listed = [{"id": trial.board, **asdict(trial)} for trial in trials]
                print_json({"game": compared.name, "trials": listed})
            elif trials:
                out(*comparison.report_lines(compared, trials))
    if picture is not None:
        shell.write_file(picture, comparison.picture(trials, compared), force)
