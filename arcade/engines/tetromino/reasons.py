"""Tetromino's rules of play, all about the end, when not every piece in the hands finds room any more.

The *room* is how many more pieces the board can take at most: of the free cells that some piece still held
can cover, each region counts as a quarter of its cells.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import chain
from operator import or_

from arcade.engines.reasons import Case, RuleBook
from arcade.engines.tetromino.board import board, cells_of
from arcade.engines.tetromino.rules import SIDES, Tetrominoes
from arcade.engines.wording import counted

Masks = list[int]


@lru_cache(maxsize=8)
def _masks(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """For each piece the cells of its placements on an empty board."""
    return tuple(tuple(mask for _, mask in each) for each in board(width, height).by_piece)


class LateView:
    """What the rules ask of a position; each answer is found once."""

    def __init__(self, position: Tetrominoes) -> None:
        self.position = position
        self.mover, self.other = SIDES[position.turn], SIDES[1 - position.turn]
        occupied = position.occupied
        hands = position.hands[position.turn], position.hands[1 - position.turn]
        self.held = sum(hand.bit_count() for hand in hands)
        free: dict[int, Masks] = {}
        for number, masks in enumerate(_masks(position.width, position.height)):
            if (hands[0] | hands[1]) >> number & 1:
                free[number] = [mask for mask in masks if not mask & occupied]
        self._mine = [free[number] for number in free if hands[0] >> number & 1 and free[number]]
        self._theirs = [free[number] for number in free if hands[1] >> number & 1 and free[number]]
        self.mine = list(chain.from_iterable(self._mine))
        self.theirs = list(chain.from_iterable(self._theirs))
        self.live = _union(chain(self.mine, self.theirs))

    @cached_property
    def regions(self) -> list[int]:
        """The sets of connected cells that some piece still held can cover."""
        return self._split(self.live)

    def _split(self, rest: int) -> list[int]:
        width = self.position.width
        every = (1 << width * self.position.height) - 1
        left = sum(1 << rank * width for rank in range(self.position.height))
        not_left, not_right = every & ~left, every & ~(left << width - 1)
        found = []
        while rest:
            region, grown = 0, rest & -rest
            while region != grown:
                region = grown
                beside = (region & not_right) << 1 | (region & not_left) >> 1
                grown = (region | beside | region << width | region >> width) & rest
            found.append(region)
            rest &= ~region
        return found

    @cached_property
    def room(self) -> int:
        return _room_of(self.regions)

    @property
    def most(self) -> str:
        return f"There is room for {counted(self.room, 'more piece')} at most"

    def case(self, says: str, cells: int | None = None) -> Case:
        """What a rule says of a set of cells; by default of all that can still be covered."""
        width, height = self.position.width, self.position.height
        places = (divmod(cell, width) for cell in cells_of(self.live if cells is None else cells))
        return Case(says, tuple((height - 1 - rank, file) for rank, file in places))

    def placing(self, mask: int | None, what: str) -> Case | None:
        """What a rule says of a placement of mine; None without one."""
        return None if mask is None else self.case(f"{self.mover} has a piece that {what}.", mask)

    @cached_property
    def blocks(self) -> int | None:
        """A placement of mine that leaves them none, if there is one."""
        return next((mask for mask in self.mine if all(mask & each for each in self.theirs)), None)

    def alone(self) -> tuple[int, int]:
        """How many regions only my pieces fit, and how many only theirs."""
        mine, theirs = _union(self.mine), _union(self.theirs)
        only_mine = sum(bool(mine & region) and not theirs & region for region in self.regions)
        only_theirs = sum(bool(theirs & region) and not mine & region for region in self.regions)
        return only_mine, only_theirs

    def can_place(self, pieces: int) -> bool:
        """Whether I could place so many of my pieces if nobody else did."""
        return _can_place(self._mine, 0, pieces)

    def keep_two(self) -> bool:
        """Whether two of their pieces still fit, whatever I place."""
        return all(
            sum(any(not mask & each for each in masks) for masks in self._theirs) >= 2 for mask in self.mine
        )

    @cached_property
    def leaves_two(self) -> int | None:
        """A placement of mine that leaves room for two at most, and none of theirs that blocks all mine."""
        if self.room > 4:
            return None
        position, player = self.position, self.position.turn
        for number, masks in enumerate(_masks(position.width, position.height)):
            if not position.hands[player] >> number & 1:
                continue
            hand = position.hands[player] & ~(1 << number)
            hands = (hand, position.hands[1]) if player == 0 else (position.hands[0], hand)
            for mask in masks:
                if mask & position.occupied or _room_of(self._split(self.live & ~mask)) > 2:
                    continue
                after = LateView(
                    Tetrominoes(position.width, position.height, position.occupied | mask, hands, 1 - player)
                )
                if after.mine and after.room < after.held and after.blocks is None:
                    return mask
        return None

    @cached_property
    def leaves_one(self) -> int | None:
        """A placement of mine that leaves them one more at most, and none that blocks all of mine."""
        for number, masks in enumerate(self._mine):
            others = [each for piece in (*self._mine[:number], *self._mine[number + 1 :]) for each in piece]
            for mask in masks:
                theirs = [[each for each in piece if not each & mask] for piece in self._theirs]
                if _can_place(theirs, 0, 2):
                    continue
                mine = [each for each in others if not each & mask]
                if all(any(not each & block for each in mine) for piece in theirs for block in piece):
                    return mask
        return None


def _room_of(regions: Sequence[int]) -> int:
    return sum(region.bit_count() // 4 for region in regions)


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _can_place(of_pieces: Sequence[Masks], covered: int, pieces: int) -> bool:
    if not pieces:
        return True
    if len(of_pieces) < pieces:
        return False
    first, *rest = of_pieces
    if any(not mask & covered and _can_place(rest, covered | mask, pieces - 1) for mask in first):
        return True
    return _can_place(rest, covered, pieces)


def see(position: Tetrominoes) -> LateView | None:
    """The view of a position that is not over and has no room for every piece still held."""
    seen = LateView(position)
    return seen if seen.mine and seen.room < seen.held else None


rule = RuleBook("tetromino", see)


@rule("last-place")
def last_place(seen: LateView) -> Case | None:
    return None if seen.room != 1 else seen.case(f"{seen.most}, and {seen.mover} can place it.")


@rule("none-fits")
def none_fits(seen: LateView) -> Case | None:
    return None if seen.theirs else seen.case(f"{seen.other} has no piece that fits any more.")


@rule("block-all")
def block_all(seen: LateView) -> Case | None:
    return seen.placing(seen.blocks, f"blocks all places of {seen.other}")


@rule("three-of-yours")
def three_of_mine(seen: LateView) -> Case | None:
    if seen.room > 3 or len(seen.regions) < 2 or not seen.can_place(3):
        return None
    return seen.case(
        f"{seen.most}, in {counted(len(seen.regions), 'region')}, and {seen.mover} could place three."
    )


@rule("room-for-two")
def room_for_two(seen: LateView) -> Case | None:
    if seen.room > 2 or seen.blocks is not None:
        return None
    return seen.case(f"{seen.most}, and {seen.mover} cannot block all places of {seen.other}.")


@rule("room-for-three")
def room_for_three(seen: LateView) -> Case | None:
    if seen.room != 3 or seen.blocks is not None or seen.leaves_two is not None:
        return None
    return seen.case(f"{seen.most}, and whatever {seen.mover} places, {seen.other} has an answer.")


@rule("one-of-yours")
def one_of_mine(seen: LateView) -> Case | None:
    if seen.can_place(2) or seen.blocks is not None:
        return None
    return seen.case(f"{seen.mover} can place one more piece at most, which cannot block every place.")


@rule("own-place")
def own_place(seen: LateView) -> Case | None:
    if seen.room < 3 or len(seen.mine) < len(seen.theirs) or not seen.can_place(2):
        return None
    mine, theirs = seen.alone()
    if not mine or theirs:
        return None
    return seen.case(f"There is a place for {seen.mover} alone, and none for {seen.other} alone.")


@rule("their-place")
def their_place(seen: LateView) -> Case | None:
    if seen.room > 4 or not seen.alone()[1] or not seen.keep_two():
        return None
    return seen.case(
        f"{seen.most}, there is a place for {seen.other} alone, "
        f"and two pieces of {seen.other} fit whatever {seen.mover} places."
    )


@rule("leave-room-for-two")
def leave_room_for_two(seen: LateView) -> Case | None:
    what = f"leaves room for two at most, and {seen.other} cannot block the rest"
    return seen.placing(seen.leaves_two, what)


@rule("leave-them-one")
def leave_them_one(seen: LateView) -> Case | None:
    what = f"leaves {seen.other} one at most, which cannot block every place"
    return seen.placing(seen.leaves_one, what)


RULES = rule.rules
