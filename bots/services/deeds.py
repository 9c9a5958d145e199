"""Notes what its owners do with a bot, for all of them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from bots.models import BotDeed

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.accounts.models import User
    from bots.models import Bot, Version

KEPT: Final = 200
"""Deeds of a bot, or of an event, that stay however old they are."""
KEPT_ALL: Final = timedelta(days=1)
"""How long every deed stays: the invitations of a day are counted."""


def note_deed(
    bot: Bot,
    by: User | None,
    what: BotDeed.What,
    *,
    person: User | None = None,
    version: Version | None = None,
) -> None:
    """Note a deed, in the transaction in which it is done, and drop those of the bot that are too many.

    What nobody did (`by` is None) is no deed.
    """
    if by is None:
        return
    BotDeed.objects.create(bot=bot, actor=by, what=what, person=person, version=version)
    drop_surplus(BotDeed.objects.filter(bot=bot))


def drop_surplus(deeds: QuerySet[Any]) -> None:
    """Delete the oldest of these deeds, which come newest first, beyond `KEPT`."""
    surplus = deeds.values_list("pk", flat=True)[KEPT : KEPT + 1].first()
    if surplus is not None:
        deeds.filter(pk__lte=surplus, at__lt=timezone.now() - KEPT_ALL).delete()
