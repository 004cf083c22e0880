"""Lists of moves as text, typed or copied from a match."""

import re
from collections.abc import Callable

from arcade.engines.files import InputError
from arcade.engines.game import Game
from arcade.engines.position import M, P

_COMMENT = re.compile(r"\{(?:[^}\\]|\\.)*\}", re.DOTALL)
_ADDED = re.compile(r"(?:[0-9]{1,9}\.+)?(?:1-0|0-1|1/2-1/2|end|\*)?")
"""What a match file writes before or after moves; see `arcade.play.files`."""
_SIGNS = "!=?"


def play_words(text: str, play: Callable[[str], object]) -> None:
    """Pass the moves of a list to `play`, one after another, for example for the option --moves.

    As in a match file, the list may contain move numbers, annotations, comments and the result. `play` raises
    ValueError for a bad move; the InputError raised then names the move and the reason.
    """
    number = 1
    for word in _COMMENT.sub(" ", text).split():
        # In some games a move may look like a move number or an annotation.
        for tried in dict.fromkeys((word, _bare(word))):
            try:
                if tried:
                    play(tried)
                    number += 1
                break
            except ValueError as error:
                failed = InputError(f"Move {number}, {tried!r}: {error}")
        else:
            raise failed


def parse_moves(game: Game[P, M], text: str, position: P) -> list[M]:
    moves: list[M] = []

    def play(word: str) -> None:
        nonlocal position
        move = game.parse_move(word, position)
        position = position.play(move)
        moves.append(move)

    play_words(text, play)
    return moves


def _bare(word: str) -> str:
    """Return a move without the additions of a match file; empty if nothing else remains."""
    return "" if _ADDED.fullmatch(word) else re.sub(r"^[0-9]{1,9}\.+", "", word).rstrip(_SIGNS)
