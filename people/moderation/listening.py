"""What bots and accounts ask of moderation, which they do not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.port import BotListener
from people.moderation import selectors
from people.moderation.models import Subject

if TYPE_CHECKING:
    from bots.models import Bot


class ModerationListener(BotListener):
    """Keeps what moderators hid or renamed until they lift that."""

    def locked(self, bot: Bot) -> frozenset[str]:
        """The texts of a bot about which a decision is in force."""
        return selectors.decided_parts(Subject.BOT, bot.pk)
