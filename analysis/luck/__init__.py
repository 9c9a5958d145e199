"""Measures how much of a result was luck."""
