"""What the organiser of a series can do with it now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.http import urlencode
from django.utils.translation import gettext

from arena.web.audit_log import DeedLine
from arena.web.paths import path
from arena.web.variants import event_title
from tournaments.series.pages.seasons import EventLine, event_lines
from tournaments.series.results import season_table
from tournaments.series.seasons import could_be_added, deeds_of, seasons_of

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.series.models import EventSeries, Season, SeriesDeed


@dataclass(frozen=True, slots=True)
class Managing:
    """The open season with its events, what can be added, where the next event is made, and the deeds."""

    season: Season | None
    events: list[EventLine]
    drafts: list[Tournament]
    next_url: str
    closable: bool
    deletable: bool
    deeds: list[DeedLine]


def managing(series: EventSeries, user: Any) -> Managing:
    """What an organiser sees below the table."""
    seasons = seasons_of([series])[series.pk]
    season = next((one for one in seasons if one.is_open), None)
    table = season_table(season) if season else None
    events = event_lines(table) if table else []
    over = all(one.tournament.is_over for one in events)
    return Managing(
        season=season,
        events=events,
        drafts=list(could_be_added(user)[:50]) if season else [],
        next_url=_next_url(series, events),
        closable=bool(table and table.rows) and over,
        deletable=len(seasons) == 1 and not events and season is not None,
        deeds=[_line(one, series) for one in deeds_of(series)],
    )


def _next_url(series: EventSeries, events: list[EventLine]) -> str:
    """The form of a new event of this series, with the settings of its last."""
    query = {"series": series.slug} | ({"like": events[-1].tournament.slug} if events else {})
    return f"{path('tournaments:new')}?{urlencode(query)}"


def _line(deed: SeriesDeed, series: EventSeries) -> DeedLine:
    if deed.actor is None:
        who = gettext("A deleted account")
    elif deed.actor.is_staff and deed.actor_id != series.owner_id:
        who = gettext("The arena’s staff")
    else:
        who = deed.actor.get_username()
    about = event_title(deed.tournament.name) if deed.tournament else ""
    return DeedLine(who, str(deed.get_what_display()), about, deed.at)
