"""Chocobar, a game of Chomp."""

TITLE = "Chocobar"
SUMMARY = "Bite the bar, but not the poison."
COMMANDS = "Openings, Grundy numbers, graphs and strategies."
