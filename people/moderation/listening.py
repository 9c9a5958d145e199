"""What bots and accounts ask of moderation, which they do not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from bots.services.listeners import BotListener
from people.moderation import selectors, services
from people.moderation.models import Subject

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Bot


def why_closed(user: User) -> str:
    """The path of the decision that closed an account; of the sign-in if its time has just come to an end."""
    act = selectors.ban_of(user.pk)
    if act is None:
        return ""
    return reverse("account_login") if services.end_if_over(act) else services.link_to(act)


class ModerationListener(BotListener):
    """Keeps what moderators hid or renamed until they lift that."""

    def locked(self, bot: Bot) -> frozenset[str]:
        """The texts of a bot about which a decision is in force."""
        return selectors.decided_parts(Subject.BOT, bot.pk)
