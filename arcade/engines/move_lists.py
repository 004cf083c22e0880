"""Read lists of moves from text."""

import re
from collections.abc import Callable

from arcade.engines.files import InputError
from arcade.engines.game import Game
from arcade.engines.position import M, P

_COMMENT = re.compile(r"\{(?:[^}\\]|\\.)*\}", re.DOTALL)
_ADDED = re.compile(r"(?:[0-9]{1,9}\.+)?(?:1-0|0-1|1/2-1/2|end|\*)?")
"""Words in a match file that are not moves: move numbers and results. See `arcade.play.files`."""
_SIGNS = "!=?"


def play_words(text: str, play: Callable[[str], object]) -> None:
    """Call `play` with each move of a list, without numbers, annotations, comments and the result.

    Raises InputError, with the number of the move, if `play` rejects a move with ValueError.
    """
    number = 1
    for word in _COMMENT.sub(" ", text).split():
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
    return "" if _ADDED.fullmatch(word) else re.sub(r"^[0-9]{1,9}\.+", "", word).rstrip(_SIGNS)
