"""Games, solvers and players, without Textual."""
