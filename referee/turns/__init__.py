"""Games with turns: the loop that plays one, and its table."""
