"""What a person learns from: lessons, puzzles, reviews, levels, tournaments, comparisons."""
