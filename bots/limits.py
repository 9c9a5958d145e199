"""Limits per user, so that one author cannot fill the arena or keep it busy.

A bot and its files count for its owner. An upload counts for whoever sends it, whosever bot it is for.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Max, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from arena.web import limits
from bots.errors import ArenaBusy, LimitReached
from bots.locks import lock_owner
from bots.models import Bot, PendingFile, Status, UploadAttempt, Version
from sandbox import uploads
from sandbox.model import MEBIBYTE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from arena.accounts.models import User
    from bots.files import SentFile

PENDING_PER_USER = 3
PENDING_BYTES_PER_USER = uploads.MAX_COMPRESSED_WITH_MODEL
PENDING = 200
PENDING_BYTES = 512 * MEBIBYTE
PENDING_LARGE_BYTES = 256 * MEBIBYTE
"""How many files, and how many bytes, wait for their inspection: of one account, and of all. Large files,
which are inspected one by one, never take the room of the others."""
PENDING_RETRY_SECONDS = 30
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
    recent = recent.exclude(status=Status.REJECTED, sha256="")  # those count as attempts only
    _assert_below(UPLOADS_PER_DAY, DAY, list(recent.values_list("created_at", flat=True)), now)


def assert_may_store(owner: User, file: uploads.Upload | SentFile, by: User | None) -> None:
    """Raise :class:`LimitReached` if the files of ``owner``, with this one, would take too much.

    Files that several versions have in common count once. A file that was not inspected counts as it was
    sent, and so do all that wait for it. ``by`` is who sends it, if the account is still there.
    """
    stored = Version.objects.filter(bot__owner=owner, archive__isnull=False)
    if isinstance(file, uploads.Upload):
        total = _bytes(stored.exclude(sha256=file.sha256)) + sum(map(len, file.files.values()))
    else:
        waiting = PendingFile.objects.filter(version__bot__owner=owner)
        total = _bytes(stored) + (waiting.aggregate(bytes=Sum("size"))["bytes"] or 0) + len(file.data)
    most = limits.value("stored_mb_per_user")
    if total > most << 20:
        words = (
            gettext(
                "With this file, your versions would take %(total)s MB. One account can store %(most)s MB."
            )
            if by is None or by.pk == owner.pk
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


def assert_may_wait(by: User, size: int) -> None:
    """Raise :class:`LimitReached` or :class:`ArenaBusy` if no further file may wait for its inspection.

    The caller holds the account's lock. All accounts together may exceed their limits by what other threads
    receive at this moment.
    """
    waiting = PendingFile.objects.all()
    mine = _count_and_bytes(waiting.filter(version__uploaded_by=by))
    if mine[0] >= PENDING_PER_USER or (mine[0] and mine[1] + size > PENDING_BYTES_PER_USER):
        raise LimitReached(
            gettext("We have not inspected your last uploads yet. Try again in %(wait)s.")
            % {"wait": _in_words(timedelta(seconds=PENDING_RETRY_SECONDS))},
            field="file",
            retry_after=PENDING_RETRY_SECONDS,
        )
    count, total = _count_and_bytes(waiting)
    full = count >= PENDING or total + size > PENDING_BYTES
    if not full and uploads.is_large(size):
        large = waiting.filter(size__gt=uploads.MAX_COMPRESSED_BYTES)
        full = _count_and_bytes(large)[1] + size > PENDING_LARGE_BYTES
    if full:
        raise ArenaBusy(
            gettext("Too many uploads are waiting to be inspected. Try again in %(wait)s.")
            % {"wait": _in_words(timedelta(seconds=PENDING_RETRY_SECONDS))},
            field="file",
            retry_after=PENDING_RETRY_SECONDS,
        )


def _count_and_bytes(files: QuerySet[PendingFile]) -> tuple[int, int]:
    found = files.aggregate(count=Count("pk"), bytes=Sum("size"))
    return found["count"], found["bytes"] or 0


@transaction.atomic
def count_attempt(user: User) -> None:
    """Count an upload, or a request for another check, of ``user``. Raises :class:`LimitReached`."""
    lock_owner(user)
    assert_may_upload(user)
    now = timezone.now()
    mine = UploadAttempt.objects.filter(owner=user)
    mine.filter(at__lte=now - max(window for _, window in ATTEMPTS)).delete()
    times = list(mine.order_by("at").values_list("at", flat=True))
    for most, window in ATTEMPTS:
        _assert_below(most, window, [at for at in times if at > now - window], now)
    UploadAttempt.objects.create(owner=user, at=now)


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
