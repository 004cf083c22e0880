"""The arcade's own themes, and the meaningful colours that all games share."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="arcade-dark",
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
    dark=True,
    variables={
        "win": "#7fc97a",
        "loss": "#ee7d70",
        "tie": "#e8c15a",
        "faint": "#979bab",
        "edge": "#474b59",
        "footer-key-foreground": "#e3a857",
        "footer-background": "#1b1d24",
        "block-cursor-background": "#e3a857",
        "block-cursor-foreground": "#14151a",
        "input-selection-background": "#e3a857 35%",
    },
)

LIGHT = Theme(
    name="arcade-light",
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
    dark=False,
    variables={
        "win": "#2c7530",
        "loss": "#b3362b",
        "tie": "#856100",
        "faint": "#6f6759",
        "edge": "#b9ae97",
        "footer-key-foreground": "#8f4e12",
        "footer-background": "#efe9dc",
        "block-cursor-background": "#8f4e12",
        "block-cursor-foreground": "#f7f3ea",
        "input-selection-background": "#8f4e12 35%",
    },
)

THEMES = (DARK, LIGHT)
