"""Check on random matches that a game meets the requirements for all games."""

import itertools
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import RaceGame
from arcade.engines.position import Position
from arcade.engines.registry import GameID, parse_game_id
from arcade.engines.seats import make_player, parse_player, player_kinds
from arcade.engines.verdict import DuelVerdict, Proof, ScoreVerdict, Value, Verdict, value_keeping_moves
from arcade.engines.wording import printable
from arcade.proof.checker import solve

MATCHES, MAX_PLIES = 6, 300

MAX_SEARCHED = 20_000

SECONDS = 5.0
"""Time limit of a brute-force search for one position."""

UNSOLVED_PLIES, MOVE_SECONDS = 6, 0.5
"""Maximum plies, and seconds for each move, when a player is tested on an unsolved board."""

MOVES_OF_NO_GAME = ("", "??", "((", "a" * 50, "1", "(0,0)", "é")
IDS_OF_NO_GAME = ("0x0", "-1x3", "999x999", "axb", "3x3,nonsense", "3x3:::", "3x3:zzz", "#x")


class BrokenError(Exception):
    """Raised if a game breaks a requirement. The message is a sentence that names the position."""


class SkippedError(Exception):
    """Raised if a requirement cannot be checked. The message says why."""


def sentence(text: str) -> bool:
    return re.fullmatch(r"[A-Z].*\.", text) is not None


@dataclass
class GameUnderTest:
    parsed: GameID
    control: Control

    def __post_init__(self) -> None:
        self.game = self.parsed.game
        self.solver = self.game.solver
        self.start = self.parsed.start()

    @cached_property
    def matches(self) -> list[list[Position[Any]]]:
        """Random matches, as lists of positions. They are the same in every run."""
        played = []
        for seed in range(MATCHES):
            rng, positions = random.Random(seed), [self.start]
            while len(positions) <= MAX_PLIES and (moves := positions[-1].moves()):
                with self.at(positions[-1]):
                    positions.append(positions[-1].play(rng.choice(moves)))
            played.append(positions)
        return played

    def positions(self, matches: int = MATCHES) -> list[Position[Any]]:
        return list(itertools.chain.from_iterable(self.matches[:matches]))

    def steps(self) -> Iterator[tuple[Position[Any], Position[Any]]]:
        for positions in self.matches:
            yield from itertools.pairwise(positions)

    def id(self, position: Position[Any]) -> str:
        return str(self.parsed.at(position))

    @contextmanager
    def at(self, position: Position[Any]) -> Iterator[None]:
        try:
            yield
        except (BrokenError, SkippedError):
            raise
        except Exception as error:
            raise BrokenError(f"In {self.id(position)}: {type(error).__name__}: {error}") from error

    def require(self, holds: object, position: Position[Any], what: str) -> None:
        if not holds:
            raise BrokenError(f"In {self.id(position)}: {what}")

    def require_duel(self, why: str) -> None:
        if isinstance(self.game, RaceGame):
            raise SkippedError(f"{self.game.title} is a race: {why}.")

    @contextmanager
    def limited(self, seconds: float | None) -> Iterator[Control]:
        self.raise_if_stopped()
        with self.control.within(seconds):
            yield self.control

    def raise_if_stopped(self) -> None:
        """Raise SkippedError if the control has stopped, because the answer may be incomplete."""
        if self.control.stopped:
            raise SkippedError("Stopped." if self.control.cancelled else "Ran out of time.")

    def verdict(self, position: Position[Any]) -> Verdict:
        """Return the solver's verdict. Raises SkippedError if the verdict of a duel is not exact."""
        verdict = self.solver.verdict(position, self.control)
        if isinstance(verdict, DuelVerdict) and verdict.proof is not Proof.EXACT:
            why = f": {verdict.reason}" if verdict.reason else ""
            raise SkippedError(f"The solver has no exact verdict for {self.id(position)}{why}.")
        return verdict

    def duel_verdict(self, position: Position[Any]) -> Verdict | None:
        return None if isinstance(self.game, RaceGame) else self.verdict(position)


def check_round_trips(trial: GameUnderTest) -> None:
    game = trial.game
    for position in trial.positions():
        text = position.text()
        again = game.parse_position(text)
        trial.require(again == position, position, f"its text is parsed as {again}.")
        trial.require(hash(again) == hash(position), position, "the parsed position has another hash.")
        trial.require(again.text() == text, position, f"the parsed position has the text {again.text()!r}.")
        trial.require(
            re.fullmatch(r"\S+", text) and text.isprintable(), position, "its text is not one word."
        )
        id = trial.id(position)
        trial.require(parse_game_id(id).start() == position, position, "its game ID names another position.")
        for move in position.moves():
            read = game.parse_move(str(move), position)
            trial.require(read == move, position, f"the move {move} is parsed as {read}.")
            trial.require(" " not in str(move), position, f"the move {str(move)!r} has a space.")


