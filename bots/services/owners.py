"""Owners of bots: locks what an owner has, and deletes accounts."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import ProtectedError, RestrictedError
from django.utils import timezone
from django.utils.translation import gettext

from arena.accounts.sessions import end_sessions
from bots.errors import OwnerGone
from bots.models import Archive, Bot, CheckReport, Follow, Status, Trial, Version

from .files import remove_unpacked
from .listeners import field_changed, listeners

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import Model

    from arena.accounts.models import User


def lock_owner(owner: User) -> None:
    """Lock ``owner`` for this transaction, so that limits hold in races.

    What only refers to the account, such as a notice to it, does not wait; its deletion does.
    Raises :class:`~bots.errors.OwnerGone` if the account was deleted or suspended since the request began.
    """
    if not _locked(owner, no_key=True).is_active:
        raise OwnerGone(gettext("Your account has been suspended in the meantime. Nothing was stored."))


def _locked(owner: User, *, no_key: bool = False) -> User:
    """The account as it is now, locked. Raises OwnerGone if there is none."""
    users = get_user_model().objects.select_for_update(no_key=no_key)
    found: User | None = users.filter(pk=owner.pk).first()
    if found is None:
        raise OwnerGone(gettext("Your account has been deleted in the meantime. Nothing was stored."))
    return found


@transaction.atomic
def forget_owner(owner: User) -> None:
    """Delete the bots of ``owner``. Those that have played stay as nameless, withdrawn bots without files.

    Other bots' results depend on those games, so versions stay as rows with their hashes. Names,
    descriptions, files and check logs are deleted.
    """
    _locked(owner)
    # Whoever begins to follow one at this moment locks it, too: they come before, or find no bot.
    bots = list(Bot.objects.select_for_update().filter(owner=owner).order_by("pk"))
    contents = set(Version.objects.filter(bot__in=bots).values_list("sha256", flat=True))
    _forget_in_log(Bot, [bot.pk for bot in bots])
    for bot in bots:
        try:
            with transaction.atomic():
                bot.delete()
        except (ProtectedError, RestrictedError):
            _make_nameless(bot)
    owner.bot_tokens.all().delete()
    drop_unused_archives()
    gone = contents - set(Archive.objects.filter(sha256__in=contents).values_list("sha256", flat=True))
    transaction.on_commit(partial(remove_unpacked, gone))
    field_changed()


def _forget_in_log(model: type[Model], keys: Iterable[int]) -> None:
    """Remove the names of rows from the admin log."""
    kind = ContentType.objects.get_for_model(model)
    LogEntry.objects.filter(content_type=kind, object_id__in=[str(key) for key in keys]).update(
        object_repr="departed"
    )


def _make_nameless(bot: Bot) -> None:
    """Keep only what other players' results need of ``bot``."""
    Follow.objects.filter(bot=bot).delete()
    CheckReport.objects.filter(version__bot=bot).delete()
    Trial.objects.filter(version__bot=bot).update(log="", record=None)
    versions = Version.objects.filter(bot=bot)
    versions.update(archive=None, filename="", note="", release_notes="", trial_asked_at=None)
    # Without files nothing can be checked, and nobody else's check may wait for it.
    versions.filter(status__in=(Status.UPLOADED, Status.CHECKING)).update(status=Status.REJECTED)
    Bot.objects.filter(pk=bot.pk).update(
        name=f"Departed bot {bot.pk}",
        look=None,
        slug=f"departed-bot-{bot.pk}",
        description="",
        owner=None,
        open_to_all=False,
        withdrawn_at=bot.withdrawn_at or timezone.now(),
    )


def drop_unused_archives() -> None:
    """Delete archives that no version refers to any more."""
    Archive.objects.filter(versions=None).delete()


def delete_account(owner: User) -> None:
    """Delete the user, every session, everything in :func:`forget_owner`, and what the bots wrote.

    That comes first, and little by little, so that nobody waits for the end of a long transaction; whatever
    breaks this off, the account is still there and can be deleted again. What others organise with
    them goes to the others.
    """
    began = timezone.now()
    bots = list(Bot.objects.filter(owner=owner).values_list("pk", flat=True))
    for bot in bots:
        _forget_words(bot, None)
    # A second click, or another page, may have deleted it meanwhile: then it is done.
    with contextlib.suppress(OwnerGone), transaction.atomic():
        forget_owner(owner)
        _forget_in_log(get_user_model(), [owner.pk])
        transaction.on_commit(partial(end_sessions, owner.pk))
        for bot in bots:
            transaction.on_commit(partial(_forget_words, bot, began))
        for listener in listeners():
            listener.owner_leaves(owner)
        owner.delete()


def _forget_words(bot: int, since: datetime | None) -> None:
    for listener in listeners():
        listener.forget(bot, since)
