"""Puzzles: turns of real games that could have won, for people to find."""
