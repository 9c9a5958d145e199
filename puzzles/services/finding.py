"""Asks from time to time for puzzles in new games. An analysis process reads them (`reading`)."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from puzzles.models import Puzzle
from puzzles.services.questions import SEARCH, search
from tournaments.models import Analysis
from tournaments.services.messages import think_on_commit

MOST_UNTRIED: Final = 500
"""While so many puzzles wait for a first try, no more are looked for."""


def want_puzzles() -> bool:
    """Ask for puzzles in games that were not read yet; False if enough wait or somebody reads already."""
    if Puzzle.objects.filter(tried=0).count() >= MOST_UNTRIED:
        return False
    asked = search()
    under_way = (Analysis.Status.WAITING, Analysis.Status.RUNNING)
    with transaction.atomic():
        if Analysis.objects.filter(kind=SEARCH, status__in=under_way).exists():
            return False
        Analysis.objects.bulk_create(
            [
                Analysis(
                    key=asked.key,
                    kind=asked.kind,
                    arguments=asked.arguments,
                    rank=asked.rank,
                    asked_at=timezone.now(),
                )
            ],
            ignore_conflicts=True,
        )
        think_on_commit()
    return True
