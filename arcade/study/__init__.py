"""Lessons, puzzles, reviews, levels, records, tournaments and comparisons."""
