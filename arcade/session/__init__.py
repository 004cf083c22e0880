"""A match that plays itself, without a screen: engines, verdicts, hints, review, saving."""
