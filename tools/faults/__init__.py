"""Deliberate faults, and the tool that plants them: `python -m tools.faults`."""
