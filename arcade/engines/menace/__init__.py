"""Tic-tac-toe, and MENACE, the matchbox machine that learns it."""

TITLE = "MENACE"
SUMMARY = "Teach matchboxes to play tic-tac-toe."
COMMANDS = "Matchbox machines: train, inspect, export and import."
