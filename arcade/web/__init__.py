"""The arcade as a web page for browsers on this computer."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Addresses that only this computer can reach."""
