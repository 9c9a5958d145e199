"""Games in turns: the loop that plays one, and its table."""
