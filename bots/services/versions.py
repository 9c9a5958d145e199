"""Stores versions. A version never changes once it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from arena.common.deeds import note_deed
from bots.errors import UploadRefused
from bots.models import Archive, Bot, BotDeed, Status, Version

from .checks import enqueue_check
from .files import archive_of
from .limits import assert_may_store, assert_may_upload
from .locks import lock_bot

if TYPE_CHECKING:
    from arena.accounts.models import User
    from sandbox.uploads import Upload

FILENAME_LENGTH = 120


@transaction.atomic
def upload_version(
    bot: Bot,
    upload: Upload,
    *,
    filename: str,
    by: User | None = None,
    note: str = "",
    release_notes: str = "",
    activate_when_accepted: bool = True,
) -> Version:
    """Store ``upload`` as the next version of ``bot``. Its check is enqueued on commit.

    ``by`` is the one of its owners who sends it; its owner if nobody is named. Raises :class:`UploadRefused`
    if it is identical to the newest version or the bot is withdrawn, :class:`~bots.errors.LimitReached`, and
    :class:`~bots.errors.OwnerGone` if the bot is no longer theirs.
    """
    by = by or bot.owner
    if by is not None:
        bot = lock_bot(bot, by)
    assert_takes_versions(bot)
    newest = bot.versions.order_by("-number").first()
    if newest is not None and newest.sha256 == upload.sha256:
        raise UploadRefused(
            gettext("Version %(number)s has exactly the same files. Upload something new.")
            % {"number": newest.number},
            field="file",
        )
    return store_version(
        bot,
        upload,
        by=by,
        filename=filename,
        note=note,
        release_notes=release_notes,
        activate_when_accepted=activate_when_accepted,
    )


def assert_takes_versions(bot: Bot) -> None:
    """Raise :class:`UploadRefused` if ``bot`` was withdrawn."""
    if bot.is_withdrawn:
        raise UploadRefused(
            gettext("%(bot)s is withdrawn. Restore it before you upload a version.") % {"bot": bot.name}
        )


def store_version(
    bot: Bot,
    upload: Upload,
    *,
    filename: str,
    by: User | None,
    note: str = "",
    release_notes: str = "",
    activate_when_accepted: bool = True,
) -> Version:
    """Insert the next version of ``bot`` inside the caller's transaction, which holds the owners' locks."""
    if bot.owner is not None and by is not None:
        assert_may_upload(by)
        assert_may_store(bot.owner, upload, by)
    version = insert_version(
        bot,
        upload,
        by=by,
        filename=filename,
        note=note,
        release_notes=release_notes,
        activate_when_accepted=activate_when_accepted,
    )
    note_deed(
        bot.deeds, by, BotDeed.What.CREATED if version.number == 1 else BotDeed.What.UPLOADED, version=version
    )
    enqueue_check(version)
    return version


def insert_version(
    bot: Bot,
    upload: Upload,
    *,
    filename: str,
    by: User | None = None,
    note: str = "",
    release_notes: str = "",
    status: Status = Status.UPLOADED,
    activate_when_accepted: bool = True,
) -> Version:
    """Insert the row and, if no other version has the same content, the archive."""
    archive = Archive.objects.filter(sha256=upload.sha256).defer("data").first()
    if archive is None:
        data = upload.packed or archive_of(upload.files)
        archive, _ = Archive.objects.get_or_create(sha256=upload.sha256, defaults={"data": data})
    last = bot.versions.aggregate(last=Max("number"))["last"] or 0
    return Version.objects.create(
        bot=bot,
        number=last + 1,
        sha256=upload.sha256,
        archive=archive,
        uploaded_by=by,
        filename=filename[-FILENAME_LENGTH:],
        note=note.strip(),
        release_notes=release_notes.strip(),
        language=upload.language,
        entry=upload.entry,
        size=sum(len(data) for data in upload.files.values()),
        file_count=len(upload.files),
        activate_when_accepted=activate_when_accepted,
        status=status,
    )
