"""Honshu: place map tiles for the highest score."""

TITLE = "Honshu"
SUMMARY = "Place map tiles for the highest score."
COMMANDS = "Layouts of Honshu: solve, prove, deal, score."
