"""A match: its moves, marks, seats, its record, and match files."""
