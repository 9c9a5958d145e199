"""Checking downloaded games, tournaments and ratings offline: ``./crapette verify FILE|URL``."""
