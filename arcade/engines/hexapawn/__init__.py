"""Hexapawn on boards of up to 64 squares."""

TITLE = "Hexapawn"
SUMMARY = "Get a pawn across, or block every enemy pawn."
COMMANDS = "Position files and long searches of Hexapawn."
