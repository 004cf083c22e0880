"""The arcade's own themes, and the meaningful colours that all games share."""

from __future__ import annotations

from typing import Any

from textual.theme import Theme


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


DARK = _theme(
    "arcade-dark",
    dark=True,
    faint="#979bab",
    edge="#474b59",
    primary="#e3a857",
    secondary="#6fb7c9",
    accent="#c98bdb",
    success="#7fc97a",
    warning="#e8c15a",
    error="#ee7d70",
    foreground="#e8e4dc",
    background="#14151a",
    surface="#1b1d24",
    panel="#262932",
)

LIGHT = _theme(
    "arcade-light",
    dark=False,
    faint="#6f6759",
    edge="#b9ae97",
    primary="#8f4e12",
    secondary="#1e6b80",
    accent="#7b3f94",
    success="#2c7530",
    warning="#856100",
    error="#b3362b",
    foreground="#26231e",
    background="#f7f3ea",
    surface="#efe9dc",
    panel="#e2dac8",
)

THEMES = (DARK, LIGHT)
