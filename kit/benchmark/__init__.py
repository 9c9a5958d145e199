"""Crapette-1000: the same thousand deals of each game for every bot, and what house bots score on them."""
