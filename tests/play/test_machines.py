import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.menace import box as beads
from arcade.engines.menace.archive import MachineHeader, from_json, read_header, to_json
from arcade.engines.menace.machine import AnyMachine, Machine, Options
from arcade.engines.position import Outcome
from arcade.engines.registry import parse_game_id
from arcade.play.machines import Machines, Reward
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.sentences import result_sentence
from arcade.services import Services
from arcade.store.record import MatchRecord
from arcade.store.store import Store, open_store
from tests.narrow import present
from tests.refusals import refused


@pytest.fixture
def machines() -> Iterator[Machines]:
    made = Machines(Store.in_memory)
    yield made
    made.close()


def test_reward_sentence_mentions_halved_boxes() -> None:
    machine: AnyMachine = Machine("MENACE", Options())
    machine.beads[0] = beads.pack({0: 126, 1: 1, 4: 63})
    start = parse_game_id("menace").start()
    draws = machine.retrace(start, [start.moves()[0]])
    said = [Reward(0, machine, machine.learn(draws, Outcome(0, "a row"))).sentence() for _ in range(2)]
    assert said == ["MENACE halves 1 box, then adds 3 beads.", "MENACE adds 3 beads."]


def store_of(machines: Machines) -> Store:
    assert isinstance(machines.store, Store)
    return machines.store


def match_of(machines: Machines, *seats: str, text: str = "menace", seed: int = 0) -> Match:
    return new_match(parse_game_id(text), seats, machines, seed)


def play_on(match: Match, *moves: str) -> Match:
    """Play a person's moves, and the engines' between them, to the end."""
    waiting = list(moves)
    while match.player_to_move is not None:
        if match.player_to_move == HUMAN:
            match.play(match.game.parse_move(waiting.pop(0), match.position))
            continue
        move = match.player().choose(match.position, match.rng(), Control())
        if move is None:
            match.resign(match.turn)
        else:
            match.play(move)
    return match


def test_built_in_machine_name_covers_its_supported_seats(machines: Machines) -> None:
    for text, seat, kept in (
        ("menace", 0, "MENACE"),
        ("menace", 1, "MENACE-O"),
        ("hexapawn:3x3", 1, "HER"),
    ):
        start = parse_game_id(text)
        player = machines.invite("MENACE" if seat == 0 or text == "menace" else "HER", start.game,
                                 start.parameters, seat)  # fmt: skip
        assert player.machine.name == kept
    assert machines.names(parse_game_id("menace").game, 0) == ["MENACE"]
    assert machines.names(parse_game_id("hexapawn").game, 0) == []
    assert machines.names(parse_game_id("hexapawn").game, 1) == ["HER"]


def test_refused_seat_explains_the_reason(machines: Machines) -> None:
    machines.keep(Machine("Scroggs", Options(first_beads=(8, 4, 2, 1))))
    cases = [
        ("menace", ("human", "Scroggs"), r"plays only menace \(moving first\)"),
        ("hexapawn:3x3", ("Scroggs", "human"), "plays only menace"),
        ("hexapawn:5x5", ("human", "HER"), r"hexapawn:3x3 \(moving second\) or hexapawn:4x4"),
        ("menace", ("nobody", "human"), "MENACE, Scroggs"),
        ("chocobar:3x4", ("MENACE", "human"), r"menace \(moving first\)"),
    ]
    for text, seats, words in cases:
        refused(rf"^[A-Z].*{words}.*\.$", match_of, machines, *seats, text=text)
    refused("moving first", match_of(machines, "Scroggs", "human").set_player, 1, "Scroggs")


def test_machine_name_in_other_capitals_is_accepted_if_unique(machines: Machines) -> None:
    match = match_of(machines, "menace", HUMAN)
    assert match.seats == ["MENACE", HUMAN]
    match.set_player(0, "Menace")
    assert match.seats == ["MENACE", HUMAN]
    for name in ("Ann", "ANN"):
        machines.keep(Machine(name))
    assert match_of(machines, "ANN", HUMAN).seats == ["ANN", HUMAN]
    refused("Unknown player 'ann' of .* Did you mean A.* ANN, Ann", match_of, machines, "ann", HUMAN)
    refused("Unknown player 'Perfect' of .* Did you mean perfect", match_of, machines, "Perfect", HUMAN)


def test_damaged_machine_is_refused_and_unchanged(machines: Machines) -> None:
    machines.store.save_machine("Broken", '{"no": "machine"}')
    refused("damaged", match_of, machines, "Broken", "human")
    assert "Broken" not in machines.names(parse_game_id("menace").game, 0)
    assert machines.store.machines("Broken")["Broken"] == '{"no": "machine"}'
    refused("The machine Broken already exists", machines.check_new_name, "Broken", "menace")


