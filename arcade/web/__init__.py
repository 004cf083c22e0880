"""The arcade as a page in a browser of this computer."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Addresses that only this computer can reach, and its own names."""
