"""Atom feeds: tournaments that start and end, and who leads a ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models.functions import Coalesce
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from arena.web.feeds import SiteFeed, tag
from tournaments.models import Lead, Tournament
from tournaments.ratings.leaderboards import BoardName

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest

SHOWN = 30


class TournamentFeed(SiteFeed[Tournament, None]):
    """Tournaments and tests, the last that started or ended first."""

    title = gettext_lazy("Crapette Arena: tournaments")

    def link(self) -> str:
        """The page it belongs to."""
        return reverse("tournaments:list")

    def items(self) -> QuerySet[Tournament]:
        """The tournaments."""
        begun = Tournament.objects.exclude(format=Tournament.Format.LADDER).filter(started_at__isnull=False)
        return begun.order_by(Coalesce("finished_at", "started_at").desc(), "-pk")[:SHOWN]

    def item_title(self, item: Tournament) -> str:
        """What happened."""
        words = gettext("%(event)s is over") if item.is_over else gettext("%(event)s has started")
        return words % {"event": item.name}

    def item_description(self, item: Tournament) -> str:
        """How it went."""
        return item.note or item.description

    def item_guid(self, item: Tournament) -> str:
        """Another for the start and for the end."""
        return tag("tournament", item.slug, item.status if item.is_over else "started")

    item_guid_is_permalink = False

    def item_updateddate(self, item: Tournament) -> datetime | None:
        """When."""
        return item.finished_at or item.started_at


class LadderFeed(SiteFeed[Lead, BoardName]):
    """Who took first place on a ladder, the last first."""

    def get_object(self, request: HttpRequest, variant: str, players: int = 2) -> BoardName:
        """The board."""
        board = BoardName(variant, players)
        if not board.exists:
            raise Http404(f"expected a board, got {str(board)!r}")
        return board

    def title(self, board: BoardName) -> str:
        """The title of the feed."""
        return gettext("Crapette Arena: first place in %(game)s") % {"game": board.title}

    def link(self, board: BoardName) -> str:
        """The page it belongs to."""
        return board.url

    def items(self, board: BoardName) -> QuerySet[Lead]:
        """The changes."""
        return Lead.objects.filter(board=str(board)).select_related("version__bot").order_by("-at")[:SHOWN]

    def item_title(self, item: Lead) -> str:
        """Who leads."""
        return gettext("%(version)s took first place") % {"version": item.version}

    def item_description(self, item: Lead) -> str:
        """With which rating."""
        return f"{item.elo:.0f} Elo"

    def item_link(self, item: Lead) -> str:
        """The bot."""
        return item.version.bot.get_absolute_url()

    def item_guid(self, item: Lead) -> str:
        """Each change is one."""
        return tag("lead", item.board, item.pk)

    item_guid_is_permalink = False

    def item_updateddate(self, item: Lead) -> datetime:
        """When."""
        return item.at
