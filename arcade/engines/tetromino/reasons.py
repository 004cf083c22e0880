"""The rules of thumb of Tetromino, for positions in which the pieces in the hands no longer all fit.

The *room* is an upper bound of the number of pieces that still fit. It counts only cells that pieces
in the hands can cover: each connected region of them has room for a quarter of its cells, rounded down.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache, reduce
from itertools import chain
from operator import or_

from arcade.engines.reasons import RuleMatch, RuleSet
from arcade.engines.tetromino.board import MAX_CELLS, Placement, board, cells_of
from arcade.engines.tetromino.rules import SIDES, Tetrominoes
from arcade.engines.verdict import Squares, Value
from arcade.engines.wording import capitalize

Masks = list[int]

REMEMBERED = 1 << 16


@lru_cache(maxsize=8)
def _masks(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(mask for _, mask in each) for each in board(width, height).by_piece)


@lru_cache(maxsize=8)
def _placed(width: int, height: int) -> dict[int, Placement]:
    return {mask: at for at, mask in board(width, height).placements.items()}


class EndgameFeatures:
    def __init__(self, position: Tetrominoes, live: int) -> None:
        """`live` is a mask of the cells that pieces in the hands can cover.

        Most features are computed here, because a cached property takes a lock in Python 3.11.
        """
        self.position = position
        self.live = live
        self.mover, self.other = SIDES[position.turn], SIDES[1 - position.turn]
        mine, theirs = position.hands[position.turn], position.hands[1 - position.turn]
        self.held = mine.bit_count() + theirs.bit_count()
        self.room = _room(live, position.width)
        free = {
            number: [mask for mask in masks if not mask & ~live]
            for number, masks in enumerate(_masks(position.width, position.height))
            if (mine | theirs) >> number & 1
        }
        self._mine = [masks for number, masks in free.items() if mine >> number & 1 and masks]
        self._theirs = [masks for number, masks in free.items() if theirs >> number & 1 and masks]
        self.mine = list(chain.from_iterable(self._mine))
        self.theirs = list(chain.from_iterable(self._theirs))

    def match(self, says: str) -> RuleMatch:
        return RuleMatch(says, self._squares(self.live))

    def _squares(self, cells: int) -> Squares:
        places = (divmod(cell, self.position.width) for cell in cells_of(cells))
        return tuple((self.position.height - 1 - rank, file) for rank, file in places)

    def placing(self, mask: int | None, what: str) -> RuleMatch | None:
        if mask is None:
            return None
        piece, squares = self.placed(mask)
        return RuleMatch.by_move(self.mover, what, squares, piece)

    def placed(self, mask: int) -> tuple[str, Squares]:
        return str(_placed(self.position.width, self.position.height)[mask]), self._squares(mask)

    @cached_property
    def blocks(self) -> int | None:
        return _blocking(self.mine, self.theirs)

    @cached_property
    def leaves_two(self) -> int | None:
        """A placement that leaves room for at most two pieces, or None.

        No placement by the opponent then blocks all places left to the mover.
        """
        if self.room > 4:
            return None
        width = self.position.width
        for masks, others in self._mine_and_others():
            for mask in masks:
                left = self.live & ~mask
                if left.bit_count() >= 12 and _room(left, width) > 2:
                    continue
                theirs = [each for each in self.theirs if not each & mask]
                mine = [each for each in others if not each & mask]
                # Room for two is less than both players hold, unless few pieces are left.
                full = self.held > 3 or _room(_union(chain(mine, theirs)), width) < self.held - 1
                if theirs and full and _blocking(theirs, mine) is None:
                    return mask
        return None

    def _mine_and_others(self) -> Iterator[tuple[Masks, Masks]]:
        for number, masks in enumerate(self._mine):
            others = (*self._mine[:number], *self._mine[number + 1 :])
            yield masks, list(chain.from_iterable(others))

    @cached_property
    def leaves_one(self) -> int | None:
        """A placement after which the opponent can place at most one more piece, or None.

        No placement by the opponent then blocks all places left to the mover.
        """
        for masks, others in self._mine_and_others():
            for mask in masks:
                theirs = [[each for each in piece if not each & mask] for piece in self._theirs]
                if _can_place(theirs, 0, 2):
                    continue
                mine = [each for each in others if not each & mask]
                if all(any(not each & block for each in mine) for piece in theirs for block in piece):
                    return mask
        return None


def _regions(cells: int, width: int) -> tuple[int, ...]:
    left = _left_column(width)
    not_left, not_right = ~left, ~(left << width - 1)
    found = []
    while cells:
        region, grown = 0, cells & -cells
        while region != grown:
            region = grown
            beside = (region & not_right) << 1 | (region & not_left) >> 1
            grown = (region | beside | region << width | region >> width) & cells
        found.append(region)
        cells &= ~region
    return tuple(found)


@cache
def _left_column(width: int) -> int:
    return sum(1 << cell for cell in range(0, MAX_CELLS, width))


@lru_cache(REMEMBERED)
def _room(cells: int, width: int) -> int:
    return sum(region.bit_count() // 4 for region in _regions(cells, width))


def _blocking(masks: Masks, against: Masks) -> int | None:
    for mask in masks:
        for each in against:
            if not mask & each:
                break
        else:
            return mask
    return None


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


def extract_features(position: Tetrominoes) -> EndgameFeatures | None:
    """Return the features of a position, or None if the game is over or there is room for every piece."""
    mine, theirs = position.hands[position.turn], position.hands[1 - position.turn]
    free = (1 << position.board.cells) - 1 & ~position.occupied
    live = position.board.live(free, mine | theirs)
    if _room(live, position.width) >= mine.bit_count() + theirs.bit_count():
        return None
    features = EndgameFeatures(position, live)
    return features if features.mine else None


rules = RuleSet(
    __package__,
    extract_features,
    "Region: a group of connected free cells. Ignore cells that no piece in hand can cover.\n"
    "Room: an upper limit on the pieces that can still fit. Divide the number of cells in each region by "
    "four, round down, and add up the results.\n"
    "Spot: four free cells where a piece fits. Your spots are those where your pieces fit.\n"
    "Block: a piece blocks a spot if it covers any of the four cells.\n"
    "The rules apply when the board has too little room for all the pieces still in hand.",
)


@rules.rule(
    "none-fits",
    name="Shut out",
    headline="If none of your opponent's pieces fits, place one of yours.",
    value=Value.WIN,
    says="On your turn, you win if none of your opponent's pieces fits and one of yours does.",
    proof="You place it, and they cannot place any.",
)
def none_fits(features: EndgameFeatures) -> RuleMatch | None:
    if features.theirs:
        return None
    none_fits = f"none of {features.other}'s pieces fits any more"
    piece, squares = features.placed(features.mine[0])
    says = f"{none_fits}, so {features.mover} wins with {piece}."
    return RuleMatch(says, squares, (piece,), f"{capitalize(none_fits)}.")


@rules.rule(
    "last-place",
    name="Room for one",
    headline="If there is room for only one more piece, place yours.",
    value=Value.WIN,
    says="On your turn, you win if there is room for only one more piece and one of yours fits.",
    proof="You place it, and there is no room for theirs.",
)
def last_place(features: EndgameFeatures) -> RuleMatch | None:
    if features.room != 1:
        return None
    return features.placing(features.mine[0], "leaves no room for another piece")


@rules.rule(
    "block-all",
    name="Block everything",
    headline="Place a piece that blocks every spot your opponent has left.",
    value=Value.WIN,
    says="On your turn, you win if one piece of yours can block every spot your opponent has.",
    proof="You place it, and they cannot place any.",
)
def block_all(features: EndgameFeatures) -> RuleMatch | None:
    return features.placing(features.blocks, f"blocks every spot that {features.other} has left")


@rules.rule(
    "room-for-three",
    name="Block next",
    headline="Be ready to block everything after any piece that your opponent places.",
    value=Value.LOSS,
    says=(
        "Suppose your opponent is to move and there is room for three more pieces. You win if you can answer "
        "each of their pieces by blocking all their spots."
    ),
    proof="After your answer they cannot place any.",
)
def room_for_three(features: EndgameFeatures) -> RuleMatch | None:
    if features.room != 3 or features.blocks is not None or features.leaves_two is not None:
        return None
    return features.match(
        f"there is room for three more pieces. After each piece that {features.mover} can place, "
        f"{features.other} can block every spot {features.mover} has left."
    )


@rules.rule(
    "leave-room-for-two",
    name="Place last",
    headline="Leave room for two more pieces, and place the last one yourself.",
    value=Value.WIN,
    says=(
        "On your turn, place a piece that leaves room for at most two more. You win if none of your "
        "opponent's pieces can then block all your spots."
    ),
    proof="They place one, and you place the last one.",
)
def leave_room_for_two(features: EndgameFeatures) -> RuleMatch | None:
    what = (
        f"leaves room for two more pieces, and {features.other} cannot block all of {features.mover}'s spots "
        f"with one"
    )
    return features.placing(features.leaves_two, what)


@rules.rule(
    "leave-them-one",
    name="Stay one ahead",
    headline="Let your opponent place only one more piece, then place another.",
    value=Value.WIN,
    says=(
        "On your turn, place a piece so that your opponent can place only one more in the rest of the match. "
        "If they cannot block all your spots with it, you win."
    ),
    proof="They place that piece, you place another, and they cannot move.",
)
def leave_them_one(features: EndgameFeatures) -> RuleMatch | None:
    what = (
        f"lets {features.other} place only one more piece, and {features.mover} can always place another "
        f"after it"
    )
    return features.placing(features.leaves_one, what)


RULES = tuple(rules)
