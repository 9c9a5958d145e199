"""Asks from time to time for puzzles in new games. An analysis process reads them (`game_reader`)."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from friendlies.puzzles.models import Puzzle
from friendlies.puzzles.services.questions import SEARCH, search
from tournaments.models import Analysis
from tournaments.services.questions.requests import UNFINISHED, want

MOST_UNTRIED: Final = 500
"""While so many puzzles wait for a first try, no more are looked for."""


def want_puzzles() -> bool:
    """Ask for puzzles in games that were not read yet; False if enough wait or somebody reads already."""
    if Puzzle.objects.filter(tried=0).count() >= MOST_UNTRIED:
        return False
    with transaction.atomic():
        if Analysis.objects.filter(kind=SEARCH, status__in=UNFINISHED).exists():
            return False
        want([search()])
    return True
