"""`arcade menace`: train matchbox machines, show their boxes, save and exchange them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import not_
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.common import (
    confirmed,
    open_store,
    print_error,
    print_json,
    print_line,
    print_result,
    print_text,
    say_preparing,
    showing_progress,
    write_file,
)
from arcade.commands.machines import load_machines
from arcade.commands.options import AsJson, Force, check_utf8, whole_number
from arcade.engines.control import Control, Kernels
from arcade.engines.files import InputError, read_text
from arcade.engines.menace.archive import first_json, from_json, to_json
from arcade.engines.menace.box import Box, BoxSet, count, parse_box_set, total
from arcade.engines.menace.chances import Shares, shares
from arcade.engines.menace.machine import (
    AnyMachine,
    Machine,
    Options,
    Overflow,
    TrainingInterval,
    check_name,
    parse_first_beads,
    parse_rewards,
)
from arcade.engines.menace.opponents import PERFECT, RANDOM, Opponent, parse_opponent
from arcade.engines.menace.presets import BUILT_IN, PRESETS, built_in
from arcade.engines.registry import get_game
from arcade.engines.verdict import MoveVerdict
from arcade.engines.wording import capitalize, join_words, quantity
from arcade.play.machines import TrainableMachine
from arcade.store.store import Store

if TYPE_CHECKING:
    from arcade.engines.menace.experiment import Experiment
    from arcade.engines.menace.training import Training

app = typer.Typer(rich_markup_mode=None)

MAX_GAMES = 1_000_000_000

Beads = Annotated[
    str | None,
    typer.Option(
        metavar="N,N,...",
        help="Beads per move in a fresh box: a number for each stage (4,3,2,1), or michie, scroggs or flat.",
    ),
]
Boxes = Annotated[
    str | None,
    typer.Option(
        "--set",
        metavar="SET",
        help="Boxes: 304 (positions with a choice), 287 (the same without lost positions) or 338 (all).",
    ),
]
EveryMove = Annotated[
    bool | None,
    typer.Option(
        "--every-move/--distinct",
        show_default="--distinct",
        help="Put beads on every move, or only on one of each set of symmetric moves.",
    ),
]
Second = Annotated[
    bool | None,
    typer.Option(
        "--second/--first",
        show_default="--first in the game menace",
        help="Let the machine move second, or first.",
    ),
]
MachineGame = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        show_default="menace",
        help="Game to learn, as a game ID; it may have up to 150,000 positions.",
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Use the options of a known machine: michie, scroggs, her or her4."),
]
MachineName = Annotated[
    str, typer.Argument(metavar="NAME", callback=check_utf8, help="Name of a saved machine.")
]

TURNS = ("first", "second")
FILLING = "filling the boxes"


def _load(name: str) -> AnyMachine:
    with load_machines() as machines, showing_progress(lambda: FILLING):
        return machines.load(name)


def _check_name(machine: AnyMachine) -> None:
    own = machine.options
    check_name(machine.name, own.game, new=not machine.games)
    same_name = built_in(machine.name)
    if same_name is not None and same_name.plays != (own.game_id, own.seat):
        game, seat = same_name.plays
        raise InputError(
            f"A machine named {machine.name} already exists (it plays {game} and moves {TURNS[seat]}). "
            "Choose another name."
        )


def _preset(name: str) -> Options:
    presets = {preset.name: preset.options for preset in PRESETS}
    if name not in presets:
        raise InputError(f"Unknown preset {name!r}. Choose from {', '.join(presets)}.")
    return presets[name]


def machine_options(
    base: Options | None,
    *,
    game: str | None,
    preset: str | None,
    beads: str | None,
    box_set: str | None,
    every: bool | None,
    second: bool | None,
    rewards: str | None = None,
    last_only: bool | None = None,
    overflow: str | None = None,
) -> Options:
    name, _, parameters = ("menace" if game is None else game).partition(":")
    if preset is not None:
        options = _preset(preset)
    elif base is not None:
        options = base
    else:
        # Other games follow Gardner's HER: the machine moves second and has a box for every position.
        options = Options() if name == "menace" else Options(seat=1, box_set=BoxSet.ALL)
    if game is not None:
        options = replace(options, game=name, parameters=parameters)
    if overflow not in (None, *Overflow):
        raise InputError(f"Unknown overflow {overflow!r}. Choose from {', '.join(Overflow)}.")
    given: list[tuple[str, Any, Callable[[Any], Any]]] = [
        ("first_beads", beads, parse_first_beads),
        ("box_set", box_set, parse_box_set),
        ("seat", second, int),
        ("distinct", every, not_),
        ("rewards", rewards, parse_rewards),
        ("last_only", last_only, bool),
        ("overflow", overflow, Overflow),
    ]
    changes = {field: read(value) for field, value, read in given if value is not None}
    return replace(options, **changes)


@app.command()
def train(
    opponent: Annotated[
        str,
        typer.Option(
            metavar="PLAYER",
            callback=check_utf8,
            help="Opponent: random, perfect, 0.8 (perfect in 80% of its moves) or a machine.",
        ),
    ] = "random",
    games: Annotated[
        int, typer.Option(metavar="N", parser=whole_number(1, MAX_GAMES), help="Number of games.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", parser=whole_number(), help="Random seed.")] = 1,
    beads: Beads = None,
    rewards: Annotated[
        str | None,
        typer.Option(metavar="W,T,L", help="Beads after a win, a tie and a loss, for example 3,1,-1."),
    ] = None,
    box_set: Boxes = None,
    every: EveryMove = None,
    second: Second = None,
    last_only: Annotated[
        bool | None,
        typer.Option(
            "--last-only/--all-boxes",
            show_default="--all-boxes",
            help="Reward only the last box of a game, or every box that was opened.",
        ),
    ] = None,
    overflow: Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            show_default="halve",
            help="What to do at 127 beads of a colour: halve the box (halve) or add no more (stop).",
        ),
    ] = None,
    game: MachineGame = None,
    preset: Preset = None,
    both: Annotated[bool, typer.Option("--both", help="Also train the opposing machine.")] = False,
    step: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole_number(1, MAX_GAMES), help="Record the results after every N games."
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number(1, 1000),
            help="Train N fresh machines, each with its own seed, and average their results.",
        ),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Save the machine under this name after each step, or continue the saved one.",
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Replace the saved machine with a fresh one.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train a machine and show its results and its first box."""
    from arcade.engines.menace.training import Training  # loads NumPy

    if fresh and save is None:
        raise InputError("--fresh requires --save NAME.")
    if runs is not None:
        if save is not None:
            raise InputError("--runs cannot be combined with --save: each run trains a fresh machine.")
        options = machine_options(
            None,
            game=game,
            preset=preset,
            beads=beads,
            box_set=box_set,
            every=every,
            second=second,
            rewards=rewards,
            last_only=last_only,
            overflow=overflow,
        )
        average(options, opponent, games, seed, runs, step, both, as_json)
        return
    with load_machines() as machines:
        # The saved texts, to detect changes by another process.
        texts: dict[str, str | None] = {}

        def load(name: str) -> AnyMachine:
            with showing_progress(lambda: FILLING):
                loaded = machines.trainable(name)
            texts[name] = loaded.text
            return loaded.machine

        kept = None
        if save is not None and (built_in(save) or save in machines.store.machines()):
            kept = load(save)
        options = machine_options(
            kept.options if kept else None,
            game=game,
            preset=preset,
            beads=beads,
            box_set=box_set,
            every=every,
            second=second,
            rewards=rewards,
            last_only=last_only,
            overflow=overflow,
        )
        if fresh:
            kept = None
        with showing_progress(lambda: FILLING):
            machine: AnyMachine = Machine("unnamed" if save is None else save, options)
        _check_name(machine)
        if kept is not None and kept.options != machine.options:
            raise InputError(
                f"The saved machine {save} was created with different options. "
                "Leave out these options to keep training it, or add --fresh to start over."
            )
        machine = kept or machine
        playing = _parse_opponent(opponent, load, both)
        training = Training(machine, playing, games, seed, step)
        learners = [training.machine]
        if training.opponent.machine is not None and training.opponent.learns:
            learners.append(training.opponent.machine)
        trainable = [TrainableMachine(machine, texts.get(machine.name)) for machine in learners]
        steps, interrupted = _run(training, trainable, machines.store if save is not None else None)
    with showing_progress(lambda: "calculating the machine's chances"):
        measured = _measured(machine)
    if as_json:
        print_json(_training_json(training, steps, save, measured))
    else:
        _print_training(training, steps, measured)
    if training.refused and training.ended is not None:
        print_error(f"{capitalize(training.ended.value)}.")
    if machine.refuses and save is not None:
        print_error("Train it with --fresh to start from scratch.")
    if interrupted:
        raise KeyboardInterrupt


