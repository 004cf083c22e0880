"""Questions about positions: verdict, moves, hint, line, puzzles, reasons, and proofs of a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperCommand

from arcade.commands import common as shell
from arcade.commands.common import out, print_json, say
from arcade.engines.control import Control
from arcade.engines.files import InputError, read_text
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID, drawn_seed, game_names, get_game, listed_games
from arcade.engines.verdict import DuelVerdict, MoveVerdict, ScoreVerdict, Verdict
from arcade.engines.wording import amount, capital

if TYPE_CHECKING:
    from arcade.engines.reasons import Why
    from arcade.proof.checker import Certificate, Tally

Answer = TypeVar("Answer")

app = typer.Typer(rich_markup_mode=None)

proofs = typer.Typer(rich_markup_mode=None)

MOST_BYTES = 100_000_000


@contextmanager
def asked(
    question: shell.PositionQuestion, work: Callable[[AnyGame, Position[Any], Control], Answer]
) -> Iterator[tuple[GameID, Position[Any], Answer]]:
    """The answer to a question, or after Ctrl+C what is known by then."""
    parsed, position = shell.start_of(question.gameid, question.moves, question.tiles)
    solver = parsed.game.solver
    with shell.watched(
        lambda control: work(parsed.game, position, control),
        solver.progress,
        question.seconds,
        effort=solver.effort(position),
    ) as answer:
        yield parsed, position, answer


def headline(parsed: GameID, position: Position[Any], verdict: Verdict) -> str:
    sides = parsed.game.sides
    return verdict.sentence(sides[position.turn], sides[1 - position.turn])


def verdict_json(parsed: GameID, position: Position[Any], verdict: Verdict) -> dict[str, Any]:
    whole_id = parsed.at(position)
    known = {**shell.named(whole_id), "parameters": parsed.parameters, "position": whole_id.position}
    return {**known, **verdict.json(), **parsed.game.explanations.verdict_details(position, verdict)}


@shell.command(app)
def verdict(question: shell.PositionQuestion) -> None:
    with asked(question, lambda game, at, control: game.solver.verdict(at, control)) as answer:
        parsed, position, known = answer
        shell.answer(
            question.as_json,
            verdict_json(parsed, position, known),
            f"{headline(parsed, position, known)}.",
            said=f"{capital(known.provenance())}.",
        )


def move_json(move: MoveVerdict[Any]) -> dict[str, Any]:
    known = move.verdict.json()
    for work in ("positions", "nodes", "seconds"):
        del known[work]
    if isinstance(move.verdict, ScoreVerdict):
        # The reachable score, unlike a verdict's own "best"; in this list "best" marks the best moves.
        known["score"] = known.pop("best")
    return {"move": str(move.move), **known, "best": move.best}


def verdict_word(verdict: Verdict) -> str:
    """A move's verdict in a column, e.g. "win 45", or "win 9-21" where only limits are known."""
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


@shell.command(app, "moves")
def list_moves(question: shell.PositionQuestion) -> None:
    with asked(question, lambda game, at, control: game.solver.moves(at, control)) as answer:
        _, position, moves = answer
        if position.outcome() is not None:
            say("The game is over.")
        width = max((len(str(move.move)) for move in moves), default=0)
        shell.answer(
            question.as_json,
            [move_json(move) for move in moves],
            *(
                f"{'*' if move.best else ' '} {move.move!s:<{width}}  {verdict_word(move.verdict)}"
                for move in moves
            ),
        )


@shell.command(app)
def hint(question: shell.PositionQuestion) -> None:
    def work(game: AnyGame, position: Position[Any], control: Control) -> Any:
        if position.outcome() is not None:
            raise InputError("The game is over in this position, so there is no hint.")
        return game.explanations.hint(position, control)

    with asked(question, work) as (_, _, given):
        if given is None:
            if question.as_json:
                print_json(None)
            say("Too little is known of this position for a hint.")
            return
        line = [str(move) for move in given.line]
        shell.answer(
            question.as_json,
            {"where": given.where, "move": str(given.move), "why": given.why, "line": line},
            given.where,
            f"Play {given.move}.",
            given.why,
            " ".join(line),
        )


@shell.command(app)
def line(question: shell.PositionQuestion) -> None:
    with asked(question, lambda game, at, control: game.solver.line(at, control)) as answer:
        parsed, position, moves = answer
        notations = [str(move) for move in moves]
        if question.as_json or moves:
            shell.answer(question.as_json, {**shell.named(parsed), "line": notations}, " ".join(notations))
        elif position.outcome() is not None:
            say("The game is over.")
        else:
            say("Too little is known of this position for a line.")


