"""Adapters for other libraries, each with its own extra."""
