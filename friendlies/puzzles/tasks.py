"""Celery tasks of puzzles: a message only says "look there", and any may come twice."""

from __future__ import annotations

from arena.celery import shared_task
from arena.web.tasks import RESENT
from friendlies.puzzles import puzzle_searches


@shared_task(name="puzzles.want", **RESENT)
def want_puzzles() -> None:
    """Ask for puzzles in games that ended since."""
    puzzle_searches.want_puzzles()
