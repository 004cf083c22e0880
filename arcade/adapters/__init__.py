"""Adapters for other libraries. Each adapter needs its own extra."""
