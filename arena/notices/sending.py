"""Notices: what users are told is stored once and sent when that is committed; and what they read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from arena.notices.models import Notice, Webhook, Wishes
from arena.web.i18n.readers import say_in
from arena.web.worker_messages import send

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet
    from django.utils.functional import Promise

    from arena.accounts.models import User
    from arena.notices.models import Kind

DELIVER: Final = "notices.deliver"


def tell(
    users: Iterable[int | None],
    kind: Kind,
    key: str,
    text: str | Promise,
    url: str,
    *,
    also_closed: bool = False,
) -> None:
    """Tell these users, by their keys; None is nobody. Who was told of `key` already is not told again.

    A lazy `text` is put into the language of each of them. Accounts that are not active are told nothing,
    unless `also_closed` says so: they get it by e-mail.

    Call it in the transaction in which it happened: nothing leaves before that is committed, and if it is
    undone nobody was told.
    """
    wanted = {user for user in users if user is not None}
    if not wanted:
        return
    people = get_user_model().objects.filter(pk__in=wanted)
    there = (people if also_closed else people.filter(is_active=True)).values_list("pk", "language")
    now = timezone.now()
    Notice.objects.bulk_create(
        (
            Notice(
                user_id=user, kind=kind, key=key[:120], text=say_in(text, code)[:300], url=url[:200], at=now
            )
            for user, code in sorted(there)
        ),
        ignore_conflicts=True,
    )
    transaction.on_commit(_send)


def _send() -> None:
    send(DELIVER)


def mark_read(user: User) -> int:
    """Mark all notices of a user as read; how many were not."""
    return Notice.objects.filter(user=user, read_at=None).update(read_at=timezone.now())


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