class PuzzleCommand(TyperCommand):
    """A command whose option --daily may stand without its date."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        filled: list[str] = []
        for word, following in zip(args, [*args, ""][1:], strict=True):
            filled.append(word)
            if word == "--daily" and (following[:1] in ("", "-") or following in game_names()):
                filled.append("today")
        return super().parse_args(ctx, filled)


def make_puzzles(
    made: list[Any], game: AnyGame, seed: int, count: int, grade: int | None, day: date | None
) -> None:
    """Add puzzles of a game to those that are made; after Ctrl+C some are missing."""
    from arcade.study.daily import map_of_day
    from arcade.study.making import Maker
    from arcade.study.puzzles import daily

    if day is not None and game.practice.daily_board:
        made.append(shell.run_watched(lambda control: map_of_day(game, day, control), game.solver.progress))
        return
    maker, before = Maker(game), len(made)

    def work(control: Control) -> None:
        for number in range(count):
            puzzle = maker.make(seed + number, control, grade) if day is None else daily(game, day, control)
            if puzzle is not None:
                made.append(puzzle)

    shell.run_watched(work, lambda _: f"{len(made) - before} of {amount(count, 'puzzle')} of {game.title}")


def solve_in_lines(game: AnyGame, day: date | None, grade: int | None, seed: int | None) -> None:
    from arcade.plain.study import PuzzleDialogue
    from arcade.study.puzzles import DAILY, PRACTICE, PuzzleChoice, Round

    choice = PuzzleChoice(game, PRACTICE if day is None else DAILY, grade)
    with shell.services_of_lines() as services:
        if day is not None and game.practice.daily_board:
            from arcade.plain.match import MatchDialogue

            match, saved = services.map_of_day(game, day)
            MatchDialogue(match, services, shell.say_line, saved).run(shell.input_lines())
            return
        new = day is None and seed is None
        round = services.puzzle_round(choice) if new else Round(choice, seed or 0, day=day)
        PuzzleDialogue(round, services, shell.say_line).run(shell.input_lines())


@shell.command(app, cls=PuzzleCommand)
def puzzle(
    name: str | None = None,
    daily: str | None = None,
    grade: int | None = None,
    seed: int | None = None,
    count: int | None = None,
    as_json: bool = False,
    plain: bool = False,
) -> None:
    from arcade.study.puzzles import parse_day

    day = None if daily is None else parse_day(daily)
    if day is not None and (grade, seed, count) != (None, None, None):
        raise InputError("The date decides a daily puzzle: --daily takes no --grade, --seed or --count.")
    if plain:
        if name is None or count is not None or as_json:
            raise InputError("--plain is for puzzles of one game: name it; leave out --count and --json.")
        solve_in_lines(get_game(name), day, grade, seed)
        return
    games = [get_game(name)] if name is not None else listed_games()
    first = drawn_seed() if seed is None else seed
    made: list[Any] = []
    try:
        for game in games:
            make_puzzles(made, game, first, count or 1, grade, day)
    except KeyboardInterrupt:
        _print_puzzles(made, day, as_json)
        raise
    _print_puzzles(made, day, as_json)


def _print_puzzles(made: list[Any], day: date | None, as_json: bool) -> None:
    if as_json:
        dated = {} if day is None else {"day": day.isoformat()}
        print_json([{**puzzle.json(), **dated} for puzzle in made])
        return
    for number, puzzle in enumerate(made):
        if number:
            out("")
        out(f"{puzzle.title}{'' if day is None else f', {day}'}")
        shell.out_text(str(puzzle.start))
        out(*puzzle.start.describe_hands(), puzzle.task, str(puzzle.id))


@shell.command(app)
def why(question: shell.PositionQuestion) -> None:
    def work(game: AnyGame, position: Position[Any], control: Control) -> Any:
        if not game.explanations.rules:
            raise InputError(f"{game.title} has no rules of play yet; arcade hint says which move is best.")
        return game.solver.verdict(position, control), game.explanations.reasons.why(position, control)

    with asked(question, work) as (parsed, position, (verdict, reason)):
        tell_why(question.as_json, parsed, position, verdict, reason)


def tell_why(
    as_json: bool, parsed: GameID, position: Position[Any], verdict: Verdict, reason: Why[Any, Any] | None
) -> None:
    first = f"{headline(parsed, position, verdict)}."
    answer: dict[str, Any] = {"verdict": verdict_json(parsed, position, verdict)}
    if reason is None:
        says = "No reason was found in time."
        unknown = dict.fromkeys(("distance", "rule", "position", "value"))
        known = {**answer, **unknown, "line": [], "says": says}
        shell.answer(as_json, known, first, says)
        return
    sides = parsed.game.sides
    says = reason.sentence(sides[position.turn], sides[1 - position.turn])
    line = [str(move) for move in reason.line]
    known = {
        **answer,
        "distance": reason.distance,
        "line": line,
        "rule": reason.rule.id if reason.rule else "end",
        "position": str(parsed.at(reason.position)),
        "value": reason.value.value,
        "says": says,
    }
    lines = [f"Play continues: {' '.join(line)}.", reason.case.says] if line else []
    shell.answer(as_json, known, first, says, *lines)


@shell.command(app)
def rules(name: str, as_json: bool = False) -> None:
    game = get_game(name)
    found = game.explanations.rules
    if not found:
        raise InputError(f"{game.title} has no rules of play.")
    shell.answer(
        as_json,
        [rule.json() for rule in found],
        *(f"{rule.value.value:4}  {rule.says} ({rule.strength})" for rule in found),
    )


@shell.command(proofs)
def verify(
    gameid: str = "",
    moves: str = "",
    depth: int | None = None,
    seconds: float | None = None,
    tiles: str | None = None,
    as_json: bool = False,
    certificate: str | None = None,
    force: bool = False,
    check: str | None = None,
) -> None:
    if check is not None:
        if gameid or moves or certificate or tiles or force or depth is not None:
            raise InputError("The option --check takes a certificate alone: the file names its position.")
        check_certificate(check, seconds, as_json)
        return
    if not gameid:
        raise InputError("Name a position to verify, e.g. hexapawn:4x4, or a certificate with --check.")
    # Imported here so that other commands start without it.
    from arcade.proof.verify import SECONDS
    from arcade.proof.verify import verify as proved_again

    if certificate is not None:
        shell.check_file(certificate, force)
    parsed, position = shell.start_of(gameid, moves, tiles)
    parsed = parsed.at(position)
    limit = SECONDS if seconds is None else seconds
    shell.LIMITS.append(limit)
    with shell.watched(
        lambda control: proved_again(parsed, control, seconds=limit, depth=depth, written=bool(certificate)),
        _progress,
        effort=parsed.game.solver.effort(position),
    ) as evidence:
        if certificate is not None and evidence.certificate:
            shell.write_file(certificate, evidence.certificate, force)
            say(f"The certificate is in {certificate}.")
        known = {
            "agrees": evidence.agrees,
            "method": evidence.method.value,
            "positions": evidence.positions,
            "finding": evidence.finding,
            "verdict": verdict_json(parsed, position, evidence.verdict),
        }
        _show(known, headline(parsed, position, evidence.verdict), as_json)


def _show(known: dict[str, Any], headline: str, as_json: bool) -> None:
    from arcade.proof.checker import WORDS

    shell.answer(as_json, known, f"{headline}.", f"{WORDS[known['agrees']]}: {known['finding']}")
    if known["agrees"] is False:
        raise typer.Exit(1)


def check_certificate(name: str, seconds: float | None, as_json: bool) -> None:
    from arcade.proof.checker import check, read

    certificate = read(read_text(name, "certificate", MOST_BYTES))
    with shell.watched(lambda control: check(certificate, control), _progress, seconds) as tally:
        _show_tally(certificate, tally, as_json)


def _show_tally(certificate: Certificate, tally: Tally, as_json: bool) -> None:
    if tally.trouble:
        finding = tally.trouble
    elif tally.unfinished:
        finding = "The checker did not get through the certificate."
    elif tally.open:
        finding = f"Every claim holds but for {amount(tally.open, 'position')} left open."
    else:
        finding = "Every claim holds."
    parsed = certificate.parsed
    claims = [claim.sentence(parsed.game.sides) for claim in certificate.claims]
    known = {
        "agrees": tally.agrees,
        "method": "partial" if tally.agrees is None else "certificate",
        "positions": tally.positions,
        "finding": finding,
        **shell.named(parsed),
        "claims": claims,
    }
    _show(known, f"{parsed}: {'; '.join(claims)}", as_json)


def _progress(control: Control) -> str:
    return amount(control.nodes, "position")
