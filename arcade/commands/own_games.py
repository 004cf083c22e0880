"""Load game files, and test them with `arcade check`."""

from dataclasses import dataclass
from typing import Annotated

import typer

from arcade.commands.common import print_result, run_interruptible
from arcade.commands.options import AsJson, parse_seconds
from arcade.engines.control import Control
from arcade.engines.files import InputError, named_path
from arcade.engines.game_files import GameFile
from arcade.engines.parsing import error_context
from arcade.engines.registry import AnyGame, GameID, load_file
from arcade.engines.wording import quantity
from arcade.proof.conformance import REQUIREMENTS, GameUnderTest, SkippedError, run_requirement

app = typer.Typer(rich_markup_mode=None)


def boards(game: AnyGame) -> list[GameID]:
    parameters = game.parameters
    seed = 1 if parameters.seeded else None
    starts = [GameID(game, parameters.parse(""), seed=seed)]
    for text in parameters.boards:
        with error_context(f"The preset {text!r}"):
            starts.append(GameID(game, parameters.parse(text), seed=seed))
    return list({str(start): start for start in starts}.values())


@dataclass
class Checked:
    says: str
    needed: bool
    holds: bool | None = None
    """True if the game meets the requirement, or None if this could not be checked."""
    why: str = ""

    def __str__(self) -> str:
        if self.holds is None:
            return f"Not checked: {self.says} {self.why}"
        if self.holds:
            return f"Holds: {self.says}"
        return f"{'FAILS' if self.needed else 'Fails (not needed for play)'}: {self.says} {self.why}"


@app.command()
def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Game file to test (a .py file; its code is run).")
    ],
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", parser=parse_seconds, show_default="none", help="Time limit for each board."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Test whether a game file meets the arcade's requirements."""
    path = named_path(file)
    if path.suffix != ".py":
        raise InputError(f"Expected a .py file, found {file!r}.")
    game = load_file(GameFile(path))
    lines = [Checked(check.says, check.needed) for check in REQUIREMENTS]

    def look(parsed: GameID) -> None:
        def work(control: Control) -> None:
            trial = GameUnderTest(parsed, control)
            for check, line in zip(REQUIREMENTS, lines, strict=True):
                if line.holds is False:
                    continue
                try:
                    wrong = run_requirement(check, trial)
                except SkippedError as error:
                    line.why = line.why or str(error)
                else:
                    line.holds, line.why = not wrong, wrong

        run_interruptible(work, game.solver.progress, seconds)

    try:
        for parsed in boards(game):
            look(parsed)
    except KeyboardInterrupt:
        _report(game, lines, as_json)
        raise
    if _report(game, lines, as_json):
        raise typer.Exit(1)


def _report(game: AnyGame, lines: list[Checked], as_json: bool) -> int:
    failed = sum(line.holds is False and line.needed for line in lines)
    starts = ", ".join(map(str, boards(game)))
    if failed:
        said = f"{quantity(failed, 'check')} failed."
    elif any(line.holds is None and line.needed for line in lines):
        said = "All checks that ran have passed; some were skipped."
    else:
        said = "All checks have passed."
    answer = {"game": game.name, "boards": starts, "agrees": not failed, "checks": [*map(vars, lines)]}
    print_result(as_json, answer, f"Checked on {starts}.", *map(str, lines), said)
    return failed
