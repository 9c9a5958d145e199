"""COMPETITION: tournaments, the games in them, their results and the ratings made of them."""
