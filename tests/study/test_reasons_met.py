"""Where a person meets reasons: a mistake, a hint, a puzzle, the records, the shell, the library."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

import arcade
from arcade.engines.control import Control
from arcade.engines.reasons import OUT_OF_TIME
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import Value
from arcade.play.match import HUMAN, Match
from arcade.play.mistakes import is_nearly_lost
from arcade.play.sentences import full_fault_sentence
from arcade.store.record import MatchRecord
from arcade.store.store import Store
from arcade.study.puzzle_generator import PuzzleGenerator
from arcade.study.puzzles import PuzzleAttempt
from arcade.study.statistics import missed, sections, statistics
from tests.narrow import present
from tests.play.front import Front, front_of
from tests.shell import Shell

CHOCOBAR = get_game("chocobar")


def test_mistake_gets_its_rule_and_reason() -> None:
    front = front_of("chocobar:2x2", HUMAN, "random").play("1,2")
    ply = front.session.match.line[0]
    assert ply.rule in {rule.id for rule in CHOCOBAR.explanations.rules}
    assert ply.reason == "Second can reply with (2,1), which leaves First only the poison."
    told = (
        "Your move gave away the win. Your opponent replied with (2,1), which leaves you only the poison."
        " Rule: Only the poison. One row or column left? Bite everything except the poison."
    )
    assert full_fault_sentence(front.session.match, 0) == told


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No reason is found in time, except where it is known already."""
    monkeypatch.setattr("arcade.engines.reasons.MAX_SECONDS", 0)
    monkeypatch.setattr(CHOCOBAR.explanations.reasons, "_nodes", {})


def test_reason_search_reports_running_out_of_time(hurried: None, shell: Shell) -> None:
    board = "chocobar:5x5:5.5.3.3"
    assert shell.json("hint", board)["why"].endswith(OUT_OF_TIME)
    front = front_of(board, HUMAN, "random")
    for _ in range(3):
        front.session.do("hint")
        front.settle()
    assert present(front.session.state.hint).why.endswith(OUT_OF_TIME)
    front.play("1,5")
    assert front.session.match.line[0].reason == OUT_OF_TIME
    assert full_fault_sentence(front.session.match, 0).endswith(OUT_OF_TIME)


def test_timed_out_reason_search_is_repeated(hurried: None, monkeypatch: pytest.MonkeyPatch) -> None:
    match = front_of("chocobar:2x2", HUMAN, "random").play("1,2").session.match
    monkeypatch.undo()
    again = Front(Match.from_record(match.record()))
    again.session.judge()
    again.settle()
    ply = again.session.match.line[0]
    assert ply.rule
    assert ply.reason not in ("", OUT_OF_TIME)


def test_reasons_are_saved_with_the_match() -> None:
    match = front_of("chocobar:2x2", HUMAN, "random").play("1,2").session.match
    again = Match.from_record(MatchRecord.from_json(match.record().to_json()))
    assert [(ply.rule, ply.reason) for ply in again.line] == [(ply.rule, ply.reason) for ply in match.line]


def test_records_show_missed_rules() -> None:
    record = front_of("chocobar:2x2", HUMAN, "random").play("1,2").session.match.record()
    assert record.result is not None
    store = Store.in_memory()
    for seed in range(2):
        store.save_match(replace(record, seed=seed), None)
    # A record that names no board is left out.
    store.save_match(replace(record, start="chocobar:99x99"), None)
    found = missed(store, CHOCOBAR)
    assert found.mistakes == 2
    ((rule, number),) = found.rules
    assert (rule.id, number) == (record.rules[0], 2)
    records = next(one for one in statistics(store) if one.game == "chocobar")
    assert (rule.motto, "2 of 2") in sections(records)[-1].rows
    assert records.json()["missed"] == {"mistakes": 2, "rules": {rule.id: 2}}


@pytest.mark.parametrize(
    ("bar", "bite", "lines"), [("6.5.4.2", "(3,1)", "rows"), ("4.4.3.3.2.1", "(1,3)", "columns")]
)
def test_hint_line_leads_to_its_reason(bar: str, bite: str, lines: str) -> None:
    position = arcade.load(f"chocobar:6x6:{bar}")
    hint = arcade.hint(position)
    assert hint is not None
    assert hint.reason == 1
    assert (str(hint.move), hint.why.removeprefix("Then o")) == (bite, hint.there.removeprefix("O"))
    assert hint.motto == "One apart. Leave two rows or columns that differ by one square."
    after = position.play(hint.line[0])
    assert CHOCOBAR.explanations.reasons.first_match(after, Value.LOSS)
    assert hint.there == (
        f"Only two {lines} are left, with 6 and 5 squares. Second must bite next and will lose: "
        f"after every bite, First can make the {lines} differ by one square again."
    )


