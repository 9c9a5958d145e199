"""The contents of pages about people's games."""
