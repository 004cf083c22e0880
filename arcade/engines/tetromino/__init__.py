"""Tetromino: two players place the pieces I, L, O, S and T. A player who cannot place one loses."""

TITLE = "Tetromino"
SUMMARY = "Take turns placing five pieces each."
COMMANDS = "Placements and values of Tetromino boards."
