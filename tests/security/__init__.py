"""Hostile bots, what must contain each, and proof that every layer of the sandbox does something."""
