"""Celery tasks of people's games: a message only says "look there", and any may come twice."""

from __future__ import annotations

from arena.celery import shared_task
from arena.web.tasks import RESENT
from friendlies import rating_requests
from friendlies.tables import bot_turns, idle


@shared_task(name="friendlies.answer", **RESENT)
def answer_friendly(friendly: str) -> None:
    """Ask the bot of a person's game, if it is awaited."""
    bot_turns.answer(friendly)


@shared_task(name="friendlies.sweep")
def sweep() -> None:
    """Ask again for what was asked for in vain, and end games that nobody plays any more."""
    idle.sweep()


@shared_task(name="friendlies.want_ratings", **RESENT)
def want_ratings() -> None:
    """Ask for the ratings of people whose games were not counted, or whose opponents' ratings moved."""
    rating_requests.want_due()
