"""The map, the panels and the screens of Honshu."""
