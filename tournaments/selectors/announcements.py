"""What the page of a tournament shows that no game changes."""

from __future__ import annotations

from arena.web.cache.values import shared_rows
from tournaments.models import Announcement, Tournament


@shared_rows
def find_tournament(slug: str) -> Tournament | None:
    """Return the tournament of this slug with its owner and what it hides, or None."""
    return Tournament.objects.select_related("owner", "hidden_results").filter(slug=slug).first()


@shared_rows
def announcements(tournament: int) -> list[Announcement]:
    """Return the announcements of a tournament in their order."""
    return list(Announcement.objects.filter(tournament=tournament).select_related("author"))
