"""The queue of checks. ``checking`` carries them out."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from arena.web.worker_messages import send
from bots import selectors
from bots.models import PLAYABLE, Status, Version

CHECK_TASK = "bots.check_version"
CHECK_UNKNOWN_TASK = "bots.check_unknown"
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(hours=1)
BUSY_PAUSE = timedelta(seconds=2)


def enqueue_check(version: Version) -> None:
    """Ask for the check of ``version`` once the transaction is committed."""
    transaction.on_commit(partial(_send, version.pk))


def _send(version_id: int) -> None:
    send(CHECK_TASK, version_id)


def claim_check(version_id: int) -> Version | None:
    """Claim a check. Return the version, or None if it is done, gone or claimed by another worker.

    It is an upload, or an accepted version that is checked again and stays accepted in the meantime.
    """
    due = selectors.versions_to_check(timezone.now()).filter(pk=version_id)
    now = timezone.now()
    claimed = due.exclude(status__in=PLAYABLE).update(status=Status.CHECKING, check_started_at=now)
    claimed = claimed or due.filter(status__in=PLAYABLE).update(check_started_at=now)
    return Version.objects.select_related("bot").get(pk=version_id) if claimed else None


def claim_next_check() -> Version | None:
    """Claim the check whose turn it is. Return its version, or None if none waits."""
    return next(filter(None, map(claim_check, selectors.check_queue())), None)


def put_off_check(version: Version) -> None:
    """Give a claimed check back whose file cannot be inspected while this host inspects others."""
    mine = Version.objects.filter(pk=version.pk, status=Status.CHECKING)
    pause = {"check_started_at": None, "check_not_before": timezone.now() + BUSY_PAUSE}
    if mine.filter(check_started_at=version.check_started_at).update(status=Status.UPLOADED, **pause):
        send(CHECK_TASK, version.pk, delay_seconds=BUSY_PAUSE.total_seconds())


def release_check(version: Version) -> None:
    """Release a claimed check after a failure of the arena, so that it is repeated.

    It waits longer each time, so that a version that cannot be checked does not block others.
    """
    pause = min(FIRST_PAUSE * 4**version.check_failures, LONGEST_PAUSE)
    again = {
        "check_started_at": None,
        "check_failures": version.check_failures + 1,
        "check_not_before": timezone.now() + pause,
    }
    mine = Version.objects.filter(pk=version.pk)
    mine.filter(status=Status.CHECKING).update(status=Status.UPLOADED, **again)
    mine.filter(status__in=PLAYABLE, trial_asked_at__isnull=False).update(**again)
