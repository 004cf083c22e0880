"""Text mode: a dialogue of lines, for screen readers and scripts."""
