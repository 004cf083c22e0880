"""Lessons, puzzles, reviews, levels, tournaments and comparisons."""
