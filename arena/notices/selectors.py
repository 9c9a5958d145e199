"""Notices for their reader, and those on top of every page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils import timezone

from arena.notices.models import Dismissal, Notice, SiteNotice, Webhook, Wishes
from arena.web.cache.timed import kept_for

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from arena.accounts.models import User

MOST_COUNTED = 99
MOST_SHOWN: Final = 2
"""Site notices on one page. Whoever dismissed some of them sees other pages, which caches keep apart."""


def unread(user: Any) -> int:
    """How many notices a visitor has not read, up to `MOST_COUNTED` + 1: one short look into an index."""
    if not user.is_authenticated:
        return 0
    return Notice.objects.filter(user=user, read_at=None).order_by()[: MOST_COUNTED + 1].count()


def notices_of(user: User) -> QuerySet[Notice]:
    """The user's notices, newest first."""
    return Notice.objects.filter(user=user)


def newest_since(user: User, kinds: Iterable[str], since: datetime) -> Notice | None:
    """The newest notice of these kinds since a time; None if there is none."""
    return notices_of(user).filter(kind__in=list(kinds), at__gt=since).first()


def reader_of_feed(secret: str) -> User | None:
    """Whose feed has this secret in its address; None if nobody’s."""
    found = Wishes.objects.select_related("user").filter(feed_secret=secret, user__is_active=True).first()
    return found.user if found else None


def webhooks_of(user: User) -> QuerySet[Webhook]:
    """The user's webhooks, oldest first."""
    return Webhook.objects.filter(owner=user)


def site_notices(*, signed_in: bool) -> list[SiteNotice]:
    """The site notices that such visitors see now: warnings first, then the newest."""
    now = timezone.now()
    found = [
        one
        for one in _site_notices()
        if one.begins <= now < one.ends and (signed_in or one.audience == SiteNotice.Audience.EVERYBODY)
    ]
    return sorted(found, key=lambda one: one.severity != SiteNotice.Severity.WARNING)


def dismissed_by(user: User, notices: list[SiteNotice]) -> set[int]:
    """The keys of those of these site notices that a user dismissed."""
    if not notices:
        return set()
    found = Dismissal.objects.filter(user=user, notice__in=[one.pk for one in notices])
    return set(found.values_list("notice_id", flat=True))


@kept_for(settings.SITE_NOTICES_SECONDS)
def _site_notices() -> list[SiteNotice]:
    """Those that have not ended, newest first. When one begins and ends is looked at each time."""
    return list(SiteNotice.objects.filter(ends__gt=timezone.now()))
