"""Honshu on the screen: its map, its panels, its match screen, and the best map beside one's own."""