def check_game_ids(trial: GameUnderTest) -> None:
    parsed, start = trial.parsed, trial.start
    trial.require(parse_game_id(str(parsed)).start() == start, start, f"{parsed} names another position.")


def check_descriptions(trial: GameUnderTest) -> None:
    """Check that positions with the same description have the same moves or, in a race, the same map."""
    told: dict[Any, Any] = {}
    for before, after in trial.steps():
        words, moves = after.describe(), after.describe_moves()
        trial.require(
            before.describe() != words, after, "its description is the same as that of the position before."
        )
        plain = all(line and line.isprintable() for line in words + moves)
        trial.require(plain, after, "a line of its description is empty or contains control characters.")
        duel = not isinstance(trial.game, RaceGame)
        meant = set(after.moves()) if duel else str(after)
        same = told.setdefault((after.turn, *words), meant) == meant
        trial.require(same, after, "another position with other moves has the same description.")
        trial.require(bool(moves) == bool(after.moves()) or not duel, after, "its moves are not described.")


def check_legal_moves(trial: GameUnderTest) -> None:
    everywhere = {move for position in trial.positions() for move in position.moves()}
    for position in trial.positions():
        with trial.at(position):
            moves = position.moves()
            trial.require(len(set(moves)) == len(moves), position, "a move is listed twice.")
            ended = position.outcome() is not None
            trial.require(
                ended != bool(moves), position, "it must have moves until the game is over, and none after."
            )
            for move in moves:
                position.play(move)
        for move in everywhere - set(moves):
            expect_refusal(
                trial, position, f"the move {move}, which is not legal,", partial(position.play, move)
            )


def expect_refusal(
    trial: GameUnderTest, position: Position[Any], what: str, do: Callable[[], object]
) -> None:
    said = ""
    with trial.at(position):
        try:
            do()
        except ValueError as error:
            said = str(error)
    trial.require(
        sentence(said),
        position,
        f"{what} must raise a ValueError. Its message must start with a capital and end with a full stop.",
    )


def check_immutability(trial: GameUnderTest) -> None:
    for before, after in trial.steps():
        described = before.text()
        before.play(before.moves()[0])
        trial.require(before.text() == described, before, "playing a move changed the old position.")
        expected = before.turn if isinstance(trial.game, RaceGame) else 1 - before.turn
        trial.require(after.turn == expected, before, "after a move it must be the other player's turn.")


def check_seeds(trial: GameUnderTest) -> None:
    game, parameters = trial.game, trial.parsed.parameters
    first = game.new(parameters, 5)
    trial.require(first == game.new(parameters, 5), first, "the same seed gives two different starts.")
    if game.parameters.seeded:
        differs = any(first != game.new(parameters, seed) for seed in range(6, 10))
        trial.require(differs, first, "all seeds give the same start.")


def check_verdict_consistency(trial: GameUnderTest) -> None:
    trial.require_duel("a score has no value to compare")
    for position in trial.positions():
        verdict = trial.verdict(position)
        if position.outcome() is not None:
            trial.require(
                verdict.remoteness == 0, position, "the game is over, but its verdict has plies left."
            )
            continue
        after = [trial.verdict(position.play(move)).before_move() for move in position.moves()]
        expected = [] if verdict.remoteness is None else [max(after, key=lambda each: each.preference)]
        for best in expected:
            same = (verdict.value, verdict.remoteness) == (best.value, best.remoteness)
            trial.require(same, position, f"its verdict is {verdict}, but its best move leads to {best}")


def check_verdicts_by_search(trial: GameUnderTest) -> None:
    trial.require_duel("its scores are checked by arcade verify")
    compared, known = 0, dict[Any, Any]()
    for positions in trial.matches:
        for position in reversed(positions):
            with trial.limited(SECONDS) as control:
                found = known if position in known else solve(position, control, MAX_SEARCHED)
            if found is None:
                break
            compared, known = compared + 1, found
            verdict, (value, plies) = trial.verdict(position), known[position]
            truth = DuelVerdict(Proof.EXACT, value, plies)
            same = (verdict.value, verdict.remoteness) == (value, plies)
            trial.require(same, position, f"its verdict is {verdict}, but a brute-force search found {truth}")
    if not compared:
        raise SkippedError("Positions repeat, or there are too many for a brute-force search.")


