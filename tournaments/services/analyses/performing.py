"""Works out how well each entrant did in one event. Never imported where pages are served."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.ratings.inputs import FitInputs, intervals
from analysis.ratings.matches import Match
from tournaments import events
from tournaments.models import Tournament
from tournaments.selectors.standings import meetings
from tournaments.services.analyses.kinds import Gone

if TYPE_CHECKING:
    from tournaments.services.analyses.kinds import Arguments


def performed(arguments: Arguments) -> dict[str, Any]:
    """Each entrant's Elo by the games of this event alone, with the ends of its 95 % interval.

    Their mean is 1500 in each group that met. It says how well a bot did here, and counts for nothing.
    """
    tournament = Tournament.objects.filter(pk=arguments["tournament"]).first()
    if tournament is None:
        raise Gone("This tournament no longer exists.")
    met = meetings(tournament)
    matches = tuple(Match(one.first, one.second, one.penta) for one in met if sum(one.penta))
    weighed = FitInputs(matches=matches).rate()
    ends = intervals(weighed)
    rows = {
        str(player): [one.elo, *ends[player]]
        for player, one in zip(weighed.fit.players, weighed.fit.estimates, strict=True)
    }
    return {"pairs": sum(sum(one.penta) for one in met), "rows": rows}


def tell(arguments: Arguments) -> None:
    """Have open pages of the event read the new figures."""
    slug = Tournament.objects.filter(pk=arguments["tournament"]).values_list("slug", flat=True).first()
    if slug is not None:
        events.publish_changed(slug)
