"""Ratings: the fits, their intervals, what counts in a pool, and which game tells most."""
