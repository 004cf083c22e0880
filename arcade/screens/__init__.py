"""The menu, the dialogs, and a match screen with a board for each game."""
