"""How much one user may store, so that one author cannot fill the arena."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from bots.errors import LimitReached
from bots.models import Bot, Version

if TYPE_CHECKING:
    from arena.accounts.models import User

BOTS_PER_USER = 20
UPLOADS_PER_DAY = 40
DAY = timedelta(hours=24)


def assert_may_create_bot(user: User) -> None:
    """Raise :class:`LimitReached` when ``user`` has the most bots one may have in play."""
    count = Bot.objects.in_play().filter(owner=user).count()
    if count >= BOTS_PER_USER:
        raise LimitReached(
            f"Expected at most {BOTS_PER_USER} bots a user, got one more: withdraw one of your {count} first."
        )


def assert_may_upload(user: User) -> None:
    """Raise :class:`LimitReached` when ``user`` uploaded the most one may within the last 24 hours."""
    since = timezone.now() - DAY
    recent = Version.objects.filter(bot__owner=user, created_at__gt=since).order_by("created_at")
    times = list(recent.values_list("created_at", flat=True))
    if len(times) >= UPLOADS_PER_DAY:
        again = times[len(times) - UPLOADS_PER_DAY] + DAY
        raise LimitReached(
            f"Expected at most {UPLOADS_PER_DAY} uploads in 24 hours, got one more: "
            f"the next is possible at {again:%H:%M} UTC.",
            field="file",
        )
