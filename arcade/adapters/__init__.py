"""Adapters for other libraries, each installed with its own extra."""
