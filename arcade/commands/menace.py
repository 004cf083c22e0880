"""`arcade menace`: train machines of matchboxes, look into their boxes, save and exchange them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import not_
from typing import TYPE_CHECKING, Any

from arcade.commands import common as shell
from arcade.commands.common import kept_machines, kept_store, out, print_json, say
from arcade.engines.control import Control
from arcade.engines.files import InputError, read_text
from arcade.engines.registry import get_game
from arcade.engines.verdict import MoveVerdict
from arcade.engines.wording import amount, capital, listed

if TYPE_CHECKING:
    from arcade.engines.menace.box import Box
    from arcade.engines.menace.chances import Shares
    from arcade.engines.menace.experiment import Experiment
    from arcade.engines.menace.machine import AnyMachine, Options, Stretch
    from arcade.engines.menace.training import Training
    from arcade.play.machines import Pupil
    from arcade.store.store import Store

app = shell.commands("Machines of matchboxes: train, look into boxes, save.")

TURNS = ("first", "second")
FILLING = "filling the boxes"


def _load(name: str) -> AnyMachine:
    with kept_machines() as machines, shell.telling(lambda: FILLING):
        return machines.load(name)


def _check_name(machine: AnyMachine) -> None:
    """Raises InputError if the machine cannot be saved under its name."""
    from arcade.engines.menace.machine import check_name
    from arcade.play.machines import built_in

    own = machine.options
    check_name(machine.name, own.game, new=not machine.games)
    same_name = built_in(machine.name)
    if same_name is not None and same_name.plays != (own.game_id, own.seat):
        game, seat = same_name.plays
        raise InputError(
            f"{machine.name} is the machine that plays {game} and moves {TURNS[seat]}; "
            "choose another name for this one."
        )


def _preset(name: str) -> Options:
    from arcade.engines.menace.machine import PRESETS

    presets = {preset.name: preset.options for preset in PRESETS}
    if name not in presets:
        raise InputError(f"There is no preset {name!r}; the presets are {', '.join(presets)}.")
    return presets[name]


@dataclass(frozen=True)
class TrainOptions:
    opponent: str = "random"
    games: int = 10_000
    seed: int = 1
    beads: str | None = None
    rewards: str | None = None
    boxes: str | None = None
    every: bool | None = None
    second: bool | None = None
    last_only: bool | None = None
    overflow: str | None = None
    game: str | None = None
    preset: str | None = None
    both: bool = False
    step: int | None = None
    runs: int | None = None
    save: str | None = None
    fresh: bool = False
    as_json: bool = False

    def options(self, kept: Options | None) -> Options:
        from arcade.engines.menace.box import BoxSet, parse_box_set
        from arcade.engines.menace.machine import Options, Overflow, parse_first_beads, parse_rewards

        name, _, parameters = ("menace" if self.game is None else self.game).partition(":")
        if self.preset is not None:
            options = _preset(self.preset)
        elif kept is not None:
            options = kept
        else:
            # A game besides menace is like HER: it moves second and has a box for every position.
            options = Options() if name == "menace" else Options(seat=1, box_set=BoxSet.ALL)
        if self.game is not None:
            options = replace(options, game=name, parameters=parameters)
        if self.overflow not in (None, *Overflow):
            raise InputError(f"The overflow {self.overflow!r} must be one of {', '.join(Overflow)}.")
        given: list[tuple[str, Any, Callable[[Any], Any]]] = [
            ("first_beads", self.beads, parse_first_beads),
            ("box_set", self.boxes, parse_box_set),
            ("seat", self.second, int),
            ("distinct", self.every, not_),
            ("rewards", self.rewards, parse_rewards),
            ("last_only", self.last_only, bool),
            ("overflow", self.overflow, Overflow),
        ]
        changes = {field: read(value) for field, value, read in given if value is not None}
        return replace(options, **changes)


@shell.command(app)
def train(setup: TrainOptions) -> None:
    from arcade.engines.menace.machine import Machine
    from arcade.engines.menace.opponents import parse_opponent
    from arcade.engines.menace.training import Training
    from arcade.play.machines import Pupil, built_in

    save = setup.save
    if setup.fresh and save is None:
        raise InputError("--fresh is for --save NAME: it makes that machine start from scratch.")
    if setup.runs is not None:
        if save is not None:
            raise InputError("--runs cannot be combined with --save: each run trains a fresh machine.")
        average(setup, setup.runs)
        return
    with kept_machines() as machines:
        # The saved texts of the machines, so that changes by another arcade are not overwritten.
        texts: dict[str, str | None] = {}

        def load(name: str) -> AnyMachine:
            with shell.telling(lambda: FILLING):
                pupil = machines.pupil(name)
            texts[name] = pupil.text
            return pupil.machine

        kept = None
        if save is not None and (built_in(save) or save in machines.store.machines()):
            kept = load(save)
        options = setup.options(kept.options if kept else None)
        if setup.fresh:
            kept = None
        with shell.telling(lambda: FILLING):
            machine: AnyMachine = Machine("unnamed" if save is None else save, options)
        _check_name(machine)
        if kept is not None and kept.options != machine.options:
            raise InputError(
                f"The saved machine {save} has other options; leave them out to train it further, "
                "or add --fresh to start from scratch."
            )
        machine = kept or machine
        opponent = parse_opponent(setup.opponent, load, setup.both)
        training = Training(machine, opponent, setup.games, setup.seed, setup.step)
        learners = [training.machine]
        if training.opponent.machine is not None and training.opponent.learns:
            learners.append(training.opponent.machine)
        pupils = [Pupil(learner, texts.get(learner.name)) for learner in learners]
        steps, interrupted = _run(training, pupils, machines.store if save is not None else None)
    with shell.telling(lambda: "counting the chances of the machine"):
        measured = _measured(machine)
    if setup.as_json:
        print_json(_training_json(training, steps, save, measured))
    else:
        _print_training(training, steps, measured)
    if training.refused and training.ended is not None:
        say(f"{capital(training.ended.value)}.")
    if machine.refuses and save is not None:
        say("Train it with --fresh to start from scratch.")
    if interrupted:
        raise KeyboardInterrupt


def average(setup: TrainOptions, runs: int) -> None:
    """Train fresh machines one after another, and print the averages over the finished runs."""
    from arcade.engines.menace.experiment import Experiment
    from arcade.engines.menace.machine import Machine
    from arcade.engines.menace.opponents import parse_opponent

    with kept_machines() as machines, shell.telling(lambda: FILLING):
        machine: AnyMachine = Machine("unnamed", setup.options(None))
        opponent = parse_opponent(setup.opponent, machines.copy, setup.both)
    experiment = Experiment(machine, opponent, setup.games, setup.seed, runs, setup.step)
    interrupted = False
    with shell.telling(lambda: f"{experiment.finished:,} of {amount(runs, 'run')}"), Control() as control:
        try:
            for _ in experiment.steps(control):
                pass
        except KeyboardInterrupt:
            interrupted = True
    if setup.as_json:
        print_json(_averages_json(experiment))
    else:
        _print_averages(experiment)
    if interrupted:
        raise KeyboardInterrupt


def _averages_json(experiment: Experiment) -> dict[str, Any]:
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


def _print_averages(experiment: Experiment) -> None:
    runs, curve = experiment.finished, experiment.curve
    games = amount(experiment.games, "game")
    out(f"{amount(runs, 'run')} of {games} against {experiment.opponent}, seeds from {experiment.seed}")
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
        out(f"  {key:<5}{share:7.1%}   at the end {last[key]:7.1%}")
    for box, held in zip(experiment.machine.boxes.first, curve[-1].first, strict=True):
        text = ", ".join(f"{move} {held[slot]:.1f}" for slot, move in box.moves.items())
        out(f"first box {box.position.text()}: {text}")
    out(f"first box empty after {experiment.refused} of {amount(runs, 'run')}")


def _run(training: Training, pupils: list[Pupil], store: Store | None) -> tuple[list[Stretch], bool]:
    """Train and save every learning machine after each step; Ctrl+C stops it and keeps the played games."""
    steps = []
    interrupted, done = False, 0

    def progress() -> str:
        """Only games that are saved, if the machine is to be saved at all."""
        return f"{done if store is not None else training.played:,} of {amount(training.games, 'game')}"

    with shell.telling(progress), Control() as control:
        try:
            for step in training.steps(control):
                steps.append(step)
                if store is not None:
                    for pupil in pupils:
                        pupil.keep(store)
                    done = training.played
        except KeyboardInterrupt:
            interrupted = True
            training.cancel()
    return steps, interrupted


RESULTS = ("won", "tied", "lost", "resigned")


def _sums(steps: list[Stretch]) -> dict[str, int]:
    return {key: sum(getattr(step, key) for step in steps) for key in RESULTS}


def _training_json(
    training: Training, steps: list[Stretch], save: str | None, measured: dict[str, Shares]
) -> dict[str, Any]:
    from arcade.engines.menace.archive import first_json

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


def _measured(machine: AnyMachine) -> dict[str, Shares]:
    from arcade.engines.menace.chances import shares
    from arcade.engines.menace.opponents import PERFECT, RANDOM

    return {str(opponent): shares(machine, opponent) for opponent in (RANDOM, PERFECT)}


def _print_training(training: Training, steps: list[Stretch], measured: dict[str, Shares]) -> None:
    machine = training.machine
    sums = _sums(steps)
    out(f"{amount(training.played, 'game')} against {training.opponent}, seed {training.seed}")
    played = max(1, training.played)
    # A step may be a single game, whose shares would say little.
    tail = steps[-max(1, 10 // max(1, steps[0].played)) :] if steps else []
    last, latest = _sums(tail), max(1, sum(step.played for step in tail))
    for key in ("won", "tied", "lost"):
        out(f"  {key:<5}{sums[key] / played:7.1%}   at the end {last[key] / latest:7.1%}")
    for box in machine.boxes.first:
        out(f"first box {box.position.text()}: {_beads_text(box, machine.beads[box.index])}")
    for name, shares in measured.items():
        out(f"now, against {name}: wins {shares.win:.1%}, ties {shares.tie:.1%}, loses {shares.loss:.1%}")


def _beads_text(box: Box[Any, Any], word: int) -> str:
    return ", ".join(f"{move} {count}" for move, count in box.counts(word).items())


@shell.command(app)
def boxes(
    name: str | None = None,
    box_set: str | None = None,
    beads: str | None = None,
    every: bool | None = None,
    second: bool | None = None,
    game: str | None = None,
    preset: str | None = None,
    as_json: bool = False,
) -> None:
    from arcade.engines.menace.box import total
    from arcade.engines.menace.machine import Machine

    setup = TrainOptions(beads=beads, boxes=box_set, every=every, second=second, game=game, preset=preset)
    if name is None:
        with shell.telling(lambda: FILLING):
            machine: AnyMachine = Machine("fresh", setup.options(None))
    else:
        machine = _load(name)
        with shell.telling(lambda: FILLING):
            asked: AnyMachine = Machine("asked", setup.options(machine.options))
        if asked.options != machine.options:
            raise InputError(f"The saved machine {name} has other options; leave them out to see its boxes.")
    boxes = machine.boxes.boxes
    if as_json:
        print_json({"boxes": [_box_json(machine, box) for box in boxes]})
        return
    for box in boxes:
        out(f"{box.stage} {box.position.text()}  {_beads_text(box, machine.beads[box.index])}")
    beads_in_all = sum(total(word) for word in machine.beads)
    say(f"{amount(len(boxes), 'box', 'boxes')} with {amount(beads_in_all, 'bead')}.")


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


@shell.command(app)
def show(name: str, board: str, as_json: bool = False) -> None:
    from arcade.engines.menace.box import count, total

    machine = _load(name)
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
    shell.answer(as_json, shown, *_opening_lines(shown))


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


@shell.command(app, "export")
def export_machine(name: str, file: str, force: bool = False, as_json: bool = False) -> None:
    from arcade.engines.menace.archive import to_json

    text = to_json(_load(name))
    if file == "-":
        shell.out_text(text)
        return
    shell.write_file(file, text, force)
    shell.answer(as_json, {"machine": name, "file": file}, said=f"Wrote {name} to {file}.")


@shell.command(app, "import")
def import_machine(file: str, name: str | None = None, force: bool = False, as_json: bool = False) -> None:
    from arcade.engines.menace.archive import from_json, to_json

    text = read_text(None if file == "-" else file)
    try:
        with shell.telling(lambda: FILLING):
            machine = from_json(text)
    except InputError as error:
        raise InputError(f"The file {file!r} cannot be used: {error}") from None
    if name is not None:
        machine.name = name
    _check_name(machine)
    written = to_json(machine)
    with kept_store() as store:
        before = store.machines(machine.name).get(machine.name)
        if before not in (None, written) and not force:
            raise InputError(
                f"There is already a machine {machine.name}; --name saves this one under another name, "
                "--force replaces that one."
            )
        if before != written:
            store.save_machine(machine.name, written)
    played = f"which has played {amount(machine.games, 'game')}"
    there = f"{machine.name}, {played}, is there already."
    said = there if before == written else f"Imported {machine.name}, {played}."
    shell.answer(as_json, _machine_json(machine), said=said)


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


@shell.command(app, "list")
def list_machines(as_json: bool = False) -> None:
    from arcade.play.machines import BUILT_IN

    kept: list[dict[str, Any]] = []
    with kept_machines() as machines, shell.telling(lambda: FILLING):
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
            out(f"{machine['name']}: damaged: {machine['error']}")
            continue
        refuses = ", refuses to play" if machine["refuses"] else ""
        boxes = amount(machine["boxes"], "box", "boxes")
        out(
            f"{machine['name']}: {machine['id']}, moves {machine['turn']}, {boxes}, "
            f"{amount(machine['games'], 'game')}{refuses}"
        )
    if not kept:
        fresh = listed([machine.name for machine in BUILT_IN])
        say(f"No machine is saved yet; {fresh} have fresh beads. arcade menace train --save NAME makes one.")


@shell.command(app)
def delete(name: str, as_json: bool = False) -> None:
    from arcade.play.machines import built_in

    with kept_store() as store:
        if built_in(name) and name not in store.machine_names():
            raise InputError(f"{name} has learned nothing yet, so there is nothing to delete.")
        store.delete_machine(name)
    shell.answer(as_json, {"deleted": name}, said=f"Deleted {name}.")
