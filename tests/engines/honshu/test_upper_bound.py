import json
import os
import random
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical195
from typer.testing import CliRunner

from arcade.commands.honshu import app
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.honshu import upper_bound as refuter
from arcade.engines.honshu.formula import UNLAID, Formula, cases, max_score
from arcade.engines.honshu.game import GAME, load
from arcade.engines.honshu.rules import VARIANTS, HonshuPosition, parse_position
from arcade.engines.honshu.solver import HonshuSolver
from arcade.engines.honshu.upper_bound import Fact, Limit, UpperBoundProof, facts, key
from arcade.engines.verdict import Proof, ScoreVerdict
from arcade.engines.workers import LocalPool
from tests.engines.honshu.drat import Checker
from tests.engines.honshu.oracle import brute_force, final_score, random_layout
from tests.engines.honshu.replay import Replay
from tests.narrow import present, score
from tests.waiting import wait_for
from tools import honshu_cnf

GAMES = Path(__file__).parents[2] / "data" / "honshu"


def dealt(parameters: str, seed: int) -> HonshuPosition:
    return GAME.new(GAME.parameters.parse(parameters), seed)


def fact_of(name: str) -> Fact:
    return next(fact for fact in facts().values() if fact.name == name)


def possible(position: HonshuPosition, loss: int, complete: bool = False) -> bool:
    return any(
        refuter.solve(Formula(position, loss, case))[0] is not None
        for case in cases(position, loss)
        if not (complete and case == UNLAID)
    )


@pytest.mark.parametrize("number", range(12))
def test_optimum_matches_brute_force(number: int) -> None:
    rng = random.Random(number)
    chosen = [name for name in VARIANTS if number and rng.random() < 0.6]
    start = dealt(",".join([f"5x{1 + number % 2}", *chosen]), number)
    if number % 3 == 0 and len(start.hand) > 1:
        start = start.play(rng.choice(start.moves()))
    loss = max_score(start) - brute_force(start)
    assert possible(start, loss)
    assert loss == 0 or not possible(start, loss - 1)


def test_blocks_beyond_board_capacity_count_as_loss() -> None:
    """30 plains could make 20 blocks; a board of 5x5 cells has 16."""
    start = parse_position("5,plains/0PPPPPP/1PPPPPP+2PPPPPP+3PPPPPP+4PPPPPP/")
    assert max_score(start) == 4 * 20
    for case in cases(start, 15):
        with Cadical195(bootstrap_with=Formula(start, 15, case).clauses) as solver:
            assert not solver.solve()


@pytest.mark.parametrize(("parameters", "seed"), [("5x1", 0), ("6x2", 1)])
def test_independent_encoding_gives_the_same_optimum(parameters: str, seed: int) -> None:
    start = dealt(parameters, seed)
    for loss in range(max_score(start) + 1):
        with Cadical195(bootstrap_with=Replay(start, max_score(start) - loss).clauses) as solver:
            other = solver.solve()
        assert possible(start, loss, complete=True) == other
        if other:
            return


@pytest.mark.parametrize("seed", range(3))
def test_formula_accepts_a_known_layout_only_up_to_its_score(seed: int) -> None:
    start = dealt("5x3", seed)
    end = random_layout(start, random.Random(seed))
    layout, best = list(end.laid), end.score.total
    own = max_score(start) - best

    def holds(loss: int) -> bool:
        for case in cases(start, loss):
            formula = Formula(start, loss, case)
            with Cadical195(bootstrap_with=formula.clauses) as solver:
                if solver.solve(formula.fixed(layout)):
                    return True
        return False

    assert holds(own)
    assert not holds(own - 1)
    for points in (best, best + 1):
        replay = Replay(start, points)
        with Cadical195(bootstrap_with=replay.clauses) as solver:
            assert solver.solve(replay.fixed(layout)) == (points == best)


