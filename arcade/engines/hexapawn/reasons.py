"""The rules of thumb of Hexapawn, for the standard game only.

Positions are seen from the player to move, whose pawns move up.

* A *passed* pawn, or *runner*, has a free column ahead of it. No pawn of either side is two or more rows
  ahead of it in a neighbouring column. An enemy pawn that is there, or captures there, could stop the runner.
* A side to move *wins the race* if it has a runner that arrives first, or a move that creates one or leaves
  the other side no move.
* A move is *safe* if the other side cannot win the race after it.
* A *trap* is a safe move that leaves the other side no safe move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from arcade.engines.hexapawn.rules import SIDES, PawnMove, PawnPosition, half_turn, square_name
from arcade.engines.reasons import RuleMatch, RuleSet
from arcade.engines.verdict import Squares, Value
from arcade.engines.wording import capitalize, join_words, quantity, spelled_quantity

REMEMBERED = 1 << 16

MAX_NAMED = 5
"""Maximum number of moves that a sentence names."""
MAX_ANSWERED = 3
"""Maximum number of answers that a sentence names."""

Step = tuple[int, int]


class Shape:
    def __init__(self, rows: int, columns: int) -> None:
        self.rows = rows
        self.columns = columns
        self.first_row = (1 << columns) - 1
        squares = range(rows * columns)
        self.ahead = [self._bits(at, lambda up, aside: up > bool(aside)) for at in squares]
        """For each square, the squares that must be empty if a pawn there is to be a runner."""
        self.beside = [self._bits(at, lambda up, aside: up == 1 and bool(aside)) for at in squares]
        """For each square, the squares from which an enemy pawn can capture a pawn there."""

    def _bits(self, square: int, wanted: Callable[[int, int], bool]) -> int:
        row, column = divmod(square, self.columns)
        return sum(
            1 << (row + up) * self.columns + column + aside
            for up in range(1, self.rows - row)
            for aside in (-1, 0, 1)
            if 0 <= column + aside < self.columns and wanted(up, aside)
        )

    def turned(self, own: int, opp: int) -> tuple[int, int]:
        squares = self.rows * self.columns
        return half_turn(opp, squares), half_turn(own, squares)

    def steps_left(self, square: int) -> int:
        return self.rows - 1 - square // self.columns


shape_of = cache(Shape)


def moves(own: int, opp: int, shape: Shape, captures: bool) -> Iterator[Step]:
    columns = shape.columns
    left = own
    while left:
        square = left.bit_length() - 1
        left ^= 1 << square
        to = square + columns
        if captures:
            targets = opp & shape.beside[square]
            while targets:
                target = targets.bit_length() - 1
                targets ^= 1 << target
                yield square, target
        elif to < shape.rows * columns and not (own | opp) >> to & 1:
            yield square, to


def all_moves(own: int, opp: int, shape: Shape) -> Iterator[Step]:
    yield from moves(own, opp, shape, True)
    yield from moves(own, opp, shape, False)


def after(own: int, opp: int, step: Step) -> tuple[int, int]:
    to = 1 << step[1]
    return own ^ 1 << step[0] ^ to, opp & ~to


def enemy_steps(opp: int, shape: Shape) -> int:
    """Return how many steps the foremost enemy pawn needs to win, or a large number if there is none."""
    return ((opp & -opp).bit_length() - 1) // shape.columns if opp else 2 * shape.rows


def runner(own: int, opp: int, shape: Shape, to_move: bool) -> int | None:
    """Return the square of a runner that arrives first, or None if there is none.

    The runner is one of the pawns `own`, whose side moves next if `to_move` is True.
    """
    most = enemy_steps(opp, shape) - (not to_move)
    pawns = own
    while pawns:
        square = pawns.bit_length() - 1
        if shape.steps_left(square) > most:
            return None
        if not (own | opp) & shape.ahead[square] and (to_move or not opp & shape.beside[square]):
            return square
        pawns ^= 1 << square
    return None


def races(own: int, opp: int, shape: Shape, captures: bool) -> Iterator[Step]:
    """Yield the moves that win the race: captures if `captures` is True, otherwise steps."""
    for step in moves(own, opp, shape, captures):
        mine, theirs = after(own, opp, step)
        if runner(mine, theirs, shape, False) is not None or not can_move(*shape.turned(mine, theirs), shape):
            yield step


def can_race(own: int, opp: int, shape: Shape, captures: bool) -> bool:
    return next(races(own, opp, shape, captures), None) is not None


def fastest_race(own: int, opp: int, shape: Shape, captures: bool) -> tuple[Step, int | None] | None:
    """Return the move that wins the race soonest and the square of its runner, or None if no move wins it.

    The square is None if the move leaves no reply.
    """
    found = [(step, _runner_after(own, opp, shape, step)) for step in races(own, opp, shape, captures)]
    return max(found, key=lambda race: _progress(race[1], shape), default=None)


def _runner_after(own: int, opp: int, shape: Shape, step: Step) -> int | None:
    mine, theirs = after(own, opp, step)
    if not shape.steps_left(step[1]):
        return step[1]
    return runner(mine, theirs, shape, False) if can_move(*shape.turned(mine, theirs), shape) else None


def _progress(square: int | None, shape: Shape) -> int:
    return shape.rows * shape.columns if square is None else square


def can_move(own: int, opp: int, shape: Shape) -> bool:
    return next(all_moves(own, opp, shape), None) is not None


@lru_cache(REMEMBERED)
def wins_race(own: int, opp: int, shape: Shape) -> bool:
    return (
        runner(own, opp, shape, True) is not None
        or can_race(own, opp, shape, True)
        or can_race(own, opp, shape, False)
    )


def race_winner(own: int, opp: int, shape: Shape) -> Step:
    """Return the move that wins the race soonest. The side to move must be able to win it."""
    found = [fastest_race(own, opp, shape, captures) for captures in (True, False)]
    square = runner(own, opp, shape, True)
    if square is not None:
        found.append(((square, square + shape.columns), square + shape.columns))
    return max(filter(None, found), key=lambda race: _progress(race[1], shape))[0]


def safe_moves(own: int, opp: int, shape: Shape) -> Iterator[Step]:
    for step in all_moves(own, opp, shape):
        if not shape.steps_left(step[1]) or not wins_race(*shape.turned(*after(own, opp, step)), shape):
            yield step


@lru_cache(REMEMBERED)
def is_unsafe(own: int, opp: int, shape: Shape) -> bool:
    return next(safe_moves(own, opp, shape), None) is None


@lru_cache(REMEMBERED)
def trap(own: int, opp: int, shape: Shape) -> Step | None:
    """Return a trap, or None if there is none. The side to move must be unable to win the race."""
    safe = safe_moves(own, opp, shape)
    return next((step for step in safe if is_unsafe(*shape.turned(*after(own, opp, step)), shape)), None)


def is_lost(own: int, opp: int, shape: Shape) -> bool:
    # Winning the race implies a safe move. This check only saves a search.
    return not wins_race(own, opp, shape) and all(
        trap(*shape.turned(*after(own, opp, step)), shape) for step in safe_moves(own, opp, shape)
    )


def squares_of(pawns: int) -> list[int]:
    return [square for square in range(pawns.bit_length()) if pawns >> square & 1]


@dataclass(frozen=True, slots=True)
class PawnFeatures:
    board: PawnPosition
    own: int
    opp: int
    shape: Shape

    @property
    def mover(self) -> str:
        return SIDES[self.board.turn]

    @property
    def other(self) -> str:
        return SIDES[1 - self.board.turn]

    def place(self, square: int) -> tuple[int, int]:
        if self.board.turn:
            square = self.board.rows * self.board.columns - 1 - square
        return divmod(square, self.board.columns)

    def name(self, square: int) -> str:
        return square_name(*self.place(square))

    def move(self, step: Step) -> PawnMove:
        row, column = self.place(step[1])
        return PawnMove(self.place(step[0])[1], column, row)

    def match(self, says: str, *squares: int) -> RuleMatch:
        return RuleMatch(says, self._on_screen(squares))

    def play(self, step: Step, then: str, *squares: int) -> RuleMatch:
        """Return a rule match that consists of a move and the sentence `then` about its effect."""
        move, places = str(self.move(step)), self._on_screen((*step, *squares))
        can_play = f"{self.mover} can play {move}. {then}"
        return RuleMatch(f"{self.mover} plays {move}. {then}", places, (move,), then, can_play)

    def play_which(self, step: Step, does: str) -> RuleMatch:
        return RuleMatch.by_move(self.mover, does, self._on_screen(step), str(self.move(step)))

    def _on_screen(self, squares: Sequence[int]) -> Squares:
        return tuple((self.board.rows - 1 - row, column) for row, column in map(self.place, squares))

    def seen_by_other(self) -> PawnFeatures:
        board = replace(self.board, turn=1 - self.board.turn)
        return PawnFeatures(board, *self.theirs)

    @property
    def theirs(self) -> tuple[int, int, Shape]:
        return (*self.shape.turned(self.own, self.opp), self.shape)

    @property
    def deficit(self) -> int:
        return self.opp.bit_count() - self.own.bit_count()

    @property
    def can_only_wait(self) -> bool:
        pawns = self.own, self.opp, self.shape
        return self.deficit > 0 and next(moves(*pawns, True), None) is None and not wins_race(*pawns)

    def runs(self, opp: int, square: int) -> str:
        needs = quantity(self.shape.steps_left(square), "step")
        needs = f"passed, so nothing can stop it. It needs {needs}"
        if not opp:
            return f"{needs}, and {self.other} has no pawn left"
        return f"{needs}, and {self.other}'s foremost pawn needs {enemy_steps(opp, self.shape)}"


def extract_features(board: PawnPosition) -> PawnFeatures | None:
    """Return the features of a position, or None if the game is over or a variant applies."""
    if board.misere or board.capture or board.reached() is not None:
        return None
    shape = shape_of(board.rows, board.columns)
    pawns = board.white, board.black
    features = PawnFeatures(board, *(shape.turned(*pawns) if board.turn else pawns), shape)
    return features if can_move(features.own, features.opp, shape) else None


rules = RuleSet(
    __package__,
    extract_features,
    "Passed pawn: no pawn can get in its way. The column ahead of it is free, and no pawn of either side is "
    "two or more rows ahead of it in a neighbouring column.\n"
    "Race: each side tries to get a pawn across first, so compare how many steps each side needs. Leaving "
    "your opponent no move also wins the race. The first three rules say when you win the race.\n"
    "Safe move: a move after which your opponent cannot win the race.\n"
    "Trap: a safe move that leaves your opponent no safe move.\n"
    "The rules apply to the standard game.",
)


@rules.rule(
    "runner-first",
    name="Passed pawn",
    headline="A passed pawn wins if no enemy pawn gets across sooner.",
    value=Value.WIN,
    says=(
        "On your turn, you win if your passed pawn can get across in no more steps than the foremost enemy "
        "pawn needs."
    ),
    proof=("A pawn changes its column only by taking, so no enemy pawn can block or take the passed pawn."),
)
def runner_first(features: PawnFeatures) -> RuleMatch | None:
    square = runner(features.own, features.opp, features.shape, True)
    if square is None:
        return None
    step = square, square + features.shape.columns
    if features.shape.steps_left(square) == 1:
        return features.play_which(step, "gets a pawn across")
    why = features.runs(features.opp, square)
    if enemy_steps(features.opp, features.shape) == features.shape.steps_left(square):
        why += f", but it is {features.mover}'s move"
    says = f"{features.mover}'s pawn on {features.name(square)} is {why}."
    return replace(features.match(says, square), moves=(str(features.move(step)),))


def _race(features: PawnFeatures, captures: bool) -> RuleMatch | None:
    found = fastest_race(features.own, features.opp, features.shape, captures)
    if found is None:
        return None
    step, square = found
    if square is None:
        return features.play_which(step, f"leaves {features.other} no move")
    if not features.shape.steps_left(square):
        return features.play_which(step, "gets a pawn across")
    why = features.runs(after(features.own, features.opp, step)[1], square)
    return features.play(step, f"The pawn on {features.name(square)} is then {why}.", square)


@rules.rule(
    "take-and-run",
    name="Take and run",
    headline="Win by taking: get across first or leave your opponent no move.",
    value=Value.WIN,
    says=(
        "You win if taking a pawn gets you across or leaves your opponent no move. You also win if it leaves "
        "you a passed pawn that cannot be taken on the next move and needs fewer steps than any enemy pawn."
    ),
    proof="In the second case, no pawn can block or take the passed pawn, and it needs the fewest steps.",
)
def take_and_run(features: PawnFeatures) -> RuleMatch | None:
    return _race(features, True)


@rules.rule(
    "step-and-run",
    name="Step and run",
    headline="Win by stepping: get across first or leave your opponent no move.",
    value=Value.WIN,
    says=(
        "You win if a step gets you across or leaves your opponent no move. You also win if it leaves you a "
        "passed pawn that cannot be taken on the next move and needs fewer steps than any enemy pawn."
    ),
    proof="In the second case, no pawn can block or take the passed pawn, and it needs the fewest steps.",
)
def step_and_run(features: PawnFeatures) -> RuleMatch | None:
    return _race(features, False)


def _answered(features: PawnFeatures, answer: Callable[[int, int, Shape], Step]) -> RuleMatch:
    """Describe the other player's answers to all moves. If there are only a few answers, name them."""
    other = features.seen_by_other()
    steps = sorted(
        all_moves(features.own, features.opp, features.shape), key=lambda step: str(features.move(step))
    )
    answers: dict[str, str] = {}
    by_aim: dict[str, dict[str, list[str]]] = {}
    for step in steps:
        pawns = features.shape.turned(*after(features.own, features.opp, step))
        reply, move = answer(*pawns, features.shape), str(features.move(step))
        answers[move] = str(other.move(reply))
        aim = _aim(other, *pawns, features.shape, reply)
        by_aim.setdefault(aim, {}).setdefault(answers[move], []).append(move)
    replies = sum(map(len, by_aim.values()))
    if len(steps) == 1:
        has = f"{features.mover}'s only move is {features.move(steps[0])}"
    else:
        only = "only " * (len(steps) <= MAX_ANSWERED)
        has = f"{features.mover} has {only}{spelled_quantity(len(steps), 'move')}"
    if replies == 1:
        [(aim, [reply_words])] = by_aim.items()
        told = [f"{other.mover} answers {'each ' * (len(steps) > 1)}with {reply_words}, which {aim}"]
    elif replies <= MAX_ANSWERED and len(steps) <= MAX_NAMED:
        told = [
            f"if {features.mover} plays {join_words(moves, 'or')}, {other.mover} plays {reply}"
            + f", which {aim}" * (len(by_aim) > 1)
            for aim, answered in by_aim.items()
            for reply, moves in answered.items()
        ]
        if len(by_aim) == 1:
            told.append(f"each of {other.mover}'s moves {next(iter(by_aim))}")
    else:
        trap = " or set a trap" * (answer is _winner)
        told = [f"after each of them, {other.mover} can win the race{trap}"]
    says = ". ".join([has, *map(capitalize, told)])
    match = features.match(f"{says}.", *squares_of(features.own))
    return replace(match, answers=tuple(answers.items()))


