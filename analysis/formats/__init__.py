"""Formats of competition: schedules, pairings, brackets, seeds, standings."""
