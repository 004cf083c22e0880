"""The error for bad input from a person."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input from a person: one sentence that names the place and what was expected."""
