"""Learning a game by playing it: a tutorial for each variant, step by step at the table."""
