"""Stores versions. A version never changes once it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Required, TypedDict, Unpack

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from arena.web.audit_log import note_deed
from bots.errors import UploadRefused
from bots.models import Archive, Bot, BotDeed, PendingFile, Status, Version

from .checks import enqueue_check
from .files import SentFile, archive_of
from .limits import assert_may_store, assert_may_upload, assert_may_wait
from .locks import lock_bot

if TYPE_CHECKING:
    from arena.accounts.models import User
    from sandbox.uploads import Upload

FILENAME_LENGTH = 120


class AuthorNotes(TypedDict, total=False):
    """What the author says of a version."""

    note: str
    release_notes: str
    activate_when_accepted: bool


class VersionDetails(AuthorNotes, total=False):
    """What comes with a file. ``by`` is the one of the bot's owners who sends it; its owner if nobody is."""

    filename: Required[str]
    by: User | None


@transaction.atomic
def upload_version(bot: Bot, file: Upload | SentFile, **details: Unpack[VersionDetails]) -> Version:
    """Store ``file`` as the next version of ``bot``. Its check is enqueued on commit.

    Raises :class:`UploadRefused` if it is identical to the newest version or the bot is withdrawn,
    :class:`~bots.errors.LimitReached`, :class:`~bots.errors.ArenaBusy`, and
    :class:`~bots.errors.OwnerGone` if the bot is no longer theirs.
    """
    by = details["by"] = details.get("by") or bot.owner
    if by is not None:
        bot = lock_bot(bot, by)
    assert_takes_versions(bot)
    newest = bot.versions.order_by("-number").first()
    if newest is not None and _is_same(newest, file, details["filename"]):
        raise UploadRefused(same_files(newest), field="file")
    return store_version(bot, file, **details)


def _is_same(newest: Version, file: Upload | SentFile, filename: str) -> bool:
    """Whether a file is what the newest version was made of. One that was not inspected can tell only by its
    bytes and its name, which together decide what it unpacks to."""
    if isinstance(file, SentFile):
        sent = (newest.sent_sha256, newest.filename)
        return not newest.is_refused and sent == (file.sha256, filename[-FILENAME_LENGTH:])
    return newest.sha256 == file.sha256


def same_files(version: Version) -> str:
    """Why a file is refused that has the same content as this version."""
    return gettext("Version %(number)s has exactly the same files. Upload something new.") % {
        "number": version.number
    }


def assert_takes_versions(bot: Bot) -> None:
    """Raise :class:`UploadRefused` if ``bot`` was withdrawn."""
    if bot.is_withdrawn:
        raise UploadRefused(
            gettext("%(bot)s is withdrawn. Restore it before you upload a version.") % {"bot": bot.name}
        )


def store_version(bot: Bot, file: Upload | SentFile, **details: Unpack[VersionDetails]) -> Version:
    """Insert the next version of ``bot`` inside the caller's transaction, which holds the owners' locks."""
    by = details.get("by")
    if bot.owner is not None and by is not None:
        assert_may_upload(by)
        assert_may_store(bot.owner, file, by)
        if isinstance(file, SentFile):
            assert_may_wait(by, len(file.data))
    version = insert_version(bot, file, **details)
    note_deed(
        bot.deeds, by, BotDeed.What.CREATED if version.number == 1 else BotDeed.What.UPLOADED, version=version
    )
    enqueue_check(version)
    return version


def insert_version(
    bot: Bot,
    file: Upload | SentFile,
    *,
    status: Status = Status.UPLOADED,
    **details: Unpack[VersionDetails],
) -> Version:
    """Insert the row and, if no other version has the same content, the archive."""
    last = bot.versions.aggregate(last=Max("number"))["last"] or 0
    content = (
        {"sent_sha256": file.sha256, "size": len(file.data), "file_count": 1}
        if isinstance(file, SentFile)
        else content_of(file)
    )
    version = Version.objects.create(
        bot=bot,
        number=last + 1,
        uploaded_by=details.get("by"),
        filename=details["filename"][-FILENAME_LENGTH:],
        note=details.get("note", "").strip(),
        release_notes=details.get("release_notes", "").strip(),
        activate_when_accepted=details.get("activate_when_accepted", True),
        status=status,
        **content,
    )
    if isinstance(file, SentFile):
        PendingFile.objects.create(version=version, data=file.data, size=len(file.data))
    return version


def content_of(upload: Upload) -> dict[str, Any]:
    """The fields of a version that tell what is in it; its archive is stored if no other version has it."""
    archive = Archive.objects.filter(sha256=upload.sha256).defer("data").first()
    if archive is None:
        data = upload.packed or archive_of(upload.files)
        archive, _ = Archive.objects.get_or_create(sha256=upload.sha256, defaults={"data": data})
    return {
        "sha256": upload.sha256,
        "archive": archive,
        "language": upload.language,
        "entry": upload.entry,
        "size": sum(map(len, upload.files.values())),
        "file_count": len(upload.files),
    }
