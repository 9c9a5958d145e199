"""What processes tell each other of themselves: how much they can take, what went wrong, and when to stop."""
