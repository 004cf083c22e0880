"""Tetromino: a player who cannot place a piece loses."""

TITLE = "Tetromino"
SUMMARY = "Take turns placing five pieces each."
COMMANDS = "Placements and values of Tetromino boards."
