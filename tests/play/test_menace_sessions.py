"""A machine of matchboxes in a session: its open box, what it learns, and who plays when it cannot."""

from dataclasses import replace

import pytest

from arcade.engines.menace.archive import from_json
from arcade.engines.menace.machine import AnyMachine, Machine
from arcade.engines.menace.open_box import LearningSummary, OpenBox
from arcade.engines.registry import parse_game_id
from arcade.play.match import HUMAN, new_match
from arcade.services import Services
from arcade.store.record import Coach
from tests.narrow import expect, present
from tests.play.front import Front


@pytest.fixture
def services(services: Services) -> Services:
    services.settings = replace(services.settings, calm=True)
    return services


def front_with(services: Services, *seats: str, text: str = "menace", seed: int = 1) -> Front:
    front = Front(new_match(parse_game_id(text), seats, services.machines, seed), services)
    front.session.open()
    front.session.start()
    return front


def test_watched_machines_show_their_boxes_and_both_learn(services: Services) -> None:
    front = front_with(services, "MENACE", "MENACE", seed=4)
    session = front.session
    front.settle()
    assert len(session.state.machines) == 2
    for plies, name in enumerate(("MENACE", "MENACE-O"), 1):
        front.do("forward")
        assert len(session.match.plies) == plies
        shown = expect(OpenBox, session.scene.box)
        assert shown.machine.name == name
        assert present(shown.draw).move == session.match.plies[-1].move
    front.do("pause")
    assert session.match.result is not None
    taught = expect(LearningSummary, session.scene.box)
    assert taught.machine.options.seat == session.match.plies[-1].seat
    assert services.store.machine_names() == ["MENACE", "MENACE-O"]


def test_open_box_hides_values_until_requested(services: Services) -> None:
    """Where the machine's move loses the next one wins, so its value is as good as a hint."""
    services.settings = replace(services.settings, coach=Coach.MISTAKES)
    front = front_with(services, "MENACE", HUMAN, text="menace:.OX......", seed=5)
    front.settle()
    assert not expect(OpenBox, front.session.scene.box).truth
    front.do("values")
    assert expect(OpenBox, front.session.scene.box).truth


def test_machine_learns_only_once_if_a_match_ends_twice(services: Services) -> None:
    front = front_with(services, "MENACE", HUMAN)
    session = front.session

    def play_to_end() -> None:
        front.settle()
        while not session.match.finished:
            session.play(session.match.position.moves()[0])
            front.settle()

    play_to_end()
    assert services.store.matches()[0].record.taught is True
    taught = expect(LearningSummary, session.scene.box)
    assert taught.shown == len(taught.changes) > 0
    reward = {0: 3, 1: -1, None: 1}[present(session.match.result).winner]
    assert all(change.change == reward for change in taught.changes)
    front.do("undo")
    assert isinstance(session.scene.box, OpenBox)
    play_to_end()
    kept = from_json(services.store.machines()["MENACE"])
    fresh: AnyMachine = Machine("MENACE")
    assert kept.games == 1
    changed = [at for at, word in enumerate(kept.beads) if word != fresh.beads[at]]
    assert len(changed) == len(taught.changes)


def test_another_player_can_replace_a_deleted_machine(services: Services) -> None:
    services.machines.keep(Machine("Bob"))
    front = front_with(services, "Bob", HUMAN)
    services.store.delete_machine("Bob")
    front.settle()
    assert any("Bob" in notice.text for notice in front.notices)
    assert front.session.state.paused
    front.session.match.set_player(0, "perfect")
    front.do("pause")
    assert len(front.session.match.plies) == 1


def test_move_can_be_undone_while_machine_waits(services: Services) -> None:
    front = front_with(services, "MENACE", HUMAN)
    front.settle()
    services.settings = replace(services.settings, calm=False)
    session = front.session
    first = list(session.match.plies)
    session.play(session.match.position.moves()[0])
    front.runner.settle(lambda: session._engine.waiting)
    assert len(front.session.match.plies) == 2
    front.do("undo")
    assert session.match.plies == first
    assert session.match.player_to_move == HUMAN
