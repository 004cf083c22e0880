"""The screens of MENACE: its board, and the boxes and the training of machines for any small game."""
