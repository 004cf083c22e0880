"""The data file: matches, settings, machines and puzzles in SQLite."""
