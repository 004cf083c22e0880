"""The sentences that a person reads, made from data."""
