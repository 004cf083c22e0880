"""Chocobar's rules of play against all small bars."""

from __future__ import annotations

from arcade.engines.chocobar.reasons import RULES, TRAPS
from arcade.engines.chocobar.rules import Bar, Bite
from arcade.engines.reasons import BoardCount, evidence
from arcade.engines.registry import get_game
from arcade.engines.verdict import Value
from tests.engines.chocobar.brute import all_bars, remoteness
from tests.engines.explained import check_distances, mean_distances
from tools.reasons import bars, count, met, thin_bars

GAME = get_game("chocobar")


def test_stored_evidence_matches_recount_of_small_bars() -> None:
    total, holds, fails = count(RULES, bars(4, 5))
    assert not fails
    assert holds["equal-arms"] == 3
    kept = evidence("arcade.engines.chocobar")
    for rule in RULES:
        found = [each for each in kept[rule.id] if each.board == "within 4x5"]
        assert found == ([BoardCount("within 4x5", total, holds[rule.id], 0)] if holds[rule.id] else [])


def test_rules_have_no_exceptions_on_small_and_thin_bars() -> None:
    for judged in (bars(5, 6), thin_bars(16, 4)):
        _, holds, fails = count(RULES, judged)
        assert not fails
        assert holds["five-inside"]
    assert all(rule.proved for rule in GAME.explanations.rules)


def test_values_used_for_counting_match_brute_force() -> None:
    values = {position.text(): known for position, known in bars(4, 5)}
    for rows in all_bars(4, 5):
        expected = Value.WIN if remoteness(rows) % 2 else Value.LOSS
        assert values[Bar(rows).text()] is expected


def test_bites_named_by_rules_win() -> None:
    values = {position.text(): known for position, known in bars(5, 6)}
    named = 0
    for rule in RULES:
        if rule.id not in ("only-poison", "even-up", "bite-two-two"):
            continue
        for position, _ in bars(5, 6):
            assert isinstance(position, Bar)
            case = rule.match(position)
            if case is not None:
                ((row, column),) = case.squares
                assert case.moves == (str(Bite(row + 1, column + 1)),)
                assert values[position.play(Bite(row + 1, column + 1)).text().partition(":")[0]] is Value.LOSS
                named += 1
    assert named == 136


def test_even_up_rule_describes_resulting_shape() -> None:
    even_up = next(rule for rule in RULES if rule.id == "even-up")
    goals = set()
    for position, _ in bars(5, 6):
        assert isinstance(position, Bar)
        case = even_up.match(position)
        if case is None:
            continue
        ((row, column),) = case.squares
        left = position.play(Bite(row + 1, column + 1))
        goals.add(case.says.partition("), which ")[2])
        if "arms" in case.says:
            assert left.rows[0] == len(left.rows) > 1 == max(left.rows[1:])
    assert goals == {
        "makes the arms of the L equally long, and First can copy every bite.",
        "makes the rows differ by one square, and First can do so again after each bite by Second.",
        "makes the columns differ by one square, and First can do so again after each bite by Second.",
    }


def test_only_poison_rule_leaves_only_the_poison() -> None:
    rule = next(rule for rule in RULES if rule.id == "only-poison")
    for rows in [(2,), (9,), (1, 1), (1,) * 7]:
        case = rule.match(Bar(rows))
        assert case is not None
        ((row, column),) = case.squares
        assert Bar(rows).play(Bite(row + 1, column + 1)).rows == (1,)
    assert rule.match(Bar((1,))) is None
    assert rule.match(Bar((2, 1))) is None


def test_trap_counts_match_the_rules() -> None:
    for traps, number in ((TRAPS["one-notch"], 9), (TRAPS["two-notches"], 19)):
        different = {max(rows, Bar(rows).transposed().rows) for rows in traps}
        assert len(different) == number


def test_rules_apply_equally_to_transposed_bars() -> None:
    for rows in all_bars(5, 6):
        for rule in RULES:
            bar = Bar(rows)
            assert (rule.match(bar) is None) == (rule.match(bar.transposed()) is None)


def test_distances_on_demand_match_full_analysis() -> None:
    check_distances("chocobar:4x5")


def test_explanations_stay_short_on_small_bar() -> None:
    every, taught = mean_distances("chocobar:5x6", list(met("chocobar:5x6", games=20)))
    assert every <= 1
    assert taught <= 2.5
