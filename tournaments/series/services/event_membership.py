"""Series as tournaments know them: something that an event can belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext

from tournaments.series.errors import SeriesRefused
from tournaments.series.selectors.seasons import managed_by, place_of
from tournaments.series.services.events import put_new
from tournaments.services.event_membership import PartOf

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.models import Tournament
    from tournaments.series.models import EventSeries


class SeriesCollection:
    """The series of an organiser."""

    def choices(self, user: User) -> list[tuple[str, str]]:
        """The series of a user with an open season, by slug."""
        return list(managed_by(user).filter(seasons__closed_at=None).values_list("slug", "name"))

    def put(self, tournament: Tournament, user: User, slug: str) -> None:
        """Put a new event into one of them. Raises SeriesRefused."""
        found = managed_by(user).filter(slug=slug).first()
        if found is None:
            raise SeriesRefused(gettext("Choose one of your own series."), "series")
        put_new(found, user, tournament)

    def part_of(self, tournament: Tournament) -> PartOf | None:
        """The series of an event, and the place of the event in it."""
        found = place_of(tournament)
        if found is None:
            return None
        season = found.season
        words = gettext("Event %(number)s of season %(season)s") % {
            "number": found.number,
            "season": season.number,
        }
        series: EventSeries = season.series
        return PartOf(series.name, season.get_absolute_url(), words)