def _aim(features: PawnFeatures, own: int, opp: int, shape: Shape, step: Step) -> str:
    """Return the effect of a winner's move, such as "wins the race"."""
    mine, theirs = after(own, opp, step)
    if not shape.steps_left(step[1]):
        return "gets a pawn across"
    replies = len(list(all_moves(*shape.turned(mine, theirs), shape)))
    if not replies:
        return f"leaves {features.other} no move"
    if wins_race(own, opp, shape):
        return "wins the race"
    loses = "replies lose" if replies > 1 else "only reply loses"
    return f"sets a trap: {'all of ' * (replies > 1)}{features.other}'s {loses}"


@rules.rule(
    "no-safe-move",
    name="No safe reply",
    headline="Leave your opponent only moves that let you win the race.",
    value=Value.LOSS,
    says=(
        "With your opponent to move, you win if none of their moves is safe, because you win the race after "
        "any of them."
    ),
    proof="Each of their moves leaves you one of the three ways to win the race.",
)
def no_safe_move(features: PawnFeatures) -> RuleMatch | None:
    if not is_unsafe(features.own, features.opp, features.shape):
        return None
    other = features.seen_by_other()
    square = runner(other.own, other.opp, features.shape, False)
    if square is not None:
        why = other.runs(other.opp, square)
        says = f"{other.mover}'s pawn on {other.name(square)} is {why}."
        return other.match(says, square)
    return _answered(features, race_winner)


