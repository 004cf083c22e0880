"""Tetromino: a player who cannot place a piece loses."""

TITLE = "Tetromino"
SUMMARY = "Be the last to place a piece."
COMMANDS = "Placements and values of Tetromino boards."
