"""Tools for developers of the arcade."""
