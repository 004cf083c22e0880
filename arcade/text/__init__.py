"""Text mode: the arcade as a dialogue in lines of text, for screen readers and scripts."""
