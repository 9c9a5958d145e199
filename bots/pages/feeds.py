"""Atom feeds of new versions: of all bots, and of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.template.defaultfilters import linebreaksbr
from django.urls import reverse
from django.utils.translation import gettext

from arena.web.feeds import SiteFeed
from bots.models import PLAYABLE, Bot, Language, Version

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest

SHOWN = 30


class VersionFeed(SiteFeed[Version, Bot | None]):
    """Accepted versions, newest first: of the bot that the address names, or of all."""

    def get_object(self, request: HttpRequest, slug: str = "") -> Bot | None:
        """The bot."""
        return get_object_or_404(Bot, slug=slug) if slug else None

    def title(self, bot: Bot | None) -> str:
        """The title of the feed."""
        return (
            gettext("%(bot)s: new versions") % {"bot": bot.name}
            if bot
            else gettext("Crapette Arena: new versions of bots")
        )

    def link(self, bot: Bot | None) -> str:
        """The page it belongs to."""
        return bot.get_absolute_url() if bot else reverse("bots:list")

    def items(self, bot: Bot | None) -> QuerySet[Version]:
        """The versions."""
        found = (
            Version.objects.filter(status__in=PLAYABLE, bot__withdrawn_at=None)
            .exclude(language=Language.REMOTE)
            .select_related("bot")
        )
        return (found.filter(bot=bot) if bot else found).order_by("-created_at", "-pk")[:SHOWN]

    def item_title(self, item: Version) -> str:
        """The version's name."""
        return str(item)

    def item_description(self, item: Version) -> str:
        """Its language, and what its author says changed, with its lines."""
        passed = gettext("Version %(number)s of %(bot)s (%(language)s) passed its check.") % {
            "number": item.number,
            "bot": item.bot.name,
            "language": item.get_language_display(),
        }
        return linebreaksbr("\n".join(filter(None, (passed, item.release_notes))), autoescape=True)

    def item_updateddate(self, item: Version) -> datetime:
        """When it was uploaded."""
        return item.created_at
