"""Ratings and ladders, near-twins and linked owners, and the audit of all of it."""
