"""Takes reports, within limits, and lists what was reported for moderators."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext

from arena.accounts.confirmation import assert_confirmed
from bots.locks import lock_owner
from people.moderation.acts import open_appeals
from people.moderation.errors import ModerationRefused, TooManyReports
from people.moderation.models import AbuseReport
from people.moderation.subjects import Thing, find_thing, may_report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.accounts.models import User

MOST_A_DAY: Final = 10
"""Reports of one account in 24 hours."""
DAY: Final = timedelta(days=1)
AGAIN_AFTER: Final = timedelta(days=7)
"""How soon somebody may report a thing again after moderators found nothing wrong with it."""


@transaction.atomic
def report(reporter: User, subject: str, key: int, reason: str, words: str) -> AbuseReport:
    """Store a report of a thing.

    Raises ModerationRefused, TooManyReports over the limit, and AddressNotConfirmed.
    """
    assert_confirmed(reporter)
    lock_owner(reporter)
    thing = find_thing(subject, key)
    if thing is None or not may_report(reporter, subject, key):
        raise ModerationRefused(gettext("This is no longer there."))
    if thing.owner is None and not thing.left_behind:
        raise ModerationRefused(gettext("This is the arena’s own. Write to the operators instead."))
    if reporter.pk in thing.others or reporter == thing.owner:
        raise ModerationRefused(gettext("This is your own: you can change it yourself."))
    now = timezone.now()
    own = AbuseReport.objects.filter(reporter=reporter)
    if own.filter(at__gt=now - DAY).count() >= MOST_A_DAY:
        raise TooManyReports(
            gettext("You made %(most)s reports in 24 hours, the most one account can. Try again tomorrow.")
            % {"most": MOST_A_DAY}
        )
    earlier = own.filter(subject=subject, key=key)
    if earlier.filter(status=AbuseReport.Status.OPEN).exists():
        raise ModerationRefused(gettext("You have already reported this. Moderators will look at it."))
    if earlier.filter(status=AbuseReport.Status.DISMISSED, closed_at__gt=now - AGAIN_AFTER).exists():
        raise ModerationRefused(gettext("Moderators looked at this a few days ago and left it as it is."))
    try:
        with transaction.atomic():
            return AbuseReport.objects.create(
                reporter=reporter, subject=subject, key=key, reason=reason, words=words.strip()
            )
    except IntegrityError:
        raise ModerationRefused(
            gettext("You have already reported this. Moderators will look at it.")
        ) from None


MOST_READ: Final = 5_000
"""Open reports that the queue is made of, the newest."""
DISMISSED_BEFORE_DOUBT: Final = 3
"""Whoever had so many reports dismissed, and more than were upheld, moves nothing up the queue."""


@dataclass(frozen=True, slots=True)
class Reporter:
    """How often somebody's reports were right."""

    upheld: int = 0
    dismissed: int = 0

    @property
    def counts(self) -> bool:
        """Whether their reports move a thing up the queue."""
        return self.dismissed < DISMISSED_BEFORE_DOUBT or self.dismissed <= self.upheld


@dataclass(frozen=True, slots=True)
class Reported:
    """A thing with open reports."""

    subject: str
    key: int
    thing: Thing | None
    reports: list[AbuseReport]
    weight: int
    newest: datetime


def reporter_records(reporters: Iterable[int]) -> defaultdict[int, Reporter]:
    """How often the reports of these users were right, by their keys."""
    counted = (
        AbuseReport.objects.filter(reporter__in=set(reporters))
        .order_by()
        .values("reporter")
        .annotate(
            upheld=Count("pk", filter=Q(status=AbuseReport.Status.UPHELD)),
            dismissed=Count("pk", filter=Q(status=AbuseReport.Status.DISMISSED)),
        )
    )
    found: defaultdict[int, Reporter] = defaultdict(Reporter)
    found.update({one["reporter"]: Reporter(one["upheld"], one["dismissed"]) for one in counted})
    return found


def report_queue(most: int) -> list[Reported]:
    """Things with open reports: those that most people reported first, then the newest."""
    grouped: defaultdict[tuple[str, int], list[AbuseReport]] = defaultdict(list)
    for report in AbuseReport.objects.filter(status=AbuseReport.Status.OPEN)[:MOST_READ]:
        grouped[report.subject, report.key].append(report)
    records = reporter_records(report.reporter_id for reports in grouped.values() for report in reports)
    weighed = [
        (sum(records[one.reporter_id].counts for one in reports), reports[0].at, place, reports)
        for place, reports in grouped.items()
    ]
    weighed.sort(key=lambda one: one[:2], reverse=True)
    return [
        Reported(*place, find_thing(*place), reports, weight, newest)
        for weight, newest, place, reports in weighed[:most]
    ]


def count_work() -> dict[str, int]:
    """How much waits for moderators."""
    return {
        "reports": AbuseReport.objects.filter(status=AbuseReport.Status.OPEN).count(),
        "appeals": open_appeals().count(),
    }
