"""`arcade menace`: train machines of matchboxes, look into their boxes, keep and exchange them."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade import words
from arcade.commands.common import JsonOption, commands, print_json, say
from arcade.engines.game import InputError
from arcade.files import read_file, write_file

if TYPE_CHECKING:
    from arcade.engines.menace.evaluation import Shares
    from arcade.engines.menace.machine import AnyMachine, Options, Step
    from arcade.engines.menace.matchbox import Box
    from arcade.engines.menace.training import Training
    from arcade.machines import Pupil
    from arcade.store import Store

app = commands("Machines of matchboxes: train them, look into their boxes, keep them.")

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="A machine in the store.")]
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
    typer.Option(
        "--every-move/--distinct", help="Beads for every move, also for those that are alike by symmetry."
    ),
]
PresetOption = Annotated[
    str | None, typer.Option("--preset", metavar="NAME", help="Start from: michie, scroggs, her, her4.")
]


def _load(store: Store, name: str) -> AnyMachine:
    """The machine of a name.

    Raises:
        InputError: there is none, or what the store has of it is damaged.
    """
    from arcade.engines.menace.archive import from_json

    return from_json(store.load_machine(name))


def _preset(name: str) -> Options:
    from arcade.engines.menace.machine import PRESETS

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
    """What the command's options ask for, on top of a preset or of the options of a machine."""
    from arcade.engines.menace.machine import Options, parse_first_beads
    from arcade.engines.menace.matchbox import BoxSet, parse_box_set

    name, _, parameters = ("menace" if game is None else game).partition(":")
    if preset is not None:
        options = _preset(preset)
    elif base is not None:
        options = base
    elif name == "menace":
        options = Options()
    else:
        # As HER: it moves second and has a box for every position.
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
            "--opponent", metavar="WHO", help="random, perfect, 0.8 (perfect in 80 %), or a machine."
        ),
    ] = "random",
    games: Annotated[int, typer.Option("--games", min=1, max=10**9, help="How many games.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="Of everything random.")] = 1,
    beads: BeadsOption = None,
    rewards: Annotated[
        str | None,
        typer.Option("--rewards", metavar="W,T,L", help="Beads after a win, a tie, a loss: 3,1,-1."),
    ] = None,
    boxes: SetOption = None,
    every: EveryOption = None,
    second: SecondOption = None,
    last_only: Annotated[
        bool | None, typer.Option("--last-only/--all-boxes", help="Reward only the box opened last.")
    ] = None,
    overflow: Annotated[
        str | None,
        typer.Option("--overflow", metavar="HOW", help="Above 127 beads: stop (default), or halve the box."),
    ] = None,
    game: GameOption = None,
    preset: PresetOption = None,
    both: Annotated[bool, typer.Option("--both", help="The opponent, a machine, learns too.")] = False,
    step: Annotated[
        int | None, typer.Option("--step", min=1, max=10**9, help="Games between two entries of the history.")
    ] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="NAME", help="Keep it, after each step; trains on what is kept."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start --save NAME anew.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Train a machine and print how it did and what its first box holds."""
    from contextlib import ExitStack

    from arcade.engines.menace.archive import from_json
    from arcade.engines.menace.machine import Machine, check_name
    from arcade.engines.menace.opponents import parse_opponent
    from arcade.engines.menace.training import Training
    from arcade.machines import Pupil
    from arcade.store import open_store

    with ExitStack() as stack:
        store: Store | None = None

        def opened() -> Store:
            nonlocal store
            if store is None:
                store = stack.enter_context(open_store())
            return store

        # As what the machines are kept that are asked for: none is written over what another arcade wrote.
        texts: dict[str, str] = {}

        def load(name: str) -> AnyMachine:
            texts[name] = opened().load_machine(name)
            return from_json(texts[name])

        kept = None
        if save is not None and save in opened().machine_names():
            kept = load(save)
            if fresh:
                kept = None
        options = _options(kept.options if kept else None, preset, game, beads, boxes, second, every)
        options = _rewarded(options, rewards, last_only, overflow)
        machine: AnyMachine = Machine("unnamed" if save is None else save, options)
        check_name(machine.name, options.game)
        if kept is not None and kept.options != machine.options:
            raise InputError(
                f"The machine {save} is kept with other options; leave them out to train it on, "
                "or start it anew with --fresh."
            )
        machine = kept or machine
        training = Training(machine, parse_opponent(opponent, load, both), games, seed, step)
        learners = [training.machine]
        if training.opponent.machine is not None and training.opponent.learns:
            learners.append(training.opponent.machine)
        pupils = [Pupil(each, texts.get(each.name)) for each in learners]
        steps = _run(training, pupils, opened() if save is not None else None)
    if as_json:
        print_json(_training_json(training, steps, save))
    else:
        _print_training(training, steps)
    if training.refused and machine.refuses:
        say("Its first box is empty, so it refuses to play on; --fresh starts a machine anew.")


def _rewarded(options: Options, rewards: str | None, last_only: bool | None, overflow: str | None) -> Options:
    from arcade.engines.menace.machine import Overflow, parse_numbers

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


def _run(training: Training, pupils: list[Pupil], store: Store | None) -> list[Step]:
    """Train, keeping every machine that learns after each step; Ctrl+C ends it with what was played."""
    from arcade.engines.control import Control

    steps = []
    told = sys.stderr.isatty()
    with Control() as control:
        try:
            for step in training.steps(control):
                steps.append(step)
                if store is not None:
                    for pupil in pupils:
                        pupil.keep(store)
                if told:
                    print(f"\r{training.played:,} of {training.games:,} games", end="", file=sys.stderr)
        except KeyboardInterrupt:
            control.cancel()
            training.cancel()
        finally:
            if told:
                print("\r\x1b[K", end="", file=sys.stderr)
    return steps


def _sums(steps: list[Step]) -> dict[str, int]:
    keys = ("won", "tied", "lost", "resigned")
    return {key: sum(getattr(step, key) for step in steps) for key in keys}


def _training_json(training: Training, steps: list[Step], save: str | None) -> dict[str, Any]:
    from arcade.engines.menace.archive import first_json

    machine = training.machine
    sums = _sums(steps)
    played = max(1, training.played)
    return {
        "machine": save,
        "game": machine.options.game_id,
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
    """How the machine does now, learning no more, against random and perfect play."""
    from arcade.engines.menace.evaluation import shares
    from arcade.engines.menace.opponents import PERFECT, RANDOM

    return {str(opponent): shares(machine, opponent) for opponent in (RANDOM, PERFECT)}


def _shares_json(found: Shares) -> dict[str, float]:
    return {key: round(getattr(found, key), 6) for key in ("win", "tie", "loss")}


def _print_training(training: Training, steps: list[Step]) -> None:
    machine = training.machine
    sums = _sums(steps)
    print(f"{words.games(training.played)} against {training.opponent}, seed {training.seed}")
    played = max(1, training.played)
    last = steps[-1].shares if steps else (0.0, 0.0, 0.0)
    for at, key in enumerate(("won", "tied", "lost")):
        print(f"  {key:<5}{sums[key] / played:7.1%}   at the end {last[at]:7.1%}")
    for box in machine.boxes.first:
        print(f"first box {box.position.text()}: {_beads_text(box, machine.beads[box.index])}")
    for name, found in _measured(machine).items():
        print(f"now, against {name}: wins {found.win:.1%}, ties {found.tie:.1%}, loses {found.loss:.1%}")


def _beads_text(box: Box[Any, Any], word: int) -> str:
    return ", ".join(f"{move} {count}" for move, count in box.counts(word).items())


@app.command()
def boxes(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A machine; without: fresh boxes.")
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
    from arcade.engines.menace.machine import Machine
    from arcade.store import open_store

    if name is None:
        machine: AnyMachine = Machine("fresh", _options(None, preset, game, beads, box_set, second, every))
    else:
        with open_store() as store:
            machine = _load(store, name)
        asked: AnyMachine = Machine(
            "asked", _options(machine.options, preset, game, beads, box_set, second, every)
        )
        if asked.options != machine.options:
            raise InputError(
                f"The machine {name} is kept with other options; leave them out to see its boxes."
            )
    listed = machine.boxes.boxes
    if as_json:
        print_json({"boxes": [_box_json(machine, box) for box in listed]})
        return
    for box in listed:
        print(f"{box.stage} {box.position.text()}  {_beads_text(box, machine.beads[box.index])}")
    from arcade.engines.menace.beads import total

    say(f"{len(listed):,} boxes with {sum(total(word) for word in machine.beads):,} beads.")


def _box_json(machine: AnyMachine, box: Box[Any, Any]) -> dict[str, Any]:
    word = machine.beads[box.index]
    error = machine.boxes.error(box, word)
    return {
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
            for each in machine.boxes.analyse(box)
        },
    }


@app.command()
def show(
    name: NameArgument,
    board: Annotated[str, typer.Argument(metavar="BOARD", help="A position, e.g. X.O...... or ......... .")],
    as_json: JsonOption = False,
) -> None:
    """Open the box of a position, the board as it lies before you."""
    from arcade.engines.registry import get_game
    from arcade.store import open_store

    with open_store() as store:
        machine = _load(store, name)
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
    found: dict[str, Any] = {"board": position.text(), "box": None, "symmetry": None, "moves": []}
    if opening is None:
        _print_opening(found, as_json)
        return
    from arcade.engines.menace.beads import count, total

    word = machine.beads[opening.box.index]
    everything = total(word)
    verdicts = {each.move: each for each in machine.boxes.graph.analyse_position(position)}
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
        print(f"{found['board']} has no box: any legal move is drawn, all alike.")
        return
    print(f"box {found['box']}, the board {found['symmetry']}")
    for each in found["moves"]:
        best = " *" if each["best"] else ""
        print(
            f"{each['move']}  {each['beads']:3} beads  {each['chance']:6.1%}  "
            f"{each['value']} {each['remoteness']}{best}"
        )
    if not any(each["beads"] for each in found["moves"]):
        print("The box is empty: the machine resigns here.")


@app.command(name="export")
def export_machine(
    name: NameArgument,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to; - for standard output.")],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a machine to one readable file."""
    from arcade.engines.menace.archive import to_json
    from arcade.store import open_store

    with open_store() as store:
        text = to_json(_load(store, name))
    if file == "-":
        print(text, end="")
        return
    try:
        write_file(file, text, "w" if force else "x")
    except FileExistsError:
        raise InputError(f"The file {file!r} is there already; --force writes over it.") from None
    if as_json:
        print_json({"machine": name, "file": file})
    else:
        say(f"Wrote {name} to {file}.")


@app.command(name="import")
def import_machine(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Of arcade menace export; - for standard input.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Keep it under this name.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a machine of that name.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Take in a machine from a file; a damaged file is refused and changes nothing."""
    from arcade.engines.menace.archive import from_json, to_json
    from arcade.engines.menace.machine import check_name
    from arcade.store import open_store

    text = _read(file)
    try:
        machine = from_json(text)
    except InputError as error:
        raise InputError(f"{file} is refused: {error}") from None
    if name is not None:
        machine.name = check_name(name, machine.options.game)
    with open_store() as store:
        if machine.name in store.machine_names() and not force:
            raise InputError(
                f"There is a machine {machine.name} already; --name keeps this one under another name, "
                "--force replaces that one."
            )
        store.save_machine(machine.name, to_json(machine))
    if as_json:
        print_json(_machine_json(machine))
    else:
        say(f"Took in {machine.name}, which has played {words.games(machine.games)}.")


def _read(file: str) -> str:
    """The text of a file; no more of it than the longest machine has.

    Raises:
        InputError: it cannot be read or is no text.
    """
    from arcade.engines.menace.archive import LONGEST

    if file != "-":
        return read_file(file, LONGEST + 1)
    try:
        return sys.stdin.read(LONGEST + 1)
    except OSError as error:
        raise InputError(f"Standard input cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is refused: it is no text: {error.reason} at byte {error.start}.") from None


def _machine_json(machine: AnyMachine) -> dict[str, Any]:
    options = machine.options
    return {
        "name": machine.name,
        "game": options.game_id,
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
    from arcade.store import open_store

    listed: list[dict[str, Any]] = []
    with open_store() as store:
        for name in store.machine_names():
            try:
                listed.append(_machine_json(_load(store, name)))
            except InputError as error:
                listed.append({"name": name, "error": str(error)})
    if as_json:
        print_json({"machines": listed})
        return
    for each in listed:
        if "error" in each:
            print(f"{each['name']}: damaged: {each['error']}")
            continue
        refuses = ", refuses to play" if each["refuses"] else ""
        print(
            f"{each['name']}: {each['game']}, moves {each['moves']}, {each['boxes']} boxes, "
            f"{words.games(each['games'])}{refuses}"
        )
    if not listed:
        say("No machine is kept yet; arcade menace train --save NAME makes one.")


@app.command()
def delete(name: NameArgument, as_json: JsonOption = False) -> None:
    """Forget a machine."""
    from arcade.store import open_store

    with open_store() as store:
        store.delete_machine(name)
    if as_json:
        print_json({"deleted": name})
    else:
        say(f"Deleted {name}.")