def test_proofs_pass_an_independent_checker() -> None:
    start = dealt("5x2", 3)
    loss = max_score(start) - brute_force(start) - 1
    learned = 0
    for case in cases(start, loss):
        formula = Formula(start, loss, case)
        with Cadical195(bootstrap_with=formula.clauses, with_proof=True) as solver:
            assert not solver.solve()
            proof = solver.get_proof()
        learned += len(proof)
        assert Checker(formula.clauses).refutes(proof)
        # Without its last clauses, among them the limit of the loss, nothing is refuted.
        assert not Checker(formula.clauses[:-1]).refutes(proof)
    assert learned > 50


@pytest.mark.parametrize("below", [0, 1])
def test_exported_formulas_prove_exactly_the_optimum(
    below: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = brute_force(dealt("5x2", 3))
    monkeypatch.setattr("sys.argv", ["honshu_cnf", "honshu:5x2#3", str(best - below), str(tmp_path)])
    honshu_cnf.main()
    possible = []
    for file in tmp_path.iterdir():
        with Cadical195(bootstrap_with=CNF(from_file=str(file)).clauses) as solver:
            possible.append(solver.solve())
    assert any(possible) == bool(below)


def test_cancel_kills_the_worker_process(control: Control) -> None:
    hard = load(str(GAMES / "Partie1"))
    answers: list[object] = []
    thread = threading.Thread(target=lambda: answers.extend(refuter.ask(hard, 3, [0], control, LocalPool(1))))
    thread.start()
    wait_for(lambda: len(children()) == 1)
    (child,) = children()
    control.cancel()
    # Its formula takes hours.
    thread.join(30)
    assert not thread.is_alive()
    assert not answers
    assert child not in children()


def children() -> list[str]:
    found = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True
    )
    return [line for line in found.stdout.splitlines() if "engines.workers" in line]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time for replica exchange and exhaustive search, all is left to the SAT solver, in this process."""
    monkeypatch.setattr("arcade.engines.honshu.solver.LAYOUT_SECONDS", 0.0)
    monkeypatch.setattr("arcade.engines.workers.cores", lambda: 0)


@pytest.mark.usefixtures("hasty")
def test_interrupted_proof_resumes_from_saved_steps(tmp_path: Path) -> None:
    start = dealt("5x2", 3)
    whole = list(proved(start, tmp_path / "whole"))
    assert [each for each in whole if each.best == each.bound == brute_force(start)][-1:] == whole[-1:]
    steps = whole[-1].steps
    assert len(steps) > 3
    folder = tmp_path / "parts"
    for _ in range(len(steps) + 1):
        # Each run takes one step and is then dropped.
        going = proved(start, folder)
        next(going)
        proof = next(going, None)
        if proof is None:
            break
    again = list(proved(start, folder))[-1]
    assert [(step.loss, step.case) for step in again.steps] == [(step.loss, step.case) for step in steps]
    (file,) = folder.iterdir()
    file.write_text(file.read_text()[:-20])
    with pytest.raises(InputError, match=r"damaged\. Delete it"):
        list(proved(start, folder))
    assert list(proved(start, folder, recompute=True))[-1].bound == brute_force(start)


@pytest.mark.usefixtures("hasty")
def test_saved_proof_is_never_replaced_by_a_worse_one(tmp_path: Path) -> None:
    start = dealt("5x2", 3)
    whole = list(proved(start, tmp_path))[-1]
    (file,) = tmp_path.iterdir()
    text = file.read_text()
    # A new proof of everything is stopped after its first step.
    again = proved(start, tmp_path, recompute=True)
    next(again)
    next(again)
    assert file.read_text() == text
    # Another process has kept a better map; this one knows a worse one.
    low = UpperBoundProof(start, -1, (), whole.bound)
    while low.position.after(low.moves).outcome() is None:
        low.moves += (low.position.after(low.moves).moves()[0],)
    low.best = start.after(low.moves).score.total
    assert low.best < whole.best
    low.save(tmp_path)
    assert file.read_text() == text
    for field, wrong in (("moves", []), ("bound", low.best - 1)):
        file.write_text(json.dumps(json.loads(text) | {field: wrong}))
        with pytest.raises(InputError, match=r"damaged\. Delete it"):
            low.resume(tmp_path)


def proved(start: HonshuPosition, folder: Path, recompute: bool = False) -> Iterator[UpperBoundProof]:
    """Proofs by a new solver, which knows no better bound than what counting gives."""
    solver = HonshuSolver()
    yield from (replace(each) for each in solver.prove(start, folder, Control(), recompute))


def test_worse_bound_does_not_replace_a_better_bound() -> None:
    solver, start = HonshuSolver(), dealt("6x2", 1)
    for bound in (30, 20, 25):
        solver.lower(start, Limit(bound, "", ""))
    assert present(solver.limit(start)).bound == 20


def test_unwritable_proof_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="Cannot write"):
        UpperBoundProof(dealt("6x2", 1), 1, (), 40).save(tmp_path / "file" / "proofs")


def test_upper_bound_of_a_deal_holds_after_moves() -> None:
    solver, start = HonshuSolver(), dealt("9x12", 1)
    after = start.play(start.moves()[0])
    open_ended = ScoreVerdict(Proof.BOUND, best=70, bound=90)
    assert solver.with_known_bounds(after, open_ended) == open_ended
    solver.lower(start, Limit(80, "SAT proof", "10 formulas refuted"))
    sharp = solver.with_known_bounds(after, open_ended)
    assert (sharp.bound, sharp.reason, sharp.source) == (80, "SAT proof", "10 formulas refuted")
    assert sharp.proof is Proof.BOUND
    assert solver.with_known_bounds(after, ScoreVerdict(Proof.BOUND, best=80, bound=90)).proof is Proof.EXACT
    assert solver.with_known_bounds(after, ScoreVerdict(Proof.BOUND, best=70, bound=79)).bound == 79
    with Control(0.3) as control:
        verdict = score(solver.verdict(after, control))
    assert verdict.bound is not None
    assert verdict.bound <= 80


@pytest.mark.slow
def test_stored_facts_pass_quick_checks() -> None:
    assert {fact.name for fact in facts().values()} == {"Partie1", "Partie2"}
    for fact in facts().values():
        file = GAMES / fact.name
        start = load(str(file))
        assert key(start) == fact.game
        assert final_score(str(file), list(fact.moves)) == fact.best <= fact.bound < max_score(start)
        # A sample: the first steps, and of one game by the other encoding too.
        assert not possible(start, 0)
        if fact.name == "Partie1":
            with Cadical195(bootstrap_with=Replay(start, max_score(start)).clauses) as solver:
                assert not solver.solve()


def test_stored_game_is_answered_without_search() -> None:
    fact = fact_of("Partie2")
    start = load(str(GAMES / "Partie2"))
    with Control(30) as control:
        verdict = score(HonshuSolver().verdict(start, control))
    assert (verdict.best, verdict.bound, verdict.nodes) == (fact.best, fact.bound, 0)
    assert verdict.proof is Proof.EXACT
    assert verdict.reason == "stored result"
    command = verdict.source.removesuffix(" proves it again").split()
    assert command[:3] == ["arcade", "honshu", "prove"]
    assert key(parse_position(command[3])) == key(start)


@pytest.mark.usefixtures("hasty")
def test_prove_command_prints_steps_and_json() -> None:
    game = dealt("5x2", 3).text()
    plain = CliRunner().invoke(app, ["prove", game, "--recompute"])
    assert plain.exit_code == 0, plain.output
    lines = plain.stdout.splitlines()
    assert lines[-2] == "The best score is proved."
    assert all(": no layout with loss" in line or ": a layout" in line for line in lines[1:-2])
    told = json.loads(CliRunner().invoke(app, ["prove", game, "--json"]).stdout)
    assert set(told) == {"best", "bound", "proof", "moves", "steps"}
    assert (told["best"], told["bound"], told["proof"]) == (told["best"], told["best"], "exact")
    assert len(told["steps"]) == len(lines) - 3
    with pytest.raises(InputError):
        CliRunner().invoke(app, ["prove", "honshu:nonsense"], catch_exceptions=False)


def test_missing_sat_solver_error_explains_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refuter, "available", lambda: False)
    with Control() as control, pytest.raises(InputError, match=r"another solver: pip install"):
        next(refuter.ask(dealt("5x2", 3), 0, [0], control, LocalPool(0)))
