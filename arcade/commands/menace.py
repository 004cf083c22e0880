"""`arcade menace`: train machines of matchboxes, look into their boxes, save and exchange them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.common import (
    ForceOption,
    JsonOption,
    check_text,
    commands,
    kept_machines,
    out,
    out_text,
    print_json,
    say,
    show_progress,
    whole,
    write_file,
)
from arcade.engines import wording as words
from arcade.engines.files import InputError, read_text
from arcade.engines.wording import listed

if TYPE_CHECKING:
    from arcade.matchbox.box import Box
    from arcade.matchbox.experiment import Shares
    from arcade.matchbox.machine import AnyMachine, Options, Stretch
    from arcade.matchbox.machines import MachineStore, Pupil
    from arcade.matchbox.training import Training

app = commands("Machines of matchboxes: train, look into boxes, save.")

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", callback=check_text, help="A machine in the store.")
]
GameOption = Annotated[
    str | None,
    typer.Option("--game", metavar="GAMEID", help="The game: menace (default), hexapawn:3x3, hexapawn:4x4."),
]
BeadsOption = Annotated[
    str | None,
    typer.Option("--beads", metavar="N,N,...", help="First beads by stage: 4,3,2,1, michie, scroggs, flat."),
]
SetOption = Annotated[
    str | None,
    typer.Option("--set", metavar="SET", help="Boxes: 304 (choice), 287 (hope) or 338 (all)."),
]
SecondOption = Annotated[
    bool | None, typer.Option("--second/--first", help="The machine moves second; menace: first.")
]
EveryOption = Annotated[
    bool | None,
    typer.Option("--every-move/--distinct", help="Give every move its own beads, even symmetric ones."),
]
PresetOption = Annotated[
    str | None, typer.Option("--preset", metavar="NAME", help="Start from: michie, scroggs, her, her4.")
]


def _check_name(machine: AnyMachine) -> None:
    """Check that the machine can be saved under a name.

    Raises:
        InputError: what is wrong with the name.
    """
    from arcade.matchbox.machine import check_name
    from arcade.matchbox.machines import built_in

    own = machine.options
    check_name(machine.name, own.game)
    same_name = built_in(machine.name)
    if same_name is not None and same_name.plays != (own.game_id, own.seat):
        game, seat = same_name.plays
        raise InputError(
            f"{machine.name} is the machine that plays {game} and moves {('first', 'second')[seat]}; "
            "choose another name for this one."
        )


def _preset(name: str) -> Options:
    from arcade.matchbox.machine import PRESETS

    found = next((each.options for each in PRESETS if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in PRESETS)
        raise InputError(f"There is no preset {name!r}; the presets are {known}.")
    return found


def _options(
    base: Options | None,
    preset: str | None,
    game: str | None,
    beads: str | None,
    boxes: str | None,
    second: bool | None,
    every: bool | None,
) -> Options:
    """The machine options from the command line, on top of a preset or of a machine's options."""
    from arcade.matchbox.box import BoxSet, parse_box_set
    from arcade.matchbox.machine import Options, parse_first_beads

    name, _, parameters = ("menace" if game is None else game).partition(":")
    if preset is not None:
        options = _preset(preset)
    elif base is not None:
        options = base
    elif name == "menace":
        options = Options()
    else:
        # Like HER: it moves second and has a box for every position.
        options = Options(seat=1, box_set=BoxSet.ALL)
    if game is not None:
        options = replace(options, game=name, parameters=parameters)
    if beads is not None:
        options = replace(options, first_beads=parse_first_beads(beads))
    if boxes is not None:
        options = replace(options, box_set=parse_box_set(boxes))
    if second is not None:
        options = replace(options, seat=int(second))
    if every is not None:
        options = replace(options, distinct=not every)
    return options


