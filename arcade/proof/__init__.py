"""Verification of verdicts, independent of the solvers that found them."""