@pytest.mark.parametrize("seed", range(5))
def test_rule_practice_uses_that_rule(seed: int) -> None:
    with Control(60) as control:
        puzzle = PuzzleGenerator(CHOCOBAR, "two-rows").make(seed, control)
        assert puzzle is not None
        why = CHOCOBAR.explanations.reasons.why(puzzle.start, control, moved=True)
    assert why is not None
    assert why.rule is not None
    here = CHOCOBAR.explanations.reasons.first_match(puzzle.start, Value.WIN)
    assert "two-rows" in (why.rule.id, here and here[0].id)
    assert why.line[0] == puzzle.steps[0].move


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "tetromino", "menace"])
def test_wrong_answer_is_refuted_by_the_named_opponents_reply(name: str) -> None:
    game = get_game(name)
    with Control(60) as control:
        puzzle = PuzzleGenerator(game).make(1, control, 1)
        assert puzzle is not None
        attempt = PuzzleAttempt(puzzle)
        step = attempt.step
        other = game.sides[1 - step.position.turn]
        for wrong in [move for move in step.position.moves() if move != step.move][:20]:
            attempt.play(wrong)
            refuted = attempt.refute(control)
            after = step.position.play(wrong)
            if after.outcome() is not None:
                assert not refuted.line
                continue
            kept = game.solver.verdict(after.play(refuted.line[0]), control)
            assert kept.before_move().value is game.solver.verdict(after, control).value
            assert refuted.says.startswith(f"{other} can reply with {refuted.line[0]}")
            assert "Better" not in refuted.says


def test_why_command_output_can_be_verified(shell: Shell) -> None:
    found = shell.json("why", "chocobar:5x6")
    assert list(found) == ["verdict", "distance", "line", "rule", "position", "value", "says"]
    assert (found["verdict"]["value"], found["distance"], found["rule"]) == ("win", 0, "rectangle")
    found = shell.json("why", "chocobar:5x6", "--moves", "2,2 1,5")
    position = arcade.load("chocobar:5x6", "2,2 1,5 " + " ".join(found["line"]))
    assert found["distance"] == len(found["line"])
    there = parse_game_id(found["position"]).start()
    assert there == position
    with Control() as control:
        assert CHOCOBAR.solver.verdict(there, control).value == found["value"]


def test_why_command_explains_finished_game(shell: Shell) -> None:
    found = shell.json("why", "chocobar:2x2:1")
    assert (found["distance"], found["rule"], found["line"]) == (0, "end", [])


def test_why_command_without_time_reports_no_reason(shell: Shell) -> None:
    found = shell.json("why", "hexapawn:8x8", "--seconds", "0")
    assert (found["verdict"]["proof"], found["distance"]) == ("unknown", None)
    assert found["says"] == "No explanation found in time."


def test_game_without_rules_of_thumb_is_refused(shell: Shell) -> None:
    assert "has no rules of thumb" in shell.refused("why", "honshu:9x6#1")
    assert "has no rules of thumb" in shell.refused("rules", "honshu")


def test_rules_command_lists_rules_with_evidence(shell: Shell) -> None:
    found = shell.json("rules", "chocobar")
    keys = ["id", "name", "headline", "premise", "says", "value", "proved", "proof"]
    assert all(list(rule) == [*keys, "boards", "holds", "exceptions"] for rule in found)
    shown = [rule for rule in CHOCOBAR.explanations.rules if rule.shown]
    assert [rule["id"] for rule in found] == [rule.id for rule in shown]
    said, _ = shell("rules", "chocobar")
    told = said.splitlines()
    for rule in found:
        at = told.index(f"{rule['name']}. {rule['headline']}")
        assert told[at + 1].startswith(f"    {rule['says']} (")
        proof = [f"    Proof: {rule['proof']}"] if rule["proof"] else []
        assert told[at + 2 :][: len(proof)] == proof


def test_rules_command_prints_the_common_premise_once(shell: Shell) -> None:
    rules = get_game("tetromino").explanations.rules
    (premise,) = {rule.premise for rule in rules}
    said, _ = shell("rules", "tetromino")
    assert said.startswith(f"{premise}\n\n{rules[0].motto}\n")
    assert said.count(premise) == 1


def test_library_explains_position_value() -> None:
    position = arcade.load("chocobar:3x3:3.3")
    why = arcade.why(position)
    assert why is not None
    assert (why.value, why.distance, why.position) == ("win", 0, position)
    assert arcade.why(arcade.load("honshu:9x6#1")) is None


