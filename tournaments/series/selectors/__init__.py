"""What the pages of series read."""
