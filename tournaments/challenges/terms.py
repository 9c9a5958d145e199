"""What owners say about challenges beforehand: on what terms a bot takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.translation import gettext

from arena.web.audit_log import note_deed
from bots.locks import lock_bot
from bots.models import BotDeed
from tournaments.challenges.errors import ChallengeRefused
from tournaments.challenges.models import Block, Terms

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Bot

MOST_PER_DAY: Final = 50


@transaction.atomic
def set_terms(bot: Bot, takes: str, per_day: int, *, by: User | None = None) -> Terms:
    """Say how a bot takes challenges from now on; `by` is the one of its owners who does so.

    Raises ChallengeRefused, and OwnerGone if the bot is no longer theirs.
    """
    if takes not in Terms.Takes.values:
        raise ChallengeRefused(gettext("Choose one of the answers."), "takes")
    if not 1 <= per_day <= MOST_PER_DAY:
        raise ChallengeRefused(
            gettext("A bot can accept 1 to %(most)s challenges a day by itself.") % {"most": MOST_PER_DAY},
            "per_day",
        )
    if by is not None:
        lock_bot(bot, by)
    note_deed(bot.deeds, by, BotDeed.What.TERMS)
    return Terms.objects.update_or_create(bot=bot, defaults={"takes": takes, "per_day": per_day})[0]


def unblock(user: User, name: str) -> bool:
    """Let somebody challenge the user again; False if they were not blocked."""
    return bool(Block.objects.filter(owner=user, blocked__username=name).delete()[0])
