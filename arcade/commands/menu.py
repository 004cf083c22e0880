"""The menu in text mode."""

import re
from collections.abc import Callable
from typing import Any

import typer

from arcade.commands.common import input_lines, print_and_flush, sentence
from arcade.commands.text_mode import play_usual_match
from arcade.engines.files import InputError
from arcade.engines.registry import listed_games
from arcade.text.dialogue import LEAVE


def menu_in_text_mode(ascii: bool, do: Callable[[list[str]], Any]) -> None:
    """Show the menu and run commands until the player quits. `do` runs a command, like `arcade.cli.do`."""
    offered = listed_games()
    for game in offered:
        print_and_flush(f"{game.name}: {game.summary}")
    print_and_flush(
        "Type a game's name to play it. Other commands: learn GAME, puzzle GAME, play (resume), help, quit."
    )
    for line in input_lines():
        quoted = re.findall(r'(?:"[^"]*"|\S)+', line.removeprefix("arcade "))
        words = [word.replace('"', "") for word in quoted]
        if line.strip().lower() in LEAVE:
            break
        if words == ["help"]:
            words = ["--help"]
        elif words and re.split("[:#]", words[0])[0] in (game.name for game in offered):
            words.insert(0, "play")
        if words:
            try:
                usual = [game for game in offered if words == ["play", game.name]]
                if usual:
                    play_usual_match(usual[0])
                else:
                    do(["--plain", *["--ascii"] * ascii, *words])
            except (InputError, typer.TyperException) as error:
                print_and_flush(sentence(error))
            print_and_flush("Type a game, a command, help or quit.")
