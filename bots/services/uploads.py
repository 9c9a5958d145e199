"""Receives uploads, and inspects them when it is their turn.

A page only stores what was sent. A worker has it opened, in the sandbox, before it tries the version.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext

from arena.accounts.confirmation import assert_confirmed
from arena.notices.models import Kind
from arena.notices.services import tell
from arena.web.db_retry import until_answered
from arena.web.i18n.phrases import filled
from bots.errors import LimitReached, UploadRefused
from bots.models import CheckReport, PendingFile, Status, Version
from sandbox import Level, uploads

from .bots import create_bot
from .files import archive_of
from .limits import assert_may_store, count_attempt
from .locks import lock_bot, lock_with_owners
from .verdicts import NOTICES
from .versions import assert_takes_versions, content_of, same_files, upload_version

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Bot

    from .bots import BotDetails
    from .files import SentFile
    from .versions import AuthorNotes


@transaction.atomic
def submit_bot(owner: User, *, file: SentFile, **details: Unpack[BotDetails]) -> Version:
    """Receive ``file`` as the first version of a new bot. Raises the errors of :func:`create_bot`."""
    assert_confirmed(owner)
    count_attempt(owner)
    return create_bot(owner, upload=file, filename=file.filename, **details)


@transaction.atomic
def submit_version(
    bot: Bot, *, file: SentFile, by: User | None = None, **notes: Unpack[AuthorNotes]
) -> Version:
    """Receive ``file`` as the next version of ``bot``. Raises the errors of :func:`upload_version`.

    ``by`` is the one of its owners who sends it, whose limits count; its owner if nobody is named.
    """
    assert_takes_versions(bot)
    by = by or bot.owner
    if bot.owner is None or by is None:
        raise UploadRefused(gettext("%(bot)s has no owner, so nobody can upload to it.") % {"bot": bot.name})
    assert_confirmed(by)
    lock_bot(bot, by)
    count_attempt(by)
    return upload_version(bot, file, by=by, filename=file.filename, **notes)


def inspect_file(version: Version) -> bool:
    """Inspect the file of a version whose check is claimed; whether the version can be tried now.

    If it is no bot, the version is rejected with a sentence for its owners. Raises `SandboxUnavailable`,
    `InspectionsBusy` and OSError: then nothing was found out. No transaction is open meanwhile.
    """
    file = PendingFile.objects.filter(version=version.pk).first()
    if file is None:
        return _refuse(version, gettext("The file is gone. Upload it again."))
    try:
        # A large file waits for its turn in the queue: here it would keep others from this thread.
        wait = 0.0 if uploads.is_large(file.size) else uploads.PATIENCE_SECONDS
        level = Level(settings.SANDBOX_LEVEL)
        upload = uploads.inspect(version.filename, bytes(file.data), level=level, wait=wait)
        # Now, and not while the transaction that stores it is open.
        upload = replace(upload, packed=archive_of(upload.files))
    except uploads.UploadError as error:
        return until_answered(partial(_refuse, version, str(error)), "the refusal of an upload")
    return until_answered(partial(_store_content, version, upload), "what was found in an upload")


@transaction.atomic
def _store_content(claimed: Version, upload: uploads.Upload) -> bool:
    """Store what is in the file of a version, unless it is refused for that; whether it was stored.

    It is not if somebody else claimed the check meanwhile, who goes on with it, or if the bot is gone.
    """
    version = _locked(claimed)
    if version is None:
        return False
    earlier = version.bot.versions.filter(number__lt=version.number).exclude(sha256="")
    last = earlier.order_by("-number").first()
    if last is not None and last.sha256 == upload.sha256:
        return _refuse(claimed, same_files(last))
    try:
        if version.bot.owner is not None:
            assert_may_store(version.bot.owner, upload, version.uploaded_by)
    except LimitReached as refusal:
        return _refuse(claimed, str(refusal))
    Version.objects.filter(pk=version.pk).update(**content_of(upload))
    PendingFile.objects.filter(version=version.pk).delete()
    claimed.refresh_from_db()
    return True


@transaction.atomic
def _refuse(claimed: Version, sentence: str) -> bool:
    """Reject a version whose file is no bot; False, as there is nothing to try."""
    version = _locked(claimed)
    if version is not None:
        Version.objects.filter(pk=version.pk).update(status=Status.REJECTED)
        PendingFile.objects.filter(version=version.pk).delete()
        CheckReport.objects.create(version=version, accepted=False, log=sentence)
        tell(
            version.bot.owner_keys,
            Kind.CHECKED,
            f"check {version.pk}",
            filled(NOTICES[Status.REJECTED], version=version),
            version.get_absolute_url(),
        )
    return False


def _locked(claimed: Version) -> Version | None:
    """The version as it is now, locked with its bot and owners; None if the claim on its check is lost."""
    lock_with_owners(claimed.bot_id)
    rows = Version.objects.select_for_update(of=("self",), no_key=True).select_related(
        "bot__owner", "uploaded_by"
    )
    claim = {"status": Status.CHECKING, "check_started_at": claimed.check_started_at}
    return rows.filter(pk=claimed.pk, sha256="", **claim).first()
