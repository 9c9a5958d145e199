"""Limits how often failures of a bot's own process may void its games before a person looks.

A void game is played again, so a bot that could have its lost games voided would never lose. Where each bot
has a memory cgroup, the kernel's own count proves what happened. Without one, only the bot's size is
evidence, so it gets the benefit of the doubt `MOST` times in `WITHIN`, over all its versions and games. Then
an alarm asks a person to look. Until that alarm is cleared, an end without proof is the bot's crash: it
loses, and nothing waits. Clearing the alarm starts the count again; a pair that the host did spoil can be
voided by hand.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import F
from django.utils import timezone

from bots.models import Bot
from tournaments.models import Alarm, Attempt
from tournaments.services.alarms import raise_alarm

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from bots.models import Version

MOST: Final = 3
WITHIN: Final = timedelta(hours=24)


def doubted_seats(versions: Sequence[Version]) -> frozenset[int]:
    """Return the seats whose bots had so many games voided that another void needs proof."""
    lately = Attempt.objects.filter(ended_at__gt=timezone.now() - WITHIN, seat__isnull=False)
    if not lately.exists():
        return frozenset()
    doubted = {bot for bot in {version.bot_id for version in versions} if voided(bot) >= MOST}
    return frozenset(seat for seat, version in enumerate(versions) if version.bot_id in doubted)


def look_at(game: UUID, seat: int, reason: str) -> None:
    """Raise the alarm if the bot in this seat has had too many games voided."""
    bot = Bot.objects.get(versions__seats__game=game, versions__seats__seat=seat)
    count = voided(bot.pk)
    if count < MOST:
        return
    raise_alarm(
        Alarm.Kind.BOT,
        _key(bot.pk),
        f"{bot.name}: {count} games were void within {WITHIN.days * 24} hours because of what happened to"
        f" its own process, last: {reason[:200]}. Look at its attempts. Until you clear this alarm, only"
        " the count of its own cgroup excuses another kill; without it the bot loses by a crash.",
    )


def voided(bot: int) -> int:
    """How many attempts ended without a result because of the bot's process, since a person last looked."""
    since = timezone.now() - WITHIN
    found = Attempt.objects.filter(
        ended_at__gt=since, seat__isnull=False, game__seats__seat=F("seat"), game__seats__version__bot=bot
    )
    count = found.count()
    if count < MOST:
        return count
    looked = Alarm.objects.filter(kind=Alarm.Kind.BOT, key=_key(bot), cleared_at__gt=since)
    last = looked.order_by("-cleared_at").values_list("cleared_at", flat=True).first()
    return count if last is None else found.filter(ended_at__gt=last).count()


def _key(bot: int) -> str:
    return f"bot {bot}"
