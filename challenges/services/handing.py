"""What becomes of open challenges when the bot that was challenged gets another owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.services import BotListener
from challenges.models import Challenge

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Bot


class ChallengeListener(BotListener):
    """Keeps open challenges with whoever owns the bot."""

    def handed_over(self, bot: Bot, owner: User) -> None:
        """Have the new owner be asked what is still open, so that it bears their name and stays with the bot.

        Who was asked and has answered stays in the lists. Nobody is asked by themselves.
        """
        still = Challenge.objects.filter(theirs__bot=bot, status=Challenge.Status.OPEN, asked__isnull=False)
        still.exclude(asker=owner).update(asked=owner)
