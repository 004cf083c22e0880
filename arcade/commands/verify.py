"""The command verify: prove a verdict again, and check certificates."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arcade.commands.ask import start_of, verdict_json
from arcade.commands.common import (
    ForceOption,
    JsonOption,
    MovesOption,
    TilesOption,
    check_file,
    deadline,
    named,
    out,
    print_json,
    run_watched,
    say,
    whole,
    write_file,
)
from arcade.engines.control import Control
from arcade.engines.files import InputError, read_text
from arcade.engines.registry import GameID

app = typer.Typer(rich_markup_mode=None)

MOST_BYTES = 100_000_000
"""Largest certificate to read."""


@app.command()
def verify(
    gameid: Annotated[str, typer.Argument(metavar="GAMEID", help="The position, as for verdict.")] = "",
    moves: MovesOption = "",
    depth: Annotated[
        int | None, whole("--depth", "List moves for so many plies, then search; else for all.", 0, 1000)
    ] = None,
    seconds: Annotated[
        float | None, deadline("Time limit; 60 for a position, none for a certificate.")
    ] = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
    certificate: Annotated[
        str | None, typer.Option("--certificate", metavar="FILE", help="Write a certificate.")
    ] = None,
    force: ForceOption = False,
    check: Annotated[
        str | None, typer.Option("--check", metavar="FILE", help="Check a certificate, with no solver.")
    ] = None,
) -> None:
    """Prove a verdict again without its solver. The exit code is 1 if something differs."""
    # Imported here so that other commands start without it.
    from arcade.proof.verify import SECONDS
    from arcade.proof.verify import verify as proved_again

    if check is not None:
        if gameid or certificate is not None:
            raise InputError("The option --check takes a certificate alone: the file names its position.")
        _check(check, seconds, as_json)
        return
    if not gameid:
        raise InputError("Name a position to verify, e.g. hexapawn:4x4, or a certificate with --check.")
    if certificate is not None:
        check_file(certificate, force)
    parsed, position = start_of(gameid, moves, tiles)
    parsed = GameID(parsed.game, parsed.parameters, position.text())
    limit = SECONDS if seconds is None else seconds
    found = run_watched(
        lambda control: proved_again(
            parsed, control, seconds=limit, depth=depth, written=certificate is not None
        ),
        _progress,
        effort=parsed.game.solver.effort(position),
    )
    if certificate is not None and found.certificate:
        write_file(certificate, found.certificate, force)
        say(f"The certificate is in {certificate}.")
    sides = parsed.game.sides
    known = {
        "agrees": found.agrees,
        "method": found.method.value,
        "positions": found.positions,
        "finding": found.finding,
        "verdict": verdict_json(parsed, position, found.verdict),
    }
    _show(known, found.verdict.sentence(sides[position.turn], sides[1 - position.turn]), as_json)


def _show(known: dict[str, Any], headline: str, as_json: bool) -> None:
    """Print the result of a check; exit code 1 if something differs."""
    from arcade.proof.checker import WORDS

    if as_json:
        print_json(known)
    else:
        out(f"{headline}.", f"{WORDS[known['agrees']]}: {known['finding']}")
    if known["agrees"] is False:
        raise typer.Exit(1)


def _check(name: str, seconds: float | None, as_json: bool) -> None:
    """Check the certificate in a file; without a limit it takes as long as it takes."""
    from arcade.proof.checker import check, many, read

    certificate = read(read_text(name, "certificate", MOST_BYTES))
    tally = run_watched(lambda control: check(certificate, control), _progress, seconds)
    if tally.trouble:
        finding = tally.trouble
    elif tally.unfinished:
        finding = "The checker did not get through the certificate."
    elif tally.open:
        finding = f"Every claim holds but for {many(tally.open, 'position')} left open."
    else:
        finding = "Every claim holds."
    parsed = certificate.parsed
    said = [claim.sentence(parsed.game.sides) for claim in certificate.claims]
    known = {
        "agrees": tally.agrees,
        "method": "partial" if tally.agrees is None else "certificate",
        "positions": tally.positions,
        "finding": finding,
        **named(parsed),
        "claims": said,
    }
    _show(known, f"{parsed}: {'; '.join(said)}", as_json)


def _progress(control: Control) -> str:
    return f"{control.nodes:,} positions"
