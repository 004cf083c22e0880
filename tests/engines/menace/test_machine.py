import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace import box as beads
from arcade.engines.menace import box as matchbox
from arcade.engines.menace.archive import from_json, to_json
from arcade.engines.menace.box import BoxSet
from arcade.engines.menace.game import GAME
from arcade.engines.menace.machine import (
    EMPTY_BOX,
    Machine,
    Options,
    Overflow,
    check_name,
    parse_first_beads,
    parse_numbers,
)
from arcade.engines.menace.opponents import RANDOM
from arcade.engines.menace.players import MachinePlayer, TrainedPlayer
from arcade.engines.menace.presets import PRESETS
from arcade.engines.menace.rules import Cell, TicTacToe
from arcade.engines.menace.training import Training
from arcade.engines.position import Outcome
from arcade.engines.registry import game_names
from benchmarks.training_by_hand import SplitMix64, play_game
from tests.narrow import present
from tests.refusals import refused

WON, TIED, LOST = Outcome(0, "a line"), Outcome(None, "full"), Outcome(1, "a line")
START = GAME.new({})


def new(**options: Any) -> Machine[TicTacToe, Cell]:
    return Machine("bob", Options(**options))


def at(board: str) -> TicTacToe:
    return GAME.parse_position(board)


def test_draw_reports_beads_move_and_symmetry() -> None:
    machine = new()
    draw = present(machine.draw(START, SplitMix64(1)))
    assert beads.unpack(draw.word) == (4, 4, 0, 0, 4, 0, 0, 0, 0)
    assert (draw.count, draw.total) == (4, 12)
    turned: Any = machine.draw(at("..O...X.."), SplitMix64(1))
    assert turned.opening.symmetry.name != "as it is"
    assert turned.move in at("..O...X..").moves()
    assert turned.opening.symmetry.position(turned.position) == turned.opening.box.position


def test_beads_are_drawn_in_proportion_to_their_number() -> None:
    machine = new()
    machine.beads[0] = beads.pack({0: 1, 1: 10, 4: 89})
    source = SplitMix64(4)
    drawn = Counter(draw.move.index for _ in range(20_000) if (draw := machine.draw(START, source)))
    for cell, chance in ((0, 0.01), (1, 0.1), (4, 0.89)):
        assert drawn[cell] / 20_000 == pytest.approx(chance, abs=0.01)


@pytest.mark.parametrize(("outcome", "change"), [(WON, 3), (TIED, 1), (LOST, -1)])
def test_exactly_the_opened_boxes_get_the_reward(outcome: Outcome, change: int) -> None:
    machine = new()
    moves = [Cell(4), Cell(0), Cell(8), Cell(2)]
    draws = machine.retrace(START, moves)
    assert [draw.move for draw in draws] == [Cell(4), Cell(8)]
    before = machine.beads[:]
    changes = machine.learn(draws, outcome)
    assert [each.change for each in changes] == [change, change]
    assert sum(one != other for one, other in zip(before, machine.beads, strict=True)) == 2
    assert machine.games == 1


def test_retracing_an_illegal_move_raises_value_error() -> None:
    machine = new()
    for moves in ([Cell(4), Cell(4)], [Cell(4), Cell(0), Cell(0)]):
        with pytest.raises(ValueError, match="is taken"):
            machine.retrace(START, moves)


def test_symmetric_moves_share_a_bead() -> None:
    machine = new()
    machine.learn(machine.retrace(START, [Cell(8)]), WON)
    assert beads.unpack(machine.beads[0])[:5] == (7, 4, 0, 0, 4)


def test_bead_counts_stay_between_0_and_127() -> None:
    machine = new(rewards=(100, 1, -100))
    draws = machine.retrace(START, [Cell(4)])
    assert [each.change for each in machine.learn(draws, LOST)] == [-4]
    assert [each.change for each in machine.learn(draws, WON)] == [100]
    assert [each.change for each in machine.learn(draws, WON)] == [27]


