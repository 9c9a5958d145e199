"""Notices for their reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.notices.models import Notice, Webhook, Wishes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from arena.accounts.models import User

MOST_COUNTED = 99


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
