"""`arcade verify`: check verdicts and certificates independently of the solver."""

from typing import Annotated, Any

import typer

from arcade.commands.analysis import headline, verdict_json
from arcade.commands.common import (
    check_file,
    id_json,
    interruptible_work,
    print_error,
    print_result,
    read_start,
    write_file,
)
from arcade.commands.options import (
    AsJson,
    Force,
    Moves,
    complete_game,
    parse_seconds,
    whole_number,
)
from arcade.engines.control import Control
from arcade.engines.files import InputError, read_text
from arcade.engines.wording import quantity
from arcade.proof import checker
from arcade.proof.checker import Certificate, CheckResult
from arcade.proof.verify import SECONDS
from arcade.proof.verify import verify as verify_verdict

MAX_BYTES = 100_000_000

app = typer.Typer(rich_markup_mode=None)


@app.command()
def verify(
    game_id: Annotated[
        str,
        typer.Argument(metavar="ID", autocompletion=complete_game, help="Position to verify, as a game ID."),
    ] = "",
    moves: Moves = "",
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number(0, 1000),
            show_default="all plies",
            help="Certify only the first N plies and search the rest.",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            parser=parse_seconds,
            show_default="60 for a position, none for a certificate",
            help="Time limit.",
        ),
    ] = None,
    as_json: AsJson = False,
    certificate: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a certificate to this file.")
    ] = None,
    force: Force = False,
    check: Annotated[
        str | None, typer.Option(metavar="FILE", help="Check this certificate without any solver.")
    ] = None,
) -> None:
    """Verify a verdict independently of the solver. Exits with 1 if the verdict is wrong."""
    if check is not None:
        if game_id or moves or certificate or force or depth is not None:
            raise InputError(
                "--check can be combined only with --seconds and --json. "
                "The certificate already names its position."
            )
        check_certificate(check, seconds, as_json)
        return
    if not game_id:
        raise InputError(
            "Give a position to verify, for example hexapawn:4x4, or a certificate with --check."
        )
    if certificate is not None:
        check_file(certificate, force)
    parsed, position = read_start(game_id, moves)
    parsed = parsed.at(position)
    limit = SECONDS if seconds is None else seconds
    with interruptible_work(
        lambda control: verify_verdict(
            parsed, control, seconds=limit, depth=depth, written=bool(certificate)
        ),
        _progress,
        effort=parsed.game.solver.effort(position),
    ) as verification:
        if certificate is not None and verification.certificate:
            write_file(certificate, verification.certificate, force)
            print_error(f"Wrote the certificate to {certificate}.")
        known = {
            "agrees": verification.agrees,
            "method": verification.method.value,
            "positions": verification.positions,
            "finding": verification.finding,
            "verdict": verdict_json(parsed, position, verification.verdict),
        }
        _show(known, headline(parsed, position, verification.verdict), as_json)


def _show(known: dict[str, Any], headline: str, as_json: bool) -> None:
    print_result(as_json, known, f"{headline}.", f"{checker.WORDS[known['agrees']]}: {known['finding']}")
    if known["agrees"] is False:
        raise typer.Exit(1)


def check_certificate(name: str, seconds: float | None, as_json: bool) -> None:
    certificate = checker.read(read_text(name, "certificate", MAX_BYTES))
    with interruptible_work(
        lambda control: checker.check(certificate, control), _progress, seconds
    ) as result:
        _show_result(certificate, result, as_json)


def _show_result(certificate: Certificate, result: CheckResult, as_json: bool) -> None:
    if result.trouble:
        finding = result.trouble
    elif result.unfinished:
        finding = "The checker ran out of time."
    elif result.open:
        finding = f"Every claim holds except for {quantity(result.open, 'position')} left open."
    else:
        finding = "Every claim holds."
    parsed = certificate.parsed
    claims = [claim.sentence(parsed.game.sides) for claim in certificate.claims]
    known = {
        "agrees": result.agrees,
        "method": "partial" if result.agrees is None else "certificate",
        "positions": result.positions,
        "finding": finding,
        **id_json(parsed),
        "claims": claims,
    }
    _show(known, f"{parsed}: {'; '.join(claims)}", as_json)


def _progress(control: Control) -> str:
    return quantity(control.nodes, "position")
