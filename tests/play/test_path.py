"""The path up the ladder: steps, stars, what Enter begins, and what comes after a match."""

from dataclasses import replace

import pytest

from arcade.engines.control import Control
from arcade.engines.game import RaceGame
from arcade.engines.registry import AnyGame, installed_games, parse_game_id
from arcade.engines.seats import full_notation
from arcade.engines.verdict import Value
from arcade.matches import usual_match, watched_match
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.moment import other_level
from arcade.play.offers import end_offers
from arcade.play.path import Step, path_of, step_of
from arcade.play.sentences import star_words
from arcade.play.state import State
from arcade.services import Services
from arcade.store.record import Coach, MatchRecord
from tests.play.front import front_of

GAMES = [game for game in installed_games() if game.practice.path]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_path_step_is_recognised_for_both_seats(game: AnyGame) -> None:
    for step in path_of(game):
        match = new_match(step.start, step.seats, seed=1)
        assert step_of(match.start, match.seats[::-1]) == step


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_path_step_is_lost_from_the_start(game: AnyGame) -> None:
    for step in path_of(game) if not isinstance(game, RaceGame) else ():
        position = step.start.start()
        with Control(60) as control:
            value = game.solver.verdict(position, control).value
        lost = Value.LOSS if step.seats[0] == HUMAN else Value.WIN
        assert value not in (None, lost), step.board


def won(text: str, *seats: str) -> MatchRecord:
    match = new_match(parse_game_id(text), seats)
    match.resign(1 - match.seats.index(HUMAN))
    return replace(match.record(), coach=Coach.QUIET)


def test_stars_require_unaided_wins_on_path_board(services: Services) -> None:
    chocobar = parse_game_id("chocobar").game
    assert services.stars(chocobar) == [False] * len(path_of(chocobar))
    services.store.save_match(won("chocobar:4x5", HUMAN, "casual"), None)
    services.store.save_match(replace(won("chocobar:4x5", HUMAN, "beginner"), takebacks=1), None)
    assert not any(services.stars(chocobar))
    services.store.save_match(won("chocobar:4x5", "beginner", HUMAN), None)
    services.store.save_match(won("chocobar:5x6", HUMAN, "casual"), None)
    assert services.stars(chocobar)[:3] == [True, True, False]


def test_usual_match_after_a_win_is_the_next_step(services: Services) -> None:
    hexapawn, honshu = (parse_game_id(name).game for name in ("hexapawn", "honshu"))

    def after(record: MatchRecord) -> tuple[str, list[str]]:
        services.store.save_match(record, None)
        usual = usual_match(services, parse_game_id(record.start).game)
        return usual.game.parameters.text(usual.parameters), usual.seats

    assert after(won("hexapawn:3x3", HUMAN, "beginner")) == ("4x4", [HUMAN, "casual"])
    lost = new_match(path_of(hexapawn)[1].start, [HUMAN, "casual"])
    lost.resign(0)
    assert after(lost.record()) == ("4x4", [HUMAN, "casual"])
    helped = replace(won("hexapawn:4x4", "casual", HUMAN), takebacks=1)
    assert after(helped) == ("4x5", ["club", HUMAN]), "as the card at the end offers"
    assert after(won("hexapawn:4x4", HUMAN, "perfect")) == ("4x4", [HUMAN, "perfect"]), "the last step"
    assert after(won("hexapawn:6x6", HUMAN, "club")) == ("6x6", [HUMAN, "club"]), "this is no step"
    assert after(won("honshu:9x6#5", HUMAN, "casual")) == ("9x8", [HUMAN, "club"])
    assert usual_match(services, honshu).seed is not None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_usual_match_equals_the_next_step_on_the_end_card(game: AnyGame, services: Services) -> None:
    match = usual_match(services, game)
    # Before the path a person meets a machine, or is alone.
    steps = path_of(game)[1:] if step_of(match.start, match.seats) else path_of(game)
    for step in steps:
        finish(match)
        services.store.save_match(match.record(), None)
        on_card = other_level(match, State(keys=services.keys, stars=tuple(services.stars(game))), 1)
        match = usual_match(services, game)
        for after in (match, on_card):
            assert after is not None
            assert (after.parameters, after.seats) == (step.start.parameters, [*step.seats])