def check_encoding(trial: GameUnderTest) -> None:
    trial.require_duel("only duels have an encoding")
    game, start = trial.game, trial.start
    moves, count = list(game.encoding.all_moves(start)), len(game.encoding.features(start, start))
    trial.require(len(set(moves)) == len(moves), start, "Encoding.all_moves lists a move twice.")
    seen: dict[tuple[int, ...], Any] = {}
    for position in trial.positions():
        trial.require(
            set(position.moves()) <= set(moves), position, "a move is missing from Encoding.all_moves."
        )
        features = tuple(game.encoding.features(position, start))
        trial.require(
            len(features) == count,
            position,
            "Encoding.features differs in length from the first position's.",
        )
        trial.require(min(features, default=0) >= 0, position, "Encoding.features has a negative number.")
        same = seen.setdefault(features, position) == position
        trial.require(same, position, "Encoding.features is the same as for another position.")


def check_analyses(trial: GameUnderTest) -> None:
    for position in (position for positions in trial.matches[:3] for position in positions[:-1]):
        analysis = trial.solver.moves(position, trial.control)
        same = [each.move for each in analysis] == list(position.moves())
        trial.require(same, position, "the analysis must list the moves in the order of moves().")
        verdict = trial.duel_verdict(position)
        if verdict is not None:
            best = {(each.verdict.value, each.verdict.remoteness) for each in analysis if each.best}
            known = best == {(verdict.value, verdict.remoteness)} or verdict.remoteness is None
            trial.require(known, position, "the verdict of the best moves differs from its own.")


def check_symmetries(trial: GameUnderTest) -> None:
    trial.require_duel("a score may be a limit that depends on the search")
    for position in trial.positions(3):
        verdict = trial.verdict(position)
        for other in trial.game.symmetries.images(position):
            found = trial.verdict(other)
            same = (found.value, found.remoteness) == (verdict.value, verdict.remoteness)
            trial.require(same, position, f"{trial.id(other)} is symmetric but has another verdict.")


def check_hints(trial: GameUnderTest) -> None:
    game = trial.game
    for position in trial.positions(2):
        verdict = trial.duel_verdict(position)
        if verdict is not None and verdict.remoteness is None:
            continue
        hint = game.explanations.hint(position, trial.control)
        ended = position.outcome() is not None
        trial.require(
            (hint is None) == ended, position, "it must have a hint until the game is over, and none after."
        )
        if hint is None:
            continue
        where = hint.region.says
        told = re.search(rf"(?<!\w){re.escape(str(hint.move))}(?!\w)", where)
        trial.require(not told, position, f"{where!r} gives the move away.")
        sentences = where.endswith(".") and hint.why.endswith(".")
        trial.require(sentences, position, "the sentences of its hint must end with a full stop.")
        end = position.after(hint.line)
        trial.require(end.outcome() is not None, position, "the line of its hint does not reach the end.")
        if verdict is not None:
            kept = hint.move in value_keeping_moves(trial.solver.moves(position, trial.control))
            trial.require(kept, position, f"its hint {hint.move} does not keep the value.")
        elif isinstance(game, RaceGame) and isinstance(hint.verdict, ScoreVerdict):
            reached = game.points(end) == hint.verdict.best
            trial.require(reached, position, "the line of its hint does not reach the promised score.")
            after = [position.play(move) for move in position.moves()]
            if all(each.outcome() for each in after):
                most = max(game.points(each) for each in after)
                trial.require(hint.verdict.best == most, position, "its hint is not the best last move.")


def check_best_line(trial: GameUnderTest) -> None:
    start = trial.start
    verdict = trial.duel_verdict(start)
    if verdict is not None and verdict.remoteness is None:
        raise SkippedError("Neither side can force an end.")
    line = trial.solver.line(start, trial.control)
    end = start.after(line)
    outcome = end.outcome()
    trial.require(outcome is not None, start, "the best line does not reach the end.")
    if verdict is not None and outcome is not None:
        as_long = len(line) == verdict.remoteness
        trial.require(as_long, start, "the length of the best line differs from the verdict.")
        winner = {Value.WIN: start.turn, Value.LOSS: 1 - start.turn}.get(verdict.value or Value.TIE)
        trial.require(outcome.winner == winner, start, "the best line has another winner than the verdict.")


