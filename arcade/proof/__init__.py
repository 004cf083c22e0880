"""Verification of verdicts, independent of solvers."""
