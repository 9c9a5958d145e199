"""Remote bots for pages and the API: who is online, and how many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Sum

from bots.models import Bot, RemotePresence, prefetch_active_rows

if TYPE_CHECKING:
    from bots.models.bot import BotQuerySet


def online_bots() -> BotQuerySet:
    """The remote bots that are online, in the order in which they were created."""
    if not settings.REMOTE:
        return Bot.objects.none()
    found = Bot.objects.in_play().filter(presence__online_since__isnull=False)
    return found.select_related("owner", "presence").prefetch_related(prefetch_active_rows()).order_by("pk")


def traffic() -> tuple[int, int]:
    """How many bytes came from remote bots, and were sent to them, in all."""
    total = RemotePresence.objects.aggregate(came=Sum("bytes_in"), went=Sum("bytes_out"))
    return total["came"] or 0, total["went"] or 0


def online_count() -> int:
    """How many remote bots are online."""
    return RemotePresence.objects.filter(online_since__isnull=False).count()
