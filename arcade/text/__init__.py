"""Text mode: matches, lessons and puzzles as a dialogue of lines, for screen readers and scripts."""
