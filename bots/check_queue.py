"""Which versions wait for a check, and in which order."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from arena.web.database import database_clock
from bots.models import PLAYABLE, Status, Version

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet


CHECK_LEASE = timedelta(minutes=5)
"""A check that runs longer than this is considered dead and may be claimed again."""


def checks_before(version: Version) -> int:
    """Return how many checks come before that of ``version``, those under way included."""
    queue = check_queue()
    place = queue.index(version.pk) if version.pk in queue else len(queue)
    return place + _under_way(database_clock.now()).exclude(pk=version.pk).count()


def check_queue() -> list[int]:
    """The keys of the versions to check, in their order.

    Those who sent them take turns, each with their oldest first: whoever has a check under way, or many that
    wait, holds up nobody else.
    """
    now = database_clock.now()
    sender = Coalesce("uploaded_by", "bot__owner")
    turns = Counter(_under_way(now).values_list(sender, flat=True))
    waiting = []
    since = Coalesce("trial_asked_at", "created_at")
    rows = versions_to_check(now).order_by(since, "pk").values_list("pk", sender)
    for place, (key, who) in enumerate(rows):
        waiting.append((turns[who], place, key))
        turns[who] += 1
    return [key for *_, key in sorted(waiting)]


def _under_way(now: datetime) -> QuerySet[Version]:
    """The versions whose check was begun and is not over, by workers that are not dead."""
    claimed = Version.objects.filter(check_started_at__gte=now - CHECK_LEASE)
    again = Q(status__in=PLAYABLE, trial_asked_at__lte=F("check_started_at"))
    return claimed.filter(Q(status=Status.CHECKING) | again)


def versions_to_check(now: datetime) -> QuerySet[Version]:
    """Return the versions to check, oldest first: waiting for a first or another check, or claimed by a check
    that must be dead. A first check begins with the inspection of the file."""
    due = Q(check_not_before=None) | Q(check_not_before__lte=now)
    waiting = Q(status=Status.UPLOADED) & due
    dead = Q(status=Status.CHECKING, check_started_at__lt=now - CHECK_LEASE)
    unclaimed = (
        Q(check_started_at=None)
        | Q(check_started_at__lt=now - CHECK_LEASE)
        | Q(check_started_at__lt=F("trial_asked_at"))
    )
    again = Q(status__in=PLAYABLE, trial_asked_at__isnull=False) & due & unclaimed
    # Not by way of the pending file: a claim must look at the row that it changes alone.
    has_files = Q(archive__isnull=False) | Q(sha256="")
    return Version.objects.filter(waiting | dead | again, has_files).order_by("created_at")
