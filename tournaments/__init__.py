"""Tournaments, their games and results, and the ratings that follow from them."""
