"""Ratings: fits, intervals, what counts in a pool, and which pair is most informative."""
