"""Environments to train bots in: many games at once, PettingZoo and OpenSpiel.

`vector` needs NumPy, `turn_env` and `tick_env` PettingZoo, `spiel` OpenSpiel; nothing else imports them.
"""