def test_halving_keeps_the_proportions() -> None:
    machine = new(overflow=Overflow.HALVE)
    for first, after in ((126, (66, 1, 0, 0, 32)), (124, (127, 1, 0, 0, 63))):
        machine.beads[0] = beads.pack({0: first, 1: 1, 4: 63})
        machine.learn(machine.retrace(START, [Cell(0)]), WON)
        assert beads.unpack(machine.beads[0])[:5] == after


def test_last_only_option_changes_only_the_last_box() -> None:
    machine = new(last_only=True)
    changes = machine.learn(machine.retrace(START, [Cell(4), Cell(0), Cell(8)]), LOST)
    assert [change.draw.move for change in changes] == [Cell(8)]


def test_machine_with_empty_box_resigns() -> None:
    player = MachinePlayer(new())
    player.machine.beads[0] = 0
    assert player.choose(START, random.Random(1), Control()) is None
    assert player.machine.refuses
    assert player.machine.learn([], Outcome(1, EMPTY_BOX), resigned=True) == []
    assert (player.machine.lost, player.machine.resigned) == (1, 1)


def test_forced_move_without_a_box_is_played() -> None:
    machine = new(box_set=BoxSet.NOT_LOST)
    forced: Any = machine.draw(at("XOXOOX.XO"), SplitMix64(1))
    assert (forced.opening, forced.count, forced.total, forced.move) == (None, 1, 1, Cell(6))
    assert machine.learn([forced], WON) == []


def test_move_by_move_play_records_the_whole_game() -> None:
    machine = new()
    played = play_game(machine, RANDOM, SplitMix64(3))
    position = played.start
    for move in played.moves:
        position = position.play(move)
    assert position.outcome() == played.outcome
    assert [draw.move for draw in played.draws] == played.moves[::2]
    assert all(change.before + change.change == change.after for change in played.changes)


def test_trained_player_wins_more_than_fresh_player() -> None:
    def wins(thousands: int) -> int:
        player, rng, won = TrainedPlayer(GAME, thousands), random.Random(1), 0
        for _ in range(200):
            position = START
            while (outcome := position.outcome()) is None:
                moves = position.moves()
                move = player.choose(position, rng, Control()) if position.turn else rng.choice(moves)
                if move is None:
                    break
                position = position.play(move)
            won += outcome is not None and outcome.winner == 1
        return won

    assert wins(20) > wins(0) + 50


def test_trained_player_trains_one_machine_for_each_side() -> None:
    player, rng = TrainedPlayer(GAME, 2), random.Random(1)
    with Control() as control:
        first = present(player.choose(START, rng, control))
        player.choose(START.play(first), rng, control)
    assert {seat: machine.options.seat for seat, machine in player._machines.items()} == {0: 0, 1: 1}
    assert [machine.games for machine in player._machines.values()] == [2000, 2000]


def test_presets_create_playable_machines() -> None:
    for preset in PRESETS:
        if preset.options.game in game_names():
            machine: Machine[Any, Any] = Machine(preset.name, preset.options)
            assert machine.boxes.boxes
            assert not machine.refuses


@pytest.mark.parametrize(
    "bad",
    [
        {"first_beads": ()},
        {"first_beads": (0,)},
        {"first_beads": (128,)},
        {"first_beads": (1,) * 33},
        {"rewards": (128, 0, 0)},
        {"seat": 2},
        {"game": "nonsense"},
        {"parameters": "3x3"},
    ],
)
def test_invalid_machine_options_are_refused(bad: dict[str, Any]) -> None:
    refused(r"^[A-Z].*\.$", new, **bad)


def test_invalid_bead_numbers_and_machine_names_are_refused() -> None:
    assert parse_first_beads("scroggs") == (8, 4, 2, 1)
    assert parse_numbers(" 3, 1,-1", "the rewards", "3,1,-1") == (3, 1, -1)
    for bad in ("", "1,,2", "x", "1.5", "9" * 30):
        refused("whole number", parse_numbers, bad, "the rewards", "3,1,-1")
    assert check_name("Bob_2-x", "menace") == "Bob_2-x"
    for bad in ("", "2bob", "a b", "a" * 41, "human", "perfect", "matchboxes", "a,b", "ä"):
        refused(r"^(The m|A m)achine.*\.$", check_name, bad, "menace")