@app.command()
def train(
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent",
            metavar="WHO",
            callback=check_text,
            help="random, perfect, 0.8 (perfect in 80 %), or a machine.",
        ),
    ] = "random",
    games: Annotated[int, whole("--games", "Number of games.", 1, 10**9)] = 10_000,
    seed: Annotated[int, whole("--seed", "Random seed.")] = 1,
    beads: BeadsOption = None,
    rewards: Annotated[
        str | None,
        typer.Option("--rewards", metavar="W,T,L", help="Beads after a win, a tie, a loss: 3,1,-1."),
    ] = None,
    boxes: SetOption = None,
    every: EveryOption = None,
    second: SecondOption = None,
    last_only: Annotated[
        bool | None, typer.Option("--last-only/--all-boxes", help="Reward only the last opened box.")
    ] = None,
    overflow: Annotated[
        str | None,
        typer.Option(
            "--overflow", metavar="HOW", help="Above 127 beads: halve the box (default), or stop there."
        ),
    ] = None,
    game: GameOption = None,
    preset: PresetOption = None,
    both: Annotated[bool, typer.Option("--both", help="An opposing machine also learns.")] = False,
    step: Annotated[int | None, whole("--step", "Games in each step of the history.", 1, 10**9)] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="NAME", help="Save it after each step; continues a saved machine."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start --save NAME from scratch.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Train a machine, and show its results and its first box."""
    from arcade.matchbox.machine import Machine
    from arcade.matchbox.machines import Pupil, built_in
    from arcade.matchbox.training import Training, parse_opponent

    with kept_machines() as machines:
        # The saved texts of the machines, so that changes by another arcade are not overwritten.
        texts: dict[str, str | None] = {}

        def load(name: str) -> AnyMachine:
            pupil = machines.pupil(name)
            texts[name] = pupil.text
            return pupil.machine

        kept = None
        if save is not None and (built_in(save) or save in machines.store.machines()):
            kept = load(save)
            if fresh:
                kept = None
        options = _options(kept.options if kept else None, preset, game, beads, boxes, second, every)
        options = _rewarded(options, rewards, last_only, overflow)
        machine: AnyMachine = Machine("unnamed" if save is None else save, options)
        _check_name(machine)
        if kept is not None and kept.options != machine.options:
            raise InputError(
                f"The saved machine {save} has other options; leave them out to train it further, "
                "or add --fresh to start from scratch."
            )
        machine = kept or machine
        training = Training(machine, parse_opponent(opponent, load, both), games, seed, step)
        learners = [training.machine]
        if training.opponent.machine is not None and training.opponent.learns:
            learners.append(training.opponent.machine)
        pupils = [Pupil(each, texts.get(each.name)) for each in learners]
        steps = _run(training, pupils, machines.store if save is not None else None)
    if as_json:
        print_json(_training_json(training, steps, save))
    else:
        _print_training(training, steps)
    if training.refused and machine.refuses:
        say("Its first box is empty, so it refuses to play; --fresh starts from scratch.")


def _rewarded(options: Options, rewards: str | None, last_only: bool | None, overflow: str | None) -> Options:
    from arcade.matchbox.machine import Overflow, parse_numbers

    if rewards is not None:
        numbers = parse_numbers(rewards, "the rewards")
        if len(numbers) != 3:
            raise InputError(f"The rewards {rewards!r} must be three numbers, for a win, a tie and a loss.")
        options = replace(options, rewards=(numbers[0], numbers[1], numbers[2]))
    if last_only is not None:
        options = replace(options, last_only=last_only)
    if overflow is not None:
        if overflow not in list(Overflow):
            raise InputError(f"The overflow {overflow!r} must be one of {', '.join(Overflow)}.")
        options = replace(options, overflow=Overflow(overflow))
    return options


def _run(training: Training, pupils: list[Pupil], store: MachineStore | None) -> list[Stretch]:
    """Train and save every learning machine after each step; Ctrl+C stops it and keeps the played games."""
    from arcade.engines.control import Control

    steps = []
    with Control() as control:
        try:
            for step in training.steps(control):
                steps.append(step)
                if store is not None:
                    for pupil in pupils:
                        pupil.keep(store)
                show_progress(f"{training.played:,} of {training.games:,} games")
        except KeyboardInterrupt:
            control.cancel()
            training.cancel()
        finally:
            show_progress("")
    return steps


def _sums(steps: list[Stretch]) -> dict[str, int]:
    keys = ("won", "tied", "lost", "resigned")
    return {key: sum(getattr(step, key) for step in steps) for key in keys}


def _training_json(training: Training, steps: list[Stretch], save: str | None) -> dict[str, Any]:
    from arcade.matchbox.archive import first_json

    machine = training.machine
    sums = _sums(steps)
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
        "now": {name: _shares_json(found) for name, found in _measured(machine).items()},
        "history": [
            {
                "games": step.games,
                "won": step.won,
                "tied": step.tied,
                "lost": step.lost,
                "resigned": step.resigned,
                "first": first_json(machine, step.first),
            }
            for step in steps
        ],
    }


def _measured(machine: AnyMachine) -> dict[str, Shares]:
    """The machine's exact results against random and perfect play, without further learning."""
    from arcade.matchbox.experiment import shares
    from arcade.matchbox.training import PERFECT, RANDOM

    return {str(opponent): shares(machine, opponent) for opponent in (RANDOM, PERFECT)}


