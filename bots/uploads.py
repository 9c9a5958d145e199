"""The way of an upload: it is submitted, stored as it was sent, and inspected when its check begins.

A page only stores what was sent. A worker has it opened, in the sandbox, before it tries the version
(`bots.checks`). A version never changes once it is stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from arena.accounts.confirmation import assert_confirmed
from arena.web.audit_log import add_audit_entry
from arena.web.database.db_retry import until_answered
from bots.bots import save_new_bot
from bots.checks import enqueue_check, lock_claimed, record_refusal
from bots.errors import LimitReached, UploadRefused
from bots.files import SentFile, archive_of
from bots.limits import assert_may_store, assert_may_upload, assert_may_wait, count_attempt
from bots.locks import lock_bot, lock_owner
from bots.models import Archive, BotAuditEntry, PendingFile, Status, Version
from sandbox import Level, uploads

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.bots import BotDetails
    from bots.models import Bot
    from sandbox.uploads import Upload

FILENAME_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Submission:
    """A file for the next version of a bot, and what its author says of it.

    The file is as it was sent; only the arena's own bots come inspected.
    """

    file: SentFile | Upload
    filename: str
    note: str = ""
    release_notes: str = ""
    activate_when_accepted: bool = True


@transaction.atomic
def submit_bot(owner: User, details: BotDetails, submission: Submission) -> Version:
    """Receive the first version of a new bot. Raises the errors of :func:`create_bot`."""
    assert_confirmed(owner)
    count_attempt(owner)
    return create_bot(owner, details, submission)


@transaction.atomic
def create_bot(owner: User, details: BotDetails, submission: Submission) -> Version:
    """Create a bot with its first version and return that version; its check is enqueued on commit.

    If all that ``owner`` sent under this name was refused, it is the next version of that bot.

    Raises :class:`~bots.errors.NameRefused`, :class:`~bots.errors.LimitReached` or
    :class:`~bots.errors.ArenaBusy`; then nothing was stored.
    """
    lock_owner(owner)
    return _store_version(save_new_bot(owner, details), submission, owner)


@transaction.atomic
def submit_version(bot: Bot, submission: Submission, *, by: User | None = None) -> Version:
    """Receive the next version of ``bot``. Raises the errors of :func:`upload_version`.

    ``by`` is the one of its owners who sends it, whose limits count; its owner if nobody is named.
    """
    _assert_takes_versions(bot)
    by = by or bot.owner
    if bot.owner is None or by is None:
        raise UploadRefused(gettext("%(bot)s has no owner, so nobody can upload to it.") % {"bot": bot.name})
    assert_confirmed(by)
    lock_bot(bot, by)
    count_attempt(by)
    return upload_version(bot, submission, by=by)


@transaction.atomic
def upload_version(bot: Bot, submission: Submission, *, by: User | None = None) -> Version:
    """Store a file as the next version of ``bot``. Its check is enqueued on commit.

    Raises :class:`UploadRefused` if it is identical to the newest version or the bot is withdrawn,
    :class:`~bots.errors.LimitReached`, :class:`~bots.errors.ArenaBusy`, and
    :class:`~bots.errors.OwnerGone` if the bot is no longer theirs.
    """
    by = by or bot.owner
    if by is not None:
        bot = lock_bot(bot, by)
    _assert_takes_versions(bot)
    newest = bot.versions.order_by("-number").first()
    if newest is not None and _is_same(newest, submission):
        raise UploadRefused(_same_files(newest), field="file")
    return _store_version(bot, submission, by)


def _is_same(newest: Version, submission: Submission) -> bool:
    """Whether a file is what the newest version was made of. One that was not inspected can tell only by its
    bytes and its name, which together decide what it unpacks to."""
    file = submission.file
    if isinstance(file, SentFile):
        sent = (newest.sent_sha256, newest.filename)
        return not newest.is_refused and sent == (file.sha256, submission.filename[-FILENAME_LENGTH:])
    return newest.sha256 == file.sha256


def _same_files(version: Version) -> str:
    """Why a file is refused that has the same content as this version."""
    return gettext("Version %(number)s has exactly the same files. Upload something new.") % {
        "number": version.number
    }


def _assert_takes_versions(bot: Bot) -> None:
    """Raise :class:`UploadRefused` if ``bot`` was withdrawn or is a remote one."""
    if bot.is_remote:
        raise UploadRefused(
            gettext(
                "%(bot)s is a remote bot: its program connects from your machine. Nothing is uploaded to it."
            )
            % {"bot": bot.name}
        )
    if bot.is_withdrawn:
        raise UploadRefused(
            gettext("%(bot)s is withdrawn. Restore it before you upload a version.") % {"bot": bot.name}
        )


def _store_version(bot: Bot, submission: Submission, by: User | None) -> Version:
    """Insert the next version of ``bot`` inside the caller's transaction, which holds the owners' locks."""
    file = submission.file
    if bot.owner is not None and by is not None:
        assert_may_upload(by)
        assert_may_store(bot.owner, file, by)
        if isinstance(file, SentFile):
            assert_may_wait(by, len(file.data))
    version = insert_version(bot, submission, by=by)
    add_audit_entry(
        bot.audit_log,
        by,
        BotAuditEntry.What.CREATED if version.number == 1 else BotAuditEntry.What.UPLOADED,
        version=version,
    )
    enqueue_check(version)
    return version


def insert_version(
    bot: Bot, submission: Submission, *, by: User | None = None, status: Status = Status.UPLOADED
) -> Version:
    """Insert the row and, if no other version has the same content, the archive."""
    file = submission.file
    last = bot.versions.aggregate(last=Max("number"))["last"] or 0
    content = (
        {"sent_sha256": file.sha256, "size": len(file.data), "file_count": 1}
        if isinstance(file, SentFile)
        else _content_of(file)
    )
    version = Version.objects.create(
        bot=bot,
        number=last + 1,
        uploaded_by=by,
        filename=submission.filename[-FILENAME_LENGTH:],
        note=submission.note.strip(),
        release_notes=submission.release_notes.strip(),
        activate_when_accepted=submission.activate_when_accepted,
        status=status,
        **content,
    )
    if isinstance(file, SentFile):
        PendingFile.objects.create(version=version, data=file.data, size=len(file.data))
    return version


def _content_of(upload: Upload) -> dict[str, Any]:
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


def inspect_file(version: Version) -> bool:
    """Inspect the file of a version whose check is claimed; whether the version can be tried now.

    If it is no bot, the version is rejected with a sentence for its owners. Raises `SandboxUnavailable`,
    `InspectionsBusy` and OSError: then nothing was found out. No transaction is open meanwhile.
    """
    file = PendingFile.objects.filter(version=version.pk).first()
    if file is None:
        return record_refusal(version, gettext("The file is gone. Upload it again."))
    try:
        # A large file waits for its turn in the queue: here it would keep others from this thread.
        wait = 0.0 if uploads.is_large(file.size) else uploads.PATIENCE_SECONDS
        level = Level(settings.SANDBOX_LEVEL)
        upload = uploads.inspect(version.filename, bytes(file.data), level=level, wait=wait)
        # Now, and not while the transaction that stores it is open.
        upload = replace(upload, packed=archive_of(upload.files))
    except uploads.UploadError as error:
        return until_answered(partial(record_refusal, version, str(error)), "the refusal of an upload")
    return until_answered(partial(_store_content, version, upload), "what was found in an upload")


@transaction.atomic
def _store_content(claimed: Version, upload: Upload) -> bool:
    """Store what is in the file of a version, unless it is refused for that; whether it was stored.

    It is not if somebody else claimed the check meanwhile, who goes on with it, or if the bot is gone.
    """
    version = lock_claimed(claimed)
    if version is None:
        return False
    earlier = version.bot.versions.filter(number__lt=version.number).exclude(sha256="")
    last = earlier.order_by("-number").first()
    if last is not None and last.sha256 == upload.sha256:
        return record_refusal(claimed, _same_files(last))
    try:
        if version.bot.owner is not None:
            assert_may_store(version.bot.owner, upload, version.uploaded_by)
    except LimitReached as refusal:
        return record_refusal(claimed, str(refusal))
    Version.objects.filter(pk=version.pk).update(**_content_of(upload))
    PendingFile.objects.filter(version=version.pk).delete()
    claimed.refresh_from_db()
    return True
