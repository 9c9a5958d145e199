"""Works out how well each entrant did in one event. Never imported where pages are served."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis.intervals import Z95
from analysis.ratings.inputs import FitInputs, count_orders, intervals
from analysis.ratings.shared_deals import with_errors_by_deal
from tournaments import live_updates as events
from tournaments.events.standings import (
    counted_pairs,
    dealt_pairs,
    entrants_matches,
    group_deals,
)
from tournaments.models import Tournament
from tournaments.questions.question_types import Gone

if TYPE_CHECKING:
    from tournaments.questions.question_types import Arguments


def measure_performance(arguments: Arguments) -> dict[str, Any]:
    """Each entrant's Elo by the games of this event alone, with the ends of its 95 % interval.

    Their mean is 1500 in each group that met. It says how well a bot did here, and counts for nothing. Errors
    take the deal as the unit, because all pairings of a round play the same ones.
    """
    tournament = Tournament.objects.filter(pk=arguments["tournament"]).first()
    if tournament is None:
        raise Gone("This tournament no longer exists.")
    if tournament.players > 2:
        return {"pairs": counted_pairs(tournament, ()), "rows": _among_several(tournament)}
    matches = entrants_matches(tournament)
    weighed = FitInputs(matches=matches).rate()
    weighed = replace(weighed, fit=with_errors_by_deal(weighed.fit, matches, dealt_pairs(tournament)))
    ends = intervals(weighed)
    rows = {
        str(player): [one.elo, *ends[player]]
        for player, one in zip(weighed.fit.players, weighed.fit.estimates, strict=True)
    }
    return {"pairs": sum(match.pairs for match in matches), "rows": rows}


def _among_several(tournament: Tournament) -> dict[str, list[float]]:
    found = FitInputs(rankings=count_orders(group_deals(tournament))).rate_groups().by_player()
    return {
        str(player): [one.elo, one.elo - Z95 * one.error, one.elo + Z95 * one.error]
        for player, one in found.items()
    }


def tell(arguments: Arguments) -> None:
    """Have open pages of the event read the new figures."""
    slug = Tournament.objects.filter(pk=arguments["tournament"]).values_list("slug", flat=True).first()
    if slug is not None:
        events.publish_changed(slug)
