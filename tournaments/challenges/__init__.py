"""Challenges: owners of bots ask each other for games that are not rated."""
