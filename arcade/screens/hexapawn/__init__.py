"""Hexapawn on the screen: its boards, its match screen, and the screen for setting up a position."""
