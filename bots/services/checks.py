"""The check before a version may play. The check game itself is a task of ``tournaments``."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from arena.common.messages import send
from bots import selectors
from bots.models import Bot, CheckReport, Status, Version

CHECK_TASK = "tournaments.check_version"
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(hours=1)


def enqueue_check(version: Version) -> None:
    """Ask for the check of ``version`` once the transaction is committed."""
    transaction.on_commit(partial(_send, version.pk))


def _send(version_id: int) -> None:
    send(CHECK_TASK, version_id)


def claim_check(version_id: int) -> Version | None:
    """Claim a check. Return the version, or None if it is done, gone or claimed by another worker."""
    due = selectors.versions_to_check(timezone.now())
    claimed = due.filter(pk=version_id).update(status=Status.CHECKING, check_started_at=timezone.now())
    return Version.objects.select_related("bot").get(pk=version_id) if claimed else None


def release_check(version: Version) -> None:
    """Release a claimed check after a failure of the arena, so that it is made again.

    It waits longer each time, so that a version that cannot be checked does not block others.
    """
    pause = min(FIRST_PAUSE * 4**version.check_failures, LONGEST_PAUSE)
    Version.objects.filter(pk=version.pk, status=Status.CHECKING).update(
        status=Status.UPLOADED,
        check_started_at=None,
        check_failures=version.check_failures + 1,
        check_not_before=timezone.now() + pause,
    )


@transaction.atomic
def record_check(
    version: Version,
    accepted: bool,
    log: str,
    record: dict[str, Any] | None = None,
    *,
    plays_ticks: bool = False,
) -> bool:
    """Store the verdict once. Return False if there already was one, which is kept.

    An accepted version becomes the active one if its author wished so and no newer one is active.
    """
    unchecked = Version.objects.filter(pk=version.pk, status__in=[Status.UPLOADED, Status.CHECKING])
    status = Status.ACCEPTED if accepted else Status.REJECTED
    if not unchecked.update(status=status, plays_ticks=accepted and plays_ticks):
        return False
    # Its owner may have left while the check went on; what it wrote goes too.
    if Bot.objects.get(pk=version.bot_id).is_departed:
        log, record = "", None
    CheckReport.objects.create(version=version, accepted=accepted, log=log, record=record)
    version.refresh_from_db(fields=["status", "plays_ticks"])
    if accepted and version.activate_when_accepted:
        older = Q(active_version=None) | Q(active_version__number__lt=version.number)
        Bot.objects.filter(older, pk=version.bot_id).update(active_version=version)
    return True