def _shares_json(found: Shares) -> dict[str, float]:
    return {key: round(getattr(found, key), 6) for key in ("win", "tie", "loss")}


def _print_training(training: Training, steps: list[Stretch]) -> None:
    machine = training.machine
    sums = _sums(steps)
    out(f"{words.games(training.played)} against {training.opponent}, seed {training.seed}")
    played = max(1, training.played)
    last = steps[-1].shares if steps else (0.0, 0.0, 0.0)
    for at, key in enumerate(("won", "tied", "lost")):
        out(f"  {key:<5}{sums[key] / played:7.1%}   at the end {last[at]:7.1%}")
    for box in machine.boxes.first:
        out(f"first box {box.position.text()}: {_beads_text(box, machine.beads[box.index])}")
    for name, found in _measured(machine).items():
        out(f"now, against {name}: wins {found.win:.1%}, ties {found.tie:.1%}, loses {found.loss:.1%}")


def _beads_text(box: Box[Any, Any], word: int) -> str:
    return ", ".join(f"{move} {count}" for move, count in box.counts(word).items())


@app.command()
def boxes(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", callback=check_text, help="A machine; fresh boxes if omitted."),
    ] = None,
    box_set: SetOption = None,
    beads: BeadsOption = None,
    every: EveryOption = None,
    second: SecondOption = None,
    game: GameOption = None,
    preset: PresetOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the boxes of a machine, or of a fresh one, with their beads."""
    from arcade.matchbox.machine import Machine

    if name is None:
        machine: AnyMachine = Machine("fresh", _options(None, preset, game, beads, box_set, second, every))
    else:
        with kept_machines() as machines:
            machine = machines.load(name)
        asked: AnyMachine = Machine(
            "asked", _options(machine.options, preset, game, beads, box_set, second, every)
        )
        if asked.options != machine.options:
            raise InputError(f"The saved machine {name} has other options; leave them out to see its boxes.")
    listed = machine.boxes.boxes
    if as_json:
        print_json({"boxes": [_box_json(machine, box) for box in listed]})
        return
    for box in listed:
        out(f"{box.stage} {box.position.text()}  {_beads_text(box, machine.beads[box.index])}")
    from arcade.matchbox.box import total

    say(f"{len(listed):,} boxes with {sum(total(word) for word in machine.beads):,} beads.")


def _box_json(machine: AnyMachine, box: Box[Any, Any]) -> dict[str, Any]:
    word = machine.beads[box.index]
    error = machine.boxes.error(box, word)
    return {
        "position": box.position.text(),
        "board": box.position.text(),
        "stage": box.stage,
        "beads": {str(move): count for move, count in box.counts(word).items()},
        "error": None if error is None else round(error, 6),
        "perfect": {
            str(each.move): {
                "value": each.verdict.value,
                "remoteness": each.verdict.remoteness,
                "best": each.best,
            }
            for each in machine.boxes.graph.analyse(box.position)
        },
    }


@app.command()
def show(
    name: NameArgument,
    board: Annotated[str, typer.Argument(metavar="BOARD", help="A position, e.g. X.O...... or ......... .")],
    as_json: JsonOption = False,
) -> None:
    """Open the box of a position and show it as on your board."""
    from arcade.engines.registry import get_game

    with kept_machines() as machines:
        machine = machines.load(name)
    game = get_game(machine.options.game)
    position = game.parse_position(board, game.parse_parameters(machine.options.parameters))
    if position.outcome() is not None:
        raise InputError(f"On the board {board!r} the game is over, so there is no box for it.")
    if position.turn != machine.options.seat:
        raise InputError(
            f"On the board {board!r} it is {game.sides[position.turn]}'s turn, "
            f"but {name} plays {game.sides[machine.options.seat]}."
        )
    opening = machine.boxes.open(position)
    text = position.text()
    found: dict[str, Any] = {"position": text, "board": text, "box": None, "symmetry": None, "moves": []}
    if opening is None:
        _print_opening(found, as_json)
        return
    from arcade.matchbox.box import count, total

    word = machine.beads[opening.box.index]
    everything = total(word)
    verdicts = {each.move: each for each in machine.boxes.graph.analyse(position)}
    found["box"], found["symmetry"] = opening.box.position.text(), opening.symmetry.name
    for slot, move in opening.moves.items():
        each = verdicts[move]
        found["moves"].append(
            {
                "move": str(move),
                "beads": count(word, slot),
                "chance": count(word, slot) / everything if everything else 0.0,
                "value": each.verdict.value,
                "remoteness": each.verdict.remoteness,
                "best": each.best,
            }
        )
    _print_opening(found, as_json)


def _print_opening(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    if found["box"] is None:
        out(f"{found['board']} has no box: the machine picks any legal move with equal chance.")
        return
    out(f"box {found['box']}, the board {found['symmetry']}")
    for each in found["moves"]:
        best = " *" if each["best"] else ""
        out(
            f"{each['move']}  {each['beads']:3} beads  {each['chance']:6.1%}  "
            f"{each['value']} {each['remoteness']}{best}"
        )
    if not any(each["beads"] for each in found["moves"]):
        out("The box is empty: the machine resigns here.")


@app.command(name="export")
def export_machine(
    name: NameArgument,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write; - for standard output.")],
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a machine to one readable file."""
    from arcade.matchbox.archive import to_json

    with kept_machines() as machines:
        text = to_json(machines.load(name))
    if file == "-":
        out_text(text)
        return
    write_file(file, text, force)
    if as_json:
        print_json({"machine": name, "file": file})
    else:
        say(f"Wrote {name} to {file}.")


