"""The board of MENACE, and screens for all matchbox machines."""
