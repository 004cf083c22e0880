"""`arcade play` and `arcade learn`: matches and lessons, in the app or in text mode."""

from collections.abc import Sequence
from typing import Annotated

import typer

from arcade.commands.common import load_app_state
from arcade.commands.full_screen import in_text_mode, open_app
from arcade.commands.machines import load_machines
from arcade.commands.options import Ascii, ChoiceSeed, Moves, PlainText, check_utf8, complete_game
from arcade.commands.text_mode import play_match, resume_last_match, take_lessons
from arcade.engines.files import InputError
from arcade.engines.move_lists import play_words
from arcade.engines.registry import ORDER, get_game, parse_game_id, random_seed
from arcade.play import files as match_file
from arcade.play.match import Match, new_match, suggested_players
from arcade.study.lessons import LessonProgress

app = typer.Typer(rich_markup_mode=None)


@app.command()
def play(
    game_id: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE",
            autocompletion=complete_game,
            show_default="your last match",
            help="Game ID such as chocobar:8x10, or a match file.",
        ),
    ] = "",
    seats: Annotated[
        str,
        typer.Option(
            metavar="A,B", callback=check_utf8, help="Players, for example human,beginner or depth:3,perfect."
        ),
    ] = "",
    moves: Moves = "",
    seed: ChoiceSeed = None,
    plain: PlainText = False,
    ascii: Ascii = False,
) -> None:
    """Play a match. Use --plain for text mode."""
    match = opened(game_id, seats, moves, seed) if game_id else None
    if not in_text_mode(plain):
        open_app(opening=match, ascii=ascii)
        return
    if match is None:
        resume_last_match()
    else:
        play_match(match)


def opened(game_id: str, seats: str, moves: str, seed: int | None) -> Match:
    """Return the match that the arguments describe. Raises InputError if an argument is invalid."""
    with load_machines() as machines:
        if match_file.is_name(game_id):
            if seats or moves or seed is not None:
                raise InputError("A match file already contains players and moves. Remove the other options.")
            match = match_file.read_file(game_id, machines)
            match.note_unseen()
            return match
        parsed = parse_game_id(game_id)
        if seed is None and parsed.seed is None:
            seed = random_seed()
        if seats:
            seated: Sequence[str] = seats.split(",")
        else:
            last = load_app_state().seats_of(parsed.game.name)
            seated = suggested_players(last, parsed.game, parsed.parameters, machines)
        match = new_match(parsed, seated, machines, seed)
    # In a race, each player moves on their own board.
    play_words(moves, lambda word: match.play(parsed.game.parse_move(word, match.position)))
    match.note_unseen()
    return match


@app.command()
def learn(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME", autocompletion=complete_game, help="Name of the game, for example hexapawn."
        ),
    ] = ORDER[0],
    plain: Annotated[bool, typer.Option("--plain", help="Take the lessons in text mode.")] = False,
    ascii: Ascii = False,
) -> None:
    """Take the lessons of a game. Use --plain for text mode."""
    game = get_game(name)
    # Report errors in the lessons before the screen opens.
    LessonProgress(game)
    if not in_text_mode(plain):
        open_app(learning=game, ascii=ascii)
        return
    take_lessons(game)
