"""The game of Honshu, and its players."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any

from arcade.engines.control import Control
from arcade.engines.explanations import Explanations, Limits, MistakeExplanation
from arcade.engines.files import InputError, looks_like_file, package_text, read_text
from arcade.engines.game import RaceGame
from arcade.engines.honshu import SUMMARY, TITLE, reference_methods, rules
from arcade.engines.honshu.reference_methods import COMPARISON
from arcade.engines.honshu.rules import VARIANTS, HonshuPosition, Move, groups, most_points
from arcade.engines.honshu.tiles import CELLS, TERRAINS, Deal, Tile, parse_deal, published_tiles, read_tiles
from arcade.engines.parameters import Parameter, Parameters, ParameterSet, ParameterValue, Preset, StartFiles
from arcade.engines.players import FALLIBLE, PERFECT, RANDOM, RUNGS, MethodPlayer, Player, PlayerKind, Players
from arcade.engines.position import Symmetries
from arcade.engines.reference_methods import HISTORIC_SECONDS
from arcade.engines.teaching import PathStep, Practice, Teaching
from arcade.engines.verdict import HintRegion, Squares, Verdict

if TYPE_CHECKING:
    from arcade.engines.honshu.solver import HonshuSolver

_SIZE = re.compile(r"[0-9]+x[0-9]+(,.*)?", re.IGNORECASE)
_POSITION = re.compile(r"[0-9]+(,[a-z0-9,]*)?/[0-9]+[A-Z]+/[^.]*")
_FILES = re.compile(r"(?P<game>.*?)(,tiles=(?P<tiles>.*?))?(?P<variants>(,[A-Za-z0-9]*)*)", re.DOTALL)
"""The notation for files: a game file's name, which may contain commas, then `,tiles=FILE` and variants."""
_IMPOSSIBLE = -(10**6)
_SQUARES = {"P": "🟨", "F": "🟩", "L": "🟦", "V": "🟥", "R": "⬜", "U": "🟪", "": "⬛"}


def load(files: str, tiles_file: str | None = None) -> HonshuPosition:
    """Load a game file, whose name may be followed by `,tiles=FILE` and variants.

    Raises InputError if a file or variant is invalid.
    """
    game_file, named_tiles, variants = _named(files).group("game", "tiles", "variants")
    tiles_file = tiles_file or named_tiles
    tiles = None if tiles_file is None else read_tiles(tiles_file)
    deal = parse_deal(read_text(game_file, "game file"), tiles, f"File {game_file!r}")
    chosen = variants.split(",")[1:]
    if deal.variant:
        chosen.append(VARIANTS[deal.variant - 1])
    return HonshuPosition(deal.size, deal.start, deal.hand, rules.check_variants(chosen))


def read_files(names: Mapping[str, str], parameters: Parameters) -> HonshuPosition:
    if not names["game"]:
        raise InputError("A tile file requires a game file, as in honshu:./GAME,tiles=./TILES.")
    position = load(names["game"], names["tiles"] or None)
    return replace(position, variants=position.variants | _chosen(parameters))


class HonshuParameters(ParameterSet[HonshuPosition]):
    def check(self, parameters: Parameters) -> dict[str, ParameterValue]:
        checked = super().check(parameters)
        if checked["report"] and (checked["size"], checked["tiles"]) != (_report().size, len(_report().hand)):
            raise InputError("The variant 'report' has 9 rows and columns and 11 tiles. Write 9x11,report.")
        return checked

    def of(self, position: HonshuPosition) -> dict[str, ParameterValue]:
        report = Deal(position.size, position.tiles, position.start) == _report()
        given = {"size": position.size, "tiles": len(position.tiles), "report": report}
        return self.check(given | dict.fromkeys(position.variants, True))

    def split(self, rest: str) -> tuple[str, str | None, int | None]:
        """Split the part of an ID after the game's name.

        It may also be a position, or a file with `,tiles=FILE` and variants.
        """
        size = rest.partition("#")[0].partition(":")[0]
        if not size or _SIZE.fullmatch(size):
            return super().split(rest)
        if _POSITION.fullmatch(rest):
            position = rules.parse_position(rest)
            return self.text(self.of(position)), rest, None
        file = _named(rest)["game"]
        if not looks_like_file(file):
            meant = (
                f"To open a file with that name, write ./{rest}"
                if os.path.isfile(file)
                else "Write a size like 9x12 or a file like ./Partie1"
            )
            raise InputError(f"Unknown board of Honshu {rest[:60]!r}. {meant}.")
        position = load(rest)
        return self.text(self.of(position)), position.text(), None


