"""Limits per user, so that one author cannot fill the arena or keep it busy.

A bot and its files count for its owner. An upload counts for whoever sends it, whosever bot it is for.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from arena.common import limits
from bots.errors import LimitReached
from bots.models import Bot, UploadAttempt, Version

from .locks import lock_owner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from arena.accounts.models import User
    from sandbox.uploads import Upload

INSPECTION_LEASE = timedelta(seconds=120)
"""No inspection takes longer: waiting for a slot and inspecting are bounded far below."""
INSPECTION_RETRY_SECONDS = 5
BOTS_PER_USER = 20
UPLOADS_PER_DAY = 40
DAY = timedelta(hours=24)
ATTEMPTS = ((10, timedelta(minutes=10)), (80, DAY))
"""How many uploads, accepted or refused, within how long. Refused ones are most of what a beginner sends."""


def assert_may_create_bot(user: User, by: User | None = None) -> None:
    """Raise :class:`LimitReached` if ``user`` already has the most bots allowed in play.

    ``by`` is who asks, if that is somebody else. Bots of which one is a co-owner count for their owners.
    """
    count = Bot.objects.in_play().filter(owner=user).count()
    if count >= BOTS_PER_USER:
        words = (
            gettext(
                "You already have %(most)s bots, the most one account can have. Withdraw one of them first."
            )
            if by is None or by.pk == user.pk
            else gettext("The bot’s owner already has %(most)s bots, the most one account can have.")
        )
        raise LimitReached(words % {"most": count})


def assert_may_upload(user: User) -> None:
    """Raise :class:`LimitReached` if ``user`` already uploaded the most versions allowed in 24 hours."""
    now = timezone.now()
    recent = Version.objects.filter(uploaded_by=user, created_at__gt=now - DAY).order_by("created_at")
    _assert_below(UPLOADS_PER_DAY, DAY, list(recent.values_list("created_at", flat=True)), now)


def assert_may_store(owner: User, upload: Upload, by: User) -> None:
    """Raise :class:`LimitReached` if the files of ``owner``, with those of ``upload``, would take too much.

    Files that several versions have in common count once. ``by`` is who sends them.
    """
    stored = Version.objects.filter(bot__owner=owner, archive__isnull=False).exclude(sha256=upload.sha256)
    total, most = _bytes(stored) + sum(map(len, upload.files.values())), limits.value("stored_mb_per_user")
    if total > most << 20:
        words = (
            gettext(
                "With this file, your versions would take %(total)s MB. One account can store %(most)s MB."
            )
            if by.pk == owner.pk
            else gettext(
                "This file would bring the bot’s owner to %(total)s MB of stored versions. One account can "
                "store %(most)s MB."
            )
        )
        raise LimitReached(words % {"total": -(-total >> 20), "most": most}, field="file")


def assert_may_restore(owner: User, by: User) -> None:
    """Raise :class:`LimitReached` if ``owner`` has no room for one of their withdrawn bots.

    A bot that somebody inherited may exceed what one account can store. ``by`` is who restores it.
    """
    assert_may_create_bot(owner, by)
    total, most = _stored(owner), limits.value("stored_mb_per_user")
    if total > most << 20:
        words = (
            gettext(
                "Your versions take %(total)s MB, and one account can store %(most)s MB. Hand a bot over to "
                "a co-owner first."
            )
            if by.pk == owner.pk
            else gettext(
                "The versions of the bot’s owner take %(total)s MB, and one account can store %(most)s MB."
            )
        )
        raise LimitReached(words % {"total": -(-total >> 20), "most": most})


def assert_may_take(user: User, bot: Bot) -> None:
    """Raise :class:`LimitReached` if ``user`` has no room for another bot with the files of ``bot``."""
    if not bot.is_withdrawn:
        assert_may_create_bot(user)
    stored = Version.objects.filter(Q(bot__owner=user) | Q(bot=bot), archive__isnull=False)
    total, most = _bytes(stored), limits.value("stored_mb_per_user")
    if total > most << 20:
        raise LimitReached(
            gettext(
                "Taking over this bot would bring you to %(total)s MB of stored versions. One account can "
                "store %(most)s MB."
            )
            % {"total": -(-total >> 20), "most": most}
        )


def _stored(owner: User) -> int:
    """What the files of an account's bots take."""
    return _bytes(Version.objects.filter(bot__owner=owner, archive__isnull=False))


def _bytes(versions: QuerySet[Version]) -> int:
    """What these versions take; files that several have in common count once."""
    sizes = versions.order_by().values("sha256").annotate(bytes=Max("size")).values_list("bytes", flat=True)
    return sum(sizes)


@transaction.atomic
def claim_attempt(user: User) -> UploadAttempt:
    """Count an upload of ``user`` before it is inspected. Raises :class:`LimitReached`.

    One at a time: a second file of the same user is refused until `inspected` is called for the first.
    """
    lock_owner(user)
    assert_may_upload(user)
    now = timezone.now()
    mine = UploadAttempt.objects.filter(owner=user)
    if mine.filter(inspecting_until__gt=now).exists():
        raise LimitReached(
            gettext("We are still inspecting your last upload. Try again in a few seconds."),
            field="file",
            retry_after=INSPECTION_RETRY_SECONDS,
        )
    mine.filter(at__lte=now - max(window for _, window in ATTEMPTS)).delete()
    times = list(mine.order_by("at").values_list("at", flat=True))
    for most, window in ATTEMPTS:
        _assert_below(most, window, [at for at in times if at > now - window], now)
    return UploadAttempt.objects.create(owner=user, at=now, inspecting_until=now + INSPECTION_LEASE)


def inspected(attempt: UploadAttempt, *, counts: bool) -> None:
    """Let the user send another file; an attempt that does not count is forgotten."""
    mine = UploadAttempt.objects.filter(pk=attempt.pk)
    if counts:
        mine.update(inspecting_until=None)
    else:
        mine.delete()


def _assert_below(most: int, window: timedelta, times: Sequence[datetime], now: datetime) -> None:
    """Raise :class:`LimitReached` if ``times``, oldest first, reach the limit within ``window``."""
    if len(times) < most:
        return
    wait = times[len(times) - most] + window - now
    raise LimitReached(
        gettext(
            "You uploaded %(count)s files in %(window)s, the most one account can. Try again in %(wait)s."
        )
        % {"count": len(times), "window": _in_words(window), "wait": _in_words(wait)},
        field="file",
        retry_after=max(1, -(-wait // timedelta(seconds=1))),
    )


def _in_words(time: timedelta) -> str:
    """Return a duration in words, rounded up."""
    minutes = max(1, -(-time // timedelta(minutes=1)))
    if minutes < 120:
        return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    hours = -(-minutes // 60)
    return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}
