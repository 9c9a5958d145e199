"""The series that an event belongs to, or can be put into when it is created."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from tournaments.series.errors import SeriesRefused
from tournaments.series.events import put_new
from tournaments.series.models import SeasonEvent
from tournaments.series.seasons import managed_by

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class PartOf:
    """The series of an event: its name, address, and where in it the event stands, in words."""

    name: str
    url: str
    words: str


def choices(user: User) -> list[tuple[str, str]]:
    """The series of a user with an open season, by slug."""
    return list(managed_by(user).filter(seasons__closed_at=None).values_list("slug", "name"))


def put(tournament: Tournament, user: User, slug: str) -> None:
    """Put a new event into a series, in the transaction that creates it; nothing without a `slug`.

    Raises SeriesRefused.
    """
    if not slug:
        return
    found = managed_by(user).filter(slug=slug).first()
    if found is None:
        raise SeriesRefused(gettext("Choose one of your own series."), "series")
    put_new(found, user, tournament)


def part_of(tournament: Tournament) -> PartOf | None:
    """The series of an event, and the place of the event in it; None if it belongs to none."""
    rows = SeasonEvent.objects.filter(tournament=tournament.pk)
    found = rows.select_related("season__series").first()
    if found is None:
        return None
    season = found.season
    words = gettext("Event %(number)s of season %(season)s") % {
        "number": found.number,
        "season": season.number,
    }
    return PartOf(season.series.name, season.get_absolute_url(), words)
