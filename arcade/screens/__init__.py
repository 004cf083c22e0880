"""The screens: one common match screen, one board per game, and the menu and dialogs around them."""