def test_machine_learns_once_per_match(machines: Machines) -> None:
    match = play_on(match_of(machines, "MENACE", "random", seed=3))
    before = machines.load("MENACE")
    lesson, *others = machines.learn(match)
    assert not others
    assert before.games == 0
    assert lesson.machine.games == 1
    assert len(lesson.changes) == sum(ply.seat == 0 for ply in match.plies if ply.move) - (
        len(match.plies) == 9
    )
    reward = {0: 3, 1: -1, None: 1}[match.result.winner if match.result else 0]
    for change in lesson.changes:
        assert change.change == reward
        at = present(change.draw.opening).box.index
        assert beads.count(lesson.machine.beads[at], change.draw.slot) == change.after
    store_of(machines).save_match(match.record(), machines=machines.kept_text([lesson]))
    assert to_json(machines.load("MENACE")) == to_json(lesson.machine)
    match.taught = True
    assert machines.learn(match) == []
    assert machines.learn(match_of(machines, "MENACE", "random")) == []


def test_machine_does_not_learn_from_undone_moves(machines: Machines) -> None:
    """What was taken back teaches nothing."""
    match = match_of(machines, "MENACE", HUMAN, seed=2)

    def engine_moves() -> None:
        while match.player_to_move not in (HUMAN, None):
            match.play(match.player().choose(match.position, match.rng(), Control()))

    engine_moves()
    match.play(match.position.moves()[0])
    engine_moves()
    taken_back = match.moves[1:]
    match.undo()
    match.undo()
    while match.player_to_move is not None:
        match.play(match.position.moves()[-1])
        engine_moves()
    assert match.moves[1] != taken_back[0]
    (lesson,) = machines.learn(match)
    # The last square needs no box.
    assert [change.draw.move for change in lesson.changes] == match.moves[:8:2]


def test_machine_takes_only_seats_with_boxes(machines: Machines) -> None:
    machines.keep(Machine("bob"))
    menace, hexapawn = parse_game_id("menace"), parse_game_id("hexapawn:3x3")
    machines.check("bob", menace.game, menace.parameters, 0)
    refused("moving first", machines.check, "bob", menace.game, menace.parameters, 1)
    refused(
        r"bob cannot take this seat\. It plays only menace \(moving first\)\.",
        machines.check,
        "bob",
        hexapawn.game,
        hexapawn.parameters,
        0,
    )


def test_learning_uses_exactly_the_beads_drawn_during_a_match(machines: Machines) -> None:
    """The oracle is a machine that lives through the match and remembers its own draws."""
    for seed in range(30):
        machine: AnyMachine = Machine("MENACE")
        draws: list[Any] = []
        match = match_of(machines, "MENACE", "random", seed=seed)
        while match.player_to_move is not None:
            if match.player_to_move == "MENACE":
                draws.append(machine.draw(match.position, match.rng()))
                match.play(draws[-1].move)
            else:
                match.play(match.player().choose(match.position, match.rng(), Control()))
        drawn = [(draw.move, draw.slot, draw.count, draw.total) for draw in draws]
        machine.learn(draws, present(match.position.outcome()))
        (lesson,) = machines.learn(match)
        assert lesson.machine.beads == machine.beads
        shown = [
            (each.draw.move, each.draw.slot, each.draw.count, each.draw.total) for each in lesson.changes
        ]
        assert shown == drawn[: len(shown)]


O_WINS = "a3 b2 a2 b3 c3 b1"
X_WINS = "a3 b3 a2 b2 a1"


def kept(store: Store, moves: str, *seats: str, takebacks: int = 0) -> None:
    match = new_match(parse_game_id("menace"), seats, Machines(lambda: store))
    for move in moves.split():
        match.play(match.game.parse_move(move, match.position))
    store.save_match(replace(match.record(), takebacks=takebacks), None)


def test_challenge_requires_ten_unaided_wins_over_same_machine(services: Services) -> None:
    store, menace = services.store, parse_game_id("menace").game
    services.machines.keep(Machine("XMENACE"))
    for moves, *seats in (
        (X_WINS, "MENACE", HUMAN),
        (X_WINS, HUMAN, "MENACE"),
        (O_WINS, "XMENACE", HUMAN),
        (O_WINS, "beginner", HUMAN),
        ("a3 b2", "MENACE", HUMAN),
    ):
        kept(store, moves, *seats)
    kept(store, O_WINS, "MENACE", HUMAN, takebacks=1)
    assert Machines(lambda: store).challenge_wins(menace) == 0
    for count in range(1, 12):
        kept(store, O_WINS, "MENACE", HUMAN)
        assert services.challenge_wins(menace) == min(count, 10)
        assert services.stars(menace)[5:] == [count >= 10]


def test_machine_learns_only_from_beads_it_drew_itself(machines: Machines) -> None:
    match = match_of(machines, HUMAN, HUMAN)
    for move in ("b2", "a3"):
        match.play(match.game.parse_move(move))
    match.set_player(0, "MENACE")
    match.set_player(1, "random")
    play_on(match)
    (lesson,) = machines.learn(match)
    own = [ply.move for ply in match.line if ply.seat == 0]
    assert [change.draw.move for change in lesson.changes] == own[1:][: len(lesson.changes)]
    assert lesson.changes
    first = lesson.machine.boxes.first[0].index
    assert lesson.machine.beads[first] == machines.load("MENACE").beads[first]


