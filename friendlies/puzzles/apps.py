"""The Django app of puzzles."""

from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    """Puzzles from real games."""

    name = "friendlies.puzzles"
