"""Accepts uploads: checks the limits, inspects the file, and stores it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy

from arena.accounts.confirmation import assert_confirmed
from bots.errors import ArenaBusy, ArenaUnavailable, UploadRefused
from sandbox import Level, SandboxUnavailable, uploads
from sandbox.inspections import InspectionsBusy

from .bots import assert_may_be_named, create_bot
from .files import archive_of
from .limits import assert_may_create_bot, claim_attempt, inspected
from .versions import assert_takes_versions, upload_version

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Bot, Version

PATIENCE_SECONDS: Final = 10.0
LARGE_PATIENCE_SECONDS: Final = 1.0
"""They take turns. Who waited long would keep a page's thread from everyone else."""
UNAVAILABLE: Final = gettext_lazy(
    "We can’t check bots right now. This is not your file’s fault: try again later."
)
BUSY: Final = gettext_lazy("We are checking as many uploads as we can. Try again in a moment.")
BUSY_RETRY_SECONDS: Final = 10

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SentFile:
    """A file as it was sent, not inspected yet."""

    filename: str
    data: bytes


def submit_bot(
    owner: User,
    *,
    name: str,
    file: SentFile,
    description: str = "",
    release_notes: str = "",
    open_to_all: bool = True,
) -> Version:
    """Inspect ``file`` and create a bot from it with :func:`create_bot`.

    Raises its errors, and :class:`UploadRefused`, :class:`ArenaUnavailable` or :class:`ArenaBusy`.
    """
    assert_confirmed(owner)
    assert_may_create_bot(owner)
    assert_may_be_named(name)
    upload = _inspected(owner, file)
    return create_bot(
        owner,
        name=name,
        upload=upload,
        filename=file.filename,
        description=description,
        release_notes=release_notes,
        open_to_all=open_to_all,
    )


def submit_version(
    bot: Bot,
    *,
    file: SentFile,
    by: User | None = None,
    note: str = "",
    release_notes: str = "",
    activate_when_accepted: bool = True,
) -> Version:
    """Inspect ``file`` and add it to ``bot`` as its next version. Raises the same errors as `submit_bot`.

    ``by`` is the one of its owners who sends it, whose limits count; its owner if nobody is named.
    """
    assert_takes_versions(bot)
    by = by or bot.owner
    if bot.owner is None or by is None:
        raise UploadRefused(gettext("%(bot)s has no owner, so nobody can upload to it.") % {"bot": bot.name})
    assert_confirmed(by)
    upload = _inspected(by, file)
    return upload_version(
        bot,
        upload,
        by=by,
        filename=file.filename,
        note=note,
        release_notes=release_notes,
        activate_when_accepted=activate_when_accepted,
    )


def _inspected(owner: User, file: SentFile) -> uploads.Upload:
    """Inspect ``file``. This counts as an attempt of ``owner`` unless the arena is at fault.

    No transaction is open meanwhile.
    """
    attempt = claim_attempt(owner)
    counts = True
    wait = LARGE_PATIENCE_SECONDS if uploads.is_large(len(file.data)) else PATIENCE_SECONDS
    try:
        upload = uploads.inspect(file.filename, file.data, level=Level(settings.SANDBOX_LEVEL), wait=wait)
        # Now, and not while the transaction that stores it is open.
        return replace(upload, packed=archive_of(upload.files))
    except uploads.UploadError as error:
        raise UploadRefused(str(error), "file") from error
    except SandboxUnavailable as error:
        counts = False
        logger.exception("an upload could not be inspected")
        raise ArenaUnavailable(str(UNAVAILABLE), "file") from error
    except InspectionsBusy as error:
        counts = False
        raise ArenaBusy(str(BUSY), "file", retry_after=BUSY_RETRY_SECONDS) from error
    finally:
        inspected(attempt, counts=counts)