def _parse_opponent(text: str, load: Callable[[str], AnyMachine], both: bool) -> Opponent:
    opponent = parse_opponent(text, load, both)
    if both and opponent.machine is None:
        raise InputError("--both requires a machine as opponent, for example --opponent MENACE-O.")
    return opponent


def average(
    options: Options,
    opponent: str,
    games: int,
    seed: int,
    runs: int,
    step: int | None,
    both: bool,
    as_json: bool,
) -> None:
    from arcade.engines.menace.experiment import Experiment  # loads NumPy

    with load_machines() as machines, showing_progress(lambda: FILLING):
        machine: AnyMachine = Machine("unnamed", options)
        against = _parse_opponent(opponent, machines.copy, both)
    experiment = Experiment(machine, against, games, seed, runs, step)
    interrupted = False
    kernels = Kernels(say_preparing)

    def progress() -> str:
        return f"{experiment.finished:,} of {quantity(runs, 'run')}"

    with showing_progress(progress), Control(kernels=kernels) as control:
        try:
            for _ in experiment.steps(control):
                pass
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        print_json(_averages_json(experiment))
    else:
        _print_averages(experiment)
    if interrupted:
        raise KeyboardInterrupt


def _averages_json(experiment: "Experiment") -> dict[str, Any]:
    machine = experiment.machine
    return {
        "game": machine.options.game,
        "id": machine.options.game_id,
        "opponent": str(experiment.opponent),
        "seed": experiment.seed,
        "games": experiment.games,
        "runs": experiment.finished,
        "refused": experiment.refused,
        "history": [
            {
                "games": point.games,
                "shares": {"won": point.win, "tied": point.tie, "lost": point.loss},
                "first": {
                    box.position.text(): {str(move): held[slot] for slot, move in box.moves.items()}
                    for box, held in zip(machine.boxes.first, point.first, strict=True)
                },
            }
            for point in experiment.curve
        ],
    }


