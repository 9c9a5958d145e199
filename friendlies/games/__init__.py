"""A person's game as a value: what was played, who is awaited, what may be done. No Django."""
