"""Tetromino: two players place the five pieces I, L, O, S, T; who cannot place one loses."""

TITLE = "Tetromino"
SUMMARY = "Take turns placing five pieces each."
COMMANDS = "Placements and values of Tetromino boards."
