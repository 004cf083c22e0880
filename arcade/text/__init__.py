"""Matches and lessons as a dialogue of short lines: for a screen reader, a pipe, a script, a braille line."""
