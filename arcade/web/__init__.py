"""The arcade as a page in a browser."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Addresses that only this machine can reach, and its own names."""
