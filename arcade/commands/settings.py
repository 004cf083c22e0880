"""`arcade keys` and `arcade where`: the keys, and the data folder."""

import os
from pathlib import Path

import typer

from arcade.commands.common import print_error, print_line, print_result
from arcade.commands.options import AsJson
from arcade.engines.files import InputError, data_folder
from arcade.play.keymap import KEYS, read_keys
from arcade.play.keys import written
from arcade.store.file import FILE_NAME
from arcade.store.settings import SETTINGS_FILE

app = typer.Typer(rich_markup_mode=None)


@app.command("keys")
def list_keys() -> None:
    """Print all key bindings as a settings file that you can edit."""
    folder = data_folder()
    used, wrong = read_keys(folder)
    print_line(f"# Copy the lines that you change to {folder / SETTINGS_FILE}, below [keys].", "[keys]")
    for name, key in KEYS.items():
        keys = written(used.table[name])
        line = f'{name} = "{keys}"' if keys else f'# {name} = ""'
        print_line(f"{line:27} # {key.meaning}")
    for sentence in wrong[:-1]:
        print_error(sentence)
    if wrong:
        raise InputError(wrong[-1])


@app.command()
def where(as_json: AsJson = False) -> None:
    """Print where your matches, settings and machines are stored."""
    file = Path(os.path.abspath(data_folder() / FILE_NAME))
    size = file.stat().st_size if file.exists() else None
    print_result(as_json, {"folder": str(file.parent), "file": str(file), "bytes": size}, str(file))
