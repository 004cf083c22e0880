import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.game import Game, RaceGame
from arcade.engines.honshu.game import Honshu
from arcade.engines.honshu.rules import HonshuPosition, parse_position
from arcade.engines.honshu.tiles import Tile
from arcade.engines.players import DepthLimitedPlayer
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, get_game, parse_game_id
from arcade.engines.verdict import MoveVerdict
from arcade.study.puzzle_generator import GRADES, Puzzle, PuzzleGenerator, Root, difficulty, grade_of
from tests.narrow import expect, present
from tests.refusals import refused
from tools.puzzles import Plain

GAMES = ("chocobar", "hexapawn", "tetromino", "honshu", "menace")

SMALL = {"chocobar": ("4x5",), "hexapawn": ("4x4",), "tetromino": ("4x5",), "honshu": ("5x3",)}
"""Boards on which a search straight from the rules takes a moment."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, boards in SMALL.items():
        game = get_game(name)
        monkeypatch.setattr(game, "practice", replace(game.practice, puzzle_boards=boards))


def made(game: AnyGame, count: int, grade: int | None = None) -> list[Puzzle]:
    maker = PuzzleGenerator(game)
    found = [maker.make(seed, Control(), grade) for seed in range(count)]
    return [each for each in found if each is not None]


def most(position: Position[Any], game: RaceGame[Any, Any]) -> int:
    if position.outcome() is not None:
        return game.points(position)
    return max(most(position.play(move), game) for move in position.moves())


def worth(position: Position[Any], game: AnyGame, plain: Plain) -> dict[Any, int]:
    if isinstance(game, RaceGame):
        return {move: most(position.play(move), game) for move in position.moves()}
    return plain.worth(position)


@pytest.mark.parametrize("name", GAMES)
def test_each_puzzle_step_has_one_best_move(name: str, small: None) -> None:
    game, plain = get_game(name), Plain()
    puzzles = made(game, 2 if name == "honshu" else 6)
    assert len({game.symmetries.canonical(each.start) for each in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        assert parse_game_id(str(puzzle.id)).start() == puzzle.start
        assert puzzle.grade in GRADES
        for step, following in pairwise([*puzzle.steps, None]):
            assert step is not None
            scores = worth(step.position, game, plain)
            assert scores.pop(step.move) > max(scores.values())
            if following is not None:
                after = step.position.play(step.move)
                assert following.position == (after if step.reply is None else after.play(step.reply))
        assert puzzle.start.play(puzzle.steps[0].move).outcome() is None, "its first move ends the game"
        assert not puzzle.reason.startswith("Play"), "it has been played when this is said"


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "menace"])
def test_puzzle_reply_resists_as_long_as_possible(name: str, small: None) -> None:
    game = get_game(name)
    replied = 0
    for puzzle in made(game, 6):
        for step in puzzle.steps:
            if step.reply is not None:
                replied += 1
                answers = game.solver.moves(step.position.play(step.move), Control())
                chosen = next(each for each in answers if each.move == step.reply)
                assert all(chosen.verdict.preference >= each.verdict.preference for each in answers)
    assert replied


GOLDEN = {
    "chocobar": ("chocobar:8x10:3.3.2.2.1.1.1.1", 2, 11, "(7,1) (6,1) (5,1) (4,1)", "(1,3) (4,2) (3,2)"),
    "hexapawn": ("hexapawn:4x5:p..pp/..p../.Pp.P/P..P.:w", 1, 2, "dxc2 axb2", "cxb2"),
    "tetromino": ("tetromino:4x7:...#/#..#/#..#/##.#/..../..../....:IOST-LOST:1", 3, 3, "I2@c3", ""),
    "honshu": (
        "honshu:6x6:6/0VVUFVF/1RVFLFR+2LUVVFP+3LPFVLV+4UFPVUP+5VFRVPR+6VPPPRV/2r3@4,2+1r1@4,4+6r2@2,4+4r3@3,4",
        1,
        1,
        "5r1@1,2 3r0@1,1",
        "",
    ),
    "menace": ("menace:.XO.O.X.X", 3, 2, "b1 a2", "a3"),
}
"""The puzzle of seed 1: the same on every machine, and in every version that does not say otherwise."""


@pytest.mark.parametrize("name", GAMES)
def test_seed_always_gives_the_same_puzzle(name: str) -> None:
    puzzle = present(PuzzleGenerator(get_game(name)).make(1, Control()))
    moves = " ".join(str(step.move) for step in puzzle.steps)
    replies = " ".join(str(step.reply) for step in puzzle.steps if step.reply is not None)
    assert (str(puzzle.id), puzzle.grade, puzzle.sees, moves, replies) == GOLDEN[name]


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "tetromino", "menace"])
def test_player_seeing_far_enough_always_finds_first_move(name: str, small: None) -> None:
    game = get_game(name)
    for puzzle in made(game, 4):
        step = puzzle.steps[0]
        for plies in (puzzle.sees, puzzle.sees + 1, puzzle.sees + 3):
            player: DepthLimitedPlayer[Any, Any] = DepthLimitedPlayer(game.players, plies)
            with Control() as control:
                chosen = {player.choose(step.position, random.Random(seed), control) for seed in range(12)}
            assert chosen == {step.move}
        if puzzle.sees > 1:
            with Control() as control:
                seen = game.solver.look_ahead(step.position, puzzle.sees - 1, control)
            assert list(game.players.likely_moves(step.position, seen, puzzle.sees - 1)) != [step.move]


def test_race_look_ahead_is_counted_in_tiles() -> None:
    game = get_game("honshu")
    for puzzle in made(game, 3):
        step, hand = puzzle.steps[0], len(puzzle.start.hand)  # type: ignore[attr-defined]  # a Honshu position
        for tiles in range(1, hand + 1):
            seen = game.solver.look_ahead(step.position, tiles, Control())
            best = [each.move for each in seen if each.best]
            if tiles == puzzle.sees:
                assert best == [step.move]
                break
            assert best != [step.move]
        else:
            pytest.fail("nobody finds it")


@pytest.mark.slow
@pytest.mark.parametrize("left", [2, 3])
def test_honshu_exhaustive_search_finds_all_best_placements(left: int) -> None:
    game = expect(Honshu, get_game("honshu"))
    rng = random.Random(left)
    for _ in range(3 if left == 2 else 1):
        position = game.new(game.parameters.parse(f"5x{left + 1}"), rng.randrange(1000))
        position = position.play(rng.choice(position.moves()))
        if left == 3:
            # A hand of which one tile equals another, and one is its own half turn.
            tiles = (*position.tiles[:1], Tile(2, "VPFFPV"), Tile(3, "PRUVLP"), Tile(4, "PRUVLP"))
            tiles = tuple({each.id: each for each in tiles}[each.id] for each in position.tiles)
            position = replace(position, tiles=tiles)
            assert len(position.hand) == left
        with Control() as control:
            values = game.solver.move_values(position, control)
            analysis = game.solver.moves(position, control) if left == 2 else None
        best = max(each.verdict.preference for each in values)
        if analysis is not None:
            right = {each.move for each in analysis if each.verdict.preference == best}
            assert {each.move for each in values if each.best} == right
            assert best == max(each.verdict.preference for each in analysis)
        else:
            assert_bound(game, position, values)


def assert_bound(game: RaceGame[Any, Any], position: Any, values: list[MoveVerdict[Any]]) -> None:
    """With three tiles: the same best moves as by the exact verdicts one placement later."""
    scores: dict[Any, int] = {}
    for move in position.moves():
        after = position.play(move)
        left = game.solver.moves(after, Control()) if after.outcome() is None else []
        scores[move] = max((each.verdict.preference[1] for each in left), default=game.points(after))
    assert {each.move for each in values if each.best} == {
        move for move, score in scores.items() if score == max(scores.values())
    }


def test_requested_grade_is_generated() -> None:
    for grade in GRADES:
        for puzzle in made(get_game("menace"), 3, grade):
            assert puzzle.grade == grade
            hard = difficulty(puzzle.sees, puzzle.tempting, len(puzzle.steps[0].analysis))
            assert grade_of(puzzle.game, hard) == grade


def test_exhausted_puzzle_supply_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.study.puzzle_generator.MAX_WALKS", 40)
    maker = PuzzleGenerator(get_game("menace"))

    def make_all() -> None:
        for seed in range(60):
            assert maker.make(seed, Control(), 5)

    refused(r"No other puzzle of grade 5 found in MENACE", make_all)
    assert len(maker.made) > 3


def test_cancelled_search_makes_no_puzzle() -> None:
    with Control() as control:
        control.cancel()
        assert PuzzleGenerator(get_game("tetromino")).make(1, control) is None


def test_puzzles_can_start_from_a_position() -> None:
    start = parse_game_id("menace:X...O...X")
    maker = PuzzleGenerator(start.game)
    ids = []
    for _ in range(2):
        puzzle = present(maker.make(1, Control(), roots=[Root(start, start.start())]))
        ids.append(str(puzzle.id).partition(":")[2])
        assert all(mark in (".", now) for mark, now in zip("X...O...X", ids[-1], strict=True))
    assert ids[0] != ids[1]


@pytest.mark.parametrize("name", GAMES)
def test_symmetric_positions_have_the_same_canonical_form(name: str, small: None) -> None:
    game, rng = get_game(name), random.Random(3)
    forms = set()
    for seed in range(6):
        position = game.new(game.parameters.parse(SMALL.get(name, ("",))[0]), seed)
        for _ in range(2):
            position = position.play(rng.choice(position.moves()))
        form = game.symmetries.canonical(position)
        forms.add(form)
        for image in game.symmetries.images(position):
            assert game.symmetries.canonical(image) == form
            for again in game.symmetries.images(image):
                assert game.symmetries.canonical(again) == form
    assert len(forms) > 1


def test_rotated_map_is_equivalent_but_mirrored_map_is_not() -> None:
    form = get_game("honshu").symmetries.canonical
    text = "5/0VUVPVR/1RRFPLP+2UVFVVP+3PVRFPP+4LPPRVP/4r0@1,3"
    position = parse_position(text)
    assert form(position) == form(parse_position(text.replace("1RRFPLP", "9PLPFRR")))
    assert form(position) != form(parse_position(text.replace("1RRFPLP", "1RRFPPL")))
    assert form(Turned.of(position)) == form(position)
    assert form(Mirrored.of(position)) != form(position)


class Turned(HonshuPosition):
    """A map as it looks after a quarter turn."""

    @classmethod
    def of(cls, position: HonshuPosition) -> HonshuPosition:
        return cls(position.size, position.start, position.tiles, position.variants, position.laid)

    def seen_at(self, row: int, column: int) -> tuple[int, int]:
        return column, self.size - 1 - row

    def terrain_at(self, row: int, column: int) -> str:
        return super().terrain_at(*self.seen_at(row, column))

    def layer_at(self, row: int, column: int) -> int | None:
        return super().layer_at(*self.seen_at(row, column))


class Mirrored(Turned):
    """A map as it looks in a mirror."""

    def seen_at(self, row: int, column: int) -> tuple[int, int]:
        return row, self.size - 1 - column


def test_puzzle_settings_of_game_have_defaults() -> None:
    assert Game.practice.puzzle_boards == ()
    assert Game.practice.grade_thresholds == tuple(sorted(Game.practice.grade_thresholds))