@app.command(name="import")
def import_machine(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file from arcade menace export; - for standard input.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Save it under this name.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a machine with that name.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Import a machine from a file. A damaged file is refused and changes nothing."""
    from arcade.matchbox.archive import from_json, to_json
    from arcade.store.store import open_store

    text = read_text(None if file == "-" else file)
    try:
        machine = from_json(text)
    except InputError as error:
        raise InputError(f"The file {file!r} cannot be used: {error}") from None
    if name is not None:
        machine.name = name
    _check_name(machine)
    with open_store() as store:
        if machine.name in store.machine_names() and not force:
            raise InputError(
                f"There is already a machine {machine.name}; --name saves this one under another name, "
                "--force replaces that one."
            )
        store.save_machine(machine.name, to_json(machine))
    if as_json:
        print_json(_machine_json(machine))
    else:
        say(f"Imported {machine.name}, which has played {words.games(machine.games)}.")


def _machine_json(machine: AnyMachine) -> dict[str, Any]:
    options = machine.options
    return {
        "name": machine.name,
        "game": options.game,
        "id": options.game_id,
        "turn": ("first", "second")[options.seat],
        "moves": ("first", "second")[options.seat],
        "boxes": len(machine.boxes.boxes),
        "first beads": list(options.first_beads),
        "rewards": list(options.rewards),
        "games": machine.games,
        "won": machine.won,
        "tied": machine.tied,
        "lost": machine.lost,
        "refuses": machine.refuses,
    }


@app.command(name="list")
def list_machines(as_json: JsonOption = False) -> None:
    """List the machines in the store."""
    from arcade.matchbox.machines import BUILT_IN

    found: list[dict[str, Any]] = []
    with kept_machines() as machines:
        for name in machines.store.machines():
            try:
                found.append(_machine_json(machines.load(name)))
            except InputError as error:
                found.append({"name": name, "error": str(error)})
    if as_json:
        print_json({"machines": found})
        return
    for each in found:
        if "error" in each:
            out(f"{each['name']}: damaged: {each['error']}")
            continue
        refuses = ", refuses to play" if each["refuses"] else ""
        out(
            f"{each['name']}: {each['id']}, moves {each['turn']}, {each['boxes']} boxes, "
            f"{words.games(each['games'])}{refuses}"
        )
    if not found:
        fresh = listed([each.name for each in BUILT_IN])
        say(f"No machine is saved yet; {fresh} have fresh beads. arcade menace train --save NAME makes one.")


@app.command()
def delete(name: NameArgument, as_json: JsonOption = False) -> None:
    """Delete a machine."""
    from arcade.matchbox.machines import built_in
    from arcade.store.store import open_store

    with open_store() as store:
        if built_in(name) and name not in store.machine_names():
            raise InputError(f"{name} has learned nothing yet, so there is nothing to delete.")
        store.delete_machine(name)
    if as_json:
        print_json({"deleted": name})
    else:
        say(f"Deleted {name}.")
