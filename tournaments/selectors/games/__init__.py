"""Reads of games: found, shown, and told from their records."""