def finish(match: Match) -> None:
    """Let the person win, or end a match alone."""
    if match.seats == [HUMAN]:
        while not match.finished:
            match.play(match.position.moves()[0])
    else:
        match.resign(1 - match.seats.index(HUMAN))


@pytest.mark.parametrize("game", installed_games(), ids=lambda game: game.name)
def test_watched_match_has_two_engines_on_the_chosen_board(game: AnyGame, services: Services) -> None:
    match = watched_match(services, game)
    assert match.watched
    assert match.seats == [full_notation(game, game.players.best), "expert"]
    parameters = game.parameters.parse(game.parameters.presets[-1].parameters)
    assert watched_match(services, game, parameters).parameters == parameters


def test_usual_match_starts_small_then_repeats_last(services: Services) -> None:
    chocobar, honshu = (parse_game_id(name).game for name in ("chocobar", "honshu"))
    first = usual_match(services, chocobar)
    assert (str(first.start), first.seats) == ("chocobar:4x5", [HUMAN, "beginner"])
    alone = usual_match(services, honshu)
    assert (alone.parameters["tiles"], alone.seats) == (6, [HUMAN])
    services.store.save_match(won("chocobar:7x7", "club", HUMAN), None)
    services.store.save_match(replace(won("chocobar:3x4", HUMAN, "random"), seats=("club", "random")), None)
    again = usual_match(services, chocobar)
    assert (str(again.start), again.seats) == ("chocobar:7x7", ["club", HUMAN])


def test_win_offers_next_step_and_loss_easier_one() -> None:
    front = front_of("chocobar:4x5", HUMAN, "beginner")
    front.session.match.resign(1)
    assert end_offers(front.session.match, front.session.state)[0] == ("faster", "next: Casual on 5x6")
    front.session.do("faster")
    match = front.session.match
    assert (str(match.start), match.seats) == ("chocobar:5x6", [HUMAN, "casual"])
    match.resign(0)
    assert ("slower", "easier") in end_offers(front.session.match, front.session.state)
    front.session.do("slower")
    assert str(front.session.match.start) == "chocobar:4x5"
    other = front_of("chocobar:3x4", HUMAN, "beginner")
    other.session.match.resign(1)
    assert end_offers(other.session.match, other.session.state)[0] == ("faster", "harder")


def duel(start: str, winner: int, seats: tuple[str, str]) -> Match:
    match = new_match(parse_game_id(start), seats, seed=1)
    match.play(match.position.moves()[-1])
    match.resign(1 - winner)
    return match


STEPS = [(step, seat) for game in GAMES for step in path_of(game) for seat in (0, 1)]


def starts_of(step: Step) -> tuple[str, str]:
    """The step's own start, and a position of the same board that is set up."""
    game = step.game
    start = replace(step.start, seed=3) if game.parameters.seeded else step.start
    first = start.start()
    return str(start), str(start.at(first.play(first.moves()[-1])))


@pytest.mark.parametrize(("step", "seat"), STEPS, ids=lambda case: f"{getattr(case, 'board', case)}")
def test_star_requires_first_position_and_one_player(step: Step, seat: int, services: Services) -> None:
    seats = (HUMAN, step.opponent) if seat == 0 else (step.opponent, HUMAN)
    own, set_up = starts_of(step)
    for start, helped in ((set_up, False), (own, True)):
        match = duel(start, seat, seats)
        if helped:
            match.note_unseen()
        services.store.save_match(match.record())
        assert star_words(match) == ""
    assert not any(services.stars(step.game))
    match = duel(own, seat, seats)
    services.store.save_match(match.record())
    assert star_words(match) == f"a star for step {step.number + 1} of {len(path_of(step.game))}"
    assert services.stars(step.game).index(True) == step.number