class HonshuSymmetries(Symmetries[HonshuPosition, Move]):
    def canonical(self, position: HonshuPosition) -> str:
        """Return a text that is the same for all rotations of a map. Mirror images have different texts."""
        hand = "+".join(sorted(min(tile.terrains, tile.terrains[::-1]) for tile in position.hand))
        size = range(position.size)
        grid = [
            [(position.terrain_at(row, column), position.layer_at(row, column)) for column in size]
            for row in size
        ]
        images = []
        for _ in range(4):
            grid = [list(row) for row in zip(*grid[::-1], strict=True)]
            number: dict[int | None, int] = {}
            cells = [(letter, number.setdefault(layer, len(number))) for row in grid for letter, layer in row]
            images.append(" ".join(f"{letter}{layer}" for letter, layer in cells))
        return f"{position.size} {sorted(position.variants)} {hand} {min(images)}"


class HonshuExplanations(Explanations[HonshuPosition, Move]):
    limits = Limits(verdict=5.0, review=None, hint=None)

    def words_of(self, move: Move) -> str:
        return f"tile {move.tile} at {move.row + 1},{move.column + 1}"

    def squares_of(self, position: HonshuPosition, move: Move) -> Squares:
        rows, columns = rules.shape(move.rotation)
        return tuple(
            (move.row + row, move.column + column) for row in range(rows) for column in range(columns)
        )

    def hint_region(self, position: HonshuPosition, move: Move) -> HintRegion:
        rows, columns = rules.shape(move.rotation)
        size = position.size
        down, across = 3 * (2 * move.row + rows) // (2 * size), 3 * (2 * move.column + columns) // (2 * size)
        part = f"{('upper', 'middle', 'lower')[down]} {('left', 'middle', 'right')[across]}"
        part = "centre" if down == across == 1 else part
        in_rows, in_columns = (range(third * size // 3, (third + 1) * size // 3) for third in (down, across))
        turned = "lying on its side" if move.rotation % 2 else "standing upright"
        says = f"Place a tile in the {part} of the board, {turned}."
        return HintRegion(says, tuple(product(in_rows, in_columns)))

    def explain_mistake(self, position: HonshuPosition, move: Move, control: Control) -> MistakeExplanation:
        half = None if control.remaining is None else control.remaining / 2
        with control.within(half):
            best = position.after(self.solver.line(position, control)).score
        after = position.play(move)
        lost = after.after(self.solver.line(after, control)).score - best
        if lost.total >= 0:
            return MistakeExplanation()
        parts = [f"{rule} {points:+d}" for rule, points in lost.by_rule().items() if points]
        says = f"It costs {-lost.total} at the end, judging by the best maps found: {', '.join(parts)}."
        return MistakeExplanation(says, points=-lost.total)

    def score_argument(self, position: HonshuPosition) -> dict[str, int]:
        """Return the upper bound of `kernel.bound` as "limit", and the numbers from which it is computed."""
        board, variants = position.map, position.variants
        if position.outcome() is not None:
            return {"limit": position.score.total, "hidden": 0}
        cells = position.cells_in_play
        held = Counter("".join(tile.terrains for tile in position.hand))
        tiles, visible = len(position.hand), board.occupied.bit_count()
        hidden = max(tiles, visible + 6 * tiles - position.size**2)
        lakes_now = len(groups(board.terrains["L"], position.stride))

        def points(letter: str, count: int) -> int:
            if letter != "L":
                return most_points(letter, count, variants)
            if "lakes2" in variants or not count:
                return 2 * count
            return 3 * (count - max(1, lakes_now - 2 * held["L"]))

        takes = 2 if "factories2" in variants else 1
        pairs = [_IMPOSSIBLE] * (cells["R"] + cells["U"] + 1)
        for resources in range(cells["R"] + 1):
            for factories in range(cells["U"] + 1):
                gone = cells["R"] - resources + cells["U"] - factories
                pairs[gone] = max(pairs[gone], 4 * min(resources, takes * factories))
        most = pairs
        for letter in "PVFL":
            can_hide = held[letter] if letter == "L" else cells[letter]
            most = _together(most, [points(letter, cells[letter] - gone) for gone in range(can_hide + 1)])
        return {"limit": most[hidden], "hidden": hidden, **cells}

    def chat_drawing(self, position: HonshuPosition) -> str:
        size = range(position.size)
        rows = ("".join(_SQUARES[position.terrain_at(row, column)] for column in size) for row in size)
        return "\n".join(rows)

    def verdict_details(self, position: HonshuPosition, verdict: Verdict) -> dict[str, Any]:
        ways = reference_methods.outcomes(position.size, len(position.hand))
        return {"score_by_rule": position.score.by_rule(), "outcomes": ways}


class HonshuPlayers(Players[HonshuPosition, Move]):
    best = "solver"

    @property
    def kinds(self) -> tuple[PlayerKind, ...]:
        return (*KINDS, MIXED)


def _named(files: str) -> re.Match[str]:
    named = _FILES.fullmatch(files)
    assert named is not None
    return named


def _chosen(parameters: Parameters) -> frozenset[str]:
    return frozenset(name for name in VARIANTS if parameters[name])


@cache
def _report() -> Deal:
    return parse_deal(reference_methods.REPORT)


def _together(one: list[int], other: list[int]) -> list[int]:
    most = [_IMPOSSIBLE] * (len(one) + len(other) - 1)
    for gone, points in enumerate(one):
        for more, others in enumerate(other):
            most[gone + more] = max(most[gone + more], points + others)
    return most


class SolverPlayer(Player[HonshuPosition, Move]):
    def __init__(self, game: Honshu, seconds: float) -> None:
        self.game = game
        self.seconds = seconds

    def choose(self, position: HonshuPosition, rng: random.Random, control: Control) -> Move:
        """Return the solver's move. A random seed for the first move keeps two solvers from playing alike."""
        seed = None if position.laid else rng.getrandbits(32)
        return self.game.solver.search(position, control, self.seconds, seed=seed).moves[0]


class PartTimeSolverPlayer(SolverPlayer):
    """A player that uses the solver in `level` turns out of 10.

    In the other turns, the player places a random tile where the tile scores most.
    """

    def __init__(self, game: Honshu, level: int) -> None:
        super().__init__(game, 0.5)
        self.level = level

    def choose(self, position: HonshuPosition, rng: random.Random, control: Control) -> Move:
        if rng.random() * 10 < self.level:
            return super().choose(position, rng, control)
        return reference_methods.tile_move(position, rng.choice(position.hand), control)


def _rung(name: str, level: int) -> PlayerKind:
    summary = f"Thinks ahead in {level} turns out of 10."
    return PlayerKind(name, name.capitalize(), summary, lambda game, _: PartTimeSolverPlayer(game, level))


_SECONDS = Parameter("seconds", "Seconds", 2, 1, 600, help="seconds of search for each move")
_REST = Parameter("rest", "Last tiles", 2, 1, 4, help="tiles that are left to exhaustive search")
KINDS = (
    PlayerKind(
        RUNGS[0],
        "Beginner",
        "Takes what scores most now.",
        lambda *_: MethodPlayer(reference_methods.greedy_move),
        also=("greedy",),
    ),
    *(_rung(name, level) for name, level in zip(RUNGS[1:], (2, 6, 9), strict=True)),
    replace(
        PERFECT,
        summary="Searches whole maps, 2 seconds a move.",
        make=lambda game, _: SolverPlayer(game, int(_SECONDS.default)),
    ),
    PlayerKind("solver", "Solver", "Searches whole maps.", SolverPlayer, _SECONDS),
    replace(FALLIBLE, summary="Thinks ahead now and then.", make=PartTimeSolverPlayer),
    RANDOM,
)
MIXED = PlayerKind(
    "mixed",
    "Mixed",
    "History: greedy, then tries everything.",
    lambda _, rest: MethodPlayer(partial(reference_methods.mixed_move, rest)),
    _REST,
    seconds=HISTORIC_SECONDS,
)


class Honshu(RaceGame[HonshuPosition, Move]):
    name = "honshu"
    title = TITLE
    summary = SUMMARY
    sides = ("Left", "Right")
    parameters = HonshuParameters(
        known=(
            Parameter("size", "Size", 9, 5, 16, help="rows and columns of the board"),
            Parameter("tiles", "Tiles", 12, 1, 20, help="tiles in the hand"),
            Parameter("lakes2", "Richer lakes", False, help="A lake scores 2 per cell."),
            Parameter("plains", "Scoring plains", False, help="Each 2x2 block of plains scores 4."),
            Parameter("factories2", "Double factories", False, help="A factory takes two resources."),
            Parameter(
                "squares",
                "Village squares",
                False,
                help="Each 2x2 block inside the counted village scores 4.",
            ),
            Parameter(
                "forests5",
                "Growing forests",
                False,
                help="In each forest the first cell scores 1, the second 2, and so on up to 5 a cell.",
            ),
            Parameter("report", "Report's game", False, help="the tiles of the report's test game, 9x11"),
        ),
        presets=(
            Preset("9x9, 12 tiles", "9x12"),
            Preset("7x7, 6 tiles", "7x6"),
            Preset("12x12, 16 tiles", "12x16"),
            Preset("9x9, 12 tiles, all variants", "9x12,lakes2,plains,factories2,squares,forests5"),
            Preset("The report's game", "9x11,report"),
        ),
        seeded=True,
        files=StartFiles(
            (
                Parameter("game", "Game file", "", help="instead of a deal"),
                Parameter("tiles", "Tiles file", "", help="instead of the usual tiles"),
            ),
            read_files,
        ),
    )
    teaching = Teaching(
        rules=package_text(__package__, "rules.md"),
        goal="Place tiles on your map for the most points.",
        picture="""\
Largest village: 1 a cell
Forest 2   Lake 3, first is 0
Resource with a factory: 4""",
        lessons="lessons.toml",
    )
    practice = Practice(
        path=(
            PathStep("9x6", 0, "beginner"),
            PathStep("9x6", 0, "casual"),
            PathStep("9x8", 0, "club"),
            PathStep("9x10", 0, "expert"),
            PathStep("9x12", 0, "perfect"),
        ),
        puzzle_boards=("5x4", "5x5", "6x5", "6x6", "7x6"),
        grade_thresholds=(170, 560, 1600, 5200),
        daily_board="7x6",
    )
    symmetries = HonshuSymmetries()
    reference_methods = COMPARISON

    def start(self, parameters: Parameters, seed: int) -> HonshuPosition:
        variants = _chosen(parameters)
        if parameters["report"]:
            deal = _report()
            return HonshuPosition(deal.size, deal.start, deal.hand, variants)
        rng = random.Random(seed)
        weights = published_tiles().frequencies

        def draw(number: int) -> Tile:
            return Tile(number, "".join(rng.choices(TERRAINS, weights, k=CELLS)))

        size, start = int(parameters["size"]), draw(0)
        tiles = tuple(draw(number) for number in range(1, int(parameters["tiles"]) + 1))
        while not (position := HonshuPosition(size, start, tiles, variants)).moves():
            start = draw(0)
        return position

    def parse_position(self, text: str, parameters: Parameters | None = None) -> HonshuPosition:
        position = rules.parse_position(text)
        if parameters is not None:
            found = self.parameters.of(position) | ({} if parameters["report"] else {"report": False})
            said, meant = self.parameters.text(parameters), self.parameters.text(found)
            if said != meant:
                raise InputError(f"The position belongs to the board {meant}, not {said}.")
        return position

    def points(self, position: HonshuPosition) -> int:
        return position.score.total

    def parse_move(self, text: str, position: HonshuPosition | None = None) -> Move:
        return rules.parse_move(text)

    @cached_property
    def solver(self) -> HonshuSolver:
        from arcade.engines.honshu.solver import HonshuSolver  # loads NumPy

        return HonshuSolver()

    @cached_property
    def explanations(self) -> Explanations[HonshuPosition, Move]:
        return HonshuExplanations(lambda: self.solver, self.symmetries, self.sides)

    @cached_property
    def players(self) -> Players[HonshuPosition, Move]:
        return HonshuPlayers(lambda: self.solver)


GAME = Honshu()