@rules.rule(
    "trap",
    name="Trap",
    headline="Make a safe move that leaves your opponent no safe move.",
    value=Value.WIN,
    says="You win if you can set a trap: a safe move that leaves your opponent no safe move.",
    proof="Your opponent must move, and each move lets you win the race.",
)
def can_trap(features: PawnFeatures) -> RuleMatch | None:
    pawns = features.own, features.opp, features.shape
    step = None if wins_race(*pawns) else trap(*pawns)
    if step is None:
        return None
    left = extract_features(features.board.play(features.move(step)))
    trapped = None if left is None else no_safe_move(left)
    assert trapped is not None, "else it is no trap"
    return replace(features.play(step, f"Then {trapped.says}"), answers=trapped.answers)


@rules.rule(
    "races-and-traps",
    name="Corner them",
    headline="Leave only replies that lose the race or allow a trap.",
    value=Value.LOSS,
    says="With your opponent to move, you win if each of their moves lets you win the race or set a trap.",
    proof="You win the race after some of the moves and set a trap after the others. By the rule Trap, that "
    "wins too.",
)
def races_and_traps(features: PawnFeatures) -> RuleMatch | None:
    pawns = features.own, features.opp, features.shape
    if is_unsafe(*pawns) or not is_lost(*pawns):
        return None
    return _answered(features, _winner)


def _winner(own: int, opp: int, shape: Shape) -> Step:
    step = None if wins_race(own, opp, shape) else trap(own, opp, shape)
    return race_winner(own, opp, shape) if step is None else step


@rules.rule(
    "nothing-to-take",
    name="Nothing to take",
    headline="If you have more pawns, leave your opponent nothing to take.",
    value=Value.LOSS,
    says=(
        "With your opponent to move, you usually win if they have fewer pawns and nothing to take, and "
        "cannot win the race."
    ),
)
def nothing_to_take(features: PawnFeatures) -> RuleMatch | None:
    if not features.can_only_wait:
        return None
    return features.match(f"{features.mover} has fewer pawns and nothing to take.", *squares_of(features.own))


@rules.rule(
    "more-pawns",
    name="More pawns",
    headline="Count the pawns: having more is usually enough.",
    value=Value.WIN,
    says="You usually win if you have more pawns and it is your move.",
    teaches=False,
)
def more_pawns(features: PawnFeatures) -> RuleMatch | None:
    if features.deficit >= 0:
        return None
    says = f"{features.mover} has more pawns, and it is {features.mover}'s move."
    return features.match(says, *squares_of(features.own))


RULES = tuple(rules)
