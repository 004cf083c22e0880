"""Chocobar, a game of Chomp."""

TITLE = "Chocobar"
SUMMARY = "Bite the bar, leave the poison."
COMMANDS = "Openings, Grundy numbers, graphs and strategies."