def test_hopeless_opening_mistake_is_described_as_hard() -> None:
    front = front_of("chocobar:5x6", HUMAN, "perfect").play("5,6")
    match = front.session.match
    said = full_fault_sentence(match, 0)
    assert said == "Your move gave away the win. Only 1 of 29 moves kept it."
    assert is_nearly_lost(match, 0)
    assert not is_nearly_lost(front_of("chocobar:2x2", HUMAN, "random").play("1,2").session.match, 0)


@pytest.mark.parametrize("board", ["hexapawn:4x4", "hexapawn:4x4:pp.p/..p./...P/PPP.:w"])
def test_no_reply_delays_the_reason_beyond_the_shown_line(board: str) -> None:
    parsed = parse_game_id(board)
    reasons, start = parsed.game.explanations.reasons, parsed.start()
    with Control(60) as control:
        why = present(reasons.explain(start, control, moved=True))
        assert len(why.line) > 2
        move, answer, reply = why.line[:3]
        assert why.sentence().startswith(
            f"White plays {move}. Every answer loses. "
            f"For example, if Black answers with {answer}, White plays {reply}"
        )
        after = start.play(move)
        for answer in after.moves():
            assert present(reasons.explain(after.play(answer), control)).distance <= why.distance - 2


@pytest.mark.parametrize(
    ("board", "says"),
    [
        (
            "chocobar:5x5:5.5.3.3",
            "First plays (3,3). Every answer loses. For example, if Second answers with (2,4), First plays "
            "(4,1). If Second plays (1,5) next, First plays (3,1). Then only two rows are left, with 4 and 3 "
            "squares. Second must bite next and will lose: after every bite, First can make the rows differ "
            "by one square again.",
        ),
        (
            "chocobar:5x5:5.5.2.2",
            "Every move loses. For example, if First plays (2,4), Second plays (4,1). If First plays (1,5) "
            "next, Second plays (3,1). Then only two rows are left, with 4 and 3 squares. First must bite "
            "next and will lose: after every bite, Second can make the rows differ by one square again.",
        ),
        # Stored lines.
        (
            "hexapawn:5x5",
            "White plays c2. Every answer loses. No rule of thumb explains this position: the solver proved "
            "it by search.",
        ),
        (
            "tetromino:5x6:...../...../...../...../...../####.:LOST-ILOST:2",
            "Second plays L1@c4. Every answer loses. For example, if First answers with L3@b4, Second can "
            "play I2@e5, which blocks every spot that First has left.",
        ),
    ],
)
def test_reason_spells_out_the_moves_to_its_rule(board: str, says: str) -> None:
    parsed = parse_game_id(board)
    with Control(60) as control:
        assert present(parsed.game.explanations.reasons.why(parsed.start(), control)).sentence() == says


def test_hint_says_you_except_in_json(shell: Shell) -> None:
    position = "chocobar:3x5:5.5.2"
    assert "after every bite, you can make the rows differ" in shell("hint", position)[0]
    assert "after every bite, First can make the rows differ" in shell.json("hint", position)["why"]


def test_hint_names_a_rule_that_applies_later(shell: Shell) -> None:
    said = shell("hint", "hexapawn:4x5", "--moves", "b2 e3")[0]
    assert (
        "No rule of thumb explains this position: the solver proved it by search. The rule “Corner them” "
        "applies later in the line, after cxd2.\nRule for Black (applies later): Corner them. "
    ) in said
    assert "Best line: a2 d3 a3 bxa3 bxa3 c3 d2 cxd2 " in said


def test_line_of_a_hint_plays_a_move_that_its_reason_names() -> None:
    start, rng, seen = parse_game_id("menace"), random.Random(0), 0
    with Control(60) as control:
        for _ in range(30):
            position = start.start()
            for _ in range(3):
                if position.outcome() is None:
                    position = position.play(rng.choice(position.moves()))
            hint = start.game.explanations.hint(position, control)
            named = re.search(r" can play (.+?)(?:, which|\.)", hint.why) if hint and hint.reason else None
            if hint and named:
                seen += 1
                assert str(hint.line[hint.reason]) in named[1].replace(",", "").split()
    assert seen


def test_hidden_rule_is_used_only_with_the_all_option(shell: Shell) -> None:
    hidden = [rule for rule in CHOCOBAR.explanations.rules if not rule.shown][-1]
    position = "chocobar:7x8:8.8.8.8.8.7.6"
    assert hidden.match(parse_game_id(position).start()) is not None
    assert shell.json("why", position)["rule"] != hidden.id
    assert shell.json("why", position, "--all")["rule"] == hidden.id
    assert CHOCOBAR.explanations.shown_rule(hidden.id) is None
    assert f"{hidden.motto}\n" not in shell("rules", "chocobar")[0]
    assert f"{hidden.motto}\n" in shell("rules", "chocobar", "--all")[0]
