"""What is kept: the SQLite file, what is asked of it, and the settings."""
