"""Celery tasks of people's games: a message only says "look there", and any may come twice."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from django.db import connection

from arena.celery import shared_task
from arena.web.tasks import RESENT
from friendlies import questions
from friendlies.models import Friendly
from friendlies.tables import bot_turns, idle
from referee.job import REMOTE

logger = logging.getLogger(__name__)

REMOTE_AT_ONCE = 12
"""How many remote bots think at once for people in a process: they have threads of their own, so that people
at other tables need not wait for somebody's slow machine."""
_threads = ThreadPoolExecutor(REMOTE_AT_ONCE, "remote bots at tables")
_free = BoundedSemaphore(REMOTE_AT_ONCE)


@shared_task(name="friendlies.answer", **RESENT)
def answer_friendly(friendly: str) -> None:
    """Ask the bot of a person's game, if it is awaited."""
    if not Friendly.objects.filter(pk=friendly, version__language=REMOTE).exists():
        bot_turns.answer(friendly)
    elif _free.acquire(blocking=False):  # else the sweep asks again
        _threads.submit(_answer_remote, friendly)


def _answer_remote(friendly: str) -> None:
    try:
        bot_turns.answer(friendly)
    except Exception:  # the sweep asks again
        logger.exception("the remote bot of friendly %s could not be asked", friendly)
    finally:
        _free.release()
        connection.close()


@shared_task(name="friendlies.sweep")
def sweep() -> None:
    """Ask again for what was asked for in vain, and end games that nobody plays any more."""
    idle.sweep()


@shared_task(name="friendlies.want_ratings", **RESENT)
def want_ratings() -> None:
    """Ask for the ratings of people whose games were not counted, or whose opponents' ratings moved."""
    questions.want_due_ratings()
