"""Compare the rules of thumb with the truth: `python -m tools.reasons [GAME ...]`.

It counts on how many positions each rule holds, and its exceptions. `--keep` also writes the counts to
`arcade/engines/GAME/evidence.json`. `--check K` compares the reasons of K random positions of each game with
brute force. `--first` finds the reasons of first positions, which take too long while a player waits, and
writes their lines to `arcade/engines/GAME/first_reasons.json`. `--aims` measures how far positions of matches
between two club players are from a rule.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import mean
from typing import Any

from arcade.engines.chocobar.rules import Bar
from arcade.engines.chocobar.table import make_table
from arcade.engines.control import Control
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.position import Position
from arcade.engines.reasons import BoardCount, Reasons, Rule
from arcade.engines.registry import AnyGame, game_of, get_game, parse_game_id
from arcade.engines.retrograde import explore, solve
from arcade.engines.verdict import Value
from arcade.library import play_matches
from tools.pawns import pawns

ROOT = Path(__file__).parent.parent

Judged = tuple[Position[Any], Value]
"""From a source without rules of thumb."""

GAMES = ["chocobar", "hexapawn", "tetromino", "menace"]

AIMS = {
    "chocobar:3x4": 0,
    "chocobar:4x5": 0,
    "chocobar:5x6": 0,
    "chocobar:6x7": 0,
    "chocobar:8x10": 0,
    "hexapawn:3x3": 0,
    "hexapawn:4x4": 0,
    "hexapawn:4x5": 0,
    "hexapawn:5x5": 0,
    "tetromino:5x6": 0,
    "tetromino:5x7": 2,
    "tetromino:5x8": 2,
    "menace": 0,
}
"""Boards of the paths, and 8x10, with the first move that counts, from 0."""

FIRST = {"hexapawn:5x5": 1, "hexapawn:6x5": 2, "tetromino:5x6": 1, "tetromino:5x7": 1, "tetromino:5x8": 1}
"""Boards whose first positions have stored lines, and the last stored move."""

PAWN_BOARDS = ((3, 3), (3, 5), (3, 7), (4, 4), (4, 5), (5, 4), (5, 5), (6, 4))
"""Boards whose positions are all compared."""
SAMPLE = 100_000


def reached(board: str) -> Iterator[Judged]:
    graph: Any = explore(parse_game_id(board).start())
    assert graph is not None, f"{board} has too many positions."
    verdicts = solve(graph)
    for position, verdict in zip(graph.positions, verdicts, strict=True):
        yield position, verdict.value or Value.TIE


def bars(rows: int, columns: int) -> Iterator[Judged]:
    return _valued(_staircases(rows, columns))


def thin_bars(longest: int, thick: int) -> Iterator[Judged]:
    """Bars of two rows, and with up to two rows of `thick` squares inside."""
    return _valued(_thin(longest, thick))


def _valued(found: Iterator[tuple[int, ...]]) -> Iterator[Judged]:
    """`found` must include all bars after one bite."""
    lost: set[tuple[int, ...]] = set()
    # Smaller bars first: all bars after a bite are known.
    for bar in sorted(found, key=sum):
        position = Bar(bar)
        if not any(position.play(bite).rows in lost for bite in position.moves()):
            lost.add(bar)
        yield position, Value.LOSS if bar in lost else Value.WIN


def _staircases(rows: int, columns: int) -> Iterator[tuple[int, ...]]:
    for length in range(1, columns + 1):
        yield (length,)
        if rows > 1:
            for below in _staircases(rows - 1, length):
                yield (length, *below)


def pawn_boards(rows: int, columns: int, sample: int | None = None) -> Iterator[Judged]:
    """All, or a sample: one of two mirror images, with White to move."""
    found = pawns(rows, columns)
    chosen: Any = range(len(found.won))
    if sample is not None:
        chosen = random.Random(0).sample(chosen, sample)
    for at in chosen:
        value = Value.WIN if found.won[at] else Value.LOSS
        yield PawnPosition(rows, columns, int(found.own[at]), int(found.opp[at])), value


def _thin(longest: int, thick: int) -> Iterator[tuple[int, ...]]:
    for first in range(1, longest + 1):
        yield (first,)
        for second in range(1, first + 1):
            yield first, second
            if second <= thick + 1:
                for third in range(1, second + 1):
                    for ones in range(longest - 2):
                        yield (first, second, third, *(1,) * ones)


def populations(game: str) -> Iterator[tuple[str, Iterator[Judged]]]:
    if game == "chocobar":
        # Each rectangle leaves out the bars of earlier ones.
        smaller = (0, 0)
        for rows, columns in ((4, 5), (5, 6), (8, 10), (10, 10)):
            beyond = f", not {smaller[0]}x{smaller[1]}" if smaller[0] else ""
            yield f"within {rows}x{columns}{beyond}", _beyond(bars(rows, columns), *smaller)
            smaller = rows, columns
        yield "within 60x60, little inside, not 10x10", _beyond(thin_bars(60, 4), 10, 10)
        yield "within 14x14, not 10x10", _beyond(drawn_bars(), 10, 10)
    elif game == "hexapawn":
        for rows, columns in PAWN_BOARDS:
            yield f"{rows}x{columns}", pawn_boards(rows, columns)
        yield "6x5", pawn_boards(6, 5, SAMPLE)
    elif game == "menace":
        yield "3x3", reached("menace")
    elif game == "tetromino":
        for board, number in (("4x7", 20_000), ("5x6", 40_000), ("6x6", 20_000), ("5x8", 40_000)):
            yield board, late_boards(board, number)


def _beyond(judged: Iterator[Judged], rows: int, columns: int) -> Iterator[Judged]:
    for position, value in judged:
        assert isinstance(position, Bar)
        if len(position.rows) > rows or position.rows[0] > columns:
            yield position, value


def drawn_bars(number: int = 20_000) -> Iterator[Judged]:
    """Random bars within 14x14 with two to six row lengths."""
    table = make_table(14, 14)
    with Control() as control:
        table.solve(control)
    rng = random.Random(1)
    for _ in range(number):
        lengths = sorted(rng.sample(range(1, 15), rng.randint(1, 5)), reverse=True)
        heights = [rng.randint(1, 14 - len(lengths)) for _ in lengths]
        bar = tuple(length for length, height in zip(lengths, heights, strict=True) for _ in range(height))[
            :14
        ]
        if bar != (1,):
            found = table.look_up(bar)
            assert found is not None
            yield Bar(bar), found[0]


def late_boards(board: str, number: int) -> Iterator[Judged]:
    """Of random matches from the fourth piece on."""
    game_id = parse_game_id(f"tetromino:{board}")
    solver = game_id.game.solver
    rng = random.Random(1)
    drawn = 0
    with Control() as control:
        while drawn < number:
            position: Any = game_id.start()
            while position.outcome() is None and drawn < number:
                position = position.play(rng.choice(position.moves()))
                if len(position.laid) > 3 and position.outcome() is None:
                    verdict = solver.value(position, control)
                    assert verdict is not None
                    assert verdict.value is not None
                    drawn += 1
                    yield position, verdict.value


def by_rule_book(position: Position[Any], known: dict[Any, Value]) -> Value:
    """By the rules of the game alone; `known` is a cache."""
    if position not in known:
        ending = position.ending()
        if ending is not None:
            known[position] = ending.value or Value.TIE
        else:
            values = {by_rule_book(position.play(move), known).reversed for move in position.moves()}
            best = (Value.WIN, Value.TIE, Value.LOSS)
            known[position] = next(value for value in best if value in values)
    return known[position]


CHECKED = {"chocobar:5x6": 0, "hexapawn:4x4": 0, "tetromino:5x6": 4, "menace": 0}
"""Boards, and the first move that counts."""


def checked(board: str, number: int) -> tuple[int, int]:
    """Return the number of reasons, and of false ones, by brute force."""
    game_id = parse_game_id(board)
    reasons = game_id.game.explanations.reasons
    truth: dict[Any, Value] = {}
    rng = random.Random(1)
    found = false = drawn = 0
    while drawn < number:
        position, laid = game_id.start(), 0
        while position.outcome() is None and drawn < number:
            if laid >= CHECKED[board]:
                drawn += 1
                with Control() as control:
                    why = reasons.explain(position, control)
                if why is not None:
                    found += 1
                    false += by_rule_book(why.position, truth) is not why.value
            position, laid = position.play(rng.choice(position.moves())), laid + 1
    return found, false


def count(rules: Sequence[Rule[Any]], judged: Iterator[Judged]) -> tuple[int, Counter[str], Counter[str]]:
    """Number of positions, and for each rule the right and wrong ones."""
    holds: Counter[str] = Counter()
    fails: Counter[str] = Counter()
    total = 0
    for position, value in judged:
        total += 1
        if position.outcome() is not None:
            continue
        for rule in rules:
            if rule.match(position) is not None:
                (holds if rule.value is value else fails)[rule.id] += 1
    return total, holds, fails


def counted(game: AnyGame) -> dict[str, list[BoardCount]]:
    rules = game.explanations.rules
    found: dict[str, list[BoardCount]] = {rule.id: [] for rule in rules}
    for board, judged in populations(game.name):
        total, holds, fails = count(rules, judged)
        for rule in rules:
            if holds[rule.id] or fails[rule.id]:
                found[rule.id].append(BoardCount(board, total, holds[rule.id], fails[rule.id]))
    return found


def met(board: str, games: int = 200) -> Iterator[Position[Any]]:
    """Of two club players' matches, if legal moves differ in value."""
    solver = parse_game_id(board).game.solver
    seen = set()
    with Control() as control:
        for match in play_matches(board, "club", "club", games=games, seed=1):
            for number in range(AIMS.get(board, 0), len(match.plies)):
                position = match.before(number)
                # In Chocobar, the value does not depend on the mover.
                alike = position.rows if isinstance(position, Bar) else position
                if alike not in seen:
                    seen.add(alike)
                    if len({judged.verdict.value for judged in solver.moves(position, control)}) > 1:
                        yield position


