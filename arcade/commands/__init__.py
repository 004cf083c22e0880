"""The shell commands that belong to one game, a typer application each."""
