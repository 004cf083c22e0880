"""The boards and screens of Hexapawn."""
