"""Celery tasks of bots. A message only says "look there", and may come twice."""

from __future__ import annotations

from arena.celery import shared_task
from arena.web.tasks import RESENT
from arena.web.worker_messages import send
from bots import checks, files, follows
from bots.playing.trials import examine


@shared_task(name="bots.remove_forgotten")
def remove_forgotten() -> None:
    """Remove unpacked files of bots whose owners have left from this host, and news that is old."""
    files.remove_forgotten()
    follows.forget_old_news()


@shared_task(name="bots.check_version", **RESENT)
def check_version(_version_id: int) -> None:
    """Check the version whose turn it is, which may be another one than that for which this was sent."""
    checks.check_next(examine)


@shared_task(name="bots.check_unknown", **RESENT)
def check_unknown() -> None:
    """Begin to check versions that play but were not tried on every board."""
    checks.check_next_unknown()


@shared_task(name="bots.spread_news", **RESENT)
def spread_news() -> None:
    """Tell followers what happened, some of them; another task goes on with the others."""
    if follows.spread_news():
        send(follows.SPREAD)
