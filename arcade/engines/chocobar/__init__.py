"""Chocobar, a game of Chomp: bite the bar, leave the poison."""

TITLE = "Chocobar"
SUMMARY = "Bite the bar, leave the poison."
COMMANDS = "Openings, Grundy numbers, game graphs and strategies of Chocobar."