def _print_averages(experiment: "Experiment") -> None:
    runs, curve = experiment.finished, experiment.curve
    games = quantity(experiment.games, "game")
    print_line(
        f"{quantity(runs, 'run')} of {games} against {experiment.opponent}, seeds from {experiment.seed}"
    )
    if not curve:
        return
    begun = 0
    sums = dict.fromkeys(("won", "tied", "lost"), 0.0)
    for point in curve:
        played, begun = point.games - begun, point.games
        for key, share in zip(sums, (point.win, point.tie, point.loss), strict=True):
            sums[key] += played * share / experiment.games
    last = dict(zip(sums, (curve[-1].win, curve[-1].tie, curve[-1].loss), strict=True))
    for key, share in sums.items():
        print_line(f"  {key:<5}{share:7.1%}   at the end {last[key]:7.1%}")
    for box, held in zip(experiment.machine.boxes.first, curve[-1].first, strict=True):
        text = ", ".join(f"{move} {held[slot]:.1f}" for slot, move in box.moves.items())
        print_line(f"first box {box.position.text()}: {text}")
    print_line(f"first box empty after {experiment.refused} of {quantity(runs, 'run')}")


def _run(
    training: "Training", learners: list[TrainableMachine], store: Store | None
) -> tuple[list[TrainingInterval], bool]:
    """Train, and save the learners after each step. Return the steps, and whether Ctrl+C stopped them."""
    steps = []
    interrupted, done = False, 0

    def progress() -> str:
        return f"{done if store is not None else training.played:,} of {quantity(training.games, 'game')}"

    with showing_progress(progress), Control(kernels=Kernels(say_preparing)) as control:
        try:
            for step in training.steps(control):
                steps.append(step)
                if store is not None:
                    for learner in learners:
                        learner.keep(store)
                    done = training.played
        except KeyboardInterrupt:
            interrupted = True
            training.cancel()
    return steps, interrupted


RESULTS = ("won", "tied", "lost", "resigned")


def _sums(steps: list[TrainingInterval]) -> dict[str, int]:
    return {key: sum(getattr(step, key) for step in steps) for key in RESULTS}


def _training_json(
    training: "Training", steps: list[TrainingInterval], save: str | None, measured: "dict[str, Shares]"
) -> dict[str, Any]:
    machine = training.machine
    sums, told = _sums(steps), ("games", *RESULTS)
    played = max(1, training.played)
    return {
        "machine": save,
        "game": machine.options.game,
        "id": machine.options.game_id,
        "opponent": str(training.opponent),
        "seed": training.seed,
        "games": training.played,
        "ended": training.ended.value if training.ended else None,
        **sums,
        "shares": {key: sums[key] / played for key in ("won", "tied", "lost")},
        "first": first_json(machine, machine.first),
        "refuses": machine.refuses,
        "now": {
            name: {key: round(getattr(shares, key), 6) for key in ("win", "tie", "loss")}
            for name, shares in measured.items()
        },
        "history": [
            {**{key: getattr(step, key) for key in told}, "first": first_json(machine, step.first)}
            for step in steps
        ],
    }


