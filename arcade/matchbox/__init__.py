"""Machines of matchboxes: Donald Michie's learner for tic-tac-toe, extended to any small game."""
