"""Honshu: place map tiles for the highest score."""

TITLE = "Honshu"
SUMMARY = "Place tiles to build the best map."
COMMANDS = "Layouts of Honshu: solve, prove, deal, score."