def test_machine_without_drawn_beads_learns_nothing(machines: Machines) -> None:
    match = match_of(machines, HUMAN, HUMAN)
    for move in ("b2", "a3", "b1", "c3"):
        match.play(match.game.parse_move(move))
    match.set_player(0, "MENACE")
    match.resign(1)
    assert machines.learn(match) == []
    assert machines.load("MENACE").games == 0


def test_two_machines_learn_from_one_match(machines: Machines) -> None:
    lessons = machines.learn(play_on(match_of(machines, "MENACE", "MENACE", seed=1)))
    assert [each.machine.name for each in lessons] == ["MENACE", "MENACE-O"]
    assert (lessons[0].machine.won, lessons[0].machine.lost) == (
        lessons[1].machine.lost,
        lessons[1].machine.won,
    )


def test_machine_history_has_one_step_per_match(machines: Machines) -> None:
    for seed in range(3):
        for lesson in machines.learn(play_on(match_of(machines, "MENACE", "random", seed=seed))):
            machines.keep(lesson.machine)
    kept = machines.load("MENACE")
    assert [(step.games, step.played) for step in kept.history] == [(1, 1), (2, 1), (3, 1)]
    assert kept.history[-1].first == kept.first
    assert from_json(to_json(kept)).history == kept.history


def test_empty_first_box_resigns_without_learning(machines: Machines) -> None:
    empty = machines.copy("MENACE")
    empty.beads[0] = 0
    machines.keep(empty)
    match = play_on(match_of(machines, "MENACE", "random"))
    assert result_sentence(match) == "O wins: X resigned."
    assert machines.learn(match) == []


def test_emptied_box_resigns_and_counts_as_loss(machines: Machines) -> None:
    empty = machines.copy("MENACE")
    for box in empty.boxes.boxes[1:]:
        empty.beads[box.index] = 0
    machines.keep(empty)
    match = play_on(match_of(machines, "MENACE", "random"))
    (lesson,) = machines.learn(match)
    assert (lesson.machine.lost, lesson.machine.resigned) == (1, 1)
    assert len(lesson.changes) == 1


def test_learning_does_not_depend_on_viewed_position(machines: Machines) -> None:
    """As when the end could not be saved at once, because the disk was full."""
    match = match_of(machines, "MENACE", "human")
    while match.result is None:
        match.play(match.position.moves()[0])
    (lesson,) = machines.learn(match)
    while match.undo():
        pass
    assert [each.changes for each in machines.learn(match)] == [lesson.changes]


def test_match_survives_deletion_of_its_machine(machines: Machines) -> None:
    machines.keep(Machine("Bob"))
    match = match_of(machines, "Bob", "human")
    match.play(match.position.moves()[0])
    record = match.record()
    store_of(machines).delete_machine("Bob")
    again = Match.from_record(record, machines)
    assert again.seats == ["Bob", "human"]
    again.play(again.position.moves()[0])
    refused("Bob", again.player)


def test_first_version_records_are_read(machines: Machines) -> None:
    record = json.loads(match_of(machines, "human", "perfect").record().to_json())
    del record["seed"], record["taught"]
    assert Match.from_record(MatchRecord.from_json(json.dumps(record))).taught is False


def test_machine_header_matches_the_machine() -> None:
    for options in (Options(), Options(seat=1), Options("hexapawn", "3x3", 1)):
        machine: Any = Machine("any", options)
        machine.won = 3
        assert read_header(to_json(machine)) == MachineHeader(options.game_id, options.seat, 3)
    for text in ("", "{}", "[]", '{"game": 1', "null", '{"moves": "third"}'):
        assert read_header(text) is None


def test_watch_command_does_not_train_machines(capsys: pytest.CaptureFixture[str]) -> None:
    with open_store() as store:
        store.save_machine("Bob", to_json(Machine("Bob")))
        before = store.machines()["Bob"]
    for seats in ("Bob,perfect", "MENACE,MENACE"):
        assert run(["watch", "menace", "--seats", seats, "--headless", "--games", "3"]) == 0
        assert "3 matches: " in capsys.readouterr().out
    assert run(["watch", "hexapawn:3x3", "--seats", "perfect,HER", "--headless"]) == 0
    assert run(["watch", "menace", "--seats", "Nobody,perfect", "--headless"]) == 2
    assert "Bob" in capsys.readouterr().err
    with open_store() as store:
        assert store.machines() == {"Bob": before}


def test_concurrent_training_does_not_overwrite_machine() -> None:
    with open_store() as one, open_store() as two:
        here, there = Machines(lambda: one), Machines(lambda: two)
        here.keep(Machine("Bob"))
        mine, theirs = here.trainable("Bob"), there.trainable("Bob")
        theirs.machine.won += 1
        theirs.keep(two)
        theirs.keep(two)
        refused("Another arcade has updated the machine Bob", mine.keep, one)
        assert here.load("Bob").won == 1
        fresh = here.trainable("MENACE")
        there.trainable("MENACE").keep(two)
        refused("Another arcade has just created a machine MENACE", fresh.keep, one)