def _measured(machine: AnyMachine) -> "dict[str, Shares]":
    return {str(opponent): shares(machine, opponent) for opponent in (RANDOM, PERFECT)}


def _print_training(
    training: "Training", steps: list[TrainingInterval], measured: "dict[str, Shares]"
) -> None:
    machine = training.machine
    sums = _sums(steps)
    print_line(f"{quantity(training.played, 'game')} against {training.opponent}, seed {training.seed}")
    played = max(1, training.played)
    # A step may be a single game, so combine several steps.
    tail = steps[-max(1, 10 // max(1, steps[0].played)) :] if steps else []
    last, latest = _sums(tail), max(1, sum(step.played for step in tail))
    for key in ("won", "tied", "lost"):
        print_line(f"  {key:<5}{sums[key] / played:7.1%}   at the end {last[key] / latest:7.1%}")
    for box in machine.boxes.first:
        print_line(f"first box {box.position.text()}: {_beads_text(box, machine.beads[box.index])}")
    for name, chances in measured.items():
        print_line(
            f"now, against {name}: wins {chances.win:.1%}, ties {chances.tie:.1%}, loses {chances.loss:.1%}"
        )


def _beads_text(box: Box[Any, Any], word: int) -> str:
    return ", ".join(f"{move} {count}" for move, count in box.counts(word).items())


@app.command()
def boxes(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            callback=check_utf8,
            show_default="fresh boxes",
            help="Name of a saved machine.",
        ),
    ] = None,
    box_set: Boxes = None,
    beads: Beads = None,
    every: EveryMove = None,
    second: Second = None,
    game: MachineGame = None,
    preset: Preset = None,
    as_json: AsJson = False,
) -> None:
    """List the boxes of a machine, or of a fresh one, with their beads."""
    options = partial(
        machine_options,
        game=game,
        preset=preset,
        beads=beads,
        box_set=box_set,
        every=every,
        second=second,
    )
    if name is None:
        with showing_progress(lambda: FILLING):
            machine: AnyMachine = Machine("fresh", options(None))
    else:
        machine = _load(name)
        with showing_progress(lambda: FILLING):
            asked: AnyMachine = Machine("asked", options(machine.options))
        if asked.options != machine.options:
            raise InputError(
                f"The saved machine {name} was created with different options. "
                "Leave out the options to see its boxes."
            )
    boxes = machine.boxes.boxes
    if as_json:
        print_json({"boxes": [_box_json(machine, box) for box in boxes]})
        return
    for box in boxes:
        print_line(f"{box.stage} {box.position.text()}  {_beads_text(box, machine.beads[box.index])}")
    beads_in_all = sum(total(word) for word in machine.beads)
    print_error(f"{quantity(len(boxes), 'box', 'boxes')} with {quantity(beads_in_all, 'bead')}.")


def _box_json(machine: AnyMachine, box: Box[Any, Any]) -> dict[str, Any]:
    word = machine.beads[box.index]
    error = machine.boxes.error(box, word)
    return {
        "position": box.position.text(),
        "board": box.position.text(),
        "stage": box.stage,
        "beads": {str(move): count for move, count in box.counts(word).items()},
        "error": None if error is None else round(error, 6),
        "perfect": {str(move.move): _judged(move) for move in machine.boxes.graph.analyse(box.position)},
    }


def _judged(move: MoveVerdict[Any]) -> dict[str, Any]:
    return {"value": move.verdict.value, "remoteness": move.verdict.remoteness, "best": move.best}


