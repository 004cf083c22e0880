"""The data file, in SQLite."""
