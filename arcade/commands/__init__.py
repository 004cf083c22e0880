"""The shell commands."""