@cache
def example() -> str:
    machine: Machine[Any, Any] = Machine("bob", Options(first_beads=(8, 4, 2, 1), overflow=Overflow.HALVE))
    Training(machine, RANDOM, 300, 1, 100).run(Control())
    return to_json(machine)


def same(one: Machine[Any, Any], other: Machine[Any, Any]) -> bool:
    return vars(one) == vars(other)


@settings(max_examples=8, deadline=None)
@given(
    st.sampled_from(BoxSet),
    st.booleans(),
    st.integers(0, 1),
    st.lists(st.integers(1, 127), min_size=1, max_size=5),
    st.sampled_from(Overflow),
    st.booleans(),
    st.integers(0, 300),
)
def test_machine_json_round_trips(
    box_set: BoxSet, distinct: bool, seat: int, first: list[int], overflow: Overflow, last: bool, games: int
) -> None:
    options = Options(
        seat=seat,
        box_set=box_set,
        distinct=distinct,
        first_beads=tuple(first),
        overflow=overflow,
        last_only=last,
    )
    machine: Machine[Any, Any] = Machine("bob", options)
    Training(machine, RANDOM, games, 1, 50).run(Control())
    again = from_json(to_json(machine))
    assert same(again, machine)
    assert to_json(again) == to_json(machine)


def test_trained_machine_file_matches_its_recorded_hash() -> None:
    machine: Any = Machine("a")
    Training(machine, RANDOM, 1_000, 7).run(Control())
    written = sha256(to_json(machine).encode()).hexdigest()
    assert written == "33a4df824365609c3672d1730eb82219f37c1f4c4071a202b055f830d3e30019"


def test_machine_json_lists_beads_by_board_and_move() -> None:
    text = example()
    assert '    "X.O......": {"b3": ' in text
    assert json.loads(text)["beads"]["........."].keys() == {"a3", "b3", "b2"}
    assert len(text) < 40_000


Edit = Callable[[dict[str, Any]], object]

DAMAGE: list[tuple[Edit, str]] = [
    (lambda data: data.pop("format"), '"format" must be'),
    (lambda data: data.update(version=2), "version 2; this arcade reads version 1"),
    (lambda data: data.update(version=True), "version true"),
    (lambda data: data.pop("beads"), "beads is missing"),
    (lambda data: data.update(name="a b"), "name 'a b'"),
    (lambda data: data.update(name=7), "name must be text, not 7"),
    (lambda data: data.update(game="nonsense"), "Unknown game 'nonsense'"),
    (lambda data: data.update(game="menace:3x3"), "no parameters"),
    (lambda data: data.update(moves="third"), "moves must be one of first, second, not"),
    (lambda data: data.update(moves=[]), "moves must be one of first, second, not"),
    (lambda data: data.update(boxes="304"), "boxes must be one of all, choice, hope"),
    (lambda data: data.update({"distinct moves": 1}), "distinct_moves must be true or false, not 1"),
    (
        lambda data: data.update({"first beads": [4, 3.5]}),
        r"first_beads\[1\] must be a whole n",
    ),
    (lambda data: data.update({"first beads": []}), "1 to 32 numbers"),
    (lambda data: data["rewards"].update(win=1000), r"rewards\.win must be a whole number from -127 to 127"),
    (lambda data: data["rewards"].update(extra=1), 'rewards has an unknown field "extra"'),
    (lambda data: data.update(overflow="drop"), "overflow must be one of stop, halve"),
    (lambda data: data.update(won=-1), "won must be a whole number from 0 to"),
    (lambda data: data.update(won=float("nan")), "won must be a whole number, not NaN"),
    (lambda data: data.update(resigned=10_000), "resigned"),
    (lambda data: data["beads"].pop("X.O......"), '"X.O......" is missing from beads'),
    (lambda data: data["beads"]["X.O......"].pop("b3"), r'"b3" is missing from beads\["X.O......"\]'),
    (
        lambda data: data["beads"]["X.O......"].update(b3=128),
        r'beads\["X.O.*"\]\["b3"\] must .* 0 to 127, not 128',
    ),
    (
        lambda data: data["beads"]["X.O......"].update(b3="4"),
        r'beads\["X.O.*"\]\["b3"\] must .*, not "4"',
    ),
    (lambda data: data["beads"]["X.O......"].update(a3=1), r'"a3" is not known in beads\["X.O......"\]'),
    (lambda data: data["beads"].update(x={}), '"x" is not known in beads'),
    (lambda data: data.update(beads=[]), "beads must be an object"),
    (lambda data: data.update(history={}), "history must be a list"),
    (lambda data: data["history"].append(3), r"history\[3\] must be an object, not 3"),
    (lambda data: data["history"][1].update(won=10**6), r"the games of history\[1\] do not add up"),
    (lambda data: data["history"][1].update(opponent="a\nb"), r"history\[1\]\.opponent must be printable"),
    (lambda data: data["history"][1].update(opponent="a b"), r"history\[1\]\.opponent must be the name of"),
    (lambda data: data["history"][2].update(games=10**6), r"the games of history\[2\] do not add up"),
    (lambda data: data["history"][1].update(games=199), r"the games of history\[1\] do not add up"),
    (lambda data: data["history"][2]["first"].clear(), r"is missing from history\[2\].first"),
    (lambda data: data.update(extra=1), 'it has an unknown field "extra"'),
]


