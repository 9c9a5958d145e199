"""Verifies downloaded games, tournaments and leaderboards offline: ``./crapette verify FILE|URL``."""
