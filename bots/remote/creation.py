"""Creates remote bots: nothing is uploaded, and their one version has no files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext

from arena.accounts.confirmation import assert_confirmed
from arena.web.audit_log import add_audit_entry
from arena.web.database import database_clock
from bots.bots import BotDetails, save_new_bot
from bots.errors import NameRefused, RemoteRefused
from bots.locks import lock_owner
from bots.models import Bot, BotAuditEntry, Language, RemotePresence, Status, Version
from bots.port import field_changed
from bots.versions import choose_active

if TYPE_CHECKING:
    from arena.accounts.models import User


def find_or_create(owner: User, name: str) -> tuple[Bot, bool]:
    """The remote bot of this name that ``owner`` owns, also with others; a new one if there is none.

    Whether it is new. Raises the errors of `create_remote_bot`.
    """
    own = Bot.objects.of(owner).filter(kind=Bot.Kind.REMOTE, withdrawn_at=None)
    found = own.filter(name__iexact=" ".join(name.split())).first()
    return (found, False) if found is not None else (create_remote_bot(owner, BotDetails(name)), True)


@transaction.atomic
def create_remote_bot(owner: User, details: BotDetails) -> Bot:
    """Create a remote bot with its one version. It plays once its program has connected.

    Raises :class:`~bots.errors.NameRefused`, :class:`~bots.errors.LimitReached`,
    :class:`~bots.errors.RemoteRefused` where remote bots are switched off,
    :class:`~bots.errors.OwnerGone`, and AddressNotConfirmed.
    """
    if not settings.REMOTE:
        raise RemoteRefused("off", gettext("Remote bots are switched off on this site."))
    assert_confirmed(owner)
    lock_owner(owner)
    bot = save_new_bot(owner, details, Bot.Kind.REMOTE)
    if bot.versions.exists():
        # Files were sent under this name and refused: whoever reads of them is told of an uploaded bot.
        raise NameRefused(gettext("You already have a bot of this name."), "name")
    version = Version.objects.create(
        bot=bot,
        number=1,
        uploaded_by=owner,
        language=Language.REMOTE,
        status=Status.ACCEPTED,
        size=0,
        file_count=0,
        activated_at=database_clock.now(),
    )
    RemotePresence.objects.create(bot=bot)
    choose_active(bot.pk)
    add_audit_entry(bot.audit_log, owner, BotAuditEntry.What.CREATED, version=version)
    field_changed()
    bot.refresh_from_db(fields=["active_version"])
    return bot
