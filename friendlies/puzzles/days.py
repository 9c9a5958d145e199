"""The puzzle of the day: each day (UTC) has one that no other day had."""

from __future__ import annotations

from datetime import UTC, date, datetime

from django.db import IntegrityError, transaction

from friendlies.puzzles.models import Puzzle


def day_now() -> date:
    """The day it is."""
    return datetime.now(UTC).date()


def today() -> Puzzle | None:
    """Return today's puzzle, chosen when it is first asked for; None if there is none left."""
    return of_day(day_now())


def of_day(day: date) -> Puzzle | None:
    """Return the puzzle of a day; one that few have tried, if it has none yet."""
    found = Puzzle.objects.filter(day=day).first()
    if found is not None:
        return found
    free = Puzzle.objects.filter(day=None).order_by("tried", "-pk").first()
    if free is None:
        return None
    try:
        with transaction.atomic():
            Puzzle.objects.filter(pk=free.pk, day=None).update(day=day)
    except IntegrityError:  # another was first
        pass
    return Puzzle.objects.filter(day=day).first()