def aims(board: str) -> str:
    game = parse_game_id(board).game
    explanations = game.explanations
    general: Reasons[Any, Any] = Reasons(
        [rule for rule in explanations.rules if rule.general],
        lambda: game.solver,
        game.symmetries,
        game.sides,
    )
    positions = list(met(board))
    with Control() as control:
        remoteness = [game.solver.verdict(position, control).remoteness or 0 for position in positions]
        far, shown_far, general_far = (
            [why.distance if (why := reasons.why(position, control)) else 0 for position in positions]
            for reasons in (explanations.all_reasons, explanations.reasons, general)
        )
    near = sum(distance == 0 for distance in shown_far), sum(distance <= 2 for distance in shown_far)
    shares = " | ".join(f"{number / len(positions):.0%}" for number in near)
    distances = " | ".join(f"{mean(each):.2f}" for each in (far, shown_far, general_far))
    means = f"{mean(remoteness):.1f} | {distances}"
    return f"| {board} | {len(positions):,} | {means} | {shares} |"


def first_positions(board: str) -> dict[str, Position[Any]]:
    """By text."""
    latest: list[Position[Any]] = [parse_game_id(board).start()]
    found = list(latest)
    for _ in range(FIRST[board]):
        latest = [position.play(move) for position in latest for move in position.moves()]
        found += latest
    return {position.text(): position for position in found}


