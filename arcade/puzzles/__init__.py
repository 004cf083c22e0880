"""Puzzles for every game, made and proved by its solver."""
