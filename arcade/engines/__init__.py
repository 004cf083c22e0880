"""Games, solvers and players, usable as a library; nothing here needs Textual."""
