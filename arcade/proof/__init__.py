"""Verdicts proved again without the solver that gave them."""
