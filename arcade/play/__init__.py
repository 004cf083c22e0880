"""Matches: their moves, analysis, records and files, without any front end."""
