import random

import pytest

from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.move_lists import parse_moves, play_words
from arcade.engines.registry import installed_games, parse_game_id
from arcade.play.files import ENDS, SIGNS, write
from arcade.play.match import new_match


def words(text: str, *legal: str) -> list[str]:
    played: list[str] = []

    def play(word: str) -> None:
        if word not in legal:
            raise ValueError(f"{word!r} is no move.")
        played.append(word)

    play_words(text, play)
    return played


@pytest.mark.parametrize("sign", ["", *SIGNS.values()])
@pytest.mark.parametrize("end", ["", *ENDS])
def test_move_list_accepts_match_file_annotations(sign: str, end: str) -> None:
    for number in ("", "1. ", "1.", "12... "):
        assert words(f"{number}a2{sign} {{a comment, 9. }}2. b3 {end}", "a2", "b3") == ["a2", "b3"]


def test_legal_move_resembling_an_annotation_is_played() -> None:
    assert words("1. 1.5 a! * 2. a", "1.5", "a!", "*", "a") == ["1.5", "a!", "*", "a"]


def test_invalid_move_is_named_without_annotations() -> None:
    with pytest.raises(InputError, match=r"^Move 2, 'x9': 'x9' is no move\.$"):
        words("1. a2 2. x9?? *", "a2")


@pytest.mark.parametrize("name", [game.name for game in installed_games()])
def test_match_file_moves_are_parsed_in_each_game(name: str) -> None:
    start = parse_game_id(name)
    match = new_match(start, ("human",) * 2 if not isinstance(start.game, RaceGame) else ("human",))
    rng = random.Random(1)
    while match.result is None and len(match.line) < 8:
        match.play(rng.choice(match.position.moves()))
    listed = write(match.record()).partition("\n\n")[2]
    read = parse_moves(start.game, listed, match.first)
    assert read == list(match.moves)
