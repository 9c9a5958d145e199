"""Owners of bots: one at a time changes what an owner has, and an owner may leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import ProtectedError, RestrictedError
from django.utils import timezone

from bots.models import Archive, Bot, CheckReport, Version

if TYPE_CHECKING:
    from arena.accounts.models import User


def lock_owner(owner: User) -> None:
    """Make this transaction the only one that changes what ``owner`` has, so that limits hold under races."""
    get_user_model().objects.select_for_update().get(pk=owner.pk)


@transaction.atomic
def forget_owner(owner: User) -> None:
    """Delete the bots of ``owner``; those that have played stay as nameless, withdrawn bots without files.

    Results of others rest on the games a bot has played, so its versions stay as rows with their hashes; its
    name, description, files, check logs and evidence go.
    """
    lock_owner(owner)
    for bot in Bot.objects.filter(owner=owner):
        try:
            with transaction.atomic():
                bot.delete()
        except (ProtectedError, RestrictedError):
            _make_nameless(bot)
    owner.bot_tokens.all().delete()
    drop_unused_archives()


def _make_nameless(bot: Bot) -> None:
    """Keep of ``bot`` only what other players' results rest on."""
    CheckReport.objects.filter(version__bot=bot).delete()
    Version.objects.filter(bot=bot).update(archive=None, filename="", note="")
    Bot.objects.filter(pk=bot.pk).update(
        name=f"Departed bot {bot.pk}",
        slug=f"departed-bot-{bot.pk}",
        description="",
        owner=None,
        open_to_all=False,
        withdrawn_at=bot.withdrawn_at or timezone.now(),
    )


def drop_unused_archives() -> None:
    """Delete archives that no version refers to any more."""
    Archive.objects.filter(versions=None).delete()


@transaction.atomic
def delete_account(owner: User) -> None:
    """Delete the user and all of :func:`forget_owner`; what else refers to the user has no owner then."""
    forget_owner(owner)
    owner.delete()