@app.command()
def show(
    name: MachineName,
    board: Annotated[
        str,
        typer.Argument(
            metavar="BOARD", help="Position, top row first, for example X.O...... for X in a3 and O in c3."
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Show the box of a position, turned as your board."""
    machine = _load(name)
    game = get_game(machine.options.game)
    position = game.parse_position(board, game.parameters.parse(machine.options.parameters))
    if position.outcome() is not None:
        raise InputError(f"No box for the board {board!r}: the game is over.")
    if position.turn != machine.options.seat:
        raise InputError(
            f"On the board {board!r} it is {game.sides[position.turn]}'s turn, "
            f"but {name} plays {game.sides[machine.options.seat]}."
        )
    opening = machine.boxes.open(position)
    text = position.text()
    shown: dict[str, Any] = {"position": text, "board": text, "box": None, "symmetry": None, "moves": []}
    if opening is not None:
        word = machine.beads[opening.box.index]
        everything = total(word)
        verdicts = {move.move: move for move in machine.boxes.graph.analyse(position)}
        shown["box"], shown["symmetry"] = opening.box.position.text(), opening.symmetry.name
        for slot, move in opening.moves.items():
            beads = count(word, slot)
            chance = beads / everything if everything else 0.0
            drawn = {"move": str(move), "beads": beads, "chance": chance}
            shown["moves"].append({**drawn, **_judged(verdicts[move])})
    print_result(as_json, shown, *_opening_lines(shown))


def _opening_lines(shown: dict[str, Any]) -> list[str]:
    if shown["box"] is None:
        return [f"{shown['board']} has no box: the machine picks any legal move with equal chance."]
    lines = [f"box {shown['box']}, the board {shown['symmetry']}"]
    for move in shown["moves"]:
        worth = f"{move['value']} {move['remoteness']}{' *' if move['best'] else ''}"
        noun = "bead " if move["beads"] == 1 else "beads"
        lines.append(f"{move['move']}  {move['beads']:3} {noun}  {move['chance']:6.1%}  {worth}")
    if not any(move["beads"] for move in shown["moves"]):
        lines.append("The box is empty: the machine resigns here.")
    return lines


@app.command("export")
def export_machine(
    name: MachineName,
    file: Annotated[str, typer.Argument(metavar="FILE", help="File to write, or - for standard output.")],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a machine to a readable file."""
    text = to_json(_load(name))
    if file == "-":
        print_text(text)
        return
    write_file(file, text, force)
    print_result(as_json, {"machine": name, "file": file}, said=f"Wrote {name} to {file}.")


@app.command("import")
def import_machine(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="File from arcade menace export, or - for standard input."),
    ],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Save the machine under this name.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a machine with that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import a machine from a file. If the file is damaged, nothing is imported."""
    text = read_text(None if file == "-" else file)
    try:
        with showing_progress(lambda: FILLING):
            machine = from_json(text)
    except InputError as error:
        raise InputError(f"Cannot import {file!r}: {error}") from None
    if name is not None:
        machine.name = name
    _check_name(machine)
    written = to_json(machine)
    with open_store() as store:
        before = store.machines(machine.name).get(machine.name)
        if before not in (None, written) and not force:
            raise InputError(
                f"The machine {machine.name} already exists. Use --name to save this one under another name, "
                "or --force to replace it."
            )
        if before != written:
            store.save_machine(machine.name, written)
    played = f"which has played {quantity(machine.games, 'game')}"
    there = f"{machine.name}, {played}, is already saved."
    said = there if before == written else f"Imported {machine.name}, {played}."
    print_result(as_json, _machine_json(machine), said=said)


def _machine_json(machine: AnyMachine) -> dict[str, Any]:
    options = machine.options
    return {
        "name": machine.name,
        "game": options.game,
        "id": options.game_id,
        "turn": TURNS[options.seat],
        "moves": TURNS[options.seat],
        "boxes": len(machine.boxes.boxes),
        "first beads": list(options.first_beads),
        "rewards": list(options.rewards),
        "games": machine.games,
        "won": machine.won,
        "tied": machine.tied,
        "lost": machine.lost,
        "refuses": machine.refuses,
    }


@app.command("list")
def list_machines(as_json: AsJson = False) -> None:
    """List the saved machines."""
    kept: list[dict[str, Any]] = []
    with load_machines() as machines, showing_progress(lambda: FILLING):
        for name in machines.store.machines():
            try:
                kept.append(_machine_json(machines.load(name)))
            except InputError as error:
                kept.append({"name": name, "error": str(error)})
    if as_json:
        print_json({"machines": kept})
        return
    for machine in kept:
        if "error" in machine:
            print_line(f"{machine['name']}: damaged: {machine['error']}")
            continue
        refuses = ", refuses to play" if machine["refuses"] else ""
        boxes = quantity(machine["boxes"], "box", "boxes")
        print_line(
            f"{machine['name']}: {machine['id']}, moves {machine['turn']}, {boxes}, "
            f"{quantity(machine['games'], 'game')}{refuses}"
        )
    if not kept:
        fresh = join_words([machine.name for machine in BUILT_IN])
        print_error(
            f"No saved machines. {fresh} are untrained. Create one with arcade menace train --save NAME."
        )


@app.command()
def delete(
    name: MachineName,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a machine and all that it has learned. This cannot be undone."""
    with open_store() as store:
        saved = name in store.machine_names()
        if built_in(name) and not saved:
            raise InputError(f"{name} has not been trained yet, so it has no saved data to delete.")
        if saved and not yes and not confirmed(f"Delete {name} and all that it has learned?"):
            print_error("Nothing was deleted.")
            return
        store.delete_machine(name)
    print_result(as_json, {"deleted": name}, said=f"Deleted {name}.")
