"""Limits how often failures of a bot's own process may void games of its owner before a person looks.

A void game is played again, so a bot that could have its lost games voided would never lose. Where each bot
has a memory cgroup, the kernel's own count proves what happened. Without one, only the bot's size is
evidence, so its owner gets the benefit of the doubt `MOST` times in `WITHIN`, over all bots of the account
and of accounts linked to it. Then an alarm asks a person to look. Until that alarm is cleared, an end without
proof is the bot's crash: it loses, and nothing waits. Clearing the alarm starts the count again; a pair that
the host did spoil can be voided by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import DateTimeField, F
from django.utils import timezone

from arena.web.database.prepared_sql import Param, PreparedQuery
from arena.web.processes.alarms import raise_alarm
from bots.models import Bot
from tournaments.models import Alarm, Attempt
from tournaments.models.embargo import seeing_hidden
from tournaments.ratings.linked_owners import linked_accounts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from bots.models import Version

MOST: Final = 3
WITHIN: Final = timedelta(hours=24)


def doubted_seats(versions: Sequence[Version]) -> frozenset[int]:
    """Return the seats whose owners had too many games voided: only proof voids another."""
    if not _voided.rows(since=timezone.now() - WITHIN):
        return frozenset()
    groups = {version.bot_id: _Author.of(version.bot_id) for version in versions}
    doubted = {author for author in set(groups.values()) if author.count_voided() >= MOST}
    return frozenset(seat for seat, version in enumerate(versions) if groups[version.bot_id] in doubted)


@PreparedQuery
@seeing_hidden()
def _voided() -> QuerySet[Attempt, tuple[int]]:
    lately = Attempt.objects.filter(ended_at__gt=Param("since", DateTimeField()), seat__isnull=False)
    return lately.order_by().values_list("pk")[:1]


def look_at(game: UUID, seat: int, reason: str) -> None:
    """Raise the alarm if the owner of the bot in this seat has had too many games voided."""
    bot = Bot.objects.get(versions__seats__game=game, versions__seats__seat=seat)
    author = _Author.of(bot.pk)
    count = author.count_voided()
    if count < MOST:
        return
    raise_alarm(
        Alarm.Kind.BOT,
        author.key,
        f"{bot.name} and its owner's other bots: {count} games were void within {WITHIN.days * 24} hours"
        f" because of what happened to a bot's own process, last: {reason[:200]}. Look at their attempts."
        " Until you clear this alarm, only the count of its own cgroup excuses another kill; without it"
        " such a bot loses by a crash.",
    )


@dataclass(frozen=True, slots=True)
class _Author:
    """Whose games count together: an account with those that staff linked to it, or a bot without one."""

    key: str
    bots: frozenset[int]

    @classmethod
    def of(cls, bot: int) -> _Author:
        """The author of a bot."""
        owner = Bot.objects.values_list("owner", flat=True).get(pk=bot)
        if owner is None:
            return cls(f"bot {bot}", frozenset({bot}))
        linked = linked_accounts(by_staff=True)
        first = linked.get(owner, owner)
        accounts = {owner, *(account for account, least in linked.items() if least == first)}
        bots = Bot.objects.filter(owner__in=accounts).values_list("pk", flat=True)
        return cls(f"account {first}", frozenset(bots))

    def count_voided(self) -> int:
        """How many attempts ended without a result because of a bot's process, since a person last looked."""
        since = timezone.now() - WITHIN
        found = Attempt.objects.filter(
            ended_at__gt=since,
            seat__isnull=False,
            game__seats__seat=F("seat"),
            game__seats__version__bot__in=self.bots,
        )
        count = found.count()
        if count < MOST:
            return count
        looked = Alarm.objects.filter(kind=Alarm.Kind.BOT, key=self.key, cleared_at__gt=since)
        last = looked.order_by("-cleared_at").values_list("cleared_at", flat=True).first()
        return count if last is None else found.filter(ended_at__gt=last).count()