def first_lines(positions: Mapping[str, Position[Any]]) -> dict[str, str]:
    """Without positions that have a reason at once."""
    game = game_of(next(iter(positions.values())))
    reasons = Reasons[Any, Any](game.explanations.rules, lambda: game.solver, game.symmetries, game.sides)

    def canonical(text: str) -> str:
        return game.symmetries.quick_canonical(positions[text]).text()

    found: dict[str, str] = {}
    with Control() as control:
        # Later positions first, and alike ones together: only the first of them takes long.
        for text in sorted(positions, key=canonical):
            line = longest_resistance(reasons, positions[text], found, control)
            if line is None:
                why = reasons.why(positions[text], control)
                assert why is not None
                line = tuple(map(str, why.line))
            if line:
                found[text] = " ".join(line)
    return found


def longest_resistance(
    reasons: Reasons[Any, Any], position: Position[Any], lines: Mapping[str, str], control: Control
) -> tuple[str, ...] | None:
    """Of a lost position, if the lines after all its moves are known."""
    after = {str(move): lines.get(position.play(move).text(), "").split() for move in position.moves()}
    lost = game_of(position).solver.value(position, control).value is Value.LOSS
    if not lost or not all(after.values()) or reasons.why(position, control, 0) is not None:
        return None
    move = max(after, key=lambda move: len(after[move]))
    return move, *after[move]


def keep_first_lines(name: str) -> None:
    """None for a game without such boards."""
    boards = [board for board in FIRST if board.partition(":")[0] == name]
    found: dict[str, str] = {}
    for board in boards:
        found |= first_lines(first_positions(board))
        print(f"{board}: {len(found):,} lines so far", flush=True)
    if found:
        file = ROOT / "arcade" / "engines" / name / "first_reasons.json"
        file.write_text(json.dumps(found, indent=0) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", default=GAMES)
    parser.add_argument("--keep", action="store_true", help="write the evidence")
    parser.add_argument(
        "--check", type=int, metavar="K", help="check K random positions of each game instead"
    )
    parser.add_argument("--first", action="store_true", help="write the reasons of first positions")
    parser.add_argument("--aims", action="store_true", help="measure reason distances instead")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.game if name not in GAMES]
    if unknown:
        parser.error(f"{unknown[0]} has no boards in `populations`; the games are {', '.join(GAMES)}")
    if arguments.first and arguments.keep:
        parser.error("run --keep first, then --first")
    if arguments.check:
        for board in CHECKED:
            if board.partition(":")[0] in arguments.game:
                given, false = checked(board, arguments.check)
                print(
                    f"{board}: {given:,} reasons of {arguments.check:,} positions, {false} false", flush=True
                )
        return
    if arguments.first:
        for name in arguments.game:
            keep_first_lines(name)
        return
    if arguments.aims:
        print(
            "| board | positions | mean remoteness | mean distance, all rules | shown rules | general rules "
            "| shown: distance 0 | up to 2 |"
        )
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for board in AIMS:
            if board.partition(":")[0] in arguments.game:
                print(aims(board), flush=True)
        return
    for name in arguments.game:
        game = get_game(name)
        found = counted(game)
        for rule in game.explanations.rules:
            boards = ", ".join(f"{each.board} {each.holds:,}/{each.exceptions:,}" for each in found[rule.id])
            print(f"{name:10} {rule.id:24} {rule.value.value:5} {boards}", flush=True)
        if arguments.keep:
            saved = {rule: [asdict(each) for each in counts] for rule, counts in found.items()}
            file = ROOT / "arcade" / "engines" / name / "evidence.json"
            file.write_text(json.dumps(saved, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
