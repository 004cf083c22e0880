"""Verify verdicts, independently of the solvers."""