@pytest.mark.parametrize(("edit", "says"), DAMAGE)
def test_damaged_json_is_refused_with_the_place(edit: Edit, says: str) -> None:
    data = json.loads(example())
    edit(data)
    with pytest.raises(InputError, match=says) as caught:
        from_json(json.dumps(data))
    message = str(caught.value)
    assert message[0].isupper() or message[0] == '"'
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("boxes", list(BoxSet))
def test_boxes_of_wrong_size_are_refused_without_exploring_game(
    seat: str, boxes: BoxSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hexapawn 8x8 has more positions than anybody could go through."""
    data = json.loads(to_json(Machine("alice", Options("hexapawn", "3x3", 1, BoxSet.ALL))))
    data.update(game="hexapawn:8x8", moves=seat, boxes=boxes)

    def gone_through(*arguments: Any) -> Any:
        pytest.fail("the game was gone through")

    monkeypatch.setattr(matchbox, "position_graph", gone_through)
    refused(r'^The machine cannot be read: "pp.* is missing from beads\.$', from_json, json.dumps(data))


@pytest.mark.parametrize("boxes", list(BoxSet))
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("game", "parameters"),
    [("menace", ""), ("hexapawn", "3x3"), ("hexapawn", "3x3,misere"), ("hexapawn", "4x3")],
)
def test_unneeded_boxes_are_not_reported_missing(
    game: str, parameters: str, seat: int, boxes: BoxSet
) -> None:
    machine: Machine[Any, Any] = Machine("alice", Options(game, parameters, seat, boxes))
    assert to_json(from_json(to_json(machine))) == to_json(machine)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "[" * 100_000, "1" * 5000, '{"a": 1, "a": 2}', "\0", "{}" * 2_500_000],
    ids=["empty", "open", "list", "null", "deep", "number", "twice", "nul", "long"],
)
def test_text_that_is_not_a_machine_is_refused(text: str) -> None:
    refused(r"^The machine cannot be read: .*\.$", from_json, text)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_altered_json_is_refused_or_gives_sound_machine(data: st.DataObject) -> None:
    """Any cut is refused; any changed character is refused or gives a machine that is sound."""
    text = example()
    cut = data.draw(st.integers(0, len(text) - 3))
    with pytest.raises(InputError):
        from_json(text[:cut])
    where = data.draw(st.integers(0, len(text) - 1))
    changed = text[:where] + data.draw(st.characters(codec="ascii")) + text[where + 1 :]
    try:
        machine = from_json(changed)
    except InputError:
        return
    assert same(from_json(to_json(machine)), machine)
