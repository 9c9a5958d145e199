"""What becomes of open challenges when a bot gets another owner, or loses its files with its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from bots.models import program_gone
from tournaments.challenges.answers import tell_off
from tournaments.challenges.models import Challenge

if TYPE_CHECKING:
    from collections.abc import Collection

    from arena.accounts.models import User
    from bots.models import Bot


def close_challenges(versions: Collection[int]) -> None:
    """Take back what was asked for with versions without files, and decline what was asked of them.

    Others may play again before the challenge expires, and until then whoever accepts is told why not.
    """
    still, now = Challenge.objects.filter(status=Challenge.Status.OPEN), timezone.now()
    asked_for = still.filter(program_gone("mine__"), mine__in=versions)
    asked_for.update(status=Challenge.Status.WITHDRAWN, answered_at=now)
    rows = still.filter(program_gone("theirs__"), theirs__in=versions)
    rows = rows.select_related("mine__bot", "theirs__bot")
    for challenge in rows:
        if still.filter(pk=challenge.pk).update(status=Challenge.Status.DECLINED, answered_at=now):
            tell_off(challenge)


def ask_new_owner(bot: Bot, owner: User) -> None:
    """Have the new owner be asked what is still open, so that it bears their name and stays with the bot.

    Who was asked and has answered stays in the lists. Nobody is asked by themselves.
    """
    still = Challenge.objects.filter(theirs__bot=bot, status=Challenge.Status.OPEN, asked__isnull=False)
    still.exclude(asker=owner).update(asked=owner)