def check_players(trial: GameUnderTest) -> None:
    duel = not isinstance(trial.game, RaceGame)
    solved = duel and trial.solver.verdict(trial.start, trial.control).proof is Proof.EXACT
    plies = MAX_PLIES if solved or not duel else UNSOLVED_PLIES
    for kind in player_kinds(trial.game):
        notation = kind.name if kind.argument is None else f"{kind.name}:{kind.argument.low}"
        player = make_player(trial.game, notation)
        chosen = []
        for _ in range(2):
            rng, position, moves = random.Random(3), trial.start, list[Any]()
            while position.moves() and len(moves) < plies:
                with trial.limited(None if solved else MOVE_SECONDS) as control:
                    move = player.choose(position, rng, control)
                legal = move in position.moves()
                trial.require(legal, position, f"the player {notation} plays {move}, which is not legal.")
                moves.append(move)
                position = position.play(move)
            chosen.append(moves)
        same = chosen[0] == chosen[1] or not solved
        trial.require(same, trial.start, f"the player {notation} plays different matches with the same seed.")


def check_invalid_input(trial: GameUnderTest) -> None:
    game, start = trial.game, trial.start

    def read_and_play(move: str) -> object:
        return start.play(game.parse_move(move, start))

    for bad in sorted(set(MOVES_OF_NO_GAME) - set(map(str, start.moves()))):
        expect_refusal(trial, start, f"the move {bad!r}", partial(read_and_play, bad))
    for bad in IDS_OF_NO_GAME:
        id = f"{game.name}:{bad}"
        expect_refusal(trial, start, f"the game ID {id}", partial(parse_game_id, id))


def check_metadata(trial: GameUnderTest) -> None:
    game, start = trial.game, trial.start
    trial.require(game.title and game.teaching.rules, start, "the game needs a title and rules.")
    trial.require(sentence(game.summary), start, "the summary of the game must be a sentence.")
    for preset in game.parameters.presets:
        parameters = game.parameters.parse(preset.parameters)
        trial.require(
            game.new(parameters).moves(), game.new(parameters), "no move is possible at a preset's start."
        )
        same = game.parameters.text(parameters) == preset.parameters
        trial.require(same, game.new(parameters), f"the preset {preset.parameters!r} is not standard.")
    path = game.practice.path
    for step in path:
        parse_player(game, step.opponent)
        moves = game.new(game.parameters.parse(step.board)).moves()
        trial.require(moves, start, f"the board {step.board!r} of the path starts without a legal move.")
    once = len({(step.board, step.opponent) for step in path}) == len(path)
    trial.require(once, start, "two steps of the path have the same board and opponent.")


@dataclass(frozen=True)
class Requirement:
    says: str
    run: Callable[[GameUnderTest], None]
    needed: bool = True


REQUIREMENTS = (
    Requirement("Positions and moves can be read back from their texts.", check_round_trips),
    Requirement("Game IDs name the right positions.", check_game_ids),
    Requirement("Different positions have different descriptions.", check_descriptions),
    Requirement("Legal moves can be played, and others raise an error with a sentence.", check_legal_moves),
    Requirement("A move does not change the old position, and the turn passes.", check_immutability),
    Requirement("A seed always gives the same first position.", check_seeds),
    Requirement("A verdict follows from the verdicts after the moves.", check_verdict_consistency),
    Requirement("The verdicts agree with a brute-force search.", check_verdicts_by_search),
    Requirement("The values of the moves agree with the verdict.", check_analyses),
    Requirement("Symmetric positions have the same verdict.", check_symmetries),
    Requirement("Hints are legal, keep the value and lead to the end.", check_hints),
    Requirement("The best line is as long as the verdict says.", check_best_line),
    Requirement("All players play legal moves, and the same ones with the same seed.", check_players),
    Requirement("Invalid moves and game IDs raise an error with a sentence.", check_invalid_input),
    Requirement("The game has a title, a summary, rules, and playable presets and steps.", check_metadata),
    Requirement("The encoding for machine learning is consistent.", check_encoding, needed=False),
)


def run_requirement(check: Requirement, trial: GameUnderTest) -> str:
    """Check a requirement. Return a sentence about the problem, or "" if the requirement is met.

    Raises SkippedError if the requirement cannot be checked.
    """
    trial.raise_if_stopped()
    wrong = ""
    try:
        check.run(trial)
    except BrokenError as error:
        wrong = printable(str(error))
    except SkippedError:
        raise
    except Exception as error:
        wrong = printable(f"{type(error).__name__}: {error}")
    trial.raise_if_stopped()
    return wrong
