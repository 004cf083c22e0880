"""Honshu on the screen: its map, its panels, its match screen, and the best map beside the player's."""
