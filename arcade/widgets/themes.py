"""The arcade's themes."""

from typing import Any

from textual.theme import Theme

from arcade.widgets import read_table


def _theme(name: str, dark: bool, faint: str, edge: str, **colours: Any) -> Theme:
    variables = {
        "win": colours["success"],
        "loss": colours["error"],
        "tie": colours["warning"],
        "faint": faint,
        "edge": edge,
        "footer-key-foreground": colours["primary"],
        "footer-background": colours["surface"],
        "block-cursor-background": colours["primary"],
        "block-cursor-foreground": colours["background"],
        "input-selection-background": f"{colours['primary']} 35%",
    }
    return Theme(name, dark=dark, variables=variables, **colours)


THEMES = tuple(_theme(name, **colours) for name, colours in read_table("themes.toml").items())
DARK = THEMES[0]
